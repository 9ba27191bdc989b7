//! The measure `nations`: win rates by nation.

use super::measure::{Measure, picked};
use super::rates;
use super::summary::{ALL, Kept, RATES, Summary};
use crate::facts::{FactRow, SeatRow};

/// Win rates by nation.
pub static NATIONS: Measure = Measure {
    name: "nations",
    path: "nations",
    label: "Nations",
    meaning: "Win rates by nation. A shared win counts its share. Results of over-the-board games, which leagues have \
        entered without a record, count if `result_only` asks for them: of each the last correction up to `as_of`.",
    keys: &picked(SeatRow::COLUMNS, ["nation"]),
    sums: &[(&ALL, &[]), (&BY_NATION, &["nation"])],
    takes: &["result_only"],
    ..rates::MEASURE
};

static BY_NATION: Summary = Summary {
    name: "nations",
    keys: &["nation"],
    kept: Kept::InMemory,
    ..RATES
};
