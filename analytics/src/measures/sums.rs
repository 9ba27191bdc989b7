//! The sums of a measure, from rows of facts or from summaries.

use std::cell::OnceCell;

use polars::prelude::*;
use serde::Serialize;

use super::lengths::BY_VALUE;
use super::measure::{FORMAT, Measure};
use super::strength;
use super::summary::{
    SEAT_BOT, Summary, SummaryRows, SummarySource, SummaryStorage, add_up, games_of, seats_of,
    summed, times, union, with_joined,
};
use crate::facts::LazyFacts;
use crate::question::Filters;
use crate::question::condition::Condition;

/// The number of games in a table that were played by one version of an edition's rules.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RulesetGames {
    /// The edition.
    pub edition: String,
    /// The number of the version, from 1.
    pub version: u32,
    /// SHA-256 of the ruleset's file.
    pub hash: String,
    /// The number of games.
    pub games: u64,
}

/// The columns that identify a version of the rules.
const RULESET: [&str; 3] = ["edition", "ruleset_version", "ruleset_hash"];

/// The columns that are added up for each version: the number of games and the halves of their hashes.
const COUNTED: [&str; 3] = ["games", "content_1", "content_2"];

/// The sums of a measure under filters. Sums of disjoint facts can be merged.
#[derive(Clone, Debug)]
pub(crate) struct Sums {
    /// A frame for each summary of the measure, with format, keys and sums.
    pub tables: Vec<DataFrame>,
    /// The games that pass the filters and their hashes, by version of the rules.
    pub rulesets: DataFrame,
}

impl Sums {
    /// Adds up the rows themselves, also if summaries exist.
    pub fn from_rows(
        facts: &LazyFacts,
        measure: &Measure,
        filters: &Filters,
        engine: Engine,
    ) -> PolarsResult<Sums> {
        let (each, by_bot) = (filters.is_by_ruleset(), measure.is_by_bot());
        let source = SummarySource {
            games: games(facts, filters)?,
            seats: seats(facts, filters)?,
            facts,
            filters,
            engine,
            ids: OnceCell::new(),
        };
        let tables = measure.sums.iter().map(|(summary, keys)| {
            let rows = select_rows(summary.rows(&source, true)?, summary, filters);
            let sums = by_format(with_format(rows, each, by_bot), summary, keys);
            limit_games(collect(sums, engine)?, summary)
        });
        let counted = games(facts, filters)?.group_by(RULESET.map(col));
        let half = |name: &str| col(name).cast(DataType::Int64).sum();
        let count = len().cast(DataType::Int64).alias("games");
        let count = [count, half("content_1"), half("content_2")];
        Ok(Sums {
            tables: tables.collect::<PolarsResult<_>>()?,
            rulesets: collect(counted.agg(count), engine)?,
        })
    }

    /// True if summaries have the columns that the filters need.
    /// They have none for filters on nations and for rondel spaces after the first, and some have none for leagues.
    pub fn are_in_summaries(measure: &Measure, filters: &Filters) -> bool {
        let mut summaries = measure.sums.iter();
        filters.nation_condition().is_none()
            && filters.next_stops() == (0..1)
            && summaries.all(|(summary, _)| {
                summary.storage != SummaryStorage::Nowhere
                    && (filters.league.is_none() || summary.is_by_league())
            })
    }

    /// True if the needed summaries are in memory.
    pub fn are_in_memory(measure: &Measure, filters: &Filters) -> bool {
        let mut summaries = measure.sums.iter();
        filters.league.is_none()
            && summaries.all(|(summary, _)| summary.storage == SummaryStorage::InMemory)
    }

    /// Adds up summaries, see [`Sums::are_in_summaries`]. All games must pass the filters on times.
    pub fn from_summaries<E: From<PolarsError>>(
        summaries: impl Fn(&'static Summary) -> Result<LazyFrame, E>,
        measure: &Measure,
        filters: &Filters,
        engine: Engine,
    ) -> Result<Sums, E> {
        let passing = |summary: &'static Summary| -> Result<LazyFrame, E> {
            Ok(summaries(summary)?.filter(filters.summary_condition()))
        };
        let (each, by_bot) = (filters.is_by_ruleset(), measure.is_by_bot());
        let mut tables = Vec::new();
        for (summary, keys) in measure.sums {
            let rows = select_rows(passing(summary)?, summary, filters);
            let sums = by_format(with_format(rows, each, by_bot), summary, keys);
            tables.push(limit_games(collect(sums, engine)?, summary)?);
        }
        let one = col("quantity").eq(lit("rounds"));
        let games = passing(&BY_VALUE)?.filter(one);
        let counted = summed(games, &RULESET, &COUNTED);
        Ok(Sums {
            tables,
            rulesets: collect(counted, engine)?,
        })
    }

