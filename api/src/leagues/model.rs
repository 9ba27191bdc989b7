//! Requests and answers about leagues.

use engine::setup::Pace;
use engine::words::EndReason;
use jiff::Timestamp;
use records::LeagueSignature;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::accounts::names;
use crate::games::bidding::NewBidding;
use crate::games::model::Visibility;
use crate::http::request::time;
use crate::leagues::event::{
    Joining, LeagueEvent, LeagueRole, MemberGroup, RegistrationQuestion, Rules, SeasonFormat,
};
use crate::leagues::league::TableState;
use crate::leagues::pairing::PairingFigures;

/// A new league.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"name": "Punic Cup", "joining": "open", "season": {"name": "Spring", "rules":
    {"scoring": {"rank_points": [5, 3, 2, 0]}, "tie_breaks": ["wins", "head_to_head", "lot"]}}}))]
pub struct NewLeague {
    /// The name, from 1 to 64 bytes.
    #[serde(deserialize_with = "names::read")]
    #[schema(min_length = 1, max_length = 64)]
    pub name: String,
    /// A description by the organizers, from 1 to 2000 bytes.
    #[serde(default, deserialize_with = "names::read_note_option")]
    #[schema(min_length = 1, max_length = 2000)]
    pub description: Option<String>,
    /// Who may see the league and its games.
    /// A private league is visible to organizers, members and invited accounts.
    #[serde(default)]
    pub visibility: Visibility,
    /// Who may become a member.
    #[serde(default)]
    pub joining: Joining,
    /// The first season, if it begins immediately.
    #[serde(default)]
    pub season: Option<NewSeason>,
}

/// A new season.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"name": "Autumn"}))]
pub struct NewSeason {
    /// The name, from 1 to 64 bytes.
    #[serde(deserialize_with = "names::read")]
    #[schema(min_length = 1, max_length = 64)]
    pub name: String,
    /// The rules; those of the previous season by default. The first season needs rules.
    #[serde(default)]
    pub rules: Option<Rules>,
    /// How the tables are paired; as in the previous season by default, and `spread` in the first.
    #[serde(default)]
    pub format: Option<SeasonFormat>,
}

/// The new member: `{"id": ACCOUNT}` or `{"placeholder": NAME}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum NewMember {
    /// An account, by id or handle.
    /// The caller's own account becomes a member if it may join; organizers invite other accounts.
    Id(String),
    /// A person without an account, by a name that an organizer chooses.
    Placeholder(#[serde(deserialize_with = "names::read")] String),
}

/// The account of a member who was added without one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"id": "dido"}))]
pub struct MemberAccount {
    /// The account, by id or handle. It must be an active member of the league.
    pub id: String,
}

/// A league without its members and seasons.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct LeagueSummary {
    /// The id of the league; its games have it as `league`.
    #[schema(example = "0190b5a8-7c1e-7a3b-9d52-3f6a1c0e4b77")]
    pub id: Uuid,
    /// The name.
    #[schema(example = "Punic Cup")]
    pub name: String,
    /// Who may see the league.
    pub visibility: Visibility,
    /// The sequence number of the last event.
    #[schema(example = 57)]
    pub seq: u64,
    /// When the league was created.
    pub created_at: Timestamp,
    /// When the last event was recorded.
    pub updated_at: Timestamp,
}

/// An account in a league.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct LeagueAccountBody {
    /// The id of the account.
    pub id: Uuid,
    /// The current handle of the account.
    pub handle: String,
}

/// The role of an account in a league.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct LeagueRoleBody {
    /// The id of the account.
    pub id: Uuid,
    /// The current handle of the account.
    pub handle: String,
    /// The role.
    pub role: LeagueRole,
}

/// A member of a league.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct MemberBody {
    /// The id of the member: of an account, or with the prefix `placeholder:`.
    #[schema(example = "0190b5a8-7c1e-7a3b-9d52-3f6a1c0e4b77")]
    pub id: String,
    /// The current handle of the account, or the name of a member without an account.
    #[schema(example = "dido")]
    pub name: String,
    /// Whether the member is active; false after leaving the league.
    pub active: bool,
}

