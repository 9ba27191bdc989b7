//! Queries in SQL on the tables of facts, in the dialect of polars.

use std::fmt::Write as _;

use polars::prelude::*;
use polars::sql::SQLContext;
use serde_json::{Map, Value};

use super::json::objects;
use super::text::{grid, text_columns};
use crate::facts::{FactTable, LazyFacts, parquet};

/// The reason why a query fails.
#[derive(Debug, thiserror::Error)]
pub enum QueryError {
    /// The query is invalid, or names a table or column that does not exist.
    #[error(
        "{0}\nthe tables are {tables}; `tabularium-analytics describe` lists their columns",
        tables = tables()
    )]
    Query(PolarsError),
    /// The query fails on these facts, for example because a text is not a number.
    #[error(transparent)]
    Frame(PolarsError),
}

fn tables() -> String {
    let names: Vec<&str> = FactTable::ALL.iter().map(|table| table.name()).collect();
    names.join(", ")
}

/// Statements that polars would apply to its temporary view of the tables.
const CHANGES: [&str; 4] = ["create", "delete", "drop", "truncate"];

/// The result of a query.
#[derive(Clone, Debug)]
pub struct Answer {
    rows: DataFrame,
}

/// Runs one `SELECT` statement on the tables of facts.
/// The tables have the names of [`FactTable`], such as `games` and `seats`. Columns that the query does not use are
/// not read, and rows are streamed, so memory stays small.
///
/// Times are compared with texts: `played_at < '2026-12-01'`.
///
/// # Errors
/// If the query is invalid or fails on these facts.
pub fn query(facts: &LazyFacts, sql: &str) -> Result<Answer, QueryError> {
    let verb = sql.split_whitespace().next().unwrap_or_default();
    if CHANGES.contains(&&*verb.to_ascii_lowercase()) {
        let refused = polars_err!(SQLInterface: "only SELECT is allowed, because queries cannot change facts");
        return Err(QueryError::Query(refused));
    }
    let mut context = SQLContext::new();
    let lower = sql.to_ascii_lowercase();
    // Files of tables that the query does not name need not be checked.
    let is_asked = |table: &&FactTable| lower.contains(table.name()) || lower.contains("show");
    for table in FactTable::ALL.iter().filter(is_asked) {
        let columns: Vec<Expr> = table.columns().iter().map(|info| col(info.name)).collect();
        let rows = facts.table(*table).map_err(QueryError::Frame)?;
        context.register(table.name(), rows.select(columns));
    }
    let mut plan = context.execute(sql).map_err(QueryError::Query)?;
    plan.collect_schema().map_err(QueryError::Query)?;
    let found = plan.collect_with_engine(Engine::Streaming);
    let rows = found.map_err(QueryError::Frame)?.unwrap_single();
    Ok(Answer { rows })
}

impl Answer {
    /// Returns each row as an object by column, with times in RFC 3339 and lists as arrays.
    ///
    /// # Errors
    /// If a time is out of range.
    pub fn to_json(&self) -> PolarsResult<Vec<Map<String, Value>>> {
        objects(&self.rows)
    }

    /// Returns the rows as a text table, followed by the number of rows.
    ///
    /// # Errors
    /// See [`Answer::to_json`].
    pub fn to_text(&self) -> PolarsResult<String> {
        let mut text = grid(&text_columns(&self.rows)?);
        let count = self.rows.height();
        let rows = if count == 1 { "row" } else { "rows" };
        // Writing to a text cannot fail.
        let _ = write!(text, "\n\n{count} {rows}\n");
        Ok(text)
    }

    /// Returns the rows as CSV (RFC 4180, with line feeds) with a header line.
    /// Times are in RFC 3339; the items of a list are joined by commas.
    ///
    /// # Errors
    /// If a column has a type that CSV cannot hold.
    pub fn to_csv(&self) -> PolarsResult<String> {
        let flat = self.rows.columns().iter().map(|column| {
            let cell = col(column.name().clone());
            match column.dtype() {
                DataType::List(_) => cell.list().join(lit(","), true),
                _ => cell,
            }
        });
        let flat: Vec<Expr> = flat.collect();
        let mut rows = self.rows.clone().lazy().select(flat).collect()?;
        let mut bytes = Vec::new();
        CsvWriter::new(&mut bytes)
            .with_datetime_format(Some("%Y-%m-%dT%H:%M:%S%.6fZ".into()))
            .finish(&mut rows)?;
        String::from_utf8(bytes).map_err(|error| polars_err!(ComputeError: "{error}"))
    }

    /// Returns the rows as a Parquet file.
    ///
    /// # Errors
    /// If the file cannot be built.
    pub fn to_parquet(&self) -> PolarsResult<Vec<u8>> {
        let mut bytes = Vec::new();
        ParquetWriter::new(&mut bytes)
            .with_key_value_metadata(Some(parquet::metadata(self.rows.schema(), [])))
            .finish(&mut self.rows.clone())?;
        Ok(bytes)
    }
}
