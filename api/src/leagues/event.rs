//! The events of a league, which make up its log.

use engine::words::EndReason;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::accounts::names;
use crate::games::model::Visibility;

/// Who may become a member.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Joining {
    /// Any account.
    Open,
    /// Accounts that an organizer has invited.
    #[default]
    Invited,
    /// Accounts that ask to join and that an organizer admits.
    Approval,
}

/// How a result is converted into points.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Scoring {
    /// Points for the first place, the second place and so on; none beyond the list.
    /// Equal seats share the points of their places.
    RankPoints(Vec<u16>),
    /// The share of the win: 1 for a sole winner, 1/k for each of k winners, else 0.
    #[default]
    Shares,
}

/// The weight of a round: the points of its tables are multiplied by it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"round": 5, "percent": 200}))]
pub struct RoundWeight {
    /// The round.
    #[schema(minimum = 1, maximum = 200)]
    pub round: u16,
    /// The weight in percent, from 0 to 1000; 100 in rounds without a weight.
    #[schema(maximum = 1000)]
    pub percent: u16,
}

/// Which results of a member count in the standings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(example = json!({"best": 6}))]
pub enum CountedResults {
    /// All results.
    #[default]
    All,
    /// The best results, this many.
    Best(u16),
    /// All results except the worst ones, this many.
    ///
    /// A round that the member missed is one of the worst. The best result of a member always counts.
    AllBut(u16),
}

impl CountedResults {
    /// True for the rule of seasons whose event has none.
    fn is_all(&self) -> bool {
        *self == CountedResults::All
    }
}

/// A criterion that separates members with equal points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum TieBreak {
    /// The number of wins; a shared win counts its share.
    Wins,
    /// The number of second places.
    Seconds,
    /// The points per game.
    Average,
    /// Among members who are still equal: the results of their games with each other.
    /// A member receives 1 for each better rank than another of them in a game, and 1/2 for an equal rank.
    HeadToHead,
    /// The sum of the opponents' points, counted once for each game against them.
    Opponents,
    /// The number of games; more is better.
    Games,
    /// The place in an order that is drawn for the season; a higher place is better.
    ///
    /// It follows from the ids of league and members and the season's number. It leaves no ties.
    Lot,
}

impl TieBreak {
    /// All tie-breaks.
    pub const ALL: [TieBreak; 7] = [
        TieBreak::Wins,
        TieBreak::Seconds,
        TieBreak::Average,
        TieBreak::HeadToHead,
        TieBreak::Opponents,
        TieBreak::Games,
        TieBreak::Lot,
    ];

    /// The name in JSON.
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

/// How the tables of a season are paired.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
#[schema(example = json!({"type": "round_robin", "games": 2}))]
pub enum SeasonFormat {
    /// Tables of 2 to 6 seats. No two members meet twice where that is possible.
    #[default]
    Spread,
    /// Tables of 2 seats. Each member plays so many games against every other member.
    RoundRobin {
        /// The number of games of each pair of members, from 1 to 4.
        /// The members exchange their seats each time.
        #[schema(minimum = 1, maximum = 4)]
        games: u8,
    },
    /// Tables of 2 to 6 seats, paired round by round by points.
    /// Members with about equal points meet, and no two members meet twice where that is possible.
    Swiss {
        /// The points of a member who sits out a round, from 0 to 1000.
        #[serde(default)]
        #[schema(maximum = 1000)]
        bye_points: u16,
    },
    /// Tables of 2 seats. The winner of a match advances to the next round, until one member is left.
    KnockOut {
        /// The most games that decide a match: 1, 3, 5 or 7. Who has won more than half of them wins the match.
        #[serde(default = "one", skip_serializing_if = "is_one")]
        #[schema(minimum = 1, maximum = 7)]
        best_of: u8,
    },
    /// Tables of 2 seats. A member who loses two matches is out; the others play on, until one member is left.
    DoubleElimination {
        /// The most games that decide a match: 1, 3, 5 or 7. Who has won more than half of them wins the match.
        #[serde(default = "one", skip_serializing_if = "is_one")]
        #[schema(minimum = 1, maximum = 7)]
        best_of: u8,
    },
    /// Tables of 2 seats. A member challenges another one who is a few places above.
    /// A member who beats a member above exchanges places with this member.
    Ladder {
        /// By how many places the challenged member can be above, from 1 to 20.
        #[schema(minimum = 1, maximum = 20)]
        reach: u8,
    },
}

fn one() -> u8 {
    1
}

#[allow(clippy::trivially_copy_pass_by_ref)]
fn is_one(number: &u8) -> bool {
    *number == 1
}

impl SeasonFormat {
    /// True for the format of seasons whose event has none.
    fn is_spread(&self) -> bool {
        *self == SeasonFormat::Spread
    }

