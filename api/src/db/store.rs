//! The store of a process: a pool of connections for reading, and one writer.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use diesel::connection::SimpleConnection;
use diesel::prelude::*;
use diesel::r2d2::PooledConnection;
use diesel::sql_types::BigInt;
use jiff::Timestamp;
use records::SecretKey;
use uuid::Uuid;

use crate::db::changes::Changes;
use crate::db::clock::{Clock, ClockCheck};
use crate::db::connection::{self, AnyConnection, Connections, Manager};
use crate::db::error::{ClockError, StoreError};
use crate::db::opened::OpenedFile;
use crate::db::probe::{DiskFailure, Probe};
use crate::db::schema::probe;
use crate::db::url::DatabaseUrl;
use crate::db::wake::Wake;
use crate::db::writer::Writer;

/// The free bytes that the disk of the database file must have.
/// SQLite's log alone grows to 4 MB before it is emptied.
const LEAST_FREE: u64 = 16 << 20;

/// The store: a pool for reading and one writer.
#[derive(Debug)]
pub struct Store {
    /// `None` if the store was opened only for reading.
    writer: Option<Writer>,
    clock: Arc<ClockCheck>,
    connections: Connections,
    manager: Manager,
    committed: Wake,
    /// The id under which other nodes know this store.
    node: String,
    /// The key that signs the logs of leagues in the transactions that write to them.
    key: RwLock<Option<Arc<SecretKey>>>,
    /// The last write that failed because of the disk.
    disk_failure: Mutex<Option<DiskFailure>>,
    /// Whether this node makes scheduled backups.
    makes_backups: AtomicBool,
}

impl Store {
    /// Opens the database and brings its schema up to date.
    pub fn open(url: &DatabaseUrl) -> Result<Store, StoreError> {
        Store::open_with(url, Clock::default())
    }

    /// Opens the database like [`Store::open`], with the clock of this node.
    pub(crate) fn open_with(url: &DatabaseUrl, clock: Clock) -> Result<Store, StoreError> {
        let manager = Manager::new(url)?;
        let connections = manager.clone().pool()?;
        connection::migrate(&mut *connections.get()?)?;
        let committed = Wake::default();
        clock.on_set(committed.clone());
        let clock = Arc::new(ClockCheck::new(clock));
        let writer = Writer::start(manager.clone(), clock.clone(), committed.clone())?;
        Ok(Store {
            writer: Some(writer),
            clock,
            connections,
            manager,
            committed,
            node: Uuid::now_v7().to_string(),
            key: RwLock::default(),
            disk_failure: Mutex::default(),
            makes_backups: AtomicBool::new(false),
        })
    }

    /// Opens the database only for reading. Nothing in it is changed, not even the schema.
    pub(crate) fn open_for_reading(url: &DatabaseUrl) -> Result<Store, StoreError> {
        let manager = Manager::for_reading(url)?;
        let connections = manager.clone().pool()?;
        connection::check_schema(&mut *connections.get()?)?;
        Ok(Store {
            writer: None,
            clock: Arc::new(ClockCheck::new(Clock::default())),
            connections,
            manager,
            committed: Wake::default(),
            node: Uuid::now_v7().to_string(),
            key: RwLock::default(),
            disk_failure: Mutex::default(),
            makes_backups: AtomicBool::new(false),
        })
    }

