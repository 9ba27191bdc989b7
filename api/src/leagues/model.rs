//! Requests and answers about leagues.

use engine::setup::Pace;
use engine::words::EndReason;
use jiff::Timestamp;
use records::LeagueSignature;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::accounts::names;
use crate::games::model::Visibility;
use crate::leagues::event::{Joining, LeagueEvent, Rules};
use crate::leagues::league::TableState;
use crate::leagues::pairing::PairingFigures;

/// A new league.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"name": "Punic Cup", "joining": "open", "season": {"name": "Spring", "rules":
    {"scoring": {"rank_points": [5, 3, 2, 0]}, "tie_breaks": ["wins", "head_to_head", "lot"]}}}))]
pub struct NewLeague {
    /// What it is called.
    #[serde(deserialize_with = "names::read")]
    #[schema(min_length = 1, max_length = 64)]
    pub name: String,
    /// What its organizers say of it.
    #[serde(default)]
    #[schema(min_length = 1, max_length = 2000)]
    pub description: Option<String>,
    /// Who may see it and its games: a private league its organizers, members and who is invited.
    #[serde(default)]
    pub visibility: Visibility,
    /// Who may become a member.
    #[serde(default)]
    pub joining: Joining,
    /// Its first season, if it begins at once.
    #[serde(default)]
    pub season: Option<NewSeason>,
}

/// A new season.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"name": "Autumn"}))]
pub struct NewSeason {
    /// What it is called.
    #[serde(deserialize_with = "names::read")]
    #[schema(min_length = 1, max_length = 64)]
    pub name: String,
    /// Its rules; those of the season before when left out.
    #[serde(default)]
    pub rules: Option<Rules>,
}

/// Who becomes a member: `{"id": ACCOUNT}` or `{"placeholder": NAME}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum NewMember {
    /// An account, by id or handle. The caller's own becomes a member, if it may; any other is invited by an
    /// organizer.
    Id(String),
    /// Somebody without an account, whom an organizer names.
    Placeholder(#[serde(deserialize_with = "names::read")] String),
}

/// A league without what its events come to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct LeagueSummary {
    /// The league; its games carry it as their `league`.
    #[schema(example = "0190b5a8-7c1e-7a3b-9d52-3f6a1c0e4b77")]
    pub id: Uuid,
    /// What it is called.
    #[schema(example = "Punic Cup")]
    pub name: String,
    /// Who may see it.
    pub visibility: Visibility,
    /// Its last event.
    #[schema(example = 57)]
    pub seq: u64,
    /// When it was made.
    pub created_at: Timestamp,
    /// When its last event happened.
    pub updated_at: Timestamp,
}

/// An account of a league.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct LeagueAccountBody {
    /// The account.
    pub id: Uuid,
    /// What it is called now.
    pub handle: String,
}

/// A member of a league.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct MemberBody {
    /// An account's id, or one that begins with `placeholder:`.
    #[schema(example = "0190b5a8-7c1e-7a3b-9d52-3f6a1c0e4b77")]
    pub id: String,
    /// What the account is called now, or by which name who has none was added.
    #[schema(example = "dido")]
    pub name: String,
    /// False for who has left.
    pub active: bool,
}

/// A season of a league.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct SeasonBody {
    /// Its number, from 1.
    pub season: u16,
    /// What it is called.
    #[schema(example = "Spring")]
    pub name: String,
    /// Its rules.
    pub rules: Rules,
    /// When it began.
    pub began_at: Timestamp,
    /// How many tables it has.
    pub tables: u64,
    /// How many of them count.
    pub counted: u64,
}

/// A league.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct LeagueBody {
    /// What it is.
    #[serde(flatten)]
    pub summary: LeagueSummary,
    /// What its organizers say of it.
    pub description: Option<String>,
    /// Who may become a member.
    pub joining: Joining,
    /// The chained hash of its last event, 64 hexadecimal digits.
    pub hash: String,
    /// Who organizes it.
    pub organizers: Vec<LeagueAccountBody>,
    /// Accounts that may become members.
    pub invited: Vec<LeagueAccountBody>,
    /// The members, in the order in which they came.
    pub members: Vec<MemberBody>,
    /// The seasons; the last one goes on.
    pub seasons: Vec<SeasonBody>,
}

/// A page of leagues.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct LeaguePage {
    /// The leagues, the newest first.
    pub items: Vec<LeagueSummary>,
    /// The `cursor` of the next page; null on the last.
    pub next: Option<String>,
}

