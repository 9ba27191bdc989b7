//! The answer to a measure.

use jiff::Timestamp;
use polars::prelude::DataFrame;

use crate::measures::Measure;
use crate::measures::sums::RulesetGames;
use crate::question::Filters;

/// The version of the program that makes tables, which each of them cites.
pub(crate) const PROGRAM: &str = env!("CARGO_PKG_VERSION");

/// The answer to a measure.
#[derive(Clone, Debug)]
pub struct Table {
    /// What was asked.
    pub measure: &'static Measure,
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
