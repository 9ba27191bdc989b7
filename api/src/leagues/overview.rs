//! Reads a league once, for its page and for the pages of its games.

use std::collections::BTreeMap;

use jiff::Timestamp;
use uuid::Uuid;

use crate::db::time::timestamp;
use crate::http::call::Call;
use crate::http::error::ServiceError;
use crate::leagues::bodies::{DueTimes, table_body};
use crate::leagues::group_model::TeamStandingsBody;
use crate::leagues::group_service::team_standings_body;
use crate::leagues::league::{League, LeagueTable, TableState};
use crate::leagues::log::Until;
use crate::leagues::model::{
    BracketBody, HeadToHeadBody, LeagueBody, LeagueTableBody, SeasonBody, StandingsBody,
};
use crate::leagues::seasons::{
    SeasonAt, bracket_body, division_standings_body, meetings_body, standings_body,
};
use crate::leagues::service::Leagues;

/// A league, in its current or an earlier state.
#[derive(Clone, Debug)]
pub struct LeagueOverview {
    /// The league.
    pub league: LeagueBody,
    /// The current last event.
    pub now: u64,
    /// The selected season; `None` if none had begun.
    pub season: Option<SeasonOverview>,
}

/// A season of a league, in its current or an earlier state.
#[derive(Clone, Debug)]
pub struct SeasonOverview {
    /// The season.
    pub season: SeasonBody,
    /// The standings.
    pub standings: StandingsBody,
    /// The head-to-head results.
    pub head_to_head: HeadToHeadBody,
    /// The tables, in order.
    pub tables: Vec<LeagueTableBody>,
    /// The standings of each division; empty if the season has none.
    pub divisions: Vec<StandingsBody>,
    /// The standings of the teams, if the season has some.
    pub teams: Option<TeamStandingsBody>,
    /// The bracket of a knock-out season or a double elimination.
    pub bracket: Option<BracketBody>,
    /// The rounds that are over by now, in order, with the time of the last result of each.
    pub rounds: Vec<(u16, Timestamp)>,
}

/// The table of a league to which a game belongs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableReference {
    /// The league.
    pub league: Uuid,
    /// The name of the league.
    pub name: String,
    /// The number of the table.
    pub table: u32,
    /// The round of the season.
    pub round: Option<u16>,
}

impl Leagues {
    /// Returns a league with one season, the current one by default, at `at`.
    ///
    /// # Errors
    /// The errors of the standings of a season, except that a league without seasons is allowed.
    pub fn overview(&self, call: &Call, at: SeasonAt) -> Result<LeagueOverview, ServiceError> {
        let (now, then) = self.until(at.league, call, at.until)?;
        let names = self.names_in(&then)?;
        // Current due times are unrelated to an earlier state.
        let due = match at.until {
            Until::Now => self.due_in(&then)?,
            _ => DueTimes::new(),
        };
        let league = self.body(&then)?;
        let number = at.season.unwrap_or(then.seasons.len() as u16);
        let found = league.seasons.iter().find(|found| found.season == number);
        if let (Some(season), None) = (at.season, found) {
            return Err(ServiceError::NotFound(format!("season {season}")));
        }
        let of_season = |table: &&LeagueTable| table.season == number;
        let shown = found.and_then(|season| {
            Some(SeasonOverview {
                season: season.clone(),
                standings: standings_body(&then, number, &names)?,
                head_to_head: meetings_body(&then, number, &names)?,
                tables: (then.tables.iter().filter(of_season))
                    .map(|table| table_body(&then, table, &names, &due))
                    .collect(),
                divisions: (1..)
                    .zip(&season.divisions)
                    .filter_map(|(division, _)| {
                        division_standings_body(&then, number, division, &names)
                    })
                    .collect(),
                teams: team_standings_body(&then, number, &names),
                bracket: bracket_body(&then, number, &names),
                rounds: rounds(&now, number),
            })
        });
        Ok(LeagueOverview {
            season: shown,
            league,
            now: now.seq,
        })
    }

    /// Returns a league with the tables that have a deadline or a running clock.
    ///
    /// With `member`, an id or handle, only the tables where the member plays.
    pub(in crate::leagues) fn schedule(
        &self,
        id: Uuid,
        call: &Call,
        member: Option<&str>,
    ) -> Result<(LeagueBody, Vec<LeagueTableBody>), ServiceError> {
        let league = self.visible_league(id, call)?;
        let member = member.map(|named| self.known_member(&league, named, "member"));
        let member = member.transpose()?;
        let sits = |table: &&LeagueTable| {
            let mut last = table.seats.iter().filter_map(|seat| seat.members.last());
            member
                .as_ref()
                .is_none_or(|member| last.any(|sits| sits == member))
        };
        let mut tables = self.table_bodies(&league, league.tables.iter().filter(sits))?;
        tables.retain(|table| table.deadline.is_some() || table.due_at.is_some());
        Ok((self.body(&league)?, tables))
    }

    /// Returns the table of a game.
    /// `None` if the league does not have it or the caller may not see the league.
    pub fn table_of(
        &self,
        game: Uuid,
        league: Option<&str>,
        call: &Call,
    ) -> Result<Option<TableReference>, ServiceError> {
        let Some(id) = league.and_then(|id| Uuid::try_parse(id).ok()) else {
            return Ok(None);
        };
        let league = match self.visible_league(id, call) {
            Ok(league) => league,
            Err(ServiceError::NotFound(_)) => return Ok(None),
            Err(error) => return Err(error),
        };
        let of_game = league
            .tables
            .iter()
            .filter(|table| table.game == Some(game));
        // The result of a void table may have been entered again.
        let table = of_game.max_by_key(|table| table.state != TableState::Void);
        Ok(table.map(|table| TableReference {
            league: id,
            name: league.name.clone(),
            table: table.number,
            round: table.round,
        }))
    }
}

/// Returns the rounds of a season without running games, with the time of the last result of each.
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
