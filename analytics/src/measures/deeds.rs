//! What nations do: how often, at what price, and how those fare who do it.

use polars::prelude::*;

use super::FORMAT;
use super::rates::{self, rated};
use crate::facts::{ColumnInfo, Kind, columns};
use crate::filters::Filters;

/// A sum of a summary that a table shows by the number of times: its column, and the sum.
type Mean = (ColumnInfo, &'static str);

const fn mean(name: &'static str, unit: &'static str, meaning: &'static str) -> ColumnInfo {
    ColumnInfo {
        name,
        kind: Kind::Number,
        unit,
        meaning,
    }
}

const TIMES: ColumnInfo = columns! {
    /// How often it was done, each time counted.
    times: Count, "times";
}[0];

const FREQUENCY: ColumnInfo = mean(
    "frequency",
    "",
    "nation_games / all nations in games of the format that pass the filters, those that did not do \
     it included.",
);

/// What is told of event cards besides rates.
pub(super) const CARDS: [Mean; 0] = [];

/// What is told of know-hows.
pub(super) const KNOW_HOWS: [Mean; 4] = [
    (
        mean("round", "rounds", "Mean round in which it was developed."),
        "rounds",
    ),
    (
        mean("chips", "chips", "Mean number of chips paid for it."),
        "chips",
    ),
    (
        mean("coins", "coins", "Mean number of coins paid for it."),
        "coins",
    ),
    (
        mean(
            "first",
            "",
            "In what part of these cases no nation had it before.",
        ),
        "firsts",
    ),
];

/// What is told of cities.
pub(super) const CONQUESTS: [Mean; 0] = [];

/// What is told of trades.
pub(super) const TRADES: [Mean; 2] = [
    (
        mean("given", "chips and coins", "Mean number given for a lot."),
        "given",
    ),
    (
        mean("taken", "chips", "Mean number of chips taken for a lot."),
        "taken",
    ),
];

/// The key of trades.
pub(super) const TRADE_KEY: ColumnInfo = columns! {
    /// The know-hows that the lot needs, joined by commas; empty for none.
    know_hows: Text, "";
}[0];

/// The columns of the result table.
pub(super) fn columns(means: &[Mean], keys: &[ColumnInfo]) -> Vec<ColumnInfo> {
    let means: Vec<ColumnInfo> = means.iter().map(|(column, _)| *column).collect();
    rates::columns(keys, &[&[TIMES, FREQUENCY], &means[..]].concat())
}

/// A row for each format and key: the nations that did it.
pub(super) fn rows(
    [all_nations, sums]: [&DataFrame; 2],
    keys: &[&str],
    means: &[Mean],
    columns: &[ColumnInfo],
    filters: &Filters,
) -> PolarsResult<DataFrame> {
    let everything = Filters {
        min_games: None,
        ..filters.clone()
    };
    let format = || FORMAT.map(col);
    let all = [&format()[..], &[col("nation_games").alias("all")]].concat();
    let all = rated([all_nations, all_nations], &[], &everything)?
        .lazy()
        .select(all);
    let float = |name: &str| col(name).cast(DataType::Float64);
    let means = means.iter();
    let means = means.map(|(column, sum)| (float(sum) / float("times")).alias(column.name));
    let frequency = (float("nation_games") / float("all")).alias("frequency");
    let means: Vec<Expr> = means.chain([frequency]).collect();
    let names: Vec<Expr> = columns.iter().map(|column| col(column.name)).collect();
    rated([all_nations, sums], keys, filters)?
        .lazy()
        .join(all, format(), format(), JoinArgs::new(JoinType::Inner))
        .with_columns(means)
        .with_column(col("times").cast(DataType::UInt32))
        .select(names)
        .sort([&FORMAT[..], keys].concat(), SortMultipleOptions::default())
        .collect()
}
