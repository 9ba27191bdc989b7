//! Measures: questions to facts. Every measure is told apart by format (edition, board, variants, numbers of nations
//! and players, who plays, and on request the version of the rules): numbers of different formats are never summed.
//!
//! - A measure is added up from rows or from summaries ([`sums`]), of all facts together or part by part. Only whole
//!   numbers are added (shares in parts of 1/120), so the sums are the same in whatever order. Rates and intervals
//!   ([`crate::interval`]) are computed from the sums.
//! - `strength` compares the nations of each game, of at most 10,000 games a format. A hash of their ids chooses the
//!   games, and sums are taken in one order, so the result is the same to the last bit.
//! - `accuracy` also needs analyses ([`crate::Analyses`]), so it is not in [`Measure::ALL`]. What different judges
//!   found is kept apart. An analysis of turns that its game does not have, or with a line missing, is refused. The
//!   service keeps no analyses.

pub(crate) mod accuracy;
mod deeds;
mod head_to_head;
mod income;
mod lengths;
mod personages;
mod positions;
mod rates;
mod strength;
pub(crate) mod sums;
mod tree;

use std::str::FromStr;

use jiff::Timestamp;
use polars::prelude::*;
use serde::Serialize;

use crate::facts::{
    CardRow, CityRow, ColumnInfo, EACH, FactRow, FactTable, Kind, LazyFacts, Summary, Version,
    content,
};
use crate::filters::Filters;
use crate::table::{RulesetGames, Table};

pub(crate) use rates::INSUFFICIENT;
pub use rates::INSUFFICIENT_BELOW;
use sums::Sums;
pub(crate) use tree::DONE;

/// What belongs together in every measure.
pub(crate) const FORMAT: [&str; 8] = [
    "edition", "board", "variants", "nations", "players", "play", "bots", "ruleset",
];

/// The columns of the format.
pub(crate) fn format_columns() -> Vec<ColumnInfo> {
    let text = |name, meaning| ColumnInfo {
        name,
        kind: Kind::Text,
        unit: "",
        meaning,
    };
    let variants = text(
        "variants",
        "The variants in alphabetical order, joined by commas; empty for none.",
    );
    let bots = text(
        "bots",
        "Which bots play, each once, by name with budget, joined by commas; empty without.",
    );
    let ruleset = text(
        "ruleset",
        "The number of the version of the edition's rules; all when versions are summed, which they \
         are unless the filter ruleset says each.",
    );
    let columns = FORMAT.map(|name| match name {
        "variants" => vec![variants],
        "bots" => vec![bots],
        "ruleset" => vec![ruleset],
        name => rates::seat_columns(&[name]),
    });
    columns.concat()
}

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
    /// Win rates by a nation's first personages, of nations that won so many (--at)
    Personages,
    /// What personages winners and others have at the end
    PersonagesFinal,
    /// Win rates of nations that had so many personages, or a kind, by a round
    Timing,
    /// Win rates by place in turn order
    Seats,
    /// Win rates by nation, place and opening, had all players been equally strong
    Strength,
    /// How long games are: rounds, turns and actions
    Lengths,
    /// Win rates of nations that took or played each event card, and how often
    Cards,
    /// Win rates of nations that developed each know-how, when, and for how much
    KnowHows,
    /// Win rates of nations that founded or conquered a city in each region
    Conquests,
    /// Win rates of nations that traded with the bank, and how much
    Trades,
    /// Win rates by opening strategy and those of the neighbours in turn order
    OpeningsNeighbours,
    /// What winners and others have produced, spent and got by a turn of theirs
    Income,
    /// Win rates of a player (--player, --bot) in the games with each opponent
    HeadToHead,
    /// Win rates of nations whose turn began in a position (--digest), by where they went on
    Positions,
    /// How well players, nations, places and openings were played in games that were analysed (--analyses)
    Accuracy,
}

/// A name that no measure has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no measure {0:?}")]
pub struct UnknownMeasure(pub String);

impl FromStr for Measure {
    type Err = UnknownMeasure;