    /// Adds up over-the-board results. The input has all revisions.
    pub fn from_results(
        results: LazyFrame,
        measure: &Measure,
        filters: &Filters,
        engine: Engine,
    ) -> PolarsResult<Sums> {
        // Over-the-board results have the default values of these columns.
        let missing = ["variants", "bots", "time_control", "reason", "ruleset_hash"];
        let missing = missing.map(|name| lit("").alias(name)).into_iter();
        let missing = missing.chain([
            lit("people").alias("play"),
            lit(false).alias("from_position"),
            lit(true).alias("declared"),
            lit(0).cast(DataType::UInt32).alias("ruleset_version"),
        ]);
        let passing = current_results(results, filters)
            .filter(Condition::All(filters.conditions_on_results()).expression())
            .with_columns(missing.collect::<Vec<Expr>>());
        let tables = measure.sums.iter().map(|(summary, keys)| {
            let rows = summary.by_game(passing.clone(), true, false)?;
            let sums = by_format(with_format(rows, false, false), summary, keys);
            collect(sums, engine)
        });
        let first = |name: &str| col(name).first();
        let half = |name: &str| col(name).cast(DataType::Int64).sum();
        let counted = passing
            .clone()
            .group_by([col("game")])
            .agg(
                RULESET
                    .iter()
                    .chain(&COUNTED[1..])
                    .map(|name| first(name))
                    .collect::<Vec<_>>(),
            )
            .group_by(RULESET.map(col))
            .agg([
                len().cast(DataType::Int64).alias("games"),
                half("content_1"),
                half("content_2"),
            ]);
        Ok(Sums {
            tables: tables.collect::<PolarsResult<_>>()?,
            rulesets: collect(counted, engine)?,
        })
    }

    /// Merges the sums of one or more disjoint sets of facts.
    pub fn merge(measure: &Measure, parts: Vec<Sums>) -> PolarsResult<Sums> {
        let concat =
            |frames: Vec<DataFrame>| union(frames.into_iter().map(DataFrame::lazy).collect());
        let (tables, rulesets): (Vec<Vec<DataFrame>>, Vec<DataFrame>) = parts
            .into_iter()
            .map(|part| (part.tables, part.rulesets))
            .unzip();
        let merged = measure.sums.iter().enumerate();
        let merged = merged.map(|(index, (summary, keys))| {
            let frames = tables.iter().map(|tables| tables[index].clone());
            let rows = concat(frames.collect())?;
            limit_games(by_format(rows, summary, keys).collect()?, summary)
        });
        Ok(Sums {
            tables: merged.collect::<PolarsResult<_>>()?,
            rulesets: summed(concat(rulesets)?, &RULESET, &COUNTED).collect()?,
        })
    }

    /// Returns the number of games for each version of the rules.
    pub fn ruleset_games(&self) -> PolarsResult<Vec<RulesetGames>> {
        let counted = self
            .rulesets
            .sort(RULESET, SortMultipleOptions::default())?;
        let text = |name: &str| -> PolarsResult<Vec<String>> {
            let texts = counted.column(name)?.str()?.iter();
            Ok(texts
                .map(|text| text.unwrap_or_default().to_owned())
                .collect())
        };
        let (editions, hashes) = (text("edition")?, text("ruleset_hash")?);
        let versions = counted.column("ruleset_version")?.u32()?.iter();
        let games = counted.column("games")?.i64()?.iter();
        let rows = editions.into_iter().zip(hashes).zip(versions.zip(games));
        let rows = rows.map(|((edition, hash), (version, games))| RulesetGames {
            edition,
            version: version.unwrap_or_default(),
            hash,
            games: games.unwrap_or_default().unsigned_abs(),
        });
        Ok(rows.collect())
    }

    /// Returns the sums of the upper and lower halves of the hashes.
    pub fn content(&self) -> PolarsResult<[i64; 2]> {
        let half = |name: &str| -> PolarsResult<i64> {
            Ok(self.rulesets.column(name)?.i64()?.sum().unwrap_or(0))
        };
        Ok([half("content_1")?, half("content_2")?])
    }

    /// Returns the size in memory, in bytes.
    pub fn size(&self) -> usize {
        let tables = self.tables.iter().chain([&self.rulesets]);
        tables.map(DataFrame::estimated_size).sum()
    }
}

