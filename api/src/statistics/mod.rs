//! Statistics: the facts of finished games in a folder, and measures computed from them.
//!
//! - The projection `facts` ([`gather`]) adds each finished game once, whichever process finished or imported it.
//!   Private games are excluded. Facts contain unlisted games under another id (`derive.rs`), which does not lead to
//!   them.
//! - Over-the-board results have no record. Each league event that enters, corrects or voids one adds a revision to the
//!   table `results`. The projection reads the log of leagues after that of games, to its end, so facts up to a
//!   position contain all results up to it.
//! - `complete_until` is the time up to which all games are in the facts: 2 seconds before the last check that found no
//!   more, because a transaction and clock differences may take that long. A question about a later time causes another
//!   check. An `as_of` after that time, or after the end of the log, is refused (422). Results may be written up to 4
//!   seconds later (`LONGEST_WAIT`).
//! - Damaged parts are rebuilt from the records ([`repair`]). If that gives another version, all facts are rebuilt.
//! - `tabularium verify --facts` derives all facts again and compares them ([`audit`]).
//! - Facts in another form are rebuilt. Positions and times come from the database, so `as_of` gives the same tables.
//!   There is one exception: a damaged game that becomes readable again is added at its old position, and
//!   `data_version` changes.

pub mod audit;
pub mod comparison;
pub mod derive;
pub mod figure;
mod gather;
pub mod handlers;
mod model;
mod repair;
mod service;
pub mod strengths;

pub use self::model::{Format, StatisticsError};
pub use self::service::{Statistics, check_free, facts_folder};
