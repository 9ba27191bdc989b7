//! Questions of `tabularium doctor` to a database. Nothing is written.

use diesel::dsl::{count_star, max, min};
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Text};

use crate::db::clock::TOLERANCE;
use crate::db::connection::AnyConnection;
use crate::db::projections::offsets::{Offset, offset};
use crate::db::schema::{checkpoints, games, keys, league_events, log_end, tokens, webhooks, work};
use crate::db::{Store, StoreError};

/// How many of the last events are searched for wrong times.
const LAST_EVENTS: i64 = 10_000;

/// The logs, and how far checkpoints cover them. Times are microseconds since 1970.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LogState {
    /// The number of events of all games.
    pub position: i64,
    /// The number of events of all leagues.
    pub league_position: i64,
    /// The number of games.
    pub games: i64,
    /// The time of the last checkpoint, or when the first key was created; `None` before that.
    pub covered_at: Option<i64>,
    /// How many events of games and leagues no checkpoint covers.
    pub uncovered: i64,
    /// The number of finished games without a signature.
    pub unsigned: i64,
    /// The time of the last change of a game.
    pub last_change: Option<i64>,
}

/// Scheduled work that failed.
#[derive(Clone, Debug, PartialEq, Eq, Queryable)]
pub(crate) struct FailedWork {
    /// The kind, such as `bots`.
    pub kind: String,
    /// The id of the game or webhook.
    pub subject: String,
    /// How often it failed in a row.
    pub attempts: i64,
    /// The last error.
    pub failure: Option<String>,
    /// Since when it waits for a day, because it failed permanently.
    pub quarantined_at: Option<i64>,
}

/// Events that are dated before earlier ones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, QueryableByName)]
pub(crate) struct Disorder {
    /// Their number.
    #[diesel(sql_type = BigInt)]
    pub count: i64,
    /// The largest step back, in microseconds.
    #[diesel(sql_type = BigInt)]
    pub largest: i64,
}

#[derive(QueryableByName)]
struct Message {
    #[diesel(sql_type = Text)]
    message: String,
}

impl Store {
    /// Checks the structure of a SQLite file, and whether a PostgreSQL server accepts writes.
    /// Returns the first fault.
    pub(crate) fn find_damage(&self) -> Result<Option<String>, StoreError> {
        let connection = &mut *self.connection()?;
        match connection {
            AnyConnection::Sqlite(_) => {
                let check = "SELECT quick_check AS message FROM pragma_quick_check LIMIT 1";
                let Message { message } = diesel::sql_query(check).get_result(connection)?;
                Ok((message != "ok").then_some(message))
            }
            AnyConnection::Postgres(_) => {
                let check = "SELECT CASE WHEN pg_is_in_recovery() \
                     THEN 'the server is a standby: it accepts no writes' \
                     WHEN reset_val = 'on' THEN 'the database is read-only (default_transaction_read_only)' \
                     ELSE '' END AS message FROM pg_settings WHERE name = 'default_transaction_read_only'";
                let Message { message } = diesel::sql_query(check).get_result(connection)?;
                Ok((!message.is_empty()).then_some(message))
            }
        }
    }

    /// Returns the state of the logs.
    pub(crate) fn log_state(&self) -> Result<LogState, StoreError> {
        let connection = &mut *self.connection()?;
        let position: i64 = log_end::table
            .find(1)
            .select(log_end::position)
            .first(connection)?;
        let league_position: Option<i64> = league_events::table
            .select(max(league_events::position))
            .first(connection)?;
        let league_position = league_position.unwrap_or(0);
        let last: Option<(i64, i64, Option<i64>)> = checkpoints::table
            .order(checkpoints::number.desc())
            .select((
                checkpoints::at,
                checkpoints::position,
                checkpoints::league_position,
            ))
            .first(connection)
            .optional()?;
        let (covered, leagues_covered) = match last {
            Some((_, covered, leagues)) => (covered, leagues.unwrap_or(0)),
            None => (0, 0),
        };
        let first_key: Option<i64> = keys::table
            .select(min(keys::created_at))
            .first(connection)?;
        let last_change: Option<(Option<i64>, i64)> = games::table
            .order(games::version.desc())
            .select((games::recorded_at, games::updated_at))
            .first(connection)
            .optional()?;
        Ok(LogState {
            position,
            league_position,
            games: games::table.count().get_result(connection)?,
            covered_at: last.map(|(at, ..)| at).or(first_key),
            uncovered: (position - covered) + (league_position - leagues_covered),
            unsigned: games::table
                .filter(games::status.eq("finished"))
                .filter(games::signature.is_null())
                .count()
                .get_result(connection)?,
            last_change: last_change.map(|(recorded, updated)| recorded.unwrap_or(updated)),
        })
    }

