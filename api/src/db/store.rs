//! The store of a process: a pool of connections for reading, and one writer.

use std::sync::{Arc, Mutex, PoisonError, RwLock};

use diesel::prelude::*;
use diesel::r2d2::PooledConnection;
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

/// How many bytes must be free where the database file is: SQLite's log alone grows by 4 MB before it is emptied.
const LEAST_FREE: u64 = 16 << 20;

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
    pub(crate) fn open_with(url: &DatabaseUrl, clock: Clock) -> Result<Store, StoreError> {
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
    pub(crate) fn open_for_reading(url: &DatabaseUrl) -> Result<Store, StoreError> {
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
    pub(crate) fn sign_with(&self, key: Arc<SecretKey>) {
        *self.key.write().unwrap_or_else(PoisonError::into_inner) = Some(key);
    }

    /// Has something called after each commit here, and when the clock is set. It must not wait; only the first call
    /// counts.
    pub(crate) fn when_written(&self, call: impl Fn() + Send + Sync + 'static) {
        self.committed.set(call);
    }

    pub(crate) fn signing_key(&self) -> Option<Arc<SecretKey>> {
        // It is replaced as a whole, so a panic elsewhere cannot leave half of one.
        let key = self.key.read().unwrap_or_else(PoisonError::into_inner);
        key.clone()
    }

    /// By what this opening of the store is known to others: a UUID, as owner of work.
    pub(crate) fn node(&self) -> &str {
        &self.node
    }

    /// Whether the file that is written to was deleted or replaced.
    pub(crate) fn is_gone(&self) -> bool {
        self.file.as_ref().is_some_and(|file| file.is_gone())
    }

    /// The time of the clock of this node, in microseconds since 1970.
    pub fn now(&self) -> i64 {
        self.clock.now()
    }

    /// What was wrong with the clock of this node when it was last compared with the database's: before each commit,
    /// and when a [`Probe`] reads.
    pub(crate) fn clock_fault(&self) -> Option<ClockError> {
        self.clock.fault()
    }

    /// Compares the clock of this node with the database's; a file has none, so with the time of the last change of
    /// a game, unless that is not to be trusted.
    ///
    /// # Errors
    /// [`StoreError::Clock`] when they differ; when the database fails.
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

    /// A probe that has not been used.
    pub(crate) fn probe(&self) -> Probe {
        Probe::new(self.manager.clone(), self.clock.clone())
    }

    /// Writes a row that means nothing, as everything is written, and looks whether there is room for more.
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
        match self.file.as_ref().and_then(|file| file.free_space()) {
            Some(free) if free < LEAST_FREE => Err(StoreError::Unavailable(format!(
                "the disk of the database file is full: {free} bytes are free, {LEAST_FREE} are needed"
            ))),
            _ => Ok(()),
        }
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
