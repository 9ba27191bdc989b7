//! What games may cost.

use std::time::Duration;

/// What games may cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameLimits {
    /// The events of a game, behind which only its organizer can end it. An undo is one.
    pub events: u64,
    /// The rounds of a game: the most that can be asked for, and how many there are when nothing is.
    pub max_rounds: Option<u32>,
    /// Games at the same time in which a bot is to move; while there are so many, none with a bot is
    /// created.
    pub bot_games: usize,
    /// The same of those that an address has created.
    pub address_bot_games: usize,
    /// Playouts, or milliseconds, that a decision of a bot may take.
    pub bot_budget: u32,
    /// How long bots that play alone wait before each decision.
    pub bot_pause: Duration,
}

impl GameLimits {
    /// No limits, for games that are only read.
    pub const NONE: GameLimits = GameLimits {
        events: u64::MAX,
        max_rounds: None,
        bot_games: usize::MAX,
        address_bot_games: usize::MAX,
        bot_budget: u32::MAX,
        bot_pause: Duration::ZERO,
    };
}