/// A season of a league.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct SeasonBody {
    /// The number of the season, from 1.
    pub season: u16,
    /// The name.
    #[schema(example = "Spring")]
    pub name: String,
    /// The rules.
    pub rules: Rules,
    /// How the tables are paired.
    pub format: SeasonFormat,
    /// When the season began.
    pub began_at: Timestamp,
    /// Whether the season is closed: no table can be added.
    pub closed: bool,
    /// The number of tables.
    pub tables: u64,
    /// The number of tables whose results count.
    pub counted: u64,
    /// The divisions, the highest first; empty if the season has none.
    pub divisions: Vec<MemberGroup>,
    /// How many members of each division move up, and down, after the season.
    pub moves: u8,
    /// The teams; empty if the season has none.
    pub teams: Vec<MemberGroup>,
    /// The line-ups of teams, by round and team.
    pub line_ups: Vec<LineUp>,
    /// The challenges of a ladder that have no table.
    pub challenges: Vec<ChallengeBody>,
}

/// The members of a team who play in a round.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"team": 1, "round": 3, "members": ["dido", "hanno"]}))]
pub struct LineUp {
    /// The number of the team, from 1.
    #[schema(minimum = 1)]
    pub team: u16,
    /// The round of the season.
    #[schema(minimum = 1, maximum = 200)]
    pub round: u16,
    /// The members. A request has them by id or handle, an answer by id.
    #[schema(max_items = 1000)]
    pub members: Vec<String>,
}

/// A challenge without a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ChallengeBody {
    /// The id of the member who challenges.
    pub member: String,
    /// The id of the challenged member.
    pub opponent: String,
    /// When the member challenged.
    pub at: Timestamp,
}

/// A league.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct LeagueBody {
    /// The id, name and last event.
    #[serde(flatten)]
    pub summary: LeagueSummary,
    /// The description by the organizers.
    pub description: Option<String>,
    /// Who may become a member.
    pub joining: Joining,
    /// The questions for accounts that register.
    pub questions: Vec<RegistrationQuestion>,
    /// Whether the league is archived: nothing can be changed except its settings.
    pub archived: bool,
    /// The chained hash of the last event, 64 hexadecimal digits.
    pub hash: String,
    /// The accounts with a role, those with the most rights first.
    pub roles: Vec<LeagueRoleBody>,
    /// The organizers, including owners.
    pub organizers: Vec<LeagueAccountBody>,
    /// The accounts that ask to become members.
    pub requests: Vec<LeagueAccountBody>,
    /// The invited accounts, which may become members.
    pub invited: Vec<LeagueAccountBody>,
    /// The members, in the order in which they joined.
    pub members: Vec<MemberBody>,
    /// The seasons; the last one is the current season.
    pub seasons: Vec<SeasonBody>,
}

/// A page of leagues.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct LeaguePage {
    /// The leagues, newest first.
    pub items: Vec<LeagueSummary>,
    /// The `cursor` of the next page; null on the last.
    pub next: Option<String>,
}

/// An event of a league.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct LeagueEventBody {
    /// The position in the league's log, from 0 without gaps.
    pub seq: u64,
    /// The position in the log of all leagues, from 1 without gaps.
    pub position: Option<u64>,
    /// The end of the log of all games when the event was recorded.
    pub log_position: Option<u64>,
    /// When the event was recorded, in microseconds since 1970; part of the hash.
    pub at_microseconds: i64,
    /// The same time, as RFC 3339.
    pub at: Timestamp,
    /// The id of the account that caused the event; null for events that the server records itself.
    pub by: Option<String>,
    /// The event.
    pub event: LeagueEvent,
    /// The event as it is stored, as JSON; part of the hash.
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
    /// The signature of the whole log, up to the current last event; null if the server has no key.
    /// If events are added while you read pages, later pages have later signatures.
    pub signature: Option<LeagueSignature>,
}

/// A seat of a new table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewTableSeat {
    /// The member, by id or handle.
    pub member: String,
    /// The nations: one, or two in the two-player game. Drawn by lot if omitted.
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

/// New tables, which are created together as games on this server: all of them or none.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"round": 1, "edition": "antike", "board": "antike-east", "max_rounds": 60, "pace":
    {"turn_seconds": 259200, "reserve_seconds": 604800, "timeouts": 2, "then": "bot"}, "tables": [{"seats": [
    {"member": "dido", "nations": ["greeks"]}, {"member": "hanno", "nations": ["phoenicians"]},
    {"member": "mago", "nations": ["persians"]}, {"member": "elissa", "nations": ["arabs"]}]}]}))]
