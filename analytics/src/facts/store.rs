//! Facts on disk: Parquet files in hive layout,
//! `DIR/games/edition=antike/month=2026-11/part-….parquet` and the same below each other table and
//! each summary in `summaries`. `DIR/manifest.json` says which parts count;
//! [`Writer`](super::Writer) adds some.

use std::collections::HashMap;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use jiff::Timestamp;
use polars::prelude::*;
use xxhash_rust::xxh3::xxh3_128;

use super::manifest::{Manifest, Part};
use super::{FactTable, Facts, LazyFacts, Redefined, Summary, Version};
use crate::filters::{Filters, Passing};

/// The columns that are folders on disk and not in the files.
pub(crate) const PARTITIONS: [&str; 2] = ["edition", "month"];

/// Facts that cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// A file or folder cannot be read or written.
    #[error("{path}: {source}")]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// A file is no table of facts.
    #[error("{path}: {source}")]
    Table {
        /// The file or folder.
        path: PathBuf,
        /// Why.
        source: PolarsError,
    },
    /// The manifest cannot be understood.
    #[error("{path}: {source}")]
    Manifest {
        /// The manifest.
        path: PathBuf,
        /// Why.
        source: serde_json::Error,
    },
    /// There are no facts in the folder.
    #[error("{0}: no facts there; `tabularium-analytics facts --from FILE --to DIR` makes some")]
    Empty(PathBuf),
    /// The facts have another form than this version of the program writes.
    #[error(
        "{0}: written by another version of this program; make the facts anew from the records, \
         into another folder"
    )]
    Form(PathBuf),
    /// Somebody else writes to the folder.
    #[error("{0}: another process writes facts there")]
    Locked(PathBuf),
    /// The folder is a dataset that was published or pulled.
    #[error("{0}: a dataset is there, and datasets never change; give another folder")]
    Published(PathBuf),
    /// A table by a definition that is no more.
    #[error(transparent)]
    Redefined(#[from] Redefined),
    /// A table as of what is not over yet.
    #[error(
        "as_of: games can still come in up to {asked}; the log ends at {end}, and all that was recorded up to \
         {until} is known: ask for a place or a time up to that"
    )]
    NotYet {
        /// What was asked for.
        asked: String,
        /// The last place.
        end: i64,
        /// The last time.
        until: Timestamp,
    },
    /// Frames that do not fit together.
    #[error(transparent)]
    Frame(#[from] PolarsError),
}

impl StoreError {
    pub(crate) fn io(path: &Path) -> impl FnOnce(std::io::Error) -> StoreError {
        let path = path.to_owned();
        move |source| StoreError::Io { path, source }
    }

    pub(crate) fn table(path: &Path) -> impl FnOnce(PolarsError) -> StoreError {
        let path = path.to_owned();
        move |source| StoreError::Table { path, source }
    }
}

/// A folder of facts.
#[derive(Clone, Debug)]
pub struct Store {
    directory: PathBuf,
}

impl Store {
    /// The facts in a folder, which need not exist yet.
    pub fn new(directory: impl Into<PathBuf>) -> Store {
        Store {
            directory: directory.into(),
        }
    }

    /// The folder.
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// The folder of a table.
    pub(super) fn table(&self, name: &str) -> PathBuf {
        self.directory.join(name)
    }

    /// The folder of a summary.
    pub(super) fn summary(&self, summary: Summary) -> PathBuf {
        self.directory.join("summaries").join(summary.name())
    }

    /// Which parts count; none when there is no such folder.
    ///
    /// # Errors
    /// When the facts are of another form.
    pub fn manifest(&self) -> Result<Manifest, StoreError> {
        let games = self.table("games");
        match Manifest::read(&self.directory)? {
            Some(manifest) => Ok(manifest),
            // The first forms had no manifest.
            None if games.is_dir() => Err(StoreError::Form(games)),
            None => Ok(Manifest::default()),
        }
    }

