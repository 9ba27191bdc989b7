//! Setups of games between bots.

use engine::content::Library;
use engine::forms::{Position, View};
use engine::play::Game;
use engine::setup::{Setup, SetupSeat};
use engine::state::State;

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
    let seat = |bot: &&str| SetupSeat::bot(*bot);
    Setup {
        edition: edition_of(board),
        board: board.to_owned(),
        variants: variants.iter().map(|name| (*name).to_owned()).collect(),
        seats: bots.iter().map(seat).collect(),
        seed: seed.to_owned(),
        max_rounds: Some(max_rounds),
        ..Setup::default()
    }
}

/// The name of a bot with as little to think as there is.
pub fn quick(bot: &bots::BotEntry) -> String {
    let budget = bot.budget.map(|_| bots::Budget::Playouts(2).to_string());
    format!("{}{}", bot.name, budget.unwrap_or_default())
}

/// The same position with so many cards of the deck put under it, and those in other order.
pub fn with_order(setup: &Setup, game: &Game, state: &State, turned: usize) -> (Game, State) {
    let mut body = Position::from(View::with_deck(game, state));
    let order = body.cards.as_mut().and_then(|cards| cards.order.as_mut());
    let order = order.expect("a deck");
    let count = order.len().max(1);
    order.rotate_right(turned % count);
    order[..turned % count].reverse();
    let setup = Setup {
        position: Some(Box::new(body)),
        ..setup.clone()
    };
    setup.start(Library::embedded()).expect("a position")
}
