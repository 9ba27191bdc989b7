//! Requests and answers of imports and exports.

use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

/// How to read a file of members or results.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct ImportQuery {
    /// Whether to only report what would happen to each row.
    #[serde(default)]
    pub dry_run: bool,
    /// The name of the season of results without one; the current season by default.
    #[param(min_length = 1, max_length = 64, example = "Spring 2023")]
    pub season: Option<String>,
    /// The edition of results without one.
    #[param(example = "antike")]
    pub edition: Option<String>,
    /// The board of results without one.
    #[param(example = "antike-east")]
    pub board: Option<String>,
}

/// What a file contains.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ImportContent {
    /// Members.
    Members,
    /// Results.
    Results,
}

/// What happens to a row of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum RowFate {
    /// The member or the result is added.
    Added,
    /// The account is invited. It becomes a member when it joins.
    Invited,
    /// It is added, but may repeat another one: `message` says which.
    PossibleDuplicate,
    /// The league has it already, and nothing is added.
    AlreadyThere,
    /// It does not belong to the league, such as a play of another game.
    Skipped,
    /// It is refused. A file with refused rows is not imported.
    Refused,
}

/// A row of a file and what happens to it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ImportedRow {
    /// The line of the file in CSV and XML, from 1; in an export of BG Stats the number of the play.
    #[schema(example = 7)]
    pub row: u64,
    /// The member or player, as the file has it.
    #[schema(example = "Dido")]
    pub name: String,
    /// What happens to the row.
    pub fate: RowFate,
    /// The number of the table in the league; null for members and for results that are not added.
    pub table: Option<u32>,
    /// The column that is wrong or in doubt; null otherwise.
    #[schema(example = "nation")]
    pub column: Option<String>,
    /// The reason, or a remark; null if there is none.
    pub message: Option<String>,
}

/// What an import does, or would do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ImportReport {
    /// Whether the rows were imported; false after a dry run.
    pub imported: bool,
    /// The last event of the league, after the import.
    pub seq: u64,
    /// What the file contains.
    pub content: ImportContent,
    /// The number of rows that are added, including possible duplicates.
    pub added: usize,
    /// The number of accounts that are invited.
    pub invited: usize,
    /// The number of rows that may repeat another member or result.
    pub possible_duplicates: usize,
    /// The number of rows that the league has already.
    pub already_there: usize,
    /// The number of rows that do not belong to the league.
    pub skipped: usize,
    /// The number of rows that are refused.
    pub refused: usize,
    /// The names of new members without an account.
    pub new_members: Vec<String>,
    /// The names of new seasons.
    pub new_seasons: Vec<String>,
    /// The rows, in the order of the file.
    pub rows: Vec<ImportedRow>,
}

/// Selects the results of an export.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct ExportQuery {
    /// The number of the season, from 1; all seasons by default.
    #[param(minimum = 1)]
    pub season: Option<u16>,
}
