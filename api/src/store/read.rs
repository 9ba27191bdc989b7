//! Queries.

use diesel::dsl::{exists, max};
use diesel::prelude::*;
use diesel::result::Error as DieselError;
use uuid::Uuid;

use super::game::{KeptAnswer, LogRow, Seat, SeatedGame, Status};
use super::rows::{AnswerRow, EventColumns, GameRow, SeatRow};
use super::schema::{events, games, idempotency_keys, log_end, seats};
use super::{Store, StoreError};

/// Which games are asked for; what is `None` does not matter.
#[derive(Clone, Debug, Default)]
pub struct GameFilter {
    /// The edition.
    pub edition: Option<String>,
    /// The board.
    pub board: Option<String>,
    /// The status.
    pub status: Option<Status>,
    /// An account that sits at the table, or the name of a bot that does.
    pub player: Option<String>,
    /// The league.
    pub league: Option<String>,
    /// Created at or after, in microseconds.
    pub since: Option<i64>,
    /// Created before, in microseconds.
    pub until: Option<i64>,
}

/// The query for games that fit a filter.
macro_rules! filtered {
    ($filter:expr) => {{
        let filter: &GameFilter = $filter;
        let mut query = games::table.into_boxed();
        if let Some(edition) = filter.edition.clone() {
            query = query.filter(games::edition.eq(edition));
        }
        if let Some(board) = filter.board.clone() {
            query = query.filter(games::board.eq(board));
        }
        if let Some(status) = filter.status {
            query = query.filter(games::status.eq(status.name()));
        }
        if let Some(league) = filter.league.clone() {
            query = query.filter(games::league.eq(league));
        }
        if let Some(since) = filter.since {
            query = query.filter(games::created_at.ge(since));
        }
        if let Some(until) = filter.until {
            query = query.filter(games::created_at.lt(until));
        }
        if let Some(player) = filter.player.clone() {
            let sits = seats::table.filter(seats::game_id.eq(games::id)).filter(
                seats::player_id
                    .eq(player.clone())
                    .or(seats::name.eq(player)),
            );
            query = query.filter(exists(sits));
        }
        query
    }};
}

impl Store {
    /// A game with its seats in order; `None` when there is no such game.
    ///
    /// # Errors
    /// [`StoreError::Damaged`] when what is stored cannot be read; when the database fails, as with all
    /// queries here.
    pub fn game(&self, id: Uuid) -> Result<Option<SeatedGame>, StoreError> {
        let connection = &mut *self.connection()?;
        let id = id.to_string();
        // Both in one transaction, so that they belong together.
        let found = connection.transaction(|connection| {
            let game: Option<GameRow> =
                games::table.find(id.clone()).first(connection).optional()?;
            let seats: Vec<SeatRow> = seats::table
                .filter(seats::game_id.eq(id.clone()))
                .order(seats::seat)
                .load(connection)?;
            QueryResult::Ok(game.map(|game| (game, seats)))
        });
        match found.map_err(|error| unreadable(&id, error))? {
            None => Ok(None),
            Some((game, seats)) => Ok(Some(with_seats(game, seats)?)),
        }
    }

    /// The version of a game; `None` when there is no such game.
    ///
    /// # Errors
    /// When the database fails.
    pub fn version(&self, id: Uuid) -> Result<Option<i64>, StoreError> {
        let connection = &mut *self.connection()?;
        Ok(games::table
            .find(id.to_string())
            .select(games::version)
            .first(connection)
            .optional()?)
    }

    /// Games with a version behind the given one, each with its version, in their order.
    ///
    /// # Errors
    /// When the database fails.
    pub fn changed_after(
        &self,
        version: i64,
        limit: i64,
    ) -> Result<Vec<(String, i64)>, StoreError> {
        let connection = &mut *self.connection()?;
        Ok(games::table
            .filter(games::version.gt(version))
            .order(games::version)
            .limit(limit)
            .select((games::id, games::version))
            .load(connection)?)
    }

    /// The last version that any game has got.
    ///
    /// # Errors
    /// When the database fails.
    pub fn last_version(&self) -> Result<i64, StoreError> {
        let connection = &mut *self.connection()?;
        Ok(log_end::table
            .find(1)
            .select(log_end::version)
            .first(connection)?)
    }

