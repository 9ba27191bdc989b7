//! Whether the database answers and can be written.

use std::sync::Arc;

use diesel::prelude::*;
use diesel::r2d2::ManageConnection;
use jiff::Timestamp;

use super::clock::ClockCheck;
use super::connection::{AnyConnection, Manager};
use super::schema::{log_end, probe};
use super::{Store, StoreError};

/// A connection of its own that is read by, whatever the pool is busy with.
pub struct Probe {
    manager: Manager,
    clock: Arc<ClockCheck>,
    connection: Option<AnyConnection>,
}

impl Probe {
    /// Reads a row, and compares the clocks: see [`Store::clock_fault`].
    ///
    /// # Errors
    /// When the database cannot be reached or read. The next time it is opened anew.
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

    /// Writes a row that means nothing, as everything is written.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub fn try_writing(&self) -> Result<(), StoreError> {
        self.write(|connection| {
            diesel::update(probe::table.find(1))
                .set(probe::at.eq(Timestamp::now().as_microsecond()))
                .execute(connection)?;
            Ok(())
        })
    }
}