    /// Returns work that failed, the permanent failures first.
    pub(crate) fn failed_work(&self, limit: i64) -> Result<Vec<FailedWork>, StoreError> {
        let connection = &mut *self.connection()?;
        Ok(work::table
            .filter(work::failure.is_not_null())
            .order((work::quarantined_at.is_null(), work::kind, work::subject))
            .limit(limit)
            .select((
                work::kind,
                work::subject,
                work::attempts,
                work::failure,
                work::quarantined_at,
            ))
            .load(connection)?)
    }

    /// Returns the projections that have not applied some finished games.
    /// Each has its name, the number of these games, and when the first of them was recorded.
    pub(crate) fn waiting_games(&self) -> Result<Vec<(String, i64, Option<i64>)>, StoreError> {
        let connection = &mut *self.connection()?;
        let mut waiting = Vec::new();
        // Ratings skip games that are not rated. Webhooks have no entry that must be applied.
        for (name, least_rated) in [("lists", 0), ("ratings", 1)] {
            let Offset { position, .. } = offset(connection, name)?;
            let (count, since) = games::table
                .filter(games::finished_position.gt(position))
                .filter(games::rated.ge(least_rated))
                .select((count_star(), min(games::recorded_at)))
                .first(connection)?;
            if count > 0 {
                waiting.push((name.to_owned(), count, since));
            }
        }
        Ok(waiting)
    }

    /// Counts webhooks that were disabled because all deliveries failed, and those that fail at present.
    pub(crate) fn failing_webhooks(&self) -> Result<(i64, i64), StoreError> {
        let connection = &mut *self.connection()?;
        let enabled = webhooks::table.filter(webhooks::disabled_at.is_null());
        Ok((
            webhooks::table
                .filter(webhooks::disabled_at.is_not_null())
                .count()
                .get_result(connection)?,
            enabled
                .filter(webhooks::failing_since.is_not_null())
                .count()
                .get_result(connection)?,
        ))
    }

    /// Counts valid tokens with the scope `admin` that never expire.
    pub(crate) fn endless_admin_tokens(&self) -> Result<i64, StoreError> {
        let connection = &mut *self.connection()?;
        Ok(tokens::table
            .filter(tokens::scopes.like("%admin%"))
            .filter(tokens::revoked_at.is_null())
            .filter(tokens::expires_at.is_null())
            .count()
            .get_result(connection)?)
    }

    /// Searches the last events of games that were played here for times that go back.
    pub(crate) fn find_disorder(&self) -> Result<Disorder, StoreError> {
        let connection = &mut *self.connection()?;
        let query = format!(
            "SELECT count(*) AS count, CAST(coalesce(max(back), 0) AS BIGINT) AS largest FROM (\
             SELECT lag(e.at) OVER (ORDER BY e.position) - e.at AS back FROM events e \
             JOIN games g ON g.number = e.game WHERE g.source = 'service' AND e.position > 0 \
             AND e.position > (SELECT position FROM log_end WHERE id = 1) - {LAST_EVENTS}) steps \
             WHERE back > {TOLERANCE}"
        );
        Ok(diesel::sql_query(query).get_result(connection)?)
    }

    /// Returns the settings of a PostgreSQL server that keep acknowledged writes, but are off.
    pub(crate) fn disabled_durability(&self) -> Result<Vec<String>, StoreError> {
        let connection = &mut *self.connection()?;
        if let AnyConnection::Sqlite(_) = connection {
            return Ok(Vec::new());
        }
        let query = "SELECT name AS message FROM pg_settings WHERE setting = 'off' \
             AND name IN ('fsync', 'full_page_writes', 'synchronous_commit') ORDER BY name";
        let found: Vec<Message> = diesel::sql_query(query).load(connection)?;
        Ok(found.into_iter().map(|found| found.message).collect())
    }

    /// Returns the size of a PostgreSQL database in bytes.
    pub(crate) fn postgres_size(&self) -> Result<Option<i64>, StoreError> {
        #[derive(QueryableByName)]
        struct Size {
            #[diesel(sql_type = BigInt)]
            size: i64,
        }
        let connection = &mut *self.connection()?;
        if let AnyConnection::Sqlite(_) = connection {
            return Ok(None);
        }
        let query = diesel::sql_query("SELECT pg_database_size(current_database()) AS size");
        let Size { size } = query.get_result(connection)?;
        Ok(Some(size))
    }
}
