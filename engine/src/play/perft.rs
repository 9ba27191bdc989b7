//! Perft: counts the leaves of the tree of legal actions, to detect changes of the rules.

use crate::play::{Game, Payments};
use crate::state::State;

/// Counts the sequences of `depth` actions from `state`, with default payments.
///
/// A game that ends earlier does not count.
pub fn perft(game: &Game, state: &State, depth: u32) -> u64 {
    let mut actions = Vec::new();
    game.legal_actions(state, Payments::Default, &mut actions);
    if depth <= 1 {
        return if depth == 0 { 1 } else { actions.len() as u64 };
    }
    let Some(question) = game.question(state) else {
        return 0;
    };
    let mut effects = Vec::new();
    let count = |action| {
        let mut next = state.clone();
        effects.clear();
        match game.apply(&mut next, question.nation(), action, &mut effects) {
            Ok(()) => perft(game, &next, depth - 1),
            Err(_) => 0,
        }
    };
    actions.into_iter().map(count).sum()
}
