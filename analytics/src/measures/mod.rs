//! Measures: questions to facts. Every measure is told apart by format (edition, board, number of
//! nations): numbers of different formats are never summed. Four nations are one format, whether
//! four players have one each or two players two each [A41]: as wins and expectations are split
//! between the nations of a seat, each is expected to win a quarter in both.
//!
//! A measure is added up from rows or from summaries ([`sums`]), of all facts at once or of one part
//! after the other; what is added up are whole numbers, so that it comes to the same. Then its rates
//! are made.

mod cards;
mod lengths;
mod rates;
pub(crate) mod sums;
mod tree;

use std::str::FromStr;

use polars::prelude::*;
use serde::Serialize;

use crate::facts::{ColumnInfo, LazyFacts, Summary, Version};
use crate::filters::Filters;
use crate::table::{RulesetGames, Table};

pub use rates::INSUFFICIENT_BELOW;
use sums::Sums;
pub(crate) use tree::DONE;

/// What belongs together in every measure.
pub(crate) const FORMAT: [&str; 3] = ["edition", "board", "nations"];

/// A question to facts.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    Hash,
    Serialize,
    clap::ValueEnum,
    strum::Display,
    strum::IntoStaticStr,
    strum::VariantArray,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Measure {
    /// Win rates by nation
    Nations,
    /// Win rates by opening strategy
    Openings,
    /// Win rates along the first stops on the rondel, from --path on
    OpeningsTree,
    /// Win rates by the five counts of personages at the end
    Personages,
    /// Win rates by place in turn order
    Seats,
    /// How long games are: rounds, turns and actions
    Lengths,
    /// Win rates of nations that took or played each event card, and how often
    Cards,
}

/// A name that no measure has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no measure {0:?}")]
pub struct UnknownMeasure(pub String);

impl FromStr for Measure {
    type Err = UnknownMeasure;

    fn from_str(name: &str) -> Result<Measure, UnknownMeasure> {
        let mut all = Measure::ALL.iter().copied();
        all.find(|measure| measure.name() == name)
            .ok_or_else(|| UnknownMeasure(name.to_owned()))
    }
}

impl Measure {
    /// Every measure.
    pub const ALL: &'static [Measure] = <Measure as strum::VariantArray>::VARIANTS;

    /// The name on the wire.
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// The columns of the result table.
    pub fn columns(self) -> Vec<ColumnInfo> {
        match self {
            Measure::Lengths => lengths::columns(),
            Measure::Cards => cards::columns(),
            Measure::OpeningsTree => tree::columns(),
            Measure::Nations => rates::columns(&rates::NATIONS),
            Measure::Openings => rates::columns(&rates::OPENINGS),
            Measure::Personages => rates::columns(&rates::PERSONAGES),
            Measure::Seats => rates::columns(&rates::SEATS),
        }
    }

    /// What is added up for it: rows of summaries, by these keys and the format.
    pub(crate) fn sums(self) -> &'static [(Summary, &'static [&'static str])] {
        match self {
            Measure::Nations => &[(Summary::Seats, rates::NATIONS.keys)],
            Measure::Openings => &[(Summary::Seats, rates::OPENINGS.keys)],
            Measure::OpeningsTree => &[(Summary::Seats, &[]), (Summary::Stops, &["field"])],
            Measure::Personages => &[(Summary::Personages, rates::PERSONAGES.keys)],
            Measure::Seats => &[(Summary::Seats, rates::SEATS.keys)],
            Measure::Lengths => &[(Summary::Lengths, &["quantity", "value"])],
            Measure::Cards => &[(Summary::Seats, &[]), (Summary::Cards, &cards::KEYS)],
        }
    }
}

/// Answers a measure: the rows, and what they are made of.
///
/// # Errors
/// When the facts cannot be read.
pub fn measure(facts: &LazyFacts, measure: Measure, filters: &Filters) -> PolarsResult<Table> {
    let sums = Sums::of_rows(facts, measure, filters, Engine::InMemory)?;
    table(sums, measure, filters, facts.version)
}

/// The answer to a measure, once everything is added up.
pub(crate) fn table(
    Sums { tables, rulesets }: Sums,
    measure: Measure,
    filters: &Filters,
    version: Version,
) -> PolarsResult<Table> {
    let rows = match measure {
        Measure::Nations => rates::rows(tables, &rates::NATIONS, filters),
        Measure::Openings => rates::rows(tables, &rates::OPENINGS, filters),
        Measure::OpeningsTree => tree::rows(tables, filters),
        Measure::Personages => rates::rows(tables, &rates::PERSONAGES, filters),
        Measure::Seats => rates::rows(tables, &rates::SEATS, filters),
        Measure::Lengths => lengths::rows(tables, filters),
        Measure::Cards => cards::rows(tables, filters),
    }?;
    let rulesets = told(&rulesets)?;
    Ok(Table {
        measure,
        filters: filters.clone(),
        data_version: version.to_string(),
        as_of: version.as_of,
        complete: true,
        games: rulesets.iter().map(|ruleset| ruleset.games).sum(),
        rulesets,
        rows,
    })
}

/// By which versions of rules games were played.
fn told(counted: &DataFrame) -> PolarsResult<Vec<RulesetGames>> {
    let counted = counted.sort(
        ["edition", "ruleset_version", "ruleset_hash"],
        SortMultipleOptions::default(),
    )?;
    let text = |name: &str, index: usize| -> PolarsResult<String> {
        let text = counted.column(name)?.str()?.get(index);
        Ok(text.unwrap_or_default().to_owned())
    };
    let number = |name: &str, index: usize| -> PolarsResult<u32> {
        Ok(counted.column(name)?.u32()?.get(index).unwrap_or_default())
    };
    let row = |index: usize| {
        Ok(RulesetGames {
            edition: text("edition", index)?,
            version: number("ruleset_version", index)?,
            hash: text("ruleset_hash", index)?,
            games: u64::from(number("games", index)?),
        })
    };
    (0..counted.height()).map(row).collect()
}
