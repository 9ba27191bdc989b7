//! The event log of a game: one row for each thing that happened, chained by hashes.
//!
//! A log is rows ([`EventRow`]): row 0 is the setup. What a row says is its [`Entry`], which has one text. What the
//! rows come to is their [`Fold`]: the position, the players, which actions count, and the result. The fold refuses a
//! row that does not follow from those before it, so a log proves its result. The service reads and writes logs
//! through the fold, and so do import and [`crate::Record::verify`].
//!
//! The chain of hashes shows that a row was altered, unless all hashes are computed again; then only the fold or a
//! signature shows it.
//!
//! Time follows from the log: [`Clock`] computes the time that each seat has left from the times of the rows alone.
//! The fold refuses a time-out that was none, or whose consequence does not follow.
//!
//! A fold keeps the rows that count and a few states, not one for each row. Copies share them, so a copy is cheap and
//! a log can be read on from it.

mod clock;
mod decision;
mod entry;
mod fold;
mod row;

pub use clock::*;
pub use decision::*;
pub use entry::*;
pub use fold::*;
pub use row::*;
