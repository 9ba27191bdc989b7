//! The measure `know_hows`: win rates by know-how developed.

use super::activity;
use super::measure::{Measure, select_columns};
use super::rates::RATE_COLUMNS;
use super::summary::{ALL_BY_BOT, RATES, SEAT_BOT, Summary, SummaryRows};
use crate::facts::{ColumnInfo, FactRow, FactTable, KnowHowRow, columns};

/// Win rates of nations that developed each know-how.
pub static KNOW_HOWS: Measure = Measure {
    name: "know_hows",
    path: "know-hows",
    label: "Know-how",
    meaning: "Win rates of nations that developed each know-how: how often, in which round, at what price, and how often \
        the nation was the first.",
    caveat: "Nations that are ahead can pay for more, and long games have more of everything. The rates show a \
        correlation, not the value of a know-how.",
    keys: &select_columns(KnowHowRow::COLUMNS, ["know_how"]),
    figures: &[&activity::TIMES, &MEANS, &RATE_COLUMNS],
    sums: &[(&ALL_BY_BOT, &[]), (&BY_KNOW_HOW, &["know_how"])],
    finish: |added| {
        let means = [
            ("round", "rounds"),
            ("chips", "chips"),
            ("coins", "coins"),
            ("first", "firsts"),
        ];
        activity::rows(added, &means)
    },
    ..activity::MEASURE
};

static BY_KNOW_HOW: Summary = Summary {
    name: "know_hows",
    keys: &[SEAT_BOT, "know_how"],
    sums: &["times", "rounds", "chips", "coins", "firsts"],
    rows: SummaryRows::Table(
        FactTable::KnowHows,
        &[
            ("round", "rounds"),
            ("chips", "chips"),
            ("coins", "coins"),
            ("is_first", "firsts"),
        ],
    ),
    ..RATES
};

const MEANS: [ColumnInfo; 4] = columns! {
    /// Mean round in which it was developed.
    round: Number, "rounds";
    /// Mean number of chips paid for it.
    chips: Number, "chips";
    /// Mean number of coins paid for it.
    coins: Number, "coins";
    /// The part of these cases in which no other nation had it before.
    first: Number, "";
};