    /// The games in the folder, each as the [`id_hash`] of its id with the hash of what its record says: 24
    /// bytes a game, read part by part.
    ///
    /// # Errors
    /// When a part cannot be read.
    pub fn games(&self) -> Result<HashMap<u128, u64>, StoreError> {
        let mut games = HashMap::new();
        for part in self.manifest()?.parts {
            let ids = self.scan_table(FactTable::Games, std::slice::from_ref(&part))?;
            let ids = ids
                .select([col("game"), col("content_1"), col("content_2")])
                .collect()
                .map_err(StoreError::table(&self.directory))?;
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

    /// All facts in the folder, to be read when somebody asks for them.
    ///
    /// # Errors
    /// When there are none, or a part cannot be read.
    pub fn scan(&self) -> Result<LazyFacts, StoreError> {
        let parts = self.manifest()?.parts;
        match parts.is_empty() {
            true => Err(StoreError::Empty(self.directory.clone())),
            false => self.scan_parts(&parts),
        }
    }

    /// Reads all facts of the folder into memory.
    ///
    /// # Errors
    /// When there are none, or a part cannot be read.
    pub fn read(&self) -> Result<Facts, StoreError> {
        self.collect(&self.scan()?, None, &Filters::default())
    }

    /// Reads the facts of a part into memory, of the games that were recorded as filters say.
    pub(crate) fn read_part(&self, part: &Part, filters: &Filters) -> Result<Facts, StoreError> {
        let facts = self.scan_parts(std::slice::from_ref(part))?;
        let games = match (filters.on_places(), filters.on_places_of(part)) {
            (Some(condition), Passing::Some | Passing::None) => {
                let games = facts.table(FactTable::Games).filter(condition.expression());
                Some(games.select([col("game")]))
            }
            _ => None,
        };
        self.collect(&facts, games, filters)
    }

    /// Facts into memory, of these games or of all, with the results at real tables that were recorded as filters say.
    fn collect(
        &self,
        facts: &LazyFacts,
        games: Option<LazyFrame>,
        filters: &Filters,
    ) -> Result<Facts, StoreError> {
        let in_order = || JoinArgs {
            maintain_order: MaintainOrderJoin::Left,
            ..JoinArgs::new(JoinType::Inner)
        };
        let collect = |table: &FactTable| {
            let columns = table.columns().iter();
            let columns: Vec<Expr> = columns.map(|column| col(column.name)).collect();
            let frame = facts.table(*table);
            let frame = match (&games, filters.on_places()) {
                (_, Some(condition)) if *table == FactTable::Results => {
                    frame.filter(condition.expression())
                }
                (Some(games), _) => {
                    frame.join(games.clone(), [col("game")], [col("game")], in_order())
                }
                (None, _) => frame,
            };
            let frame = frame.select(columns).collect();
            frame.map_err(StoreError::table(&self.directory))
        };
        let tables = FactTable::ALL.iter().map(collect);
        Ok(Facts::of_tables(
            tables.collect::<Result<_, StoreError>>()?,
        )?)
    }

    /// The facts of these parts, one or more.
    pub(crate) fn scan_parts(&self, parts: &[Part]) -> Result<LazyFacts, StoreError> {
        let versions = parts.iter().map(|part| part.version);
        let tables = FactTable::ALL.iter();
        let tables = tables.map(|table| self.scan_table(*table, parts));
        Ok(LazyFacts {
            tables: tables.collect::<Result<_, StoreError>>()?,
            version: versions.fold(Version::default(), Version::merge),
        })
    }

    /// The results at real tables in these parts, one or more.
    pub(crate) fn scan_results(&self, parts: &[Part]) -> Result<LazyFrame, StoreError> {
        let columns = FactTable::Results.columns().iter();
        let columns: Vec<Expr> = columns.map(|column| col(column.name)).collect();
        Ok(self.scan_table(FactTable::Results, parts)?.select(columns))
    }

    fn scan_table(&self, table: FactTable, parts: &[Part]) -> Result<LazyFrame, StoreError> {
        let root = self.table(table.name());
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

    /// A summary of these parts, one or more, to be read when somebody asks for it.
    pub(crate) fn scan_summaries(
        &self,
        summary: Summary,
        parts: &[Part],
    ) -> Result<LazyFrame, StoreError> {
        // The files have all columns.
        let hive = HiveOptions {
            enabled: Some(false),
            ..HiveOptions::default()
        };
        scan_files(&self.summary(summary), parts, hive)
    }

    /// A summary of a part.
    pub(crate) fn read_summary(
        &self,
        summary: Summary,
        part: &Part,
    ) -> Result<DataFrame, StoreError> {
        read_file(&self.summary(summary).join(part.path()))
    }

    /// A table of a part, without the columns that are folders.
    pub(super) fn read_table(&self, table: &str, part: &Part) -> Result<DataFrame, StoreError> {
        read_file(&self.table(table).join(part.path()))
    }

    /// The folders in which parts lie.
    pub(crate) fn roots(&self) -> Vec<PathBuf> {
        let tables = FactTable::ALL.iter().map(|table| self.table(table.name()));
        let summaries = Summary::KEPT.iter().map(|summary| self.summary(*summary));
        tables.chain(summaries).collect()
    }
}

/// What a game's id is known by where there are many.
pub fn id_hash(id: &str) -> u128 {
    xxh3_128(id.as_bytes())
}

fn scan_files(root: &Path, parts: &[Part], hive: HiveOptions) -> Result<LazyFrame, StoreError> {
    let paths = parts
        .iter()
        .map(|part| PlRefPath::try_from_pathbuf(root.join(part.path())))
        .collect::<PolarsResult<Vec<PlRefPath>>>()
        .map_err(StoreError::table(root))?;
    let arguments = ScanArgsParquet {
        hive_options: hive,
        glob: false,
        ..ScanArgsParquet::default()
    };
    LazyFrame::scan_parquet_files(paths.into(), arguments).map_err(StoreError::table(root))
}

fn read_file(path: &Path) -> Result<DataFrame, StoreError> {
    let file = File::open(path).map_err(StoreError::io(path))?;
    ParquetReader::new(file)
        .finish()
        .map_err(StoreError::table(path))
}

/// What is in a folder; nothing when it does not exist or is a file.
pub(super) fn entries(folder: &Path) -> Result<Vec<PathBuf>, StoreError> {
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let read = std::fs::read_dir(folder).map_err(StoreError::io(folder))?;
    let paths: Result<Vec<PathBuf>, std::io::Error> =
        read.map(|entry| entry.map(|entry| entry.path())).collect();
    paths.map_err(StoreError::io(folder))
}
