//! Adds facts to a folder, one process at a time, and merges small parts into larger ones.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fs::{File, TryLockError};
use std::io::Write;
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use polars::prelude::*;
use xxhash_rust::xxh3::Xxh3;

use super::error::FactsStoreError;
use super::manifest::{FactsManifest, LogCursor, write_whole};
use super::part::Part;
use super::store::{FactsStore, PARTITIONS, entries};
use crate::facts::parquet::metadata;
use crate::facts::{FactTable, Facts, Version};
use crate::measures::{LEAGUE, Summary, stored_summaries};

/// Sizes of parts, in games, below which parts of one edition and month are merged.
/// Parts that together reach one of these sizes are merged into one. Larger parts stay as they are, because reading
/// a part can need as much memory as its size.
const SIZES: [u64; 2] = [4_096, 32_768];

/// The most parts of one size in an edition and month.
const PARTS: usize = 16;

/// The file that a writer locks.
pub(crate) const LOCK: &str = "lock";

/// A folder of facts that this process has locked for writing.
#[derive(Debug)]
pub struct FactsWriter {
    store: FactsStore,
    manifest: FactsManifest,
    _lock: Lock,
}

/// A locked file. The system unlocks it at the end of the process.
#[derive(Debug)]
struct Lock(File);

impl Drop for Lock {
    fn drop(&mut self) {
        // A program that another thread is starting holds a copy of the file for a moment, so closing is not enough.
        let _ = self.0.unlock();
    }
}

impl FactsWriter {
    /// Locks the folder, which is created if needed, and removes files of an interrupted run.
    ///
    /// # Errors
    /// - [`FactsStoreError::Locked`]: another process has it.
    /// - [`FactsStoreError::Form`]: the facts have another format version, see [`FactsWriter::open_empty`].
    /// - [`FactsStoreError::Published`]: it is a dataset.
    pub fn open(store: &FactsStore) -> Result<FactsWriter, FactsStoreError> {
        refuse_datasets(store)?;
        let lock = lock(store)?;
        let manifest = store.manifest()?;
        FactsWriter::start(store, lock, manifest)
    }

    /// Locks the folder and removes all facts in it, of any format version.
    ///
    /// # Errors
    /// [`FactsStoreError::Locked`] if another process has it; [`FactsStoreError::Published`] if it is a dataset.
    pub fn open_empty(store: &FactsStore) -> Result<FactsWriter, FactsStoreError> {
        refuse_datasets(store)?;
        let lock = lock(store)?;
        FactsWriter::start(store, lock, FactsManifest::default())
    }

    fn start(
        store: &FactsStore,
        lock: Lock,
        manifest: FactsManifest,
    ) -> Result<FactsWriter, FactsStoreError> {
        // The manifest exists before there are parts.
        manifest.write(store.directory())?;
        let writer = FactsWriter {
            store: store.clone(),
            manifest,
            _lock: lock,
        };
        writer.sweep()?;
        Ok(writer)
    }

    /// Returns the folder.
    pub fn store(&self) -> &FactsStore {
        &self.store
    }

    /// Returns the manifest.
    pub fn manifest(&self) -> &FactsManifest {
        &self.manifest
    }

    /// Adds facts as new parts, one for each edition and month, and returns the new parts.
    /// `cursor` is the offset in the log that the facts then cover; `skipped` counts games without facts.
    ///
    /// # Errors
    /// If a file cannot be written. Then nothing is added.
    pub fn append(
        &mut self,
        facts: &Facts,
        cursor: Option<LogCursor>,
        without_facts: u64,
    ) -> Result<Vec<Part>, FactsStoreError> {
        // The same games have the same part.
        let is_new = |part: &Part| {
            let mut counted = self.manifest.parts.iter();
            !counted.any(|counted| counted.path() == part.path())
        };
        let added = self.write_parts(facts, is_new)?;
        let mut manifest = self.manifest.clone();
        manifest.parts.extend(added.iter().cloned());
        // Facts from files have no time up to which they are complete.
        manifest.complete_until = manifest.complete_until.filter(|_| cursor.is_some());
        manifest.cursor = cursor;
        manifest.without_facts = without_facts;
        manifest.write(self.store.directory())?;
        self.manifest = manifest;
        Ok(added)
    }

