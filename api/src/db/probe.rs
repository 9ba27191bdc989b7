//! Whether the database answers and can be written.

use std::sync::Arc;
use std::time::{Duration, Instant};

use diesel::prelude::*;
use diesel::r2d2::ManageConnection;
use jiff::Timestamp;

use crate::db::clock::ClockCheck;
use crate::db::connection::{AnyConnection, Manager};
use crate::db::schema::{log_end, probe};
use crate::db::{Store, StoreError};

/// How many bytes must be free where the database file is: SQLite's log alone grows by 4 MB before it is emptied.
const LEAST_FREE: u64 = 16 << 20;

/// For how long a write counts that failed for the disk. Where a disk is almost full, small writes go on to succeed.
const FAILURE_COUNTS: Duration = Duration::from_secs(10);

/// What databases say when a disk is full or fails.
const DISK_FAILS: [&str; 3] = ["disk is full", "disk I/O error", "No space left on device"];

/// A write that failed for the disk.
#[derive(Clone, Debug)]
pub(crate) struct DiskFailure {
    at: Instant,
    message: String,
}

impl DiskFailure {
    /// A failure now, if the error is one of the disk.
    pub(crate) fn of(error: &StoreError) -> Option<DiskFailure> {
        if !matches!(error, StoreError::Query(_) | StoreError::Unavailable(_)) {
            return None;
        }
        let message = error.to_string();
        let is_disk = DISK_FAILS.iter().any(|words| message.contains(words));
        is_disk.then(|| DiskFailure {
            at: Instant::now(),
            message,
        })
    }
}

/// A connection of its own that is read by, whatever the pool is busy with.
pub struct Probe {
    manager: Manager,
    clock: Arc<ClockCheck>,
    connection: Option<AnyConnection>,
}

impl Probe {
    /// Reads a row, and compares the clocks: see [`Store::clock_fault`].
    pub fn read(&mut self) -> Result<(), StoreError> {
        let mut connection = match self.connection.take() {
            Some(connection) => connection,
            None => (self.manager.connect())
                .map_err(|error| StoreError::Unavailable(error.to_string()))?,
        };
        let end = log_end::table.find(1).select(log_end::position);
        end.first::<i64>(&mut connection)?;
        // A wrong clock is no fault of the database.
        let _ = self.clock.look(&mut connection);
        self.connection = Some(connection);
        Ok(())
    }
}

impl Store {
    /// A probe that has not been used.
    pub fn probe(&self) -> Probe {
        Probe {
            manager: self.manager.clone(),
            clock: self.clock.clone(),
            connection: None,
        }
    }

    /// Writes a row that means nothing, as everything is written, and looks whether there is room for more.
    pub fn try_writing(&self) -> Result<(), StoreError> {
        self.write(|connection| {
            diesel::update(probe::table.find(1))
                .set(probe::at.eq(Timestamp::now().as_microsecond()))
                .execute(connection)?;
            Ok(())
        })?;
        let failure = self.disk_failure();
        if let Some(failure) = failure.filter(|failure| failure.at.elapsed() < FAILURE_COUNTS) {
            let ago = failure.at.elapsed().as_secs();
            let detail = format!("a write failed {ago} seconds ago: {}", failure.message);
            return Err(StoreError::Unavailable(detail));
        }
        match self.file.as_ref().and_then(|file| file.free_space()) {
            Some(free) if free < LEAST_FREE => Err(StoreError::Unavailable(format!(
                "the disk of the database file is full: {free} bytes are free, {LEAST_FREE} are needed"
            ))),
            _ => Ok(()),
        }
    }
}
