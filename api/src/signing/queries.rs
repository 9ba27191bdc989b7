//! Queries of signing: keys, signatures of games, checkpoints, and the ends of logs that these cover.

use diesel::connection::SimpleConnection;
use diesel::prelude::*;
use records::tlog::Leaf;

use crate::db::connection::AnyConnection;
use crate::db::jobs::{Task, WorkKind};
use crate::db::schema::{checkpoints, games, keys, log_end};
use crate::db::versions::next_version;
use crate::db::writer::conflict;
use crate::db::{Store, StoreError, jobs as work};
use crate::signing::leaves::append_leaf;

/// How many ends of logs are read at a time.
const HEADS: i64 = 10_000;

/// A public key that has signed here.
#[derive(Clone, Debug, PartialEq, Eq, Queryable, Insertable)]
#[diesel(table_name = keys)]
pub struct KeyRow {
    /// The id by which signatures name the key.
    pub id: String,
    /// 64 hexadecimal digits.
    pub public_key: String,
    /// Microseconds since 1970.
    pub created_at: i64,
    /// When it was retired, in microseconds since 1970; `None` while it signs.
    pub retired_at: Option<i64>,
}

/// A checkpoint of the log of all games; see [`records::Checkpoint`].
#[derive(Clone, Debug, PartialEq, Eq, Queryable, Insertable)]
#[diesel(table_name = checkpoints)]
pub struct CheckpointRow {
    /// The number, from 1.
    pub number: i64,
    /// Microseconds since 1970.
    pub at: i64,
    /// The last position in the log of all games that it covers.
    pub position: i64,
    /// The number of games that it covers.
    pub games: i64,
    /// The root hash of the ends of their logs.
    pub root: String,
    /// The hash of the previous checkpoint; `None` for the first.
    pub previous: Option<String>,
    /// The id of the key.
    pub key: String,
    /// The signature.
    pub value: String,
    /// The last position in the log of all leagues that it covers.
    /// If it covers none, this and the columns below are `None`.
    pub league_position: Option<i64>,
    /// The number of leagues that it covers.
    pub leagues: Option<i64>,
    /// The root hash of the ends of their logs.
    pub league_root: Option<String>,
    /// The signature of the leagues' part.
    pub league_value: Option<String>,
}

/// The end of a game's log.
#[derive(Clone, Debug, PartialEq, Eq, Queryable)]
pub struct LogHead {
    /// The position of its first event in the log of all games.
    pub number: i64,
    /// The game's id.
    pub id: String,
    /// `open`, `running`, `finished` or `abandoned`.
    pub status: String,
    /// The number of its last event.
    pub seq: i64,
    /// The chained hash of the last event, 64 hexadecimal digits.
    pub hash: String,
}

impl Store {
    /// Stores a public key, unless it is stored already. Returns the stored row.
    pub(super) fn register_key(&self, row: &KeyRow) -> Result<KeyRow, StoreError> {
        let find = |connection: &mut AnyConnection| {
            let key = keys::table.find(row.id.clone());
            key.first::<KeyRow>(connection).optional()
        };
        if let Some(noted) = find(&mut *self.connection()?)? {
            return Ok(noted);
        }
        let new = row.clone();
        let noted = self.write(move |connection| {
            let insert = diesel::insert_into(keys::table).values(new);
            insert.execute(connection).map_err(conflict)?;
            Ok(())
        });
        match noted {
            Ok(()) | Err(StoreError::Conflict) => {}
            Err(error) => return Err(error),
        }
        Ok(find(&mut *self.connection()?)?.unwrap_or_else(|| row.clone()))
    }

    /// Marks a key as retired.
    pub(super) fn retire_key(&self, id: &str, at: i64) -> Result<(), StoreError> {
        let id = id.to_owned();
        self.write(move |connection| {
            let current = keys::table
                .filter(keys::id.eq(id))
                .filter(keys::retired_at.is_null());
            diesel::update(current)
                .set(keys::retired_at.eq(at))
                .execute(connection)?;
            Ok(())
        })
    }

