//! The measure `seats`: win rates by place in the seat order.

use super::measure::{Measure, picked};
use super::rates;
use super::summary::{ALL, Kept, RATES, Summary};
use crate::facts::{FactRow, SeatRow};

/// Win rates by place in the seat order.
pub static SEATS: Measure = Measure {
    name: "seats",
    path: "seats",
    label: "Turn order",
    meaning: "Win rates by place in turn order.",
    keys: &picked(SeatRow::COLUMNS, ["place"]),
    sums: &[(&ALL, &[]), (&BY_PLACE, &["place"])],
    ..rates::MEASURE
};

static BY_PLACE: Summary = Summary {
    name: "places",
    keys: &["place"],
    kept: Kept::InMemory,
    ..RATES
};
