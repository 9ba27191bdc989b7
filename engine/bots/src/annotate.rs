//! Games judged turn by turn: the share of the win before and after each, and what was better.

use engine::chance::Chance;
use engine::content::Library;
use engine::ids::Nation;
use engine::play::{Action, Effect, Game};
use engine::state::State;
use engine::words::Personage;
use records::{Record, ReplayError};

use crate::search::plan::begins_turn;
use crate::{Analysis, Budget, Candidate, Estimate, Seen};

/// A turn as it was played.
#[derive(Clone, Debug)]
pub struct PlayedTurn {
    /// The round.
    pub round: u32,
    /// The number of the turn, as records have it.
    pub turn: u32,
    /// Whose turn it is.
    pub nation: Nation,
    /// The position that it begins in.
    pub state: State,
    /// What was done, with who did it: others may be asked something within a turn.
    pub steps: Vec<(Nation, Action)>,
    /// The same in notation, as it stands in the record.
    pub notation: Vec<String>,
    /// Personages that were won, with who won them and how many points that nation then had.
    pub won: Vec<(Nation, Personage, u32)>,
}

/// The turns of a game.
#[derive(Clone, Debug)]
pub struct PlayedGame {
    /// The game.
    pub game: Game,
    /// The turns that were played to their end, in order. One in which somebody resigned is left out, and so
    /// is what comes before the first.
    pub turns: Vec<PlayedTurn>,
}

/// What a turn was worth.
#[derive(Clone, Debug, PartialEq)]
pub struct JudgedTurn {
    /// By seat in table order: what the turn promised, if the best is done that is known.
    pub before: Vec<Estimate>,
    /// By seat: what was done promises.
    pub after: Vec<Estimate>,
    /// The share of the win that the seat has lost by what was done; 0 when nothing better is known.
    pub lost: f64,
    /// What was better, if anything was found.
    pub better: Option<Candidate>,
    /// Playouts that it took.
    pub playouts: u32,
}

impl PlayedGame {
    /// Reads the turns of a record. What was undone is left out.
    ///
    /// # Errors
    /// When the record does not replay.
    pub fn read(record: &Record, library: &Library) -> Result<PlayedGame, ReplayError> {
        let (_, mut before) = record.setup.start(library)?;
        let mut turns: Vec<PlayedTurn> = Vec::new();
        // Whether the last turn of the list goes on.
        let mut open = false;
        let (game, _) = record.replay(library, |step| {
            let begun = step.game.question(&before);
            if let Some(question) = begun.filter(|question| begins_turn(*question, &before)) {
                let goes_on = open && turns.last().is_some_and(|turn| turn.turn == before.turn);
                if !goes_on {
                    turns.push(PlayedTurn {
                        round: before.round,
                        turn: before.turn,
                        nation: question.asked(),
                        state: before.clone(),
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
        // The last one may not have come to its end.
        let over = game.question(&before).is_none();
        let ended = |turn: &PlayedTurn| over || before.turn != turn.turn;
        if turns.last().is_some_and(|turn| !ended(turn)) {
            turns.pop();
        }
        Ok(PlayedGame { game, turns })
    }
}

impl PlayedTurn {
    /// Judges the turn with the knowledge that its player had. The same seed and playouts give the same
    /// judgement; what was done takes up to as many playouts again.
    ///
    /// Nothing when there was nothing to decide.
    pub fn judge(&self, game: &Game, budget: Budget, seed: &str) -> Option<JudgedTurn> {
        let seed = format!("{seed} turn {}", self.turn);
        let mut sight = Chance::new(&format!("{seed} sight"));
        let seen = Seen::new(game, &self.state, &mut sight);
        let mut analysis = Analysis::new(&seen, &seed)?;
        let judgement = analysis.judge(&self.steps, budget);
        let seat = usize::from(game.seat_of(self.nation));
        let lost = judgement.best.shares[seat].share - judgement.done.shares[seat].share;
        let better = !judgement.same && lost > 0.0;
        let after = judgement.done.shares;
        Some(JudgedTurn {
            before: match better {
                true => judgement.best.shares.clone(),
                false => after.clone(),
            },
            after,
            lost: if better { lost } else { 0.0 },
            better: better.then_some(judgement.best),
            playouts: analysis.playouts(),
        })
    }
}
