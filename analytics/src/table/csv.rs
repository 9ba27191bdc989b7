//! CSV: the rows, with a header line.

use polars::prelude::*;

use super::Table;

impl Table {
    /// The rows as CSV (RFC 4180, line feeds), numbers in full.
    ///
    /// # Errors
    /// When a column has a type that CSV cannot hold; no measure gives one.
    pub fn to_csv(&self) -> PolarsResult<String> {
        let mut bytes = Vec::new();
        CsvWriter::new(&mut bytes).finish(&mut self.rows.clone())?;
        String::from_utf8(bytes).map_err(|error| polars_err!(ComputeError: "{error}"))
    }
}
