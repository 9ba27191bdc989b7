//! Parquet files of tables.

use polars::prelude::*;

use super::table::{PROGRAM, StatisticsTable};
use crate::facts::parquet;

impl StatisticsTable {
    /// Returns the rows as a Parquet file.
    /// Its key-value metadata contain `measure`, `program`, `filters` (JSON), `data_version`, `log_position`,
    /// `as_of`, `games` and `dictionary` (JSON: type, unit and meaning of each column).
    ///
    /// # Errors
    /// If the file cannot be built.
    pub fn to_parquet(&self) -> PolarsResult<Vec<u8>> {
        let filters = serde_json::to_string(&self.filters);
        let filters = filters.map_err(|error| polars_err!(ComputeError: "{error}"))?;
        let dictionary = serde_json::to_string(&self.measure.columns());
        let dictionary = dictionary.map_err(|error| polars_err!(ComputeError: "{error}"))?;
        let metadata = [
            ("dictionary", dictionary),
            ("measure", self.measure.to_string()),
            ("filters", filters),
            ("program", PROGRAM.to_owned()),
            ("data_version", self.data_version.clone()),
            ("log_position", self.log_position.to_string()),
            (
                "as_of",
                self.as_of.map_or(String::new(), |time| time.to_string()),
            ),
            ("games", self.games.to_string()),
        ];
        let metadata = metadata.map(|(key, value)| (key.to_owned(), value));
        let mut bytes = Vec::new();
        ParquetWriter::new(&mut bytes)
            .with_key_value_metadata(Some(parquet::metadata(self.rows.schema(), metadata)))
            .finish(&mut self.rows.clone())?;
        Ok(bytes)
    }
}