    /// Writes facts as parts that are not valid yet, see [`FactsWriter::replace_parts`].
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn write(&self, facts: &Facts) -> Result<Vec<Part>, FactsStoreError> {
        self.write_parts(facts, |_| true)
    }

    fn write_parts(
        &self,
        facts: &Facts,
        is_wanted: impl Fn(&Part) -> bool,
    ) -> Result<Vec<Part>, FactsStoreError> {
        let mut written = Vec::new();
        let mut all = partitions(facts.games())?;
        all.extend(partitions(facts.results())?);
        for (edition, month) in all {
            let facts = facts.filtered(|frame| in_partition(frame, &edition, &month))?;
            let games = facts.games();
            let played = games.column("played_at")?.datetime()?.physical();
            let recorded = games.column("recorded_at")?.datetime()?.physical();
            let time = |micros: Option<i64>| Timestamp::from_microsecond(micros?).ok();
            let mut part = Part {
                edition,
                month,
                version: facts.version(),
                first: time(played.min()),
                last: time(played.max()),
                first_position: games.column("log_position")?.i64()?.min().unwrap_or(0),
                first_recorded: time(recorded.min()),
                results: facts.results().height() as u64,
                sums: Vec::new(),
            };
            if is_wanted(&part) {
                part.sums = self.write_part(&part, &facts)?;
                written.push(part);
            }
        }
        Ok(written)
    }

    /// Replaces damaged parts by new ones with the same games.
    /// Returns false, without a change, if the games differ.
    ///
    /// # Errors
    /// If a file cannot be written or removed.
    pub fn replace_parts(
        &mut self,
        damaged: &[Part],
        written: Vec<Part>,
    ) -> Result<bool, FactsStoreError> {
        let whole = |parts: &[Part]| {
            let versions = parts.iter().map(|part| part.version);
            let results: u64 = parts.iter().map(|part| part.results).sum();
            (versions.fold(Version::default(), Version::merge), results)
        };
        let is_same = whole(damaged) == whole(&written);
        if is_same {
            self.change(|manifest| {
                manifest.parts.retain(|part| !damaged.contains(part));
                manifest.parts.extend(written);
            })?;
        }
        self.sweep()?;
        Ok(is_same)
    }

    /// Removes all facts.
    ///
    /// # Errors
    /// If the manifest cannot be written or a file cannot be removed.
    pub fn clear(&mut self) -> Result<(), FactsStoreError> {
        self.change(|manifest| *manifest = FactsManifest::default())?;
        self.sweep()
    }

    /// Stores the time up to which the parts are complete.
    ///
    /// # Errors
    /// If the manifest cannot be written.
    pub fn set_complete_until(&mut self, until: Option<Timestamp>) -> Result<(), FactsStoreError> {
        self.change(|manifest| manifest.complete_until = until)
    }

    fn change(&mut self, change: impl FnOnce(&mut FactsManifest)) -> Result<(), FactsStoreError> {
        let mut manifest = self.manifest.clone();
        change(&mut manifest);
        if manifest != self.manifest {
            manifest.write(self.store.directory())?;
            self.manifest = manifest;
        }
        Ok(())
    }

    /// Writes the files of a part and returns their checksums.
    fn write_part(&self, part: &Part, facts: &Facts) -> Result<Vec<u64>, FactsStoreError> {
        let mut sums = Vec::new();
        for (table, (name, frame)) in FactTable::ALL.iter().zip(facts.tables()) {
            let frame = frame.drop_many(PARTITIONS);
            let schema = frame.schema().clone();
            let path = self.store.table(name).join(part.path());
            sums.push(write_parquet(
                &path,
                &schema,
                dictionary(*table),
                [Ok(frame)],
            )?);
        }
        let lazy = facts.lazy();
        for summary in stored_summaries() {
            sums.push(self.write_summary(summary, part, summary.compute(&lazy)?)?);
        }
        Ok(sums)
    }

