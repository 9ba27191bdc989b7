//! What nations have produced, spent and got by a turn of theirs, winners beside the others.

use polars::prelude::*;

use super::rates::rated;
use super::{FORMAT, INSUFFICIENT, format_columns};
use crate::facts::{ColumnInfo, Kind, SHARE_PART};
use crate::filters::Filters;

/// The columns of the result table.
pub(super) fn columns() -> Vec<ColumnInfo> {
    let keys = [
        ColumnInfo::new(
            "quantity",
            Kind::Text,
            "",
            "What is counted when the turn is over. From the first turn on: produced (chips produced and \
             those of event cards), spent (chips and coins; trades left out). Then: chips, coins, units \
             (on the board), cities, temples, know_hows, points.",
        ),
        ColumnInfo::new(
            "by_turn",
            Kind::Count,
            "turns",
            "The nation's own turn, from 1.",
        ),
    ];
    let own = [
        ColumnInfo::new(
            "games",
            Kind::Count,
            "games",
            "Games with a nation that had so many turns.",
        ),
        ColumnInfo::new(
            "nation_games",
            Kind::Count,
            "nations in games",
            "Nations that had so many turns.",
        ),
        ColumnInfo::new(
            "winners_mean",
            Kind::Number,
            "of the quantity",
            "Mean of winners; a nation that shares the win is a winner by its share and one of the \
             others by the rest.",
        ),
        ColumnInfo::new(
            "others_mean",
            Kind::Number,
            "of the quantity",
            "Mean of the others.",
        ),
        INSUFFICIENT,
    ];
    [&keys[..], &format_columns(), &own].concat()
}

/// A row for each quantity and turn of each format.
pub(super) fn rows(sums: &DataFrame, keys: &[&str], filters: &Filters) -> PolarsResult<DataFrame> {
    let float = |name: &str| col(name).cast(DataType::Float64);
    let parts = float("owned") * lit(SHARE_PART) - float("owned_parts");
    let winners = float("wins") * lit(SHARE_PART);
    let others = float("nation_games") * lit(SHARE_PART) - winners.clone();
    let mean = |parts: Expr, of: Expr| {
        when(of.clone().gt(lit(0.0)))
            .then(parts / of)
            .otherwise(lit(0.0))
    };
    let names: Vec<Expr> = columns().iter().map(|column| col(column.name)).collect();
    rated(sums, keys, filters)?
        .lazy()
        .with_columns([
            mean(float("owned_parts"), winners).alias("winners_mean"),
            mean(parts, others).alias("others_mean"),
        ])
        .select(names)
        .sort([&FORMAT[..], keys].concat(), SortMultipleOptions::default())
        .collect()
}
