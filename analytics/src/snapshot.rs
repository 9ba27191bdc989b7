//! Measures on facts of any number of games, in bounded memory.
//!
//! Sums come from summaries where these have the needed columns, and otherwise from the rows, one part at a time.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use jiff::Timestamp;
use moka::sync::Cache;
use polars::prelude::*;

use crate::analyses::Analyses;
use crate::answer::{
    Accuracy, AccuracyError, SampleComparison, StatisticsTable, accuracy, last_recorded,
    last_result, table,
};
use crate::facts::{FactTable, Facts, Version};
use crate::measures::sums::{Sums, common_games, common_results};
use crate::measures::{ACCURACY, Measure, Summary, SummaryStorage, stored_summaries};
use crate::question::Filters;
use crate::storage::{FactsStore, FactsStoreError, FilterMatch, Part};

/// The number of summaries that are read together.
const TOGETHER: usize = 32;

/// The most games in a group of parts whose rows are read together.
/// Each read has a fixed cost, and needs memory in proportion to its games.
const GAMES_TOGETHER: u64 = 300_000;

/// The most bytes of sums of parts in memory before they are merged.
const UNMERGED: usize = 64 << 20;

/// How often a measure is retried when parts were merged while it ran.
const TRIES: usize = 5;

/// A measure and its filters.
type Question<'a> = (&'static Measure, &'a Filters);

