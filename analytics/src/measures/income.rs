//! What nations have produced, spent and got by a turn of theirs, winners beside the others.

use polars::prelude::*;

use super::measure::{Added, FORMAT, Measure, RowFigures, TableShape};
use super::rates::{self, INSUFFICIENT, rated};
use super::summary::{
    RATES, SEAT_BOT, SHARE_PART, Summary, SummaryRows, SummarySource, joined, of_nation, together,
    union, whole_number,
};
use crate::facts::{ColumnInfo, FactTable, columns};

/// What nations have produced, spent and got by a turn of theirs.
pub static INCOME: Measure = Measure {
    name: "income",
    path: "income",
    label: "Income",
    meaning: "What nations have produced, spent and got by a turn of theirs: means of winners beside those of the \
        others.",
    caveat: "Those who are ahead win: the means show by when and how far, not why.",
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
    /// What is counted when the turn is over. From the first turn on: produced (chips produced and those of event
    /// cards), spent (chips and coins; trades left out). Then: chips, coins, units (on the board), cities, temples,
    /// know_hows, points.
    quantity: Text, "";
    /// The nation's own turn, from 1.
    by_turn: Count, "turns";
};

const MEANS: [ColumnInfo; 5] = columns! {
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

/// The turns of their own by which nations are looked at.
const BY_TURNS: [u32; 9] = [2, 4, 6, 8, 10, 12, 15, 20, 30];

/// What is counted from the first turn on: columns of `turns`.
const FLOWS: [(&str, &[&str]); 2] = [
    ("produced", &["chips_produced", "chips_gained"]),
    ("spent", &["chips_spent", "coins_spent"]),
];

/// What is counted when the turn is over: columns of `snapshots`.
const STOCKS: [(&str, &[&str]); 7] = [
    ("chips", &["marble", "iron", "gold"]),
    ("coins", &["coins"]),
    ("units", &["legions", "galleys"]),
    ("cities", &["cities"]),
    ("temples", &["temples"]),
    ("know_hows", &["know_hows"]),
    ("points", &["points"]),
];

/// Nations by what they had by a turn of theirs, and how much of it.
fn quantities(source: &SummarySource) -> PolarsResult<LazyFrame> {
    let turn = || col("by_turn");
    let turns = UInt32Chunked::from_slice("by_turn".into(), &BY_TURNS);
    let turns = DataFrame::new(BY_TURNS.len(), vec![turns.into_column()])?;
    let own = |column: &str| of_nation(&[turn(), col(column).alias("owned")]);
    let of = |frame: LazyFrame, quantity: &str| {
        frame
            .select(own(quantity))
            .with_column(lit(quantity).alias("quantity"))
    };
    // Who had so many turns.
    let stocks = STOCKS.map(|(name, columns)| together(columns).alias(name));
    let snapshots = source.by_nation(FactTable::Snapshots)?;
    let snapshots = snapshots
        .select([of_nation(&[col("own_turn")]), stocks.to_vec()].concat())
        .inner_join(turns.clone().lazy(), col("own_turn"), turn())
        .with_column(col("own_turn").alias("by_turn"));
    // Each turn with each turn by which it is over.
    let one = || whole_number(1).alias("one");
    let flows = FLOWS.map(|(name, columns)| together(columns).alias(name));
    let sums = FLOWS.map(|(name, _)| col(name).sum());
    let flows = source
        .by_nation(FactTable::Turns)?
        .select([of_nation(&[col("own_turn"), one()]), flows.to_vec()].concat())
        .inner_join(turns.lazy().with_column(one()), col("one"), col("one"))
        .filter(col("own_turn").lt_eq(turn()))
        .group_by(of_nation(&[turn()]))
        .agg(sums);
    let reached = snapshots.clone().select(of_nation(&[turn()]));
    let by = || of_nation(&[turn()]);
    let flows = flows.join(reached, by(), by(), JoinArgs::new(JoinType::Inner));
    let flows = FLOWS.map(|(name, _)| of(flows.clone(), name));
    let stocks = STOCKS.map(|(name, _)| of(snapshots.clone(), name));
    let all = union(flows.into_iter().chain(stocks).collect())?;
    let parts = col("owned") * col("share_parts").cast(DataType::Int64);
    Ok(joined(&source.seats, all).with_column(parts.alias("owned_parts")))
}

/// A row for each quantity and turn of each format.
fn rows(added: &Added) -> PolarsResult<DataFrame> {
    let keys = added.measure.key_names();
    let float = |name: &str| col(name).cast(DataType::Float64);
    let parts = float("owned") * lit(SHARE_PART) - float("owned_parts");
    let winners = float("wins") * lit(SHARE_PART);
    let others = float("nation_games") * lit(SHARE_PART) - winners.clone();
    let mean = |parts: Expr, of: Expr| {
        when(of.clone().gt(lit(0.0)))
            .then(parts / of)
            .otherwise(lit(0.0))
    };
    let rows = rated([added.own, added.own], &keys, added.filters)?
        .lazy()
        .with_columns([
            mean(float("owned_parts"), winners).alias("winners_mean"),
            mean(parts, others).alias("others_mean"),
        ]);
    added
        .select(rows)
        .sort(
            [&FORMAT[..], &keys].concat(),
            SortMultipleOptions::default(),
        )
        .collect()
}
