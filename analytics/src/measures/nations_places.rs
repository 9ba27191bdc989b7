//! The measure `nations_places`: win rates by nation and place in the seat order.

use super::measure::{Measure, TableShape, select_columns};
use super::rates;
use super::summary::{ALL, RATES, Summary, SummaryStorage};
use crate::facts::{FactRow, SeatRow};

/// Win rates by nation and place.
pub static NATIONS_PLACES: Measure = Measure {
    name: "nations_places",
    path: "nations/places",
    label: "Nations and places",
    meaning: "Win rates by nation and place in the seat order. They say whether a nation needs to be early.",
    caveat: "Rows have few games. Compare them by the pooled rates.",
    keys: &select_columns(SeatRow::COLUMNS, ["nation", "place"]),
    sums: &[(&ALL, &[]), (&BY_NATION_AND_PLACE, &["nation", "place"])],
    shape: TableShape::Heat,
    ..rates::MEASURE
};

static BY_NATION_AND_PLACE: Summary = Summary {
    name: "nations_places",
    keys: &["nation", "place"],
    storage: SummaryStorage::InMemory,
    ..RATES
};