/// The key of cached sums: the paths of the files of their parts, the measure and the filters.
type SumsKey = (Vec<PathBuf>, &'static Measure, Filters);

/// An immutable view of facts: parts on disk, and games that are in no part yet.
/// Cloning is cheap.
#[derive(Clone, Debug)]
pub struct Snapshot {
    store: FactsStore,
    parts: Arc<[Part]>,
    newest: Facts,
    version: Version,
    cache: Option<Arc<SnapshotCache>>,
}

/// The cache of a snapshot. Parts never change, so entries stay valid.
#[derive(Debug)]
struct SnapshotCache {
    /// The totals of the most used summaries over all parts, without leagues; computed when first needed.
    totals: Mutex<HashMap<&'static Summary, DataFrame>>,
    /// The sums of parts.
    sums: Cache<SumsKey, Arc<Sums>>,
}

impl SnapshotCache {
    fn totals(&self) -> MutexGuard<'_, HashMap<&'static Summary, DataFrame>> {
        // A frame is replaced as a whole, so a panic in another thread cannot leave half of it.
        self.totals.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Snapshot {
    /// Returns a snapshot of parts in a folder.
    ///
    /// # Errors
    /// None in practice: empty columns make a frame.
    pub fn new(store: FactsStore, parts: Vec<Part>) -> Result<Snapshot, FactsStoreError> {
        let newest = Facts::empty()?;
        Ok(Snapshot {
            version: version_of(&parts, &newest),
            store,
            parts: parts.into(),
            newest,
            cache: None,
        })
    }

    /// Enables the cache: totals of summaries, and at most `bytes` of sums of parts.
    pub fn with_cache(mut self, bytes: u64) -> Snapshot {
        let size = |(parts, _, filters): &SumsKey, sums: &Arc<Sums>| {
            let paths: usize = parts.iter().map(|path| path.as_os_str().len()).sum();
            // A frame needs more memory than its values.
            u32::try_from(sums.size() + paths + filters.size() + 4_096).unwrap_or(u32::MAX)
        };
        let sums = Cache::builder().max_capacity(bytes).weigher(size).build();
        self.cache = Some(Arc::new(SnapshotCache {
            totals: Mutex::default(),
            sums,
        }));
        self
    }

    /// Returns the same facts with merged parts.
    pub fn with_merged_parts(&self, parts: Vec<Part>) -> Snapshot {
        Snapshot {
            parts: parts.into(),
            ..self.clone()
        }
    }

    /// Returns a snapshot with additional parts, and with other games that are in no part yet.
    ///
    /// # Errors
    /// If a summary cannot be read.
    pub fn with_new_games(
        &self,
        parts: &[Part],
        newest: Facts,
    ) -> Result<Snapshot, FactsStoreError> {
        let all = [&self.parts, parts].concat();
        let cache = match (&self.cache, parts) {
            (None, _) | (_, []) => self.cache.clone(),
            (Some(cache), _) => Some(Arc::new(SnapshotCache {
                totals: self.totals_with(cache, parts)?,
                sums: cache.sums.clone(),
            })),
        };
        Ok(Snapshot {
            version: version_of(&all, &newest),
            store: self.store.clone(),
            parts: all.into(),
            newest,
            cache,
        })
    }

    fn totals_with(
        &self,
        cache: &SnapshotCache,
        parts: &[Part],
    ) -> Result<Mutex<HashMap<&'static Summary, DataFrame>>, FactsStoreError> {
        let before = cache.totals().clone().into_iter();
        let merged = before.map(|(summary, total)| {
            let total = self.merged(summary, Some(total), parts)?;
            Ok((summary, total))
        });
        Ok(Mutex::new(merged.collect::<Result<_, FactsStoreError>>()?))
    }

    /// Returns the version of the facts.
    pub fn version(&self) -> Version {
        self.version
    }

    /// Returns the games that are in no part yet.
    pub fn newest(&self) -> &Facts {
        &self.newest
    }

    /// Fills the cache, so that the first request does not wait for it.
    ///
    /// # Errors
    /// If a summary cannot be read.
    pub fn warm(&self) -> Result<(), FactsStoreError> {
        let Some(cache) = &self.cache else {
            return Ok(());
        };
        for summary in
            stored_summaries().filter(|summary| summary.storage == SummaryStorage::InMemory)
        {
            self.total(cache, summary)?;
        }
        Ok(())
    }

    /// Reads all files and compares their checksums.
    ///
    /// # Errors
    /// The first file that is damaged.
    pub fn check(&self) -> Result<(), FactsStoreError> {
        let mut damaged = self.store.damaged(&self.parts).into_iter();
        match damaged.next() {
            Some((_, path)) => Err(FactsStoreError::Damaged(path)),
            None => Ok(()),
        }
    }

    /// Computes a measure, with the same numbers as [`measure`](crate::measure) on all rows.
    ///
    /// # Errors
    /// If a part cannot be read, also because it was merged with others; see [`FactsStore::measure`].
    pub fn measure(
        &self,
        measure: &'static Measure,
        filters: &Filters,
    ) -> Result<StatisticsTable, FactsStoreError> {
        let sums = self.sums(measure, filters)?;
        let reached = self.reached(measure, filters)?;
        Ok(table(&sums, measure, filters, reached)?)
    }

    /// Counts the games of a measure that pass both filters.
    ///
    /// # Errors
    /// See [`Snapshot::measure`].
    pub fn common_games(
        &self,
        measure: &'static Measure,
        filters: [&Filters; 2],
    ) -> Result<u64, FactsStoreError> {
        let mut games = 0;
        if filters.iter().all(|filters| measure.has_records(filters)) {
            let passing = |part: &&Part| {
                let matches = |filters: &&Filters| {
                    let edition = filters.edition.as_ref();
                    part.filter_match(filters) != FilterMatch::None
                        && edition.is_none_or(|edition| part.edition == *edition)
                };
                part.version.games > 0 && filters.iter().all(matches)
            };
            let parts: Vec<Part> = self.parts.iter().filter(passing).cloned().collect();
            for parts in batches(&parts) {
                let facts = self.store.scan_parts(parts);
                games += common_games(&facts, filters, Engine::Streaming)?;
            }
            games += common_games(&self.newest.lazy(), filters, Engine::InMemory)?;
        }
        if filters.iter().all(|filters| measure.has_results(filters)) {
            games += common_results(&self.results()?, filters, Engine::InMemory)?;
        }
        Ok(games)
    }

    /// Adds up the sums of a measure.
    fn sums(&self, measure: &'static Measure, filters: &Filters) -> Result<Sums, FactsStoreError> {
        let edition = filters.edition.as_ref();
        let passing = |part: &&Part| {
            part.version.games > 0 && edition.is_none_or(|edition| part.edition == *edition)
        };
        let timed = filters.is_timed();
        let (mut whole, mut cut) = (Vec::new(), Vec::new());
        let has_records = measure.has_records(filters);
        let parts = self.parts.iter().filter(|_| has_records);
        for part in parts.filter(passing) {
            match part.filter_match(filters) {
                FilterMatch::All => whole.push(part),
                FilterMatch::Some => cut.push(part),
                FilterMatch::None => {}
            }
        }
        if !Sums::are_in_summaries(measure, filters) {
            cut.append(&mut whole);
        }
        let question = (measure, filters);
        // With a cache, parts are read singly, so that a new part needs no other one to be read again. The few rows of
        // a league or a player take less time if they are read from many parts together.
        let has_few_rows = filters.league.is_some() || filters.player.is_some();
        let reads_singly = self.cache.is_some() && !has_few_rows;
        let mut sums = Vec::new();
        if measure.has_results(filters) {
            let results = self.results()?;
            sums.push(Sums::from_results(
                results,
                measure,
                filters,
                Engine::InMemory,
            )?);
        }
        match (&self.cache, whole.is_empty()) {
            (_, true) => {}
            (Some(cache), _) if !timed && Sums::are_in_memory(measure, filters) => {
                sums.push(self.sums_of_totals(cache, question)?)
            }
            _ => {
                let whole: Vec<Part> = whole.into_iter().cloned().collect();
                let together = if reads_singly { 1 } else { TOGETHER };
                for parts in whole.chunks(together) {
                    sums.push(self.sums_of_parts(parts, question, |parts| {
                        self.sums_of_summaries(parts, question)
                    })?);
                }
            }
        }
        let mut cut: Vec<Part> = cut.into_iter().cloned().collect();
        // A position belongs to one edition, so parts of an edition are read together.
        cut.sort_by(|one, other| one.edition.cmp(&other.edition));
        let batches: Vec<&[Part]> = match &filters.digest {
            _ if reads_singly => cut.chunks(1).collect(),
            // Measures by digest keep few rows.
            Some(_) => cut.chunks(TOGETHER).collect(),
            None => batches(&cut),
        };
        for parts in batches {
            sums.push(self.sums_of_parts(parts, question, |parts| {
                let facts = self.store.scan_parts(parts);
                let engine = Engine::Streaming;
                Ok(Sums::from_rows(&facts, measure, filters, engine)?)
            })?);
            let unmerged: usize = sums.iter().skip(1).map(Sums::size).sum();
            if unmerged > UNMERGED {
                sums = vec![Sums::merge(measure, sums)?];
            }
        }
        if has_records && (self.newest.version().games > 0 || sums.is_empty()) {
            let newest = self.newest.lazy();
            let engine = Engine::InMemory;
            sums.push(Sums::from_rows(&newest, measure, filters, engine)?);
        }
        Ok(Sums::merge(measure, sums)?)
    }

    /// Returns all over-the-board results.
    fn results(&self) -> Result<LazyFrame, FactsStoreError> {
        let newest = self.newest.lazy().table(FactTable::Results)?;
        let parts = self.parts.iter().filter(|part| part.results > 0);
        let parts: Vec<Part> = parts.cloned().collect();
        if parts.is_empty() {
            return Ok(newest);
        }
        let kept = self.store.scan_results(&parts)?;
        Ok(concat([kept, newest], UnionArgs::default())?)
    }

    /// Returns the offset and time of the last game that `as_of` includes.
    /// The time can also be that of an over-the-board result.
    fn reached(
        &self,
        measure: &'static Measure,
        filters: &Filters,
    ) -> Result<Version, FactsStoreError> {
        let mut reached = match measure.has_records(filters) {
            true => self.reached_game(filters)?,
            false => Version::default(),
        };
        if measure.has_results(filters) {
            let last = last_result(self.results()?, filters)?;
            reached.as_of = reached.as_of.max(last);
        }
        Ok(reached)
    }

    fn reached_game(&self, filters: &Filters) -> Result<Version, FactsStoreError> {
        if filters.as_of.is_none() {
            return Ok(self.version);
        }
        let mut reached = last_recorded(&self.newest.lazy(), filters)?;
        for part in self.parts.iter().filter(|part| part.version.games > 0) {
            let last = match part.match_recorded(filters) {
                FilterMatch::All => part.version,
                FilterMatch::Some => {
                    let facts = self.store.scan_parts(std::slice::from_ref(part));
                    last_recorded(&facts, filters)?
                }
                FilterMatch::None => Version::default(),
            };
            reached = reached.merge(last);
        }
        Ok(reached)
    }

    /// Returns the sums of parts, which are cached.
    fn sums_of_parts(
        &self,
        parts: &[Part],
        (measure, filters): Question,
        add_up: impl Fn(&[Part]) -> Result<Sums, FactsStoreError>,
    ) -> Result<Sums, FactsStoreError> {
        let Some(cache) = &self.cache else {
            return add_up(parts);
        };
        let paths = parts.iter().map(Part::path).collect();
        let key = (paths, measure, filters.clone());
        if let Some(sums) = cache.sums.get(&key) {
            return Ok(Sums::clone(&sums));
        }
        let sums = add_up(parts)?;
        cache.sums.insert(key, Arc::new(sums.clone()));
        Ok(sums)
    }

    fn sums_of_summaries(
        &self,
        parts: &[Part],
        (measure, filters): Question,
    ) -> Result<Sums, FactsStoreError> {
        let scan = |summary| self.store.scan_summaries(summary, parts);
        Sums::from_summaries(scan, measure, filters, Engine::Streaming)
    }

    fn sums_of_totals(
        &self,
        cache: &SnapshotCache,
        (measure, filters): Question,
    ) -> Result<Sums, FactsStoreError> {
        let total = |summary| Ok::<_, FactsStoreError>(self.total(cache, summary)?.lazy());
        Sums::from_summaries(total, measure, filters, Engine::InMemory)
    }

    /// Returns the total of a summary over all parts, of which there must be at least one.
    fn total(
        &self,
        cache: &SnapshotCache,
        summary: &'static Summary,
    ) -> Result<DataFrame, FactsStoreError> {
        let mut totals = cache.totals();
        if let Some(total) = totals.get(&summary) {
            return Ok(total.clone());
        }
        let total = self.merged(summary, None, &self.parts)?;
        totals.insert(summary, total.clone());
        Ok(total)
    }

    fn merged(
        &self,
        summary: &'static Summary,
        mut total: Option<DataFrame>,
        parts: &[Part],
    ) -> Result<DataFrame, FactsStoreError> {
        for parts in parts.chunks(TOGETHER) {
            let own = summary.total(self.store.scan_summaries(summary, parts)?)?;
            total = Some(match total {
                Some(before) => {
                    summary.total(concat([before.lazy(), own.lazy()], UnionArgs::default())?)?
                }
                None => own,
            });
        }
        Ok(total.unwrap_or_default())
    }
}

/// Groups neighbouring parts that have at most [`GAMES_TOGETHER`] games. A larger part is alone.
fn batches(parts: &[Part]) -> Vec<&[Part]> {
    let mut games = 0;
    let is_same_batch = |part: &Part, next: &Part| {
        games += part.version.games;
        let fits = games + next.version.games <= GAMES_TOGETHER;
        if !fits {
            games = 0;
        }
        fits
    };
    parts.chunk_by(is_same_batch).collect()
}

fn version_of(parts: &[Part], newest: &Facts) -> Version {
    let versions = parts.iter().map(|part| part.version);
    versions.fold(newest.version(), Version::merge)
}

impl FactsStore {
    /// Computes a measure on all facts in the folder, also while another process adds facts.
    ///
    /// # Errors
    /// If there are no facts, if a part cannot be read, or if `as_of` is in the future.
    pub fn measure(
        &self,
        measure: &'static Measure,
        filters: &Filters,
    ) -> Result<StatisticsTable, FactsStoreError> {
        self.retry(filters, measure, |snapshot| {
            snapshot.measure(measure, filters)
        })
    }

    /// Compares two samples of the games in the folder.
    ///
    /// # Errors
    /// See [`FactsStore::measure`].
    pub fn compare(
        &self,
        measure: &'static Measure,
        [first, second]: [&Filters; 2],
    ) -> Result<SampleComparison, FactsStoreError> {
        let tables = [first, second].map(|filters| self.measure(measure, filters));
        let common = self.retry(first, measure, |snapshot| {
            snapshot.common_games(measure, [first, second])
        })?;
        let [first, second] = tables;
        Ok(SampleComparison::new(&first?, &second?, common)?)
    }

    /// Computes the measure `accuracy` on the analysed games in the folder.
    ///
    /// # Errors
    /// See [`FactsStore::measure`]; also if an analysis has turns that the game with this id does not have.
    pub fn accuracy(
        &self,
        analyses: &Analyses,
        filters: &Filters,
    ) -> Result<Accuracy, AccuracyError> {
        self.retry(filters, &ACCURACY, |snapshot| {
            let facts = self.scan_parts(&snapshot.parts);
            accuracy(&facts, analyses, filters)
        })
    }

    /// Runs a computation, and retries it if parts were merged while it ran.
    fn retry<A, E: From<FactsStoreError>>(
        &self,
        filters: &Filters,
        measure: &'static Measure,
        ask: impl Fn(&Snapshot) -> Result<A, E>,
    ) -> Result<A, E> {
        let manifest = self.manifest()?;
        let until = measure.known_until(filters, manifest.complete_until(Timestamp::now()));
        filters.check_as_of(manifest.version().log_position, until)?;
        let mut parts = manifest.parts;
        if parts.is_empty() {
            return Err(FactsStoreError::Empty(self.directory().to_owned()).into());
        }
        for _ in 0..TRIES {
            let result = ask(&Snapshot::new(self.clone(), parts.clone())?);
            let now = self.manifest()?.parts;
            // Merged parts are removed from disk.
            if result.is_ok() || now == parts {
                return result;
            }
            parts = now;
        }
        ask(&Snapshot::new(self.clone(), parts)?)
    }
}
