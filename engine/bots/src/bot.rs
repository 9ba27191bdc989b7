//! The interface of a bot: it chooses an action for an observation.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use engine::chance::Chance;
use engine::play::Action;

use crate::Observation;

/// A program that plays one seat of one game.
///
/// It is created when it takes the seat ([`crate::BotEntry::seat`]) and may keep results of its search between
/// decisions.
pub trait Bot {
    /// Returns an action for the nation that must act, or `None` if the game is over.
    ///
    /// [`Observation::legal_actions`] lists possible actions, with default payments omitted. Any other legal action is
    /// accepted too. The choice must follow from the arguments of this and earlier calls in the game: the same
    /// observation, playouts and chance give the same action. Only [`Budget::Time`] is exempt.
    fn choose(&mut self, seen: &Observation, budget: Budget, chance: &mut Chance)
    -> Option<Action>;

    /// Whether the bot has already planned its next action, so that choosing costs almost nothing.
    fn is_ready(&self, _: &Observation) -> bool {
        false
    }
}

/// How much a bot may compute for one decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Budget {
    /// This many playouts. The same number gives the same decision.
    Playouts(u32),
    /// This much time.
    /// How far a bot gets depends on the machine, so such a decision cannot be repeated. Records contain the actions
    /// and stay valid.
    Time(Duration),
}

impl Budget {
    /// The budget of bots that use no playouts.
    pub const NONE: Budget = Budget::Playouts(0);
}

/// A text that is not a budget.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a budget must be playouts from 1, such as 800, or milliseconds from 1, such as 500ms")]
pub struct BudgetError;

/// Parses a budget on its own: `800` for playouts, `500ms` for time. A budget of 0 is an error.
impl FromStr for Budget {
    type Err = BudgetError;

    fn from_str(text: &str) -> Result<Budget, BudgetError> {
        let number = |digits: &str| {
            let all_digits = digits.bytes().all(|byte| byte.is_ascii_digit());
            let number = digits.parse().ok().filter(|n: &u32| all_digits && *n > 0);
            number.ok_or(BudgetError)
        };
        match text.strip_suffix("ms") {
            Some(time) => Ok(Budget::Time(Duration::from_millis(number(time)?.into()))),
            None => number(text).map(Budget::Playouts),
        }
    }
}

/// Prints a budget as it follows a bot's name: `:800` for playouts, `@500ms` for time.
impl fmt::Display for Budget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Budget::Playouts(count) => write!(f, ":{count}"),
            Budget::Time(time) => write!(f, "@{}ms", time.as_millis()),
        }
    }
}