    /// Runs `work` in a transaction of the one writer and returns when the result is on disk.
    /// The writer commits all waiting writes in one transaction.
    pub(crate) fn write<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut AnyConnection) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let writer = self.writer.as_ref().ok_or(StoreError::ReadOnly)?;
        writer.write(work).map_err(|error| {
            if let Some(failure) = DiskFailure::from_error(&error) {
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

    /// Like [`Store::write`], without waiting. A failure is logged.
    pub(crate) fn write_later(
        &self,
        work: impl FnOnce(&mut AnyConnection) -> Result<(), StoreError> + Send + 'static,
    ) {
        if let Some(writer) = &self.writer {
            writer.write_later(work);
        }
    }

    /// Sets the key that signs the logs of leagues.
    pub(crate) fn sign_with(&self, key: Arc<SecretKey>) {
        *self.key.write().unwrap_or_else(PoisonError::into_inner) = Some(key);
    }

    /// Registers a function that is called after each commit of this store and when the clock is set.
    /// It must not block. Only the first registration counts.
    pub(crate) fn on_commit(&self, call: impl Fn() + Send + Sync + 'static) {
        self.committed.set(call);
    }

    pub(crate) fn signing_key(&self) -> Option<Arc<SecretKey>> {
        // The key is replaced as a whole, so a panic elsewhere cannot leave half of one.
        let key = self.key.read().unwrap_or_else(PoisonError::into_inner);
        key.clone()
    }

    /// Returns the UUID under which other nodes know this store, the owner of its leases.
    pub(crate) fn node(&self) -> &str {
        &self.node
    }

    /// Lets this node take the work of scheduled backups.
    pub(crate) fn take_backups(&self) {
        self.makes_backups.store(true, Ordering::Relaxed);
    }

    /// Returns true if this node takes the work of scheduled backups.
    pub(crate) fn makes_backups(&self) -> bool {
        self.makes_backups.load(Ordering::Relaxed)
    }

    /// Returns true if the database file was deleted or replaced.
    pub(crate) fn is_gone(&self) -> bool {
        self.manager.is_gone()
    }

    /// Moves the write-ahead log into the SQLite file, so that a copy of the file alone is complete.
    ///
    /// # Errors
    /// Also if others read or write for two seconds. The log stays then.
    pub(crate) fn empty_log(&self) -> Result<(), StoreError> {
        #[derive(QueryableByName)]
        struct Outcome {
            #[diesel(sql_type = BigInt)]
            busy: i64,
        }
        if !self.manager.opened_file().is_some_and(OpenedFile::owns_log) {
            return Ok(());
        }
        let connection = &mut *self.connection()?;
        connection.batch_execute("PRAGMA busy_timeout = 2000")?;
        let outcome = diesel::sql_query("PRAGMA wal_checkpoint(TRUNCATE)");
        match outcome.get_result(connection)? {
            Outcome { busy: 0 } => Ok(()),
            _ => Err(StoreError::Unavailable("others use it".to_owned())),
        }
    }

    /// Returns the time of this node's clock, in microseconds since 1970.
    pub fn now(&self) -> i64 {
        self.clock.now()
    }

    /// Returns the clock error found by the last comparison with the database.
    /// Clocks are compared before each commit and when a [`Probe`] reads.
    pub(crate) fn clock_fault(&self) -> Option<ClockError> {
        self.clock.fault()
    }

    /// Returns what the last heartbeat found suspicious about the clocks of the nodes.
    pub(crate) fn clock_warning(&self) -> Option<String> {
        self.clock.warning()
    }

    /// Records what a heartbeat found, and returns what the one before found.
    pub(crate) fn note_clock_warning(&self, warning: Option<String>) -> Option<String> {
        self.clock.note_warning(warning)
    }

    /// Compares the clock of this node with the database's.
    /// A SQLite file has no clock, so the time of the last change of a game is used, unless `trusted` is true.
    ///
    /// # Errors
    /// [`StoreError::Clock`] if the clocks differ too much, or the error of the database.
    pub(crate) fn check_clock(&self, trusted: bool) -> Result<(), StoreError> {
        let connection = &mut *self.connection()?;
        if !trusted {
            self.clock.read_last_write(connection)?;
        }
        let looked = self.clock.look(connection);
        match self.clock_fault() {
            Some(fault) => Err(fault.into()),
            None => Ok(looked?),
        }
    }

    /// Creates a probe with a connection of its own.
    pub(crate) fn probe(&self) -> Probe {
        Probe::new(self.manager.clone(), self.clock.clone())
    }

    /// Writes a row without meaning to test the writer, and checks the free space of the disk.
    pub(crate) fn try_writing(&self) -> Result<(), StoreError> {
        self.write(|connection| {
            diesel::update(probe::table.find(1))
                .set(probe::at.eq(Timestamp::now().as_microsecond()))
                .execute(connection)?;
            Ok(())
        })?;
        let last = self.disk_failure.lock();
        let last = last.unwrap_or_else(PoisonError::into_inner);
        if let Some(detail) = last.as_ref().and_then(DiskFailure::recent) {
            return Err(StoreError::Unavailable(detail));
        }
        match self.free_space() {
            Some(free) if free < LEAST_FREE => Err(StoreError::Unavailable(format!(
                "the disk of the database file is almost full: {free} bytes are free, {LEAST_FREE} are needed; free some space"
            ))),
            _ => Ok(()),
        }
    }

    /// Returns the free bytes on the disk of the database file, or `None` for PostgreSQL.
    pub(crate) fn free_space(&self) -> Option<u64> {
        self.manager.opened_file()?.free_space()
    }

    /// Returns true unless the thread that writes has ended.
    pub(crate) fn has_writer(&self) -> bool {
        self.writer.as_ref().is_some_and(Writer::is_running)
    }

    /// Starts to watch for writes of other processes.
    pub fn changes(&self) -> Changes {
        Changes::new(self.manager.clone())
    }

    pub(crate) fn connection(&self) -> Result<PooledConnection<Manager>, StoreError> {
        Ok(self.connections.get()?)
    }
}

/// Brings the schema of a database up to date and returns the versions of the applied migrations.
pub fn migrate(url: &DatabaseUrl) -> Result<Vec<String>, StoreError> {
    let connections = Manager::new(url)?.pool()?;
    let versions = connection::migrate(&mut *connections.get()?)?;
    Ok(versions)
}
