//! Compares the clock of this node with the database's.
//! Rows contain times, and deadlines follow from them.

use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use diesel::pg::data_types::PgTimestamp;
use diesel::prelude::*;
use jiff::{SignedDuration, Timestamp};

use crate::db::connection::AnyConnection;
use crate::db::error::ClockError;
use crate::db::schema::{games, log_end};
use crate::db::wake::Wake;

/// The largest accepted difference of the clocks, in microseconds.
pub(crate) const TOLERANCE: i64 = 5_000_000;

/// The epoch of PostgreSQL's timestamps, in microseconds since 1970.
const EPOCH: i64 = 946_684_800_000_000;

diesel::define_sql_function! {
    /// PostgreSQL's clock, also within a transaction.
    fn clock_timestamp() -> Timestamptz;
}

/// The clock of a node. Tests can set it ahead.
#[derive(Clone, Debug, Default)]
pub struct Clock {
    /// How many microseconds it is ahead of the system's clock.
    ahead: Arc<AtomicI64>,
    /// Called when the clock is set, because threads sleep until a time of it.
    set: Arc<Mutex<Vec<Wake>>>,
}

impl Clock {
    /// Sets the clock ahead of the system's.
    pub fn set_ahead(&self, by: SignedDuration) {
        let micros = i64::try_from(by.as_micros()).unwrap_or(i64::MAX);
        self.ahead.store(micros, Ordering::Relaxed);
        let set = self.set.lock().unwrap_or_else(PoisonError::into_inner);
        set.iter().for_each(Wake::call);
    }

    /// Registers a call for whenever the clock is set.
    pub(crate) fn on_set(&self, wake: Wake) {
        (self.set.lock().unwrap_or_else(PoisonError::into_inner)).push(wake);
    }

    /// Returns the time in microseconds since 1970.
    pub fn now(&self) -> i64 {
        Timestamp::now().as_microsecond() + self.ahead.load(Ordering::Relaxed)
    }
}

/// Compares the clock of the node with the database's.
#[derive(Debug)]
pub struct ClockCheck {
    clock: Clock,
    /// When a SQLite file was last written, in microseconds since 1970, because a file has no clock.
    last_write: AtomicI64,
    /// The result of the last comparison.
    fault: Mutex<Option<ClockError>>,
    /// What is suspicious about the clocks of the nodes.
    warning: Mutex<Option<String>>,
}

impl ClockCheck {
    pub(crate) fn new(clock: Clock) -> ClockCheck {
        ClockCheck {
            clock,
            last_write: AtomicI64::new(i64::MIN),
            fault: Mutex::default(),
            warning: Mutex::default(),
        }
    }

    /// Returns the time of the node's clock, in microseconds since 1970.
    pub(crate) fn now(&self) -> i64 {
        self.clock.now()
    }

    /// Returns the result of the last comparison.
    pub(crate) fn fault(&self) -> Option<ClockError> {
        *self.fault.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns what the last heartbeat found suspicious about the clocks of the nodes.
    pub(crate) fn warning(&self) -> Option<String> {
        let warning = self.warning.lock();
        warning.unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Records what a heartbeat found, and returns what the one before found.
    pub(crate) fn note_warning(&self, warning: Option<String>) -> Option<String> {
        let mut last = self.warning.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::replace(&mut *last, warning)
    }

    /// Locks the end of the log for a writer and compares the clocks, in one query.
    pub(crate) fn lock(&self, postgres: &mut PgConnection) -> QueryResult<()> {
        let end = log_end::table
            .find(1)
            .select(clock_timestamp())
            .for_update();
        self.compare(|| end.first(postgres))
    }

    /// Compares the clocks.
    pub(crate) fn look(&self, connection: &mut AnyConnection) -> QueryResult<()> {
        match connection {
            AnyConnection::Sqlite(_) => self.compare_file(),
            AnyConnection::Postgres(postgres) => {
                self.compare(|| diesel::select(clock_timestamp()).first(postgres))
            }
        }
    }

    fn compare(&self, ask: impl FnOnce() -> QueryResult<PgTimestamp>) -> QueryResult<()> {
        let before = self.clock.now();
        let PgTimestamp(database) = ask()?;
        let after = self.clock.now();
        // The database read its clock at some moment in between.
        self.note(fault(before, database.saturating_add(EPOCH), after))
    }

    /// Compares the clock with the time of the last write to a SQLite file.
    pub(crate) fn compare_file(&self) -> QueryResult<()> {
        let behind = self
            .last_write
            .load(Ordering::Relaxed)
            .saturating_sub(self.clock.now());
        self.note((behind > TOLERANCE).then_some(ClockError::BehindFile(behind / 1_000_000)))
    }

    /// Reads when a SQLite file was last written: the time of the last change of a game.
    pub(crate) fn read_last_write(&self, connection: &mut AnyConnection) -> QueryResult<()> {
        let AnyConnection::Sqlite(sqlite) = connection else {
            return Ok(());
        };
        let last: Option<(Option<i64>, i64)> = games::table
            .order(games::version.desc())
            .select((games::recorded_at, games::updated_at))
            .first(sqlite)
            .optional()?;
        // `updated_at` of an imported game is when it was played, so `recorded_at` comes first.
        let last = last.map(|(recorded, updated)| recorded.unwrap_or(updated));
        self.last_write
            .store(last.unwrap_or(i64::MIN), Ordering::Relaxed);
        Ok(())
    }

    /// Records that a SQLite file was written.
    pub(crate) fn note_write(&self) {
        self.last_write.store(self.clock.now(), Ordering::Relaxed);
    }

    fn note(&self, fault: Option<ClockError>) -> QueryResult<()> {
        *self.fault.lock().unwrap_or_else(PoisonError::into_inner) = fault;
        match fault {
            Some(_) => Err(diesel::result::Error::RollbackTransaction),
            None => Ok(()),
        }
    }
}

/// Returns the clock error of a node whose clock read `before` and `after` around the `database` time.
fn fault(before: i64, database: i64, after: i64) -> Option<ClockError> {
    let (ahead, behind) = (
        before.saturating_sub(database),
        database.saturating_sub(after),
    );
    match (ahead > TOLERANCE, behind > TOLERANCE) {
        (true, _) => Some(ClockError::Ahead(ahead / 1_000_000)),
        (_, true) => Some(ClockError::Behind(behind / 1_000_000)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slow_query_is_not_a_clock_error() {
        let second = 1_000_000;
        let clock_error = |database: i64| fault(100 * second, database * second, 160 * second);
        for database in [95, 100, 130, 165] {
            assert_eq!(clock_error(database), None);
        }
        assert_eq!(clock_error(94), Some(ClockError::Ahead(6)));
        assert_eq!(clock_error(166), Some(ClockError::Behind(6)));
    }
}
