//! Measures: questions to facts. A measure is a value in a file of its own, listed in [`MEASURES`]; whatever shows,
//! documents or asks measures goes through that list. Every measure is divided by format (edition, board, variants,
//! numbers of nations and players, who plays, and on request the version of the rules): numbers of different formats
//! are never summed.
//!
//! - A measure is added up from rows or from summaries ([`sums`]), of all facts together or part by part. Only whole
//!   numbers are added (shares in parts of 1/120), so the sums are the same in whatever order. Rates and intervals
//!   ([`crate::statistics::interval`]) are computed from the sums.
//! - `strength` compares the nations of each game, of at most 10,000 games a format. A hash of their ids chooses the
//!   games, and sums are taken in one order, so the result is the same to the last bit.
//! - `accuracy` also needs analyses ([`crate::Analyses`]), so it is not in [`MEASURES`]. What different judges
//!   found is kept apart. An analysis of turns that its game does not have, or with a line missing, is refused. The
//!   service keeps no analyses.

pub(crate) mod accuracy;
mod cards;
mod check;
mod conquests;
mod deeds;
mod head_to_head;
mod income;
mod know_hows;
mod know_hows_rounds;
mod lengths;
mod measure;
mod nations;
mod openings;
mod openings_neighbours;
pub(crate) mod openings_tree;
mod personages;
mod personages_final;
mod personages_incidence;
mod positions;
mod rates;
mod seats;
mod strength;
mod summary;
pub(crate) mod sums;
mod timing;
mod trades;

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
pub(crate) use measure::{Added, FORMAT, RowFigures, TableShape};
pub use nations::NATIONS;
pub use openings::OPENINGS;
pub use openings_neighbours::OPENINGS_NEIGHBOURS;
pub use openings_tree::OPENINGS_TREE;
pub use personages::PERSONAGES;
pub use personages_final::PERSONAGES_FINAL;
pub use personages_incidence::PERSONAGES_INCIDENCE;
pub use positions::POSITIONS;
pub use rates::INSUFFICIENT_BELOW;
pub(crate) use rates::NULLABLE;
pub use seats::SEATS;
pub use strength::STRENGTH;
pub use summary::Summary;
pub(crate) use summary::{Kept, LEAGUE, SummaryRows};
pub use timing::TIMING;
pub use trades::TRADES;

/// Every measure that facts answer by themselves. [`ACCURACY`], which asks for analyses beside them, is answered by
/// [`Store::accuracy`](crate::Store::accuracy).
pub static MEASURES: [&Measure; 19] = [
    &NATIONS,
    &OPENINGS,
    &OPENINGS_TREE,
    &PERSONAGES,
    &PERSONAGES_FINAL,
    &PERSONAGES_INCIDENCE,
    &TIMING,
    &SEATS,
    &STRENGTH,
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

/// A name that no measure has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no measure {0:?}")]
pub struct UnknownMeasure(pub String);

impl FromStr for &'static Measure {
    type Err = UnknownMeasure;

    fn from_str(name: &str) -> Result<&'static Measure, UnknownMeasure> {
        let mut all = MEASURES.into_iter().chain([&ACCURACY]);
        all.find(|measure| measure.name == name)
            .ok_or_else(|| UnknownMeasure(name.to_owned()))
    }
}

/// The summaries that parts have, in order.
pub fn kept_summaries() -> impl Iterator<Item = &'static Summary> {
    let own = MEASURES.iter().filter_map(|measure| measure.sums.last());
    let own = own.map(|(summary, _)| *summary);
    let all = [&summary::ALL, &summary::ALL_BY_BOT].into_iter();
    all.chain(own)
        .filter(|summary| summary.kept != Kept::Nowhere)
}
