//! The measure `nations_openings`: win rates by nation and opening strategy.

use super::measure::{Measure, TableShape, select_columns};
use super::openings::{STRATEGY, by_strategy};
use super::rates;
use super::summary::{ALL_BY_BOT, RATES, SEAT_BOT, Summary, SummaryStorage};
use crate::facts::{ColumnInfo, FactRow, SeatRow};

/// Win rates by nation and opening strategy.
pub static NATIONS_OPENINGS: Measure = Measure {
    name: "nations_openings",
    path: "nations/openings",
    label: "Nations and openings",
    meaning: "Win rates by nation and opening strategy. They say what a nation should begin with. The strategies are \
        those of the measure `openings`.",
    caveat: "Rows have few games. Compare them by the pooled rates.",
    keys: &KEYS,
    sums: &[
        (&ALL_BY_BOT, &[]),
        (&BY_NATION_AND_OPENING, &["nation", "opening"]),
    ],
    finish: by_strategy,
    shape: TableShape::Heat,
    ..rates::MEASURE
};

const KEYS: [ColumnInfo; 2] = {
    let [nation] = select_columns(SeatRow::COLUMNS, ["nation"]);
    [nation, STRATEGY]
};

static BY_NATION_AND_OPENING: Summary = Summary {
    name: "nations_openings",
    keys: &[SEAT_BOT, "nation", "opening"],
    storage: SummaryStorage::InMemory,
    ..RATES
};
