//! What a bot is: something that chooses an action for what it sees.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use engine::chance::Chance;
use engine::play::Action;

use crate::Seen;

/// A program that plays a seat of one game. It is made when it sits down ([`crate::Named::seat`])
/// and may keep what it has thought of from one decision to the next.
pub trait Bot {
    /// What the bot does for the nation that must act, or nothing when the game is over. An action
    /// with its default payment left out is what [`Seen::legal_actions`] lists; any other that is
    /// legal will do.
    ///
    /// It follows from what the bot is given here and has been given in this game before: the same
    /// sight, playouts and chance give the same action. Only [`Budget::Time`] is exempt.
    fn choose(&mut self, seen: &Seen, budget: Budget, chance: &mut Chance) -> Option<Action>;

    /// Whether the bot knows already what it does, so that asking it costs next to nothing.
    fn is_ready(&self, _: &Seen) -> bool {
        false
    }
}

/// How long a bot may think about one decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Budget {
    /// So many games played out in its head; the same number gives the same decision.
    Playouts(u32),
    /// So much time, for the comfort of people: how far a bot gets in it depends on the machine, so
    /// such a decision cannot be repeated. Records hold the actions and stay as true as others.
    Time(Duration),
}

impl Budget {
    /// What bots get that play nothing out.
    pub const NONE: Budget = Budget::Playouts(0);
}

/// A text is no budget.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a budget is playouts from 1, such as 800, or milliseconds from 1, such as 500ms")]
pub struct BudgetError;

/// As it is given by itself: `800` for playouts, `500ms` for time. Nothing to think with is no budget.
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

/// As it stands behind a bot's name: `:800` for playouts, `@500ms` for time.
impl fmt::Display for Budget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Budget::Playouts(count) => write!(f, ":{count}"),
            Budget::Time(time) => write!(f, "@{}ms", time.as_millis()),
        }
    }
}