pub struct NewTables {
    /// The round of the season, from 1 to 200, as the organizer counts.
    #[serde(default)]
    #[schema(minimum = 1, maximum = 200)]
    pub round: Option<u16>,
    /// The name of the edition.
    pub edition: String,
    /// The name of the board.
    pub board: String,
    /// The names of the variants.
    #[serde(default)]
    pub variants: Vec<String>,
    /// The last round of each game, as for a new game.
    #[serde(default)]
    #[schema(minimum = 1)]
    pub max_rounds: Option<u32>,
    /// Whether the games count for ratings; not possible in a private league.
    #[serde(default)]
    pub rated: bool,
    /// The time control of the players; unlimited by default.
    #[serde(default)]
    pub pace: Option<Pace>,
    /// How the members bid for the seats. What a member pays is taken off the points of the member's result.
    /// Not possible in a bracket or a ladder, where points do not count.
    #[serde(default)]
    pub bidding: Option<NewBidding>,
    /// The time by which the games should end, for schedule and calendar.
    /// Games do not end automatically: organizers decide.
    #[serde(default, deserialize_with = "time::optional_timestamp")]
    pub deadline: Option<Timestamp>,
    /// The members who sit out this round, by id or handle.
    /// In a Swiss season they receive the points of a bye.
    #[serde(default)]
    #[schema(max_items = 400)]
    pub byes: Vec<String>,
    /// The tables, from 1 to 100.
    #[schema(min_items = 1, max_items = 100)]
    pub tables: Vec<NewTable>,
}

/// A seat of a table of a league.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct LeagueSeatBody {
    /// The number of the seat, from 0.
    pub seat: u8,
    /// The members who played the seat, in order.
    pub members: Vec<MemberBody>,
    /// The nations of the seat.
    pub nations: Vec<String>,
    /// The rank, from 1; null without a result.
    pub rank: Option<u8>,
    /// The points of the seat by the rules of the season, less the price; null if the table does not count.
    pub points: Option<f64>,
    /// What the player pays for the seat; null if it was not bid for.
    pub price: Option<f64>,
}

/// A table of a league.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct LeagueTableBody {
    /// The number of the table in the league, from 1.
    pub table: u32,
    /// The number of the season.
    pub season: u16,
    /// The round of the season; null if not given.
    pub round: Option<u16>,
    /// The id of the game on this server; null for an over-the-board game.
    pub game: Option<Uuid>,
    /// The name of the edition.
    pub edition: String,
    /// The name of the board; null if not given.
    pub board: Option<String>,
    /// Whether the table counts.
    pub state: TableState,
    /// Why the game ended; null if unknown.
    pub reason: Option<EndReason>,
    /// Whether the organizers of the league decided the result.
    pub adjudicated: bool,
    /// When the result was recorded; null without one.
    pub ended_at: Option<Timestamp>,
    /// The time by which the game should end; null if there is no deadline.
    pub deadline: Option<Timestamp>,
    /// How often the organizers have moved the deadline.
    pub deadline_moves: u32,
    /// When the time of the player to move runs out; null unless the game is running with a time control.
    pub due_at: Option<Timestamp>,
    /// When an entered result was played; null if not given.
    pub played_at: Option<Timestamp>,
    /// The last note of the organizers. The reason of a deadline is omitted when the game is over.
    pub note: Option<String>,
    /// The members who sit out the round, if they are listed with this table.
    pub byes: Vec<MemberBody>,
    /// The seats in table order.
    pub seats: Vec<LeagueSeatBody>,
}

/// A page of a league's tables.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct LeagueTablePage {
    /// The tables, by number.
    pub items: Vec<LeagueTableBody>,
    /// The `cursor` of the next page; null on the last.
    pub next: Option<String>,
}

/// The token of a seat whose member has no account.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct SeatToken {
    /// The number of the table.
    pub table: u32,
    /// The number of the seat, from 0.
    pub seat: u8,
    /// The id of the member.
    pub member: String,
    /// The bearer token of the seat. It is shown only in this answer.
    pub token: String,
}

