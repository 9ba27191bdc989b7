//! Measures: questions to facts. Every measure is told apart by format (edition, board, number of
//! nations): numbers of different formats are never summed. Four nations are one format, whether
//! four players have one each or two players two each [A41]: as wins and expectations are split
//! between the nations of a seat, each is expected to win a quarter in both.

mod cards;
mod lengths;
mod rates;
mod tree;

use std::str::FromStr;

use polars::prelude::*;
use serde::Serialize;

use crate::facts::{ColumnInfo, LazyFacts};
use crate::filters::Filters;
use crate::table::{RulesetGames, Table};

pub use rates::INSUFFICIENT_BELOW;
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
}

/// Answers a measure: the rows, and what they are made of.
///
/// # Errors
/// When the facts cannot be read.
pub fn measure(facts: &LazyFacts, measure: Measure, filters: &Filters) -> PolarsResult<Table> {
    let rows = match measure {
        Measure::Nations => rates::rows(facts, &rates::NATIONS, filters),
        Measure::Openings => rates::rows(facts, &rates::OPENINGS, filters),
        Measure::OpeningsTree => tree::rows(facts, filters),
        Measure::Personages => rates::rows(facts, &rates::PERSONAGES, filters),
        Measure::Seats => rates::rows(facts, &rates::SEATS, filters),
        Measure::Lengths => lengths::rows(facts, filters),
        Measure::Cards => cards::rows(facts, filters),
    }?;
    let rulesets = rulesets(facts, filters)?;
    Ok(Table {
        measure,
        filters: filters.clone(),
        data_version: facts.version.to_string(),
        as_of: facts.version.as_of,
        games: rulesets.iter().map(|ruleset| ruleset.games).sum(),
        rulesets,
        rows,
    })
}

/// By which versions of rules the games that pass the filters were played.
fn rulesets(facts: &LazyFacts, filters: &Filters) -> PolarsResult<Vec<RulesetGames>> {
    // A file is of one edition and has one number.
    let counted = games(facts, filters)
        .group_by([col("ruleset_hash")])
        .agg([
            col("edition").first(),
            col("ruleset_version").first(),
            len().alias("games"),
        ])
        .sort(
            ["edition", "ruleset_version", "ruleset_hash"],
            SortMultipleOptions::default(),
        )
        .collect()?;
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

/// What is left of a frame of games, or of nations in them, by the filter on rulesets.
fn by_rulesets(facts: &LazyFacts, filters: &Filters, frame: LazyFrame) -> LazyFrame {
    let Some(condition) = filters.on_rulesets() else {
        return frame;
    };
    let passing = facts.games.clone().filter(condition).select([col("game")]);
    frame.inner_join(passing, col("game"), col("game"))
}

/// The nations in games that pass the filters: rows of `seats`.
fn seats(facts: &LazyFacts, filters: &Filters) -> LazyFrame {
    let frame = facts.seats.clone().filter(filters.on_games());
    let frame = by_rulesets(facts, filters, frame);
    match filters.on_nations() {
        Some(condition) => frame.filter(condition),
        None => frame,
    }
}

/// The games that pass the filters: rows of `games`; with a filter on nations, those in which a
/// nation passes.
fn games(facts: &LazyFacts, filters: &Filters) -> LazyFrame {
    let frame = facts.games.clone().filter(filters.on_games());
    let frame = by_rulesets(facts, filters, frame);
    if filters.on_nations().is_none() {
        return frame;
    }
    let passing = seats(facts, filters).select([col("game")]);
    let passing = passing.unique(None, UniqueKeepStrategy::Any);
    frame.inner_join(passing, col("game"), col("game"))
}
