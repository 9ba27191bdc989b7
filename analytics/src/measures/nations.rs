//! The measure `nations`: win rates by nation.

use super::measure::{Measure, select_columns};
use super::rates;
use super::summary::{ALL, RATES, Summary, SummaryStorage};
use crate::facts::{FactRow, SeatRow};

/// Win rates by nation.
pub static NATIONS: Measure = Measure {
    name: "nations",
    path: "nations",
    label: "Nations",
    meaning: "Win rates by nation. A shared win counts its share. With `over_the_board`, results that leagues entered \
        without a record also count; of each result, the last correction that `as_of` includes.",
    keys: &select_columns(SeatRow::COLUMNS, ["nation"]),
    sums: &[(&ALL, &[]), (&BY_NATION, &["nation"])],
    takes: &["over_the_board"],
    ..rates::MEASURE
};

static BY_NATION: Summary = Summary {
    name: "nations",
    keys: &["nation"],
    storage: SummaryStorage::InMemory,
    ..RATES
};
