//! The one writer: a thread with its own connection that commits all waiting writes in one transaction.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;
use std::time::Instant;

use diesel::connection::SimpleConnection;
use diesel::prelude::*;
use diesel::r2d2::ManageConnection;
use diesel::result::{DatabaseErrorKind, Error as DieselError};
use jiff::{SignedDuration, Timestamp};
use metrics::histogram;
use records::SecretKey;

use crate::db::backfill::Backfill;
use crate::db::changes::notify;
use crate::db::clock::ClockCheck;
use crate::db::connection::{AnyConnection, Manager};
use crate::db::schema::{games, log_end};
use crate::db::wake::Wake;
use crate::db::{STEP, StoreError};

/// The most jobs in one commit.
const GROUP: usize = 64;

/// Sends the outcome to the caller, once it is known whether the transaction was committed.
type Answer = Box<dyn FnOnce(Result<(), &str>) + Send>;

/// A write that waits for the thread. It receives no connection if the transaction could not begin.
type Job = Box<dyn FnOnce(Option<&mut AnyConnection>) -> Answer + Send>;

/// A handle of the writer thread. Dropping it ends the thread after all waiting writes.
#[derive(Debug)]
pub struct Writer {
    jobs: Option<Sender<Job>>,
    thread: Option<JoinHandle<()>>,
}

impl Writer {
    /// Starts the thread.
    pub fn start(
        manager: Manager,
        clock: Arc<ClockCheck>,
        committed: Wake,
    ) -> Result<Writer, StoreError> {
        let (jobs, waiting) = channel();
        let backfill = Backfill::start(&manager)?;
        if let Some(file) = manager.opened_file() {
            // The backfill's connection stays open until the writer ends.
            file.watch_log();
        }
        let thread = std::thread::Builder::new()
            .name("writer".to_owned())
            .spawn(move || write_all((&manager, &clock), (backfill, &committed), &waiting))
            .map_err(|error| StoreError::Unavailable(error.to_string()))?;
        Ok(Writer {
            jobs: Some(jobs),
            thread: Some(thread),
        })
    }

    /// Runs `work` in a transaction, together with other waiting writes.
    /// Returns when the result is on disk. If `work` fails, only its own changes are undone.
    ///
    /// # Errors
    /// The error of `work`, or [`StoreError::Unavailable`] if the database fails. Nothing is written then.
    pub fn write<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut AnyConnection) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let (sender, outcome) = channel();
        let job = move |connection: Option<&mut AnyConnection>| -> Answer {
            // A nested transaction is a savepoint, so a failure undoes this job alone.
            let done = connection.map(|connection| connection.transaction(work));
            Box::new(move |committed| {
                let outcome = match committed {
                    Ok(()) => done.unwrap_or_else(|| Err(stopped_error())),
                    Err(message) => Err(StoreError::Unavailable(message.to_owned())),
                };
                // The caller may have stopped waiting.
                let _ = sender.send(outcome);
            })
        };
        let _step = tracing::info_span!(target: STEP, "commit").entered();
        self.enqueue(Box::new(job))?;
        outcome.recv().map_err(|_| stopped_error())?
    }

    /// Returns true until the thread ends.
    pub fn is_running(&self) -> bool {
        (self.thread.as_ref()).is_some_and(|thread| !thread.is_finished())
    }

    /// Like [`Writer::write`], without waiting. A failure is logged.
    pub fn write_later(
        &self,
        work: impl FnOnce(&mut AnyConnection) -> Result<(), StoreError> + Send + 'static,
    ) {
        let job = move |connection: Option<&mut AnyConnection>| -> Answer {
            let done = connection.map_or(Ok(()), |connection| connection.transaction(work));
            Box::new(move |committed| {
                let committed =
                    committed.map_err(|error| StoreError::Unavailable(error.to_owned()));
                if let Err(error) = done.and(committed) {
                    tracing::error!(%error, "a write in the background failed");
                }
            })
        };
        if let Err(error) = self.enqueue(Box::new(job)) {
            tracing::error!(%error, "a write in the background failed");
        }
    }

    fn enqueue(&self, job: Job) -> Result<(), StoreError> {
        let jobs = self.jobs.as_ref().ok_or_else(stopped_error)?;
        jobs.send(job).map_err(|_| stopped_error())
    }
}

fn stopped_error() -> StoreError {
    StoreError::Unavailable("the thread that writes has stopped; restart the service".to_owned())
}

impl Drop for Writer {
    fn drop(&mut self) {
        self.jobs = None;
        if let Some(thread) = self.thread.take() {
            // The thread catches the panics of its jobs, so there is nothing to handle here.
            let _ = thread.join();
        }
    }
}

