//! Event cards: how often each is taken and played, and how those fare who do.

use polars::prelude::*;

use super::rates::{RATE_COLUMNS, rate_by, seat_columns};
use super::{FORMAT, seats};
use crate::facts::{CardRow, ColumnInfo, FactRow, Kind, LazyFacts};
use crate::filters::Filters;

/// What rows are told apart by, besides the format: columns of `cards`.
const KEYS: [&str; 2] = ["card", "act"];

/// A nation in a game.
const SEAT: [&str; 2] = ["game", "nation"];

/// The columns between the format and the rates.
const FREQUENCY: [ColumnInfo; 2] = [
    ColumnInfo {
        name: "times",
        kind: Kind::Count,
        unit: "cards",
        meaning: "How often the card was taken or played, each time counted.",
    },
    ColumnInfo {
        name: "frequency",
        kind: Kind::Number,
        unit: "",
        meaning: "games / all games of nations of the format that pass the filters, those in which \
                  the card was not taken or played included.",
    },
];

/// The columns of the result table.
pub(super) fn columns() -> Vec<ColumnInfo> {
    let key = |column: &&ColumnInfo| KEYS.contains(&column.name);
    let keys = CardRow::COLUMNS.iter().filter(key).copied();
    keys.chain(seat_columns(&FORMAT))
        .chain(FREQUENCY)
        .chain(RATE_COLUMNS)
        .collect()
}

/// Two rows a card and format: the nations that took it, and those that played it.
pub(super) fn rows(facts: &LazyFacts, filters: &Filters) -> PolarsResult<DataFrame> {
    let nations = seats(facts, filters);
    let format = || FORMAT.map(col);
    let all = nations.clone().group_by(format()).agg([len().alias("all")]);
    // A nation that did it twice in a game is counted once there.
    let done = facts
        .cards
        .clone()
        .group_by(
            SEAT.iter()
                .chain(&KEYS)
                .map(|name| col(*name))
                .collect::<Vec<Expr>>(),
        )
        .agg([len().alias("times")]);
    // Only what is needed: `seats` and `cards` have columns of the same names.
    let needed = SEAT.iter().chain(&FORMAT).chain(&["share", "expected"]);
    let done = nations
        .select(needed.map(|name| col(*name)).collect::<Vec<Expr>>())
        .join(
            done,
            SEAT.map(col),
            SEAT.map(col),
            JoinArgs::new(JoinType::Inner),
        );
    let rates = rate_by(done, &KEYS, &[col("times").sum()], filters)?.lazy();
    let frequency = col("games").cast(DataType::Float64) / col("all");
    let names: Vec<Expr> = columns().iter().map(|column| col(column.name)).collect();
    rates
        .join(all, format(), format(), JoinArgs::new(JoinType::Inner))
        .with_column(frequency.alias("frequency"))
        .select(names)
        .sort(
            [&FORMAT[..], &KEYS].concat(),
            SortMultipleOptions::default(),
        )
        .collect()
}
