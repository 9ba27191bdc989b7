//! The state of a league: its members, seasons and tables.

use std::collections::{BTreeMap, BTreeSet};

use engine::words::EndReason;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::games::model::Visibility;
use crate::leagues::event::{
    Joining, LeagueRole, MemberGroup, RegistrationQuestion, Rules, SeasonFormat, Seating,
};

/// A member of a league.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// The id: of an account, or with the prefix `placeholder:`.
    pub id: String,
    /// The name, if the member has no account.
    pub name: Option<String>,
    /// Whether the member can be at new tables.
    pub active: bool,
}

/// The divisions and teams of a season.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SeasonGroups {
    /// The divisions, the highest first; empty if the season has none.
    pub divisions: Vec<MemberGroup>,
    /// How many members of each division move up, and down.
    pub moves: u8,
    /// The teams; empty if the season has none.
    pub teams: Vec<MemberGroup>,
    /// The members of a team who play in a round, by round and number of the team.
    pub line_ups: BTreeMap<(u16, u16), Vec<String>>,
}

/// A challenge without a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Challenge {
    /// The id of the member who challenges.
    pub member: String,
    /// The id of the challenged member.
    pub opponent: String,
    /// When the member challenged, in microseconds since 1970.
    pub at: i64,
}

/// A season of a league.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Season {
    /// The name.
    pub name: String,
    /// The rules.
    pub rules: Rules,
    /// How the tables are paired.
    pub format: SeasonFormat,
    /// When the season began, in microseconds since 1970.
    pub began_at: i64,
    /// The divisions and teams.
    pub groups: SeasonGroups,
    /// The challenges of a ladder that have no table.
    pub challenges: Vec<Challenge>,
}

/// Whether a table counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum TableState {
    /// The game is running.
    Playing,
    /// The table has a result that counts.
    Counted,
    /// The game was abandoned. The table counts only if the organizers decide its result.
    Abandoned,
    /// The organizers decided that the table does not count.
    Void,
}

/// The result of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeagueResult {
    /// The rank of each seat, in the order of the seats.
    pub ranks: Vec<u8>,
    /// Why the game ended, if known.
    pub reason: Option<EndReason>,
    /// Whether the organizers of the league decided the result.
    pub adjudicated: bool,
    /// When the result was recorded, in microseconds since 1970.
    pub at: i64,
    /// The id of the account that entered or decided the result; `None` if a game on this server gave it.
    pub by: Option<String>,
}

/// A seat of a table, with its players.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeagueSeat {
    /// The ids of the members who played the seat, in order.
    pub members: Vec<String>,
    /// The nations.
    pub nations: Vec<String>,
    /// Whether the current player was an active member when taking the seat.
    pub willing: bool,
}

/// A table of a season.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeagueTable {
    /// The number of the table in the league, from 1.
    pub number: u32,
    /// The event that added the table.
    pub seq: u64,
    /// The number of the season, from 1.
    pub season: u16,
    /// The round of the season.
    pub round: Option<u16>,
    /// The game on this server.
    pub game: Option<Uuid>,
    /// The edition.
    pub edition: String,
    /// The board.
    pub board: Option<String>,
    /// The ids of members who sit out the round, if they are listed with this table.
    pub byes: Vec<String>,
    /// The seats in table order.
    pub seats: Vec<LeagueSeat>,
    /// Whether the table counts.
    pub state: TableState,
    /// The last result, also if the table is void.
    pub result: Option<LeagueResult>,
    /// The time by which the game should end.
    pub deadline: Option<Timestamp>,
    /// How often the deadline was moved.
    pub deadline_moves: u32,
    /// What the players of the seats pay for them, in tenths of a point; empty if the seats were not bid for.
    pub prices: Vec<u16>,
    /// When the game was played, if given.
    pub played_at: Option<Timestamp>,
    /// The last note of the organizers about the table and its result.
    pub note: Option<String>,
    /// The reason of the last deadline, unless a note followed.
    /// It is of interest only while the game is running.
    pub deadline_note: Option<String>,
}

impl LeagueTable {
    /// Moves the players of each seat to the seat that they have bid for.
    /// Returns false, and changes nothing, unless each player takes one seat for a price.
    pub(in crate::leagues) fn take_seats(&mut self, from: &[u8], prices: Vec<u16>) -> bool {
        let mut sorted = from.to_vec();
        sorted.sort_unstable();
        let count = self.seats.len();
        if !sorted.into_iter().map(usize::from).eq(0..count) || prices.len() != count {
            return false;
        }
        let before = self.seats.clone();
        for (seat, from) in self.seats.iter_mut().zip(from) {
            let player = &before[usize::from(*from)];
            seat.members.clone_from(&player.members);
            seat.willing = player.willing;
        }
        self.prices = prices;
        true
    }

    /// Replaces the note, if there is a new one.
    pub fn set_note(&mut self, note: Option<String>) {
        if note.is_some() {
            self.note = note;
            self.deadline_note = None;
        }
    }

