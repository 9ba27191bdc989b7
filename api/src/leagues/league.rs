//! A league: its members, seasons and tables, as its events have made them.

use std::collections::BTreeSet;

use engine::words::EndReason;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::games::model::Visibility;
use crate::leagues::event::{Joining, Rules};

/// Somebody who plays in a league.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// An account's id, or one that begins with `placeholder:`.
    pub id: String,
    /// The name of who has no account.
    pub name: Option<String>,
    /// Whether new tables may have the member.
    pub active: bool,
}

/// A season.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Season {
    /// What it is called.
    pub name: String,
    /// Its rules.
    pub rules: Rules,
    /// When it began, in microseconds since 1970.
    pub began_at: i64,
}

/// Whether a table counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum TableState {
    /// Its game goes on.
    Playing,
    /// It has a result that counts.
    Counted,
    /// Its game was given up; it does not count unless the organizers decide.
    Abandoned,
    /// The organizers decided that it does not count.
    Void,
}

/// A result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeagueResult {
    /// The rank of each seat, in the order of the seats.
    pub ranks: Vec<u8>,
    /// Why the game ended, where that is known.
    pub reason: Option<EndReason>,
    /// Whether the organizers of the league decided it.
    pub adjudicated: bool,
    /// When it was recorded, in microseconds since 1970.
    pub at: i64,
    /// The id of the account that entered or decided it; nothing when a game here told it.
    pub by: Option<String>,
}

/// A seat with who has played it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TabledSeat {
    /// The ids of members, who began first.
    pub members: Vec<String>,
    /// The nations.
    pub nations: Vec<String>,
    /// Whether who plays it now was a member, and had not left, when put there.
    pub willing: bool,
}

/// A table of a season.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tabled {
    /// Its number in the league, from 1.
    pub number: u32,
    /// The event by which it came.
    pub seq: u64,
    /// The season, from 1.
    pub season: u16,
    /// The round of the season.
    pub round: Option<u16>,
    /// The game here.
    pub game: Option<Uuid>,
    /// The edition.
    pub edition: String,
    /// The board.
    pub board: Option<String>,
    /// The seats in table order.
    pub seats: Vec<TabledSeat>,
    /// Whether it counts.
    pub state: TableState,
    /// The last result that was recorded, also when the table is void.
    pub result: Option<LeagueResult>,
    /// By when its game is to be over, where that was told.
    pub deadline: Option<Timestamp>,
    /// How often that was moved.
    pub deadline_moves: u32,
    /// When it was played, where that was told.
    pub played_at: Option<Timestamp>,
    /// What was said of it last.
    pub note: Option<String>,
}

/// What a league's log comes to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct League {
    /// The league.
    pub id: Uuid,
    /// Its last event.
    pub seq: u64,
    /// When that was recorded, in microseconds since 1970.
    pub at: i64,
    /// The chained hash of it.
    pub hash: String,
    /// When it was made, in microseconds since 1970.
    pub created_at: i64,
    /// What it is called.
    pub name: String,
    /// What its organizers say of it.
    pub description: Option<String>,
    /// Who may see it.
    pub visibility: Visibility,
    /// Who may become a member.
    pub joining: Joining,
    /// Who organizes it.
    pub organizers: BTreeSet<Uuid>,
    /// Accounts that may become members.
    pub invited: BTreeSet<Uuid>,
    /// The members, in the order in which they came.
    pub members: Vec<Member>,
    /// The seasons, the first is number 1.
    pub seasons: Vec<Season>,
    /// The tables, the first is number 1.
    pub tables: Vec<Tabled>,
}
