//! Queries.

use diesel::dsl::{exists, max};
use diesel::prelude::*;

use super::rows::{EventColumns, GameRow, IdempotencyRow, SeatRow, StoredEvent};
use super::schema::{events, games, idempotency_keys, seats};
use super::{Store, StoreError};

/// Which games are asked for; what is `None` does not matter.
#[derive(Clone, Debug, Default)]
pub struct GameFilter {
    /// The edition.
    pub edition: Option<String>,
    /// The board.
    pub board: Option<String>,
    /// The status.
    pub status: Option<String>,
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
        if let Some(status) = filter.status.clone() {
            query = query.filter(games::status.eq(status));
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
    /// When the database fails, as with all queries here.
    pub fn game(&self, id: &str) -> Result<Option<(GameRow, Vec<SeatRow>)>, StoreError> {
        let connection = &mut *self.connection()?;
        // Both in one transaction, so that they belong together.
        Ok(connection.transaction(|connection| {
            let game: Option<GameRow> = games::table
                .find(id.to_owned())
                .first(connection)
                .optional()?;
            let Some(game) = game else {
                return QueryResult::Ok(None);
            };
            let seats = seats::table
                .filter(seats::game_id.eq(id.to_owned()))
                .order(seats::seat)
                .load(connection)?;
            Ok(Some((game, seats)))
        })?)
    }

    /// The last event of a game; `None` when there is no such game.
    ///
    /// # Errors
    /// When the database fails.
    pub fn seq(&self, id: &str) -> Result<Option<i64>, StoreError> {
        let connection = &mut *self.connection()?;
        Ok(games::table
            .find(id.to_owned())
            .select(games::seq)
            .first(connection)
            .optional()?)
    }

    /// Games that fit the filter, newest first, those older than the game `before`.
    ///
    /// # Errors
    /// When the database fails.
    pub fn games(
        &self,
        filter: &GameFilter,
        before: Option<&str>,
        limit: i64,
    ) -> Result<Vec<(GameRow, Vec<SeatRow>)>, StoreError> {
        let connection = &mut *self.connection()?;
        let mut query = filtered!(filter);
        if let Some(before) = before {
            query = query.filter(games::id.lt(before.to_owned()));
        }
        let found: Vec<GameRow> = query
            .order(games::id.desc())
            .limit(limit)
            .load(connection)?;
        let ids: Vec<String> = found.iter().map(|game| game.id.clone()).collect();
        let mut all: Vec<SeatRow> = seats::table
            .filter(seats::game_id.eq_any(ids))
            .order((seats::game_id.desc(), seats::seat))
            .load(connection)?;
        let with_seats = |game: GameRow| {
            let others = all.split_off(all.partition_point(|seat| seat.game_id >= game.id));
            (game, std::mem::replace(&mut all, others))
        };
        Ok(found.into_iter().map(with_seats).collect())
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
    pub fn events(&self, id: &str, last: Option<i64>) -> Result<Vec<StoredEvent>, StoreError> {
        let connection = &mut *self.connection()?;
        let number: Option<i64> = games::table
            .find(id.to_owned())
            .select(games::number)
            .first(connection)
            .optional()?;
        let Some(number) = number else {
            return Ok(Vec::new());
        };
        let rows: Vec<EventColumns> = events::table
            .filter(events::game.eq(number))
            .filter(events::seq.le(last.unwrap_or(i64::MAX)))
            .order(events::seq)
            .load(connection)?;
        Ok(rows
            .into_iter()
            .map(|row| row.event(id.to_owned()))
            .collect())
    }

    /// Events of all games behind a position of the log of all games, in order.
    ///
    /// # Errors
    /// When the database fails.
    pub fn events_after(&self, position: i64, limit: i64) -> Result<Vec<StoredEvent>, StoreError> {
        let connection = &mut *self.connection()?;
        let rows: Vec<(EventColumns, String)> = events::table
            .inner_join(games::table.on(games::number.eq(events::game)))
            .filter(events::position.gt(position))
            .order(events::position)
            .limit(limit)
            .select((events::all_columns, games::id))
            .load(connection)?;
        Ok(rows.into_iter().map(|(row, id)| row.event(id)).collect())
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
        Ok(events::table
            .inner_join(games::table.on(games::number.eq(events::game)))
            .filter(games::status.eq("finished"))
            .filter(events::seq.eq(games::seq))
            .filter(events::position.gt(position))
            .order(events::position)
            .limit(limit)
            .select((games::id, events::position))
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
    pub fn kept_answer(
        &self,
        caller: &str,
        key: &str,
    ) -> Result<Option<IdempotencyRow>, StoreError> {
        let connection = &mut *self.connection()?;
        Ok(idempotency_keys::table
            .find((caller.to_owned(), key.to_owned()))
            .first(connection)
            .optional()?)
    }
}
