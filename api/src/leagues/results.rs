//! Over-the-board results for statistics: the revisions that the events of all leagues made.

use std::collections::BTreeMap;

use analytics::facts::{TableResult, TableResultSeat};
use analytics::ratings::participants;
use analytics::storage::LeagueLogCursor;
use engine::setup::{Player, PlayerKind};

use crate::db::time::timestamp;
use crate::games::known_id;
use crate::games::model::Visibility;
use crate::http::error::ServiceError;
use crate::leagues::event::change_of_tables;
use crate::leagues::league::{League, LeagueTable, TableState};
use crate::leagues::limits::MOST_ROWS;
use crate::leagues::log::{LeagueLog, damaged};
use crate::leagues::queries::LeagueRow;

/// The number of events that are read together.
const TOGETHER: i64 = 4_096;

/// The revisions of over-the-board results, and the event up to which the log of all leagues was read.
#[derive(Debug, Default)]
pub struct TableResults {
    /// The revisions: one for each event that changes a result, with the visibility of its league.
    pub revisions: Vec<(TableResult, Visibility)>,
    /// The last event that was read.
    pub reached: Option<LeagueLogCursor>,
}

impl LeagueLog {
    /// Returns the revisions of over-the-board results in all events after a position.
    /// Private leagues are omitted.
    pub fn table_results(
        &self,
        behind: Option<LeagueLogCursor>,
    ) -> Result<TableResults, ServiceError> {
        let mut results = TableResults {
            revisions: Vec::new(),
            reached: behind,
        };
        loop {
            let behind = results.reached.as_ref().map_or(0, |event| event.position);
            let events = self.store.placed_league_events(behind, TOGETHER)?;
            let Some(last) = events.last() else {
                return Ok(results);
            };
            results.reached = Some(LeagueLogCursor {
                position: last.position,
                hash: last.hash.clone(),
            });
            // For each league: the numbers of events that change tables, each with the tables and the end of the log of
            // all games.
            let mut changes: BTreeMap<&str, BTreeMap<u64, (Vec<u32>, i64)>> = BTreeMap::new();
            for event in &events {
                if let Some((tables, _)) = change_of_tables(&event.text) {
                    let seq = u64::try_from(event.seq).unwrap_or(u64::MAX);
                    let of_league = changes.entry(&event.league).or_default();
                    of_league.insert(seq, (tables, event.log_position));
                }
            }
            for (league, changes) in changes {
                match self.revisions(league, &changes) {
                    Ok(revisions) => results.revisions.extend(revisions),
                    Err(error @ (ServiceError::Damaged { .. } | ServiceError::NotFound(_))) => {
                        tracing::error!(league, %error, "statistics omit a league whose log cannot be read");
                    }
                    Err(error) => return Err(error),
                }
            }
        }
    }

    /// Whether an event is still at its position in the log of all leagues.
    pub fn is_league_event(&self, reached: &LeagueLogCursor) -> Result<bool, ServiceError> {
        let found = self.store.placed_league_events(reached.position - 1, 1)?;
        Ok(found
            .first()
            .is_some_and(|event| event.position == reached.position && event.hash == reached.hash))
    }

    /// Returns the revisions that some events of a league made.
    fn revisions(
        &self,
        league: &str,
        changes: &BTreeMap<u64, (Vec<u32>, i64)>,
    ) -> Result<Vec<(TableResult, Visibility)>, ServiceError> {
        let id = known_id(league)?;
        let until = changes.keys().next_back().copied();
        let rows = (self.store).league_events_until(id, until, None, MOST_ROWS)?;
        let first = rows
            .first()
            .ok_or_else(|| crate::leagues::log::not_found(id))?;
        let mut league = League::first(id, first).map_err(|refused| damaged(id, &refused))?;
        let mut revisions = Vec::new();
        if !Visibility::COUNTED.contains(&league.visibility) {
            return Ok(revisions);
        }
        for row in &rows[1..] {
            league
                .apply_row(row)
                .map_err(|refused| damaged(id, &refused))?;
            let Some((numbers, log_position)) = changes.get(&row.seq) else {
                continue;
            };
            for number in numbers {
                let table = league.table_numbered(*number);
                // Rows are numbered without gaps, so the row that added the table has the index `seq`.
                let entered = table.and_then(|table| rows.get(usize::try_from(table.seq).ok()?));
                if let (Some(table), Some(entered)) = (table, entered) {
                    let revision = revision(&league, table, entered, (row, *log_position));
                    revisions.extend(revision.map(|revision| (revision, league.visibility)));
                }
            }
        }
        Ok(revisions)
    }
}

/// Returns the revision of a table after an event.
///
/// `None` for a game on this server, which counts by itself.
fn revision(
    league: &League,
    table: &LeagueTable,
    entered: &LeagueRow,
    (row, log_position): (&LeagueRow, i64),
) -> Option<TableResult> {
    let result = table.result.as_ref().filter(|_| table.game.is_none())?;
    let seats = table.seats.iter().zip(&result.ranks).map(|(seat, rank)| {
        // Credited to the last player of the seat, as in ratings.
        let id = seat.members.last().cloned().unwrap_or_default();
        TableResultSeat {
            player: Player::Person { id, name: None },
            nations: seat.nations.clone(),
            rank: *rank,
        }
    });
    let rated = ranked_at_table(league, table).unwrap_or_default();
    Some(TableResult {
        game: format!("{}/{}", league.id, table.number),
        revision: u32::try_from(row.seq).ok()?,
        counts: table.state == TableState::Counted,
        log_position: log_position + 1,
        recorded_at: timestamp(row.at),
        played_at: table.played_at.unwrap_or_else(|| timestamp(entered.at)),
        edition: table.edition.clone(),
        board: table.board.clone(),
        rated: !participants(&rated, PlayerKind::Account).is_empty(),
        league: Some(league.id.to_string()),
        seats: seats.collect(),
    })
}

/// Returns the players whose ratings an over-the-board result changes, each with the rank.
///
/// The result is the one after all corrections. It counts for the last player of each seat, except members who had left
/// the league when they were put there and so did not agree. `None` if the table is void, the league is private, the
/// organizer who entered the last result plays at the table, or the game is on this server and counts by itself.
pub fn ranked_at_table(league: &League, table: &LeagueTable) -> Option<Vec<(Player, u8)>> {
    let counts = league.visibility != Visibility::Private
        && table.game.is_none()
        && table.state == TableState::Counted;
    let result = table.result.as_ref().filter(|_| counts)?;
    let reporter = result.by.as_deref();
    if (table.seats.iter()).any(|seat| seat.members.iter().any(|id| reporter == Some(id))) {
        return None;
    }
    let seats = table.seats.iter().zip(&result.ranks);
    let seats = seats.filter_map(|(seat, rank)| {
        let id = seat.members.last().filter(|_| seat.willing)?.clone();
        Some((Player::Person { id, name: None }, *rank))
    });
    Some(seats.collect())
}
