//! The measure `cards`: win rates by event card.

use super::deeds;
use super::measure::{Measure, picked};
use super::summary::{ALL_BY_BOT, Kept, RATES, SEAT_BOT, Summary, SummaryRows};
use crate::facts::{CardRow, FactRow, FactTable};

/// Win rates of nations that took or played each event card.
pub static CARDS: Measure = Measure {
    name: "cards",
    path: "cards",
    label: "Event cards",
    meaning: "Win rates of nations that took or played each event card: how often, and how these fared. A card has two rows, one for \
        `act` `taken` and one for `played`.",
    caveat: "Cards go to nations that lose cities or see the opponent ahead, so that those who take many are often \
        behind: the rates show what goes together, not what a card is worth.",
    keys: &picked(CardRow::COLUMNS, ["card", "act"]),
    sums: &[(&ALL_BY_BOT, &[]), (&BY_CARD, &["card", "act"])],
    sample: Some("played"),
    group: Some("act"),
    ..deeds::MEASURE
};

static BY_CARD: Summary = Summary {
    name: "cards",
    keys: &[SEAT_BOT, "card", "act"],
    sums: &["times"],
    rows: SummaryRows::Done(FactTable::Cards, &[]),
    kept: Kept::InMemory,
    ..RATES
};
