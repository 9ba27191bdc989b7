//! Boards and rulesets: files with a hash and a version, checked when they are loaded, and the
//! library that keeps every version.

mod board;
mod cards;
mod checks;
mod file;
mod library;
mod rules;
mod ruleset;

pub use board::*;
pub use cards::*;
pub use checks::*;
pub use file::*;
pub use library::*;
pub use rules::*;
pub use ruleset::*;