    fn from_str(name: &str) -> Result<Measure, UnknownMeasure> {
        let mut all = <Measure as strum::VariantArray>::VARIANTS.iter().copied();
        all.find(|measure| measure.name() == name)
            .ok_or_else(|| UnknownMeasure(name.to_owned()))
    }
}

impl Measure {
    /// Every measure that facts answer by themselves. [`Measure::Accuracy`], which asks for analyses beside them, has
    /// a door of its own: [`Store::accuracy`](crate::Store::accuracy).
    pub const ALL: &'static [Measure] = {
        match <Measure as strum::VariantArray>::VARIANTS {
            [of_facts @ .., Measure::Accuracy] => of_facts,
            all => all,
        }
    };

    /// The name on the wire.
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// The path below `/v1/stats/`.
    pub fn path(self) -> String {
        match self {
            Measure::KnowHows => "know-hows".to_owned(),
            Measure::HeadToHead => "head-to-head".to_owned(),
            measure => measure.name().replace('_', "/"),
        }
    }

    /// What it tells, in a sentence or more.
    pub fn meaning(self) -> &'static str {
        match self {
            Measure::Nations => "Win rates by nation.",
            Measure::Openings => {
                "Win rates by opening strategy: what a nation turned to first, as each edition has it."
            }
            Measure::OpeningsTree => {
                "Win rates along the first stops on the rondel: a node is the nations whose first \
                 stops were those of the path, its children are their next stops. `q` is of the \
                 nodes, and apart from them of the next stops."
            }
            Measure::Personages => {
                "Win rates by a nation's first personages: all nations that won `at` of them or more \
                 (half the goal when it is left out), by the mix of these, the kind that leads, how \
                 many kinds, and the order of kinds. `expected` is the rate of all that won so many."
            }
            Measure::PersonagesFinal => {
                "What personages nations have at the end, winners beside the others. To have enough \
                 of them is to win, so that these are no win rates."
            }
            Measure::Timing => {
                "Win rates of nations that had so many personages, or one of a kind, by the end of a \
                 round. It counts the games that continued after that round, and fewer personages than the \
                 goal, because the last one wins the game."
            }
            Measure::Seats => "Win rates by place in turn order.",
            Measure::Strength => {
                "Win rates by nation, place and opening beside those in the same games had all players \
                 been equally strong: by a conditional logit of who wins, in which nations, places and \
                 openings have effects and players a skill, normally distributed. It takes the skill of \
                 players as not depending on what they play; where the strong prefer a nation, a part of \
                 their skill stays with it, the more the fewer games they play."
            }
            Measure::Lengths => "How long games are: rounds, turns and actions.",
            Measure::Cards => {
                "Win rates of nations that took or played each event card, and how often. Cards go to \
                 nations that lose cities or see the opponent ahead: the rates tell what went \
                 together, not what a card is worth."
            }
            Measure::KnowHows => {
                "Win rates of nations that developed each know-how, how often, when, and for how much. \
                 Nations that are ahead can pay for more, and long games have more of everything: the rates \
                 show what goes together, not what a know-how is worth."
            }
            Measure::Conquests => {
                "Win rates of nations that founded or conquered a city in each region, and how often. \
                 Nations that are ahead have more cities everywhere: the rates show what goes together, not \
                 what a city is worth."
            }
            Measure::Trades => {
                "Win rates of nations that traded with the bank, by the know-hows that let them, and \
                 how much they traded. Nations trade when they can pay or must: the rates show what goes \
                 together, not what a trade is worth."
            }
            Measure::OpeningsNeighbours => {
                "Win rates by a nation's opening strategy and those of its neighbours: the nations \
                 before and behind it in turn order."
            }
            Measure::Income => {
                "What nations have produced, spent and got by a turn of theirs, winners beside the \
                 others. Those who are ahead win: the means tell by when and how far, not why."
            }
            Measure::Positions => {
                "Win rates of nations whose turn began in a position, whichever way it came about, by \
                 their next stop. It is asked for the digest of a position within the first eight \
                 turns of a nation. A digest tells rounds, turns and all that lies open; in Antike Duellum \
                 open event cards are a part of it, so that few games meet there. `q` is of the \
                 positions, and apart from them of the next stops."
            }
            Measure::Accuracy => {
                "How well players, nations, places and openings were played in games that were analysed: what of the \
                 win a turn lost to the best that the judge knows. It is made of facts and of what `tabularium-bots \
                 analyse` has written of their games. What different judges say is told apart and not to be compared; \
                 and no judge knows all: shares rest on short playouts and a fitted evaluation."
            }
            Measure::HeadToHead => {
                "Win rates of a player in the games with each opponent, and who came before whom. It is \
                 asked for a player or a bot."
            }
        }
    }

    /// What it tells, in a few words.
    pub fn title(self) -> &'static str {
        let meaning = self.meaning();
        meaning.split(['.', ':']).next().unwrap_or(meaning)
    }

    /// What [`Measure::meaning`] says behind the title, if it says more.
    pub fn more(self) -> Option<&'static str> {
        let more = self.meaning().strip_prefix(self.title())?;
        let more = more.trim_start_matches(['.', ':', ' ']);
        (!more.is_empty()).then_some(more)
    }

    /// The columns of the result table.
    pub fn columns(self) -> Vec<ColumnInfo> {
        use rates::seat_columns;
        match self {
            Measure::Lengths => lengths::columns(),
            Measure::Cards => {
                deeds::columns(&deeds::CARDS, &named(CardRow::COLUMNS, &["card", "act"]))
            }
            Measure::KnowHows => {
                let keys = named(crate::facts::KnowHowRow::COLUMNS, &["know_how"]);
                deeds::columns(&deeds::KNOW_HOWS, &keys)
            }
            Measure::Conquests => deeds::columns(
                &deeds::CONQUESTS,
                &named(CityRow::COLUMNS, &["act", "region"]),
            ),
            Measure::Trades => deeds::columns(&deeds::TRADES, &[deeds::TRADE_KEY]),
            Measure::OpeningsTree => tree::columns(),
            Measure::Nations => rates::columns(&seat_columns(&["nation"]), &[]),
            Measure::Openings => rates::columns(&[rates::STRATEGY], &[]),
            Measure::OpeningsNeighbours => {
                rates::columns(&[rates::STRATEGY, rates::NEIGHBOURS], &[])
            }
            Measure::Income => income::columns(),
            Measure::HeadToHead => head_to_head::columns(),
            Measure::Positions => positions::columns(),
            Measure::Personages => rates::columns(&personages::KEYS, &[]),
            Measure::Timing => rates::columns(&personages::TIMING_KEYS, &[]),
            Measure::PersonagesFinal => personages::final_columns(),
            Measure::Seats => rates::columns(&seat_columns(&["place"]), &[]),
            Measure::Strength => strength::columns(),
            Measure::Accuracy => accuracy::columns(),
        }
    }

    /// What is added up for it: rows of summaries, by these keys and the format.
    pub(crate) fn sums(self) -> &'static [(Summary, &'static [&'static str])] {
        match self {
            Measure::Nations => &[(Summary::All, &[]), (Summary::Nations, &["nation"])],
            Measure::Openings => &[(Summary::All, &[]), (Summary::Openings, &["opening"])],
            Measure::OpeningsNeighbours => &[
                (Summary::All, &[]),
                (Summary::Neighbours, &["opening", "neighbours"]),
            ],
            Measure::Income => &[(Summary::Income, &["quantity", "by_turn"])],
            Measure::HeadToHead => &[
                (Summary::All, &[]),
                (Summary::HeadToHead, &["player", "opponent"]),
            ],
            Measure::Positions => &[(Summary::All, &[]), (Summary::Positions, &positions::STOP)],
            Measure::OpeningsTree => &[(Summary::All, &[]), (Summary::Stops, &["since", "field"])],
            Measure::Personages => &[(Summary::Personages, &["by", "personages"])],
            Measure::PersonagesFinal => &[(Summary::FinalPersonages, &["kind"])],
            Measure::Timing => &[
                (Summary::All, &[]),
                (Summary::Timing, &["by", "personages", "by_round"]),
            ],
            Measure::Seats => &[(Summary::All, &[]), (Summary::Places, &["place"])],
            Measure::Strength => &[(Summary::All, &[]), (Summary::Each, &EACH)],
            // Facts alone do not tell it.
            Measure::Accuracy => &[],
            Measure::Lengths => &[(Summary::Lengths, &["quantity", "value"])],
            Measure::Cards => &[(Summary::All, &[]), (Summary::Cards, &["card", "act"])],
            Measure::KnowHows => &[(Summary::All, &[]), (Summary::KnowHows, &["know_how"])],
            Measure::Conquests => &[(Summary::All, &[]), (Summary::Cities, &["act", "region"])],
            Measure::Trades => &[(Summary::All, &[]), (Summary::Trades, &["know_hows"])],
        }
    }

    /// Which rows of its summaries are asked for, beside the filters on games.
    pub(crate) fn condition(self, filters: &Filters) -> Expr {
        match (self, filters.at) {
            (Measure::Personages, Some(at)) => col("nth").eq(lit(at)),
            (Measure::Personages, None) => col("is_half"),
            _ => lit(true),
        }
    }
}

