//! The one writer: a thread that appends, and commits what waits together in one transaction.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;

use diesel::prelude::*;
use diesel::r2d2::PooledConnection;
use diesel::result::{DatabaseErrorKind, Error as DieselError};

use super::connection::{AnyConnection, Manager};
use super::rows::{Append, EventColumns, GameRow, IdempotencyRow};
use super::schema::{events, games, idempotency_keys, log_end, seats};
use super::{Connections, StoreError};

/// The most appends in one commit.
const GROUP: usize = 64;

/// The most events in one statement: the databases allow some ten thousand values.
const ROWS: usize = 1_000;

/// For how long answers are kept for repeated requests, in microseconds: a day.
const KEPT: i64 = 24 * 60 * 60 * 1_000_000;

/// The position of the first appended event in the log of all games, or why nothing was appended.
type Outcome = Result<i64, StoreError>;

struct Job {
    append: Append,
    answer: Sender<Outcome>,
}

/// The hand that appends. Dropping it ends the thread once everything handed in is written.
#[derive(Debug)]
pub struct Writer {
    jobs: Option<Sender<Job>>,
    thread: Option<JoinHandle<()>>,
}

impl Writer {
    /// Starts the thread.
    ///
    /// # Errors
    /// When the system gives no thread.
    pub fn start(connections: Connections) -> Result<Writer, StoreError> {
        let (jobs, waiting) = channel();
        let thread = std::thread::Builder::new()
            .name("writer".to_owned())
            .spawn(move || write_all(&connections, &waiting))
            .map_err(|error| StoreError::Unavailable(error.to_string()))?;
        Ok(Writer {
            jobs: Some(jobs),
            thread: Some(thread),
        })
    }

    /// Appends; when it returns, what was appended is on disk.
    ///
    /// # Errors
    /// [`StoreError::Conflict`] when somebody else appended first or used the same idempotency
    /// key; other errors when the database fails. Nothing is written then.
    pub fn append(&self, append: Append) -> Outcome {
        let gone = || StoreError::Unavailable("the writer has stopped".to_owned());
        let (answer, outcome) = channel();
        let jobs = self.jobs.as_ref().ok_or_else(gone)?;
        jobs.send(Job { append, answer }).map_err(|_| gone())?;
        outcome.recv().map_err(|_| gone())?
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        self.jobs = None;
        if let Some(thread) = self.thread.take() {
            // A panicked writer has been logged by the panic hook; nothing more can be done here.
            let _ = thread.join();
        }
    }
}

fn write_all(connections: &Connections, waiting: &Receiver<Job>) {
    while let Ok(first) = waiting.recv() {
        let mut group = vec![first];
        group.extend(waiting.try_iter().take(GROUP - 1));
        let outcomes = match connections.get() {
            Ok(mut connection) => write_group(&mut connection, &group),
            Err(error) => {
                let message = error.to_string();
                let failed = |_: &Job| Err(StoreError::Unavailable(message.clone()));
                group.iter().map(failed).collect()
            }
        };
        for (job, outcome) in group.iter().zip(outcomes) {
            // A caller that has gone away is told nothing.
            let _ = job.answer.send(outcome);
        }
    }
}

fn write_group(connection: &mut PooledConnection<Manager>, group: &[Job]) -> Vec<Outcome> {
    let mut outcomes = Vec::with_capacity(group.len());
    let committed = transaction(connection, |connection| {
        for job in group {
            // A transaction inside the transaction is a savepoint: one conflict undoes one job.
            outcomes.push(connection.transaction(|inner| append(inner, &job.append)));
        }
        if let AnyConnection::Postgres(postgres) = connection {
            super::changes::notify(postgres)?;
        }
        Ok(())
    });
    match committed {
        Ok(()) => outcomes,
        Err(error) => {
            let message = error.to_string();
            let failed = |_: &Job| Err(StoreError::Unavailable(message.clone()));
            group.iter().map(failed).collect()
        }
    }
}

