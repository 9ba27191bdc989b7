//! Win rates by nation.

use super::measure::{Measure, picked};
use super::rates;
use super::summary::{ALL, Kept, RATES, Summary};
use crate::facts::{FactRow, SeatRow};

/// Win rates by nation.
pub static NATIONS: Measure = Measure {
    name: "nations",
    path: "nations",
    label: "Nations",
    meaning: "Win rates by nation. Each rate comes with the games it is made of, its 95% interval, the rate that \
        equal players would have, lift = rate / expected with its interval, and q. A shared win counts its share. \
        Games that were not played out by the rules, began in a given position, or have a declared result are left \
        out unless `reason`, `from_position` and `declared` ask for them; so are results of games at real tables, \
        which leagues have entered without a record, unless `result_only` does. Of these the last correction up to \
        `as_of` counts; to have such a table again, give `as_of` the time that it names.",
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
