//! Facts on disk, in parts.
//!
//! - Parts are never altered. Their files are on disk before `manifest.json` lists them, and the manifest is replaced
//!   as a whole, so a process may end at any moment. The next writer removes files that no manifest lists.
//! - One process writes to a folder, which it locks; others may read. A reader that misses a part reads the manifest
//!   again.
//! - The manifest has a checksum of each file, compared when a process first reads the file or finds it changed.
//! - [`FORM`] counts up with every change of what rows say. The program refuses facts of another form.
//! - Each game has a position in its log (`log_position`) and the time when it was recorded (`recorded_at`). `as_of`
//!   is a filter on them, so it gives the same table for ever: a game that comes later has a later position. A
//!   finished game takes no event any more, and a folder refuses another record of a game that it has. The manifest
//!   and a dataset have the time up to which nothing is missing (`whole_until`); a later `as_of` is refused.

mod error;
pub mod ingest;
pub(crate) mod manifest;
mod part;
pub(crate) mod store;
pub(crate) mod writer;

pub use error::StoreError;
pub use manifest::{Manifest, Reached, ReachedLeagues};
pub(crate) use part::Passing;
pub use part::{FORM, Part};
pub use store::{Known, Store};
pub use writer::FactsWriter;
