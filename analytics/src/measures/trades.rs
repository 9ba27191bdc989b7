//! Trades with the bank.

use polars::prelude::*;

use super::deeds;
use super::measure::Measure;
use super::rates::RATE_COLUMNS;
use super::summary::{
    ALL_BY_BOT, RATES, SEAT_BOT, SqlRows, Summary, SummaryRows, SummarySource, joined, of_nation,
    sum, times,
};
use crate::facts::{ColumnInfo, FactTable, columns};

/// Win rates of nations that traded with the bank.
pub static TRADES: Measure = Measure {
    name: "trades",
    path: "trades",
    label: "Trades",
    meaning: "Win rates of nations that traded with the bank, by the know-hows that let them: how often and how much \
        they traded.",
    caveat: "Nations trade when they can pay or must: the rates show what goes together, not what a trade is worth.",
    keys: &[KEY],
    figures: &[&deeds::TIMES, &MEANS, &RATE_COLUMNS],
    sums: &[(&ALL_BY_BOT, &[]), (&BY_KNOW_HOWS, &["know_hows"])],
    finish: |added| deeds::rows(added, &[("given", "given"), ("taken", "taken")]),
    ..deeds::MEASURE
};

static BY_KNOW_HOWS: Summary = Summary {
    name: "trades",
    keys: &[SEAT_BOT, "know_hows"],
    sums: &["times", "given", "taken"],
    rows: SummaryRows::Nations(traded),
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
    /// Mean number given for a lot.
    given: Number, "chips and coins";
    /// Mean number of chips taken for a lot.
    taken: Number, "chips";
};

fn traded(source: &SummarySource) -> PolarsResult<LazyFrame> {
    let names = col("know_hows").list().join(lit(", "), false);
    let traded = source.by_nation(FactTable::Trades)?.with_column(names);
    let traded = traded.group_by(of_nation(&[col("know_hows")])).agg([
        times(),
        sum("given_count", "given"),
        sum("taken_count", "taken"),
    ]);
    Ok(joined(&source.seats, traded))
}
