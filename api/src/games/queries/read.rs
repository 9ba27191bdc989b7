//! Reads games, their events, and finished games.

use std::collections::BTreeSet;

use diesel::prelude::*;
use diesel::result::Error as DieselError;
use uuid::Uuid;

use crate::accounts::queries::handles;
use crate::db::answers::{KeptRequest, keep_answer};
use crate::db::connection::AnyConnection;
use crate::db::schema::{biddings, chats, events, games, league_games, log_end, seats};
use crate::db::versions::next_version;
use crate::db::{Store, StoreError};
use crate::games::bidding::Bidding;
use crate::games::model::{LogRow, Seat, SeatedGame, Visibility};
use crate::games::queries::rows::{EventColumns, GameRow, Place, SeatRow, log_rows};

impl Store {
    /// Returns a game with its seats in order; `None` if there is no such game.
    ///
    /// # Errors
    /// [`StoreError::Damaged`] if the stored game cannot be read, or the error of the database.
    pub fn game(&self, id: Uuid) -> Result<Option<SeatedGame>, StoreError> {
        let connection = &mut *self.connection()?;
        let id = id.to_string();
        // One transaction, so that the game and its seats are of the same moment.
        let found = connection.transaction(|connection| {
            let game: Option<GameRow> =
                games::table.find(id.clone()).first(connection).optional()?;
            let seats: Vec<SeatRow> = seats::table
                .filter(seats::game_id.eq(id.clone()))
                .order(seats::seat)
                .load(connection)?;
            let pauses: Option<Option<String>> = league_games::table
                .find(id.clone())
                .select(league_games::pauses)
                .first(connection)
                .optional()?;
            let chat: Option<(i64, i64)> = chats::table
                .find(id.clone())
                .select((chats::is_off, chats::last_message))
                .first(connection)
                .optional()?;
            let bidding = bidding_text(connection, &id)?;
            QueryResult::Ok(game.map(|game| (game, seats, pauses.flatten(), (chat, bidding))))
        });
        match found.map_err(|error| unreadable(&id, error))? {
            None => Ok(None),
            Some((game, seats, pauses, (chat, bidding))) => {
                let mut found = with_seats(game, seats)?;
                found.0.bidding = bidding.map(|text| read_bidding(&id, &text)).transpose()?;
                if let Some((is_off, last)) = chat {
                    found.0.chat_off = is_off == 1;
                    found.0.last_message = last.unsigned_abs();
                }
                if let Some(pauses) = pauses {
                    let pauses = serde_json::from_str(&pauses);
                    found.0.pauses = pauses.map_err(|error| StoreError::Damaged {
                        id: id.clone(),
                        message: format!("the pauses of the game cannot be read: {error}"),
                    })?;
                }
                load_handles(connection, &mut found.1)?;
                Ok(Some(found))
            }
        }
    }

    /// Returns the bidding for the seats of a game.
    pub(in crate::games) fn bidding(&self, id: Uuid) -> Result<Option<Bidding>, StoreError> {
        let (connection, id) = (&mut *self.connection()?, id.to_string());
        let text = bidding_text(connection, &id)?;
        text.map(|text| read_bidding(&id, &text)).transpose()
    }

    /// Returns the version of a game; `None` if there is no such game.
    pub(in crate::games) fn version(&self, id: Uuid) -> Result<Option<i64>, StoreError> {
        let connection = &mut *self.connection()?;
        Ok(games::table
            .find(id.to_string())
            .select(games::version)
            .first(connection)
            .optional()?)
    }

    /// Returns games with a greater version, each with its version, in order.
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

    /// Returns the greatest version of any game.
    pub(in crate::games) fn last_version(&self) -> Result<i64, StoreError> {
        let connection = &mut *self.connection()?;
        Ok(log_end::table
            .find(1)
            .select(log_end::version)
            .first(connection)?)
    }

    /// Returns the events of a game up to `last` inclusive (all for `None`), in order.
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

