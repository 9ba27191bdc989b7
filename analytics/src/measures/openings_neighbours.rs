//! The measure `openings_neighbours`: win rates by opening strategy and the neighbours' strategies.

use polars::prelude::*;

use super::measure::{Measure, TableShape};
use super::openings::{STRATEGY, by_strategy};
use super::rates;
use super::summary::{ALL_BY_BOT, RATES, SEAT_BOT, SqlRows, Summary, SummaryRows, SummarySource};
use crate::facts::{ColumnInfo, FactTable, columns};

/// Win rates by opening strategy and those of the neighbours.
pub static OPENINGS_NEIGHBOURS: Measure = Measure {
    name: "openings_neighbours",
    path: "openings/neighbours",
    label: "Neighbours",
    meaning: "Win rates by opening strategy and the neighbours' strategies: those of the nations before and after it in \
        the seat order.",
    keys: &[STRATEGY, NEIGHBOURS],
    sums: &[
        (&ALL_BY_BOT, &[]),
        (&BY_NEIGHBOURS, &["opening", "neighbours"]),
    ],
    finish: by_strategy,
    shape: TableShape::Heat,
    ..rates::MEASURE
};

static BY_NEIGHBOURS: Summary = Summary {
    name: "neighbours",
    keys: &[SEAT_BOT, "opening", "neighbours"],
    rows: SummaryRows::Nations(with_neighbours),
    sql: Some(SqlRows::new(|_| SQL_ROWS.to_owned())),
    ..RATES
};

/// The column of the neighbours' strategies.
const NEIGHBOURS: ColumnInfo = columns! {
    /// The strategies of the nations before and after it in the seat order, joined by commas.
    /// They are in alphabetical order. In a game of two nations there is one strategy.
    neighbours: Text, "";
}[0];

/// [`with_neighbours`] in SQL.
const SQL_ROWS: &str = "SELECT own.game, own.nation, own.opening AS strategy, CASE\n      \
    WHEN own.nations = 2 THEN one.opening\n      \
    WHEN one.opening <= other.opening THEN one.opening || ', ' || other.opening\n      \
    ELSE other.opening || ', ' || one.opening END AS neighbours\n    \
    FROM passing AS own\n    \
    JOIN seats AS one ON one.game = own.game AND one.place = (own.place + own.nations - 2) % own.nations + 1\n    \
    JOIN seats AS other ON other.game = own.game AND other.place = own.place % own.nations + 1";

fn with_neighbours(source: &SummarySource) -> PolarsResult<LazyFrame> {
    let (place, count) = (|| col("place"), || col("nations"));
    let round = |steps: Expr| (place() + steps) % count() + lit(1u32);
    let others = source.facts.table(FactTable::Seats)?;
    let beside = |name: &str| {
        let opening = col("opening").alias(format!("opening_{name}"));
        let others = others.clone();
        others.select([col("game"), place().alias(name), opening])
    };
    let at = |name: &str| [col("game"), col(name)];
    let inner = || JoinArgs::new(JoinType::Inner);
    // The previous and the next place; places begin at 1.
    let seats = source.seats.clone().with_columns([
        round(count() - lit(2u32)).alias("before"),
        round(lit(0u32)).alias("behind"),
    ]);
    let seats = seats.join(beside("before"), at("before"), at("before"), inner());
    let seats = seats.join(beside("behind"), at("behind"), at("behind"), inner());
    let (one, other) = (|| col("opening_before"), || col("opening_behind"));
    let two = |one: Expr, other: Expr| one + lit(", ") + other;
    let neighbours = when(count().eq(lit(2u32)))
        .then(one())
        .when(one().lt_eq(other()))
        .then(two(one(), other()))
        .otherwise(two(other(), one()));
    Ok(seats.with_column(neighbours.alias("neighbours")))
}