    /// True for formats whose standings are ordered by points.
    pub fn counts_points(self) -> bool {
        !self.has_bracket() && !matches!(self, SeasonFormat::Ladder { .. })
    }

    /// True for formats with a bracket.
    pub fn has_bracket(self) -> bool {
        matches!(
            self,
            SeasonFormat::KnockOut { .. } | SeasonFormat::DoubleElimination { .. }
        )
    }

    /// The number of games that a member must win to win a match of the bracket.
    pub fn wins_of_match(self) -> u8 {
        match self {
            SeasonFormat::KnockOut { best_of } | SeasonFormat::DoubleElimination { best_of } => {
                best_of / 2 + 1
            }
            SeasonFormat::Spread
            | SeasonFormat::RoundRobin { .. }
            | SeasonFormat::Swiss { .. }
            | SeasonFormat::Ladder { .. } => 1,
        }
    }
}

/// A division or a team.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"name": "First division", "members": ["0190b5a8-7c1e-7a3b-9d52-3f6a1c0e4b77"]}))]
pub struct MemberGroup {
    /// The name, from 1 to 64 bytes.
    #[schema(min_length = 1, max_length = 64)]
    pub name: String,
    /// The ids of the members.
    #[schema(max_items = 1000)]
    pub members: Vec<String>,
}

/// Who receives the points of a seat that several members played.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum SeatCredit {
    /// All players of the seat, in equal parts.
    #[default]
    Split,
    /// The first player of the seat.
    First,
    /// The last player of the seat.
    Last,
}

/// The rules of a season.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"scoring": {"rank_points": [5, 3, 2, 0]}, "tie_breaks": ["wins", "head_to_head"],
    "replacement": "split"}))]
pub struct Rules {
    /// How a result is converted into points.
    pub scoring: Scoring,
    /// The tie-breaks for members with equal points, in order; each is a column of the standings.
    #[serde(default)]
    #[schema(max_items = 7)]
    pub tie_breaks: Vec<TieBreak>,
    /// Who receives the points of a seat that several members played.
    #[serde(default)]
    pub replacement: SeatCredit,
    /// The rounds whose points are multiplied, each once.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(max_items = 200)]
    pub round_weights: Vec<RoundWeight>,
    /// Which results of a member count; all if missing.
    #[serde(default, skip_serializing_if = "CountedResults::is_all")]
    pub counted: CountedResults,
    /// The days of holidays that each member has in the season; none if missing.
    #[serde(default, skip_serializing_if = "is_zero")]
    #[schema(maximum = 100)]
    pub holiday_days: u16,
    /// What ends the game of a table when its deadline has passed; the organizers decide if missing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub deadline: Option<DeadlineRule>,
}

/// How a game ends when the deadline of its table has passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum DeadlineEnd {
    /// The ranks are those of the points in the position. Equal points share a rank.
    ByPoints,
    /// Those who must act are last, and the others are ranked by points.
    Forfeit,
}

/// What ends the game of a table when its deadline has passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"then": "by_points", "grace_hours": 24}))]
pub struct DeadlineRule {
    /// How the game ends.
    pub then: DeadlineEnd,
    /// How many hours after the deadline it ends; 0 if omitted.
    #[serde(default)]
    #[schema(maximum = 336)]
    pub grace_hours: u16,
}

/// True for the number of seasons whose event has none.
#[allow(clippy::trivially_copy_pass_by_ref)]
fn is_zero(number: &u16) -> bool {
    *number == 0
}

impl Rules {
    /// Returns the weight of a round in percent.
    pub fn percent(&self, round: Option<u16>) -> u16 {
        let weight = |weight: &&RoundWeight| Some(weight.round) == round;
        let found = self.round_weights.iter().find(weight);
        found.map_or(100, |weight| weight.percent)
    }

