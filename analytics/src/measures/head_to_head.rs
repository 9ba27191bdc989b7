//! Players against players.

use polars::prelude::*;

use super::FORMAT;
use super::rates::{self, rated};
use crate::facts::{ColumnInfo, columns};
use crate::filters::Filters;

/// What rows are told apart by.
pub(super) const KEYS: [ColumnInfo; 2] = columns! {
    /// The player whose nations and wins are counted: a person's id, or a bot's name with its budget.
    player: Text, "";
    /// Who plays another seat in the same games, known as the player is.
    opponent: Text, "";
};

/// Who came before whom.
pub(super) const AHEAD: ColumnInfo = columns! {
    /// In what part of their meetings (a seat of the player with one of the opponent) the player has the better rank;
    /// the same rank counts half.
    ahead: Number, "";
}[0];

/// A row for each player and opponent of each format.
pub(super) fn rows(
    sums: [&DataFrame; 2],
    columns: &[ColumnInfo],
    filters: &Filters,
) -> PolarsResult<DataFrame> {
    let keys = KEYS.map(|column| column.name);
    let float = |name: &str| col(name).cast(DataType::Float64);
    let ahead = float("halves_ahead") / (lit(2.0) * float("meetings"));
    let names: Vec<Expr> = columns.iter().map(|column| col(column.name)).collect();
    rated(sums, &keys, filters)?
        .lazy()
        .with_column(ahead.alias(AHEAD.name))
        .select(names)
        .sort(
            [&FORMAT[..], &keys].concat(),
            SortMultipleOptions::default(),
        )
        .collect()
}

/// The columns of the result table.
pub(super) fn columns() -> Vec<ColumnInfo> {
    rates::columns(&KEYS, &[AHEAD])
}
