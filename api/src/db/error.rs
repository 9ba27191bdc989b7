//! Errors of the database.

use crate::db::url::DatabaseUrlError;

/// Why an operation of the store failed.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The URL does not name a database.
    #[error(transparent)]
    Url(#[from] DatabaseUrlError),
    /// The database file does not exist.
    #[error(
        "the database file {0:?} does not exist: check the path, or create it with `tabularium migrate`"
    )]
    Missing(String),
    /// No connection is available.
    #[error("cannot connect to the database: {0}")]
    Pool(#[from] diesel::r2d2::PoolError),
    /// The schema could not be brought up to date.
    #[error("cannot migrate the database: {0}")]
    Migration(String),
    /// Another writer was first: the game has a newer version, or the idempotency key is in use.
    #[error("another request changed the same data first: read it again and retry")]
    Conflict,
    /// A query failed.
    #[error(transparent)]
    Query(#[from] diesel::result::Error),
    /// The cursor of a list is invalid.
    #[error("the cursor is not one that this list has returned: omit it to start at the beginning")]
    Cursor,
    /// Too many names start with the searched text.
    #[error("more than {0} names start with this text: give more letters of the name")]
    ManyNames(usize),
    /// A stored game cannot be read.
    #[error("game {id} is damaged: {message}")]
    Damaged {
        /// The game's id, as stored.
        id: String,
        /// The error.
        message: String,
    },
    /// The schema is older than that of the program, which was asked only to read.
    #[error(
        "the database has an older schema or none: bring it up to date with `tabularium migrate`"
    )]
    Schema,
    /// The schema is that of a version before the first release.
    #[error(
        "the database was made by a version of this program before 0.1 (migration {0}), which this version cannot \
         read: write its games to a file with `tabularium export` of that version, then read the file into a new \
         database with `tabularium import` of this version"
    )]
    Older(String),
    /// A newer program has used the database.
    #[error(
        "the database was used by a newer version of this program, {database} (migration {migration}); this is version \
         {program}, which cannot read it safely: run that version or a later one, or restore a backup from before \
         the upgrade"
    )]
    Newer {
        /// The version of the newer program.
        database: String,
        /// The last migration of the database.
        migration: String,
        /// The version of this program.
        program: &'static str,
    },
    /// The store was opened only for reading.
    #[error("the database was opened only for reading")]
    ReadOnly,
    /// The file or its write-ahead log was deleted or replaced while it was open.
    #[error(
        "the database file or its log (-wal) was deleted or replaced, so nothing more is written to it: restart the \
         service"
    )]
    Gone,
    /// The clock of this node is wrong.
    #[error(transparent)]
    Clock(#[from] ClockError),
    /// The store cannot be used at present.
    #[error("the database is unavailable: {0}")]
    Unavailable(String),
}

/// A difference between the clock of this node and the database's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ClockError {
    /// The node's clock is ahead.
    #[error(
        "the clock of this node is {0} seconds ahead of the database's; at most 5 are accepted: set both by NTP"
    )]
    Ahead(i64),
    /// The node's clock is behind.
    #[error(
        "the clock of this node is {0} seconds behind the database's; at most 5 are accepted: set both by NTP"
    )]
    Behind(i64),
    /// The clock is behind the last write to the SQLite file.
    #[error(
        "the clock of this machine is {0} seconds behind the last write to the database; at most 5 are accepted: set \
         it right, or, if it is right and was wrong then, start the service with --trust-clock"
    )]
    BehindFile(i64),
}
