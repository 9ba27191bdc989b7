//! Requests and answers about divisions, teams and ladders.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::leagues::event::MemberGroup;
use crate::leagues::model::MemberBody;

/// The divisions of the current season.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"divisions": [{"name": "First division", "members": ["dido", "hanno"]},
    {"name": "Second division", "members": ["mago", "elissa"]}], "moves": 1}))]
pub struct NewDivisions {
    /// The divisions, the highest first, with members by id or handle; empty for none.
    #[schema(max_items = 100)]
    pub divisions: Vec<MemberGroup>,
    /// How many members of each division move up, and down, after the season, from 0 to 20.
    #[schema(maximum = 20)]
    pub moves: u8,
}

/// The divisions that the rule of a season proposes for the next one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct NextDivisions {
    /// The sequence number of the last event of the league.
    pub seq: u64,
    /// The season whose standings decide.
    pub season: u16,
    /// The divisions, the highest first, in the form that `PUT` needs.
    pub divisions: Vec<MemberGroup>,
    /// How many members of each division moved up, and down.
    pub moves: u8,
}

/// The teams of the current season.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"teams": [{"name": "Carthage", "members": ["dido", "hanno"]},
    {"name": "Rome", "members": ["mago", "elissa"]}]}))]
pub struct NewTeams {
    /// The teams, with members by id or handle; empty for none.
    #[schema(max_items = 100)]
    pub teams: Vec<MemberGroup>,
}

/// The division or the team of a member: give one of both.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"division": 2}))]
pub struct NewPlacement {
    /// The number of the division, from 1.
    #[serde(default)]
    #[schema(minimum = 1)]
    pub division: Option<u16>,
    /// The number of the team, from 1.
    #[serde(default)]
    #[schema(minimum = 1)]
    pub team: Option<u16>,
}

/// A challenge in a ladder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"opponent": "hanno"}))]
pub struct NewChallenge {
    /// The challenged member, by id or handle.
    pub opponent: String,
    /// The member who challenges, by id or handle; the caller by default. Only organizers name another member.
    #[serde(default)]
    pub member: Option<String>,
}

/// A row of the standings of teams.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct TeamStandingBody {
    /// The rank, from 1. Teams with equal points and wins share a rank, and the following ranks are skipped.
    pub rank: u32,
    /// The number of the team, from 1.
    pub team: u16,
    /// The name of the team.
    pub name: String,
    /// The sum of the points of the members.
    pub points: f64,
    /// The sum of the wins of the members; a shared win counts its share.
    pub wins: f64,
    /// The sum of the games of the members.
    pub games: f64,
    /// The members, best first.
    pub members: Vec<TeamMemberBody>,
}

/// A member of a team in its standings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct TeamMemberBody {
    /// The member.
    pub member: MemberBody,
    /// The points of the member.
    pub points: f64,
    /// The games of the member.
    pub games: f64,
}

/// The standings of the teams of a season.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct TeamStandingsBody {
    /// The id of the league.
    pub league: Uuid,
    /// The number of the season.
    pub season: u16,
    /// The last event that is included.
    pub seq: u64,
    /// When that event was recorded.
    pub at: Timestamp,
    /// The rows, best first.
    pub rows: Vec<TeamStandingBody>,
}