/// The new tables.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct CreatedTables {
    /// The sequence number of the last event of the league.
    pub seq: u64,
    /// The tables.
    pub tables: Vec<LeagueTableBody>,
    /// Tokens for the seats of members without an account. The organizer passes them on.
    pub tokens: Vec<SeatToken>,
}

/// A seat of an entered result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ResultSeat {
    /// The member, by id or handle.
    pub member: String,
    /// The nations. Omit them for a game on this server, which has them.
    #[serde(default)]
    #[schema(max_items = 2)]
    pub nations: Vec<String>,
    /// The rank, from 1.
    /// Equal seats share a rank, and the following ranks are skipped. Omit it for a game on this server.
    #[serde(default)]
    #[schema(minimum = 1, maximum = 6)]
    pub rank: Option<u8>,
}

/// A result to enter, of a game on this server or of an over-the-board game.
/// Games on this server include imported records.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"round": 2, "edition": "antike", "board": "antike-east", "played_at": "2026-11-20T18:00:00Z",
    "seats": [{"member": "dido", "nations": ["greeks"], "rank": 1}, {"member": "hanno", "nations": ["arabs"],
    "rank": 2}, {"member": "mago", "nations": ["persians"], "rank": 2}], "note": "at Mago's"}))]
pub struct NewResult {
    /// The round of the season, from 1 to 200, as the organizer counts.
    #[serde(default)]
    #[schema(minimum = 1, maximum = 200)]
    pub round: Option<u16>,
    /// The id of the game on this server; its edition, board, nations and ranks are used.
    #[serde(default)]
    pub game: Option<Uuid>,
    /// The name of the edition; required for an over-the-board game.
    #[serde(default)]
    pub edition: Option<String>,
    /// The name of the board.
    #[serde(default)]
    pub board: Option<String>,
    /// When the game was played; not in the future.
    #[serde(default, deserialize_with = "time::optional_timestamp")]
    pub played_at: Option<Timestamp>,
    /// The seats in table order.
    /// They can be omitted for a game on this server if all its players are members with accounts.
    #[serde(default)]
    #[schema(max_items = 6)]
    pub seats: Vec<ResultSeat>,
    /// The members who sit out the round of this result, by id or handle.
    ///
    /// List them with one result of the round. In a Swiss season they receive the points of a bye.
    #[serde(default)]
    #[schema(max_items = 400)]
    pub byes: Vec<String>,
    /// Whether to enter the same result again because the members have played again.
    /// The same result has the same round, time, edition and board, and the same members with the same nations
    /// and ranks.
    #[serde(default)]
    pub again: bool,
    /// A note, from 1 to 1000 bytes.
    #[serde(default, deserialize_with = "names::read_note_option")]
    #[schema(min_length = 1, max_length = 1000)]
    pub note: Option<String>,
}

/// A correction of a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum Correction {
    /// The organizers decide the result.
    Adjudicate {
        /// The rank of each seat, in the order of the seats.
        ranks: Vec<u8>,
        /// The reason, from 1 to 1000 bytes.
        #[serde(default, deserialize_with = "names::read_note_option")]
        note: Option<String>,
    },
    /// The table does not count.
    Void {
        /// The reason, from 1 to 1000 bytes.
        #[serde(default, deserialize_with = "names::read_note_option")]
        note: Option<String>,
    },
    /// Another member takes over a seat. The rules of the season say who receives the points.
    ///
    /// To undo a replacement, name the previous player of the seat. In a running game, an organizer also reserves the
    /// seat for the member's account, by `PUT /v1/games/{game}/seats/{seat}` with `{"player": {"id": …}}`, and the
    /// member claims it.
    Replace {
        /// The number of the seat, from 0.
        seat: u8,
        /// The member, by id or handle.
        member: String,
        /// The reason, from 1 to 1000 bytes.
        #[serde(default, deserialize_with = "names::read_note_option")]
        note: Option<String>,
    },
}

/// A table after a change.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ChangedTable {
    /// The sequence number of the last event of the league.
    /// Use the one before as `as_of` for the earlier standings.
    pub seq: u64,
    /// The table.
    pub table: LeagueTableBody,
}

