//! Who runs bots in a game: it knows seed and deck, and hands each bot only what is the bot's.

use engine::chance::Chance;
use engine::play::{Action, Game};
use engine::state::State;

use crate::{Bot, Budget, Seen, Spec};

/// The bots of one game. All that bots are given comes from here: what may be seen, and a chance of
/// their own that tells nothing of the seed.
pub struct Host {
    seed: String,
    seen: Seen,
    /// By seat; nobody where no bot plays.
    seats: Vec<Option<SeatedBot>>,
}

struct SeatedBot {
    bot: Box<dyn Bot>,
    budget: Budget,
}

impl Host {
    /// The host of a game at which no bot sits yet.
    pub fn new(game: &Game, state: &State) -> Host {
        let mut chance = Chance::new(&format!("{} sight", game.seed));
        Host {
            seed: game.seed.clone(),
            seen: Seen::new(game, state, &mut chance),
            seats: (0..game.seats()).map(|_| None).collect(),
        }
    }

    /// Lets a bot sit down on a seat, from 0. A seat that the game has not is left out.
    pub fn seat(&mut self, seat: u8, spec: &Spec) {
        if let Some(seated) = self.seats.get_mut(usize::from(seat)) {
            *seated = Some(SeatedBot {
                bot: (spec.named.seat)(&mut seat_chance(&self.seed, seat)),
                budget: spec.budget,
            });
        }
    }

    /// What the bot does whose nation must act, in canonical form; nothing when the game is over, no
    /// bot sits there, or it finds nothing. `decision` is the number of actions before this one: with
    /// it a bot's chance is the same after a restart.
    pub fn choose(&mut self, state: &State, decision: u64) -> Option<Action> {
        let game = self.seen.game();
        let seat = game.seat_of(game.question(state)?.asked());
        let seated = self.seats.get_mut(usize::from(seat))?.as_mut()?;
        self.seen.update(state);
        let mut chance = decision_chance(&self.seed, seat, decision);
        let action = seated.bot.choose(&self.seen, seated.budget, &mut chance)?;
        Some(self.seen.game().canonical(state, action))
    }

    /// Whether the bot whose nation must act knows already what it does. Nobody who waits for a good
    /// moment to stop should stop here: what it has thought of is lost with the host.
    pub fn is_ready(&mut self, state: &State) -> bool {
        let game = self.seen.game();
        let Some(question) = game.question(state) else {
            return false;
        };
        let seat = usize::from(game.seat_of(question.asked()));
        self.seen.update(state);
        let seated = self.seats.get(seat).and_then(Option::as_ref);
        seated.is_some_and(|seated| seated.bot.is_ready(&self.seen))
    }
}

/// The chance of a bot on a seat that lasts for the game.
pub fn seat_chance(seed: &str, seat: u8) -> Chance {
    Chance::new(&format!("{seed} seat {seat} temperament"))
}

/// The chance of one decision of a bot: it depends on the seed, the seat and the number of the
/// decision only, so that a game goes on in the same way after a restart.
fn decision_chance(seed: &str, seat: u8, decision: u64) -> Chance {
    Chance::new(&format!("{seed} seat {seat} decision {decision}"))
}
