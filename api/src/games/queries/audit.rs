//! Reading every row once, to account for it.

use diesel::connection::SimpleConnection;
use diesel::dsl::{count_star, exists, not};
use diesel::prelude::*;

use crate::db::connection::AnyConnection;
use crate::db::schema::{events, game_players, games, seats};
use crate::db::{Store, StoreError};
use crate::games::model::{LogRow, SeatedGame};
use crate::games::queries::players::PlayerRow;
use crate::games::queries::read::{last_position, unreadable, with_seats};
use crate::games::queries::rows::{EventColumns, GameRow, Place, SeatRow, log_rows};

/// A game with everything that is kept of it.
#[derive(Clone, Debug)]
pub struct WholeGame {
    /// By what events name it.
    pub number: i64,
    /// Its id as it is stored.
    pub id: String,
    /// Its row, seats and log; or why they cannot be read.
    pub content: Result<(SeatedGame, Vec<LogRow>), String>,
    /// By what lists find it.
    pub listed: ListRows,
    /// The end of the log of all games at that moment.
    pub end: i64,
}

/// The rows by which lists find a game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ListRows {
    /// Of a finished game the position of its last event in the log of all games.
    pub finished_position: Option<i64>,
    /// Its last round, and why it ended, once lists find it by what happened in it.
    pub rounds: Option<i64>,
    /// Why it ended.
    pub reason: Option<String>,
    /// Its players.
    pub players: Vec<PlayerRow>,
}

/// How many rows there are and where they stand, all as at one moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RowCounts {
    /// Games.
    pub games: i64,
    /// Seats.
    pub seats: i64,
    /// Events.
    pub events: i64,
    /// The last place that was given away.
    pub end: i64,
    /// Events that name no game.
    pub events_of_no_game: i64,
    /// Seats of no game.
    pub seats_of_no_game: i64,
    /// Rows of `game_players` of no game.
    pub players_of_no_game: i64,
}

/// Does work that sees the database as at one moment.
pub(crate) fn at_one_moment<T>(
    connection: &mut AnyConnection,
    work: impl FnOnce(&mut AnyConnection) -> Result<T, StoreError>,
) -> Result<T, StoreError> {
    connection.transaction(|connection| {
        if let AnyConnection::Postgres(postgres) = connection {
            // SQLite reads what was there at the transaction's first look without being asked.
            postgres.batch_execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")?;
        }
        work(connection)
    })
}

impl Store {
    /// Counts every row.
    pub(in crate::games) fn account(&self) -> Result<RowCounts, StoreError> {
        at_one_moment(&mut *self.connection()?, |connection| {
            let known = games::table.filter(games::number.eq(events::game));
            let seated = games::table.filter(games::id.eq(seats::game_id));
            Ok(RowCounts {
                games: games::table.count().get_result(connection)?,
                seats: seats::table.count().get_result(connection)?,
                events: events::table.select(count_star()).first(connection)?,
                end: last_position(connection)?,
                events_of_no_game: events::table
                    .filter(not(exists(known)))
                    .count()
                    .get_result(connection)?,
                players_of_no_game: game_players::table
                    .filter(not(exists(
                        games::table.filter(games::number.eq(game_players::game)),
                    )))
                    .count()
                    .get_result(connection)?,
                seats_of_no_game: seats::table
                    .filter(not(exists(seated)))
                    .count()
                    .get_result(connection)?,
            })
        })
    }

    /// Games with a number behind the given one, in the order of their numbers, each with its seats and
    /// its log.
    pub(in crate::games) fn whole_games_after(
        &self,
        number: i64,
        limit: i64,
    ) -> Result<Vec<WholeGame>, StoreError> {
        at_one_moment(&mut *self.connection()?, |connection| {
            type Head = (i64, String, Option<i64>, Option<i64>, Option<String>);
            let heads: Vec<Head> = games::table
                .filter(games::number.gt(number))
                .order(games::number)
                .limit(limit)
                .select((
                    games::number,
                    games::id,
                    games::finished_position,
                    games::rounds,
                    games::reason,
                ))
                .load(connection)?;
            let end = last_position(connection)?;
            let each = |(number, id, finished_position, rounds, reason): Head| {
                let content = match content(connection, number, &id) {
                    Ok(content) => Ok(content),
                    Err(StoreError::Damaged { message, .. }) => Err(message),
                    Err(error) => return Err(error),
                };
                let players = game_players::table
                    .filter(game_players::game.eq(number))
                    .order(game_players::seat)
                    .load(connection)?;
                Ok(WholeGame {
                    number,
                    id,
                    content,
                    listed: ListRows {
                        finished_position,
                        rounds,
                        reason,
                        players,
                    },
                    end,
                })
            };
            heads.into_iter().map(each).collect()
        })
    }
}

fn content(
    connection: &mut AnyConnection,
    number: i64,
    id: &str,
) -> Result<(SeatedGame, Vec<LogRow>), StoreError> {
    let damaged = |error| unreadable(id, error);
    let game: GameRow = games::table
        .filter(games::number.eq(number))
        .first(connection)
        .map_err(damaged)?;
    let seats: Vec<SeatRow> = seats::table
        .filter(seats::game_id.eq(id.to_owned()))
        .order(seats::seat)
        .load(connection)
        .map_err(damaged)?;
    let rows: Vec<EventColumns> = events::table
        .filter(events::game.eq(number))
        .order(events::seq)
        .load(connection)
        .map_err(damaged)?;
    let rows = log_rows(rows, Place::default());
    Ok((with_seats(game, seats)?, rows))
}