/// A new deadline for running games: those of a round, or that of one table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"round": 1, "deadline": "2099-12-31T20:00:00Z", "note": "two of us are on a voyage"}))]
pub struct NewDeadline {
    /// The round of the current season, whose running tables receive the deadline.
    /// Omit it if `table` is given.
    #[serde(default)]
    #[schema(minimum = 1)]
    pub round: Option<u16>,
    /// The number of the table. Omit it if `round` is given.
    #[serde(default)]
    #[schema(minimum = 1)]
    pub table: Option<u32>,
    /// The time by which the games should end, in the future.
    /// Games do not end automatically: organizers decide.
    #[serde(deserialize_with = "time::timestamp")]
    pub deadline: Timestamp,
    /// The reason, from 1 to 1000 bytes.
    #[serde(deserialize_with = "names::read_note")]
    #[schema(min_length = 1, max_length = 1000)]
    pub note: String,
}

/// Tables after a change.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ChangedTables {
    /// The sequence number of the last event of the league.
    pub seq: u64,
    /// The tables.
    pub tables: Vec<LeagueTableBody>,
}

/// A row of the standings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct StandingBody {
    /// The rank, from 1.
    /// Members who are equal in everything share a rank, and the following ranks are skipped.
    pub rank: u32,
    /// The member.
    pub member: MemberBody,
    /// The number of games that count; a fraction of a game if several members played the seat.
    pub games: f64,
    /// The points.
    pub points: f64,
    /// The values of the tie-breaks, in the order of `tie_breaks` in the rules.
    pub tie_breaks: Vec<f64>,
    /// How the points are made up, if rounds have weights or not all results count; otherwise empty.
    pub results: Vec<ResultPointsBody>,
}

/// The points of a member at a table, or for sitting out a round.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ResultPointsBody {
    /// The number of the table. For a member who sat out, that of the table with which this is listed.
    pub table: u32,
    /// The round; null if not given.
    pub round: Option<u16>,
    /// Whether the member sat out.
    pub bye: bool,
    /// The weight of the round in percent.
    pub percent: u16,
    /// The points, with the weight of the round.
    pub points: f64,
    /// Whether the points count.
    pub counted: bool,
}

/// Standings of a season.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct StandingsBody {
    /// The id of the league.
    pub league: Uuid,
    /// The number of the season.
    pub season: u16,
    /// The number of the division; null for the standings of all members.
    pub division: Option<u16>,
    /// The rules of the season.
    pub rules: Rules,
    /// The last event that is included. With it as `as_of`, the standings are always the same.
    pub seq: u64,
    /// When that event was recorded.
    pub at: Timestamp,
    /// The rows, best first.
    pub rows: Vec<StandingBody>,
}

/// The ranks of the best members after each round of a season.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeagueRounds {
    /// The name of the league.
    pub name: String,
    /// The number of the season.
    pub season: u16,
    /// The last event that is included.
    pub seq: u64,
    /// When that event was recorded.
    pub at: Timestamp,
    /// The current names of these members, best first.
    pub members: Vec<String>,
    /// The number of other members.
    pub left_out: usize,
    /// The ranks of these members after each round. `None` before a member has a counted game.
    pub rounds: Vec<(u16, Vec<Option<u32>>)>,
}

/// The results of two members against each other.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct MeetingBody {
    /// The member who joined the league first.
    pub one: MemberBody,
    /// The other member.
    pub other: MemberBody,
    /// The number of games; a fraction of a game if several members played a seat.
    pub games: f64,
    /// The number of games in which `one` had the better rank.
    pub ahead: f64,
    /// The number of games in which both had the same rank.
    pub equal: f64,
    /// The number of games in which `other` had the better rank.
    pub behind: f64,
}

/// The results of all pairs of members who met in a season.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct HeadToHeadBody {
    /// The id of the league.
    pub league: Uuid,
    /// The number of the season.
    pub season: u16,
    /// The last event that is included.
    pub seq: u64,
    /// When that event was recorded.
    pub at: Timestamp,
    /// The pairs that met, in the order of the members.
    pub rows: Vec<MeetingBody>,
}

/// A match of a season with a bracket.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct MatchBody {
    /// The round of the season.
    pub round: u16,
    /// The two members; null for a winner who is not known yet, and if there is no opponent.
    #[schema(min_items = 2, max_items = 2)]
    pub members: Vec<Option<MemberBody>>,
    /// Whether the first member has no opponent, and advances.
    pub bye: bool,
    /// The numbers of the tables, one for each game.
    pub tables: Vec<u32>,
    /// The games that each of the two members has won.
    #[schema(min_items = 2, max_items = 2)]
    pub wins: Vec<u8>,
    /// The member who advances; null if not known yet.
    pub winner: Option<MemberBody>,
}

