//! Facts on disk, in parts.
//!
//! - Parts never change. Their files are on disk before `manifest.json` lists them, and the manifest is replaced
//!   atomically, so a process can stop at any time. The next writer removes files that the manifest does not list.
//! - One process writes to a folder, which it locks; others can read. A reader that does not find a part reads the
//!   manifest again.
//! - The manifest has a checksum of each file, compared when a process first reads the file or finds it changed.
//! - [`FORM`] increases with each change of the meaning of rows. The program refuses facts with another value.
//! - Each game has an offset in its log (`log_position`) and the time when it was recorded (`recorded_at`). `as_of`
//!   is a filter on them, so its table is permanent: a game that is recorded later has a later offset. A finished
//!   game has no further events, and a folder refuses another record of a game that it contains. The manifest and a
//!   dataset have the time up to which they are complete (`complete_until`); a later `as_of` is refused.

mod compare;
mod error;
pub mod ingest;
pub(crate) mod manifest;
mod part;
pub(crate) mod store;
pub(crate) mod writer;

pub use error::FactsStoreError;
pub use manifest::{FactsManifest, LeagueLogCursor, LogCursor};
pub(crate) use part::FilterMatch;
pub use part::{FORM, Part};
pub use store::{FactsStore, StoredKeys};
pub use writer::FactsWriter;
