//! Setups of games between bots.

use engine::{Player, Setup, SetupSeat};

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
        edition: "antike".to_owned(),
        board: board.to_owned(),
        ruleset_hash: None,
        board_hash: None,
        variants: variants.iter().map(|name| (*name).to_owned()).collect(),
        seats: bots.iter().map(seat).collect(),
        seed: seed.to_owned(),
        drawn: 0,
        first: None,
        max_rounds: Some(max_rounds),
        position: None,
    }
}
