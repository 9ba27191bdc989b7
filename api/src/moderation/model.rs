//! The acts of administrators and the reports of players, in requests and responses.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::accounts::names;

/// What an administrator does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ActType {
    /// Refuses the tokens of an account, ends its streams and disables its webhooks.
    SuspendAccount,
    /// Accepts the tokens of a suspended account again.
    LiftSuspension,
    /// Changes the handle of an account.
    RenameAccount,
    /// Deletes an account on request, as its owner could.
    DeleteAccount,
    /// Hides the names and notes that people wrote in a game.
    HideTexts,
    /// Shows the texts of a game again.
    ShowTexts,
    /// Closes a league: it refuses changes and is not listed.
    CloseLeague,
    /// Opens a closed league again.
    ReopenLeague,
    /// Marks a report as resolved.
    ResolveReport,
}

/// An act of an administrator.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"type": "suspend_account", "subject": "hanno", "reason": "insults in the names of leagues"}))]
pub struct NewAct {
    /// What to do.
    pub r#type: ActType,
    /// The account, by id or handle; or the game, league or report, by id.
    #[schema(min_length = 1, max_length = 64)]
    pub subject: String,
    /// The new handle, only with `rename_account`.
    #[serde(default)]
    #[schema(min_length = 3, max_length = 32, pattern = "^[A-Za-z0-9_-]+$")]
    pub handle: Option<String>,
    /// Why, from 1 to 1000 bytes. Only administrators can read it.
    #[serde(deserialize_with = "names::read_note")]
    #[schema(min_length = 1, max_length = 1000)]
    pub reason: String,
}

/// An act in the log of acts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ActBody {
    /// The id of the act.
    pub id: Uuid,
    /// When the act was carried out.
    pub at: Timestamp,
    /// The account of the administrator.
    pub account: Uuid,
    /// One of `ActType`, or `request`.
    /// `request` is a request to another path that was allowed only because its sender is an administrator.
    #[schema(example = "suspend_account")]
    pub r#type: String,
    /// The id of the account, game, league or report; for `request` the method and path.
    pub subject: String,
    /// The new handle of a renamed account; null otherwise, and after the deletion of the account.
    pub handle: Option<String>,
    /// The reason; null for `request`.
    pub reason: Option<String>,
}

/// A page of the log of acts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ActPage {
    /// The acts, the newest first.
    pub items: Vec<ActBody>,
    /// The `cursor` of the next page; null on the last page.
    pub next: Option<String>,
}

/// What a report is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ReportKind {
    /// An account, such as its handle.
    Account,
    /// A game, such as the name of a guest.
    Game,
    /// A league, such as its name or description.
    League,
}

impl ReportKind {
    /// Every kind.
    pub const ALL: [ReportKind; 3] = [ReportKind::Account, ReportKind::Game, ReportKind::League];

    /// The name in JSON and in the database.
    pub fn name(self) -> &'static str {
        match self {
            ReportKind::Account => "account",
            ReportKind::Game => "game",
            ReportKind::League => "league",
        }
    }
}

/// A report of a name or a text.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"kind": "account", "subject": "hanno", "text": "The handle insults me."}))]
pub struct NewReport {
    /// What the report is about.
    pub kind: ReportKind,
    /// The account, by id or handle; or the game or league, by id.
    #[schema(min_length = 1, max_length = 64)]
    pub subject: String,
    /// What is wrong, and where, from 1 to 1000 bytes. Only administrators can read it.
    #[serde(deserialize_with = "names::read_note")]
    #[schema(min_length = 1, max_length = 1000)]
    pub text: String,
}

/// A report.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ReportBody {
    /// The id of the report.
    pub id: Uuid,
    /// When it was sent.
    pub at: Timestamp,
    /// The account that sent it.
    pub account: Uuid,
    /// What the report is about.
    pub kind: ReportKind,
    /// The id of the account, game or league.
    pub subject: Uuid,
    /// What is wrong.
    pub text: String,
    /// When an administrator resolved it; null if it is open.
    pub resolved_at: Option<Timestamp>,
}

/// A page of reports.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ReportPage {
    /// The reports, the oldest first.
    pub items: Vec<ReportBody>,
    /// The `cursor` of the next page; null on the last page.
    pub next: Option<String>,
}
