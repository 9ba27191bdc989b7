//! Checks whether the database answers and can be written.

use std::sync::Arc;
use std::time::{Duration, Instant};

use diesel::prelude::*;
use diesel::r2d2::ManageConnection;

use crate::db::StoreError;
use crate::db::clock::ClockCheck;
use crate::db::connection::{AnyConnection, Manager};
use crate::db::schema::log_end;

/// How long a write that failed because of the disk is reported.
/// On an almost full disk, small writes continue to succeed.
const FAILURE_COUNTS: Duration = Duration::from_secs(10);

/// Texts in the databases' errors when a disk is full or fails.
const DISK_FAILS: [&str; 3] = ["disk is full", "disk I/O error", "No space left on device"];

/// A write that failed because of the disk.
#[derive(Debug)]
pub(crate) struct DiskFailure {
    at: Instant,
    message: String,
}

impl DiskFailure {
    /// Returns a failure at the present time if the disk caused the error.
    pub(crate) fn from_error(error: &StoreError) -> Option<DiskFailure> {
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

    /// Returns a message while the failure is recent.
    pub(crate) fn recent(&self) -> Option<String> {
        let age = self.at.elapsed();
        let text = || {
            let seconds = age.as_secs();
            format!("a write failed {seconds} seconds ago: {}", self.message)
        };
        (age < FAILURE_COUNTS).then(text)
    }
}

/// Reads through its own connection, so that a busy pool does not matter.
pub struct Probe {
    manager: Manager,
    clock: Arc<ClockCheck>,
    connection: Option<AnyConnection>,
}

impl Probe {
    /// Creates a probe that connects at its first read.
    pub(crate) fn new(manager: Manager, clock: Arc<ClockCheck>) -> Probe {
        Probe {
            manager,
            clock,
            connection: None,
        }
    }

    /// Reads a row and compares the clocks. See [`Store::clock_fault`](crate::db::Store::clock_fault).
    pub fn read(&mut self) -> Result<(), StoreError> {
        let mut connection = match self.connection.take() {
            Some(connection) => connection,
            None => (self.manager.connect())
                .map_err(|error| StoreError::Unavailable(error.to_string()))?,
        };
        let end = log_end::table.find(1).select(log_end::position);
        end.first::<i64>(&mut connection)?;
        // A wrong clock is not a failure of the database.
        let _ = self.clock.look(&mut connection);
        self.connection = Some(connection);
        Ok(())
    }
}
