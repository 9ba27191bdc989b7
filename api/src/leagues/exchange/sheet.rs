//! Tables of cells for spreadsheet programs.

use jiff::Timestamp;
use jiff::tz::TimeZone;
use rust_xlsxwriter::{DocProperties, ExcelDateTime, Format, Workbook, XlsxError};

use crate::http::problem::Problem;

/// The media type of CSV.
pub const CSV: &str = "text/csv";
/// The media type of XLSX workbooks.
pub const XLSX: &str = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

/// The size of an A4 page, as XLSX numbers paper sizes.
const A4: u8 = 9;
/// The first letters by which spreadsheet programs recognize a formula.
const FORMULA: [char; 6] = ['=', '+', '-', '@', '\t', '\r'];

/// A cell of a table.
#[derive(Clone, Debug, PartialEq)]
pub enum SheetCell {
    /// Nothing.
    Empty,
    /// A text, which is never read as a formula.
    Text(String),
    /// A number.
    Number(f64),
}

impl From<&str> for SheetCell {
    fn from(text: &str) -> SheetCell {
        SheetCell::Text(text.to_owned())
    }
}

impl From<f64> for SheetCell {
    fn from(number: f64) -> SheetCell {
        SheetCell::Number(number)
    }
}

impl From<u32> for SheetCell {
    fn from(number: u32) -> SheetCell {
        SheetCell::Number(f64::from(number))
    }
}

/// A table of cells with a head.
#[derive(Clone, Debug, PartialEq)]
pub struct Sheet {
    /// The name of the sheet in a workbook, at most 31 letters.
    pub name: &'static str,
    /// The names of the columns.
    pub head: Vec<String>,
    /// The rows below the head.
    pub rows: Vec<Vec<SheetCell>>,
}

/// Returns a text as a cell of CSV; an apostrophe keeps spreadsheet programs from reading it as a formula.
fn safe(text: &str) -> String {
    match text.starts_with(FORMULA) {
        true => format!("'{text}"),
        false => text.to_owned(),
    }
}

/// Returns the text of a cell of CSV, without the apostrophe of [`safe`].
pub fn plain(cell: &str) -> &str {
    match cell.strip_prefix('\'') {
        Some(text) if text.starts_with(FORMULA) => text,
        _ => cell,
    }
}

fn failed(error: &dyn std::fmt::Display) -> Problem {
    tracing::error!(%error, "a table cannot be written as a file");
    Problem::internal()
}

impl Sheet {
    /// Writes the table as CSV (RFC 4180, with line feeds).
    ///
    /// # Errors
    /// 500 when writing fails.
    pub fn csv(&self) -> Result<String, Problem> {
        let mut writer = csv::Writer::from_writer(Vec::new());
        let head = self.head.iter().map(|name| safe(name));
        (writer.write_record(head)).map_err(|error| failed(&error))?;
        for row in &self.rows {
            let cells = row.iter().map(|cell| match cell {
                SheetCell::Empty => String::new(),
                SheetCell::Text(text) => safe(text),
                SheetCell::Number(number) => number.to_string(),
            });
            (writer.write_record(cells)).map_err(|error| failed(&error))?;
        }
        let bytes = writer.into_inner().map_err(|error| failed(&error))?;
        String::from_utf8(bytes).map_err(|error| failed(&error))
    }
}

/// Writes tables as the sheets of an XLSX workbook. The same tables at the same time give the same bytes.
///
/// Each sheet fits the width of an A4 page and repeats its head on each page.
///
/// # Errors
/// 500 when writing fails.
pub fn workbook(sheets: &[Sheet], at: Timestamp) -> Result<Vec<u8>, Problem> {
    write_workbook(sheets, at).map_err(|error| failed(&error))
}

fn write_workbook(sheets: &[Sheet], at: Timestamp) -> Result<Vec<u8>, XlsxError> {
    let day = at.to_zoned(TimeZone::UTC).date();
    let year = u16::try_from(day.year()).unwrap_or(1970);
    let (month, of_month) = (day.month().unsigned_abs(), day.day().unsigned_abs());
    let created = ExcelDateTime::from_ymd(year, month, of_month)?;
    let mut workbook = Workbook::new();
    workbook.set_properties(&DocProperties::new().set_creation_datetime(&created));
    let bold = Format::new().set_bold();
    for sheet in sheets {
        let page = workbook.add_worksheet();
        page.set_name(sheet.name)?;
        for (column, name) in (0_u16..).zip(&sheet.head) {
            page.write_string_with_format(0, column, name.as_str(), &bold)?;
        }
        for (row, cells) in (1_u32..).zip(&sheet.rows) {
            for (column, cell) in (0_u16..).zip(cells) {
                match cell {
                    SheetCell::Empty => {}
                    SheetCell::Text(text) => {
                        page.write_string(row, column, text.as_str())?;
                    }
                    SheetCell::Number(number) => {
                        page.write_number(row, column, *number)?;
                    }
                }
            }
        }
        page.set_freeze_panes(1, 0)?;
        page.set_repeat_rows(0, 0)?;
        page.set_paper_size(A4).set_landscape();
        page.set_print_fit_to_pages(1, 0);
        page.autofit();
    }
    workbook.save_to_buffer()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_is_a_formula_in_csv() {
        let texts = [
            "=1+1", "+1", "-1", "@SUM(A1)", "\tx", "Dido", "a,b", "'", "'x",
        ];
        let sheet = Sheet {
            name: "Names",
            head: vec!["name".to_owned()],
            rows: texts.map(|text| vec![SheetCell::from(text)]).to_vec(),
        };
        let text = sheet.csv().unwrap();
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        let cells: Vec<String> = reader
            .records()
            .map(|row| row.unwrap()[0].to_owned())
            .collect();
        assert!(
            cells.iter().all(|cell| !cell.starts_with(FORMULA)),
            "{text}"
        );
        let read: Vec<&str> = cells.iter().map(|cell| plain(cell)).collect();
        assert_eq!(read, texts);
    }

    #[test]
    fn the_same_tables_give_the_same_workbook() {
        let sheet = Sheet {
            name: "Standings",
            head: vec!["name".to_owned(), "points".to_owned()],
            rows: vec![vec![SheetCell::from("Dido"), SheetCell::from(5.5)]],
        };
        let at: Timestamp = "2026-11-20T18:00:00Z".parse().unwrap();
        let write = || workbook(std::slice::from_ref(&sheet), at).unwrap();
        assert_eq!(write(), write());
        assert!(write().starts_with(b"PK"));
    }
}