/// An event of a league.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct LeagueEventBody {
    /// Position in the league's log, from 0 without gaps.
    pub seq: u64,
    /// Place in the log of all leagues, from 1 without gaps.
    pub position: Option<u64>,
    /// The end of the log of all games when the event was recorded.
    pub log_position: Option<u64>,
    /// When it was recorded, in microseconds since 1970, as the hash takes it.
    pub at_microseconds: i64,
    /// The same moment.
    pub at: Timestamp,
    /// The account that did it; null for what the service found out.
    pub by: Option<String>,
    /// What happened.
    pub event: LeagueEvent,
    /// The same as it is kept, as the hash takes it.
    pub text: String,
    /// The chained hash, 64 hexadecimal digits.
    pub hash: String,
}

/// A page of a league's events.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct LeagueEventPage {
    /// The events, in order.
    pub items: Vec<LeagueEventBody>,
    /// The `cursor` of the next page; null on the last.
    pub next: Option<String>,
    /// The signature of the whole log, up to the last event of the last page; null where the server has no key. It is
    /// of the moment of this page: while events are added, later pages have later signatures.
    pub signature: Option<LeagueSignature>,
}

/// A seat of a new table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewTableSeat {
    /// The member, by id or handle.
    pub member: String,
    /// The nations: one, or two in the two-player game. Drawn when left out.
    #[serde(default)]
    #[schema(max_items = 2)]
    pub nations: Vec<String>,
}

/// A new table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewTable {
    /// The seats in table order, clockwise.
    #[schema(min_items = 2, max_items = 6)]
    pub seats: Vec<NewTableSeat>,
}

/// Tables that are set up together as games here, all or none of them.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"round": 1, "edition": "antike", "board": "antike-east", "max_rounds": 60, "pace":
    {"turn_seconds": 259200, "reserve_seconds": 604800, "timeouts": 2, "then": "bot"}, "tables": [{"seats": [
    {"member": "dido", "nations": ["greeks"]}, {"member": "hanno", "nations": ["phoenicians"]},
    {"member": "mago", "nations": ["persians"]}, {"member": "elissa", "nations": ["arabs"]}]}]}))]
pub struct NewTables {
    /// The round of the season, as the organizer counts.
    #[serde(default)]
    #[schema(minimum = 1, maximum = 200)]
    pub round: Option<u16>,
    /// The edition.
    pub edition: String,
    /// The board.
    pub board: String,
    /// The variants.
    #[serde(default)]
    pub variants: Vec<String>,
    /// The last round of each game that is played, as in a new game.
    #[serde(default)]
    #[schema(minimum = 1)]
    pub max_rounds: Option<u32>,
    /// Whether the games count for ratings; those of a private league cannot.
    #[serde(default)]
    pub rated: bool,
    /// How much time the players have; all they need when left out.
    #[serde(default)]
    pub pace: Option<Pace>,
    /// By when the games are to be over, for schedule and calendar. Nothing ends by itself then: organizers decide.
    #[serde(default)]
    pub deadline: Option<Timestamp>,
    /// The tables.
    #[schema(min_items = 1, max_items = 100)]
    pub tables: Vec<NewTable>,
}

/// A seat of a table of a league.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct LeagueSeatBody {
    /// Its number, from 0.
    pub seat: u8,
    /// The members who played it, who began first.
    pub members: Vec<MemberBody>,
    /// Its nations.
    pub nations: Vec<String>,
    /// Its rank; null without a result.
    pub rank: Option<u8>,
    /// What it is worth by the rules of the season, whoever played it; null while the table does not count.
    pub points: Option<f64>,
}

/// A table of a league.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct LeagueTableBody {
    /// Its number in the league, from 1.
    pub table: u32,
    /// The season.
    pub season: u16,
    /// The round of the season; null where none was told.
    pub round: Option<u16>,
    /// The game here; null for one at a real table.
    pub game: Option<Uuid>,
    /// The edition.
    pub edition: String,
    /// The board; null where it was not told.
    pub board: Option<String>,
    /// Whether it counts.
    pub state: TableState,
    /// Why the game ended; null where that is not known.
    pub reason: Option<EndReason>,
    /// Whether the organizers of the league decided the result.
    pub adjudicated: bool,
    /// When the result was recorded; null without one.
    pub ended_at: Option<Timestamp>,
    /// By when its game is to be over, where the organizers said so.
    pub deadline: Option<Timestamp>,
    /// How often the organizers have moved that.
    pub deadline_moves: u32,
    /// When the time of who is to act runs out, in a game with a pace that goes on.
    pub due_at: Option<Timestamp>,
    /// When it was played, where a result was entered and that was told.
    pub played_at: Option<Timestamp>,
    /// What the organizers said of it last.
    pub note: Option<String>,
    /// The seats in table order.
    pub seats: Vec<LeagueSeatBody>,
}

