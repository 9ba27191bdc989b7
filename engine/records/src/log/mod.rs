//! The event log of a game: one row for each event, chained by hashes.
//!
//! A log is a list of rows ([`EventRow`]); row 0 is the setup. The meaning of a row is its [`Entry`], which has
//! exactly one text. A [`Fold`] applies the rows in order and has their outcome: the position, the players, which
//! actions count, and the result. It rejects a row that does not follow from the rows before it, so a log proves
//! its result. The service, imports and [`crate::Record::verify`] all read logs through the fold.
//!
//! The hash chain reveals an altered row, unless all later hashes were computed again. Then only the fold or a
//! signature reveals it.
//!
//! Time follows from the log: [`SeatClocks`] computes the time that each seat has left from the times of the rows
//! alone. The fold rejects a time-out that did not happen, or whose consequence does not follow.
//!
//! A fold keeps the rows that count and a few states, not one for each row. Clones share them, so a clone is cheap
//! and can continue with later rows.

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
