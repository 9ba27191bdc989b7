//! What a measure adds up, from rows of facts or from summaries of them.

use polars::prelude::*;

use super::{FORMAT, Measure};
use crate::facts::{LazyFacts, SHARE_PART, Summary, add_up};
use crate::filters::Filters;

/// A version of the rules.
const RULESET: [&str; 3] = ["edition", "ruleset_version", "ruleset_hash"];

/// What was added up for a measure under filters; sums of disjoint facts merge.
#[derive(Clone, Debug)]
pub(crate) struct Sums {
    /// A table for each of [`Measure::sums`]: the format, the keys and the sums.
    pub tables: Vec<DataFrame>,
    /// The games that pass the filters, by version of the rules.
    pub rulesets: DataFrame,
}

impl Sums {
    /// From the rows themselves.
    pub fn of_rows(
        facts: &LazyFacts,
        measure: Measure,
        filters: &Filters,
        engine: Engine,
    ) -> PolarsResult<Sums> {
        let tables = measure.sums().iter().map(|(summary, keys)| {
            let (games, seats) = (games(facts, filters), seats(facts, filters));
            let rows = summary.rows(games, seats, facts, filters.depth())?;
            collect(by_format(rows, *summary, keys), engine)
        });
        let counted = games(facts, filters).group_by(RULESET.map(col));
        Ok(Sums {
            tables: tables.collect::<PolarsResult<_>>()?,
            rulesets: collect(counted.agg([len().alias("games")]), engine)?,
        })
    }

    /// Whether summaries tell what is asked: they do not know paths of stops, nor which nations
    /// were in games of a length.
    pub fn are_in_summaries(measure: Measure, filters: &Filters) -> bool {
        filters.depth() == 0 && (measure != Measure::Lengths || filters.on_nations().is_none())
    }

    /// From summaries, see [`Sums::are_in_summaries`]; all of their games must pass the filter on
    /// times.
    pub fn of_summaries<E: From<PolarsError>>(
        summaries: impl Fn(Summary) -> Result<LazyFrame, E>,
        measure: Measure,
        filters: &Filters,
        engine: Engine,
    ) -> Result<Sums, E> {
        let passing = |summary: Summary| -> Result<LazyFrame, E> {
            let frame = summaries(summary)?.filter(filters.on_summaries());
            Ok(match (summary, filters.on_nations()) {
                (Summary::Lengths, _) | (_, None) => frame,
                (_, Some(condition)) => frame.filter(condition),
            })
        };
        let mut tables = Vec::new();
        for (summary, keys) in measure.sums() {
            let sums = by_format(passing(*summary)?, *summary, keys);
            tables.push(collect(sums, engine)?);
        }
        let counted = match (&filters.nation, filters.seat) {
            (None, None) => {
                let one = col("quantity").eq(lit("rounds"));
                add_up(passing(Summary::Lengths)?.filter(one), &RULESET, &["games"])
            }
            // A nation is in a game once.
            (Some(_), _) => add_up(passing(Summary::Seats)?, &RULESET, &["games"]),
            // A seat may have several nations. Each is expected to win 1 / (seats * nations of its
            // seat), so that the games are the sum of these times the seats.
            (None, Some(_)) => {
                let games = (col("expected") * col("players").cast(DataType::Int64)).sum();
                let games = games.cast(DataType::Float64) / lit(SHARE_PART);
                let games = games.round(0, RoundMode::HalfToEven).cast(DataType::UInt32);
                let rows = passing(Summary::Seats)?.group_by(RULESET.map(col));
                rows.agg([games.alias("games")])
            }
        };
        Ok(Sums {
            tables,
            rulesets: collect(counted, engine)?,
        })
    }

    /// The sums of several disjoint facts, one or more.
    pub fn merge(measure: Measure, parts: Vec<Sums>) -> PolarsResult<Sums> {
        let together = |frames: Vec<DataFrame>| {
            let frames: Vec<LazyFrame> = frames.into_iter().map(DataFrame::lazy).collect();
            concat(frames, UnionArgs::default())
        };
        let (tables, rulesets): (Vec<Vec<DataFrame>>, Vec<DataFrame>) = parts
            .into_iter()
            .map(|part| (part.tables, part.rulesets))
            .unzip();
        let merged = measure.sums().iter().enumerate();
        let merged = merged.map(|(index, (summary, keys))| {
            let frames = tables.iter().map(|tables| tables[index].clone());
            let rows = together(frames.collect())?;
            by_format(rows, *summary, keys).collect()
        });
        Ok(Sums {
            tables: merged.collect::<PolarsResult<_>>()?,
            rulesets: add_up(together(rulesets)?, &RULESET, &["games"]).collect()?,
        })
    }

    /// Bytes in memory.
    pub fn size(&self) -> usize {
        let tables = self.tables.iter().chain([&self.rulesets]);
        tables.map(DataFrame::estimated_size).sum()
    }
}

fn by_format(rows: LazyFrame, summary: Summary, keys: &[&str]) -> LazyFrame {
    add_up(rows, &[&FORMAT[..], keys].concat(), &summary.sums())
}

fn collect(frame: LazyFrame, engine: Engine) -> PolarsResult<DataFrame> {
    Ok(frame.collect_with_engine(engine)?.unwrap_single())
}

/// The nations in games that pass the filters: rows of `seats`.
fn seats(facts: &LazyFacts, filters: &Filters) -> LazyFrame {
    let frame = facts.seats.clone().filter(filters.on_games());
    match filters.on_nations() {
        Some(condition) => frame.filter(condition),
        None => frame,
    }
}

/// The games that pass the filters: rows of `games`; with a filter on nations, those in which a
/// nation passes.
fn games(facts: &LazyFacts, filters: &Filters) -> LazyFrame {
    let frame = facts.games.clone().filter(filters.on_games());
    if filters.on_nations().is_none() {
        return frame;
    }
    let passing = seats(facts, filters).select([col("game")]);
    let passing = passing.unique(None, UniqueKeepStrategy::Any);
    frame.inner_join(passing, col("game"), col("game"))
}
