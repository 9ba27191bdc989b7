//! Boards and positions as pictures: SVG, and PNG where SVG cannot be shown.
//!
//! A picture shows only public information: the board and the contents of a [`View`], so never a seed or the order of
//! a deck. It has no style sheet, script or link. Text is text, and `data-region`, `data-field`, `data-nation` and
//! `data-layer` mark regions, rondel spaces, nations and layers. Text from data is escaped. The same input gives the same bytes, fewer than 60 KB. No
//! two labels, units or tokens overlap, on all boards and in late positions with six nations.
//!
//! ```
//! use drawing::{Style, board, position};
//! use engine::content::Library;
//! use engine::forms::View;
//! use engine::setup::Setup;
//!
//! let library = Library::embedded();
//! let style = Style { highlight: vec!["roma".to_owned()], ..Style::default() };
//! let empty = board(library.board("antike-west").expect("a released board"), &style)?;
//! assert!(empty.starts_with("<svg"));
//!
//! let setup: Setup = serde_json::from_str(
//!     r#"{"edition": "antike", "board": "antike-west", "seed": "a tour", "seats": [
//!             {"nations": ["romans"], "player": {"kind": "open"}},
//!             {"nations": ["greeks"], "player": {"kind": "open"}},
//!             {"nations": ["germanic_tribes"], "player": {"kind": "open"}}]}"#,
//! )?;
//! let (game, state) = setup.start(library)?;
//! let picture = position(&game, &View::from_state(&game, &state), &style)?;
//! assert!(picture.contains("Romans city"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![warn(missing_docs)]

mod coast;
mod frame;
mod labels;
mod map;
mod marks;
mod page;
mod palette;
mod panels;
mod png;
mod rondel;
mod scene;

use charts::Theme;
use engine::content::Board;
use engine::forms::View;
use engine::play::Game;

pub use palette::{Badge, badges};
pub use png::{PngError, png};

use crate::palette::Palette;
use crate::scene::Scene;

/// The least width of a picture in pixels.
pub const SMALLEST: u32 = 200;

/// The greatest width of a picture in pixels.
pub const LARGEST: u32 = 2400;

/// The look of a picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Style {
    /// The colour theme.
    pub theme: Theme,
    /// The width in pixels, from [`SMALLEST`] to [`LARGEST`]. The height follows, in the proportions of A4.
    pub width: u32,
    /// The ids of highlighted regions.
    pub highlight: Vec<String>,
}

impl Default for Style {
    fn default() -> Style {
        Style {
            theme: Theme::Light,
            width: 1200,
            highlight: Vec::new(),
        }
    }
}

/// A style that is not possible.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StyleError {
    /// The width is out of range.
    #[error("the width must be from {SMALLEST} to {LARGEST} pixels, not {0}")]
    Width(u32),
    /// The board has no such region.
    #[error("the board has no region {0:?} to highlight")]
    Region(String),
}

/// Returns an empty board as SVG, with the start cities of its largest number of nations.
///
/// # Errors
/// If the style is not possible.
pub fn board(board: &Board, style: &Style) -> Result<String, StyleError> {
    Ok(drawn(Scene::board(&board.data), board, style)?.0)
}

/// Returns a position of a game as SVG. It shows only what the view contains.
///
/// # Errors
/// If the style is not possible.
pub fn position(game: &Game, view: &View, style: &Style) -> Result<String, StyleError> {
    Ok(drawn(Scene::position(game, view), &game.board, style)?.0)
}

fn drawn(
    mut scene: Scene<'_>,
    board: &Board,
    style: &Style,
) -> Result<(String, map::Boxes), StyleError> {
    if !(SMALLEST..=LARGEST).contains(&style.width) {
        return Err(StyleError::Width(style.width));
    }
    for id in &style.highlight {
        let region = board.region(id);
        scene.highlight(region.ok_or_else(|| StyleError::Region(id.clone()))?);
    }
    Ok(page::draw(
        &scene,
        Palette::for_theme(style.theme),
        style.width,
    ))
}

#[cfg(test)]
mod tests {
    use engine::content::Library;
    use records::Record;

    use super::*;

    /// Asserts that nothing in a map overlaps.
    fn check(name: &str, boxes: &map::Boxes) {
        assert!(boxes.len() > 60, "{name}");
        for (index, (one, area)) in boxes.iter().enumerate() {
            for (other, covered) in &boxes[..index] {
                let overlap = area.overlap(covered);
                assert!(overlap < 0.01, "{name}: {one} and {other} by {overlap}");
            }
        }
    }

    #[test]
    fn nothing_overlaps_in_an_empty_map() {
        for found in Library::embedded().boards() {
            let scene = Scene::board(&found.data);
            let (_, boxes) = drawn(scene, found, &Style::default()).expect("a drawing");
            check(&found.data.id, &boxes);
        }
    }

    #[test]
    fn nothing_overlaps_with_six_nations_or_with_walls() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/records");
        let mut looked_at = 0;
        for name in [
            "east_6_goal",
            "east_6_military_round_limit",
            "east_6_temple_destroyed",
            "mare_nostrum_6_goal",
            "mare_nostrum_6_temple_destroyed",
            "orient_6_goal",
            "orient_6_temple_destroyed",
            "rome_carthage_2_goal_special_units",
            "greece_persia_2_goal",
        ] {
            let read = |end: &str| std::fs::read_to_string(format!("{folder}/{name}.{end}"));
            let record: Record = match read("txt") {
                Ok(text) => Record::from_text(&text).expect("a record"),
                Err(_) => serde_json::from_str(&read("json").expect("a file")).expect("a record"),
            };
            let last = record.actions.len() - 1;
            let replayed = record.replay(Library::embedded(), |step| {
                if step.index % 100 == 99 || step.index == last {
                    let view = View::from_state(step.game, step.state);
                    let scene = Scene::position(step.game, &view);
                    let style = Style::default();
                    let (_, boxes) = drawn(scene, &step.game.board, &style).expect("a drawing");
                    check(&format!("{name} {}", step.index), &boxes);
                    looked_at += 1;
                }
            });
            replayed.expect("a golden record");
        }
        assert!(looked_at > 30, "{looked_at}");
    }

    #[test]
    fn no_two_nations_of_a_board_share_letters_or_a_colour() {
        for found in Library::embedded().boards() {
            let names = found.nations();
            let sets = found.data.starts.values();
            for starts in sets {
                let names: Vec<&str> = starts.keys().map(String::as_str).collect();
                let badges = palette::badges(&names);
                for (index, one) in badges.iter().enumerate() {
                    for other in &badges[..index] {
                        assert_ne!(one.letters, other.letters, "{}", found.data.id);
                        assert_ne!(one.fill, other.fill, "{}", found.data.id);
                    }
                }
            }
            assert!(names.len() > 1);
        }
    }
}