/// The bracket of a knock-out season or of a double elimination.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct BracketBody {
    /// The id of the league.
    pub league: Uuid,
    /// The number of the season.
    pub season: u16,
    /// The last event that is included.
    pub seq: u64,
    /// When that event was recorded.
    pub at: Timestamp,
    /// The matches of each round, from round 1 to the final; empty before round 1.
    /// The first match of a round plays the last one in the next round, the second the last but one, and so on.
    /// In a double elimination, these are the rounds of the winners' bracket.
    pub rounds: Vec<Vec<MatchBody>>,
    /// The matches of each round of the losers' bracket of a double elimination; empty in a knock-out.
    pub losers: Vec<Vec<MatchBody>>,
    /// The final of a double elimination, and the second one if the winner of the losers' bracket wins the first.
    /// Empty in a knock-out.
    pub finals: Vec<MatchBody>,
}

/// A request to pair members for the next rounds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"seed": "spring", "rounds": 2, "size": 4, "nations": ["greeks", "phoenicians", "persians",
    "arabs"]}))]
pub struct NewPairing {
    /// The seed of all random choices, from 1 to 200 bytes. The same seed gives the same pairing.
    #[schema(min_length = 1, max_length = 200)]
    pub seed: String,
    /// The number of rounds, from 1 to 12.
    #[schema(minimum = 1, maximum = 12)]
    pub rounds: u8,
    /// The number of seats of a table, from 2 to 6.
    /// If the members do not fill all tables, some tables are smaller. Round robins, brackets and ladders have
    /// tables of 2 seats.
    #[schema(minimum = 2, maximum = 6)]
    pub size: u8,
    /// The least number of seats of a table, from 2 to `size`; one less than `size` by default.
    /// Members who do not fit into such tables sit out in turn.
    #[serde(default)]
    #[schema(minimum = 2, maximum = 6)]
    pub smallest: Option<u8>,
    /// The nations of a full table, one for each seat.
    /// If omitted, each game draws them. Tables that are not full have none.
    #[serde(default)]
    #[schema(max_items = 6)]
    pub nations: Vec<String>,
    /// The members to pair, by id or handle, at most 400; all active members by default.
    #[serde(default)]
    #[schema(max_items = 400)]
    pub members: Vec<String>,
    /// The number of the division, from 1, whose members are paired. Required if the season has divisions.
    #[serde(default)]
    #[schema(minimum = 1)]
    pub division: Option<u16>,
    /// The first round that is paired, for the line-ups of teams; the one after the last by default.
    #[serde(default)]
    #[schema(minimum = 1, maximum = 200)]
    pub round: Option<u16>,
}

/// A table of a pairing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PairedTable {
    /// The seats in table order, in the form that new tables need.
    pub seats: Vec<NewTableSeat>,
}

impl From<PairedTable> for NewTable {
    fn from(table: PairedTable) -> NewTable {
        NewTable { seats: table.seats }
    }
}

/// A round of a pairing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct PairedRound {
    /// The number of the round, if the bracket of the season gives it; otherwise null.
    pub round: Option<u16>,
    /// The tables.
    pub tables: Vec<PairedTable>,
    /// The ids of the members who sit out.
    pub byes: Vec<String>,
    /// Explains each table of a Swiss round, in the order of the tables; empty in other formats.
    pub reasons: Vec<TableReason>,
}

/// Explains a table of a Swiss round.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct TableReason {
    /// The points of each member before the round, in the order of the seats.
    #[schema(example = json!([8.0, 8.0, 8.0, 6.0]))]
    pub points: Vec<f64>,
    /// The ids of the members whose points differ from those of most members at the table.
    /// Their score group did not fill its tables, or they had met its other members.
    pub moved: Vec<String>,
    /// The pairs of members who have met before in the season.
    pub met: Vec<[String; 2]>,
}

/// The pairing of the next rounds.
/// The same request has the same answer until a table is added to the season.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct PairingBody {
    /// The sequence number of the last event of the league.
    pub seq: u64,
    /// The quality of the pairing.
    pub figures: PairingFigures,
    /// The rounds.
    pub rounds: Vec<PairedRound>,
}
