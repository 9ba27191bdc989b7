//! Members and results as CSV.

use crate::leagues::exchange::rows::{
    ImportRows, ImportedSeat, MOST_ROWS, MemberRow, ResultRows, RowFault, UnreadableFile, moment,
};
use crate::leagues::exchange::sheet::plain;

/// The columns of a file of members. Each row has a name or a handle.
const MEMBERS: [&str; 2] = ["name", "handle"];
/// The columns of a file of results. Each row is a player at a table.
pub const RESULTS: [&str; 11] = [
    "season", "round", "table", "date", "player", "nation", "place", "points", "edition", "board",
    "note",
];
/// The columns that a file of results must have.
const NEEDED: [&str; 3] = ["table", "player", "place"];

/// What separates the nations of a seat.
pub const AND: char = '+';

fn unreadable(message: impl Into<String>) -> UnreadableFile {
    UnreadableFile(message.into())
}

/// Describes why a line is not a row of the file.
fn not_a_row(error: &csv::Error) -> UnreadableFile {
    let line = error.position().map_or(0, csv::Position::line);
    match error.kind() {
        csv::ErrorKind::UnequalLengths {
            expected_len, len, ..
        } => unreadable(format!(
            "line {line} has {len} cells, but the first line has {expected_len}: separate them in the same way"
        )),
        _ => unreadable(error.to_string()),
    }
}

/// A row of a file with its columns.
struct CommaRow<'a> {
    /// The line of the file, from 1.
    line: u64,
    columns: &'a [String],
    cells: csv::StringRecord,
}

impl CommaRow<'_> {
    /// Returns the content of a column; `None` if it is empty or missing.
    fn cell(&self, column: &str) -> Option<&str> {
        let index = self.columns.iter().position(|name| name == column)?;
        let cell = plain(self.cells.get(index)?.trim()).trim();
        Some(cell).filter(|cell| !cell.is_empty())
    }

    fn text(&self, column: &str) -> Option<String> {
        self.cell(column).map(str::to_owned)
    }

    /// Parses the content of a column, or adds a fault.
    fn parsed<T>(
        &self,
        column: &str,
        expected: &str,
        fault: &mut Option<RowFault>,
        parse: impl Fn(&str) -> Option<T>,
    ) -> Option<T> {
        let cell = self.cell(column)?;
        let value = parse(cell);
        if value.is_none() && fault.is_none() {
            let message = format!("{cell:?} is not {expected}");
            *fault = Some(RowFault::new(column, message));
        }
        value
    }
}

/// Reads members or results; the columns in the first line decide which.
///
/// # Errors
/// When the file is not CSV, has unknown columns, or lacks a column.
pub fn read(text: &str) -> Result<ImportRows, UnreadableFile> {
    let text = text.trim_start_matches('\u{feff}');
    let first = text.lines().next().unwrap_or_default();
    // Spreadsheet programs write semicolons in countries with decimal commas.
    let separator = [b',', b';', b'\t'];
    let separator = separator.into_iter().max_by_key(|separator| {
        let count = first.bytes().filter(|byte| byte == separator).count();
        (count, *separator == b',')
    });
    let mut reader = csv::ReaderBuilder::new()
        .delimiter(separator.unwrap_or(b','))
        .from_reader(text.as_bytes());
    let head = reader
        .headers()
        .map_err(|error| unreadable(error.to_string()))?;
    let columns: Vec<String> = head.iter().map(|name| name.trim().to_lowercase()).collect();
    let is_results = columns.iter().any(|name| NEEDED.contains(&name.as_str()));
    check_columns(&columns, is_results)?;
    let mut rows = Vec::new();
    for cells in reader.records() {
        let cells = cells.map_err(|error| not_a_row(&error))?;
        let line = cells.position().map_or(0, csv::Position::line);
        rows.push(CommaRow {
            line,
            columns: &columns,
            cells,
        });
        if rows.len() > MOST_ROWS {
            return Err(unreadable(format!(
                "the file has more than {MOST_ROWS} rows: send it in parts"
            )));
        }
    }
    if rows.is_empty() {
        return Err(unreadable(
            "the file has no rows below the names of the columns",
        ));
    }
    Ok(match is_results {
        true => ImportRows::Results(results(&rows)),
        false => ImportRows::Members(rows.iter().map(member).collect()),
    })
}

/// Checks that a file has only known columns, each once, and the needed ones.
fn check_columns(columns: &[String], is_results: bool) -> Result<(), UnreadableFile> {
    let known: &[&str] = match is_results {
        true => &RESULTS,
        false => &MEMBERS,
    };
    let unknown = columns
        .iter()
        .filter(|name| !known.contains(&name.as_str()));
    let unknown: Vec<String> = unknown.map(|name| format!("{name:?}")).collect();
    if !unknown.is_empty() {
        return Err(unreadable(format!(
            "unknown columns {}: a file of members has the columns {}; a file of results has {}",
            unknown.join(", "),
            MEMBERS.join(", "),
            RESULTS.join(", ")
        )));
    }
    if let Some(twice) =
        (1..columns.len()).find(|index| columns[..*index].contains(&columns[*index]))
    {
        return Err(unreadable(format!(
            "the column {:?} is given twice",
            columns[twice]
        )));
    }
    let missing = NEEDED
        .iter()
        .filter(|name| is_results && !columns.iter().any(|own| own == *name));
    let missing: Vec<&str> = missing.copied().collect();
    match missing.is_empty() {
        true => Ok(()),
        false => Err(unreadable(format!(
            "a file of results also needs the columns {}",
            missing.join(", ")
        ))),
    }
}

