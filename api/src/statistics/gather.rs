//! The projection `facts`: the facts of finished games, in a folder.
//!
//! Its offset is stored in the folder, because it must match the files there.

use std::path::Path;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::{Duration, Instant};

use analytics::facts::Rater;
use analytics::question::settled_time;
use analytics::storage::{FactsManifest, LeagueLogCursor, LogCursor};
use analytics::{Facts, FactsStore, FactsStoreError, FactsWriter, Snapshot};
use engine::content::Library;
use jiff::Timestamp;
use metrics::gauge;
use rayon::prelude::*;

use crate::db::projections::{BatchOutcome, Projection, ProjectionError};
use crate::games::Games;
use crate::games::model::Visibility;
use crate::http::error::ServiceError;
use crate::leagues::log::LeagueLog;
use crate::statistics::derive::{BATCH, DerivedFacts, anonymize, derive_facts};
use crate::statistics::model::{Current, Damage, FactsProgress, StatisticsError, read};
use crate::statistics::repair::rebuild;

/// The number of games, and the time, after which games in memory become a part on disk.
///
/// If the process ends before, they are derived again.
const PART: usize = 2_048;
const PART_TIME: Duration = Duration::from_secs(60);

/// The number of games kept in memory while the disk cannot be written.
const MOST: usize = 4 * PART;

/// The maximum bytes of cached sums of parts.
const SUMS: u64 = 32 << 20;

/// The maximum number of nodes that keep facts in folders side by side.
const FOLDERS: usize = 16;

/// The projection that maintains the facts.
pub(crate) struct FactsProjection {
    games: Arc<Games>,
    leagues: Arc<LeagueLog>,
    library: Arc<Library>,
    writer: FactsWriter,
    /// The ratings after the derived games; `None` until the first step reads them.
    rater: Option<Rater>,
    current: Arc<RwLock<Arc<Current>>>,
    damage: Arc<Damage>,
    /// The last finished game whose facts were derived, on disk or not.
    reached: Option<LogCursor>,
    without_facts: u64,
    /// When the folder was last brought up to date.
    written: Instant,
    /// Whether summaries are loaded.
    warm: bool,
}

impl FactsProjection {
    /// Opens the given folder, or the first folder beside it that no other process uses.
    pub fn open(
        games: Arc<Games>,
        leagues: Arc<LeagueLog>,
        library: Arc<Library>,
        folder: &Path,
    ) -> Result<FactsProjection, StatisticsError> {
        let mut writer = open(folder)?;
        if !matches_database(writer.manifest(), &games, &leagues)? {
            let store = writer.store().clone();
            let folder = store.directory().display();
            tracing::warn!(%folder, "the facts belong to another database and are rebuilt");
            drop(writer);
            writer = FactsWriter::open_empty(&store)?;
        }
        let FactsManifest {
            cursor: reached,
            complete_until,
            without_facts,
            ..
        } = writer.manifest().clone();
        let snapshot = snapshot(&writer)?;
        let reached_leagues = reached
            .as_ref()
            .and_then(|reached| reached.leagues.as_ref());
        let progress = FactsProgress {
            games: snapshot.version().games,
            without_facts,
            position: reached.as_ref().map_or(0, |reached| reached.position),
            league_position: reached_leagues.map_or(0, |leagues| leagues.position),
            end: games.records.last_position()?,
            complete: false,
            complete_until,
        };
        let current = Arc::new(Current { snapshot, progress });
        let folder = writer.store().directory().display();
        tracing::info!(%folder, games = progress.games, "facts are open");
        Ok(FactsProjection {
            games,
            leagues,
            library,
            writer,
            rater: None,
            current: Arc::new(RwLock::new(current)),
            damage: Arc::default(),
            reached,
            without_facts,
            written: Instant::now(),
            warm: false,
        })
    }

    /// The shared current facts, which this projection replaces.
    pub fn current(&self) -> Arc<RwLock<Arc<Current>>> {
        self.current.clone()
    }

    /// The damage found by readers, which this projection repairs.
    pub(crate) fn damage(&self) -> Arc<Damage> {
        self.damage.clone()
    }

