//! The random bot: it chooses any legal action, each equally likely.

use engine::chance::Chance;
use engine::play::{Action, Payments};

use crate::{Bot, Budget, Observation};

/// Chooses any legal action, each equally likely.
#[derive(Clone, Debug, Default)]
pub struct Random {
    /// Reused between decisions to avoid allocations.
    listed: Vec<Action>,
}

impl Bot for Random {
    fn choose(&mut self, seen: &Observation, _: Budget, chance: &mut Chance) -> Option<Action> {
        let game = seen.game();
        game.legal_actions(seen.state(), Payments::Default, &mut self.listed);
        match self.listed.len() {
            0 => None,
            count => Some(self.listed[chance.below(count as u32) as usize]),
        }
    }
}
