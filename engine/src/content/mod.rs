//! Boards and rulesets: files with a hash and a version, checked when they are loaded, and the library that keeps
//! every version; and the rules in words, by number.
//!
//! `data/` has a folder for each board and each edition, with every version that was ever released. A released file is
//! never altered: records name it by its hash, and a correction is a new version beside it. The library embeds all
//! versions and uses the highest for new games. `data/released.json` lists their hashes. What is loaded has passed
//! every check, so that the rules need none.
//!
//! An edition is data. Its numbers and policies are in [`GameRules`]. Where editions differ in kind, they differ in
//! the value of a policy (`coin`, `battle`, `turn_numbers`), never by the edition's name. Event cards are data too: a
//! [`CardEffect`] says what a card does and when it can be played. What no printed text at hand says is listed in the
//! file's `assumed`.

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
