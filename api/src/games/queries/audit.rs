//! Reads every row once, for audits.

use diesel::connection::SimpleConnection;
use diesel::dsl::{count_star, exists, not};
use diesel::prelude::*;

use crate::db::connection::AnyConnection;
use crate::db::schema::{biddings, events, game_players, games, seats};
use crate::db::{Store, StoreError};
use crate::games::model::{LogRow, SeatedGame};
use crate::games::queries::players::PlayerRow;
use crate::games::queries::read::{last_position, read_bidding, unreadable, with_seats};
use crate::games::queries::rows::{EventColumns, GameRow, Place, SeatRow, log_rows};

/// A game with all of its rows.
#[derive(Clone, Debug)]
pub struct WholeGame {
    /// The number by which events name it.
    pub number: i64,
    /// The stored id.
    pub id: String,
    /// The row, the seats and the log, or the error of reading them.
    pub content: Result<(SeatedGame, Vec<LogRow>), String>,
    /// The rows by which lists filter it.
    pub listed: ListRows,
    /// The end of the log of all games at the time of reading.
    pub end: i64,
}

/// The rows by which lists filter a game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ListRows {
    /// The position of a finished game's last event in the log of all games.
    pub finished_position: Option<i64>,
    /// The number of its last round, once the projection `lists` has processed it.
    pub rounds: Option<i64>,
    /// Why it ended.
    pub reason: Option<String>,
    /// Its players.
    pub players: Vec<PlayerRow>,
}

/// The numbers of rows, all of the same moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RowCounts {
    /// Games.
    pub games: i64,
    /// Seats.
    pub seats: i64,
    /// Events.
    pub events: i64,
    /// The last assigned position.
    pub end: i64,
    /// Events without a game.
    pub events_of_no_game: i64,
    /// Seats without a game.
    pub seats_of_no_game: i64,
    /// Rows of `game_players` without a game.
    pub players_of_no_game: i64,
}

/// Runs `work` in a transaction that sees the database at one moment.
pub(crate) fn at_one_moment<T>(
    connection: &mut AnyConnection,
    work: impl FnOnce(&mut AnyConnection) -> Result<T, StoreError>,
) -> Result<T, StoreError> {
    connection.transaction(|connection| {
        if let AnyConnection::Postgres(postgres) = connection {
            // A SQLite transaction sees the state of its first read without this setting.
            postgres.batch_execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")?;
        }
        work(connection)
    })
}

impl Store {
    /// Counts every row.
    pub(in crate::games) fn count_rows(&self) -> Result<RowCounts, StoreError> {
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

    /// Returns games with a greater number, in order, each with its seats and its log.
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
    let bidding: Option<String> = biddings::table
        .find(id.to_owned())
        .select(biddings::bidding)
        .first(connection)
        .optional()?;
    let mut whole = with_seats(game, seats)?;
    whole.0.bidding = bidding.map(|text| read_bidding(id, &text)).transpose()?;
    Ok((whole, rows))
}