    /// Adds the facts of a batch of finished games. Returns whether all games are included.
    fn step(&mut self, limit: usize) -> Result<bool, StatisticsError> {
        if self.damage.lock().is_some() {
            self.repair()?;
            *self.damage.lock() = None;
        }
        let now = read(&self.current);
        let newest = now.snapshot.newest().len();
        if newest >= PART || self.written.elapsed() >= PART_TIME {
            match self.write() {
                Err(error) if newest < MOST => {
                    tracing::error!(%error, "facts cannot be written; they stay in memory")
                }
                written => written?,
            }
        }
        // Read first: games that finish after this point are left for the next step.
        let until = settled_time(Timestamp::now());
        let end = self.games.records.last_position()?;
        if is_complete(&self.games, &now.progress, end)? {
            self.publish_until(until);
            return Ok(true);
        }
        let position = self.reached.as_ref().map_or(0, |reached| reached.position);
        let finished = self
            .games
            .records
            .finished_after(position, limit, Visibility::COUNTED)?;
        // Read after the games, so that all results up to the last of these games are included.
        let leagues = self.reached.as_ref().and_then(|all| all.leagues.clone());
        let results = self.leagues.table_results(leagues)?;
        let gathered: Vec<DerivedFacts> = finished
            .par_iter()
            .map(|(id, position)| derive_facts(&self.games, &self.library, id, *position))
            .collect();
        let mut found = Vec::with_capacity(finished.len());
        let mut without_facts = 0;
        for ((id, _), gathered) in finished.iter().zip(gathered) {
            match gathered {
                DerivedFacts::Facts(facts) => found.push(*facts),
                DerivedFacts::WithoutFacts(reason) => {
                    tracing::error!(game = %id, reason, "a damaged game has no facts");
                    without_facts += 1;
                }
                DerivedFacts::Later(error) => {
                    let game = id.clone();
                    return Err(StatisticsError::Game { game, error });
                }
            }
        }
        let all = finished.len() < limit;
        let results_reached = results.reached;
        let results = results.revisions.into_iter().map(anonymize);
        let results = results.flat_map(|result| result.rows(&self.library));
        let results = Facts::from_results(results.collect())?;
        let mut rater = match self.rater.take() {
            Some(rater) => rater,
            None => self.stored_ratings()?,
        };
        rater.rate(&mut found);
        let found = Facts::from_games(found)?;
        let reached = finished.into_iter().next_back();
        let reached = self.behind(reached, results_reached);
        let until = Some(until).filter(|_| all);
        self.add(&found, &results, (reached, without_facts), (end, until))?;
        self.rater = Some(rater);
        Ok(all)
    }

    /// Returns the ratings after the games in the folder and in memory.
    fn stored_ratings(&self) -> Result<Rater, StatisticsError> {
        let mut rater = self.writer.store().rater()?;
        read(&self.current)
            .snapshot
            .newest()
            .note_ratings(&mut rater)?;
        Ok(rater)
    }

    /// Returns the offset after a finished game and an event of a league, if given.
    fn behind(
        &self,
        game: Option<(String, i64)>,
        leagues: Option<LeagueLogCursor>,
    ) -> Option<LogCursor> {
        let mut reached = self.reached.clone();
        if let Some((game, position)) = game {
            let reached = reached.get_or_insert_default();
            (reached.position, reached.game) = (position, game);
        }
        if leagues.is_some() {
            reached.get_or_insert_default().leagues = leagues;
        }
        reached
    }