fn write_all(
    database: (&Manager, &ClockCheck),
    (mut backfill, committed): (Option<Backfill>, &Wake),
    waiting: &Receiver<Job>,
) {
    let mut connection = None;
    while let Ok(first) = waiting.recv() {
        let mut group = vec![first];
        group.extend(waiting.try_iter().take(GROUP - 1));
        let whole = AssertUnwindSafe(|| write_group(database, &mut connection, group));
        // After a panic the callers get an error, because their channels close.
        if std::panic::catch_unwind(whole).is_err() {
            connection = None;
        }
        if let Some(backfill) = &mut backfill {
            backfill.note_commit();
        }
        committed.call();
    }
}

fn write_group(
    (manager, clock): (&Manager, &ClockCheck),
    kept: &mut Option<AnyConnection>,
    mut group: Vec<Job>,
) {
    let mut answers = Vec::with_capacity(group.len());
    let is_there = || match manager.is_gone() {
        true => Err(StoreError::Gone.to_string()),
        false => Ok(()),
    };
    let committed = is_there()
        .and_then(|()| usable_connection(manager, kept))
        .and_then(|connection| {
            let start = Instant::now();
            let committed = transaction(connection, clock, |connection| {
                let begun = Timestamp::now();
                let before = end_of_log(connection)?;
                answers.extend(group.drain(..).map(|job| job(Some(&mut *connection))));
                update_recorded_at(connection, before, begun)?;
                if let AnyConnection::Postgres(postgres) = connection {
                    notify(postgres)?;
                }
                Ok(())
            });
            histogram!("tabularium_commit_seconds").record(start.elapsed());
            committed.map_err(|error| error.to_string())
        })
        // A write to a file that has been deleted or replaced must not be acknowledged.
        .and_then(|()| is_there());
    match committed {
        Ok(()) => clock.note_write(),
        Err(_) => *kept = None,
    }
    // If the transaction could not begin, the callers receive the reason too.
    answers.extend(group.into_iter().map(|job| job(None)));
    for answer in answers {
        answer(committed.as_ref().copied().map_err(String::as_str));
    }
}

/// After how long a transaction updates the times at which its games were recorded.
const SLOW: SignedDuration = SignedDuration::from_millis(200);

/// The last position of the log of all games.
fn end_of_log(connection: &mut AnyConnection) -> QueryResult<i64> {
    log_end::table
        .find(1)
        .select(log_end::position)
        .first(connection)
}

/// Sets `recorded_at` of games finished after a log position to the end of a slow transaction.
/// A list as of a moment must contain only what could be read soon after that moment.
fn update_recorded_at(
    connection: &mut AnyConnection,
    before: i64,
    begun: Timestamp,
) -> QueryResult<()> {
    let now = Timestamp::now();
    if now.duration_since(begun) < SLOW {
        return Ok(());
    }
    diesel::update(games::table.filter(games::finished_position.gt(before)))
        .set(games::recorded_at.eq(now.as_microsecond()))
        .execute(connection)?;
    Ok(())
}

/// Returns the writer's connection, or a new one if there is none or it is broken.
fn usable_connection<'a>(
    manager: &Manager,
    kept: &'a mut Option<AnyConnection>,
) -> Result<&'a mut AnyConnection, String> {
    let usable = |mut connection| {
        let valid = manager.is_valid(&mut connection).is_ok();
        valid.then_some(connection)
    };
    let connection = match kept.take().and_then(usable) {
        Some(connection) => connection,
        None => manager.connect().map_err(|error| error.to_string())?,
    };
    Ok(kept.insert(connection))
}

/// Runs `work` in a transaction that takes the write lock first.
/// On SQLite it so cannot fail half-way because it has read before. On PostgreSQL it locks the row that every append
/// locks, so that writers on several nodes wait for each other in one order. Nothing is written while the clock of
/// this node is wrong.
fn transaction(
    connection: &mut AnyConnection,
    clock: &ClockCheck,
    work: impl FnOnce(&mut AnyConnection) -> QueryResult<()>,
) -> QueryResult<()> {
    connection.transaction(|connection| {
        match connection {
            AnyConnection::Sqlite(sqlite) => {
                clock.compare_file()?;
                sqlite.batch_execute("UPDATE log_end SET position = position WHERE id = 1")?;
            }
            AnyConnection::Postgres(postgres) => clock.lock(postgres)?,
        }
        work(connection)
    })
}

/// Converts a duplicate key to [`StoreError::Conflict`]: another writer was first.
pub(crate) fn conflict(error: DieselError) -> StoreError {
    match error {
        DieselError::DatabaseError(DatabaseErrorKind::UniqueViolation, _) => StoreError::Conflict,
        other => StoreError::Query(other),
    }
}

/// The context of a write.
pub struct Writing {
    /// The node that owns the leases of new work.
    pub node: String,
    /// The time of the write, in microseconds since 1970.
    pub now: i64,
    /// The key that signs the logs of leagues.
    pub key: Option<Arc<SecretKey>>,
}