    /// Whether the points of a member are other than the sum of the points of the member's tables.
    pub fn are_weighed(&self) -> bool {
        !self.round_weights.is_empty() || !self.counted.is_all()
    }
}

/// A seat of a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SeatingSeat {
    /// The id of the member: of an account, or with the prefix `placeholder:`.
    pub member: String,
    /// The nations.
    pub nations: Vec<String>,
}

/// A table as it was created.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Seating {
    /// The number of the table in the league, from 1.
    pub table: u32,
    /// The round of the season, as the organizer counts.
    pub round: Option<u16>,
    /// The id of the game on this server; null for an over-the-board game.
    pub game: Option<Uuid>,
    /// The name of the edition.
    pub edition: String,
    /// The name of the board; null if not given.
    pub board: Option<String>,
    /// The time by which the game should end. The rules of the season say what ends it then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub deadline: Option<Timestamp>,
    /// The ids of members who sit out the round. They are listed with one table of the round.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub byes: Vec<String>,
    /// The seats in table order.
    pub seats: Vec<SeatingSeat>,
}

/// What an account may do in a league. A role allows everything that the roles before it allow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum LeagueRole {
    /// Enters results, and accepts or rejects reports of results.
    Scorer,
    /// Corrects tables, moves deadlines, and decides disputes.
    Referee,
    /// Admits members, begins seasons, pairs rounds, and changes the settings.
    Organizer,
    /// Gives and withdraws roles, and deletes the league.
    Owner,
}

impl LeagueRole {
    /// All roles, the one with the fewest rights first.
    pub const ALL: [LeagueRole; 4] = [
        LeagueRole::Scorer,
        LeagueRole::Referee,
        LeagueRole::Organizer,
        LeagueRole::Owner,
    ];

    /// The name in JSON.
    pub fn name(self) -> &'static str {
        match self {
            LeagueRole::Scorer => "scorer",
            LeagueRole::Referee => "referee",
            LeagueRole::Organizer => "organizer",
            LeagueRole::Owner => "owner",
        }
    }
}

/// A question that accounts answer when they register.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(example = json!({"text": "On which evenings can you play?", "required": true}))]
pub struct RegistrationQuestion {
    /// The question, from 1 to 200 bytes.
    #[serde(deserialize_with = "names::read_note")]
    #[schema(min_length = 1, max_length = 200)]
    pub text: String,
    /// Whether an answer is required.
    #[serde(default)]
    pub required: bool,
}

/// The settings of a league. They replace all earlier ones.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"name": "Punic Cup", "description": "A game a month.", "joining": "approval",
    "questions": [{"text": "On which evenings can you play?", "required": true}], "archived": false}))]
pub struct LeagueSettings {
    /// The name, from 1 to 64 bytes.
    #[serde(deserialize_with = "names::read")]
    #[schema(min_length = 1, max_length = 64)]
    pub name: String,
    /// A description by the organizers, from 1 to 2000 bytes; none if omitted.
    #[serde(default, deserialize_with = "names::read_note_option")]
    #[schema(min_length = 1, max_length = 2000)]
    pub description: Option<String>,
    /// Who may become a member.
    pub joining: Joining,
    /// The questions for accounts that register.
    #[serde(default)]
    #[schema(max_items = 10)]
    pub questions: Vec<RegistrationQuestion>,
    /// Whether the league is archived: nothing can be changed except this setting.
    #[serde(default)]
    pub archived: bool,
}

