//! What nations have produced, spent and got by a turn of theirs, winners beside the others.

use polars::prelude::*;

use super::rates::rated;
use super::{FORMAT, INSUFFICIENT, format_columns};
use crate::facts::{ColumnInfo, SHARE_PART, columns};
use crate::filters::Filters;

/// The columns of the result table.
pub(super) fn columns() -> Vec<ColumnInfo> {
    let keys = columns! {
        /// What is counted when the turn is over. From the first turn on: produced (chips produced and those of event
        /// cards), spent (chips and coins; trades left out). Then: chips, coins, units (on the board), cities, temples,
        /// know_hows, points.
        quantity: Text, "";
        /// The nation's own turn, from 1.
        by_turn: Count, "turns";
    };
    let own = columns! {
        /// Games with a nation that had so many turns.
        games: Count, "games";
        /// Nations that had so many turns.
        nation_games: Count, "nations in games";
        /// Mean of winners; a nation that shares the win is a winner by its share and one of the others by the rest.
        winners_mean: Number, "of the quantity";
        /// Mean of the others.
        others_mean: Number, "of the quantity";
        ..INSUFFICIENT
    };
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
    rated([sums, sums], keys, filters)?
        .lazy()
        .with_columns([
            mean(float("owned_parts"), winners).alias("winners_mean"),
            mean(parts, others).alias("others_mean"),
        ])
        .select(names)
        .sort([&FORMAT[..], keys].concat(), SortMultipleOptions::default())
        .collect()
}
