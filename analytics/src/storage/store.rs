//! Facts on disk: Parquet files in hive layout.
//!
//! A file is `DIR/games/edition=antike/month=2026-11/part-….parquet`, and the same for each other table and for each
//! summary in `summaries`. `DIR/manifest.json` lists the valid parts. [`FactsWriter`](super::FactsWriter) adds
//! parts.

use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use polars::prelude::*;
use rayon::prelude::*;
use xxhash_rust::xxh3::{Xxh3, xxh3_128};

use super::error::FactsStoreError;
use super::manifest::FactsManifest;
use super::part::{FilterMatch, Part};
use crate::facts::{FactTable, Facts, LazyFacts, Rater, Version};
use crate::measures::{Summary, stored_summaries};
use crate::question::Filters;

/// The columns that are folders on disk and not in the files.
pub(crate) const PARTITIONS: [&str; 2] = ["edition", "month"];

/// A folder of facts.
#[derive(Clone, Debug)]
pub struct FactsStore {
    directory: PathBuf,
    /// Hashes of the metadata of files that were checked.
    checked: Arc<Mutex<HashSet<u64>>>,
}

/// The games and results in some parts, by their position in a log.
#[derive(Clone, Debug, Default)]
pub struct StoredKeys {
    /// The offsets of the games in the log.
    pub positions: HashSet<i64>,
    /// The ids and revisions of over-the-board results.
    pub revisions: HashSet<(String, u32)>,
}

impl FactsStore {
    /// Returns the store of a folder, which need not exist yet.
    pub fn new(directory: impl Into<PathBuf>) -> FactsStore {
        FactsStore {
            directory: directory.into(),
            checked: Arc::default(),
        }
    }

    /// Returns the path of the folder.
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// Returns the folder of a table.
    pub(super) fn table(&self, name: &str) -> PathBuf {
        self.directory.join(name)
    }

    /// Returns the folder of a summary.
    pub(super) fn summary(&self, summary: &Summary) -> PathBuf {
        self.directory.join("summaries").join(summary.name)
    }

    /// Reads the manifest; it is empty if the folder does not exist.
    ///
    /// # Errors
    /// If the facts have another format version.
    pub fn manifest(&self) -> Result<FactsManifest, FactsStoreError> {
        let games = self.table("games");
        match FactsManifest::read(&self.directory)? {
            Some(manifest) => Ok(manifest),
            // A writer would remove these files.
            None if games.is_dir() => Err(FactsStoreError::Form(games)),
            None => Ok(FactsManifest::default()),
        }
    }

    /// Returns the games in the folder: the [`id_hash`] of each id and the content hash of the record.
    /// The result needs 24 bytes a game; parts are read one by one.
    ///
    /// # Errors
    /// If a part cannot be read.
    pub fn games(&self) -> Result<HashMap<u128, u64>, FactsStoreError> {
        let mut games = HashMap::new();
        for part in self.manifest()?.parts {
            let ids = self.scan_table(FactTable::Games, std::slice::from_ref(&part))?;
            let ids = ids
                .select([col("game"), col("content_1"), col("content_2")])
                .collect()
                .map_err(FactsStoreError::table(&self.directory))?;
            let half = |name: &str| -> PolarsResult<UInt32Chunked> {
                Ok(ids.column(name)?.u32()?.clone())
            };
            let (first, second) = (half("content_1")?, half("content_2")?);
            let names = ids.column("game")?.str()?;
            let each = names.iter().zip(first.iter().zip(second.iter()));
            games.extend(each.filter_map(|(id, (first, second))| {
                let content = u64::from(first?) << 32 | u64::from(second?);
                Some((id_hash(id?), content))
            }));
        }
        Ok(games)
    }

