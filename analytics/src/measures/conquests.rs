//! The measure `conquests`: win rates by region founded or conquered.

use super::deeds;
use super::measure::{Measure, picked};
use super::summary::{ALL_BY_BOT, RATES, SEAT_BOT, Summary, SummaryRows};
use crate::facts::{CityRow, FactRow, FactTable};

/// Win rates of nations that founded or conquered a city in each region.
pub static CONQUESTS: Measure = Measure {
    name: "conquests",
    path: "conquests",
    label: "Conquests",
    meaning: "Win rates of nations that founded or conquered a city in each region: how often, and how these fared.",
    caveat: "Nations that are ahead have more cities everywhere: the rates show what goes together, not what a city \
        is worth.",
    keys: &picked(CityRow::COLUMNS, ["act", "region"]),
    sums: &[(&ALL_BY_BOT, &[]), (&BY_REGION, &["act", "region"])],
    group: Some("act"),
    ..deeds::MEASURE
};

static BY_REGION: Summary = Summary {
    name: "cities",
    keys: &[SEAT_BOT, "act", "region"],
    sums: &["times"],
    rows: SummaryRows::Done(FactTable::Cities, &[]),
    ..RATES
};
