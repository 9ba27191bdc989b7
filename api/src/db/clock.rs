//! The clock of this node compared with the database's: rows have times, and deadlines follow from them.

use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use diesel::pg::data_types::PgTimestamp;
use diesel::prelude::*;
use jiff::{SignedDuration, Timestamp};

use crate::db::connection::AnyConnection;
use crate::db::error::ClockError;
use crate::db::schema::{games, log_end};
use crate::db::wake::Wake;

/// By how many microseconds the clocks may differ.
const TOLERANCE: i64 = 5_000_000;

/// The beginning of PostgreSQL's times, in microseconds since 1970.
const EPOCH: i64 = 946_684_800_000_000;

diesel::define_sql_function! {
    /// The time of PostgreSQL's clock, also within a transaction.
    fn clock_timestamp() -> Timestamptz;
}

/// The clock of a node. Tests set it: games go by it.
#[derive(Clone, Debug, Default)]
pub struct Clock {
    /// By how many microseconds it is ahead of the system's.
    ahead: Arc<AtomicI64>,
    /// What is called when it is set, as threads sleep until a time by it.
    set: Arc<Mutex<Vec<Wake>>>,
}

impl Clock {
    /// Sets it ahead of the system's clock.
    pub fn set_ahead(&self, by: SignedDuration) {
        let micros = i64::try_from(by.as_micros()).unwrap_or(i64::MAX);
        self.ahead.store(micros, Ordering::Relaxed);
        let set = self.set.lock().unwrap_or_else(PoisonError::into_inner);
        set.iter().for_each(Wake::call);
    }

    /// Has something called whenever it is set.
    pub(crate) fn when_set(&self, wake: Wake) {
        (self.set.lock().unwrap_or_else(PoisonError::into_inner)).push(wake);
    }

    /// The time in microseconds since 1970.
    pub fn now(&self) -> i64 {
        Timestamp::now().as_microsecond() + self.ahead.load(Ordering::Relaxed)
    }
}

/// Compares the clock of the node with the database's.
#[derive(Debug)]
pub struct ClockCheck {
    clock: Clock,
    /// When a file was last written, in microseconds since 1970: it has no clock.
    last_write: AtomicI64,
    /// What the last comparison has found.
    fault: Mutex<Option<ClockError>>,
}

impl ClockCheck {
    pub(crate) fn new(clock: Clock) -> ClockCheck {
        ClockCheck {
            clock,
            last_write: AtomicI64::new(i64::MIN),
            fault: Mutex::default(),
        }
    }

    /// The time of the node's clock, in microseconds since 1970.
    pub(crate) fn now(&self) -> i64 {
        self.clock.now()
    }

    /// What the last comparison has found.
    pub(crate) fn fault(&self) -> Option<ClockError> {
        *self.fault.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Locks the end of the log for a writer, and compares the clocks by the same query.
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
        // The database has looked at its clock at some moment in between.
        self.note(fault(before, database.saturating_add(EPOCH), after))
    }

    /// Compares the clock with the last write to a file.
    pub(crate) fn compare_file(&self) -> QueryResult<()> {
        let behind = self
            .last_write
            .load(Ordering::Relaxed)
            .saturating_sub(self.clock.now());
        self.note((behind > TOLERANCE).then_some(ClockError::BehindFile(behind / 1_000_000)))
    }

    /// Reads from a file when it was last written: at the last change of a game.
    pub(crate) fn read_last_write(&self, connection: &mut AnyConnection) -> QueryResult<()> {
        let AnyConnection::Sqlite(sqlite) = connection else {
            return Ok(());
        };
        let last: Option<(Option<i64>, i64)> = games::table
            .order(games::version.desc())
            .select((games::recorded_at, games::updated_at))
            .first(sqlite)
            .optional()?;
        // An imported game was updated when it was played, anywhere.
        let last = last.map(|(recorded, updated)| recorded.unwrap_or(updated));
        self.last_write
            .store(last.unwrap_or(i64::MIN), Ordering::Relaxed);
        Ok(())
    }

    /// Notes that a file was written.
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

/// What is wrong with a clock that went from `before` to `after` while the database's showed `database`.
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
    fn a_slow_answer_is_no_fault() {
        let second = 1_000_000;
        let told = |database: i64| fault(100 * second, database * second, 160 * second);
        for database in [95, 100, 130, 165] {
            assert_eq!(told(database), None);
        }
        assert_eq!(told(94), Some(ClockError::Ahead(6)));
        assert_eq!(told(166), Some(ClockError::Behind(6)));
    }
}