    /// Adds facts to those in memory, which then reach a new offset.
    ///
    /// `end` is the end of the log. `until` is the time up to which all games are included, if they are.
    fn add(
        &mut self,
        found: &Facts,
        results: &Facts,
        (reached, without_facts): (Option<LogCursor>, u64),
        (end, until): (i64, Option<Timestamp>),
    ) -> Result<(), StatisticsError> {
        let all = until.is_some();
        let now = read(&self.current);
        let mut snapshot = now.snapshot.clone();
        if !found.is_empty() || !results.is_empty() {
            let mut newest = snapshot.newest().clone();
            newest.append(found)?;
            newest.append(results)?;
            snapshot = snapshot.with_new_games(&[], newest)?;
        }
        self.reached = reached;
        self.without_facts += without_facts;
        let position = self.reached.as_ref().map_or(0, |reached| reached.position);
        let leagues = self.reached.as_ref().and_then(|all| all.leagues.as_ref());
        let progress = FactsProgress {
            games: snapshot.version().games,
            without_facts: self.without_facts,
            position,
            league_position: leagues.map_or(0, |leagues| leagues.position),
            end,
            complete: all,
            complete_until: until.or(now.progress.complete_until),
        };
        let lag = if all { 0 } else { (end - position).max(0) };
        gauge!("tabularium_statistics_games").set(progress.games as f64);
        gauge!("tabularium_statistics_games_without_facts").set(progress.without_facts as f64);
        gauge!("tabularium_statistics_lag_events").set(lag as f64);
        self.publish(snapshot, progress);
        Ok(())
    }

    /// Writes the facts in memory as a part on disk, and merges parts.
    fn write(&mut self) -> Result<(), StatisticsError> {
        let now = read(&self.current);
        let newest = now.snapshot.newest();
        let until = now.progress.complete_until;
        if newest.is_empty() && self.reached == self.writer.manifest().cursor {
            // For readers of the folder itself.
            self.writer.set_complete_until(until)?;
            self.written = Instant::now();
            return Ok(());
        }
        let reached = self.reached.clone();
        let added = self.writer.append(newest, reached, self.without_facts)?;
        let grown = now.snapshot.with_new_games(&added, Facts::empty()?);
        // The facts are on disk and must not stay in memory as well.
        let snapshot = grown.or_else(|_| snapshot(&self.writer))?;
        self.publish(snapshot, now.progress);
        self.writer.set_complete_until(until)?;
        self.written = Instant::now();
        while self.writer.compact()? {
            let now = read(&self.current);
            let parts = self.writer.manifest().parts.clone();
            self.publish(now.snapshot.with_merged_parts(parts), now.progress);
        }
        Ok(())
    }

    /// Rebuilds the damaged parts from the records, or all facts if the records give other games.
    fn repair(&mut self) -> Result<(), StatisticsError> {
        let newest = read(&self.current).snapshot.newest().clone();
        let of = (&*self.games, &*self.leagues, &*self.library);
        if rebuild(&mut self.writer, of, &newest)? {
            // Cached data of the old parts is dropped.
            let snapshot = snapshot(&self.writer)?.with_new_games(&[], newest)?;
            self.publish(snapshot, read(&self.current).progress);
            return Ok(());
        }
        tracing::warn!(
            "the damaged facts have rated games, or the records give other games: all facts are rebuilt"
        );
        self.clear()
    }

    /// Removes all facts; they are then derived from the first game on.
    fn clear(&mut self) -> Result<(), StatisticsError> {
        self.writer.clear()?;
        (self.reached, self.without_facts) = (None, 0);
        self.rater = Some(Rater::default());
        let progress = FactsProgress {
            end: self.games.records.last_position()?,
            ..FactsProgress::default()
        };
        self.publish(snapshot(&self.writer)?, progress);
        Ok(())
    }

    fn publish_until(&self, until: Timestamp) {
        let now = read(&self.current);
        let progress = FactsProgress {
            complete_until: Some(until),
            ..now.progress
        };
        self.publish(now.snapshot.clone(), progress);
    }

    fn publish(&self, snapshot: Snapshot, progress: FactsProgress) {
        let next = Arc::new(Current { snapshot, progress });
        // The value is replaced as a whole, so a panic elsewhere cannot leave half of it.
        *self.current.write().unwrap_or_else(PoisonError::into_inner) = next;
    }
}

