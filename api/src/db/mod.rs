//! Storage that all features share. The same queries run on SQLite and PostgreSQL.
//!
//! - One thread does every write (`writer.rs`): it commits what waits in one transaction. `Store::write` returns when
//!   the write is on disk.
//! - The writer checks the SQLite file before and after each commit. If the file was deleted or replaced, nothing is
//!   acknowledged and the process ends.
//! - Nothing is written while the clock of this node differs from the database's by more than 5 seconds (`clock.rs`).
//!   On PostgreSQL the query that locks the end of the log also returns the time, so this costs no round trip.
//! - An idle service sleeps and writes nothing. Each commit here wakes its threads; `changes.rs` wakes them for
//!   commits elsewhere: by LISTEN/NOTIFY on PostgreSQL, by `PRAGMA data_version` once a second on SQLite. A thread
//!   that waits for a time reads the next one from the database and sleeps until then.
//! - No message shows a password ([`url`]). A URL is refused if the client library could take a piece of the password
//!   for something else. What the program ends with goes through [`url::without_passwords`].
//! - There is one migration until the first release. From then on a migration adds only what nodes of the version
//!   before can run beside. Programs that only read never migrate. Every program refuses a schema that it does not
//!   know.

pub mod answers;
pub mod backfill;
pub mod backup;
pub mod changes;
pub mod clock;
pub mod connection;
pub mod jobs;
pub mod opened;
pub mod probe;
pub mod projections;
pub mod schema;
pub mod time;
pub mod url;
pub mod versions;
pub mod work;
pub mod writer;

use std::sync::{Arc, Mutex, PoisonError, RwLock};

use diesel::r2d2::PooledConnection;
use records::SecretKey;
use uuid::Uuid;

use crate::db::changes::Changes;
use crate::db::clock::{Clock, ClockCheck, ClockError};
use crate::db::connection::{AnyConnection, Connections, Manager};
use crate::db::opened::OpenedFile;
use crate::db::probe::DiskFailure;
use crate::db::url::{DatabaseUrl, DatabaseUrlError};
use crate::db::writer::{Wake, Writer};

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

/// The store: a pool for reading and one writer.
#[derive(Debug)]
pub struct Store {
    /// Nobody where the store is only read.
    writer: Option<Writer>,
    /// The file that is written to, if it is one.
    file: Option<Arc<OpenedFile>>,
    clock: Arc<ClockCheck>,
    connections: Connections,
    manager: Manager,
    committed: Wake,
    /// By what this opening of the store is known to others that have opened it.
    node: String,
    /// Signs the logs of leagues in the transactions that write to them.
    key: RwLock<Option<Arc<SecretKey>>>,
    /// The last write that failed for the disk.
    disk_failure: Mutex<Option<DiskFailure>>,
}

impl Store {
    /// Opens the database and brings its schema up to date.
    pub fn open(url: &DatabaseUrl) -> Result<Store, StoreError> {
        Store::open_with(url, Clock::default())
    }

    /// As [`Store::open`], with the clock of this node.
    ///
    /// # Errors
    /// As [`Store::open`].
    pub fn open_with(url: &DatabaseUrl, clock: Clock) -> Result<Store, StoreError> {
        let manager = Manager::new(url)?;
        let connections = manager.clone().pool()?;
        connection::migrate(&mut *connections.get()?)?;
        let file = manager.file().and_then(OpenedFile::new).map(Arc::new);
        let committed = Wake::default();
        clock.when_set(committed.clone());
        let clock = Arc::new(ClockCheck::new(clock));
        let writer = Writer::start(
            manager.clone(),
            file.clone(),
            clock.clone(),
            committed.clone(),
        )?;
        Ok(Store {
            writer: Some(writer),
            file,
            clock,
            connections,
            manager,
            committed,
            node: Uuid::now_v7().to_string(),
            key: RwLock::default(),
            disk_failure: Mutex::default(),
        })
    }

    /// Opens the database for reading: it is left as it is, its schema too.
    pub fn open_for_reading(url: &DatabaseUrl) -> Result<Store, StoreError> {
        let manager = Manager::for_reading(url)?;
        let connections = manager.clone().pool()?;
        connection::check_schema(&mut *connections.get()?)?;
        Ok(Store {
            writer: None,
            file: None,
            clock: Arc::new(ClockCheck::new(Clock::default())),
            connections,
            manager,
            committed: Wake::default(),
            node: Uuid::now_v7().to_string(),
            key: RwLock::default(),
            disk_failure: Mutex::default(),
        })
    }

    /// Does `work` in a transaction of the one writer, which commits together what waits together. When
    /// it returns, what was written is on disk.
    pub(crate) fn write<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut AnyConnection) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let writer = self.writer.as_ref().ok_or(StoreError::ReadOnly)?;
        writer.write(work).map_err(|error| {
            if let Some(failure) = DiskFailure::of(&error) {
                let last = self.disk_failure.lock();
                *last.unwrap_or_else(PoisonError::into_inner) = Some(failure);
            }
            match (self.is_gone(), self.clock_fault()) {
                (true, _) => StoreError::Gone,
                (false, Some(fault)) => fault.into(),
                (false, None) => error,
            }
        })
    }

    /// The last write that failed for the disk.
    fn disk_failure(&self) -> Option<DiskFailure> {
        let last = self.disk_failure.lock();
        last.unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// As [`Store::write`], without waiting.
    pub(crate) fn write_later(
        &self,
        work: impl FnOnce(&mut AnyConnection) -> Result<(), StoreError> + Send + 'static,
    ) {
        if let Some(writer) = &self.writer {
            writer.write_later(work);
        }
    }

    /// Signs the logs of leagues with a key from now on.
    pub fn sign_with(&self, key: Arc<SecretKey>) {
        *self.key.write().unwrap_or_else(PoisonError::into_inner) = Some(key);
    }

    /// Has something called after each commit here, and when the clock is set. It must not wait; only the first call
    /// counts.
    pub fn when_written(&self, call: impl Fn() + Send + Sync + 'static) {
        self.committed.set(call);
    }

    pub(crate) fn signing_key(&self) -> Option<Arc<SecretKey>> {
        // It is replaced as a whole, so a panic elsewhere cannot leave half of one.
        let key = self.key.read().unwrap_or_else(PoisonError::into_inner);
        key.clone()
    }

    /// By what this opening of the store is known to others: a UUID, as owner of work.
    pub fn node(&self) -> &str {
        &self.node
    }

    /// Whether the file that is written to was deleted or replaced.
    pub fn is_gone(&self) -> bool {
        self.file.as_ref().is_some_and(|file| file.is_gone())
    }

    /// Begins to wait for what other processes append.
    pub fn changes(&self) -> Changes {
        Changes::new(self.manager.clone())
    }

    pub(crate) fn connection(&self) -> Result<PooledConnection<Manager>, StoreError> {
        Ok(self.connections.get()?)
    }
}

/// Brings the schema of a database up to date and returns the migrations that were run.
pub fn migrate(url: &DatabaseUrl) -> Result<Vec<String>, StoreError> {
    let connections = Manager::new(url)?.pool()?;
    let versions = connection::migrate(&mut *connections.get()?)?;
    Ok(versions)
}