/// A page of a league's tables.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct LeagueTablePage {
    /// The tables, in order.
    pub items: Vec<LeagueTableBody>,
    /// The `cursor` of the next page; null on the last.
    pub next: Option<String>,
}

/// The token of somebody without an account for a seat.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct SeatToken {
    /// The table.
    pub table: u32,
    /// The seat.
    pub seat: u8,
    /// The member.
    pub member: String,
    /// The bearer token that plays the seat, shown here only.
    pub token: String,
}

/// Tables just set up.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct CreatedTables {
    /// The last event of the league.
    pub seq: u64,
    /// The tables.
    pub tables: Vec<LeagueTableBody>,
    /// Tokens for the seats of members without an account, for who organizes to hand on.
    pub tokens: Vec<SeatToken>,
}

/// A seat of a result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ResultSeat {
    /// The member, by id or handle.
    pub member: String,
    /// The nations; of a game that is kept here it tells them.
    #[serde(default)]
    #[schema(max_items = 2)]
    pub nations: Vec<String>,
    /// The rank, from 1; equal ones share one, and as many are passed over. Of a game that is kept here it tells it.
    #[serde(default)]
    #[schema(minimum = 1, maximum = 6)]
    pub rank: Option<u8>,
}

/// A result that is entered: of a finished game that is kept here, such as an imported record, or of one at a real
/// table.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"round": 2, "edition": "antike", "board": "antike-east", "played_at": "2026-11-20T18:00:00Z",
    "seats": [{"member": "dido", "nations": ["greeks"], "rank": 1}, {"member": "hanno", "nations": ["arabs"],
    "rank": 2}, {"member": "mago", "nations": ["persians"], "rank": 2}], "note": "at Mago's"}))]
pub struct NewResult {
    /// The round of the season, as the organizer counts.
    #[serde(default)]
    #[schema(minimum = 1, maximum = 200)]
    pub round: Option<u16>,
    /// The game, where it is kept here; it tells edition, board, nations and ranks.
    #[serde(default)]
    pub game: Option<Uuid>,
    /// The edition; needed at a real table.
    #[serde(default)]
    pub edition: Option<String>,
    /// The board.
    #[serde(default)]
    pub board: Option<String>,
    /// When it was played.
    #[serde(default)]
    pub played_at: Option<Timestamp>,
    /// Who sat where, in table order. Of a game that is kept here it can be left out when all who sat there are
    /// members by their accounts.
    #[serde(default)]
    #[schema(max_items = 6)]
    pub seats: Vec<ResultSeat>,
    /// What is to be said of it.
    #[serde(default)]
    #[schema(min_length = 1, max_length = 1000)]
    pub note: Option<String>,
}

/// A correction of a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum Correction {
    /// The organizers decide what the result is, whatever it was.
    Adjudicate {
        /// The rank of each seat, in the order of the seats.
        ranks: Vec<u8>,
        /// Why.
        #[serde(default)]
        note: Option<String>,
    },
    /// The table does not count.
    Void {
        /// Why.
        #[serde(default)]
        note: Option<String>,
    },
    /// Another member plays a seat on; to whom it counts the rules of the season say. Who played the seat before can be
    /// named again: then nobody has followed. In a game that goes on an organizer also keeps the seat for the member's
    /// account, by `PUT /v1/games/{game}/seats/{seat}` with `{"player": {"id": …}}`, and the member claims it.
    Replace {
        /// The seat, from 0.
        seat: u8,
        /// The member, by id or handle.
        member: String,
        /// Why.
        #[serde(default)]
        note: Option<String>,
    },
}

/// A table after a change.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ChangedTable {
    /// The last event of the league; `as_of` the one before tells the standings of before.
    pub seq: u64,
    /// The table.
    pub table: LeagueTableBody,
}

