//! Computes the table of a measure from facts.

use jiff::Timestamp;
use polars::prelude::*;

use super::table::StatisticsTable;
use crate::analyses::Analyses;
use crate::facts::{FactTable, LazyFacts, Version, content};
use crate::measures::accuracy::{AnalysisError, analysed_rows};
use crate::measures::sums::Sums;
use crate::measures::{ACCURACY, Measure, MeasureSums};
use crate::question::Filters;
use crate::storage::FactsStoreError;

/// Computes the table of a measure.
///
/// # Errors
/// If the facts cannot be read.
pub fn measure(
    facts: &LazyFacts,
    measure: &'static Measure,
    filters: &Filters,
) -> PolarsResult<StatisticsTable> {
    let mut sums = Vec::new();
    let mut reached = Version::default();
    if measure.has_records(filters) {
        sums.push(Sums::from_rows(facts, measure, filters, Engine::InMemory)?);
        reached = reached_in(facts, filters)?;
    }
    if measure.has_results(filters) {
        let results = facts.table(FactTable::Results)?;
        reached.as_of = reached.as_of.max(last_result(results.clone(), filters)?);
        let own = Sums::from_results(results, measure, filters, Engine::InMemory)?;
        sums.push(own);
    }
    let sums = Sums::merge(measure, sums)?;
    table(&sums, measure, filters, reached)
}

/// Returns the offset and time of the last game that `as_of` includes.
fn reached_in(facts: &LazyFacts, filters: &Filters) -> PolarsResult<Version> {
    match filters.as_of {
        None => Ok(facts.version),
        Some(_) => last_recorded(facts, filters),
    }
}

/// Returns the offset and time of the last recorded game that `as_of` includes.
pub(crate) fn last_recorded(facts: &LazyFacts, filters: &Filters) -> PolarsResult<Version> {
    let games = facts.table(FactTable::Games)?;
    let games = match filters.recorded_condition() {
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

/// Returns the time of the last over-the-board result that `as_of` includes.
pub(crate) fn last_result(
    results: LazyFrame,
    filters: &Filters,
) -> PolarsResult<Option<Timestamp>> {
    let results = match filters.recorded_condition() {
        Some(condition) => results.filter(condition.expression()),
        None => results,
    };
    let last = results.select([col("recorded_at").max()]).collect()?;
    let last = last.column("recorded_at")?.datetime()?.physical().get(0);
    Ok(last.and_then(|micros| Timestamp::from_microsecond(micros).ok()))
}

/// Builds the table from the sums of a measure.
pub(crate) fn table(
    sums: &Sums,
    measure: &'static Measure,
    filters: &Filters,
    reached: Version,
) -> PolarsResult<StatisticsTable> {
    let (Some(all), Some(own)) = (sums.tables.first(), sums.tables.last()) else {
        return Err(polars_err!(InvalidOperation: "the measure {measure} also needs analyses"));
    };
    let rows = (measure.finish)(&MeasureSums {
        measure,
        filters,
        all,
        own,
    })?;
    let [first, second] = sums.content()?;
    let mut rulesets = sums.ruleset_games()?;
    let games = rulesets.iter().map(|ruleset| ruleset.games).sum();
    let version = Version {
        games,
        content: content(first, second),
        ..reached
    };
    // The version of the rules of over-the-board games is unknown.
    rulesets.retain(|ruleset| ruleset.version > 0);
    Ok(StatisticsTable {
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

/// The result of the measure `accuracy`.
#[derive(Clone, Debug)]
pub struct Accuracy {
    /// The table.
    pub table: StatisticsTable,
    /// The number of analysed games that are not among the facts. They are excluded.
    pub unknown: usize,
}

/// The reason why the measure `accuracy` cannot be computed.
#[derive(Debug, thiserror::Error)]
pub enum AccuracyError {
    /// The facts cannot be read, or the filters do not apply to them.
    #[error(transparent)]
    Store(#[from] FactsStoreError),
    /// The analyses do not match the facts.
    #[error(transparent)]
    Analysis(#[from] AnalysisError),
}

/// Computes how well analysed games were played.
///
/// # Errors
/// If the facts cannot be read, or if an analysis has turns that the game with this id does not have.
pub fn accuracy(
    facts: &LazyFacts,
    analyses: &Analyses,
    filters: &Filters,
) -> Result<Accuracy, AccuracyError> {
    let judged = analysed_rows(facts, analyses, filters)?;
    let reached = reached_in(facts, filters).map_err(FactsStoreError::from)?;
    let version = Version {
        games: judged.games,
        content: judged.content,
        ..reached
    };
    let table = StatisticsTable {
        measure: &ACCURACY,
        filters: filters.clone(),
        data_version: version.to_string(),
        log_position: reached.log_position,
        as_of: reached.as_of,
        complete: true,
        games: judged.games,
        rulesets: judged.rulesets,
        rows: judged.rows,
    };
    Ok(Accuracy {
        table,
        unknown: judged.unknown,
    })
}
