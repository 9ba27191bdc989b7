//! Storage: the only place that knows SQL. The same queries run on SQLite and PostgreSQL.

mod changes;
mod connection;
mod office;
mod read;
mod rows;
mod schema;
mod writer;

use diesel::r2d2::PooledConnection;

pub use changes::Changes;
pub use connection::{Connections, Manager};
pub use office::{CheckpointRow, KeyRow, LogHead};
pub use read::GameFilter;
pub use rows::{Append, GameRow, IdempotencyRow, SeatRow, StoredEvent};

use writer::Writer;

/// Why the store did not do what was asked.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// A database URL of a kind that is not known.
    #[error("{0:?} is neither sqlite:FILE nor postgres://…")]
    Url(String),
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
    /// The store is not there for now.
    #[error("the database is unavailable: {0}")]
    Unavailable(String),
}

/// The store: a pool for reading and one writer.
#[derive(Debug)]
pub struct Store {
    // Dropped first, so that what was handed in is written while the pool is there.
    writer: Writer,
    connections: Connections,
    manager: Manager,
}

impl Store {
    /// Opens the database and brings its schema up to date.
    ///
    /// # Errors
    /// When the URL is of an unknown kind, or the database cannot be opened or migrated.
    pub fn open(url: &str) -> Result<Store, StoreError> {
        let manager = Manager::new(url)?;
        let connections = manager.clone().pool()?;
        connection::migrate(&mut *connections.get()?)?;
        let writer = Writer::start(connections.clone())?;
        Ok(Store {
            writer,
            connections,
            manager,
        })
    }

    /// Writes a new game or a step of one and returns the position of its first event in the log
    /// of all games. When it returns, what was written is on disk.
    ///
    /// # Errors
    /// [`StoreError::Conflict`] when somebody else was first; other errors when the database
    /// fails. Nothing is written then.
    pub fn append(&self, append: Append) -> Result<i64, StoreError> {
        self.writer.append(append)
    }

    /// Begins to wait for what other processes append.
    pub fn changes(&self) -> Changes {
        Changes::new(self.manager.clone())
    }

    fn connection(&self) -> Result<PooledConnection<Manager>, StoreError> {
        Ok(self.connections.get()?)
    }
}

/// Brings the schema of a database up to date and returns the migrations that were run.
///
/// # Errors
/// When the database cannot be opened or migrated.
pub fn migrate(url: &str) -> Result<Vec<String>, StoreError> {
    let connections = Manager::new(url)?.pool()?;
    let versions = connection::migrate(&mut *connections.get()?)?;
    Ok(versions)
}