    /// Returns the note to show: the reason of the last deadline only while the game is running.
    pub fn shown_note(&self) -> Option<&String> {
        let of_deadline = self.deadline_note.as_ref();
        let of_deadline = of_deadline.filter(|_| self.state == TableState::Playing);
        of_deadline.or(self.note.as_ref())
    }
}

/// A pause of the league or of a table. Times are in microseconds since 1970.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeaguePause {
    /// The number of the table; `None` for all tables.
    pub table: Option<u32>,
    /// When it began.
    pub from: i64,
    /// When it ends; `None` until an organizer ends it.
    pub until: Option<i64>,
    /// The reason.
    pub note: Option<String>,
}

/// A holiday of a member. Times are in microseconds since 1970.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Holiday {
    /// The id of the member.
    pub member: String,
    /// The season whose days it uses.
    pub season: u16,
    /// When it begins.
    pub from: i64,
    /// When it ends.
    pub until: i64,
}

/// The pauses and holidays of a league.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LeaguePauses {
    /// The pauses, in the order of the log.
    pub pauses: Vec<LeaguePause>,
    /// The holidays, in the order of the log.
    pub holidays: Vec<Holiday>,
}

/// Whether a report counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ReportState {
    /// Another player of the table or an official has to answer.
    Open,
    /// A player disputes it, so an official has to answer.
    Disputed,
    /// The result counts.
    Accepted,
    /// The report was rejected or withdrawn.
    Rejected,
}

impl ReportState {
    /// Whether the report waits for an answer.
    pub fn is_open(self) -> bool {
        matches!(self, ReportState::Open | ReportState::Disputed)
    }
}

/// A report of a result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResultReport {
    /// The number of the report, from 1.
    pub number: u32,
    /// The table. Its number is 0 until the report of another game is accepted.
    pub table: Seating,
    /// When the game was played.
    pub played_at: Option<Timestamp>,
    /// The rank of each seat.
    pub ranks: Vec<u8>,
    /// The note of the reporter.
    pub note: Option<String>,
    /// The account of the reporter.
    pub by: Uuid,
    /// When it was reported, in microseconds since 1970.
    pub at: i64,
    /// Whether it counts.
    pub state: ReportState,
    /// The note of the answer.
    pub answer: Option<String>,
}

impl ResultReport {
    /// Whether a member has a seat in the report.
    pub fn has(&self, member: &str) -> bool {
        self.table.seats.iter().any(|seat| seat.member == member)
    }
}

/// A dispute about a table or a report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dispute {
    /// The number of the dispute, from 1.
    pub number: u32,
    /// The number of the table.
    pub table: Option<u32>,
    /// The number of the report.
    pub report: Option<u32>,
    /// What is wrong.
    pub text: String,
    /// The account of the member.
    pub by: Uuid,
    /// When it was opened, in microseconds since 1970.
    pub at: i64,
    /// The answer, and the account that gave it.
    pub answer: Option<(Uuid, String)>,
}

/// The state of a league after all events of its log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct League {
    /// The id.
    pub id: Uuid,
    /// The sequence number of the last event.
    pub seq: u64,
    /// When the last event was recorded, in microseconds since 1970.
    pub at: i64,
    /// The chained hash of the last event.
    pub hash: String,
    /// When the league was created, in microseconds since 1970.
    pub created_at: i64,
    /// The name.
    pub name: String,
    /// The description by the organizers.
    pub description: Option<String>,
    /// Who may see the league.
    pub visibility: Visibility,
    /// Who may become a member.
    pub joining: Joining,
    /// The organizers.
    pub organizers: BTreeSet<Uuid>,
    /// The invited accounts.
    pub invited: BTreeSet<Uuid>,
    /// The members, in the order in which they joined.
    pub members: Vec<Member>,
    /// The seasons; the first has number 1.
    pub seasons: Vec<Season>,
    /// The tables; the first has number 1.
    pub tables: Vec<LeagueTable>,
    /// The pauses and holidays.
    pub pauses: LeaguePauses,
    /// The organizers who own the league.
    pub owners: BTreeSet<Uuid>,
    /// The referees and scorers.
    pub assistants: BTreeMap<Uuid, LeagueRole>,
    /// The questions for accounts that register.
    pub questions: Vec<RegistrationQuestion>,
    /// Whether nothing can be changed, except this.
    pub archived: bool,
    /// Whether the league is deleted: no one may see it.
    pub deleted: bool,
    /// A hash of the code of the invitation link.
    pub invitation: Option<String>,
    /// The accounts that ask to join.
    pub requests: BTreeSet<Uuid>,
    /// The numbers of the closed seasons.
    pub closed_seasons: BTreeSet<u16>,
    /// The reports of results; the first has number 1.
    pub reports: Vec<ResultReport>,
    /// The disputes; the first has number 1.
    pub disputes: Vec<Dispute>,
}
