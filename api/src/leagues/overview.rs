//! A league as a whole, read once: for its page and for the pages of its games.

use std::collections::BTreeMap;

use jiff::Timestamp;
use uuid::Uuid;

use crate::db::time::timestamp;
use crate::http::call::Call;
use crate::http::error::ServiceError;
use crate::leagues::bodies::{Due, table_body};
use crate::leagues::league::{League, TableState, Tabled};
use crate::leagues::log::Until;
use crate::leagues::model::{
    HeadToHeadBody, LeagueBody, LeagueTableBody, SeasonBody, StandingsBody,
};
use crate::leagues::seasons::{SeasonAt, meetings_body, standings_body};
use crate::leagues::service::Leagues;

/// A league, as it is or was.
#[derive(Clone, Debug)]
pub struct LeagueShown {
    /// What it is.
    pub league: LeagueBody,
    /// Its last event now.
    pub now: u64,
    /// The season that is shown; `None` when none had begun.
    pub season: Option<SeasonShown>,
}

/// A season of a league, as it is or was.
#[derive(Clone, Debug)]
pub struct SeasonShown {
    /// What it is.
    pub season: SeasonBody,
    /// Its standings.
    pub standings: StandingsBody,
    /// Who met.
    pub head_to_head: HeadToHeadBody,
    /// Its tables, in order.
    pub tables: Vec<LeagueTableBody>,
    /// Its rounds that are over now, in order, and when the last result of each was recorded.
    pub rounds: Vec<(u16, Timestamp)>,
}

/// The table of a league that a game is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableOf {
    /// The league.
    pub league: Uuid,
    /// What it is called.
    pub name: String,
    /// The table.
    pub table: u32,
    /// The round of the season.
    pub round: Option<u16>,
}

impl Leagues {
    /// A league with one of its seasons, the one that goes on when none is named, as it is or was.
    ///
    /// # Errors
    /// As of the standings of a season, but that no season need have begun.
    pub fn overview(&self, call: &Call, at: SeasonAt) -> Result<LeagueShown, ServiceError> {
        let (now, then) = self.until(at.league, call, at.until)?;
        let names = self.names_in(&then)?;
        // What runs out now says nothing of an earlier moment.
        let due = match at.until {
            Until::Now => self.due_in(&then)?,
            _ => Due::new(),
        };
        let league = self.body(&then)?;
        let number = at.season.unwrap_or(then.seasons.len() as u16);
        let found = league.seasons.iter().find(|found| found.season == number);
        if let (Some(season), None) = (at.season, found) {
            return Err(ServiceError::NotFound(format!("season {season}")));
        }
        let of_season = |table: &&Tabled| table.season == number;
        let shown = found.and_then(|season| {
            Some(SeasonShown {
                season: season.clone(),
                standings: standings_body(&then, number, &names)?,
                head_to_head: meetings_body(&then, number, &names)?,
                tables: (then.tables.iter().filter(of_season))
                    .map(|table| table_body(&then, table, &names, &due))
                    .collect(),
                rounds: rounds(&now, number),
            })
        });
        Ok(LeagueShown {
            season: shown,
            league,
            now: now.seq,
        })
    }

    /// A league with its tables for which something is due: those with a deadline, and those where somebody's time
    /// runs; of all seasons, or only those where a member sits, named by id or handle.
    pub(in crate::leagues) fn schedule(
        &self,
        id: Uuid,
        call: &Call,
        member: Option<&str>,
    ) -> Result<(LeagueBody, Vec<LeagueTableBody>), ServiceError> {
        let league = self.seen(id, call)?;
        let member = member.map(|named| self.known_member(&league, named, "member"));
        let member = member.transpose()?;
        let sits = |table: &&Tabled| {
            let mut last = table.seats.iter().filter_map(|seat| seat.members.last());
            member
                .as_ref()
                .is_none_or(|member| last.any(|sits| sits == member))
        };
        let mut tables = self.table_bodies(&league, league.tables.iter().filter(sits))?;
        tables.retain(|table| table.deadline.is_some() || table.due_at.is_some());
        Ok((self.body(&league)?, tables))
    }

    /// The table of a league that a game says it is; `None` where the league does not know of it, or the caller may
    /// not see it.
    pub fn table_of(
        &self,
        game: Uuid,
        league: Option<&str>,
        call: &Call,
    ) -> Result<Option<TableOf>, ServiceError> {
        let Some(id) = league.and_then(|id| Uuid::try_parse(id).ok()) else {
            return Ok(None);
        };
        let league = match self.seen(id, call) {
            Ok(league) => league,
            Err(ServiceError::NotFound(_)) => return Ok(None),
            Err(error) => return Err(error),
        };
        let of_game = league
            .tables
            .iter()
            .filter(|table| table.game == Some(game));
        // The result of a void one may have been entered again.
        let table = of_game.max_by_key(|table| table.state != TableState::Void);
        Ok(table.map(|table| TableOf {
            league: id,
            name: league.name.clone(),
            table: table.number,
            round: table.round,
        }))
    }
}

/// The rounds of a season whose tables are all over, in order, and when the last result was recorded.
fn rounds(league: &League, season: u16) -> Vec<(u16, Timestamp)> {
    let mut rounds: BTreeMap<u16, (bool, i64)> = BTreeMap::new();
    for table in league.tables.iter().filter(|table| table.season == season) {
        if let Some(round) = table.round {
            let known = rounds.entry(round).or_insert((true, 0));
            known.0 &= table.state != TableState::Playing;
            known.1 = known
                .1
                .max(table.result.as_ref().map_or(0, |result| result.at));
        }
    }
    let over = rounds
        .into_iter()
        .filter(|(_, (over, at))| *over && *at > 0);
    over.map(|(round, (_, at))| (round, timestamp(at)))
        .collect()
}
