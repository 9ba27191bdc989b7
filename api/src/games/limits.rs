//! Limits of games.

use std::time::Duration;

/// Limits of games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameLimits {
    /// The most events of a game, including undone ones. Beyond it, only the organizer can end the game.
    pub events: u64,
    /// The most rounds of a game, which is also the default; `None` for no limit.
    pub max_rounds: Option<u32>,
    /// The most games at the same time in which a bot has to move.
    /// Beyond it, no game with a bot is created.
    pub bot_games: usize,
    /// The same limit for the games that one account or address has created.
    pub address_bot_games: usize,
    /// The most playouts, or milliseconds, of a bot's decision.
    pub bot_budget: u32,
    /// The pause before each decision in a game of bots alone.
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
