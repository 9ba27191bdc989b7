//! Event cards: how often each is taken and played, and how those fare who do.

use polars::prelude::*;

use super::FORMAT;
use super::rates::{RATE_COLUMNS, rated, seat_columns};
use crate::facts::{CardRow, ColumnInfo, FactRow, Kind};
use crate::filters::Filters;

/// What rows are told apart by, besides the format: columns of `cards`.
pub(super) const KEYS: [&str; 2] = ["card", "act"];

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
pub(super) fn rows(sums: Vec<DataFrame>, filters: &Filters) -> PolarsResult<DataFrame> {
    let (nations, done) = (&sums[0], &sums[1]);
    let format = || FORMAT.map(col);
    let all = [&format()[..], &[col("games").alias("all")]].concat();
    let all = nations.clone().lazy().select(all);
    let frequency = col("games").cast(DataType::Float64) / col("all");
    let names: Vec<Expr> = columns().iter().map(|column| col(column.name)).collect();
    rated(done, filters)?
        .lazy()
        .join(all, format(), format(), JoinArgs::new(JoinType::Inner))
        .with_column(frequency.alias("frequency"))
        .select(names)
        .sort(
            [&FORMAT[..], &KEYS].concat(),
            SortMultipleOptions::default(),
        )
        .collect()
}
