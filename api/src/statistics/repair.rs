//! Repairs facts: rebuilds damaged parts from the records of their games.

use std::collections::BTreeMap;

use analytics::storage::Part;
use analytics::{Facts, FactsWriter, GameFacts};
use engine::content::Library;
use rayon::prelude::*;

use crate::games::Games;
use crate::games::model::Visibility;
use crate::leagues::log::LeagueLog;
use crate::statistics::derive::{BATCH, DerivedFacts, anonymize, derive_facts};
use crate::statistics::model::StatisticsError;

/// The maximum number of games in a rebuilt part; they are in memory together.
const PART: usize = 2_048;

/// Rebuilds the damaged parts of a folder. `newest` contains facts that are in no part yet.
///
/// Returns whether all rebuilt parts contain the same games as before. The ratings in a part follow from all games
/// before, so parts with rated games are not rebuilt alone.
pub(crate) fn rebuild(
    writer: &mut FactsWriter,
    (games, leagues, library): (&Games, &LeagueLog, &Library),
    newest: &Facts,
) -> Result<bool, StatisticsError> {
    let parts = writer.manifest().parts.clone();
    let mut damaged: BTreeMap<(String, String), Vec<Part>> = BTreeMap::new();
    for (part, file) in writer.store().damaged(&parts) {
        tracing::error!(file = %file.display(), "a file of facts is damaged; its part is being rebuilt");
        let key = (part.edition.clone(), part.month.clone());
        damaged.entry(key).or_default().push(part);
    }
    for ((edition, month), damaged) in damaged {
        let is_own = |own: &str, in_month: &str| own == edition && in_month == month;
        let others = parts.iter().filter(|part| !damaged.contains(part));
        let others: Vec<Part> = others
            .filter(|part| is_own(&part.edition, &part.month))
            .cloned()
            .collect();
        let mut known = writer.store().keys(&others)?;
        known.add(newest)?;
        let mut written = Vec::new();
        if damaged.iter().any(|part| part.results > 0) {
            let results = leagues
                .table_results(None)?
                .revisions
                .into_iter()
                .map(anonymize);
            let mut rows: Vec<_> = results.flat_map(|result| result.rows(library)).collect();
            rows.retain(|row| {
                let revision = (row.game.to_string(), row.revision);
                is_own(&row.edition, &row.month) && !known.revisions.contains(&revision)
            });
            written.extend(writer.write(&Facts::from_results(rows)?)?);
        }
        let last = damaged.iter().map(|part| part.version.log_position).max();
        let firsts = damaged.iter().filter(|part| part.version.games > 0);
        let first = firsts.map(|part| part.first_position).min();
        let (mut position, last) = (first.unwrap_or(1) - 1, last.unwrap_or(0));
        let mut found: Vec<GameFacts> = Vec::new();
        while position < last {
            let finished = games
                .records
                .finished_after(position, BATCH, Visibility::COUNTED)?;
            position = finished.last().map_or(last, |(_, position)| *position);
            let wanted = finished
                .par_iter()
                .filter(|(_, at)| *at <= last && !known.positions.contains(at));
            let gathered: Vec<DerivedFacts> = wanted
                .map(|(id, at)| derive_facts(games, library, id, *at))
                .collect();
            for one in gathered {
                match one {
                    DerivedFacts::Facts(one) if !one.ratings.is_empty() => return Ok(false),
                    DerivedFacts::Facts(one) if is_own(&one.game.edition, &one.game.month) => {
                        found.push(*one);
                    }
                    DerivedFacts::Facts(_) | DerivedFacts::WithoutFacts(_) => {}
                    DerivedFacts::Later(error) => return Err(error.into()),
                }
            }
            if found.len() >= PART || position >= last {
                let piece = Facts::from_games(std::mem::take(&mut found))?;
                written.extend(writer.write(&piece)?);
            }
        }
        if !writer.replace_parts(&damaged, written)? {
            return Ok(false);
        }
    }
    Ok(true)
}
