//! What can happen in a league.

use engine::words::EndReason;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::games::model::Visibility;

/// Who may become a member.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Joining {
    /// Any account that wants to.
    Open,
    /// Accounts that an organizer has invited.
    #[default]
    Invited,
}

/// What a result is worth.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Scoring {
    /// So many points for the first, the second …, none for those behind the list; equal ones share what their places
    /// are worth.
    RankPoints(Vec<u16>),
    /// The share of the win: 1 for a sole winner, 1/k for each of k, else 0.
    Shares,
}

/// What tells equal members of a league apart, in the order of the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum TieBreak {
    /// Wins; a shared one counts its share.
    Wins,
    /// Second places.
    Seconds,
    /// Points a game.
    Average,
    /// Among those who are equal in all before it: how often ahead of another of them, half for as good as another.
    HeadToHead,
    /// The sum of the opponents' points, each as often as met.
    Opponents,
    /// More games.
    Games,
    /// A number drawn from the ids of league and member and the season's number: it leaves no ties.
    Lot,
}

impl TieBreak {
    /// All of them.
    pub const ALL: [TieBreak; 7] = [
        TieBreak::Wins,
        TieBreak::Seconds,
        TieBreak::Average,
        TieBreak::HeadToHead,
        TieBreak::Opponents,
        TieBreak::Games,
        TieBreak::Lot,
    ];

    /// The name on the wire.
    pub fn name(self) -> &'static str {
        match self {
            TieBreak::Wins => "wins",
            TieBreak::Seconds => "seconds",
            TieBreak::Average => "average",
            TieBreak::HeadToHead => "head_to_head",
            TieBreak::Opponents => "opponents",
            TieBreak::Games => "games",
            TieBreak::Lot => "lot",
        }
    }
}

/// To whom a seat counts whose player was replaced.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum SeatCredit {
    /// To each who played it, in equal parts.
    #[default]
    Split,
    /// To who began.
    First,
    /// To who played it last.
    Last,
}

/// The rules of a season.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"scoring": {"rank_points": [5, 3, 2, 0]}, "tie_breaks": ["wins", "head_to_head"],
    "replacement": "split"}))]
pub struct Rules {
    /// What a result is worth.
    pub scoring: Scoring,
    /// What tells those apart who have the same points, in order; each is a column of the standings.
    #[serde(default)]
    #[schema(max_items = 7)]
    pub tie_breaks: Vec<TieBreak>,
    /// To whom a seat counts whose player was replaced.
    #[serde(default)]
    pub replacement: SeatCredit,
}

/// A seat of a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SeatingSeat {
    /// The member: an account's id, or one that begins with `placeholder:`.
    pub member: String,
    /// The nations.
    pub nations: Vec<String>,
}

/// A table as it is set up.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Seating {
    /// Its number in the league, from 1.
    pub table: u32,
    /// The round of the season, as the organizer counts.
    pub round: Option<u16>,
    /// The game here; null for one at a real table.
    pub game: Option<Uuid>,
    /// The edition.
    pub edition: String,
    /// The board; null where it is not told.
    pub board: Option<String>,
    /// By when its game is to be over, where the organizers said so. Nothing ends by itself then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub deadline: Option<Timestamp>,
    /// The seats in table order.
    pub seats: Vec<SeatingSeat>,
}

/// What happened in a league. Accounts are named by id.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum LeagueEvent {
    /// The league was made; always event 0.
    Created {
        /// What it is called.
        name: String,
        /// What its organizers say of it.
        description: Option<String>,
        /// Who may see it and its games.
        visibility: Visibility,
        /// Who may become a member.
        joining: Joining,
        /// Its first organizer.
        organizer: Uuid,
    },
    /// An account organizes it too.
    OrganizerAdded {
        /// The account.
        account: Uuid,
    },
    /// An account organizes it no more.
    OrganizerRemoved {
        /// The account.
        account: Uuid,
    },
    /// An account may become a member.
    Invited {
        /// The account.
        account: Uuid,
    },
    /// An account may not become a member any more, by its own will or an organizer's.
    Uninvited {
        /// The account.
        account: Uuid,
    },
    /// Somebody is a member: an account that agreed, or somebody without one whom an organizer named.
    Joined {
        /// The account's id, or one that begins with `placeholder:`.
        member: String,
        /// The name of who has no account; null for accounts.
        name: Option<String>,
    },
    /// Somebody is no active member any more; what was played counts.
    Left {
        /// The member.
        member: String,
    },
    /// A season began; tables from now on belong to it.
    SeasonBegan {
        /// Its number, from 1.
        season: u16,
        /// What it is called.
        name: String,
        /// Its rules.
        rules: Rules,
    },
    /// Tables were set up as games here.
    TablesCreated {
        /// The tables.
        tables: Vec<Seating>,
    },
    /// The game of a table is over.
    GameFinished {
        /// The game.
        game: Uuid,
        /// Why it ended.
        reason: EndReason,
        /// The rank of each seat, in the order of the seats.
        ranks: Vec<u8>,
    },
    /// The game of a table was given up without a result.
    GameAbandoned {
        /// The game.
        game: Uuid,
    },
    /// A result was entered: of a game that is kept here, or of one at a real table.
    ResultEntered {
        /// The table.
        table: Seating,
        /// When it was played, where that was told.
        played_at: Option<Timestamp>,
        /// Why the game ended; null at a real table.
        reason: Option<EndReason>,
        /// The rank of each seat, in the order of the seats.
        ranks: Vec<u8>,
        /// What was said of it.
        note: Option<String>,
    },
    /// The organizers decided what the result of a table is, whatever it was.
    TableAdjudicated {
        /// The table.
        table: u32,
        /// The rank of each seat, in the order of the seats.
        ranks: Vec<u8>,
        /// Why.
        note: Option<String>,
    },
    /// The organizers decided that a table does not count.
    TableVoided {
        /// The table.
        table: u32,
        /// Why.
        note: Option<String>,
    },
    /// Another member plays a seat on. Credit goes as the rules of the season say.
    PlayerReplaced {
        /// The table.
        table: u32,
        /// The seat, from 0.
        seat: u8,
        /// Who plays it from now on.
        member: String,
        /// Why.
        note: Option<String>,
    },
    /// The organizers moved by when games that go on are to be over.
    DeadlineMoved {
        /// Their tables, in order.
        tables: Vec<u32>,
        /// By when they are to be over.
        deadline: Timestamp,
        /// Why.
        note: String,
    },
}

/// The table whose result an event of a league enters, or corrects (`true`); `None` for other events.
pub fn change_of_table(text: &str) -> Option<(u32, bool)> {
    // What cannot be read is told when the league is.
    match serde_json::from_str(text).ok()? {
        LeagueEvent::ResultEntered { table, .. } => Some((table.table, false)),
        LeagueEvent::TableAdjudicated { table, .. }
        | LeagueEvent::TableVoided { table, .. }
        | LeagueEvent::PlayerReplaced { table, .. } => Some((table, true)),
        _ => None,
    }
}
