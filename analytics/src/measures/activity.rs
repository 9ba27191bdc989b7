//! Common parts of measures of what nations do: how often, at what price, and how often they win.

use polars::prelude::*;

use super::measure::{FORMAT, Measure, MeasureSums};
use super::rates::{self, RATE_COLUMNS, rates_of_one_family};
use crate::facts::{ColumnInfo, columns};
use crate::question::Filters;

/// The default values of these measures.
pub(super) const MEASURE: Measure = Measure {
    figures: &[&TIMES, &RATE_COLUMNS],
    finish: |added| rows(added, &[]),
    ..rates::MEASURE
};

/// The columns for the frequency.
pub(super) const TIMES: [ColumnInfo; 2] = columns! {
    /// How often it happened in total.
    times: Count, "times";
    /// The part of all nations in games of the format that pass the filters for which nation_games counts.
    /// In rows by bot, only the nations of that bot are in the total.
    frequency: Number, "";
};

/// Builds a row for each format and key, with the mean of each given sum.
pub(super) fn rows(added: &MeasureSums, means: &[(&str, &str)]) -> PolarsResult<DataFrame> {
    let everything = Filters {
        min_games: None,
        ..added.filters.clone()
    };
    let format = || FORMAT.map(col);
    let all = [&format()[..], &[col("nation_games").alias("all")]].concat();
    let all = rates_of_one_family([added.all, added.all], &[], &everything)?
        .lazy()
        .select(all);
    let float = |name: &str| col(name).cast(DataType::Float64);
    let means = means.iter();
    let means = means.map(|(column, sum)| (float(sum) / float("times")).alias(*column));
    let frequency = (float("nation_games") / float("all")).alias("frequency");
    let means: Vec<Expr> = means.chain([frequency]).collect();
    let keys = added.measure.key_names();
    let rows = rates_of_one_family([added.all, added.own], &keys, added.filters)?
        .lazy()
        .join(all, format(), format(), JoinArgs::new(JoinType::Inner))
        .with_columns(means)
        .with_column(col("times").cast(DataType::UInt32));
    added
        .select(rows)
        .sort(
            [&FORMAT[..], &keys].concat(),
            SortMultipleOptions::default(),
        )
        .collect()
}