/// By when games that go on are to be over, in place of what was told before: those of a round, or of one table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"round": 1, "deadline": "2099-12-31T20:00:00Z", "note": "two of us are on a voyage"}))]
pub struct NewDeadline {
    /// The round of the season that goes on: its tables that are being played. Left out where `table` is told.
    #[serde(default)]
    #[schema(minimum = 1)]
    pub round: Option<u16>,
    /// The table. Left out where `round` is told.
    #[serde(default)]
    #[schema(minimum = 1)]
    pub table: Option<u32>,
    /// By when they are to be over; it lies ahead. Nothing ends by itself then: organizers decide.
    pub deadline: Timestamp,
    /// Why.
    #[schema(min_length = 1, max_length = 1000)]
    pub note: String,
}

/// Tables after a change.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ChangedTables {
    /// The last event of the league.
    pub seq: u64,
    /// The tables.
    pub tables: Vec<LeagueTableBody>,
}

/// A line of the standings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct StandingBody {
    /// From 1; those equal in everything share a rank, and as many are passed over.
    pub rank: u32,
    /// The member.
    pub member: MemberBody,
    /// Games that count; a part of one where a seat was played by several.
    pub games: f64,
    /// Points.
    pub points: f64,
    /// What the tie-breaks come to, in the order of `tie_breaks` of the rules.
    pub tie_breaks: Vec<f64>,
}

/// Standings of a season.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct StandingsBody {
    /// The league.
    pub league: Uuid,
    /// The season.
    pub season: u16,
    /// Its rules.
    pub rules: Rules,
    /// The last event that counts: `as_of` it tells the same for ever.
    pub seq: u64,
    /// When that happened.
    pub at: Timestamp,
    /// The lines, best first.
    pub rows: Vec<StandingBody>,
}

/// The places of the best members after each round of a season.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeagueRounds {
    /// What the league is called.
    pub name: String,
    /// The season.
    pub season: u16,
    /// The last event that counts.
    pub seq: u64,
    /// When that happened.
    pub at: Timestamp,
    /// What these members are called now, best first.
    pub members: Vec<String>,
    /// How many others there are.
    pub left_out: usize,
    /// By the numbers of rounds the rank of each of these members, `None` before the member counted.
    pub rounds: Vec<(u16, Vec<Option<u32>>)>,
}

/// How two members did where they met.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct MeetingBody {
    /// The one, who came first into the league.
    pub one: MemberBody,
    /// The other.
    pub other: MemberBody,
    /// Games; a part of one where a seat was played by several.
    pub games: f64,
    /// In how many of them the one was ahead.
    pub ahead: f64,
    /// In how many they were equal.
    pub equal: f64,
    /// In how many the other was ahead.
    pub behind: f64,
}

/// Who met in a season and came out ahead.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct HeadToHeadBody {
    /// The league.
    pub league: Uuid,
    /// The season.
    pub season: u16,
    /// The last event that counts.
    pub seq: u64,
    /// When that happened.
    pub at: Timestamp,
    /// The pairs that met, in the order of the members.
    pub rows: Vec<MeetingBody>,
}

/// What is to be paired.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"seed": "spring", "rounds": 2, "size": 4, "nations": ["greeks", "phoenicians", "persians",
    "arabs"]}))]
pub struct NewPairing {
    /// Where all chance comes from.
    #[schema(min_length = 1, max_length = 200)]
    pub seed: String,
    /// How many rounds.
    #[schema(minimum = 1, maximum = 12)]
    pub rounds: u8,
    /// How many sit at a table; when they do not come out even, some have one less.
    #[schema(minimum = 2, maximum = 6)]
    pub size: u8,
    /// The nations of a full table, as many as seats; left to each game when left out. Tables that are not full have
    /// none.
    #[serde(default)]
    #[schema(max_items = 6)]
    pub nations: Vec<String>,
    /// Who is paired, by id or handle: at most 400; all active members when left out.
    #[serde(default)]
    #[schema(max_items = 400)]
    pub members: Vec<String>,
}

/// A table of a pairing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PairedTable {
    /// The seats in table order, as new tables take them.
    pub seats: Vec<NewTableSeat>,
}

impl From<PairedTable> for NewTable {
    fn from(table: PairedTable) -> NewTable {
        NewTable { seats: table.seats }
    }
}

/// A round of a pairing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PairedRound {
    /// Its tables.
    pub tables: Vec<PairedTable>,
}

/// Who sits where in coming rounds. The same request has the same answer as long as no table is added to the season.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PairingBody {
    /// The last event of the league.
    pub seq: u64,
    /// How good it is.
    pub figures: PairingFigures,
    /// The rounds.
    pub rounds: Vec<PairedRound>,
}
