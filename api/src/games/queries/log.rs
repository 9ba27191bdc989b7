//! Reads events: ranges of a game's log, and the log of all games.

use std::collections::{HashMap, HashSet};
use std::ops::RangeInclusive;

use diesel::prelude::*;

use crate::db::connection::AnyConnection;
use crate::db::schema::{events, games, seats};
use crate::db::{Store, StoreError};
use crate::games::model::{LogRow, Visibility};
use crate::games::queries::read::{last_position, unreadable};
use crate::games::queries::rows::{EventColumns, Place, log_rows, starts_run};

/// How many positions of the log of all games are searched at a time for matching games.
const WINDOW: i64 = 5_000;

/// The most windows that one request searches.
const WINDOWS: usize = 10;

/// The games whose events are read. A filter that is `None` matches every game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LogFilter {
    /// An account, or the name of a bot, that plays in the game.
    pub player: Option<String>,
    /// Whether to include games in which that account has lost a seat.
    pub or_former: bool,
    /// The league.
    pub league: Option<String>,
    /// Whether to include only public games.
    pub only_public: bool,
}

impl LogFilter {
    /// Returns true if few games may match.
    pub fn is_narrow(&self) -> bool {
        self.player.is_some() || self.league.is_some()
    }
}

/// A row of the log of all games.
#[derive(Debug)]
pub struct LoggedEvent {
    /// The stored id of the game.
    pub game: String,
    /// The position in the log of all games.
    pub position: u64,
    /// The row, or the error of reading it.
    pub row: Result<LogRow, StoreError>,
}

/// A part of the log of all games.
#[derive(Debug, Default)]
pub struct LogPart {
    /// The rows, in order.
    pub rows: Vec<LoggedEvent>,
    /// The position up to which these are all matching rows.
    pub reached: u64,
    /// Whether there may be more rows after it.
    pub more: bool,
}

impl Store {
    /// Returns when the first event of all was recorded, in microseconds since 1970.
    pub fn log_begins(&self) -> Result<Option<i64>, StoreError> {
        let connection = &mut *self.connection()?;
        Ok(events::table
            .filter(starts_run())
            .filter(events::position.eq(1))
            .select(events::at)
            .first(connection)
            .optional()?)
    }

    /// Returns the events of a game from `from` to `to` inclusive, in order.
    /// `number` is that of [`StoredGame`](crate::games::model::StoredGame).
    pub(in crate::games) fn events_between(
        &self,
        number: i64,
        from: u64,
        to: u64,
    ) -> Result<Vec<LogRow>, StoreError> {
        let connection = &mut *self.connection()?;
        let bound = |seq: u64| i64::try_from(seq).unwrap_or(i64::MAX);
        let damaged = |error| unreadable(&format!("(no id: number {number})"), error);
        let rows: Vec<EventColumns> = events::table
            .filter(events::game.eq(number))
            .filter(events::seq.ge(bound(from)))
            .filter(events::seq.le(bound(to)))
            .order(events::seq)
            .load(connection)
            .map_err(damaged)?;
        let place = match rows.first() {
            Some(first) if !first.starts_run() => events::table
                .filter(events::game.eq(number))
                .filter(events::seq.lt(bound(from)))
                .filter(starts_run())
                .order(events::seq.desc())
                .select((events::seq, events::position, events::at))
                .first(connection)
                .optional()
                .map_err(damaged)?,
            _ => None,
        };
        Ok(log_rows(rows, place.unwrap_or_default()))
    }

    /// Returns events of games that match a filter, after a position of the log of all games.
    /// If few games match, a part may have fewer events and end before the log does.
    pub fn log_part(
        &self,
        filter: &LogFilter,
        after: u64,
        limit: usize,
    ) -> Result<LogPart, StoreError> {
        let connection = &mut *self.connection()?;
        let after = i64::try_from(after).unwrap_or(i64::MAX);
        // Later queries see everything up to this position.
        let end = last_position(connection)?;
        let window = match filter.is_narrow() {
            true => WINDOW,
            false => limit as i64,
        };
        let mut rows: Vec<LoggedEvent> = Vec::new();
        let mut reached = after;
        for _ in 0..WINDOWS {
            let until = end.min(reached.saturating_add(window));
            if reached >= until {
                break;
            }
            let mut runs = runs(connection, reached, until)?;
            let ids = matching_games(
                connection,
                filter,
                runs.iter().map(|run| run.game).collect(),
            )?;
            runs.retain(|run| ids.contains_key(&run.game));
            reached = match truncate_runs(&mut runs, limit - rows.len()) {
                Some(last) => last,
                None => until,
            };
            rows.extend(read(connection, &runs, &ids)?);
            if rows.len() >= limit {
                break;
            }
        }
        Ok(LogPart {
            rows,
            reached: reached.max(0) as u64,
            more: reached < end,
        })
    }
}

/// Rows of a game with consecutive positions in the log of all games.
struct EventRun {
    game: i64,
    /// The number of the first row in the game's log.
    seq: i64,
    /// The position of the first row, which stores it.
    position: i64,
    /// The positions of the requested rows.
    requested: RangeInclusive<i64>,
}

impl EventRun {
    /// Returns the number of requested rows.
    fn len(&self) -> usize {
        (self.requested.end() - self.requested.start() + 1) as usize
    }

    /// Returns the number of the last requested row in the game's log.
    fn last(&self) -> i64 {
        self.seq + self.requested.end() - self.position
    }
}