    /// Games that fit the filter, newest first, those older than the game `before`; each by itself, for
    /// one may be damaged.
    ///
    /// # Errors
    /// When the database fails.
    pub fn games(
        &self,
        filter: &GameFilter,
        before: Option<Uuid>,
        limit: i64,
    ) -> Result<Vec<Result<SeatedGame, StoreError>>, StoreError> {
        let connection = &mut *self.connection()?;
        let mut query = filtered!(filter);
        if let Some(before) = before {
            query = query.filter(games::id.lt(before.to_string()));
        }
        let found: Vec<GameRow> = query
            .order(games::id.desc())
            .limit(limit)
            .load(connection)?;
        let ids: Vec<String> = found.iter().map(|game| game.id().to_owned()).collect();
        let all: Vec<SeatRow> = seats::table
            .filter(seats::game_id.eq_any(ids))
            .order((seats::game_id.desc(), seats::seat))
            .load(connection)?;
        let mut all = all.into_iter().peekable();
        let with_own = |game: GameRow| {
            let own = std::iter::from_fn(|| all.next_if(|seat| seat.game_id() == game.id()));
            let own = own.collect();
            with_seats(game, own)
        };
        Ok(found.into_iter().map(with_own).collect())
    }

    /// How many games fit the filter.
    ///
    /// # Errors
    /// When the database fails.
    pub fn count_games(&self, filter: &GameFilter) -> Result<i64, StoreError> {
        let connection = &mut *self.connection()?;
        Ok(filtered!(filter).count().get_result(connection)?)
    }

    /// Running games in which the next decision is a bot's or a standing order's.
    ///
    /// # Errors
    /// When the database fails.
    pub fn games_with_bot_due(&self) -> Result<Vec<String>, StoreError> {
        let connection = &mut *self.connection()?;
        Ok(games::table
            .filter(games::bot_due.eq(1))
            .order(games::id)
            .select(games::id)
            .load(connection)?)
    }

    /// The events of a game up to and with `last`, all of them for `None`, in order.
    ///
    /// # Errors
    /// When the database fails.
    pub fn events(&self, id: Uuid, last: Option<u64>) -> Result<Vec<LogRow>, StoreError> {
        let connection = &mut *self.connection()?;
        let number: Option<i64> = games::table
            .find(id.to_string())
            .select(games::number)
            .first(connection)
            .optional()?;
        let Some(number) = number else {
            return Ok(Vec::new());
        };
        let rows: Vec<EventColumns> = events::table
            .filter(events::game.eq(number))
            .filter(events::seq.le(last.map_or(i64::MAX, |last| last as i64)))
            .order(events::seq)
            .load(connection)
            .map_err(|error| unreadable(&id.to_string(), error))?;
        Ok(rows.into_iter().map(EventColumns::row).collect())
    }

    /// Finished games whose last event stands behind a position of the log of all games, with the
    /// position of that event, in order.
    ///
    /// # Errors
    /// When the database fails.
    pub fn finished_after(
        &self,
        position: i64,
        limit: i64,
    ) -> Result<Vec<(String, i64)>, StoreError> {
        let connection = &mut *self.connection()?;
        Ok(games::table
            .filter(games::finished_position.gt(position))
            .order(games::finished_position)
            .limit(limit)
            .select((games::id, games::finished_position.assume_not_null()))
            .load(connection)?)
    }

    /// The end of the log of all games; 0 when it is empty. Also how readiness is asked.
    ///
    /// # Errors
    /// When the database fails.
    pub fn last_position(&self) -> Result<i64, StoreError> {
        let connection = &mut *self.connection()?;
        let last: Option<i64> = events::table
            .select(max(events::position))
            .first(connection)?;
        Ok(last.unwrap_or(0))
    }

    /// The kept answer for a caller's key.
    ///
    /// # Errors
    /// When the database fails.
    pub fn kept_answer(&self, caller: &str, key: &str) -> Result<Option<KeptAnswer>, StoreError> {
        let connection = &mut *self.connection()?;
        let found: Option<AnswerRow> = idempotency_keys::table
            .find((caller.to_owned(), key.to_owned()))
            .first(connection)
            .optional()?;
        Ok(found.map(KeptAnswer::from))
    }
}

fn with_seats(game: GameRow, seats: Vec<SeatRow>) -> Result<SeatedGame, StoreError> {
    let seats: Result<Vec<Seat>, StoreError> = seats.into_iter().map(SeatRow::seat).collect();
    Ok((game.game()?, seats?))
}

/// A column of another type is the game's fault, not the database's.
pub(super) fn unreadable(id: &str, error: DieselError) -> StoreError {
    match error {
        DieselError::DeserializationError(error) => StoreError::Damaged {
            id: id.to_owned(),
            message: error.to_string(),
        },
        other => StoreError::Query(other),
    }
}
