//! CSV: the rows, with a header line.

use polars::prelude::*;

use super::table::{PROGRAM, StatisticsTable};

impl StatisticsTable {
    /// Returns the rows as CSV (RFC 4180, with line feeds) and all digits of numbers.
    /// After the columns of the measure, each row names its source, so that a file that is passed on can be cited:
    /// `measure`, `program`, `filters` (as a query string), `data_version`, `log_position` and `as_of`.
    ///
    /// # Errors
    /// If a column has a type that CSV cannot hold. No measure has such a column.
    pub fn to_csv(&self) -> PolarsResult<String> {
        let given = self.filters.given().into_iter();
        let given: Vec<String> = given
            .map(|(name, value)| format!("{name}={value}"))
            .collect();
        let as_of = self.as_of.map_or(String::new(), |time| time.to_string());
        let text = |name: &str, text: &str| lit(text).alias(name);
        let source = [
            text("measure", self.measure.name),
            text("program", PROGRAM),
            text("filters", &given.join("&")),
            text("data_version", &self.data_version),
            lit(self.log_position).alias("log_position"),
            text("as_of", &as_of),
        ];
        let mut rows = self.rows.clone().lazy().with_columns(source).collect()?;
        let mut bytes = Vec::new();
        CsvWriter::new(&mut bytes).finish(&mut rows)?;
        String::from_utf8(bytes).map_err(|error| polars_err!(ComputeError: "{error}"))
    }
}
