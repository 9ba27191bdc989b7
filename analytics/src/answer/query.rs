//! Any question on the tables of facts, in SQL, as polars understands it.

use std::fmt::Write as _;

use polars::prelude::*;
use polars::sql::SQLContext;
use serde_json::{Map, Value};

use super::json::objects;
use super::text::{grid, text_columns};
use crate::facts::{FactTable, LazyFacts, parquet};

/// A query that cannot be answered.
#[derive(Debug, thiserror::Error)]
pub enum QueryError {
    /// It is not understood, or asks for what there is not.
    #[error(
        "{0}\ntables are {tables}; `tabularium-analytics describe` tells their columns",
        tables = tables()
    )]
    Query(PolarsError),
    /// It is understood and fails on these facts, such as a text that is to be a number.
    #[error(transparent)]
    Frame(PolarsError),
}

fn tables() -> String {
    let names: Vec<&str> = FactTable::ALL.iter().map(|table| table.name()).collect();
    names.join(", ")
}

/// Statements that polars would carry out on its view of the tables, which is gone afterwards.
const CHANGES: [&str; 4] = ["create", "delete", "drop", "truncate"];

/// What a query found.
#[derive(Clone, Debug)]
pub struct Answer {
    rows: DataFrame,
}

/// Asks the tables of facts (`games`, `seats`, …, by the names of [`FactTable`]) in SQL: one statement that selects.
/// What is not asked for is not read, and rows stream through, so that many games need little memory.
///
/// Times are compared with texts (`played_at < '2026-12-01'`).
///
/// # Errors
/// When the query is not understood, names what is not there, or fails on the facts.
pub fn query(facts: &LazyFacts, sql: &str) -> Result<Answer, QueryError> {
    let verb = sql.split_whitespace().next().unwrap_or_default();
    if CHANGES.contains(&&*verb.to_ascii_lowercase()) {
        let refused = polars_err!(SQLInterface: "facts are never changed: only SELECT asks them");
        return Err(QueryError::Query(refused));
    }
    let mut context = SQLContext::new();
    let lower = sql.to_ascii_lowercase();
    // The files of other tables need not be checked.
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
    /// The rows, each an object by column: times as text (RFC 3339), lists as lists.
    ///
    /// # Errors
    /// When a time is none that there is.
    pub fn to_json(&self) -> PolarsResult<Vec<Map<String, Value>>> {
        objects(&self.rows)
    }

    /// The rows as a table of text, with a line on how many there are.
    ///
    /// # Errors
    /// As [`Answer::to_json`].
    pub fn to_text(&self) -> PolarsResult<String> {
        let mut text = grid(&text_columns(&self.rows)?);
        let count = self.rows.height();
        let rows = if count == 1 { "row" } else { "rows" };
        // Writing to a text cannot fail.
        let _ = write!(text, "\n\n{count} {rows}\n");
        Ok(text)
    }

    /// The rows as CSV (RFC 4180, line feeds), with a header line: times as RFC 3339 has them, lists as texts with commas
    /// between.
    ///
    /// # Errors
    /// When a column has a type that CSV cannot hold.
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

    /// The rows as a Parquet file.
    ///
    /// # Errors
    /// When the file cannot be built.
    pub fn to_parquet(&self) -> PolarsResult<Vec<u8>> {
        let mut bytes = Vec::new();
        ParquetWriter::new(&mut bytes)
            .with_key_value_metadata(Some(parquet::metadata(self.rows.schema(), [])))
            .finish(&mut self.rows.clone())?;
        Ok(bytes)
    }
}
