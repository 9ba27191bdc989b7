//! Standings and head-to-head as CSV.

use crate::http::problem::{Code, Problem};
use crate::leagues::model::{HeadToHeadBody, StandingBody, StandingsBody};

/// The media type of tables of text.
pub const CSV: &str = "text/csv";

/// Rows as CSV (RFC 4180, line feeds).
fn csv(rows: impl IntoIterator<Item = Vec<String>>) -> Result<String, Problem> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let failed = |error: &dyn std::fmt::Display| {
        tracing::error!(%error, "a table is no CSV");
        Problem::new(Code::Internal, "the fault has been logged")
    };
    for row in rows {
        writer.write_record(&row).map_err(|error| failed(&error))?;
    }
    let bytes = writer.into_inner().map_err(|error| failed(&error))?;
    String::from_utf8(bytes).map_err(|error| failed(&error))
}

/// A name as a cell: programs that calculate take one that begins so for a formula.
fn name_cell(name: &str) -> String {
    match name.starts_with(['=', '+', '-', '@', '\t', '\r']) {
        true => format!("'{name}"),
        false => name.to_owned(),
    }
}

/// Standings as CSV.
///
/// # Errors
/// 500 when they cannot be written.
pub fn standings_csv(body: &StandingsBody) -> Result<String, Problem> {
    let columns = ["rank", "member", "name", "games", "points"];
    let tie_breaks = body
        .rules
        .tie_breaks
        .iter()
        .map(|tie_break| tie_break.name());
    // A tie-break of a name that is a column already is told once more.
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

/// Who met whom as CSV.
///
/// # Errors
/// 500 when it cannot be written.
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