    /// Returns finished games after a position of the log of all games, in order, with some visibilities.
    /// Each has the position of its last event.
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

    /// Returns the position of the last event of a finished public game; `None` if there is no such game.
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

    /// Returns when a finished game was recorded, in microseconds since 1970, and who may see it.
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
            // An unreadable visibility counts as private.
            let visibility = Visibility::by_name(&visibility).unwrap_or(Visibility::Private);
            (recorded.unwrap_or(updated), visibility)
        }))
    }

    /// Returns the stored ids of those games whose texts an administrator has hidden.
    pub(in crate::games) fn games_with_hidden_texts(
        &self,
        ids: impl IntoIterator<Item = Uuid>,
    ) -> Result<BTreeSet<String>, StoreError> {
        let connection = &mut *self.connection()?;
        let ids: Vec<String> = ids.into_iter().map(|id| id.to_string()).collect();
        let mut hidden = BTreeSet::new();
        for part in ids.chunks(500) {
            let part = games::table.filter(games::id.eq_any(part));
            let part = part.filter(games::texts_hidden.eq(1)).select(games::id);
            hidden.extend(part.load::<String>(connection)?);
        }
        Ok(hidden)
    }

    /// Hides the texts of a game, or shows them again. Returns false if there is no such game.
    pub(crate) fn set_texts_hidden(
        &self,
        id: Uuid,
        hidden: bool,
        kept: KeptRequest,
    ) -> Result<bool, StoreError> {
        self.write(move |connection| {
            let version = next_version(connection)?;
            let changed = diesel::update(games::table.find(id.to_string()))
                .set((
                    games::texts_hidden.eq(i64::from(hidden)),
                    games::version.eq(version),
                ))
                .execute(connection)?;
            if changed == 0 {
                return Ok(false);
            }
            keep_answer(connection, kept)?;
            Ok(true)
        })
    }

    /// Returns the entries about seats in the log of a game, by its number, in order.
    pub(crate) fn seatings(&self, game: i64) -> Result<Vec<String>, StoreError> {
        let connection = &mut *self.connection()?;
        Ok(events::table
            .filter(events::game.eq(game))
            .filter(events::notation.like("seat %"))
            .order(events::seq)
            .select(events::notation)
            .load(connection)?)
    }

    /// Returns the end of the log of all games; 0 if it is empty. The readiness check uses it too.
    pub fn last_position(&self) -> Result<i64, StoreError> {
        let connection = &mut *self.connection()?;
        last_position(connection)
    }
}

/// Returns the end of the log of all games.
pub(crate) fn last_position(connection: &mut AnyConnection) -> Result<i64, StoreError> {
    let end = log_end::table.find(1).select(log_end::position);
    Ok(end.first(connection)?)
}

pub(crate) fn with_seats(game: GameRow, seats: Vec<SeatRow>) -> Result<SeatedGame, StoreError> {
    let seats: Result<Vec<Seat>, StoreError> = seats.into_iter().map(SeatRow::seat).collect();
    Ok((game.game()?, seats?))
}

fn bidding_text(connection: &mut AnyConnection, id: &str) -> QueryResult<Option<String>> {
    biddings::table
        .find(id)
        .select(biddings::bidding)
        .first(connection)
        .optional()
}

/// Parses the bidding for the seats of a game.
pub(crate) fn read_bidding(id: &str, text: &str) -> Result<Bidding, StoreError> {
    serde_json::from_str(text).map_err(|error| StoreError::Damaged {
        id: id.to_owned(),
        message: format!("the bids for seats cannot be read: {error}"),
    })
}

/// Converts an error of the database. A column of a wrong type means that the game is damaged.
pub(crate) fn unreadable(id: &str, error: DieselError) -> StoreError {
    match error {
        DieselError::DeserializationError(error) => StoreError::Damaged {
            id: id.to_owned(),
            message: error.to_string(),
        },
        other => StoreError::Query(other),
    }
}

/// Sets the present handles of the accounts on seats.
pub(crate) fn load_handles<'a>(
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
