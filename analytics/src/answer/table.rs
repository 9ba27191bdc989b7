//! The table that a measure returns.

use jiff::Timestamp;
use polars::prelude::DataFrame;

use crate::measures::Measure;
use crate::measures::sums::RulesetGames;
use crate::question::Filters;

/// The version of the program, which each table cites.
pub(crate) const PROGRAM: &str = env!("CARGO_PKG_VERSION");

/// The table that a measure returns.
#[derive(Clone, Debug)]
pub struct StatisticsTable {
    /// The measure.
    pub measure: &'static Measure,
    /// The filters that were applied.
    pub filters: Filters,
    /// The version of the data: the number of games that passed the filters, and 16 hexadecimal digits.
    /// The digits are the sum of the games' hashes. The same games have the same version wherever they are stored.
    pub data_version: String,
    /// The offset in the log of the last available game; 0 without games.
    pub log_position: i64,
    /// The time when that game, or the last over-the-board result that is counted, was recorded.
    pub as_of: Option<Timestamp>,
    /// True if the facts contain all finished games; false while the server still ingests some.
    pub complete: bool,
    /// The number of games that passed the filters.
    pub games: u64,
    /// The versions of the rules by which these were played. The table adds them up.
    pub rulesets: Vec<RulesetGames>,
    /// The rows, with the columns of [`Measure::columns`].
    pub rows: DataFrame,
}