    fn write_summary(
        &self,
        summary: &Summary,
        part: &Part,
        frame: DataFrame,
    ) -> Result<u64, FactsStoreError> {
        let schema = frame.schema().clone();
        let path = self.store.summary(summary).join(part.path());
        // Sorted by league, so that a query about one league reads few row groups.
        let frame = match summary.is_by_league() {
            true => frame.sort([LEAGUE], SortMultipleOptions::default())?,
            false => frame,
        };
        let starts = (0..frame.height().max(1)).step_by(ROWS_TOGETHER);
        let groups = starts.map(|start| Ok(frame.slice(start as i64, ROWS_TOGETHER)));
        write_parquet(&path, &schema, String::new(), groups)
    }

    /// Merges small parts of an edition and month, if there are enough. Returns true if more can remain.
    ///
    /// # Errors
    /// If a file cannot be read or written. Then the small parts stay valid.
    pub fn compact(&mut self) -> Result<bool, FactsStoreError> {
        let Some(small) = mergeable(&self.manifest.parts) else {
            return Ok(false);
        };
        let versions = small.iter().map(|part| part.version);
        let mut merged = Part {
            version: versions.fold(Version::default(), Version::merge),
            first: small.iter().filter_map(|part| part.first).min(),
            last: small.iter().filter_map(|part| part.last).max(),
            first_position: (small.iter().map(|part| part.first_position))
                .min()
                .unwrap_or(0),
            first_recorded: small.iter().filter_map(|part| part.first_recorded).min(),
            results: small.iter().map(|part| part.results).sum(),
            sums: Vec::new(),
            ..small[0].clone()
        };
        for fact_table in FactTable::ALL {
            let table = fact_table.name();
            let read = |part| self.store.read_table(*fact_table, part);
            let frames = small.iter().map(read);
            let mut frames = frames.peekable();
            let schema = match frames.peek() {
                Some(Ok(frame)) => frame.schema().clone(),
                // The next read returns the error.
                _ => SchemaRef::default(),
            };
            let path = self.store.table(table).join(merged.path());
            let sum = write_parquet(&path, &schema, dictionary(*fact_table), frames)?;
            merged.sums.push(sum);
        }
        for summary in stored_summaries() {
            // One part at a time: summaries of many players are large.
            let mut sums = None;
            for part in &small {
                let more = self.store.read_summary(summary, part)?;
                let frames = sums.take().into_iter().chain([more]).collect();
                sums = Some(summary.merge(frames)?);
            }
            let sum = self.write_summary(summary, &merged, sums.unwrap_or_default())?;
            merged.sums.push(sum);
        }
        let mut manifest = self.manifest.clone();
        manifest.parts.retain(|part| !small.contains(part));
        manifest.parts.push(merged);
        manifest.write(self.store.directory())?;
        self.manifest = manifest;
        for part in &small {
            for root in self.store.roots() {
                let path = root.join(part.path());
                std::fs::remove_file(&path).map_err(FactsStoreError::io(&path))?;
            }
        }
        Ok(true)
    }

    /// Removes files that belong to no valid part.
    fn sweep(&self) -> Result<(), FactsStoreError> {
        let counted: HashSet<PathBuf> = self.manifest.parts.iter().map(Part::path).collect();
        for root in self.store.roots() {
            for edition in entries(&root)? {
                for month in entries(&edition)? {
                    for file in entries(&month)? {
                        let below = file.strip_prefix(&root);
                        if below.is_ok_and(|below| counted.contains(below)) {
                            continue;
                        }
                        // Other files are not touched.
                        let name = file.file_name().unwrap_or_default().to_string_lossy();
                        if name.starts_with("part-") {
                            std::fs::remove_file(&file).map_err(FactsStoreError::io(&file))?;
                        }
                    }
                }
            }
        }
        Ok(())
    }
}

/// The number of rows in a row group of a summary.
const ROWS_TOGETHER: usize = 16_384;

/// Files that only a published dataset has: its description and its checksums.
pub(crate) const PUBLISHED: [&str; 2] = ["datapackage.json", "SHA256SUMS"];

/// Published datasets never change.
fn refuse_datasets(store: &FactsStore) -> Result<(), FactsStoreError> {
    let folder = store.directory();
    match PUBLISHED.iter().any(|file| folder.join(file).exists()) {
        true => Err(FactsStoreError::Published(folder.to_owned())),
        false => Ok(()),
    }
}

