//! Requests and answers about reports and disputes.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::accounts::names;
use crate::leagues::league::ReportState;
use crate::leagues::model::{MemberBody, NewResult};

/// A report of a result: either of a table of the league, or of another over-the-board game.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"table": 3, "ranks": [1, 2, 2, 4], "note": "played at Mago's"}))]
pub struct NewResultReport {
    /// The number of the table whose game was played on a real board.
    #[serde(default)]
    #[schema(minimum = 1)]
    pub table: Option<u32>,
    /// The rank of each seat of the table, in the order of the seats.
    #[serde(default)]
    #[schema(max_items = 6)]
    pub ranks: Vec<u8>,
    /// The over-the-board game, if it is no table of the league. It has no `game`.
    #[serde(default)]
    pub result: Option<NewResult>,
    /// A note, from 1 to 1000 bytes.
    #[serde(default, deserialize_with = "names::read_note_option")]
    #[schema(min_length = 1, max_length = 1000)]
    pub note: Option<String>,
}

/// An answer to a report: it counts, or it does not.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"accept": true}))]
pub struct ReportAnswer {
    /// True to confirm or accept the report, false to reject or withdraw it.
    pub accept: bool,
    /// The reason, from 1 to 1000 bytes. Required if the report is disputed.
    #[serde(default, deserialize_with = "names::read_note_option")]
    #[schema(min_length = 1, max_length = 1000)]
    pub note: Option<String>,
}

/// A dispute about a report or about the result of a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"table": 3, "text": "The last temple was built after the end of the game."}))]
pub struct NewDispute {
    /// The number of the table. Omit it if `report` is given.
    #[serde(default)]
    #[schema(minimum = 1)]
    pub table: Option<u32>,
    /// The number of the report. Omit it if `table` is given.
    #[serde(default)]
    #[schema(minimum = 1)]
    pub report: Option<u32>,
    /// What is wrong, from 1 to 1000 bytes.
    #[serde(deserialize_with = "names::read_note")]
    #[schema(min_length = 1, max_length = 1000)]
    pub text: String,
}

/// The answer of an official to a dispute.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"text": "The temple counts: see rule A27."}))]
pub struct DisputeAnswer {
    /// The answer, from 1 to 1000 bytes.
    #[serde(deserialize_with = "names::read_note")]
    #[schema(min_length = 1, max_length = 1000)]
    pub text: String,
}

/// A seat of a report.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ReportSeatBody {
    /// The member.
    pub member: MemberBody,
    /// The nations.
    pub nations: Vec<String>,
    /// The reported rank.
    pub rank: u8,
}

/// A report of a result.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ResultReportBody {
    /// The number of the report in the league, from 1.
    pub report: u32,
    /// Whether it counts.
    pub state: ReportState,
    /// The number of the table; null for another game, until the report is accepted.
    pub table: Option<u32>,
    /// The round; null if not given.
    pub round: Option<u16>,
    /// The name of the edition.
    pub edition: String,
    /// The name of the board; null if not given.
    pub board: Option<String>,
    /// When the game was played; null if not given.
    pub played_at: Option<Timestamp>,
    /// The seats in table order.
    pub seats: Vec<ReportSeatBody>,
    /// The note of the reporter.
    pub note: Option<String>,
    /// The member who reported the result.
    pub by: MemberBody,
    /// When it was reported.
    pub at: Timestamp,
    /// The note of the answer.
    pub answer: Option<String>,
}

/// The reports of a league.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ResultReportPage {
    /// The reports, by number.
    pub items: Vec<ResultReportBody>,
    /// The `cursor` of the next page; null on the last.
    pub next: Option<String>,
}

/// A report after a change.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ChangedReport {
    /// The sequence number of the last event of the league.
    pub seq: u64,
    /// The report.
    pub report: ResultReportBody,
}

/// A dispute.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct DisputeBody {
    /// The number of the dispute in the league, from 1.
    pub dispute: u32,
    /// The number of the table; null for a dispute about a report.
    pub table: Option<u32>,
    /// The number of the report; null for a dispute about a table.
    pub report: Option<u32>,
    /// What is wrong.
    pub text: String,
    /// The member who disputes it.
    pub by: MemberBody,
    /// When the dispute was opened.
    pub at: Timestamp,
    /// The answer; null while it waits for one.
    pub answer: Option<String>,
    /// The handle of the official who answered.
    pub answered_by: Option<String>,
}

/// The disputes of a league.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct DisputePage {
    /// The disputes, by number.
    pub items: Vec<DisputeBody>,
    /// The `cursor` of the next page; null on the last.
    pub next: Option<String>,
}

/// A dispute after a change.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ChangedDispute {
    /// The sequence number of the last event of the league.
    pub seq: u64,
    /// The dispute.
    pub dispute: DisputeBody,
}
