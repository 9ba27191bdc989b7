//! Measures: statistical questions about facts.
//!
//! A measure is a value in its own file, listed in [`MEASURES`]. The commands, routes, documentation and pages all
//! use this list. Each measure is divided by format: edition, board, variants, numbers of nations and players, who
//! plays, and optionally the version of the rules. Numbers of different formats are never summed.
//!
//! - A measure is added up from rows or from summaries ([`sums`]), of all facts together or part by part. Only whole
//!   numbers are added (shares in parts of 1/120), so the order makes no difference. Rates and intervals
//!   ([`crate::statistics::interval`]) are computed from the sums.
//! - `strength` compares the nations of each game, of at most 10,000 games a format. The games are selected by a
//!   hash of their ids and added in a fixed order, so the result is the same to the last bit.
//! - `accuracy` also needs analyses ([`crate::Analyses`]), so it is not in [`MEASURES`]. Different judges have
//!   separate rows. An analysis that does not match its game, or that lacks a line, is refused. The server stores no
//!   analyses.

pub(crate) mod accuracy;
mod activity;
mod cards;
mod check;
mod conquests;
mod head_to_head;
mod income;
mod know_hows;
mod know_hows_rounds;
mod lengths;
mod measure;
mod nations;
mod nations_openings;
mod nations_places;
mod openings;
mod openings_neighbours;
pub(crate) mod openings_tree;
mod personages;
mod personages_final;
mod personages_incidence;
mod personages_worth;
mod positions;
mod rates;
mod seats;
mod skill;
mod strength;
mod summary;
pub(crate) mod sums;
mod timing;
mod trades;
mod trends;

use std::str::FromStr;

pub use accuracy::ACCURACY;
pub use cards::CARDS;
pub use conquests::CONQUESTS;
pub use head_to_head::HEAD_TO_HEAD;
pub use income::INCOME;
pub use know_hows::KNOW_HOWS;
pub use know_hows_rounds::KNOW_HOWS_ROUNDS;
pub use lengths::LENGTHS;
pub use measure::Measure;
pub(crate) use measure::{
    CurveColumns, FORMAT, FORMAT_COLUMNS, MeasureSums, RowFigures, TableShape,
};
pub use nations::NATIONS;
pub use nations_openings::NATIONS_OPENINGS;
pub use nations_places::NATIONS_PLACES;
pub use openings::OPENINGS;
pub use openings_neighbours::OPENINGS_NEIGHBOURS;
pub use openings_tree::OPENINGS_TREE;
pub use personages::PERSONAGES;
pub use personages_final::PERSONAGES_FINAL;
pub use personages_incidence::PERSONAGES_INCIDENCE;
pub use personages_worth::PERSONAGES_WORTH;
pub use positions::POSITIONS;
pub use rates::INSUFFICIENT_BELOW;
pub(crate) use rates::NULLABLE;
pub use seats::SEATS;
pub use skill::SKILL;
pub use strength::STRENGTH;
pub use summary::Summary;
pub(crate) use summary::{LEAGUE, SummaryRows, SummaryStorage};
pub use timing::TIMING;
pub use trades::TRADES;
pub use trends::TRENDS;
pub(crate) use trends::months_of_calendar;

/// The measures that need only facts.
/// [`ACCURACY`] also needs analyses, see [`FactsStore::accuracy`](crate::FactsStore::accuracy).
pub static MEASURES: [&Measure; 24] = [
    &NATIONS,
    &NATIONS_PLACES,
    &NATIONS_OPENINGS,
    &OPENINGS,
    &OPENINGS_TREE,
    &PERSONAGES,
    &PERSONAGES_FINAL,
    &PERSONAGES_INCIDENCE,
    &PERSONAGES_WORTH,
    &TIMING,
    &SEATS,
    &TRENDS,
    &STRENGTH,
    &SKILL,
    &LENGTHS,
    &CARDS,
    &KNOW_HOWS,
    &KNOW_HOWS_ROUNDS,
    &CONQUESTS,
    &TRADES,
    &OPENINGS_NEIGHBOURS,
    &INCOME,
    &HEAD_TO_HEAD,
    &POSITIONS,
];

/// The name of a measure that does not exist.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a measure; `tabularium-analytics describe --kind measures` lists all")]
pub struct UnknownMeasure(pub String);

impl FromStr for &'static Measure {
    type Err = UnknownMeasure;

    fn from_str(name: &str) -> Result<&'static Measure, UnknownMeasure> {
        let mut all = MEASURES.into_iter().chain([&ACCURACY]);
        all.find(|measure| measure.name == name)
            .ok_or_else(|| UnknownMeasure(name.to_owned()))
    }
}

/// Lists the summaries that are stored, in order.
pub fn stored_summaries() -> impl Iterator<Item = &'static Summary> {
    let own = MEASURES.iter().filter_map(|measure| measure.sums.last());
    let own = own.map(|(summary, _)| *summary);
    let all = [&summary::ALL, &summary::ALL_BY_BOT].into_iter();
    all.chain(own)
        .filter(|summary| summary.storage != SummaryStorage::Nowhere)
}
