//! Audits a folder of facts: derives all facts again from the database and compares them.

use std::path::Path;

use analytics::facts::{Rater, ResultRow};
use analytics::{Facts, FactsStore};
use engine::content::Library;
use rayon::prelude::*;

use crate::games::Games;
use crate::games::model::Visibility;
use crate::leagues::log::LeagueLog;
use crate::statistics::derive::{DerivedFacts, anonymize, derive_facts};
use crate::statistics::model::StatisticsError;

/// The number of games that are compared at a time.
const TOGETHER: usize = 4_096;

/// Compares a folder of facts with the games and results of the database, up to the last game in the folder.
/// Returns the number of compared games. `fault` receives a sentence for each difference.
pub fn audit(
    folder: &Path,
    (games, leagues, library): (&Games, &LeagueLog, &Library),
    mut fault: impl FnMut(String),
) -> Result<u64, StatisticsError> {
    let store = FactsStore::new(folder);
    let manifest = store.manifest()?;
    let damaged = store.damaged(&manifest.parts);
    for (_, file) in &damaged {
        fault(format!(
            "the file {} of the facts is damaged",
            file.display()
        ));
    }
    if !damaged.is_empty() {
        return Ok(0);
    }
    let reached = manifest.cursor.as_ref().map_or(0, |cursor| cursor.position);
    let (mut position, mut compared, mut rater) = (0, 0, Rater::default());
    loop {
        let finished = games
            .records
            .finished_after(position, TOGETHER, Visibility::COUNTED)?;
        let known = finished.iter().filter(|(_, at)| *at <= reached);
        let derived: Vec<DerivedFacts> = known
            .collect::<Vec<_>>()
            .into_par_iter()
            .map(|(id, at)| derive_facts(games, library, id, *at))
            .collect();
        let mut found = Vec::new();
        for one in derived {
            match one {
                DerivedFacts::Facts(facts) => found.push(*facts),
                // The audit of games names it.
                DerivedFacts::WithoutFacts(_) => {}
                DerivedFacts::Later(error) => return Err(error.into()),
            }
        }
        compared += found.len() as u64;
        rater.rate(&mut found);
        store
            .differences(&Facts::from_games(found)?)?
            .into_iter()
            .for_each(&mut fault);
        match finished.last() {
            Some((_, last)) if *last < reached => position = *last,
            _ => break,
        }
    }
    let stored = manifest.version().games;
    if stored != compared {
        fault(format!(
            "the facts have {stored} games, but {compared} follow from the database"
        ));
    }
    let rows = |behind| -> Result<Vec<_>, StatisticsError> {
        let results = leagues.table_results(behind)?.revisions;
        let results = results.into_iter().map(anonymize);
        Ok(results.flat_map(|result| result.rows(library)).collect())
    };
    // Without the revisions that the folder has not reached.
    let later = rows(manifest.cursor.and_then(|cursor| cursor.leagues))?;
    let is_later = |row: &ResultRow| {
        let mut later = later.iter();
        later.any(|own| (&own.game, own.revision) == (&row.game, row.revision))
    };
    let mut rows = rows(None)?;
    rows.retain(|row| !is_later(row));
    store
        .differences(&Facts::from_results(rows)?)?
        .into_iter()
        .for_each(fault);
    Ok(compared)
}
