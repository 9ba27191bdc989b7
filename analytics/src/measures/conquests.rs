//! The measure `conquests`: win rates by region founded or conquered.

use super::activity;
use super::measure::{Measure, select_columns};
use super::summary::{ALL_BY_BOT, RATES, SEAT_BOT, Summary, SummaryRows};
use crate::facts::{CityRow, FactRow, FactTable};

/// Win rates of nations that founded or conquered a city in each region.
pub static CONQUESTS: Measure = Measure {
    name: "conquests",
    path: "conquests",
    label: "Conquests",
    meaning: "Win rates of nations that founded or conquered a city in each region, and how often they did.",
    caveat: "Nations that are ahead have more cities everywhere. The rates show a correlation, not the value of a city.",
    keys: &select_columns(CityRow::COLUMNS, ["act", "region"]),
    sums: &[(&ALL_BY_BOT, &[]), (&BY_REGION, &["act", "region"])],
    group: Some("act"),
    ..activity::MEASURE
};

static BY_REGION: Summary = Summary {
    name: "cities",
    keys: &[SEAT_BOT, "act", "region"],
    sums: &["times"],
    rows: SummaryRows::Table(FactTable::Cities, &[]),
    ..RATES
};
