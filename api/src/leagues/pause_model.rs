//! Requests and answers about pauses, holidays and the time that members use.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::accounts::names;
use crate::http::request::time;
use crate::leagues::model::MemberBody;

/// A pause of the league, of the running tables of a round, or of a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"table": 1, "note": "a dispute is decided first"}))]
pub struct NewPause {
    /// The round of the current season, whose running tables pause. Omit it with `table`, and for the whole league.
    #[serde(default)]
    #[schema(minimum = 1)]
    pub round: Option<u16>,
    /// The number of the table. Omit it with `round`, and for the whole league.
    #[serde(default)]
    #[schema(minimum = 1)]
    pub table: Option<u32>,
    /// When the pause ends by itself; until an organizer ends it by default.
    #[serde(default, deserialize_with = "time::optional_timestamp")]
    pub until: Option<Timestamp>,
    /// The reason, from 1 to 1000 bytes.
    #[serde(default, deserialize_with = "names::read_note_option")]
    #[schema(min_length = 1, max_length = 1000)]
    pub note: Option<String>,
}

/// The end of pauses.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"table": 1}))]
pub struct PauseEnd {
    /// The round of the current season, whose paused tables go on.
    #[serde(default)]
    #[schema(minimum = 1)]
    pub round: Option<u16>,
    /// The number of the table.
    #[serde(default)]
    #[schema(minimum = 1)]
    pub table: Option<u32>,
    /// The reason, from 1 to 1000 bytes.
    #[serde(default, deserialize_with = "names::read_note_option")]
    #[schema(min_length = 1, max_length = 1000)]
    pub note: Option<String>,
}

/// A holiday of a member.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"from": "2099-08-01T00:00:00Z", "until": "2099-08-08T00:00:00Z"}))]
pub struct NewHoliday {
    /// When it begins: at least 12 hours ahead, unless an organizer enters it.
    #[serde(deserialize_with = "time::timestamp")]
    pub from: Timestamp,
    /// When it ends.
    #[serde(deserialize_with = "time::timestamp")]
    pub until: Timestamp,
    /// The member, by id or handle; the caller by default. Only organizers name another member.
    #[serde(default)]
    pub member: Option<String>,
}

/// A pause in which the clocks of games stand still.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct PauseBody {
    /// The number of the table; null for all tables.
    pub table: Option<u32>,
    /// When it began.
    pub from: Timestamp,
    /// When it ends, or ended; null until an organizer ends it.
    pub until: Option<Timestamp>,
    /// The reason; null if not given.
    pub note: Option<String>,
}

/// A holiday of a member.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct HolidayBody {
    /// The member.
    pub member: MemberBody,
    /// The number of the season whose days it uses.
    pub season: u16,
    /// When it begins, or began.
    pub from: Timestamp,
    /// When it ends, or ended.
    pub until: Timestamp,
}

/// The pauses and holidays of a league.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct PausesBody {
    /// The sequence number of the last event of the league.
    pub seq: u64,
    /// The pauses, in order.
    pub pauses: Vec<PauseBody>,
    /// The holidays, in order.
    pub holidays: Vec<HolidayBody>,
}

/// The time that a member has used in the games of a season.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct TimeUsedBody {
    /// The member.
    pub member: MemberBody,
    /// How often games waited for the member.
    pub turns: u32,
    /// The sum of the waiting times in seconds, without pauses.
    pub seconds: u64,
    /// The longest waiting time in seconds, without pauses.
    pub longest_seconds: u64,
    /// The number of time-outs.
    pub timeouts: u32,
    /// The number of games that wait for the member now.
    pub waiting: u32,
    /// Since when the game waits that has waited longest; null if none waits.
    pub waiting_since: Option<Timestamp>,
}

/// The time that the members of a season have used, the slowest first.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct TimesBody {
    /// The id of the league.
    pub league: Uuid,
    /// The number of the season.
    pub season: u16,
    /// The sequence number of the last event of the league.
    pub seq: u64,
    /// The rows, by the average waiting time, the longest first.
    pub rows: Vec<TimeUsedBody>,
}