fn member(row: &CommaRow<'_>) -> MemberRow {
    MemberRow {
        row: row.line,
        name: row.text("name"),
        handle: row.text("handle"),
    }
}

/// Groups the rows of each table: those with the same season, round and table.
fn results(rows: &[CommaRow<'_>]) -> Vec<ResultRows> {
    let mut tables: Vec<([Option<String>; 3], ResultRows)> = Vec::new();
    for row in rows {
        let key = ["season", "round", "table"].map(|column| row.text(column));
        let mut seat = seat(row);
        let mut own = ResultRows {
            season: row.text("season"),
            edition: row.text("edition"),
            board: row.text("board"),
            note: row.text("note"),
            ..ResultRows::default()
        };
        let fault = &mut seat.fault;
        own.round = row.parsed("round", "the number of a round", fault, |cell| {
            cell.parse().ok()
        });
        let form = "a date such as 2024-03-01, or a time such as 2024-03-01T19:30:00Z";
        own.played_at = row.parsed("date", form, fault, moment);
        let index = tables.iter().position(|(other, _)| *other == key);
        let Some((_, table)) = index.and_then(|index| tables.get_mut(index)) else {
            own.seats = vec![seat];
            tables.push((key, own));
            continue;
        };
        // What is the same for the table may be given in one row or in each.
        if let Some(column) = table.differs(&own) {
            let message = "this differs from the first row of the table";
            seat.fault.get_or_insert(RowFault::new(column, message));
        }
        table.seats.push(seat);
    }
    tables.into_iter().map(|(_, table)| table).collect()
}

impl ResultRows {
    /// Returns a column in which a row of a table has another value than the first row.
    fn differs(&self, row: &ResultRows) -> Option<&'static str> {
        let differs =
            |own: &Option<String>, other: &Option<String>| other.is_some() && own != other;
        let date = row.played_at.is_some() && self.played_at != row.played_at;
        [
            ("date", date),
            ("edition", differs(&self.edition, &row.edition)),
            ("board", differs(&self.board, &row.board)),
            ("note", differs(&self.note, &row.note)),
        ]
        .into_iter()
        .find_map(|(column, differs)| differs.then_some(column))
    }
}

fn seat(row: &CommaRow<'_>) -> ImportedSeat {
    let mut fault = None;
    let player = row.text("player");
    if row.cell("table").is_none() {
        let message = "give the table: rows with the same season, round and table are one result";
        fault = Some(RowFault::new("table", message));
    } else if player.is_none() {
        fault = Some(RowFault::new(
            "player",
            "give the name, handle or id of the player",
        ));
    } else if row.cell("place").is_none() {
        fault = Some(RowFault::new("place", "give the place, from 1"));
    }
    let rank = row.parsed("place", "a place from 1 to 6", &mut fault, |cell| {
        cell.parse().ok()
    });
    let number = |cell: &str| {
        cell.replace(',', ".")
            .parse::<f64>()
            .ok()
            .filter(|number| number.is_finite())
    };
    let points = row.parsed("points", "a number", &mut fault, number);
    let nations = row.cell("nation").unwrap_or_default().split(AND);
    let nations = nations.map(str::trim).filter(|name| !name.is_empty());
    ImportedSeat {
        row: row.line,
        player: player.unwrap_or_default(),
        nations: nations.map(str::to_owned).collect(),
        rank,
        points,
        fault,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_columns_decide_the_kind_of_a_file() {
        let members = read("\u{feff}name;handle\n'=Dido;\n;hanno\n").unwrap();
        let ImportRows::Members(members) = members else {
            panic!("{members:?}");
        };
        assert_eq!(members[0].name.as_deref(), Some("=Dido"));
        assert_eq!(
            (members[1].row, members[1].handle.as_deref()),
            (3, Some("hanno"))
        );
        for (text, message) in [
            ("", "no rows"),
            ("name\n", "no rows"),
            ("name,age\nDido,3\n", "unknown columns \"age\""),
            ("player,place\nDido,1\n", "needs the columns table"),
            ("name,name\nDido,Dido\n", "given twice"),
            ("name,handle\nDido\n", "line 2 has 1 cells"),
        ] {
            let error = read(text).unwrap_err().0;
            assert!(error.contains(message), "{text:?}: {error}");
        }
    }

    #[test]
    fn rows_of_a_table_are_one_result() {
        let text = "season,round,table,date,player,nation,place,points\n\
            2023,1,A,2023-05-01,Dido,greeks+romans,1,\"2,5\"\n\
            2023,1,B,,Mago,,1,\n\
            2023,1,A,,Hanno,arabs,two,\n\
            2023,1,A,2023-05-02,Elissa,,2,\n\
            2023,x,C,,Gisgo,,1,\n";
        let ImportRows::Results(tables) = read(text).unwrap() else {
            panic!("no results");
        };
        let sizes: Vec<usize> = tables.iter().map(|table| table.seats.len()).collect();
        assert_eq!(sizes, [3, 1, 1]);
        let [dido, hanno, elissa] = &tables[0].seats[..] else {
            panic!("{tables:?}");
        };
        assert_eq!(dido.nations, ["greeks", "romans"]);
        assert_eq!((dido.points, dido.rank), (Some(2.5), Some(1)));
        let column = |seat: &ImportedSeat| seat.fault.clone().map(|fault| fault.column);
        assert_eq!(column(hanno).as_deref(), Some("place"));
        assert_eq!(column(elissa).as_deref(), Some("date"));
        assert_eq!(column(&tables[2].seats[0]).as_deref(), Some("round"));
    }
}