impl Projection for FactsProjection {
    fn name(&self) -> &'static str {
        "facts"
    }

    fn batch(&self) -> usize {
        BATCH
    }

    fn apply(&mut self, limit: usize) -> Result<BatchOutcome, ProjectionError> {
        match self.step(limit) {
            Ok(false) => return Ok(BatchOutcome::More),
            Ok(true) => {}
            Err(StatisticsError::Game { game, error }) => {
                return Err(ProjectionError::at(game, error));
            }
            Err(error) => {
                if let StatisticsError::Facts(error) = &error {
                    self.damage.note(error);
                }
                return Err(ProjectionError::new(error));
            }
        }
        if !self.warm {
            let warmed = read(&self.current).snapshot.warm();
            // Damaged summaries are read again after the repair.
            self.warm = !matches!(warmed, Err(FactsStoreError::Damaged(_)));
            if let Err(error) = warmed {
                tracing::error!(%error, "summaries cannot be read");
                self.damage.note(&error);
            }
        }
        Ok(match self.damage.lock().is_some() {
            true => BatchOutcome::More,
            false => BatchOutcome::AllFor(PART_TIME.saturating_sub(self.written.elapsed())),
        })
    }

    fn skip(&mut self) -> Result<Option<String>, ProjectionError> {
        let position = self.reached.as_ref().map_or(0, |reached| reached.position);
        let next = self
            .games
            .records
            .finished_after(position, 1, Visibility::COUNTED)?;
        let Some(next) = next.into_iter().next() else {
            return Ok(None);
        };
        let (game, end) = (next.0.clone(), self.games.records.last_position()?);
        let reached = self.behind(Some(next), None);
        let none = || Facts::empty().map_err(ProjectionError::new);
        self.add(&none()?, &none()?, (reached, 1), (end, None))
            .map_err(ProjectionError::new)?;
        Ok(Some(game))
    }

    fn restart(&mut self) -> Result<(), ProjectionError> {
        self.clear().map_err(ProjectionError::new)
    }

    fn stop(&mut self) {
        if let Err(error) = self.write() {
            tracing::warn!(%error, "the newest facts cannot be written; they are derived again at the next start");
        }
    }
}

/// Whether the facts contain all finished games and results, if the log of all games ends at `end`.
pub(crate) fn is_complete(
    games: &Games,
    progress: &FactsProgress,
    end: i64,
) -> Result<bool, StatisticsError> {
    Ok(progress.complete
        && end == progress.end
        && !games
            .store()
            .league_log_grew(progress.league_position)
            .map_err(ServiceError::from)?)
}

fn snapshot(writer: &FactsWriter) -> Result<Snapshot, FactsStoreError> {
    let parts = writer.manifest().parts.clone();
    Ok(Snapshot::new(writer.store().clone(), parts)?.with_cache(SUMS))
}

fn open(folder: &Path) -> Result<FactsWriter, StatisticsError> {
    for number in 1..=FOLDERS {
        let store = FactsStore::new(match number {
            1 => folder.to_owned(),
            number => {
                let mut name = folder.as_os_str().to_owned();
                name.push(format!("-{number}"));
                name.into()
            }
        });
        match FactsWriter::open(&store) {
            Err(FactsStoreError::Locked(_)) => {}
            Err(error @ (FactsStoreError::Form(_) | FactsStoreError::Manifest { .. })) => {
                tracing::warn!(%error, "the facts are unreadable and are rebuilt");
                return Ok(FactsWriter::open_empty(&store)?);
            }
            opened => return Ok(opened?),
        }
    }
    Err(StatisticsError::Taken(folder.to_owned()))
}

/// Whether the facts belong to this database.
///
/// The last game in the facts must have ended there at the same position, and the last event of a league must be there.
/// Both fail for another database, and for one restored from an earlier backup.
fn matches_database(
    manifest: &FactsManifest,
    games: &Games,
    log: &LeagueLog,
) -> Result<bool, ServiceError> {
    let Some(reached) = &manifest.cursor else {
        return Ok(manifest.parts.is_empty());
    };
    let leagues = reached.leagues.as_ref();
    if !leagues.map_or(Ok(true), |reached| log.is_league_event(reached))? {
        return Ok(false);
    }
    if reached.game.is_empty() {
        return Ok(manifest.version().games == 0);
    }
    let there = match games
        .records
        .finished_after(reached.position - 1, 1, Visibility::COUNTED)
    {
        Ok(there) => there,
        Err(ServiceError::Damaged { .. }) => return Ok(false),
        Err(error) => return Err(error),
    };
    Ok(there
        .first()
        .is_some_and(|(id, at)| *at == reached.position && *id == reached.game))
}
