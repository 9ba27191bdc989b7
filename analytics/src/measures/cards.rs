//! The measure `cards`: win rates by event card.

use super::activity;
use super::measure::{Measure, select_columns};
use super::summary::{ALL_BY_BOT, RATES, SEAT_BOT, Summary, SummaryRows, SummaryStorage};
use crate::facts::{CardRow, FactRow, FactTable};

/// Win rates of nations that took or played each event card.
pub static CARDS: Measure = Measure {
    name: "cards",
    path: "cards",
    label: "Event cards",
    meaning: "Win rates of nations that took or played each event card, and how often they did. A card has a row for \
        `act` `taken` and one for `played`.",
    caveat: "Cards go to nations that lose cities or whose opponent is ahead, so nations with many cards are often \
        losing. The rates show a correlation, not the value of a card.",
    keys: &select_columns(CardRow::COLUMNS, ["card", "act"]),
    sums: &[(&ALL_BY_BOT, &[]), (&BY_CARD, &["card", "act"])],
    sample: Some("played"),
    group: Some("act"),
    ..activity::MEASURE
};

static BY_CARD: Summary = Summary {
    name: "cards",
    keys: &[SEAT_BOT, "card", "act"],
    sums: &["times"],
    rows: SummaryRows::Table(FactTable::Cards, &[]),
    storage: SummaryStorage::InMemory,
    ..RATES
};
