//! The one writer: a thread with a connection of its own that does what is handed in, and commits what
//! waits together in one transaction.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;

use diesel::connection::SimpleConnection;
use diesel::prelude::*;
use diesel::r2d2::ManageConnection;
use diesel::result::{DatabaseErrorKind, Error as DieselError};
use jiff::{SignedDuration, Timestamp};
use records::SecretKey;

use crate::db::StoreError;
use crate::db::backfill::Backfill;
use crate::db::changes::notify;
use crate::db::clock::ClockCheck;
use crate::db::connection::{AnyConnection, Manager};
use crate::db::opened::OpenedFile;
use crate::db::schema::{games, log_end};
use crate::db::wake::Wake;

/// The most jobs in one commit.
const GROUP: usize = 64;

/// Tells the caller, once it is known whether the transaction was committed.
type Answer = Box<dyn FnOnce(Result<(), &str>) + Send>;

/// What is to be written.
type Job = Box<dyn FnOnce(&mut AnyConnection) -> Answer + Send>;

/// The hand that writes. Dropping it ends the thread once everything handed in is written.
#[derive(Debug)]
pub struct Writer {
    jobs: Option<Sender<Job>>,
    thread: Option<JoinHandle<()>>,
}

impl Writer {
    /// Starts the thread.
    pub fn start(
        manager: Manager,
        file: Option<Arc<OpenedFile>>,
        clock: Arc<ClockCheck>,
        committed: Wake,
    ) -> Result<Writer, StoreError> {
        let (jobs, waiting) = channel();
        let backfill = Backfill::start(&manager)?;
        let thread = std::thread::Builder::new()
            .name("writer".to_owned())
            .spawn(move || {
                let checks = (file.as_deref(), &*clock);
                write_all(&manager, checks, (backfill, &committed), &waiting);
            })
            .map_err(|error| StoreError::Unavailable(error.to_string()))?;
        Ok(Writer {
            jobs: Some(jobs),
            thread: Some(thread),
        })
    }

    /// Does `work` in a transaction, together with what others have handed in. When it returns, what
    /// was written is on disk. What `work` has written before it fails is undone, it alone.
    ///
    /// # Errors
    /// Those of `work`; [`StoreError::Unavailable`] when the database fails. Nothing is written then.
    pub fn write<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut AnyConnection) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let (told, outcome) = channel();
        let job = move |connection: &mut AnyConnection| -> Answer {
            // A transaction inside the transaction is a savepoint: a failure undoes this job alone.
            let done = connection.transaction(work);
            Box::new(move |committed| {
                let outcome = match committed {
                    Ok(()) => done,
                    Err(message) => Err(StoreError::Unavailable(message.to_owned())),
                };
                // A caller that has gone away is told nothing.
                let _ = told.send(outcome);
            })
        };
        self.hand_in(Box::new(job))?;
        outcome.recv().map_err(|_| gone())?
    }

    /// As [`Writer::write`], without waiting; a failure is logged.
    pub fn write_later(
        &self,
        work: impl FnOnce(&mut AnyConnection) -> Result<(), StoreError> + Send + 'static,
    ) {
        let job = move |connection: &mut AnyConnection| -> Answer {
            let done = connection.transaction(work);
            Box::new(move |committed| {
                let committed =
                    committed.map_err(|error| StoreError::Unavailable(error.to_owned()));
                if let Err(error) = done.and(committed) {
                    tracing::error!(%error, "a write has failed");
                }
            })
        };
        if let Err(error) = self.hand_in(Box::new(job)) {
            tracing::error!(%error, "a write has failed");
        }
    }

    fn hand_in(&self, job: Job) -> Result<(), StoreError> {
        let jobs = self.jobs.as_ref().ok_or_else(gone)?;
        jobs.send(job).map_err(|_| gone())
    }
}

fn gone() -> StoreError {
    StoreError::Unavailable("the writer has stopped".to_owned())
}

