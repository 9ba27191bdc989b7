//! What nations do: how often, at what price, and how those fare who do it.

use polars::prelude::*;

use super::measure::{Added, FORMAT, Measure};
use super::rates::{self, RATE_COLUMNS, rated};
use crate::facts::{ColumnInfo, columns};
use crate::question::Filters;

/// What measures of what nations do have in common.
pub(super) const MEASURE: Measure = Measure {
    figures: &[&TIMES, &RATE_COLUMNS],
    finish: |added| rows(added, &[]),
    ..rates::MEASURE
};

/// How often.
pub(super) const TIMES: [ColumnInfo; 2] = columns! {
    /// How often it was done, each time counted.
    times: Count, "times";
    /// nation_games / all nations in games of the format that pass the filters, those that did not do it included.
    frequency: Number, "";
};

/// A row for each format and key: the nations that did it, with the means of sums, each by its column and the sum.
pub(super) fn rows(added: &Added, means: &[(&str, &str)]) -> PolarsResult<DataFrame> {
    let everything = Filters {
        min_games: None,
        ..added.filters.clone()
    };
    let format = || FORMAT.map(col);
    let all = [&format()[..], &[col("nation_games").alias("all")]].concat();
    let all = rated([added.all, added.all], &[], &everything)?
        .lazy()
        .select(all);
    let float = |name: &str| col(name).cast(DataType::Float64);
    let means = means.iter();
    let means = means.map(|(column, sum)| (float(sum) / float("times")).alias(*column));
    let frequency = (float("nation_games") / float("all")).alias("frequency");
    let means: Vec<Expr> = means.chain([frequency]).collect();
    let keys = added.measure.key_names();
    let rows = rated([added.all, added.own], &keys, added.filters)?
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
