//! The measure `head_to_head`: win rates of players against each other.

use polars::prelude::*;

use super::measure::{FORMAT, Measure, MeasureSums};
use super::rates::{self, RATE_COLUMNS, rates_of_one_family};
use super::summary::{
    ALL, RATES, SqlRows, Summary, SummaryRows, SummarySource, SummaryStorage, joined,
    with_nation_columns,
};
use crate::facts::{ColumnInfo, FactTable, columns};

/// Win rates of a player in the games with each opponent.
pub static HEAD_TO_HEAD: Measure = Measure {
    name: "head_to_head",
    path: "head-to-head",
    label: "Head to head",
    meaning: "Win rates of a player in the games with each opponent, and how often the player had the better rank \
        (`ahead`). The filter `player` or `bot` selects the player.",
    keys: &KEYS,
    figures: &[&[AHEAD], &RATE_COLUMNS],
    sums: &[(&ALL, &[]), (&BY_OPPONENT, &["player", "opponent"])],
    finish: rows,
    needs: &["player", "bot"],
    ..rates::MEASURE
};

static BY_OPPONENT: Summary = Summary {
    name: "head_to_head",
    keys: &["player", "opponent"],
    sums: &["halves_ahead", "meetings"],
    rows: SummaryRows::Nations(meetings),
    sql: Some(SqlRows::new(|_| SQL_ROWS.to_owned())),
    storage: SummaryStorage::Nowhere,
    ..RATES
};

const KEYS: [ColumnInfo; 2] = columns! {
    /// The player whose nations and wins are counted: a person's id, or a bot's name with its budget.
    player: Text, "";
    /// The player of another seat in the same games, in the same form.
    opponent: Text, "";
};

/// The column that compares ranks.
const AHEAD: ColumnInfo = columns! {
    /// The part of their meetings in which the player has the better rank; an equal rank counts half.
    /// A meeting is a seat of the player and a seat of the opponent in one game.
    ahead: Number, "";
}[0];

/// [`meetings`] in SQL.
const SQL_ROWS: &str = "SELECT DISTINCT own.game, own.nation, own.player, other.player AS opponent\n    \
    FROM passing AS own JOIN players AS other ON other.game = own.game AND other.seat <> own.seat\n    \
    WHERE own.player <> '' AND other.player <> '' AND own.player <> other.player";

/// Returns a row for each nation, its player, and each player of another seat.
fn meetings(source: &SummarySource) -> PolarsResult<LazyFrame> {
    let known = |name: &str| col(name).neq(lit(""));
    let others = source
        .facts
        .table(FactTable::Players)?
        .filter(known("player"));
    let others = others.select([
        col("game"),
        col("seat").alias("other_seat"),
        col("player").alias("opponent"),
        col("rank_of_seat").alias("other_rank"),
    ]);
    let rank = || col("rank_of_seat").cast(DataType::Int64);
    let other = || col("other_rank").cast(DataType::Int64);
    let one_if = |condition: Expr| condition.cast(DataType::Int64);
    let ahead = one_if(rank().lt(other())) + one_if(rank().lt_eq(other()));
    let own = with_nation_columns(&[col("seat"), col("player"), col("rank_of_seat")]);
    let met = source
        .seats
        .clone()
        .filter(known("player"))
        .select(own)
        .inner_join(others, col("game"), col("game"))
        .filter(col("seat").neq(col("other_seat")))
        .filter(col("player").neq(col("opponent")))
        .group_by(with_nation_columns(&[col("player"), col("opponent")]))
        .agg([
            ahead.sum().alias("halves_ahead"),
            len().cast(DataType::Int64).alias("meetings"),
        ]);
    Ok(joined(&source.seats, met))
}

/// Builds a row for each player and opponent of each format.
fn rows(added: &MeasureSums) -> PolarsResult<DataFrame> {
    let keys = added.measure.key_names();
    let float = |name: &str| col(name).cast(DataType::Float64);
    let ahead = float("halves_ahead") / (lit(2.0) * float("meetings"));
    let rows = rates_of_one_family([added.all, added.own], &keys, added.filters)?.lazy();
    added
        .select(rows.with_column(ahead.alias(AHEAD.name)))
        .sort(
            [&FORMAT[..], &keys].concat(),
            SortMultipleOptions::default(),
        )
        .collect()
}