/// Counts the games that pass both filters.
///
/// # Errors
/// If the facts cannot be read.
pub(crate) fn common_games(
    facts: &LazyFacts,
    [first, second]: [&Filters; 2],
    engine: Engine,
) -> PolarsResult<u64> {
    let [first, second] = [first, second].map(|filters| games(facts, filters));
    let of = |games: LazyFrame| games.select([col("game")]);
    counted_in_both([of(first?), of(second?)], engine)
}

/// Counts the over-the-board results that pass both filters. The input has all revisions.
///
/// # Errors
/// See [`common_games`].
pub(crate) fn common_results(
    results: &LazyFrame,
    filters: [&Filters; 2],
    engine: Engine,
) -> PolarsResult<u64> {
    let of = filters.map(|filters| {
        let current = current_results(results.clone(), filters);
        let passing = Condition::All(filters.conditions_on_results()).expression();
        let games = current.filter(passing).select([col("game")]);
        games.unique(None, UniqueKeepStrategy::Any)
    });
    counted_in_both(of, engine)
}

fn counted_in_both([first, second]: [LazyFrame; 2], engine: Engine) -> PolarsResult<u64> {
    let both = first.join(
        second,
        [col("game")],
        [col("game")],
        JoinArgs::new(JoinType::Semi),
    );
    let count = collect(both.select([times()]), engine)?;
    let count = count.column("times")?.i64()?.get(0).unwrap_or_default();
    Ok(count.unsigned_abs())
}

/// Selects the last revision of each game that `as_of` includes, if it counts.
fn current_results(results: LazyFrame, filters: &Filters) -> LazyFrame {
    let known = match filters.recorded_condition() {
        Some(condition) => results.filter(condition.expression()),
        None => results,
    };
    let last = known.clone().group_by([col("game")]);
    let last = last.agg([col("revision").max()]);
    let by = || [col("game"), col("revision")];
    known
        .filter(col("counts"))
        .join(last, by(), by(), JoinArgs::new(JoinType::Inner))
}

/// Adds up rows by format and keys.
pub(super) fn by_format(rows: LazyFrame, summary: &Summary, keys: &[&str]) -> LazyFrame {
    let keys = [&FORMAT[..], summary.cluster(), keys].concat();
    add_up(summary, rows, &keys)
}

/// Selects the rows of a summary that the filters need.
fn select_rows(rows: LazyFrame, summary: &Summary, filters: &Filters) -> LazyFrame {
    match summary.asked {
        Some(asked) => rows.filter(asked(filters)),
        None => rows,
    }
}

/// Adds the columns `ruleset` and `bot` of the format, which depend on the filters and on the measure.
pub(super) fn with_format(rows: LazyFrame, each: bool, is_by_bot: bool) -> LazyFrame {
    let ruleset = match each {
        true => col("ruleset_version").cast(DataType::String),
        false => lit("all"),
    };
    let bot = match is_by_bot {
        true => col(SEAT_BOT),
        false => lit("all"),
    };
    rows.with_columns([ruleset.alias("ruleset"), bot.alias("bot")])
}

/// Limits sums that would grow with the number of games.
fn limit_games(sums: DataFrame, summary: &Summary) -> PolarsResult<DataFrame> {
    match summary.rows {
        SummaryRows::Each(_) => strength::select_games(sums),
        _ => Ok(sums),
    }
}

fn collect(frame: LazyFrame, engine: Engine) -> PolarsResult<DataFrame> {
    Ok(frame.collect_with_engine(engine)?.unwrap_single())
}

/// Returns the rows of `seats` that pass the filters.
fn seats(facts: &LazyFacts, filters: &Filters) -> PolarsResult<LazyFrame> {
    let frame = seats_of(facts)?.filter(filters.game_condition());
    let frame = with_joined(frame, facts, filters)?;
    Ok(match filters.nation_condition() {
        Some(condition) => frame.filter(condition),
        None => frame,
    })
}

/// Returns the rows of `games` that pass the filters.
/// With a filter on nations, a game passes if one of its nations passes.
fn games(facts: &LazyFacts, filters: &Filters) -> PolarsResult<LazyFrame> {
    let frame = games_of(facts)?.filter(filters.game_condition());
    if filters.nation_condition().is_none() {
        return Ok(frame);
    }
    let passing = seats(facts, filters)?.select([col("game")]);
    let passing = passing.unique(None, UniqueKeepStrategy::Any);
    Ok(frame.inner_join(passing, col("game"), col("game")))
}