/// Returns the runs after one position up to another, inclusive.
/// Positions have no gaps, so a run ends where the next one starts.
fn runs(
    connection: &mut AnyConnection,
    after: i64,
    until: i64,
) -> Result<Vec<EventRun>, StoreError> {
    type First = (i64, i64, i64);
    let columns = (events::position, events::game, events::seq);
    let before: Option<First> = events::table
        .filter(starts_run())
        .filter(events::position.le(after))
        .order(events::position.desc())
        .select(columns)
        .first(connection)
        .optional()?;
    let others: Vec<First> = events::table
        .filter(starts_run())
        .filter(events::position.gt(after))
        .filter(events::position.le(until))
        .order(events::position)
        .select(columns)
        .load(connection)?;
    let first: Vec<First> = before.into_iter().chain(others).collect();
    let next = first.iter().skip(1).map(|next| next.0 - 1);
    let ends: Vec<i64> = next.chain([until]).collect();
    let runs = first.into_iter().zip(ends);
    let runs = runs.map(|((position, game, seq), end)| EventRun {
        game,
        seq,
        position,
        requested: position.max(after + 1)..=end,
    });
    Ok(runs.filter(|run| !run.requested.is_empty()).collect())
}

/// Keeps as many runs as fit into `room` rows, the last one perhaps in part.
/// Returns the position up to which the rows are complete, or `None` if all runs fit.
fn truncate_runs(runs: &mut Vec<EventRun>, mut room: usize) -> Option<i64> {
    for at in 0..runs.len() {
        let run = &mut runs[at];
        if run.len() > room {
            let end = run.requested.start() + room as i64 - 1;
            run.requested = *run.requested.start()..=end;
            runs.truncate(if room > 0 { at + 1 } else { at });
            return Some(end);
        }
        room -= run.len();
    }
    None
}

/// Returns the ids of those games that match the filter, by number.
fn matching_games(
    connection: &mut AnyConnection,
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
    if filter.only_public {
        query = query.filter(games::visibility.eq(Visibility::Public.name()));
    }
    let found: Vec<(i64, String)> = query.select((games::number, games::id)).load(connection)?;
    let Some(player) = filter.player.clone() else {
        return Ok(found.into_iter().collect());
    };
    let ids: Vec<String> = found.iter().map(|(_, id)| id.clone()).collect();
    let is_bot = seats::kind.eq("bot").and(seats::name.eq(player.clone()));
    let sits = seats::table
        .filter(seats::game_id.eq_any(ids.clone()))
        .filter(seats::player_id.eq(player.clone()).or(is_bot))
        .select(seats::game_id);
    let mut sits: Vec<String> = sits.load(connection)?;
    if filter.or_former {
        let lost = seats::table
            .filter(seats::game_id.eq_any(ids))
            .filter(seats::former.eq(player))
            .select(seats::game_id);
        sits.extend(lost.load::<String>(connection)?);
    }
    let sits: HashSet<String> = sits.into_iter().collect();
    Ok(found
        .into_iter()
        .filter(|(_, id)| sits.contains(id))
        .collect())
}

/// Returns the rows of some runs. If one of them cannot be read, each is read separately.
fn read(
    connection: &mut AnyConnection,
    runs: &[EventRun],
    ids: &HashMap<i64, String>,
) -> Result<Vec<LoggedEvent>, StoreError> {
    let all = match load_runs(connection, runs) {
        Ok(rows) => Some(rows),
        Err(diesel::result::Error::DeserializationError(_)) => None,
        Err(error) => return Err(error.into()),
    };
    let mut all = all.map(|rows| {
        let keyed = rows.into_iter().map(|columns| (columns.key(), columns));
        keyed.collect::<HashMap<_, _>>()
    });
    let mut logged = Vec::new();
    for run in runs {
        let id = ids.get(&run.game).cloned().unwrap_or_default();
        let mut place = Place {
            seq: run.seq,
            position: run.position,
            at: 0,
        };
        if all.is_none() {
            // The time may be readable even if the rest of the row is not.
            let at = events::table.find((run.game, run.seq)).select(events::at);
            place.at = at.first(connection).unwrap_or(0);
        }
        for seq in run.seq..=run.last() {
            let key = (run.game, seq);
            let row = match &mut all {
                Some(all) => Ok(all.remove(&key)),
                None => events::table.find(key).first(connection).optional(),
            };
            let row: Result<EventColumns, _> = match row.map_err(|error| unreadable(&id, error)) {
                // Rows are missing, and the following ones belong to another run.
                Ok(Some(row)) if row.starts_run() && seq > run.seq => break,
                Ok(Some(row)) => Ok(row),
                Ok(None) => continue,
                Err(error @ StoreError::Query(_)) => return Err(error),
                Err(error) => Err(error),
            };
            let position = run.position + seq - run.seq;
            let row = row.map(|columns| columns.row(&mut place));
            if run.requested.contains(&position) {
                logged.push(LoggedEvent {
                    game: id.clone(),
                    position: position as u64,
                    row,
                });
            }
        }
    }
    Ok(logged)
}

/// Returns the rows of some runs from their first one on, in any order.
fn load_runs(connection: &mut AnyConnection, runs: &[EventRun]) -> QueryResult<Vec<EventColumns>> {
    if runs.is_empty() {
        return Ok(Vec::new());
    }
    let ranges = runs
        .iter()
        .map(|run| format!("({}, {}, {})", run.game, run.seq, run.last()));
    let ranges = ranges.collect::<Vec<_>>().join(", ");
    // A cross join is not reordered: each run is looked up by the primary key.
    let query = format!(
        "WITH runs (number, first, last) AS (VALUES {ranges}) \
         SELECT events.* FROM runs CROSS JOIN events \
         WHERE events.game = runs.number AND events.seq BETWEEN runs.first AND runs.last"
    );
    diesel::sql_query(query).load(connection)
}
