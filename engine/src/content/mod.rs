//! Boards and rulesets: files with a hash and a version, checked when they are loaded, and the
//! library that keeps every version; and the rules in words, by number.
//!
//! A file that was released is never altered: it is known by its hash, and a correction is a new
//! version beside it. What is loaded has passed every check, so that the rules need none.

mod board;
mod board_file;
mod cards;
mod checks;
mod file;
mod game_rules;
mod library;
mod rule_number;
mod rule_texts;
mod ruleset;
mod ruleset_file;

pub use board::*;
pub use board_file::*;
pub use cards::*;
pub use file::*;
pub use game_rules::*;
pub use library::*;
pub use rule_number::*;
pub use rule_texts::*;
pub use ruleset::*;
pub use ruleset_file::*;
