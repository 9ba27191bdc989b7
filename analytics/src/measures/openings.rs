//! The measure `openings`: win rates by opening strategy.

use polars::prelude::*;

use super::measure::{Measure, MeasureSums};
use super::rates;
use super::summary::{ALL_BY_BOT, RATES, SEAT_BOT, Summary, SummaryStorage};
use crate::facts::{ColumnInfo, columns};

/// Win rates by opening strategy.
pub static OPENINGS: Measure = Measure {
    name: "openings",
    path: "openings",
    label: "Openings",
    meaning: "Win rates by opening strategy: the first of several acts within the first six turns of a nation. A temple \
        built is `growth`, a unit armed is `military` (recruiting alone does not count), a know-how developed is \
        `progress`, and none of these is `other`. In Antike II, gold is the opening of progress, so a temple does \
        not count for a nation that began with gold. In Antike Duellum, almost all nations begin with a temple, a \
        unit and a city. So the first of these acts within twelve turns counts: a second temple or a second city \
        founded (`growth`), a city conquered (`military`), a know-how developed (`progress`).",
    keys: &[STRATEGY],
    sums: &[(&ALL_BY_BOT, &[]), (&BY_OPENING, &["opening"])],
    finish: by_strategy,
    ..rates::MEASURE
};

static BY_OPENING: Summary = Summary {
    name: "openings",
    keys: &[SEAT_BOT, "opening"],
    storage: SummaryStorage::InMemory,
    ..RATES
};

/// The column of facts `opening`, as results name it.
pub(super) const STRATEGY: ColumnInfo = columns! {
    /// The first of three kinds of acts within the nation's first six turns; other if there is none.
    /// These are a temple built (growth), a unit armed (military; recruiting alone does not count) and a know-how
    /// developed (progress). Antike II: a temple does not count for a nation that began with gold, because gold is the
    /// opening of progress in the rule book. Antike Duellum: almost all nations begin with a temple, a unit and a city,
    /// and the rule book names no openings. So the first of these within twelve turns counts: a second temple or a
    /// second city founded, which is the fifth city and brings a king (growth), a city conquered (military) or a
    /// know-how developed (progress).
    strategy: Text, "";
}[0];

/// Builds the rows of rates by opening; facts have it in the column `opening`.
pub(super) fn by_strategy(added: &MeasureSums) -> PolarsResult<DataFrame> {
    let mut own = added.own.clone();
    own.rename("opening", STRATEGY.name.into())?;
    rates::rows(&MeasureSums {
        own: &own,
        ..*added
    })
}
