//! Reading the log: a game's rows in ranges, and the log of all games.

use std::collections::{HashMap, HashSet};

use diesel::prelude::*;

use super::game::LogRow;
use super::read::unreadable;
use super::rows::EventColumns;
use super::schema::{events, games, seats};
use super::{Store, StoreError};

/// How many places of the log of all games are looked through at once for those that are asked for.
const WINDOW: i64 = 5_000;

/// How many such windows one question looks through.
const WINDOWS: usize = 10;

/// Of which games the events are asked for; what is `None` does not matter.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LogFilter {
    /// An account that sits at the table, or the name of a bot that does.
    pub player: Option<String>,
    /// The league.
    pub league: Option<String>,
}

impl LogFilter {
    /// Whether events of all games are asked for.
    pub fn is_empty(&self) -> bool {
        *self == LogFilter::default()
    }
}

/// A row of the log of all games.
#[derive(Debug)]
pub struct Logged {
    /// The game's id, as it is stored.
    pub game: String,
    /// Position in the log of all games.
    pub position: u64,
    /// The row; an error when what is stored cannot be read.
    pub row: Result<LogRow, StoreError>,
}

/// A part of the log of all games.
#[derive(Debug, Default)]
pub struct LogPart {
    /// Rows in order.
    pub rows: Vec<Logged>,
    /// The position up to which these are all that fit.
    pub reached: u64,
    /// Whether there may be more behind it.
    pub more: bool,
}

impl Store {
    /// The events of the game with a number, from the event `from` up to and with `to`, in order. The
    /// number is that of [`StoredGame`](super::StoredGame).
    ///
    /// # Errors
    /// When the database fails, or has what cannot be read.
    pub fn events_between(
        &self,
        number: i64,
        from: u64,
        to: u64,
    ) -> Result<Vec<LogRow>, StoreError> {
        let connection = &mut *self.connection()?;
        let bound = |seq: u64| i64::try_from(seq).unwrap_or(i64::MAX);
        let rows: Vec<EventColumns> = events::table
            .filter(events::game.eq(number))
            .filter(events::seq.ge(bound(from)))
            .filter(events::seq.le(bound(to)))
            .order(events::seq)
            .load(connection)
            .map_err(|error| unreadable(&format!("with the number {number}"), error))?;
        Ok(rows.into_iter().map(EventColumns::row).collect())
    }

    /// Events of the games that fit a filter behind a position of the log of all games, at most
    /// `limit`. Where few games fit, a part may hold less and end before the log does.
    ///
    /// # Errors
    /// When the database fails. A row that cannot be read is told as such.
    pub fn log_part(
        &self,
        filter: &LogFilter,
        after: u64,
        limit: usize,
    ) -> Result<LogPart, StoreError> {
        let connection = &mut *self.connection()?;
        let mut after = i64::try_from(after).unwrap_or(i64::MAX);
        let mut rows: Vec<Logged> = Vec::new();
        let window = match filter.is_empty() {
            // One more tells whether there are more.
            true => limit as i64 + 1,
            false => WINDOW,
        };
        for _ in 0..WINDOWS {
            let places: Vec<(i64, i64)> = events::table
                .filter(events::position.gt(after))
                .order(events::position)
                .limit(window)
                .select((events::position, events::game))
                .load(connection)?;
            let Some((last, _)) = places.last() else {
                let reached = after.max(0) as u64;
                return Ok(LogPart {
                    rows,
                    reached,
                    more: false,
                });
            };
            let is_end = (places.len() as i64) < window;
            after = *last;
            let numbers: HashSet<i64> = places.iter().map(|(_, game)| *game).collect();
            let ids = fitting(connection, filter, numbers)?;
            let fits = |(_, game): &&(i64, i64)| ids.contains_key(game);
            let mut found: Vec<(i64, i64)> = places.iter().filter(fits).copied().collect();
            let room = limit - rows.len();
            let is_whole = found.len() <= room;
            found.truncate(room);
            rows.extend(read(connection, &found, &ids)?);
            if !is_whole || rows.len() == limit || is_end {
                if !is_whole || rows.len() == limit {
                    after = rows.last().map_or(after, |row| row.position as i64);
                }
                let more = !(is_end && is_whole);
                let reached = after.max(0) as u64;
                return Ok(LogPart {
                    rows,
                    reached,
                    more,
                });
            }
        }
        let reached = after.max(0) as u64;
        Ok(LogPart {
            rows,
            reached,
            more: true,
        })
    }
}

/// The ids of the games among these that fit, by number.
fn fitting(
    connection: &mut super::AnyConnection,
    filter: &LogFilter,
    numbers: HashSet<i64>,
) -> Result<HashMap<i64, String>, StoreError> {
    let numbers: Vec<i64> = numbers.into_iter().collect();
    let mut query = games::table
        .filter(games::number.eq_any(numbers))
        .into_boxed();
    if let Some(league) = filter.league.clone() {
        query = query.filter(games::league.eq(league));
    }
    let found: Vec<(i64, String)> = query.select((games::number, games::id)).load(connection)?;
    let Some(player) = filter.player.clone() else {
        return Ok(found.into_iter().collect());
    };
    let ids: Vec<String> = found.iter().map(|(_, id)| id.clone()).collect();
    let is_bot = seats::kind.eq("bot").and(seats::name.eq(player.clone()));
    let sits: Vec<String> = seats::table
        .filter(seats::game_id.eq_any(ids))
        .filter(seats::player_id.eq(player).or(is_bot))
        .select(seats::game_id)
        .load(connection)?;
    let sits: HashSet<String> = sits.into_iter().collect();
    Ok(found
        .into_iter()
        .filter(|(_, id)| sits.contains(id))
        .collect())
}

/// The rows at these positions. If one of them cannot be read, each is read by itself.
fn read(
    connection: &mut super::AnyConnection,
    places: &[(i64, i64)],
    ids: &HashMap<i64, String>,
) -> Result<Vec<Logged>, StoreError> {
    let id = |game: &i64| ids.get(game).cloned().unwrap_or_default();
    let at = |positions: Vec<i64>| {
        events::table
            .filter(events::position.eq_any(positions))
            .order(events::position)
    };
    let positions = places.iter().map(|(position, _)| *position).collect();
    let all: QueryResult<Vec<EventColumns>> = at(positions).load(connection);
    match all {
        Ok(rows) => {
            let logged = |columns: EventColumns| {
                let game = id(&columns.game());
                let row = columns.row();
                Logged {
                    game,
                    position: row.position,
                    row: Ok(row),
                }
            };
            Ok(rows.into_iter().map(logged).collect())
        }
        Err(diesel::result::Error::DeserializationError(_)) => {
            let mut rows = Vec::with_capacity(places.len());
            for (position, game) in places {
                let row = at(vec![*position]).first(connection).map(EventColumns::row);
                let row = row.map_err(|error| unreadable(&id(game), error));
                if let Err(error @ StoreError::Query(_)) = row {
                    return Err(error);
                }
                rows.push(Logged {
                    game: id(game),
                    position: *position as u64,
                    row,
                });
            }
            Ok(rows)
        }
        Err(error) => Err(error.into()),
    }
}
