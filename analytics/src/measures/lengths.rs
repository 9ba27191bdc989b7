//! How long games are.

use polars::prelude::*;

use super::rates::seat_columns;
use super::{FORMAT, games};
use crate::facts::{ColumnInfo, Kind, LazyFacts};
use crate::filters::Filters;

/// What is measured: columns of `games`.
const QUANTITIES: [&str; 3] = ["rounds", "turns", "actions"];

/// Quantiles shown, by the name of their column.
const QUANTILES: [(&str, f64); 5] = [
    ("q10", 0.1),
    ("q25", 0.25),
    ("median", 0.5),
    ("q75", 0.75),
    ("q90", 0.9),
];

/// The columns of the result table.
pub(super) fn columns() -> Vec<ColumnInfo> {
    let number = |name, meaning| ColumnInfo {
        name,
        kind: Kind::Number,
        unit: "of the quantity",
        meaning,
    };
    let quantity = ColumnInfo {
        name: "quantity",
        kind: Kind::Text,
        unit: "",
        meaning: "What is counted in a game: rounds, turns or actions.",
    };
    let count = ColumnInfo {
        name: "games",
        kind: Kind::Count,
        unit: "games",
        meaning: "Number of games.",
    };
    let numbers = [
        number("mean", "Mean."),
        number("min", "The shortest game."),
        number(
            "q10",
            "10% of games are no longer (between two games interpolated).",
        ),
        number("q25", "25% of games are no longer."),
        number("median", "Half of the games are no longer."),
        number("q75", "75% of games are no longer."),
        number("q90", "90% of games are no longer."),
        number("max", "The longest game."),
    ];
    [quantity]
        .into_iter()
        .chain(seat_columns(&FORMAT))
        .chain([count])
        .chain(numbers)
        .collect()
}

/// Three rows a format.
pub(super) fn rows(facts: &LazyFacts, filters: &Filters) -> PolarsResult<DataFrame> {
    let games = games(facts, filters);
    let names: Vec<Expr> = columns().iter().map(|column| col(column.name)).collect();
    let tables = QUANTITIES.map(|quantity| {
        let value = || col(quantity).cast(DataType::Float64);
        let numbers = [
            len().alias("games"),
            value().mean().alias("mean"),
            value().min().alias("min"),
            value().max().alias("max"),
        ];
        let quantiles = QUANTILES.map(|(name, part)| {
            let quantile = value().quantile(lit(part), QuantileMethod::Linear);
            quantile.alias(name)
        });
        games
            .clone()
            .group_by(FORMAT.map(col))
            .agg([&numbers[..], &quantiles].concat())
            .filter(col("games").gt_eq(lit(filters.min_games.unwrap_or(0))))
            .with_column(lit(quantity).alias("quantity"))
            .select(names.clone())
    });
    concat(tables, UnionArgs::default())?
        .sort(
            FORMAT,
            SortMultipleOptions::default().with_maintain_order(true),
        )
        .collect()
}
