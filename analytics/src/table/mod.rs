//! Result tables and their formats, one file each.

mod csv;
mod curves;
mod json;
mod parquet;
mod schema;
mod svg;
mod text;
mod trees;

use jiff::Timestamp;
use polars::prelude::DataFrame;
use serde::Serialize;

use crate::filters::Filters;
use crate::measures::Measure;

pub use curves::Picture;
#[cfg(feature = "sql")]
pub(crate) use json::objects;
pub use schema::json_schema;
pub(crate) use svg::{LabelledRow, number, shown};
#[cfg(feature = "sql")]
pub(crate) use text::grid;

/// How many games of a table were played by a version of an edition's rules.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RulesetGames {
    /// The edition.
    pub edition: String,
    /// The number of the version, from 1.
    pub version: u32,
    /// SHA-256 of the ruleset's file.
    pub hash: String,
    /// How many games.
    pub games: u64,
}

/// The version of the program that makes tables, which each of them cites.
pub(crate) const PROGRAM: &str = env!("CARGO_PKG_VERSION");

/// The answer to a measure.
#[derive(Clone, Debug)]
pub struct Table {
    /// What was asked.
    pub measure: Measure,
    /// The filters that were applied.
    pub filters: Filters,
    /// What the table is made of: how many games passed the filters, the sum of their hashes in 16
    /// hexadecimal digits. The same games give the same version, wherever they are kept.
    pub data_version: String,
    /// The place in the log of the last game of all that there were to be asked; 0 without games.
    pub log_position: i64,
    /// When that game was recorded, or the last result at a real table where these are asked for; nothing without.
    pub as_of: Option<Timestamp>,
    /// Whether the facts tell of all games that there are; not while a service still gathers some.
    pub complete: bool,
    /// How many games passed the filters.
    pub games: u64,
    /// By which versions of rules these were played, which the table sums.
    pub rulesets: Vec<RulesetGames>,
    /// The rows, with the columns of [`Measure::columns`].
    pub rows: DataFrame,
}
