//! Measures on facts of any number of games, in bounded memory: what they add up comes from
//! summaries where these tell it, and else from the rows, part after part.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use jiff::Timestamp;
use moka::sync::Cache;
use polars::prelude::*;

use crate::analyses::Analyses;
use crate::answer::{Accuracy, AccuracyError, Table, accuracy, last_recorded, last_result, table};
use crate::facts::{FactTable, Facts, Version};
use crate::measures::sums::Sums;
use crate::measures::{ACCURACY, Kept, Measure, Summary, kept_summaries};
use crate::question::Filters;
use crate::storage::{Part, Passing, Store, StoreError};

/// How many summaries are read together.
const TOGETHER: usize = 32;

/// How many bytes of parts' sums are in memory before they are merged.
const UNMERGED: usize = 64 << 20;

/// How often a measure is tried again when parts were merged meanwhile.
const TRIES: usize = 5;

/// What is asked, and of which games.
type Question<'a> = (&'static Measure, &'a Filters);

/// A part by the path of its file, and what is asked of it.
type SumsKey = (PathBuf, &'static Measure, Filters);

/// An unchanging picture of facts: parts on disk and games that are in no part yet. Cheap to
/// clone.
#[derive(Clone, Debug)]
pub struct Snapshot {
    store: Store,
    parts: Arc<[Part]>,
    newest: Facts,
    version: Version,
    cache: Option<Arc<SnapshotCache>>,
}

/// What is kept in memory for the next question. Parts never change, so it never grows old.
#[derive(Debug)]
struct SnapshotCache {
    /// The summaries that are asked for most, of all parts together and without leagues, each once it was asked for.
    totals: Mutex<HashMap<&'static Summary, DataFrame>>,
    /// What was added up in single parts for a question.
    sums: Cache<SumsKey, Arc<Sums>>,
}

impl SnapshotCache {
    fn totals(&self) -> MutexGuard<'_, HashMap<&'static Summary, DataFrame>> {
        // Frames are replaced as a whole, so a panic elsewhere cannot have left half of one.
        self.totals.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Snapshot {
    /// Parts of a folder.
    ///
    /// # Errors
    /// None in practice: empty columns make a frame.
    pub fn new(store: Store, parts: Vec<Part>) -> Result<Snapshot, StoreError> {
        let newest = Facts::empty()?;
        Ok(Snapshot {
            version: version_of(&parts, &newest),
            store,
            parts: parts.into(),
            newest,
            cache: None,
        })
    }

    /// The same, which keeps summaries in memory, and up to so many bytes of what it has added up
    /// in single parts.
    pub fn keeping(mut self, bytes: u64) -> Snapshot {
        let size = |(.., filters): &SumsKey, sums: &Arc<Sums>| {
            // A frame costs more than what is in it.
            u32::try_from(sums.size() + filters.size() + 4_096).unwrap_or(u32::MAX)
        };
        let sums = Cache::builder().max_capacity(bytes).weigher(size).build();
        self.cache = Some(Arc::new(SnapshotCache {
            totals: Mutex::default(),
            sums,
        }));
        self
    }

    /// The same facts after small parts were merged.
    pub fn compacted(&self, parts: Vec<Part>) -> Snapshot {
        Snapshot {
            parts: parts.into(),
            ..self.clone()
        }
    }

    /// Facts that have grown: by further parts, and with other games that are in no part yet.
    ///
    /// # Errors
    /// When a summary cannot be read.
    pub fn grown(&self, parts: &[Part], newest: Facts) -> Result<Snapshot, StoreError> {
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
    ) -> Result<Mutex<HashMap<&'static Summary, DataFrame>>, StoreError> {
        let before = cache.totals().clone().into_iter();
        let merged = before.map(|(summary, total)| {
            let total = self.merged(summary, Some(total), parts)?;
            Ok((summary, total))
        });
        Ok(Mutex::new(merged.collect::<Result<_, StoreError>>()?))
    }

    /// What the facts are.
    pub fn version(&self) -> Version {
        self.version
    }

    /// The games that are in no part yet.
    pub fn newest(&self) -> &Facts {
        &self.newest
    }

    /// Reads what is kept in memory, so that the first question need not wait for it.
    ///
    /// # Errors
    /// When a summary cannot be read.
    pub fn warm(&self) -> Result<(), StoreError> {
        let Some(cache) = &self.cache else {
            return Ok(());
        };
        for summary in kept_summaries().filter(|summary| summary.kept == Kept::InMemory) {
            self.total(cache, summary)?;
        }
        Ok(())
    }

    /// Reads every file anew to find one that is damaged.
    ///
    /// # Errors
    /// With the first such file.
    pub fn check(&self) -> Result<(), StoreError> {
        let mut damaged = self.store.damaged(&self.parts).into_iter();
        match damaged.next() {
            Some((_, path)) => Err(StoreError::Damaged(path)),
            None => Ok(()),
        }
    }

    /// Answers a measure: the same numbers as [`measure`](crate::measure) on all rows.
    ///
    /// # Errors
    /// When a part cannot be read; also when it has been merged with others since, see
    /// [`Store::measure`].
    pub fn measure(
        &self,
        measure: &'static Measure,
        filters: &Filters,
    ) -> Result<Table, StoreError> {
        let sums = self.sums(measure, filters)?;
        let reached = self.reached(measure, filters)?;
        Ok(table(&sums, measure, filters, reached)?)
    }

    /// What is added up for a measure.
    fn sums(&self, measure: &'static Measure, filters: &Filters) -> Result<Sums, StoreError> {
        let edition = filters.edition.as_ref();
        let passing = |part: &&Part| {
            part.version.games > 0 && edition.is_none_or(|edition| part.edition == *edition)
        };
        let timed = filters.is_timed();
        let (mut whole, mut cut) = (Vec::new(), Vec::new());
        let has_records = measure.has_records(filters);
        let parts = self.parts.iter().filter(|_| has_records);
        for part in parts.filter(passing) {
            match part.passing(filters) {
                Passing::All => whole.push(part),
                Passing::Some => cut.push(part),
                Passing::None => {}
            }
        }
        if !Sums::are_in_summaries(measure, filters) {
            cut.append(&mut whole);
        }
        let question = (measure, filters);
        let mut sums = Vec::new();
        if measure.has_results(filters) {
            let results = self.results()?;
            sums.push(Sums::of_results(
                results,
                measure,
                filters,
                Engine::InMemory,
            )?);
        }
        match (&self.cache, whole.is_empty()) {
            (_, true) => {}
            (Some(cache), _) if !timed && Sums::are_warm(measure, filters) => {
                sums.push(self.of_totals(cache, question)?)
            }
            (Some(_), _) => {
                for part in whole {
                    let parts = std::slice::from_ref(part);
                    sums.push(
                        self.of_parts(parts, question, |parts| self.of_summaries(parts, question))?,
                    );
                }
            }
            (None, _) => {
                let whole: Vec<Part> = whole.into_iter().cloned().collect();
                for parts in whole.chunks(TOGETHER) {
                    sums.push(self.of_summaries(parts, question)?);
                }
            }
        }
        // Of most measures so many rows are left of one that no more have room in memory.
        let together = match (&self.cache, &filters.digest) {
            (None, Some(_)) => TOGETHER,
            _ => 1,
        };
        let mut cut: Vec<Part> = cut.into_iter().cloned().collect();
        // A position is of one edition.
        cut.sort_by(|one, other| one.edition.cmp(&other.edition));
        for parts in cut.chunks(together) {
            sums.push(self.of_parts(parts, question, |parts| {
                let facts = self.store.scan_parts(parts);
                let engine = Engine::Streaming;
                Ok(Sums::of_rows(&facts, measure, filters, engine)?)
            })?);
            let unmerged: usize = sums.iter().skip(1).map(Sums::size).sum();
            if unmerged > UNMERGED {
                sums = vec![Sums::merge(measure, sums)?];
            }
        }
        if has_records && (self.newest.version().games > 0 || sums.is_empty()) {
            let newest = self.newest.lazy();
            let engine = Engine::InMemory;
            sums.push(Sums::of_rows(&newest, measure, filters, engine)?);
        }
        Ok(Sums::merge(measure, sums)?)
    }

    /// All results at real tables.
    fn results(&self) -> Result<LazyFrame, StoreError> {
        let newest = self.newest.lazy().table(FactTable::Results)?;
        let parts = self.parts.iter().filter(|part| part.results > 0);
        let parts: Vec<Part> = parts.cloned().collect();
        if parts.is_empty() {
            return Ok(newest);
        }
        let kept = self.store.scan_results(&parts)?;
        Ok(concat([kept, newest], UnionArgs::default())?)
    }

    /// Up to which recorded game the filters let games pass: the place of the last one, and when it was recorded, or a
    /// result at a real table was that is asked for.
    fn reached(&self, measure: &'static Measure, filters: &Filters) -> Result<Version, StoreError> {
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

    fn reached_game(&self, filters: &Filters) -> Result<Version, StoreError> {
        if filters.as_of.is_none() {
            return Ok(self.version);
        }
        let mut reached = last_recorded(&self.newest.lazy(), filters)?;
        for part in self.parts.iter().filter(|part| part.version.games > 0) {
            let last = match part.passing_by_place(filters) {
                Passing::All => part.version,
                Passing::Some => {
                    let facts = self.store.scan_parts(std::slice::from_ref(part));
                    last_recorded(&facts, filters)?
                }
                Passing::None => Version::default(),
            };
            reached = reached.merge(last);
        }
        Ok(reached)
    }

    /// What is added up in parts, which is kept for one.
    fn of_parts(
        &self,
        parts: &[Part],
        (measure, filters): Question,
        add_up: impl Fn(&[Part]) -> Result<Sums, StoreError>,
    ) -> Result<Sums, StoreError> {
        let (Some(cache), [part]) = (&self.cache, parts) else {
            return add_up(parts);
        };
        let key = (part.path(), measure, filters.clone());
        if let Some(sums) = cache.sums.get(&key) {
            return Ok(Sums::clone(&sums));
        }
        let sums = add_up(parts)?;
        cache.sums.insert(key, Arc::new(sums.clone()));
        Ok(sums)
    }

    fn of_summaries(
        &self,
        parts: &[Part],
        (measure, filters): Question,
    ) -> Result<Sums, StoreError> {
        let scan = |summary| self.store.scan_summaries(summary, parts);
        Sums::of_summaries(scan, measure, filters, Engine::Streaming)
    }

    fn of_totals(
        &self,
        cache: &SnapshotCache,
        (measure, filters): Question,
    ) -> Result<Sums, StoreError> {
        let total = |summary| Ok::<_, StoreError>(self.total(cache, summary)?.lazy());
        Sums::of_summaries(total, measure, filters, Engine::InMemory)
    }

    /// A summary of all parts, of which there is one or more.
    fn total(
        &self,
        cache: &SnapshotCache,
        summary: &'static Summary,
    ) -> Result<DataFrame, StoreError> {
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
    ) -> Result<DataFrame, StoreError> {
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

fn version_of(parts: &[Part], newest: &Facts) -> Version {
    let versions = parts.iter().map(|part| part.version);
    versions.fold(newest.version(), Version::merge)
}

impl Store {
    /// Answers a measure on all facts in the folder, also while another process adds some.
    ///
    /// # Errors
    /// When there are no facts, or a part cannot be read; when the table is asked as of what is not over.
    pub fn measure(
        &self,
        measure: &'static Measure,
        filters: &Filters,
    ) -> Result<Table, StoreError> {
        self.asked(filters, measure, |snapshot| {
            snapshot.measure(measure, filters)
        })
    }

    /// Answers the measure `accuracy` on the games of the folder that were analysed.
    ///
    /// # Errors
    /// As [`Store::measure`]; and when an analysis tells of turns that the game of this id does not have.
    pub fn accuracy(
        &self,
        analyses: &Analyses,
        filters: &Filters,
    ) -> Result<Accuracy, AccuracyError> {
        self.asked(filters, &ACCURACY, |snapshot| {
            let facts = self.scan_parts(&snapshot.parts);
            accuracy(&facts, analyses, filters)
        })
    }

    /// Asks what there is, again when parts were merged meanwhile.
    fn asked<A, E: From<StoreError>>(
        &self,
        filters: &Filters,
        measure: &'static Measure,
        ask: impl Fn(&Snapshot) -> Result<A, E>,
    ) -> Result<A, E> {
        let manifest = self.manifest()?;
        let until = measure.known_until(filters, manifest.whole_until(Timestamp::now()));
        filters.check_as_of(manifest.version().log_position, until)?;
        let mut parts = manifest.parts;
        if parts.is_empty() {
            return Err(StoreError::Empty(self.directory().to_owned()).into());
        }
        for _ in 0..TRIES {
            let asked = ask(&Snapshot::new(self.clone(), parts.clone())?);
            let now = self.manifest()?.parts;
            // Parts that are merged with others are removed.
            if asked.is_ok() || now == parts {
                return asked;
            }
            parts = now;
        }
        ask(&Snapshot::new(self.clone(), parts)?)
    }
}