/// Locks the folder, which is created if needed.
fn lock(store: &FactsStore) -> Result<Lock, FactsStoreError> {
    let folder = store.directory();
    std::fs::create_dir_all(folder).map_err(FactsStoreError::io(folder))?;
    let path = folder.join(LOCK);
    let file = File::create(&path).map_err(FactsStoreError::io(&path))?;
    match file.try_lock() {
        Ok(()) => Ok(Lock(file)),
        Err(TryLockError::WouldBlock) => Err(FactsStoreError::Locked(folder.to_owned())),
        Err(TryLockError::Error(error)) => Err(FactsStoreError::io(&path)(error)),
    }
}

/// Returns small parts of one edition and month to merge, in the order of their games.
fn mergeable(parts: &[Part]) -> Option<Vec<Part>> {
    let mut alike: BTreeMap<(&str, &str, usize), Vec<&Part>> = BTreeMap::new();
    for part in parts {
        let size = SIZES.iter().position(|size| part.version.games < *size);
        if let Some(size) = size {
            let key = (part.edition.as_str(), part.month.as_str(), size);
            alike.entry(key).or_default().push(part);
        }
    }
    let enough = alike.into_iter().find(|((.., size), parts)| {
        let games: u64 = parts.iter().map(|part| part.version.games).sum();
        parts.len() >= PARTS || parts.len() > 1 && games >= SIZES[*size]
    });
    let mut parts: Vec<Part> = enough?.1.into_iter().cloned().collect();
    parts.sort_by_key(|part| part.first);
    Some(parts)
}

/// Returns the editions and months of a table.
fn partitions(games: &DataFrame) -> PolarsResult<BTreeSet<(String, String)>> {
    let (editions, months) = (
        games.column("edition")?.str()?,
        games.column("month")?.str()?,
    );
    let pairs = editions.iter().zip(months.iter());
    Ok(pairs
        .filter_map(|(edition, month)| Some((edition?.to_owned(), month?.to_owned())))
        .collect())
}

fn in_partition(frame: &DataFrame, edition: &str, month: &str) -> PolarsResult<DataFrame> {
    let editions = frame.column("edition")?.str()?.equal(edition);
    let months = frame.column("month")?.str()?.equal(month);
    frame.filter(&(editions & months))
}

/// Returns the columns of a table with types, units and meanings, as JSON.
fn dictionary(table: FactTable) -> String {
    // Plain data is always JSON.
    serde_json::to_string(table.columns()).unwrap_or_default()
}

/// A writer that computes the checksum of a file.
struct ChecksumWriter<'a> {
    file: &'a mut File,
    sum: Xxh3,
}

impl Write for ChecksumWriter<'_> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let count = self.file.write(bytes)?;
        self.sum.update(&bytes[..count]);
        Ok(count)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.file.flush()
    }
}

/// Writes frames into one file, with only one of them in memory. Returns the checksum of the file.
/// The metadata contain the `dictionary`.
pub(crate) fn write_parquet(
    path: &Path,
    schema: &Schema,
    dictionary: String,
    frames: impl IntoIterator<Item = Result<DataFrame, FactsStoreError>>,
) -> Result<u64, FactsStoreError> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(FactsStoreError::io(folder))?;
    }
    let table = || FactsStoreError::table(path);
    let mut written = 0;
    write_whole(path, |file| {
        let mut summed = ChecksumWriter {
            file,
            sum: Xxh3::new(),
        };
        let dictionary = [("dictionary".to_owned(), dictionary)];
        let writer = ParquetWriter::new(&mut summed)
            .with_compression(ParquetCompression::Zstd(None))
            .with_key_value_metadata(Some(metadata(schema, dictionary)));
        let mut writer = writer.batched(schema).map_err(table())?;
        for frame in frames {
            let mut frame = frame?;
            frame.rechunk_mut();
            writer.write_batch(&frame).map_err(table())?;
        }
        writer.finish().map_err(table())?;
        drop(writer);
        written = summed.sum.digest();
        Ok(())
    })?;
    Ok(written)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A process that has just been forked has copies of all open files.
    #[test]
    fn a_copy_of_the_locked_file_does_not_keep_the_lock() {
        let folder = tempfile::tempdir().unwrap();
        let store = FactsStore::new(folder.path());
        let locked = lock(&store).unwrap();
        let _copy = locked.0.try_clone().unwrap();
        drop(locked);
        lock(&store).unwrap();
    }
}
