//! Boards, rulesets and the text of the rules.
//!
//! Board and ruleset files have a hash and a version and are checked when loaded. The library keeps every version.
//!
//! `data/` has a folder for each board and each edition, with every released version. A released file is never
//! altered: records name it by its hash, and a correction is a new version beside it. The library embeds all versions
//! and uses the highest one for new games. `data/released.json` lists their hashes. Loaded content has passed every
//! check, so the rules need none.
//!
//! An edition is data. Its numbers and policies are in [`GameRules`]. Editions that differ in kind differ in the
//! value of a policy (`coin`, `battle`, `turn_numbers`); no code depends on an edition's name. Event cards are data
//! too: a [`CardEffect`] defines the effect of a card and when it can be played. The file's `assumed` lists the
//! values that no available printed text contains.

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
