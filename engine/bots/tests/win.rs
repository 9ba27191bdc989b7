//! Wins within a turn: the solver agrees with exhaustive enumeration, and the search bot plays them.

use std::collections::HashSet;

use crate::support::setup;

use bots::search::win::{may_win, winning_turn};
use bots::{Bot, Budget, Observation, PlayedGame, Search};
use engine::chance::Chance;
use engine::content::Library;
use engine::ids::Nation;
use engine::play::{Action, Game, Payments};
use engine::state::State;

/// The most positions that one enumeration visits.
const MOST: usize = 400;
/// The most positions of one game.
const MOST_POSITIONS: usize = 10;

const GAMES: [(&str, &[&str]); 6] = [
    ("antike-east", &["greedy"; 4]),
    ("antike-west", &["greedy"; 5]),
    ("antike-ii-orient", &["greedy"; 4]),
    ("antike-ii-mare-nostrum", &["greedy"; 6]),
    ("duellum-greece-persia", &["greedy"; 2]),
    ("duellum-rome-carthage", &["greedy"; 2]),
];

/// Tries every action of a turn, with every payment and every answer of others.
struct Enumeration<'a> {
    game: &'a Game,
    nation: Nation,
    seen: HashSet<u64>,
}

impl Enumeration<'_> {
    /// Whether the nation can force a win; `None` if there are too many positions to know.
    fn wins(&mut self, state: &State) -> Option<bool> {
        if let Some(outcome) = state.outcome {
            return Some(outcome.ranks[usize::from(self.game.seat_of(self.nation))] == 1);
        }
        if state.to_move != self.nation {
            return Some(false);
        }
        if !self.seen.insert(state.digest()) {
            return Some(false);
        }
        if self.seen.len() > MOST {
            return None;
        }
        let asked = self.game.question(state)?.nation();
        let mut actions = Vec::new();
        self.game.legal_actions(state, Payments::All, &mut actions);
        actions.sort_by_key(|action| *action != Action::EndTurn);
        let mut known = true;
        for action in actions {
            let mut next = state.clone();
            self.game
                .apply(&mut next, asked, action, &mut Vec::new())
                .expect("a listed action");
            match (self.wins(&next), asked == self.nation) {
                (Some(true), true) => return Some(true),
                (Some(false), false) => return Some(false),
                (None, _) => known = false,
                _ => {}
            }
        }
        known.then_some(asked != self.nation)
    }
}

/// The beginnings of turns of games of bots.
fn turns(board: &str, bots: &[&str], seed: &str) -> (Game, Vec<State>) {
    let setup = setup::of_bots(board, bots, &[], seed, 120);
    let library = Library::embedded();
    let record = bots::play(library, &setup, "a game", "2005-10-13T12:00:00Z").expect("a game");
    let played = PlayedGame::read(&record, library).expect("it replays");
    let states = played.turns.iter().map(|turn| turn.state.clone());
    (played.game.clone(), states.collect())
}

/// How many points the nation to move lacks.
fn lacks(game: &Game, state: &State) -> u32 {
    u32::from(game.rules.goal).saturating_sub(game.points(state, state.to_move))
}

fn carry_out(game: &Game, state: &State, steps: &[(Nation, Action)]) -> State {
    let mut state = state.clone();
    for (nation, action) in steps {
        let applied = game.apply(&mut state, *nation, *action, &mut Vec::new());
        applied.expect("a legal action");
    }
    state
}

#[test]
fn the_solver_agrees_with_exhaustive_enumeration_one_point_short() {
    let (mut positions, mut won, mut known) = (0, 0, 0);
    for (board, bots) in GAMES {
        for seed in ["one", "two"] {
            let (game, states) = turns(board, bots, seed);
            let short = states.iter().rev().filter(|state| lacks(&game, state) == 1);
            for state in short.take(MOST_POSITIONS) {
                positions += 1;
                let solved = winning_turn(&game, state);
                let mut stone = Vec::new();
                game.legal_actions(state, Payments::All, &mut stone);
                stone.retain(|action| matches!(action, Action::MoveStone { .. }));
                // Each move of the stone has its own limit.
                let mut wins = Some(false);
                for action in stone {
                    let mut enumeration = Enumeration {
                        game: &game,
                        nation: state.to_move,
                        seen: HashSet::new(),
                    };
                    match enumeration.wins(&carry_out(&game, state, &[(state.to_move, action)])) {
                        Some(true) => {
                            wins = Some(true);
                            break;
                        }
                        None => wins = None,
                        Some(false) => {}
                    }
                }
                known += u32::from(wins.is_some());
                let turn = format!("{board} {seed}, turn {}", state.turn);
                if let Some(steps) = &solved {
                    won += 1;
                    assert!(may_win(&game, state, state.to_move), "{turn}");
                    let end = carry_out(&game, state, steps);
                    let seat = usize::from(game.seat_of(state.to_move));
                    assert_eq!(end.outcome.map(|end| end.ranks[seat]), Some(1), "{turn}");
                    assert_ne!(wins, Some(false), "{turn}: {steps:?}");
                } else {
                    assert_ne!(wins, Some(true), "{turn}");
                }
            }
        }
    }
    println!("{positions} positions, {won} won, {known} enumerated");
    assert!(
        positions > 30 && won > 10 && known > 10,
        "{positions}, {won}, {known}"
    );
}

#[test]
fn the_search_bot_plays_a_win_with_the_smallest_budget() {
    let mut won = 0;
    for (board, bots) in GAMES {
        let (game, states) = turns(board, bots, "one");
        for state in &states {
            if winning_turn(&game, state).is_none() {
                continue;
            }
            let mut state = state.clone();
            let nation = state.to_move;
            let mut bot = Search::default();
            let mut chance = Chance::new("a win");
            while let Some(question) = game.question(&state).filter(|_| state.to_move == nation) {
                let asked = question.nation();
                let action = if asked == nation {
                    let seen = Observation::new(&game, &state, &mut Chance::new("sight"));
                    bot.choose(&seen, Budget::Playouts(1), &mut chance)
                } else {
                    let mut answers = Vec::new();
                    game.legal_actions(&state, Payments::Default, &mut answers);
                    answers.pop()
                };
                let action = action.expect("an action");
                game.apply(&mut state, asked, action, &mut Vec::new())
                    .expect("a legal action");
            }
            let seat = usize::from(game.seat_of(nation));
            assert_eq!(state.outcome.map(|end| end.ranks[seat]), Some(1), "{board}");
            won += 1;
        }
    }
    assert!(won > 5, "{won} wins");
}
