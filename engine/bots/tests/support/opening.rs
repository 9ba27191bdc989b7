//! The openings of the rule book, recognized by the first actions of a nation.

use engine::content::Library;
use engine::play::{Action, Game};
use engine::state::State;
use records::{Record, ReplayError};

/// Turns of a nation in which its opening shows.
const TURNS: u32 = 6;

/// The opening of each nation in turn order, and the game with its last state.
/// An opening is `growth` for a temple, `military` for a unit, `progress` for a know-how, else `other`.
pub fn of_nations(record: &Record) -> Result<(Vec<&'static str>, Game, State), ReplayError> {
    let mut openings = [None; engine::ids::MAX_NATIONS];
    let mut turns = [0; engine::ids::MAX_NATIONS];
    let (game, last) = record.replay(Library::embedded(), |step| {
        let index = step.nation.index();
        let opening = match step.action {
            Action::MoveStone { .. } => {
                turns[index] += 1;
                return;
            }
            Action::BuildTemple { .. } => "growth",
            Action::Arm { .. } => "military",
            Action::Develop { .. } => "progress",
            _ => return,
        };
        if turns[index] <= TURNS {
            openings[index].get_or_insert(opening);
        }
    })?;
    let shown = openings.iter().take(game.nations.len());
    let names = shown.map(|opening| opening.unwrap_or("other")).collect();
    Ok((names, game, last))
}
