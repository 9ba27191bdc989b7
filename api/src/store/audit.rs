//! Reading every row once, to account for it.

use diesel::connection::SimpleConnection;
use diesel::dsl::{count_star, exists, not};
use diesel::prelude::*;

use super::connection::AnyConnection;
use super::game::{LogRow, SeatedGame};
use super::read::{last_position, unreadable, with_seats};
use super::rows::{EventColumns, GameRow, Place, SeatRow, log_rows};
use super::schema::{events, games, seats};
use super::{Store, StoreError};

/// A game with everything that is kept of it.
#[derive(Clone, Debug)]
pub struct WholeGame {
    /// By what events name it.
    pub number: i64,
    /// Its id as it is stored.
    pub id: String,
    /// Its row, seats and log; or why they cannot be read.
    pub content: Result<(SeatedGame, Vec<LogRow>), String>,
    /// Where its last event stands in the log of all games, as its row says.
    pub finished_position: Option<i64>,
    /// The end of the log of all games at that moment.
    pub end: i64,
}

/// How many rows there are and where they stand, all as at one moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Account {
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
}

/// What lists of games are filtered by, and what of it does not follow from the seats: for each kind of row a condition
/// under which it is kept, and one under which it is missing. `LOWER` makes small letters of A to Z.
const LISTS: [(&str, &str); 4] = [
    (
        "rows of players do not follow from the seats of games",
        "players AS kept WHERE NOT EXISTS (SELECT 1 FROM seats JOIN games ON games.id = seats.game_id \
         WHERE seats.game_id = kept.game_id AND seats.kind <> 'open' \
         AND coalesce(seats.player_id, seats.name) = kept.player AND games.created_at = kept.created_at \
         AND games.edition = kept.edition AND games.board = kept.board AND games.status = kept.status \
         AND games.visibility = kept.visibility AND coalesce(games.league, '') = coalesce(kept.league, ''))",
    ),
    (
        "players of seats are not in the list of players",
        "seats JOIN games ON games.id = seats.game_id WHERE seats.kind <> 'open' \
         AND coalesce(seats.player_id, seats.name) IS NOT NULL AND NOT EXISTS (SELECT 1 FROM players \
         WHERE players.player = coalesce(seats.player_id, seats.name) \
         AND players.created_at = games.created_at AND players.game_id = games.id)",
    ),
    (
        "rows of names do not follow from the seats of games",
        "names AS kept WHERE NOT EXISTS (SELECT 1 FROM seats JOIN games ON games.id = seats.game_id \
         WHERE seats.game_id = kept.game_id AND seats.kind = 'person' AND LOWER(seats.name) = kept.name \
         AND games.created_at = kept.created_at)",
    ),
    (
        "names of seats are not in the list of names",
        "seats JOIN games ON games.id = seats.game_id WHERE seats.kind = 'person' AND seats.name IS NOT NULL \
         AND NOT EXISTS (SELECT 1 FROM names WHERE names.name = LOWER(seats.name) \
         AND names.created_at = games.created_at AND names.game_id = games.id)",
    ),
];

#[derive(QueryableByName)]
struct Counted {
    #[diesel(sql_type = diesel::sql_types::BigInt)]
    count: i64,
}

/// Does work that sees the database as at one moment.
pub(super) fn at_one_moment<T>(
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
    pub fn account(&self) -> Result<Account, StoreError> {
        at_one_moment(&mut *self.connection()?, |connection| {
            let known = games::table.filter(games::number.eq(events::game));
            let seated = games::table.filter(games::id.eq(seats::game_id));
            Ok(Account {
                games: games::table.count().get_result(connection)?,
                seats: seats::table.count().get_result(connection)?,
                events: events::table.select(count_star()).first(connection)?,
                end: last_position(connection)?,
                events_of_no_game: events::table
                    .filter(not(exists(known)))
                    .count()
                    .get_result(connection)?,
                seats_of_no_game: seats::table
                    .filter(not(exists(seated)))
                    .count()
                    .get_result(connection)?,
            })
        })
    }

    /// Counts rows by which games are listed and that do not follow from the games; what they are, for each kind.
    pub fn wrong_list_rows(&self) -> Result<Vec<(i64, &'static str)>, StoreError> {
        let connection = &mut *self.connection()?;
        let mut found = Vec::new();
        for (what, rows) in LISTS {
            let rows = match connection {
                AnyConnection::Sqlite(_) => rows.to_owned(),
                // By bytes, as SQLite does.
                AnyConnection::Postgres(_) => {
                    rows.replace("LOWER(seats.name)", "lower(seats.name COLLATE \"C\")")
                }
            };
            let query = format!("SELECT count(*) AS count FROM {rows}");
            let counted: Counted = diesel::sql_query(query).get_result(connection)?;
            if counted.count > 0 {
                found.push((counted.count, what));
            }
        }
        Ok(found)
    }

    /// Games with a number behind the given one, in the order of their numbers, each with its seats and
    /// its log.
    pub fn whole_games_after(&self, number: i64, limit: i64) -> Result<Vec<WholeGame>, StoreError> {
        at_one_moment(&mut *self.connection()?, |connection| {
            let heads: Vec<(i64, String, Option<i64>)> = games::table
                .filter(games::number.gt(number))
                .order(games::number)
                .limit(limit)
                .select((games::number, games::id, games::finished_position))
                .load(connection)?;
            let end = last_position(connection)?;
            let each = |(number, id, finished_position): (i64, String, Option<i64>)| {
                let content = match content(connection, number, &id) {
                    Ok(content) => Ok(content),
                    Err(StoreError::Damaged { message, .. }) => Err(message),
                    Err(error) => return Err(error),
                };
                Ok(WholeGame {
                    number,
                    id,
                    content,
                    finished_position,
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