    /// Returns all keys that have signed here, the oldest first.
    pub(crate) fn keys(&self) -> Result<Vec<KeyRow>, StoreError> {
        let connection = &mut *self.connection()?;
        Ok(keys::table
            .order((keys::created_at, keys::id))
            .load(connection)?)
    }

    /// Stores the signature of a finished game that has none, and removes the scheduled signing.
    pub(crate) fn sign_game(&self, id: &str, signature: &str) -> Result<(), StoreError> {
        let (id, signature) = (id.to_owned(), signature.to_owned());
        let task = Task {
            kind: WorkKind::Sign,
            subject: id.clone(),
        };
        self.write(move |connection| {
            let version = next_version(connection)?;
            let unsigned = games::table
                .filter(games::id.eq(&id))
                .filter(games::signature.is_null());
            let signed = diesel::update(unsigned)
                .set((games::signature.eq(&signature), games::version.eq(version)))
                .execute(connection)?;
            if let (1, Ok(signature)) = (signed, serde_json::from_str(&signature)) {
                append_leaf(connection, &id, &Leaf::of_game(&id, &signature))?;
            }
            work::remove(connection, &task)
        })
    }

    /// Stores a checkpoint, and its leaf in the transparency log.
    ///
    /// # Errors
    /// [`StoreError::Conflict`] if another node has stored one with this number.
    pub(super) fn add_checkpoint(&self, row: &CheckpointRow, leaf: Leaf) -> Result<(), StoreError> {
        let row = row.clone();
        self.write(move |connection| {
            let number = row.number.to_string();
            let insert = diesel::insert_into(checkpoints::table).values(row);
            insert.execute(connection).map_err(conflict)?;
            append_leaf(connection, &number, &leaf)
        })
    }

    /// Returns checkpoints after a number, in order.
    pub(super) fn checkpoints(
        &self,
        after: i64,
        limit: i64,
    ) -> Result<Vec<CheckpointRow>, StoreError> {
        let connection = &mut *self.connection()?;
        Ok(checkpoints::table
            .filter(checkpoints::number.gt(after))
            .order(checkpoints::number)
            .limit(limit)
            .load(connection)?)
    }

    /// Returns the checkpoint with a number, or the newest one for `None`.
    pub(super) fn checkpoint(
        &self,
        number: Option<i64>,
    ) -> Result<Option<CheckpointRow>, StoreError> {
        let connection = &mut *self.connection()?;
        let mut query = checkpoints::table.into_boxed();
        if let Some(number) = number {
            query = query.filter(checkpoints::number.eq(number));
        }
        Ok(query
            .order(checkpoints::number.desc())
            .first(connection)
            .optional()?)
    }

    /// Passes the end of every game's log to `each`, in the order of the games' first events.
    /// Returns the end of the log of all games. All ends are of the same moment.
    pub(super) fn log_heads(&self, mut each: impl FnMut(LogHead)) -> Result<i64, StoreError> {
        let connection = &mut *self.connection()?;
        Ok(connection.transaction(|connection| {
            if let AnyConnection::Postgres(postgres) = connection {
                // A SQLite transaction sees the state of its first read without this setting.
                postgres
                    .batch_execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")?;
            }
            let end: i64 = log_end::table
                .find(1)
                .select(log_end::position)
                .first(connection)?;
            let mut number = 0;
            loop {
                let heads = heads(connection, number, HEADS)?;
                let Some(last) = heads.last() else {
                    return QueryResult::Ok(end);
                };
                number = last.number;
                heads.into_iter().for_each(&mut each);
            }
        })?)
    }
}

fn heads(connection: &mut AnyConnection, after: i64, limit: i64) -> QueryResult<Vec<LogHead>> {
    games::table
        .filter(games::number.gt(after))
        .order(games::number)
        .limit(limit)
        .select((
            games::number,
            games::id,
            games::status,
            games::seq,
            games::hash,
        ))
        .load(connection)
}
