//! The host of bots in a game: it has seed and deck, and passes to each bot only what the bot may see.

use engine::chance::Chance;
use engine::play::{Action, Game};
use engine::state::State;

use crate::{Bot, Budget, Observation, Spec};

/// The bots of one game.
/// All their input comes from here: an observation, and a chance of their own that reveals nothing of the seed.
pub struct Host {
    seed: String,
    seen: Observation,
    /// By seat; `None` for seats without a bot.
    seats: Vec<Option<SeatedBot>>,
}

struct SeatedBot {
    bot: Box<dyn Bot>,
    budget: Budget,
}

impl Host {
    /// Returns the host of a game without bots.
    pub fn new(game: &Game, state: &State) -> Host {
        let mut chance = Chance::new(&format!("{} sight", game.seed));
        Host {
            seed: game.seed.clone(),
            seen: Observation::new(game, state, &mut chance),
            seats: (0..game.seats()).map(|_| None).collect(),
        }
    }

    /// Puts a bot on a seat, counted from 0. Ignores seats that the game does not have.
    pub fn seat(&mut self, seat: u8, spec: &Spec) {
        if let Some(seated) = self.seats.get_mut(usize::from(seat)) {
            *seated = Some(SeatedBot {
                bot: (spec.named.seat)(&mut seat_chance(&self.seed, seat)),
                budget: spec.budget,
            });
        }
    }

    /// Returns the action of the bot that must act, in canonical form.
    ///
    /// Returns `None` if the game is over, the seat has no bot, or the bot finds nothing. `decision` is the number of
    /// earlier actions; with it a bot's chance is the same after a restart.
    pub fn choose(&mut self, state: &State, decision: u64) -> Option<Action> {
        let game = self.seen.game();
        let seat = game.seat_of(game.question(state)?.nation());
        let seated = self.seats.get_mut(usize::from(seat))?.as_mut()?;
        self.seen.update(state);
        let mut chance = decision_chance(&self.seed, seat, decision);
        let action = seated.bot.choose(&self.seen, seated.budget, &mut chance)?;
        Some(self.seen.game().canonical(state, action))
    }

    /// Whether the bot that must act has already planned its next action.
    /// Do not stop at such a moment: the plan is lost with the host.
    pub fn is_ready(&mut self, state: &State) -> bool {
        let game = self.seen.game();
        let Some(question) = game.question(state) else {
            return false;
        };
        let seat = usize::from(game.seat_of(question.nation()));
        self.seen.update(state);
        let seated = self.seats.get(seat).and_then(Option::as_ref);
        seated.is_some_and(|seated| seated.bot.is_ready(&self.seen))
    }
}

/// Returns the chance of a bot's seat, for the whole game.
pub fn seat_chance(seed: &str, seat: u8) -> Chance {
    Chance::new(&format!("{seed} seat {seat} temperament"))
}

/// Returns the chance of one decision.
/// It depends only on the seed, the seat and the number of the decision, so a game continues in the same way after a
/// restart.
fn decision_chance(seed: &str, seat: u8, decision: u64) -> Chance {
    Chance::new(&format!("{seed} seat {seat} decision {decision}"))
}
