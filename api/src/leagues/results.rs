//! Results at real tables for statistics: what events of leagues, in the order of the log of all of them, made of these.

use std::collections::BTreeMap;

use analytics::facts::{TableResult, TableResultSeat};
use analytics::storage::ReachedLeagues;
use engine::setup::{Player, PlayerKind};

use crate::db::time::timestamp;
use crate::games::counts::participants;
use crate::games::known_id;
use crate::games::model::Visibility;
use crate::http::error::ServiceError;
use crate::leagues::event::change_of_table;
use crate::leagues::league::{League, TableState, Tabled};
use crate::leagues::limits::MOST_ROWS;
use crate::leagues::log::{LeagueLog, damaged};
use crate::leagues::queries::LeagueRow;

/// How many events are looked through together.
const TOGETHER: i64 = 4_096;

/// What results at real tables came to, event by event, and how far the log of all leagues was looked through.
#[derive(Debug, Default)]
pub struct TableResults {
    /// A revision for each event that entered, corrected or voided one, and who may see its league.
    pub revisions: Vec<(TableResult, Visibility)>,
    /// The last event that was looked at.
    pub reached: Option<ReachedLeagues>,
}

impl LeagueLog {
    /// What all events behind a place in the log of all leagues made of results at real tables, but for those of
    /// private leagues.
    pub fn table_results(
        &self,
        behind: Option<ReachedLeagues>,
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
            results.reached = Some(ReachedLeagues {
                position: last.position,
                hash: last.hash.clone(),
            });
            // By league the numbers of events that tell of a table, with it and where the log of all games ended.
            let mut told: BTreeMap<&str, BTreeMap<u64, (u32, i64)>> = BTreeMap::new();
            for event in &events {
                if let Some((table, _)) = change_of_table(&event.text) {
                    let seq = u64::try_from(event.seq).unwrap_or(u64::MAX);
                    let of_league = told.entry(&event.league).or_default();
                    of_league.insert(seq, (table, event.log_position));
                }
            }
            for (league, told) in told {
                match self.revisions(league, &told) {
                    Ok(revisions) => results.revisions.extend(revisions),
                    Err(error @ (ServiceError::Damaged { .. } | ServiceError::NotFound(_))) => {
                        tracing::error!(league, %error, "the results of a league do not count");
                    }
                    Err(error) => return Err(error),
                }
            }
        }
    }

    /// Whether an event stands where it was in the log of all leagues.
    pub fn is_league_event(&self, reached: &ReachedLeagues) -> Result<bool, ServiceError> {
        let found = self.store.placed_league_events(reached.position - 1, 1)?;
        Ok(found
            .first()
            .is_some_and(|event| event.position == reached.position && event.hash == reached.hash))
    }

    /// What some events of a league made of the tables that they tell of.
    fn revisions(
        &self,
        league: &str,
        told: &BTreeMap<u64, (u32, i64)>,
    ) -> Result<Vec<(TableResult, Visibility)>, ServiceError> {
        let id = known_id(league)?;
        let until = told.keys().next_back().copied();
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
            league.take(row).map_err(|refused| damaged(id, &refused))?;
            let Some((number, log_position)) = told.get(&row.seq) else {
                continue;
            };
            let table = league.table_numbered(*number);
            // Rows are numbered without gaps, so the one by which the table came is at its number.
            let entered = table.and_then(|table| rows.get(usize::try_from(table.seq).ok()?));
            if let (Some(table), Some(entered)) = (table, entered) {
                let revision = revision(&league, table, entered, (row, *log_position));
                revisions.extend(revision.map(|revision| (revision, league.visibility)));
            }
        }
        Ok(revisions)
    }
}

/// What a table of a league, which came by an event, is after another one; nothing of a game that is kept here, which
/// counts by itself.
fn revision(
    league: &League,
    table: &Tabled,
    entered: &LeagueRow,
    (row, log_position): (&LeagueRow, i64),
) -> Option<TableResult> {
    let result = table.result.as_ref().filter(|_| table.game.is_none())?;
    let seats = table.seats.iter().zip(&result.ranks).map(|(seat, rank)| {
        // To who played it at the end, as ratings have it.
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

/// To whom the seats of a result at a real table count, each with its rank, if the table counts: to who played it at
/// the end, but for who had left the league before and so did not agree to it. It is the result as the organizers of
/// the league have corrected it, and `None` where the table is void, the league is private, who told the result last
/// sits at the table, or the game is kept here and counts by itself.
pub fn ranked_at_table(league: &League, table: &Tabled) -> Option<Vec<(Player, u8)>> {
    let counts = league.visibility != Visibility::Private
        && table.game.is_none()
        && table.state == TableState::Counted;
    let result = table.result.as_ref().filter(|_| counts)?;
    let told = result.by.as_deref();
    if (table.seats.iter()).any(|seat| seat.members.iter().any(|id| told == Some(id))) {
        return None;
    }
    let seats = table.seats.iter().zip(&result.ranks);
    let seats = seats.filter_map(|(seat, rank)| {
        let id = seat.members.last().filter(|_| seat.willing)?.clone();
        Some((Player::Person { id, name: None }, *rank))
    });
    Some(seats.collect())
}