/// A transaction that takes SQLite's write lock at its beginning, so that it cannot fail half-way
/// for having read first.
fn transaction(
    connection: &mut AnyConnection,
    work: impl FnOnce(&mut AnyConnection) -> QueryResult<()>,
) -> QueryResult<()> {
    use diesel::connection::SimpleConnection;
    connection.transaction(|connection| {
        if let AnyConnection::Sqlite(sqlite) = connection {
            sqlite.batch_execute("UPDATE log_end SET position = position WHERE id = 1")?;
        }
        work(connection)
    })
}

fn append(connection: &mut AnyConnection, append: &Append) -> Outcome {
    let first = take_positions(connection, append.events.len() as i64)?;
    let number = match append.after {
        None => {
            let game = GameRow {
                number: first,
                ..append.game.clone()
            };
            diesel::insert_into(games::table)
                .values(game)
                .execute(connection)
                .map_err(conflict)?;
            first
        }
        Some(after) => update_game(connection, append, after)?,
    };
    for seat in &append.seats {
        let key = seats::table.find((seat.game_id.clone(), seat.seat));
        diesel::delete(key).execute(connection)?;
        diesel::insert_into(seats::table)
            .values(seat.clone())
            .execute(connection)?;
    }
    append_events(connection, append, number, first)?;
    if let Some(row) = &append.idempotency {
        keep_answer(connection, row)?;
    }
    Ok(first)
}

/// Brings the row of a game up to date and returns its number.
fn update_game(
    connection: &mut AnyConnection,
    append: &Append,
    after: i64,
) -> Result<i64, StoreError> {
    let game = &append.game;
    let unchanged = games::table
        .filter(games::id.eq(game.id.clone()))
        .filter(games::seq.eq(after));
    let updated = diesel::update(unchanged)
        .set((
            games::status.eq(game.status.clone()),
            games::seq.eq(game.seq),
            games::updated_at.eq(game.updated_at),
            games::result.eq(game.result.clone()),
            games::bot_due.eq(game.bot_due),
            games::hash.eq(game.hash.clone()),
            // One that was made meanwhile stays.
            (game.signature.clone()).map(|signature| games::signature.eq(signature)),
        ))
        .execute(connection)?;
    if updated != 1 {
        return Err(StoreError::Conflict);
    }
    let number = games::table.find(game.id.clone()).select(games::number);
    Ok(number.first(connection)?)
}

/// Takes so many places in the log of all games and returns the first. The row that holds the end of
/// that log stays locked until the commit, so places become visible in their order.
fn take_positions(connection: &mut AnyConnection, count: i64) -> Outcome {
    diesel::update(log_end::table.find(1))
        .set(log_end::position.eq(log_end::position + count))
        .execute(connection)?;
    let end: i64 = log_end::table
        .find(1)
        .select(log_end::position)
        .first(connection)?;
    Ok(end - count + 1)
}

/// Inserts events of the game with this number, from this place in the log of all games on.
fn append_events(
    connection: &mut AnyConnection,
    append: &Append,
    number: i64,
    first: i64,
) -> Result<(), StoreError> {
    let events = append.events.iter().zip(first..);
    let columns = events.map(|(event, position)| EventColumns::new(number, position, event));
    let rows: Vec<EventColumns> = columns.collect();
    for part in rows.chunks(ROWS) {
        match connection {
            AnyConnection::Sqlite(sqlite) => diesel::insert_into(events::table)
                .values(part)
                .execute(sqlite),
            AnyConnection::Postgres(postgres) => diesel::insert_into(events::table)
                .values(part)
                .execute(postgres),
        }
        .map_err(conflict)?;
    }
    Ok(())
}

fn keep_answer(connection: &mut AnyConnection, row: &IdempotencyRow) -> Result<(), StoreError> {
    let old = idempotency_keys::created_at.lt(row.created_at - KEPT);
    diesel::delete(idempotency_keys::table.filter(old)).execute(connection)?;
    diesel::insert_into(idempotency_keys::table)
        .values(row.clone())
        .execute(connection)
        .map_err(conflict)?;
    Ok(())
}

/// A duplicate key means that somebody else was first.
pub(super) fn conflict(error: DieselError) -> StoreError {
    match error {
        DieselError::DatabaseError(DatabaseErrorKind::UniqueViolation, _) => StoreError::Conflict,
        other => StoreError::Query(other),
    }
}