    /// Returns the ratings of players after the games in the folder.
    ///
    /// # Errors
    /// If a part cannot be read.
    pub fn rater(&self) -> Result<Rater, FactsStoreError> {
        let mut rater = Rater::default();
        for part in self.manifest()?.parts {
            let rows = self.scan_table(FactTable::Ratings, std::slice::from_ref(&part))?;
            let rows = rows.collect();
            let noted = rows.and_then(|rows| rater.note(&rows));
            noted.map_err(FactsStoreError::table(&self.directory))?;
        }
        Ok(rater)
    }

    /// Returns all facts in the folder, which are read when needed.
    ///
    /// # Errors
    /// If there are none, or if a part cannot be read.
    pub fn scan(&self) -> Result<LazyFacts, FactsStoreError> {
        let parts = self.manifest()?.parts;
        match parts.is_empty() {
            true => Err(FactsStoreError::Empty(self.directory.clone())),
            false => Ok(self.scan_parts(&parts)),
        }
    }

    /// Reads all facts in the folder into memory.
    ///
    /// # Errors
    /// If there are none, or if a part cannot be read.
    pub fn read(&self) -> Result<Facts, FactsStoreError> {
        self.collect(&self.scan()?, None, &Filters::default())
    }

    /// Reads the games of a part that `as_of` includes into memory.
    pub(crate) fn read_part(
        &self,
        part: &Part,
        filters: &Filters,
    ) -> Result<Facts, FactsStoreError> {
        let facts = self.scan_parts(std::slice::from_ref(part));
        let games = match (filters.recorded_condition(), part.match_recorded(filters)) {
            (Some(condition), FilterMatch::Some | FilterMatch::None) => {
                let games = facts
                    .table(FactTable::Games)?
                    .filter(condition.expression());
                Some(games.select([col("game")]))
            }
            _ => None,
        };
        self.collect(&facts, games, filters)
    }

    /// Reads facts into memory: the given games or all, and the results that `as_of` includes.
    fn collect(
        &self,
        facts: &LazyFacts,
        games: Option<LazyFrame>,
        filters: &Filters,
    ) -> Result<Facts, FactsStoreError> {
        let in_order = || JoinArgs {
            maintain_order: MaintainOrderJoin::Left,
            ..JoinArgs::new(JoinType::Inner)
        };
        let collect = |table: &FactTable| {
            let columns = table.columns().iter();
            let columns: Vec<Expr> = columns.map(|column| col(column.name)).collect();
            let frame = facts.table(*table)?;
            let frame = match (&games, filters.recorded_condition()) {
                (_, Some(condition)) if *table == FactTable::Results => {
                    frame.filter(condition.expression())
                }
                (Some(games), _) => {
                    frame.join(games.clone(), [col("game")], [col("game")], in_order())
                }
                (None, _) => frame,
            };
            let frame = frame.select(columns).collect();
            frame.map_err(FactsStoreError::table(&self.directory))
        };
        let tables = FactTable::ALL.iter().map(collect);
        Ok(Facts::from_tables(
            tables.collect::<Result<_, FactsStoreError>>()?,
        )?)
    }

    /// Returns the facts of one or more parts.
    pub(crate) fn scan_parts(&self, parts: &[Part]) -> LazyFacts {
        let versions = parts.iter().map(|part| part.version);
        let version = versions.fold(Version::default(), Version::merge);
        let (store, parts) = (self.clone(), parts.to_vec());
        LazyFacts::from_files(version, move |table| {
            let frame = store.scan_table(table, &parts);
            Ok(frame.map_err(std::io::Error::other)?)
        })
    }

    /// Returns the keys of the games and results in these parts.
    ///
    /// # Errors
    /// If a part cannot be read.
    pub fn keys(&self, parts: &[Part]) -> Result<StoredKeys, FactsStoreError> {
        let mut known = StoredKeys::default();
        for part in parts {
            let read = |table: FactTable, columns: &[&str]| -> Result<DataFrame, FactsStoreError> {
                let scanned = self.scan_table(table, std::slice::from_ref(part))?;
                let columns: Vec<Expr> = columns.iter().map(|name| col(*name)).collect();
                let collected = scanned.select(columns).collect();
                collected.map_err(FactsStoreError::table(&self.directory))
            };
            let games = read(FactTable::Games, &["log_position"])?;
            let positions = games.column("log_position")?.i64()?;
            known.positions.extend(positions.iter().flatten());
            known.add_results(&read(FactTable::Results, &["game", "revision"])?)?;
        }
        Ok(known)
    }

