//! The measure `seats`: win rates by place in the seat order.

use super::measure::{Measure, select_columns};
use super::rates;
use super::summary::{ALL, RATES, Summary, SummaryStorage};
use crate::facts::{FactRow, SeatRow};

/// Win rates by place in the seat order.
pub static SEATS: Measure = Measure {
    name: "seats",
    path: "seats",
    label: "Turn order",
    meaning: "Win rates by place in the seat order.",
    keys: &select_columns(SeatRow::COLUMNS, ["place"]),
    sums: &[(&ALL, &[]), (&BY_PLACE, &["place"])],
    ..rates::MEASURE
};

static BY_PLACE: Summary = Summary {
    name: "places",
    keys: &["place"],
    storage: SummaryStorage::InMemory,
    ..RATES
};
