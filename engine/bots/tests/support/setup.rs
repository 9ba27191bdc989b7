//! Setups of games between bots.

use engine::content::Library;
use engine::record::{Player, Setup, SetupSeat};

/// The edition that is played on a board; nothing, with which no game starts, on an unknown one.
pub fn edition_of(board: &str) -> String {
    let board = Library::embedded().board(board);
    board.map_or_else(String::new, |board| board.data.edition.clone())
}

/// A game on a board with a bot on each seat; nations are drawn from the seed.
pub fn of_bots(
    board: &str,
    bots: &[&str],
    variants: &[&str],
    seed: &str,
    max_rounds: u32,
) -> Setup {
    let seat = |bot: &&str| SetupSeat {
        nations: Vec::new(),
        player: Player::Bot {
            name: (*bot).to_owned(),
        },
    };
    Setup {
        edition: edition_of(board),
        board: board.to_owned(),
        ruleset_hash: None,
        board_hash: None,
        variants: variants.iter().map(|name| (*name).to_owned()).collect(),
        seats: bots.iter().map(seat).collect(),
        seed: seed.to_owned(),
        drawn: 0,
        first: None,
        max_rounds: Some(max_rounds),
        deck: None,
        reshuffles: Vec::new(),
        position: None,
        pace: None,
    }
}

/// The name of a bot with as little to think as there is.
#[allow(dead_code, reason = "not every test has every bot")]
pub fn quick(bot: &bots::Named) -> String {
    let budget = bot.budget.map(|_| bots::Budget::Playouts(2).to_string());
    format!("{}{}", bot.name, budget.unwrap_or_default())
}
