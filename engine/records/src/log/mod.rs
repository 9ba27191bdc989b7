//! The event log of a game: one row for each thing that happened, chained by hashes.
//!
//! A log is rows ([`EventRow`]). What a row says is its [`Entry`], which has one text. What a log
//! says is what its [`Fold`] comes to, row by row: the position, who plays, which actions count, and
//! how the game ended. The fold refuses a row that does not follow from those before it, so that a
//! log proves its result. The chain of hashes shows that rows were altered unless somebody makes all
//! hashes anew; then only what the fold refuses shows, and a signature.

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