/// The rows with which something else begins in these columns.
fn first_rows(frame: &DataFrame, keys: &[&str]) -> PolarsResult<Vec<usize>> {
    let columns = keys.iter().map(|key| frame.column(key));
    let columns = columns.collect::<PolarsResult<Vec<&Column>>>()?;
    let mut firsts = Vec::new();
    for row in 0..frame.height() {
        let mut same = row > 0;
        for column in &columns {
            same = same && column.get(row - 1)? == column.get(row)?;
        }
        if !same {
            firsts.push(row);
        }
    }
    Ok(firsts)
}

/// The columns with these names, in the order of names.
fn named(columns: &[ColumnInfo], names: &[&str]) -> Vec<ColumnInfo> {
    let named = |name: &&str| columns.iter().find(|column| column.name == *name);
    names.iter().filter_map(named).copied().collect()
}

/// Answers a measure: the rows, and what they are made of.
///
/// # Errors
/// When the facts cannot be read.
pub fn measure(facts: &LazyFacts, measure: Measure, filters: &Filters) -> PolarsResult<Table> {
    let mut sums = Vec::new();
    let mut reached = Version::default();
    if filters.has_records(measure) {
        let whole = Sums::of_rows(facts, measure, filters, Engine::InMemory)?;
        sums.push(whole);
        reached = match filters.as_of {
            None => facts.version,
            Some(_) => last_recorded(facts, filters)?,
        };
    }
    if filters.has_results(measure) {
        let results = facts.table(FactTable::Results)?;
        reached.as_of = reached.as_of.max(last_result(results.clone(), filters)?);
        sums.push(Sums::of_results(
            results,
            measure,
            filters,
            Engine::InMemory,
        )?);
    }
    let sums = Sums::merge(measure, sums)?;
    table(sums, measure, filters, reached)
}

