//! Statistics: the facts of finished games in a folder, and answers to measures on them.
//!
//! - The projection `facts` ([`gather`]) adds each finished game once, whichever process finished or imported it, but
//!   no private game. Facts name an unlisted game by another id (`derive.rs`), which does not lead to it.
//! - Over-the-board results have no record. Each league event that enters, corrects or voids one adds a revision to
//!   the table `results`. The gatherer reads the log of leagues after that of games, to its end, so facts up to a
//!   position have all results up to it.
//! - `whole_until` is the time up to which all games are in the facts: 2 seconds before the last look that found no
//!   more, as long as a transaction and the difference of clocks may take. A question about a later time looks again.
//!   An `as_of` behind that time, or behind the end of the log, is refused (422). Results may wait 4 seconds longer
//!   until they are written (`LONGEST_WAIT`).
//! - Damaged parts are computed again from the records ([`repair`]). If these give another version, all facts are.
//! - Facts of another form are computed again. Positions and times come from the database, so `as_of` gives the same
//!   tables. The one exception is a damaged game that can be read again: it is added at its old position, and
//!   `data_version` shows it.

pub mod derive;
pub mod figure;
mod gather;
pub mod handlers;
mod model;
mod repair;
mod service;

pub use self::model::{Format, StatisticsError, TableRows};
pub use self::service::{Statistics, check_free, facts_folder};
