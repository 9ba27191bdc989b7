//! Queries.

use diesel::prelude::*;
use diesel::result::Error as DieselError;
use uuid::Uuid;

use crate::accounts::queries::handles;
use crate::db::connection::AnyConnection;
use crate::db::schema::{events, games, log_end, seats};
use crate::db::{Store, StoreError};
use crate::games::model::{LogRow, Seat, SeatedGame, Visibility};
use crate::games::queries::rows::{EventColumns, GameRow, Place, SeatRow, log_rows};

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
            Some((game, seats)) => {
                let mut found = with_seats(game, seats)?;
                call_by_handles(connection, &mut found.1)?;
                Ok(Some(found))
            }
        }
    }

    /// The version of a game; `None` when there is no such game.
    pub(in crate::games) fn version(&self, id: Uuid) -> Result<Option<i64>, StoreError> {
        let connection = &mut *self.connection()?;
        Ok(games::table
            .find(id.to_string())
            .select(games::version)
            .first(connection)
            .optional()?)
    }

    /// Games with a version behind the given one, each with its version, in their order.
    pub(in crate::games) fn changed_after(
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
    pub(in crate::games) fn last_version(&self) -> Result<i64, StoreError> {
        let connection = &mut *self.connection()?;
        Ok(log_end::table
            .find(1)
            .select(log_end::version)
            .first(connection)?)
    }

    /// The events of a game up to and with `last`, all of them for `None`, in order.
    pub(in crate::games) fn events(
        &self,
        id: Uuid,
        last: Option<u64>,
    ) -> Result<Vec<LogRow>, StoreError> {
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
        Ok(log_rows(rows, Place::default()))
    }

    /// Finished games whose last event stands behind a position of the log of all games, with the
    /// position of that event, in order, as far as they are seen by those who are named.
    pub(in crate::games) fn finished_after(
        &self,
        position: i64,
        limit: i64,
        shown: &[Visibility],
    ) -> Result<Vec<(String, i64)>, StoreError> {
        let connection = &mut *self.connection()?;
        let shown: Vec<&str> = shown.iter().map(|visibility| visibility.name()).collect();
        Ok(games::table
            .filter(games::visibility.eq_any(shown))
            .filter(games::finished_position.gt(position))
            .order(games::finished_position)
            .limit(limit)
            .select((games::id, games::finished_position.assume_not_null()))
            .load(connection)?)
    }

    /// The position of the last event of a finished game that everybody may see; nothing when there is none.
    pub(in crate::games) fn finished_at(&self, id: Uuid) -> Result<Option<i64>, StoreError> {
        let connection = &mut *self.connection()?;
        let found = games::table
            .find(id.to_string())
            .filter(games::visibility.eq(Visibility::Public.name()))
            .filter(games::finished_position.is_not_null())
            .select(games::finished_position.assume_not_null())
            .first(connection);
        Ok(found.optional()?)
    }

    /// When a finished game was recorded, in microseconds since 1970, and who may see it; nothing when there is
    /// none.
    pub(in crate::games) fn recorded(
        &self,
        id: Uuid,
    ) -> Result<Option<(i64, Visibility)>, StoreError> {
        let connection = &mut *self.connection()?;
        let found: Option<(Option<i64>, i64, String)> = games::table
            .find(id.to_string())
            .select((games::recorded_at, games::updated_at, games::visibility))
            .first(connection)
            .optional()?;
        Ok(found.map(|(recorded, updated, visibility)| {
            // One that cannot be read is nobody's to see.
            let visibility = Visibility::by_name(&visibility).unwrap_or(Visibility::Private);
            (recorded.unwrap_or(updated), visibility)
        }))
    }

    /// What the log of a game, by its number, says of seats behind its setup, in order.
    pub(crate) fn seatings(&self, game: i64) -> Result<Vec<String>, StoreError> {
        let connection = &mut *self.connection()?;
        Ok(events::table
            .filter(events::game.eq(game))
            .filter(events::notation.like("seat %"))
            .order(events::seq)
            .select(events::notation)
            .load(connection)?)
    }

    /// The end of the log of all games; 0 when it is empty. Also how readiness is asked.
    pub fn last_position(&self) -> Result<i64, StoreError> {
        let connection = &mut *self.connection()?;
        last_position(connection)
    }
}

/// The end of the log of all games.
pub(crate) fn last_position(connection: &mut AnyConnection) -> Result<i64, StoreError> {
    let end = log_end::table.find(1).select(log_end::position);
    Ok(end.first(connection)?)
}

pub(crate) fn with_seats(game: GameRow, seats: Vec<SeatRow>) -> Result<SeatedGame, StoreError> {
    let seats: Result<Vec<Seat>, StoreError> = seats.into_iter().map(SeatRow::seat).collect();
    Ok((game.game()?, seats?))
}

/// A column of another type is the game's fault, not the database's.
pub(crate) fn unreadable(id: &str, error: DieselError) -> StoreError {
    match error {
        DieselError::DeserializationError(error) => StoreError::Damaged {
            id: id.to_owned(),
            message: error.to_string(),
        },
        other => StoreError::Query(other),
    }
}

/// Calls the accounts on seats by their handles of now.
pub(crate) fn call_by_handles<'a>(
    connection: &mut AnyConnection,
    seats: impl IntoIterator<Item = &'a mut Seat>,
) -> Result<(), StoreError> {
    let mut played: Vec<(String, &mut Seat)> = (seats.into_iter())
        .filter_map(|seat| Some((seat.account()?.to_string(), seat)))
        .collect();
    let mut ids: Vec<String> = played.iter().map(|(id, _)| id.clone()).collect();
    ids.sort_unstable();
    ids.dedup();
    let handles = handles(connection, &ids)?;
    for (id, seat) in &mut played {
        seat.handle = handles.get(id).cloned();
    }
    Ok(())
}