/// The place of the last recorded game that filters let pass by its place, and when it was recorded.
pub(crate) fn last_recorded(facts: &LazyFacts, filters: &Filters) -> PolarsResult<Version> {
    let games = facts.table(FactTable::Games)?;
    let games = match filters.on_places() {
        Some(condition) => games.filter(condition.expression()),
        None => games,
    };
    let last = ["log_position", "recorded_at"].map(|name| col(name).max());
    let last = games.select(last).collect()?;
    let recorded = last.column("recorded_at")?.datetime()?.physical().get(0);
    Ok(Version {
        log_position: last.column("log_position")?.i64()?.get(0).unwrap_or(0),
        as_of: recorded.and_then(|micros| Timestamp::from_microsecond(micros).ok()),
        ..Version::default()
    })
}

/// When the last of these results at real tables was recorded, of those that filters let pass by that.
pub(crate) fn last_result(
    results: LazyFrame,
    filters: &Filters,
) -> PolarsResult<Option<Timestamp>> {
    let results = match filters.on_places() {
        Some(condition) => results.filter(condition.expression()),
        None => results,
    };
    let last = results.select([col("recorded_at").max()]).collect()?;
    let last = last.column("recorded_at")?.datetime()?.physical().get(0);
    Ok(last.and_then(|micros| Timestamp::from_microsecond(micros).ok()))
}

