//! Win rates by opening strategy.

use polars::prelude::*;

use super::measure::{Added, Measure};
use super::rates;
use super::summary::{ALL_BY_BOT, Kept, RATES, SEAT_BOT, Summary};
use crate::facts::{ColumnInfo, columns};

/// Win rates by opening strategy.
pub static OPENINGS: Measure = Measure {
    name: "openings",
    path: "openings",
    label: "Openings",
    meaning: "Win rates by opening strategy: what a nation turned to first. That is what came first in its first six \
        turns: a temple built (`growth`), a unit armed (`military`; recruiting alone is not), a know-how developed \
        (`progress`), or none (`other`). In Antike II, whose rule book opens progress with AURUM, a temple of a \
        nation that began there is passed over. In Antike Duellum, where nearly all nations begin with a temple, a \
        unit and a city, it is what came first after that, within twelve turns: a second temple or a second city \
        founded (`growth`), a city conquered (`military`), a know-how developed (`progress`).",
    keys: &[STRATEGY],
    sums: &[(&ALL_BY_BOT, &[]), (&BY_OPENING, &["opening"])],
    finish: by_strategy,
    ..rates::MEASURE
};

static BY_OPENING: Summary = Summary {
    name: "openings",
    keys: &[SEAT_BOT, "opening"],
    kept: Kept::InMemory,
    ..RATES
};

/// The column `opening` as results show it.
pub(super) const STRATEGY: ColumnInfo = columns! {
    /// What came first within the nation's first six turns: a temple built (growth), a unit armed (military; recruiting
    /// alone is not), a know-how developed (progress), none (other). In Antike II, whose rule book opens progress with
    /// AURUM, a temple of a nation that began there is passed over. The rule book of Antike Duellum names no openings,
    /// and nearly all nations begin there with a temple, a unit and a city; so it is what came first after that, within
    /// twelve turns: a second temple or a second city founded, which is the fifth and brings a king (growth), a city
    /// conquered (military), a know-how developed (progress).
    strategy: Text, "";
}[0];

/// Rates by what results call strategy and facts opening.
pub(super) fn by_strategy(added: &Added) -> PolarsResult<DataFrame> {
    let mut own = added.own.clone();
    own.rename("opening", STRATEGY.name.into())?;
    rates::rows(&Added {
        own: &own,
        ..*added
    })
}
