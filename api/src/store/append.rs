//! Writing games: a new one or a step of one.

use std::sync::Arc;

use diesel::prelude::*;
use engine::record::SecretKey;
use uuid::Uuid;

use super::accounts;
use super::connection::AnyConnection;
use super::game::{Append, Appended, KeptAnswer, Seat};
use super::leagues::note_end;
use super::lists::list_players;
use super::rows::{AnswerRow, EventColumns, GameChanges, GameRow, SeatRow};
use super::schema::{events, games, idempotency_keys, log_end, seats};
use super::work::{self, Task, WorkKind};
use super::writer::conflict;
use super::{Store, StoreError};

/// The most events in one statement: the databases allow some ten thousand values.
const ROWS: usize = 1_000;

/// For how long answers are kept for repeated requests, in microseconds: a day.
pub const KEPT: i64 = 24 * 60 * 60 * 1_000_000;

/// On whose behalf something is written.
pub(super) struct Writing {
    /// The node, as owner of work.
    pub node: String,
    /// When it is asked for.
    pub now: i64,
    /// The key that signs the logs of leagues.
    pub key: Option<Arc<SecretKey>>,
}

impl Store {
    pub(super) fn writing(&self) -> Writing {
        Writing {
            node: self.node().to_owned(),
            now: self.now(),
            key: self.signing_key(),
        }
    }

    /// Writes a new game or a step of one. When it returns, what was written is on disk.
    ///
    /// # Errors
    /// [`StoreError::Conflict`] when somebody else was first: the game has another version, or there is
    /// one with this id, or the idempotency key is taken; other errors when the database fails.
    /// Nothing is written then.
    pub fn append(&self, append: Append) -> Result<Appended, StoreError> {
        let writing = self.writing();
        self.write(move |connection| write(connection, &writing, append))
    }

    /// Writes several games and steps in one transaction, each by itself: what became of them, in their
    /// order.
    pub fn append_all(
        &self,
        appends: Vec<Append>,
    ) -> Result<Vec<Result<Appended, StoreError>>, StoreError> {
        let writing = self.writing();
        self.write(move |connection| {
            let each =
                |append| connection.transaction(|connection| write(connection, &writing, append));
            Ok(appends.into_iter().map(each).collect())
        })
    }

    /// Tells of a game which one the same players went on with. Returns the version that the game has got.
    pub fn link_rematch(&self, game: Uuid, next: Uuid) -> Result<i64, StoreError> {
        self.write(move |connection| {
            let version = next_version(connection)?;
            diesel::update(games::table.find(game.to_string()))
                .set((
                    games::rematch.eq(next.to_string()),
                    games::version.eq(version),
                ))
                .execute(connection)?;
            Ok(version)
        })
    }
}

/// The next version of a game. The row that holds the last one stays locked until the commit, so
/// versions become visible in their order.
pub(super) fn next_version(connection: &mut AnyConnection) -> Result<i64, StoreError> {
    diesel::update(log_end::table.find(1))
        .set(log_end::version.eq(log_end::version + 1))
        .execute(connection)?;
    let end = log_end::table.find(1).select(log_end::version);
    Ok(end.first(connection)?)
}

/// Takes so many places in the log of all games and a version; returns the last place and the version.
/// The row that holds the end of that log stays locked until the commit, so places become visible in
/// their order.
fn take_places(connection: &mut AnyConnection, count: i64) -> Result<(i64, i64), StoreError> {
    diesel::update(log_end::table.find(1))
        .set((
            log_end::position.eq(log_end::position + count),
            log_end::version.eq(log_end::version + 1),
        ))
        .execute(connection)?;
    let end = log_end::table
        .find(1)
        .select((log_end::position, log_end::version));
    Ok(end.first(connection)?)
}

pub(super) fn write(
    connection: &mut AnyConnection,
    writing: &Writing,
    append: Append,
) -> Result<Appended, StoreError> {
    let count = append.events.len() as i64;
    let (end, version) = take_places(connection, count)?;
    let position = end - count + 1;
    let id = append.game.id;
    let automatic = append.game.automatic;
    let due_at = append.game.due_at;
    accounts::check_seated(connection, &append.seats)?;
    let mut game = append.game;
    match game.version {
        0 => {
            game.number = position;
            diesel::insert_into(games::table)
                .values(GameRow::new(game.clone(), end, version))
                .execute(connection)
                .map_err(conflict)?;
            for seat in &append.seats {
                diesel::insert_into(seats::table)
                    .values(SeatRow::new(id, seat))
                    .execute(connection)?;
            }
        }
        known => {
            let unchanged = games::table
                .filter(games::id.eq(id.to_string()))
                .filter(games::version.eq(known));
            let updated = diesel::update(unchanged)
                .set(GameChanges::of(&game, end, version))
                .execute(connection)?;
            if updated != 1 {
                return Err(StoreError::Conflict);
            }
            update_seats(connection, id, &append.seats)?;
        }
    }
    list_players(connection, &game, &append.seats)?;
    let rows = EventColumns::of_step(game.number, position, &append.events)?;
    append_events(connection, rows)?;
    let bots = Task {
        kind: WorkKind::Bots,
        subject: id.to_string(),
    };
    if automatic {
        work::make_due(connection, writing, &bots, append.charged_to)?;
    } else if append.was_automatic {
        work::remove(connection, &bots)?;
    }
    let deadline = Task {
        kind: WorkKind::Deadline,
        subject: id.to_string(),
    };
    match due_at {
        _ if due_at == append.was_due_at => {}
        Some(due_at) => work::plan(connection, &deadline, due_at)?,
        None => work::remove(connection, &deadline)?,
    }
    if let Some(event) = append.league_event {
        note_end(connection, writing, id, event)?;
    }
    if let Some(answer) = append.answer {
        keep_answer(connection, answer)?;
    }
    Ok(Appended { position, version })
}

fn update_seats(
    connection: &mut AnyConnection,
    game: Uuid,
    changed: &[Seat],
) -> Result<(), StoreError> {
    for seat in changed {
        let key = seats::table.find((game.to_string(), i64::from(seat.number)));
        diesel::update(key)
            .set(SeatRow::new(game, seat))
            .execute(connection)?;
    }
    Ok(())
}

fn append_events(
    connection: &mut AnyConnection,
    rows: Vec<EventColumns>,
) -> Result<(), StoreError> {
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

pub(super) fn keep_answer(
    connection: &mut AnyConnection,
    answer: KeptAnswer,
) -> Result<(), StoreError> {
    let old = idempotency_keys::created_at.lt(answer.created_at - KEPT);
    diesel::delete(idempotency_keys::table.filter(old)).execute(connection)?;
    diesel::insert_into(idempotency_keys::table)
        .values(AnswerRow::from(answer))
        .execute(connection)
        .map_err(conflict)?;
    Ok(())
}
