//! The measure `trades`: win rates of nations that traded with the bank.

use polars::prelude::*;

use super::activity;
use super::measure::Measure;
use super::rates::RATE_COLUMNS;
use super::summary::{
    ALL_BY_BOT, RATES, SEAT_BOT, SqlRows, Summary, SummaryRows, SummarySource, joined, sum, times,
    with_nation_columns,
};
use crate::facts::{ColumnInfo, FactTable, columns};

/// Win rates of nations that traded with the bank.
pub static TRADES: Measure = Measure {
    name: "trades",
    path: "trades",
    label: "Trades",
    meaning: "Win rates of nations that traded with the bank, by the know-hows that the trade requires, how often they \
        traded and how much.",
    caveat: "Nations trade if they can pay or must. The rates show a correlation, not the value of a trade.",
    keys: &[KEY],
    figures: &[&activity::TIMES, &MEANS, &RATE_COLUMNS],
    sums: &[(&ALL_BY_BOT, &[]), (&BY_KNOW_HOWS, &["know_hows"])],
    finish: |added| activity::rows(added, &[("given", "given"), ("taken", "taken")]),
    ..activity::MEASURE
};

static BY_KNOW_HOWS: Summary = Summary {
    name: "trades",
    keys: &[SEAT_BOT, "know_hows"],
    sums: &["times", "given", "taken"],
    rows: SummaryRows::Nations(trading_nations),
    sql: Some(SqlRows::new(|_| {
        "SELECT DISTINCT game, nation, array_to_string(know_hows, ', ') AS know_hows FROM trades"
            .to_owned()
    })),
    ..RATES
};

const KEY: ColumnInfo = columns! {
    /// The know-hows that the lot needs, joined by commas; empty for none.
    know_hows: Text, "";
}[0];

const MEANS: [ColumnInfo; 2] = columns! {
    /// Mean number of chips and coins given for a lot.
    given: Number, "chips and coins";
    /// Mean number of chips taken for a lot.
    taken: Number, "chips";
};

fn trading_nations(source: &SummarySource) -> PolarsResult<LazyFrame> {
    let names = col("know_hows").list().join(lit(", "), false);
    let trades = source.by_nation(FactTable::Trades)?.with_column(names);
    let trades = trades
        .group_by(with_nation_columns(&[col("know_hows")]))
        .agg([
            times(),
            sum("given_count", "given"),
            sum("taken_count", "taken"),
        ]);
    Ok(joined(&source.seats, trades))
}
