//! What can go wrong with the database.

use crate::db::url::DatabaseUrlError;

/// Why the store did not do what was asked.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// A URL that names no database.
    #[error(transparent)]
    Url(#[from] DatabaseUrlError),
    /// A file that is not there.
    #[error("there is no database {0}")]
    Missing(String),
    /// No connection could be had.
    #[error("no connection to the database: {0}")]
    Pool(#[from] diesel::r2d2::PoolError),
    /// The schema could not be brought up to date.
    #[error("cannot migrate the database: {0}")]
    Migration(String),
    /// Somebody else was first: the game has gone on, or the idempotency key is taken.
    #[error("somebody else was first")]
    Conflict,
    /// A query failed.
    #[error(transparent)]
    Query(#[from] diesel::result::Error),
    /// A text that is no cursor of a list.
    #[error("it is no cursor of a list")]
    Cursor,
    /// So many names begin with what is searched that they are not looked through.
    #[error("more than {0} names begin so; give more of the name")]
    ManyNames(usize),
    /// What is stored cannot be read.
    #[error("game {id} is damaged: {message}")]
    Damaged {
        /// The game's id, as it is stored.
        id: String,
        /// What is wrong.
        message: String,
    },
    /// The schema is older than the program, which was asked to read only.
    #[error(
        "the database has an older schema or none: bring it up to date with `tabularium migrate`"
    )]
    Schema,
    /// The schema is that of a version before the first release.
    #[error(
        "the database was made by a version of this program before 0.1 (migration {0}), which this version does not \
         read: `tabularium export` of that version writes its games to a file, and `tabularium import` of this version \
         reads the file into a new database"
    )]
    Older(String),
    /// The schema is newer than the program.
    #[error(
        "the database has the schema of a newer version of this program (migration {0}), which this version cannot \
         read safely: run that version or a later one, or go back to a backup from before the upgrade"
    )]
    Newer(String),
    /// The store was opened for reading.
    #[error("the database was opened for reading")]
    ReadOnly,
    /// The file was deleted or replaced while it was open.
    #[error("the database file was deleted or replaced; nothing is written to it any more")]
    Gone,
    /// The clock of this node is wrong.
    #[error(transparent)]
    Clock(#[from] ClockError),
    /// The store is not there for now.
    #[error("the database is unavailable: {0}")]
    Unavailable(String),
}

/// A clock that is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ClockError {
    /// It is ahead of the database's.
    #[error(
        "the clock of this node is {0} seconds ahead of the database's; at most 5 are accepted: set both by NTP"
    )]
    Ahead(i64),
    /// It is behind the database's.
    #[error(
        "the clock of this node is {0} seconds behind the database's; at most 5 are accepted: set both by NTP"
    )]
    Behind(i64),
    /// It is behind the times that were written to a file.
    #[error(
        "the clock of this machine is {0} seconds behind the last write to the database; at most 5 are accepted: set \
         it right, or, if it is right and was wrong then, start the service with --trust-clock"
    )]
    BehindFile(i64),
}
