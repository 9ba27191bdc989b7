//! Reading the log: a game's rows in ranges, and the log of all games.

use std::collections::{HashMap, HashSet};
use std::ops::RangeInclusive;

use diesel::prelude::*;

use crate::db::connection::AnyConnection;
use crate::db::schema::{events, games, seats};
use crate::db::{Store, StoreError};
use crate::games::model::{LogRow, Visibility};
use crate::games::queries::read::{last_position, unreadable};
use crate::games::queries::rows::{EventColumns, Place, log_rows, starts_run};

/// How many places of the log of all games are looked through at once for those that are asked for.
const WINDOW: i64 = 5_000;

/// How many such windows one question looks through.
const WINDOWS: usize = 10;

/// Of which games the events are asked for; what is `None` does not matter.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LogFilter {
    /// An account that sits at the table, or the name of a bot that does.
    pub player: Option<String>,
    /// With `player`: also of games in which that account has lost a seat.
    pub or_former: bool,
    /// The league.
    pub league: Option<String>,
    /// Only of public games.
    pub only_public: bool,
}

impl LogFilter {
    /// Whether few games may fit.
    pub fn is_narrow(&self) -> bool {
        self.player.is_some() || self.league.is_some()
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
    /// When the first event of all was recorded, in microseconds since 1970.
    pub fn log_begins(&self) -> Result<Option<i64>, StoreError> {
        let connection = &mut *self.connection()?;
        Ok(events::table
            .filter(starts_run())
            .filter(events::position.eq(1))
            .select(events::at)
            .first(connection)
            .optional()?)
    }

    /// The events of the game with a number, from the event `from` up to and with `to`, in order. The
    /// number is that of [`StoredGame`](crate::games::model::StoredGame).
    pub(in crate::games) fn events_between(
        &self,
        number: i64,
        from: u64,
        to: u64,
    ) -> Result<Vec<LogRow>, StoreError> {
        let connection = &mut *self.connection()?;
        let bound = |seq: u64| i64::try_from(seq).unwrap_or(i64::MAX);
        let damaged = |error| unreadable(&format!("with the number {number}"), error);
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

    /// Events of the games that fit a filter behind a position of the log of all games, at most
    /// `limit`. Where few games fit, a part may hold less and end before the log does.
    pub fn log_part(
        &self,
        filter: &LogFilter,
        after: u64,
        limit: usize,
    ) -> Result<LogPart, StoreError> {
        let connection = &mut *self.connection()?;
        let after = i64::try_from(after).unwrap_or(i64::MAX);
        // Everything up to there can be seen by what is asked later.
        let end = last_position(connection)?;
        let window = match filter.is_narrow() {
            true => WINDOW,
            false => limit as i64,
        };
        let mut rows: Vec<Logged> = Vec::new();
        let mut reached = after;
        for _ in 0..WINDOWS {
            let until = end.min(reached.saturating_add(window));
            if reached >= until {
                break;
            }
            let mut runs = runs(connection, reached, until)?;
            let ids = fitting(
                connection,
                filter,
                runs.iter().map(|run| run.game).collect(),
            )?;
            runs.retain(|run| ids.contains_key(&run.game));
            reached = match cut(&mut runs, limit - rows.len()) {
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

/// Rows of a game that stand one behind the other in the log of all games.
struct EventRun {
    game: i64,
    /// The number of the first one in the game's log.
    seq: i64,
    /// The position of the first one, which tells it.
    position: i64,
    /// The positions of those that are asked for.
    asked: RangeInclusive<i64>,
}

impl EventRun {
    /// How many are asked for.
    fn len(&self) -> usize {
        (self.asked.end() - self.asked.start() + 1) as usize
    }

    /// The number in the game's log of the last one that is asked for.
    fn last(&self) -> i64 {
        self.seq + self.asked.end() - self.position
    }
}

/// The runs between two positions, without the first and with the second. Positions are without gaps, so
/// that a run ends where the next one begins.
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
        asked: position.max(after + 1)..=end,
    });
    Ok(runs.filter(|run| !run.asked.is_empty()).collect())
}

/// Leaves as many runs as have so many rows, the last of them perhaps in part. Returns the position up to
/// which these are all, unless all are left.
fn cut(runs: &mut Vec<EventRun>, mut room: usize) -> Option<i64> {
    for at in 0..runs.len() {
        let run = &mut runs[at];
        if run.len() > room {
            let end = run.asked.start() + room as i64 - 1;
            run.asked = *run.asked.start()..=end;
            runs.truncate(if room > 0 { at + 1 } else { at });
            return Some(end);
        }
        room -= run.len();
    }
    None
}

/// The ids of the games among these that fit, by number.
fn fitting(
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

/// The rows of these runs. If one of them cannot be read, each is read by itself.
fn read(
    connection: &mut AnyConnection,
    runs: &[EventRun],
    ids: &HashMap<i64, String>,
) -> Result<Vec<Logged>, StoreError> {
    let all = match rows_of(connection, runs) {
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
            // It may be told where the rest of the row is not.
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
                // There are rows missing, and those behind are no part of the run.
                Ok(Some(row)) if row.starts_run() && seq > run.seq => break,
                Ok(Some(row)) => Ok(row),
                Ok(None) => continue,
                Err(error @ StoreError::Query(_)) => return Err(error),
                Err(error) => Err(error),
            };
            let position = run.position + seq - run.seq;
            let row = row.map(|columns| columns.row(&mut place));
            if run.asked.contains(&position) {
                logged.push(Logged {
                    game: id.clone(),
                    position: position as u64,
                    row,
                });
            }
        }
    }
    Ok(logged)
}

/// The rows of these runs, those before the ones that are asked for too, in any order.
fn rows_of(connection: &mut AnyConnection, runs: &[EventRun]) -> QueryResult<Vec<EventColumns>> {
    if runs.is_empty() {
        return Ok(Vec::new());
    }
    let ranges = runs
        .iter()
        .map(|run| format!("({}, {}, {})", run.game, run.seq, run.last()));
    let ranges = ranges.collect::<Vec<_>>().join(", ");
    // The order of a cross join is kept: each run is looked up by the primary key.
    let query = format!(
        "WITH runs (number, first, last) AS (VALUES {ranges}) \
         SELECT events.* FROM runs CROSS JOIN events \
         WHERE events.game = runs.number AND events.seq BETWEEN runs.first AND runs.last"
    );
    diesel::sql_query(query).load(connection)
}
