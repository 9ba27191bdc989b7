//! What `tabularium league` prints about files, and about a pairing that is not carried out.

use std::path::Path;

use anyhow::bail;
use serde_json::Value;

use crate::leagues::exchange::bgg::XML;
use crate::leagues::exchange::model::{ImportReport, ImportedRow, RowFate};
use crate::leagues::exchange::sheet::CSV;
use crate::leagues::model::{LeagueBody, PairedRound};

/// The format of a file with members or results.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum FileFormat {
    /// CSV with members or results.
    Csv,
    /// The XML of plays of BoardGameGeek.
    Bgg,
    /// An export of BG Stats, as JSON.
    Bgstats,
}

impl FileFormat {
    /// Returns the format of a file by the ending of its name; CSV if it is another.
    pub fn of_file(file: &Path) -> FileFormat {
        let ending = file.extension().and_then(|ending| ending.to_str());
        match ending.map(str::to_lowercase).as_deref() {
            Some("xml") => FileFormat::Bgg,
            Some("json" | "bgsplay") => FileFormat::Bgstats,
            _ => FileFormat::Csv,
        }
    }

    /// Returns the media type.
    pub fn media_type(self) -> &'static str {
        match self {
            FileFormat::Csv => CSV,
            FileFormat::Bgg => XML,
            FileFormat::Bgstats => "application/json",
        }
    }
}

/// Prints what happens to the rows of an import.
pub fn print_report(report: &ImportReport) {
    let plain = |row: &&ImportedRow| row.fate == RowFate::Added && row.message.is_none();
    for row in report.rows.iter().filter(|row| !plain(row)) {
        let fate = match row.fate {
            RowFate::Added => "added",
            RowFate::Invited => "invited",
            RowFate::PossibleDuplicate => "added, possible duplicate",
            RowFate::AlreadyThere => "already there",
            RowFate::Skipped => "skipped",
            RowFate::Refused => "REFUSED",
        };
        let column = row.column.as_deref();
        let column = column.map_or(String::new(), |column| format!(", column {column}"));
        let message = row.message.as_deref();
        let message = message.map_or(String::new(), |message| format!(": {message}"));
        println!("row {}, {}{column}: {fate}{message}", row.row, row.name);
    }
    for (what, names) in [
        ("new member", &report.new_members),
        ("new season", &report.new_seasons),
    ] {
        for name in names {
            println!("{what}: {name}");
        }
    }
    println!(
        "{} added ({} possible duplicates), {} invited, {} already there, {} skipped, {} refused",
        report.added,
        report.possible_duplicates,
        report.invited,
        report.already_there,
        report.skipped,
        report.refused
    );
}

/// Returns the fields of a JSON object in a line, such as `repeated 0, unavoidable 0`.
pub fn listed(object: &Value) -> String {
    let fields = object.as_object().into_iter().flatten();
    let fields = fields.map(|(name, value)| format!("{} {value}", name.replace('_', " ")));
    fields.collect::<Vec<String>>().join(", ")
}

/// Prints the tables of a paired round: a line for each seat.
pub fn print_pairing(league: &LeagueBody, round: &PairedRound) {
    let name = |id: &str| {
        let member = league.members.iter().find(|member| member.id == id);
        member.map_or_else(|| id.to_owned(), |member| member.name.clone())
    };
    let names = round.tables.iter().flat_map(|table| &table.seats);
    let widths = names.map(|seat| name(&seat.member).chars().count());
    let width = widths.max().unwrap_or_default();
    for (number, table) in (1..).zip(&round.tables) {
        println!("table {number}");
        for (seat, place) in table.seats.iter().zip(1..) {
            let nations = match seat.nations.is_empty() {
                true => "nation drawn by lot".to_owned(),
                false => seat.nations.join(", "),
            };
            println!("  {place}  {:width$}  {nations}", name(&seat.member));
        }
    }
    if !round.byes.is_empty() {
        let byes: Vec<String> = round.byes.iter().map(|id| name(id)).collect();
        println!("without a table: {}", byes.join(", "));
    }
}

/// Checks that each seat of a round has one of the wanted nations.
///
/// The server assigns nations to full tables only.
///
/// # Errors
/// When a table is smaller than the number of nations.
pub fn check_nations(nations: &[String], round: &PairedRound) -> anyhow::Result<()> {
    let mut tables = (1..).zip(&round.tables);
    let small = tables.find(|(_, table)| !nations.is_empty() && table.seats.len() != nations.len());
    if let Some((number, table)) = small {
        bail!(
            "table {number} has {} seats, but --nations lists {} nations for tables of {}: leave out --nations, so \
             that each game draws them, or choose --members or --size so that all tables are full",
            table.seats.len(),
            nations.len(),
            nations.len()
        );
    }
    Ok(())
}