    /// Reads all files, and returns the parts with a damaged or missing file and the first such file.
    pub fn damaged(&self, parts: &[Part]) -> Vec<(Part, PathBuf)> {
        // A panic in another thread cannot leave the set in an invalid state.
        let mut checked = self.checked.lock().unwrap_or_else(PoisonError::into_inner);
        checked.clear();
        drop(checked);
        let roots = self.roots();
        let first_damaged = |part: &Part| {
            let mut numbered = roots.iter().enumerate();
            numbered.find_map(|(number, root)| self.check(number, root, part).err())
        };
        let damaged = parts.iter().filter_map(|part| match first_damaged(part) {
            Some(FactsStoreError::Damaged(path)) => Some((part.clone(), path)),
            _ => None,
        });
        damaged.collect()
    }

    /// Compares the checksums of files in a folder, given by its number. Checked files are not read again.
    fn check_all(&self, number: usize, root: &Path, parts: &[Part]) -> Result<(), FactsStoreError> {
        parts
            .par_iter()
            .try_for_each(|part| self.check(number, root, part))
    }

    fn check(&self, number: usize, root: &Path, part: &Part) -> Result<(), FactsStoreError> {
        let path = root.join(part.path());
        let is_whole = || -> std::io::Result<bool> {
            let metadata = std::fs::metadata(&path)?;
            let sum = part.sums.get(number);
            let mut key = DefaultHasher::new();
            // A file that was changed since has another key.
            (&path, sum, metadata.len(), metadata.modified()?).hash(&mut key);
            let key = key.finish();
            let checked = || self.checked.lock().unwrap_or_else(PoisonError::into_inner);
            if checked().contains(&key) {
                return Ok(true);
            }
            let is_whole = sum == Some(&checksum(&path)?);
            if is_whole {
                checked().insert(key);
            }
            Ok(is_whole)
        };
        match is_whole() {
            Ok(true) => Ok(()),
            Ok(false) | Err(_) => Err(FactsStoreError::Damaged(path)),
        }
    }

    /// Returns the over-the-board results in one or more parts.
    pub(crate) fn scan_results(&self, parts: &[Part]) -> Result<LazyFrame, FactsStoreError> {
        let columns = FactTable::Results.columns().iter();
        let columns: Vec<Expr> = columns.map(|column| col(column.name)).collect();
        Ok(self.scan_table(FactTable::Results, parts)?.select(columns))
    }

    pub(super) fn scan_table(
        &self,
        table: FactTable,
        parts: &[Part],
    ) -> Result<LazyFrame, FactsStoreError> {
        let root = self.table(table.name());
        self.check_all(table as usize, &root, parts)?;
        let columns = table.columns();
        let partitions = columns
            .iter()
            .filter(|column| PARTITIONS.contains(&column.name))
            .map(|column| Field::new(column.name.into(), column.kind.data_type()));
        let hive = HiveOptions {
            enabled: Some(true),
            hive_start_idx: root.as_os_str().len(),
            schema: Some(Arc::new(Schema::from_iter(partitions))),
            try_parse_dates: false,
        };
        scan_files(&root, parts, hive)
    }

    /// Returns a summary of one or more parts, which is read when needed.
    pub(crate) fn scan_summaries(
        &self,
        summary: &Summary,
        parts: &[Part],
    ) -> Result<LazyFrame, FactsStoreError> {
        // The files of summaries have all columns.
        let hive = HiveOptions {
            enabled: Some(false),
            ..HiveOptions::default()
        };
        let root = self.summary(summary);
        self.check_all(number_of(summary), &root, parts)?;
        scan_files(&root, parts, hive)
    }

