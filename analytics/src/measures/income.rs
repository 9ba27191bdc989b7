//! The measure `income`: what winners and other nations produced, spent and owned by a turn.

use polars::prelude::*;

use super::measure::{FORMAT, Measure, MeasureSums, RowFigures, TableShape};
use super::rates::{self, INSUFFICIENT, rates_of_one_family};
use super::summary::{
    RATES, SEAT_BOT, SHARE_PART, Summary, SummaryRows, SummarySource, integer, joined, sum_columns,
    union, with_nation_columns,
};
use crate::facts::{ColumnInfo, FactTable, columns};

/// The measure `income`.
pub static INCOME: Measure = Measure {
    name: "income",
    path: "income",
    label: "Income",
    meaning: "Production, spending and possessions by turn: means of winners and of other nations, by the number of \
        turns that they had.",
    caveat: "Nations that are ahead win. The means show when and by how much they were ahead, not why.",
    keys: &KEYS,
    figures: &[&MEANS],
    sums: &[(&BY_TURN, &["quantity", "by_turn"])],
    finish: rows,
    shape: TableShape::Rows(RowFigures::Means),
    group: Some("quantity"),
    ..rates::MEASURE
};

static BY_TURN: Summary = Summary {
    name: "income",
    keys: &[SEAT_BOT, "quantity", "by_turn"],
    sums: &["owned", "owned_parts"],
    rows: SummaryRows::Nations(quantities),
    has_rates: false,
    ..RATES
};

const KEYS: [ColumnInfo; 2] = columns! {
    /// The quantity at the end of the turn.
    /// Totals from the first turn: produced (chips produced and received from event cards), spent (chips and coins,
    /// without trades). Current values: chips, coins, units (on the board), cities, temples, know_hows, points.
    quantity: Text, "";
    /// The nation's own turn, from 1.
    by_turn: Count, "turns";
};

const MEANS: [ColumnInfo; 5] = columns! {
    /// Games with a nation that had this many turns.
    games: Count, "games";
    /// Nations that had this many turns.
    nation_games: Count, "nations in games";
    /// Mean of winners; 0, and too few games, if none has won.
    /// A nation with a share of the win counts as a winner by its share, and otherwise as one of the others.
    winners_mean: Number, "of the quantity";
    /// Mean of the others.
    others_mean: Number, "of the quantity";
    ..INSUFFICIENT
};

/// The nations' own turns at which quantities are compared.
const BY_TURNS: [u32; 9] = [2, 4, 6, 8, 10, 12, 15, 20, 30];

/// Quantities that are totals from the first turn: columns of `turns`.
const FLOWS: [(&str, &[&str]); 2] = [
    ("produced", &["chips_produced", "chips_gained"]),
    ("spent", &["chips_spent", "coins_spent"]),
];

/// Quantities that are current values: columns of `snapshots`.
const STOCKS: [(&str, &[&str]); 7] = [
    ("chips", &["marble", "iron", "gold"]),
    ("coins", &["coins"]),
    ("units", &["legions", "galleys"]),
    ("cities", &["cities"]),
    ("temples", &["temples"]),
    ("know_hows", &["know_hows"]),
    ("points", &["points"]),
];

/// Returns the quantities of each nation at each turn of [`BY_TURNS`].
fn quantities(source: &SummarySource) -> PolarsResult<LazyFrame> {
    let turn = || col("by_turn");
    let turns = UInt32Chunked::from_slice("by_turn".into(), &BY_TURNS);
    let turns = DataFrame::new(BY_TURNS.len(), vec![turns.into_column()])?;
    let own = |column: &str| with_nation_columns(&[turn(), col(column).alias("owned")]);
    let of = |frame: LazyFrame, quantity: &str| {
        frame
            .select(own(quantity))
            .with_column(lit(quantity).alias("quantity"))
    };
    // Only nations that had this many turns count.
    let stocks = STOCKS.map(|(name, columns)| sum_columns(columns).alias(name));
    let snapshots = source.by_nation(FactTable::Snapshots)?;
    let snapshots = snapshots
        .select([with_nation_columns(&[col("own_turn")]), stocks.to_vec()].concat())
        .inner_join(turns.clone().lazy(), col("own_turn"), turn())
        .with_column(col("own_turn").alias("by_turn"));
    // Joins each turn with each turn of `BY_TURNS` that is not earlier.
    let one = || integer(1).alias("one");
    let flows = FLOWS.map(|(name, columns)| sum_columns(columns).alias(name));
    let sums = FLOWS.map(|(name, _)| col(name).sum());
    let flows = source
        .by_nation(FactTable::Turns)?
        .select(
            [
                with_nation_columns(&[col("own_turn"), one()]),
                flows.to_vec(),
            ]
            .concat(),
        )
        .inner_join(turns.lazy().with_column(one()), col("one"), col("one"))
        .filter(col("own_turn").lt_eq(turn()))
        .group_by(with_nation_columns(&[turn()]))
        .agg(sums);
    let reached = snapshots.clone().select(with_nation_columns(&[turn()]));
    let by = || with_nation_columns(&[turn()]);
    let flows = flows.join(reached, by(), by(), JoinArgs::new(JoinType::Inner));
    let flows = FLOWS.map(|(name, _)| of(flows.clone(), name));
    let stocks = STOCKS.map(|(name, _)| of(snapshots.clone(), name));
    let all = union(flows.into_iter().chain(stocks).collect())?;
    let parts = col("owned") * col("share_parts").cast(DataType::Int64);
    Ok(joined(&source.seats, all).with_column(parts.alias("owned_parts")))
}

/// Builds a row for each quantity and turn of each format.
fn rows(added: &MeasureSums) -> PolarsResult<DataFrame> {
    let keys = added.measure.key_names();
    let float = |name: &str| col(name).cast(DataType::Float64);
    let parts = float("owned") * lit(SHARE_PART) - float("owned_parts");
    let winners = float("wins") * lit(SHARE_PART);
    let others = float("nation_games") * lit(SHARE_PART) - winners.clone();
    let has_none = |of: Expr| of.lt_eq(lit(0.0));
    let mean = |parts: Expr, of: Expr| {
        when(of.clone().gt(lit(0.0)))
            .then(parts / of)
            .otherwise(lit(0.0))
    };
    let rows = rates_of_one_family([added.own, added.own], &keys, added.filters)?
        .lazy()
        .with_columns([
            mean(float("owned_parts"), winners.clone()).alias("winners_mean"),
            mean(parts, others.clone()).alias("others_mean"),
            col("insufficient")
                .or(has_none(winners))
                .or(has_none(others))
                .alias("insufficient"),
        ]);
    added
        .select(rows)
        .sort(
            [&FORMAT[..], &keys].concat(),
            SortMultipleOptions::default(),
        )
        .collect()
}
