//! Backups: a copy of the whole database in one file, a manifest, and optionally the signing key.
//!
//! - `FILE` is a SQLite database, or for PostgreSQL all rows of all tables (`postgres.rs`). `FILE.json` is the
//!   manifest, with the checksum of `FILE`. It is written last, so a backup without a manifest is not complete.
//!   `FILE.key` is the signing key.
//! - All files can be read by their owner only, and none is overwritten.
//! - A restored database is complete except for the facts of statistics, which are computed again, and published
//!   datasets, which are files of the operator.

mod create;
mod error;
pub(crate) mod manifest;
mod postgres;
mod restore;
pub mod schedule;
pub(crate) mod sqlite;

pub(crate) use self::create::{BackupRequest, create, file_name};
pub use self::error::BackupError;
pub(crate) use self::manifest::{BackupManifest, complete_backups, key_copy, manifest_file};
pub(crate) use self::restore::{
    check, find, import, is_empty, remove_imported, restore_key, unpack,
};
