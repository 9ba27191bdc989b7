//! Annotated games: the share of the win before and after each turn, and better choices.

use engine::chance::Chance;
use engine::content::Library;
use engine::ids::Nation;
use engine::play::{Action, Effect, Game};
use engine::state::State;
use engine::words::Personage;
use records::{Record, ReplayError};

use crate::search::plan::begins_turn;
use crate::{Analysis, Budget, Candidate, Estimate, Observation};

/// A played turn.
#[derive(Clone, Debug)]
pub struct PlayedTurn {
    /// The round.
    pub round: u32,
    /// The number of the turn, as in records.
    pub turn: u32,
    /// The nation whose turn it is.
    pub nation: Nation,
    /// The position before it.
    pub state: State,
    /// The position of its first action in the record's actions.
    pub first: usize,
    /// Its actions with their nations. Other nations may have to answer within a turn.
    pub steps: Vec<(Nation, Action)>,
    /// The actions in notation, as in the record.
    pub notation: Vec<String>,
    /// The personages won, each with the nation that won it and that nation's points afterwards.
    pub won: Vec<(Nation, Personage, u32)>,
}

/// A game as a list of its turns.
#[derive(Clone, Debug)]
pub struct PlayedGame {
    /// The game.
    pub game: Game,
    /// The completed turns, in order. Turns in which a nation resigned are omitted, and so is the set-up.
    pub turns: Vec<PlayedTurn>,
}

/// The evaluation of a played turn.
#[derive(Clone, Debug, PartialEq)]
pub struct JudgedTurn {
    /// By seat: the estimate before the turn, if the best known choice is made.
    pub before: Vec<Estimate>,
    /// By seat: the estimate after the turn.
    pub after: Vec<Estimate>,
    /// The win probability that the turn lost its seat: the smaller loss of two searches. 0 if they do not agree that
    /// something is better.
    pub lost: f64,
    /// The best better choice, if one was found.
    pub better: Option<Candidate>,
    /// The number of playouts used.
    pub playouts: u32,
}

impl PlayedGame {
    /// Reads the turns of a record, without undone actions.
    ///
    /// # Errors
    /// If the record does not replay.
    pub fn read(record: &Record, library: &Library) -> Result<PlayedGame, ReplayError> {
        let (_, mut before) = record.setup.start(library)?;
        let mut turns: Vec<PlayedTurn> = Vec::new();
        // Whether the last turn of the list is unfinished.
        let mut open = false;
        let (game, _) = record.replay(library, |step| {
            let begun = step.game.question(&before);
            if let Some(question) = begun.filter(|question| begins_turn(*question, &before)) {
                let goes_on = open && turns.last().is_some_and(|turn| turn.turn == before.turn);
                if !goes_on {
                    turns.push(PlayedTurn {
                        round: before.round,
                        turn: before.turn,
                        nation: question.nation(),
                        state: before.clone(),
                        first: step.index,
                        steps: Vec::new(),
                        notation: Vec::new(),
                        won: Vec::new(),
                    });
                    open = true;
                }
            }
            if let Some(turn) = turns.last_mut().filter(|_| open) {
                turn.steps.push((step.nation, step.action));
                turn.notation.push(record.actions[step.index].clone());
                turn.won
                    .extend(step.effects.iter().filter_map(|effect| match *effect {
                        Effect::PersonageWon {
                            nation, personage, ..
                        } => Some((nation, personage, step.game.points(step.state, nation))),
                        _ => None,
                    }));
                if step.action == Action::Resign {
                    turns.pop();
                    open = false;
                }
            }
            before.clone_from(step.state);
        })?;
        // The last turn may be incomplete.
        let over = game.question(&before).is_none();
        let ended = |turn: &PlayedTurn| over || before.turn != turn.turn;
        if turns.last().is_some_and(|turn| !ended(turn)) {
            turns.pop();
        }
        Ok(PlayedGame { game, turns })
    }
}

/// Divides a budget into two thirds and one third.
fn two_parts(budget: Budget) -> (Budget, Budget) {
    match budget {
        Budget::Playouts(all) => {
            let smaller = (all / 3).max(1);
            let larger = all.saturating_sub(smaller).max(1);
            (Budget::Playouts(larger), Budget::Playouts(smaller))
        }
        Budget::Time(all) => (Budget::Time(all * 2 / 3), Budget::Time(all / 3)),
    }
}

impl PlayedTurn {
    /// Evaluates the turn with the knowledge that its player had.
    ///
    /// Two searches must agree that another turn is better. The first has two thirds of the budget and finds that turn.
    /// The second has the rest and another seed, and compares only these two. Otherwise the best of many turns would
    /// look better than it is.
    ///
    /// The same seed and playouts give the same result. The compared turns need up to four thirds as many playouts again. Returns
    /// `None` if there was nothing to decide.
    pub fn judge(&self, game: &Game, budget: Budget, seed: &str) -> Option<JudgedTurn> {
        let seed = format!("{seed} turn {}", self.turn);
        let mut sight = Chance::new(&format!("{seed} sight"));
        let seen = Observation::new(game, &self.state, &mut sight);
        let mut analysis = Analysis::new(&seen, &seed)?;
        let (larger, smaller) = two_parts(budget);
        let first = analysis.judge(&self.steps, larger);
        let mut again = Analysis::new(&seen, &format!("{seed} again"))?;
        let mut compared = again
            .compare(&[&first.steps, &self.steps], smaller)
            .into_iter();
        let seat = usize::from(game.seat_of(self.nation));
        let loss =
            |best: &Candidate, done: &Candidate| best.shares[seat].share - done.shares[seat].share;
        let (best, done) = match (compared.next(), compared.next()) {
            (Some(best), Some(done)) if loss(&best, &done) < loss(&first.best, &first.done) => {
                (best, done)
            }
            _ => (first.best, first.done),
        };
        let lost = loss(&best, &done);
        let better = !first.same && lost > 0.0;
        let after = done.shares;
        Some(JudgedTurn {
            before: match better {
                true => best.shares.clone(),
                false => after.clone(),
            },
            after,
            lost: if better { lost } else { 0.0 },
            better: better.then_some(best),
            playouts: analysis.playouts() + again.playouts(),
        })
    }
}