    /// Reads a summary of a part.
    pub(crate) fn read_summary(
        &self,
        summary: &Summary,
        part: &Part,
    ) -> Result<DataFrame, FactsStoreError> {
        let root = self.summary(summary);
        self.check(number_of(summary), &root, part)?;
        read_file(&root.join(part.path()))
    }

    /// Reads a table of a part, without the columns that are folders.
    pub(super) fn read_table(
        &self,
        table: FactTable,
        part: &Part,
    ) -> Result<DataFrame, FactsStoreError> {
        let root = self.table(table.name());
        self.check(table as usize, &root, part)?;
        read_file(&root.join(part.path()))
    }

    /// Lists the folders with files of parts, in the order of [`Part::sums`].
    pub(super) fn roots(&self) -> Vec<PathBuf> {
        let tables = FactTable::ALL.iter().map(|table| self.table(table.name()));
        let summaries = stored_summaries().map(|summary| self.summary(summary));
        tables.chain(summaries).collect()
    }
}

impl StoredKeys {
    /// Adds the results of facts.
    ///
    /// # Errors
    /// If a column is missing.
    pub fn add(&mut self, facts: &Facts) -> PolarsResult<()> {
        self.add_results(facts.results())
    }

    fn add_results(&mut self, results: &DataFrame) -> PolarsResult<()> {
        let ids = results.column("game")?.str()?.iter();
        let revisions = results.column("revision")?.u32()?.iter();
        let both = ids.zip(revisions);
        let both = both.filter_map(|(id, revision)| Some((id?.to_owned(), revision?)));
        self.revisions.extend(both);
        Ok(())
    }
}

/// Returns the index of a summary's folder.
fn number_of(summary: &Summary) -> usize {
    let number = stored_summaries().position(|kept| kept.name == summary.name);
    // Only stored summaries have files.
    FactTable::ALL.len() + number.unwrap_or_default()
}

/// Returns the checksum of a file.
fn checksum(path: &Path) -> std::io::Result<u64> {
    let (mut file, mut sum) = (File::open(path)?, Xxh3::new());
    let mut bytes = vec![0; 1 << 18];
    loop {
        match file.read(&mut bytes)? {
            0 => return Ok(sum.digest()),
            count => sum.update(&bytes[..count]),
        }
    }
}

/// Returns a hash of a game's id, for memory-saving maps.
pub fn id_hash(id: &str) -> u128 {
    xxh3_128(id.as_bytes())
}

fn scan_files(
    root: &Path,
    parts: &[Part],
    hive: HiveOptions,
) -> Result<LazyFrame, FactsStoreError> {
    let paths = parts
        .iter()
        .map(|part| PlRefPath::try_from_pathbuf(root.join(part.path())))
        .collect::<PolarsResult<Vec<PlRefPath>>>()
        .map_err(FactsStoreError::table(root))?;
    let arguments = ScanArgsParquet {
        hive_options: hive,
        glob: false,
        ..ScanArgsParquet::default()
    };
    LazyFrame::scan_parquet_files(paths.into(), arguments).map_err(FactsStoreError::table(root))
}

fn read_file(path: &Path) -> Result<DataFrame, FactsStoreError> {
    let file = File::open(path).map_err(FactsStoreError::io(path))?;
    ParquetReader::new(file)
        .finish()
        .map_err(FactsStoreError::table(path))
}

/// Lists a folder; empty if it does not exist or is a file.
pub(super) fn entries(folder: &Path) -> Result<Vec<PathBuf>, FactsStoreError> {
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let read = std::fs::read_dir(folder).map_err(FactsStoreError::io(folder))?;
    let paths: Result<Vec<PathBuf>, std::io::Error> =
        read.map(|entry| entry.map(|entry| entry.path())).collect();
    paths.map_err(FactsStoreError::io(folder))
}