/// An event of a league. Accounts are named by id.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum LeagueEvent {
    /// The league was created; always event 0.
    Created {
        /// The name.
        name: String,
        /// The description by the organizers.
        description: Option<String>,
        /// Who may see the league and its games.
        visibility: Visibility,
        /// Who may become a member.
        joining: Joining,
        /// The first organizer.
        organizer: Uuid,
    },
    /// An account became an organizer.
    OrganizerAdded {
        /// The id of the account.
        account: Uuid,
    },
    /// An account stopped being an organizer.
    OrganizerRemoved {
        /// The id of the account.
        account: Uuid,
    },
    /// An account was invited and may become a member.
    Invited {
        /// The id of the account.
        account: Uuid,
    },
    /// An invitation was declined by the account or withdrawn by an organizer.
    Uninvited {
        /// The id of the account.
        account: Uuid,
    },
    /// A member joined: an account that agreed, or a person without an account whom an organizer added.
    Joined {
        /// The id of the member: of an account, or with the prefix `placeholder:`.
        member: String,
        /// The name of a member without an account; null for accounts.
        name: Option<String>,
    },
    /// A member left or was removed; earlier results count.
    Left {
        /// The id of the member.
        member: String,
    },
    /// A season began; later tables belong to it.
    SeasonBegan {
        /// The number of the season, from 1.
        season: u16,
        /// The name.
        name: String,
        /// The rules.
        rules: Rules,
        /// How its tables are paired; `spread` if missing.
        #[serde(default, skip_serializing_if = "SeasonFormat::is_spread")]
        format: SeasonFormat,
    },
    /// The divisions of the current season were set.
    DivisionsSet {
        /// The divisions, the highest first.
        divisions: Vec<MemberGroup>,
        /// How many members of each division move up, and down, when the season is over.
        moves: u8,
    },
    /// The teams of the current season were set.
    TeamsSet {
        /// The teams.
        teams: Vec<MemberGroup>,
    },
    /// A member was put into a division or a team of the current season.
    MemberPlaced {
        /// The id of the member.
        member: String,
        /// The number of the division, from 1; missing if the member was put into a team.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[schema(nullable = false)]
        division: Option<u16>,
        /// The number of the team, from 1; missing if the member was put into a division.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[schema(nullable = false)]
        team: Option<u16>,
    },
    /// The members of a team who play in a round were named.
    LineUpSet {
        /// The number of the team, from 1.
        team: u16,
        /// The round of the current season.
        round: u16,
        /// The ids of the members who play.
        members: Vec<String>,
    },
    /// A member of a ladder challenged another one.
    Challenged {
        /// The id of the member who challenges.
        member: String,
        /// The id of the challenged member.
        opponent: String,
    },
    /// A challenge was withdrawn.
    ChallengeWithdrawn {
        /// The id of the member who had challenged.
        member: String,
    },
    /// The clocks of games stand still from now on.
    Paused {
        /// The numbers of the tables, in order; empty for the whole league.
        tables: Vec<u32>,
        /// When the pause ends by itself; missing until an organizer ends it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[schema(nullable = false)]
        until: Option<Timestamp>,
        /// The reason.
        note: Option<String>,
    },
    /// The clocks of games run on.
    PauseEnded {
        /// The numbers of the tables, in order; empty for the pause of the whole league.
        tables: Vec<u32>,
        /// The reason.
        note: Option<String>,
    },
    /// A member took a holiday: the member's clock stands still in the games of the league.
    HolidayTaken {
        /// The id of the member.
        member: String,
        /// When it begins.
        from: Timestamp,
        /// When it ends.
        until: Timestamp,
    },
    /// The current holiday of a member ended, or the next one was removed.
    HolidayEnded {
        /// The id of the member.
        member: String,
    },
    /// Tables were created as games on this server.
    TablesCreated {
        /// The tables.
        tables: Vec<Seating>,
    },
    /// The bidding for the seats of a table ended, and the players took the seats.
    SeatsTaken {
        /// The id of the game.
        game: Uuid,
        /// For each seat, the number of the seat where its player sat during the bidding.
        from: Vec<u8>,
        /// For each seat, what its player pays, in tenths of a point.
        prices: Vec<u16>,
    },
    /// The game of a table ended.
    GameFinished {
        /// The id of the game.
        game: Uuid,
        /// Why it ended.
        reason: EndReason,
        /// The rank of each seat, in the order of the seats.
        ranks: Vec<u8>,
    },
    /// The game of a table was abandoned without a result.
    GameAbandoned {
        /// The id of the game.
        game: Uuid,
    },
    /// A result was entered: of a game on this server or of an over-the-board game.
    ResultEntered {
        /// The table.
        table: Seating,
        /// When it was played; null if not given.
        played_at: Option<Timestamp>,
        /// Why the game ended; null for an over-the-board game.
        reason: Option<EndReason>,
        /// The rank of each seat, in the order of the seats.
        ranks: Vec<u8>,
        /// The note of the organizer.
        note: Option<String>,
    },
    /// The organizers decided the result of a table.
    TableAdjudicated {
        /// The number of the table.
        table: u32,
        /// The rank of each seat, in the order of the seats.
        ranks: Vec<u8>,
        /// The reason.
        note: Option<String>,
    },
    /// The organizers decided that a table does not count.
    TableVoided {
        /// The number of the table.
        table: u32,
        /// The reason.
        note: Option<String>,
    },
    /// Another member took over a seat. The rules of the season say who receives the points.
    PlayerReplaced {
        /// The number of the table.
        table: u32,
        /// The number of the seat, from 0.
        seat: u8,
        /// The id of the new player.
        member: String,
        /// The reason.
        note: Option<String>,
    },
    /// A member without an account became an account, which is a member and keeps all results of both.
    PlaceholderClaimed {
        /// The id of the member without an account, with the prefix `placeholder:`.
        placeholder: String,
        /// The id of the account.
        account: Uuid,
        /// The numbers of the tables of the placeholder, in order.
        tables: Vec<u32>,
    },
    /// The organizers moved the deadline of running games.
    DeadlineMoved {
        /// The numbers of the tables, in order.
        tables: Vec<u32>,
        /// The new deadline.
        deadline: Timestamp,
        /// The reason.
        note: String,
    },
    /// The organizers changed the settings of the league. The event contains all settings.
    SettingsChanged(LeagueSettings),
    /// The league was deleted.
    Deleted,
    /// An account received another role, or lost its role.
    RoleSet {
        /// The id of the account.
        account: Uuid,
        /// The role; null if the account has none.
        role: Option<LeagueRole>,
    },
    /// The organizers created or withdrew the invitation link.
    InvitationLinkSet {
        /// A hash of its code; null if there is no link.
        hash: Option<String>,
    },
    /// An account asked to become a member.
    Requested {
        /// The id of the account.
        account: Uuid,
    },
    /// A request was refused by an organizer or withdrawn by the account.
    RequestClosed {
        /// The id of the account.
        account: Uuid,
        /// The reason.
        note: Option<String>,
    },
    /// The organizers closed a season: no table is added to it.
    SeasonClosed {
        /// The number of the season.
        season: u16,
    },
    /// A member reported the result of an over-the-board game.
    ResultReported {
        /// The number of the report, from 1.
        report: u32,
        /// The table. Its number is 0 if the report is about another game.
        table: Seating,
        /// When it was played; null if not given.
        played_at: Option<Timestamp>,
        /// The rank of each seat, in the order of the seats.
        ranks: Vec<u8>,
        /// The note of the member.
        note: Option<String>,
    },
    /// A report was confirmed, accepted, rejected or withdrawn.
    ReportAnswered {
        /// The number of the report.
        report: u32,
        /// The number of the table whose result it is; null if the report does not count.
        table: Option<u32>,
        /// The reason.
        note: Option<String>,
    },
    /// A player disputed a report or the result of a table.
    DisputeOpened {
        /// The number of the dispute, from 1.
        dispute: u32,
        /// The number of the table; null if the dispute is about a report.
        table: Option<u32>,
        /// The number of the report; null if the dispute is about a table.
        report: Option<u32>,
        /// What is wrong.
        text: String,
    },
    /// An official answered a dispute.
    DisputeAnswered {
        /// The number of the dispute.
        dispute: u32,
        /// The answer.
        text: String,
    },
}

/// Returns the tables whose results an event enters (`false`) or corrects (`true`).
pub fn change_of_tables(text: &str) -> Option<(Vec<u32>, bool)> {
    // An event that cannot be read is reported when the league is read.
    match serde_json::from_str(text).ok()? {
        LeagueEvent::ResultEntered { table, .. } => Some((vec![table.table], false)),
        LeagueEvent::ReportAnswered { table, .. } => Some((vec![table?], false)),
        LeagueEvent::TableAdjudicated { table, .. }
        | LeagueEvent::TableVoided { table, .. }
        | LeagueEvent::PlayerReplaced { table, .. } => Some((vec![table], true)),
        LeagueEvent::PlaceholderClaimed { tables, .. } => Some((tables, true)),
        _ => None,
    }
}
