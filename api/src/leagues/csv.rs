//! Standings and head-to-head results as CSV.

use crate::http::problem::Problem;
use crate::leagues::model::{HeadToHeadBody, StandingBody, StandingsBody};

/// The media type of CSV.
pub const CSV: &str = "text/csv";

/// Writes rows as CSV (RFC 4180, with line feeds).
fn csv(rows: impl IntoIterator<Item = Vec<String>>) -> Result<String, Problem> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let failed = |error: &dyn std::fmt::Display| {
        tracing::error!(%error, "a table cannot be written as CSV");
        Problem::internal()
    };
    for row in rows {
        writer.write_record(&row).map_err(|error| failed(&error))?;
    }
    let bytes = writer.into_inner().map_err(|error| failed(&error))?;
    String::from_utf8(bytes).map_err(|error| failed(&error))
}

/// Writes a name as a cell; an apostrophe keeps spreadsheets from reading it as a formula.
fn name_cell(name: &str) -> String {
    match name.starts_with(['=', '+', '-', '@', '\t', '\r']) {
        true => format!("'{name}"),
        false => name.to_owned(),
    }
}

/// Writes standings as CSV.
///
/// # Errors
/// 500 when writing fails.
pub fn standings_csv(body: &StandingsBody) -> Result<String, Problem> {
    let columns = ["rank", "member", "name", "games", "points"];
    let tie_breaks = body
        .rules
        .tie_breaks
        .iter()
        .map(|tie_break| tie_break.name());
    // The prefix keeps tie-breaks apart from columns with the same name.
    let head: Vec<String> = (columns.into_iter().map(str::to_owned))
        .chain(tie_breaks.map(|name| format!("by_{name}")))
        .collect();
    let line = |row: &StandingBody| {
        let known = [
            row.rank.to_string(),
            row.member.id.clone(),
            name_cell(&row.member.name),
            row.games.to_string(),
            row.points.to_string(),
        ];
        let tie_breaks = row.tie_breaks.iter().map(f64::to_string);
        known.into_iter().chain(tie_breaks).collect()
    };
    csv(std::iter::once(head).chain(body.rows.iter().map(line)))
}

/// Writes head-to-head results as CSV.
///
/// # Errors
/// 500 when writing fails.
pub fn head_to_head_csv(body: &HeadToHeadBody) -> Result<String, Problem> {
    let head = [
        "one",
        "one_name",
        "other",
        "other_name",
        "games",
        "ahead",
        "equal",
        "behind",
    ];
    let lines = body.rows.iter().map(|row| {
        let numbers = [row.games, row.ahead, row.equal, row.behind];
        let members = [&row.one, &row.other].into_iter();
        members
            .flat_map(|member| [member.id.clone(), name_cell(&member.name)])
            .chain(numbers.map(|number| number.to_string()))
            .collect()
    });
    let head = head.map(str::to_owned).to_vec();
    csv(std::iter::once(head).chain(lines))
}
