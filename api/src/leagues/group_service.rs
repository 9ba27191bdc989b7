//! Divisions, teams, line-ups and challenges: the operations and their permissions.

use std::collections::HashMap;

use uuid::Uuid;

use crate::db::time::timestamp;
use crate::http::call::Call;
use crate::http::error::ServiceError;
use crate::leagues::bodies::member_body;
use crate::leagues::event::{LeagueEvent, MemberGroup};
use crate::leagues::group_model::{
    NewChallenge, NewDivisions, NewPlacement, NewTeams, NextDivisions, TeamMemberBody,
    TeamStandingBody, TeamStandingsBody,
};
use crate::leagues::ladder::check_reach;
use crate::leagues::league::League;
use crate::leagues::limits::{MOST_GROUPS, MOST_MEMBERS};
use crate::leagues::model::{LeagueBody, LineUp};
use crate::leagues::promotion::next_divisions;
use crate::leagues::seasons::SeasonAt;
use crate::leagues::service::Leagues;
use crate::leagues::standings::Parts;
use crate::leagues::teams::{TeamRow, team_standings};

impl Leagues {
    /// Sets the divisions of the current season.
    pub fn set_divisions(
        &self,
        id: Uuid,
        call: &Call,
        new: &NewDivisions,
    ) -> Result<LeagueBody, ServiceError> {
        let work = |league: &League| {
            let by = call.organizes(league)?;
            let divisions = self.known_groups(league, "divisions", &new.divisions)?;
            let moves = new.moves;
            Ok((by, LeagueEvent::DivisionsSet { divisions, moves }))
        };
        self.change(id, call, work, |league| self.body(league))
    }

    /// Returns the divisions that the rule of the last season with divisions proposes.
    pub fn next_divisions(&self, id: Uuid, call: &Call) -> Result<NextDivisions, ServiceError> {
        let league = self.visible_league(id, call)?;
        let missing = || ServiceError::NotFound("season with divisions and tables".to_owned());
        let (season, divisions, moves) = next_divisions(&league).ok_or_else(missing)?;
        Ok(NextDivisions {
            seq: league.seq,
            season,
            divisions,
            moves,
        })
    }

    /// Sets the teams of the current season.
    pub fn set_teams(
        &self,
        id: Uuid,
        call: &Call,
        new: &NewTeams,
    ) -> Result<LeagueBody, ServiceError> {
        let work = |league: &League| {
            let by = call.organizes(league)?;
            let teams = self.known_groups(league, "teams", &new.teams)?;
            Ok((by, LeagueEvent::TeamsSet { teams }))
        };
        self.change(id, call, work, |league| self.body(league))
    }

    /// Puts a member into a division or a team of the current season.
    pub fn place_member(
        &self,
        id: Uuid,
        call: &Call,
        named: &str,
        new: NewPlacement,
    ) -> Result<LeagueBody, ServiceError> {
        let work = |league: &League| {
            let by = call.organizes(league)?;
            let event = LeagueEvent::MemberPlaced {
                member: self.member_named(league, named)?,
                division: new.division,
                team: new.team,
            };
            Ok((by, event))
        };
        self.change(id, call, work, |league| self.body(league))
    }

    /// Names the members of a team who play in a round.
    pub fn set_line_up(
        &self,
        id: Uuid,
        call: &Call,
        new: &LineUp,
    ) -> Result<LeagueBody, ServiceError> {
        let work = |league: &League| {
            let by = call.organizes(league)?;
            let members = new.members.iter().take(MOST_MEMBERS + 1).enumerate();
            let members = members.map(|(place, named)| {
                self.known_member(league, named, &format!("members[{place}]"))
            });
            let event = LeagueEvent::LineUpSet {
                team: new.team,
                round: new.round,
                members: members.collect::<Result<_, _>>()?,
            };
            Ok((by, event))
        };
        self.change(id, call, work, |league| self.body(league))
    }

    /// Challenges a member of a ladder, by another member or an organizer.
    pub fn challenge(
        &self,
        id: Uuid,
        call: &Call,
        new: &NewChallenge,
    ) -> Result<LeagueBody, ServiceError> {
        let work = |league: &League| {
            let (by, member) = self.acting_for(league, call, new.member.as_deref())?;
            let season = league.season()?;
            let opponent = self.active_member(league, &new.opponent, "opponent")?;
            let opponent = opponent.id.clone();
            let refused = |message: String| ServiceError::invalid("opponent", message);
            let [lower, _] = check_reach(league, season, [&member, &opponent]).map_err(refused)?;
            if lower != member {
                let message = "this member is below: challenge a member above";
                return Err(ServiceError::invalid("opponent", message));
            }
            Ok((by, LeagueEvent::Challenged { member, opponent }))
        };
        self.change(id, call, work, |league| self.body(league))
    }

    /// Withdraws a challenge, by the member who challenged or an organizer.
    pub fn withdraw_challenge(
        &self,
        id: Uuid,
        call: &Call,
        named: &str,
    ) -> Result<LeagueBody, ServiceError> {
        let work = |league: &League| {
            let (by, member) = self.own_or_organized(league, call, named)?;
            Ok((by, LeagueEvent::ChallengeWithdrawn { member }))
        };
        self.change(id, call, work, |league| self.body(league))
    }

    /// Returns the standings of the teams of a season.
    ///
    /// # Errors
    /// The errors of the standings of a season; also 404 for a season without teams.
    pub(in crate::leagues) fn team_standings(
        &self,
        call: &Call,
        at: SeasonAt,
    ) -> Result<TeamStandingsBody, ServiceError> {
        let (league, season) = self.visible_season(call, at)?;
        let body = team_standings_body(&league, season, &self.names_in(&league)?);
        body.ok_or_else(|| ServiceError::NotFound(format!("team of season {season}")))
    }

    /// Returns groups with the ids of their members.
    fn known_groups(
        &self,
        league: &League,
        field: &str,
        groups: &[MemberGroup],
    ) -> Result<Vec<MemberGroup>, ServiceError> {
        let mut known = Vec::new();
        for (number, group) in groups.iter().take(MOST_GROUPS + 1).enumerate() {
            let mut members = Vec::new();
            for (place, named) in group.members.iter().take(MOST_MEMBERS + 1).enumerate() {
                let at = format!("{field}[{number}].members[{place}]");
                members.push(self.active_member(league, named, &at)?.id.clone());
            }
            known.push(MemberGroup {
                name: group.name.clone(),
                members,
            });
        }
        Ok(known)
    }
}

/// Returns the standings of teams as in answers; `None` without teams in a season of this number.
pub(in crate::leagues) fn team_standings_body(
    league: &League,
    season: u16,
    names: &HashMap<String, String>,
) -> Option<TeamStandingsBody> {
    let teams = &league.season_numbered(season)?.groups.teams;
    let row = |row: TeamRow| TeamStandingBody {
        rank: row.rank,
        team: row.team,
        name: (teams.get(usize::from(row.team) - 1))
            .map_or_else(String::new, |team| team.name.clone()),
        points: row.points.number(),
        wins: row.wins.number(),
        games: row.games.number(),
        members: (row.members.iter())
            .map(|one| TeamMemberBody {
                member: member_body(league, &one.member, names),
                points: Parts::number(one.points),
                games: one.games.number(),
            })
            .collect(),
    };
    Some(TeamStandingsBody {
        league: league.id,
        season,
        seq: league.seq,
        at: timestamp(league.at),
        rows: team_standings(league, season)?
            .into_iter()
            .map(row)
            .collect(),
    })
}