/// The answer to a measure, once everything is added up.
pub(crate) fn table(
    Sums { tables, rulesets }: Sums,
    measure: Measure,
    filters: &Filters,
    reached: Version,
) -> PolarsResult<Table> {
    let columns = measure.columns();
    let keys = measure.sums().last().map_or(&[][..], |(_, keys)| keys);
    // The sums of all nations and those by keys; a measure without rates has one table.
    let (Some(first), Some(last)) = (tables.first(), tables.last()) else {
        return Err(polars_err!(InvalidOperation: "{measure} is asked for with analyses"));
    };
    let sums = [first, last];
    let rows = match measure {
        Measure::Nations | Measure::Seats | Measure::Timing => {
            rates::rows(sums, keys, &columns, filters)
        }
        Measure::Openings | Measure::OpeningsNeighbours => {
            let mut by_strategy = last.clone();
            by_strategy.rename("opening", rates::STRATEGY.name.into())?;
            let keys = [rates::STRATEGY.name, rates::NEIGHBOURS.name];
            let keys = if measure == Measure::Openings {
                &keys[..1]
            } else {
                &keys
            };
            rates::rows([first, &by_strategy], keys, &columns, filters)
        }
        Measure::Income => income::rows(last, keys, filters),
        Measure::HeadToHead => head_to_head::rows(sums, &columns, filters),
        Measure::Positions => positions::rows(sums, &columns, filters),
        Measure::OpeningsTree => tree::rows(sums, filters),
        Measure::Personages => personages::rows(last, &columns, filters),
        Measure::PersonagesFinal => personages::final_rows(last, filters),
        Measure::Strength => strength::rows(last, filters),
        Measure::Lengths => lengths::rows(last, filters),
        Measure::Cards => deeds::rows(sums, keys, &deeds::CARDS, &columns, filters),
        Measure::KnowHows => deeds::rows(sums, keys, &deeds::KNOW_HOWS, &columns, filters),
        Measure::Conquests => deeds::rows(sums, keys, &deeds::CONQUESTS, &columns, filters),
        Measure::Trades => deeds::rows(sums, keys, &deeds::TRADES, &columns, filters),
        // It has no sums.
        Measure::Accuracy => Ok(DataFrame::default()),
    }?;
    let half =
        |name: &str| -> PolarsResult<i64> { Ok(rulesets.column(name)?.i64()?.sum().unwrap_or(0)) };
    let content = content(half("content_1")?, half("content_2")?);
    let mut rulesets = told(&rulesets)?;
    let games = rulesets.iter().map(|ruleset| ruleset.games).sum();
    let version = Version {
        games,
        content,
        ..reached
    };
    // Nobody knows by which version games at real tables were played.
    rulesets.retain(|ruleset| ruleset.version > 0);
    Ok(Table {
        measure,
        filters: filters.clone(),
        data_version: version.to_string(),
        log_position: reached.log_position,
        as_of: reached.as_of,
        complete: true,
        games,
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
    let count = |index: usize| -> PolarsResult<i64> {
        Ok(counted
            .column("games")?
            .i64()?
            .get(index)
            .unwrap_or_default())
    };
    let row = |index: usize| {
        Ok(RulesetGames {
            edition: text("edition", index)?,
            version: number("ruleset_version", index)?,
            hash: text("ruleset_hash", index)?,
            games: count(index)?.unsigned_abs(),
        })
    };
    (0..counted.height()).map(row).collect()
}
