//! The bot that takes any legal action, each equally likely.

use engine::chance::Chance;
use engine::play::{Action, Payments};

use crate::{Bot, Budget, Seen};

/// Takes any legal action, each equally likely.
#[derive(Clone, Debug, Default)]
pub struct Random {
    /// Kept from one decision to the next for its room only.
    listed: Vec<Action>,
}

impl Bot for Random {
    fn choose(&mut self, seen: &Seen, _: Budget, chance: &mut Chance) -> Option<Action> {
        let game = seen.game();
        game.legal_actions(seen.state(), Payments::Default, &mut self.listed);
        match self.listed.len() {
            0 => None,
            count => Some(self.listed[chance.below(count as u32) as usize]),
        }
    }
}