impl Drop for Writer {
    fn drop(&mut self) {
        self.jobs = None;
        if let Some(thread) = self.thread.take() {
            // The thread catches the panics of what it is handed; nothing more can be done here.
            let _ = thread.join();
        }
    }
}

fn write_all(
    manager: &Manager,
    checks: (Option<&OpenedFile>, &ClockCheck),
    (mut backfill, committed): (Option<Backfill>, &Wake),
    waiting: &Receiver<Job>,
) {
    let mut connection = None;
    while let Ok(first) = waiting.recv() {
        let mut group = vec![first];
        group.extend(waiting.try_iter().take(GROUP - 1));
        let whole = AssertUnwindSafe(|| write_group(manager, checks, &mut connection, group));
        // Callers of a group that panicked are told so by the end of their channels.
        if std::panic::catch_unwind(whole).is_err() {
            connection = None;
        }
        if let Some(backfill) = &mut backfill {
            backfill.committed();
        }
        committed.call();
    }
}

fn write_group(
    manager: &Manager,
    (file, clock): (Option<&OpenedFile>, &ClockCheck),
    kept: &mut Option<AnyConnection>,
    group: Vec<Job>,
) {
    let mut answers = Vec::with_capacity(group.len());
    let is_there = || match file.is_some_and(OpenedFile::is_gone) {
        true => Err(StoreError::Gone.to_string()),
        false => Ok(()),
    };
    let committed = is_there()
        .and_then(|()| connected(manager, kept))
        .and_then(|connection| {
            let committed = transaction(connection, clock, |connection| {
                let begun = Timestamp::now();
                let before = end_of_log(connection)?;
                answers.extend(group.into_iter().map(|job| job(connection)));
                record_now(connection, before, begun)?;
                if let AnyConnection::Postgres(postgres) = connection {
                    notify(postgres)?;
                }
                Ok(())
            });
            committed.map_err(|error| error.to_string())
        })
        // Nobody is told that something is on disk that went with its file.
        .and_then(|()| is_there());
    match committed {
        Ok(()) => clock.note_write(),
        Err(_) => *kept = None,
    }
    for answer in answers {
        answer(committed.as_ref().copied().map_err(String::as_str));
    }
}

/// How long a transaction may take until what was finished in it is stamped anew.
const SLOW: SignedDuration = SignedDuration::from_millis(200);

/// The last position of the log of all games.
fn end_of_log(connection: &mut AnyConnection) -> QueryResult<i64> {
    log_end::table
        .find(1)
        .select(log_end::position)
        .first(connection)
}

/// Says of what was finished behind a position of the log, in a transaction that has taken long, that it was recorded
/// at its end: whoever asks as of a moment is told what could be read soon after it.
fn record_now(connection: &mut AnyConnection, before: i64, begun: Timestamp) -> QueryResult<()> {
    let now = Timestamp::now();
    if now.duration_since(begun) < SLOW {
        return Ok(());
    }
    diesel::update(games::table.filter(games::finished_position.gt(before)))
        .set(games::recorded_at.eq(now.as_microsecond()))
        .execute(connection)?;
    Ok(())
}

/// The writer's connection; a new one when there is none or it has broken.
fn connected<'a>(
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

/// A transaction that takes SQLite's write lock at its beginning, so that it cannot fail half-way
/// for having read first, and on PostgreSQL the row that every append locks, so that writers on several
/// nodes wait for each other in one order only. Nothing is written while the clock of this node is wrong.
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

/// A duplicate key means that somebody else was first.
pub(crate) fn conflict(error: DieselError) -> StoreError {
    match error {
        DieselError::DatabaseError(DatabaseErrorKind::UniqueViolation, _) => StoreError::Conflict,
        other => StoreError::Query(other),
    }
}

/// On whose behalf something is written.
pub struct Writing {
    /// The node, as owner of work.
    pub node: String,
    /// When it is asked for.
    pub now: i64,
    /// The key that signs the logs of leagues.
    pub key: Option<Arc<SecretKey>>,
}
