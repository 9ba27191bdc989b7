//! Facts on disk: Parquet files in hive layout,
//! `DIR/games/edition=antike/month=2026-11/part-….parquet` and the same below `seats`, `turns`,
//! `awards` and `cards`. Parts are only ever added.

use std::collections::BTreeSet;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use polars::prelude::*;
use xxhash_rust::xxh3::xxh3_128;

use super::{
    AwardRow, CardRow, ColumnInfo, FactRow, Facts, GameRow, LazyFacts, SeatRow, TurnRow, Version,
};

/// The columns that are folders on disk and not in the files.
const PARTITIONS: [&str; 2] = ["edition", "month"];

/// The table whose parts say which parts of the others count. It is written last, so that what an
/// interrupted run leaves behind is never read.
const LEADING: &str = "games";

/// How the names of parts end. The number says which columns the tables have: count it up with
/// every change to them, so that parts of different forms are never read together.
const ENDING: &str = ".v3.parquet";

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
    /// There are no facts in the folder.
    #[error("{0}: no facts there; `tabularium-analytics facts --from FILE --to DIR` makes some")]
    Empty(PathBuf),
    /// A part has other columns than this version of the program writes.
    #[error(
        "{0}: written by another version of this program; make the facts anew from the records, \
         into another folder"
    )]
    Form(PathBuf),
    /// Frames that do not fit together.
    #[error(transparent)]
    Frame(#[from] PolarsError),
}

impl StoreError {
    fn io(path: &Path) -> impl FnOnce(std::io::Error) -> StoreError {
        let path = path.to_owned();
        move |source| StoreError::Io { path, source }
    }

    fn table(path: &Path) -> impl FnOnce(PolarsError) -> StoreError {
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

    /// Adds parts with these facts, one a table and partition. Their name depends on the games in
    /// them only.
    ///
    /// # Errors
    /// When a file cannot be written.
    pub fn append(&self, facts: &Facts) -> Result<(), StoreError> {
        let mut tables = facts.tables();
        tables.sort_by_key(|(name, _)| *name == LEADING);
        let games = facts.games.select(["edition", "month", "game"])?;
        for (edition, month) in partitions(&games)? {
            let name = part_name(&in_partition(&games, &edition, &month)?)?;
            for (table, frame) in &tables {
                let frame = in_partition(frame, &edition, &month)?.drop_many(PARTITIONS);
                let folder = self.directory.join(table);
                let folder = folder
                    .join(format!("edition={edition}"))
                    .join(format!("month={month}"));
                std::fs::create_dir_all(&folder).map_err(StoreError::io(&folder))?;
                write_part(frame, &folder.join(&name))?;
            }
        }
        Ok(())
    }

    /// The ids of the games in the folder; none when it does not exist.
    ///
    /// # Errors
    /// When a part cannot be read.
    pub fn games(&self) -> Result<BTreeSet<String>, StoreError> {
        let parts = self.parts()?;
        if parts.is_empty() {
            return Ok(BTreeSet::new());
        }
        let ids = self.scan_table(LEADING, GameRow::COLUMNS, &parts)?;
        let ids = ids
            .select([col("game")])
            .collect()
            .map_err(StoreError::table(&self.directory))?;
        let ids = ids.column("game")?.str()?;
        Ok(ids.iter().flatten().map(str::to_owned).collect())
    }

    /// The facts in the folder, to be read when a measure asks for them.
    ///
    /// # Errors
    /// When there are none, or a part cannot be read.
    pub fn scan(&self) -> Result<LazyFacts, StoreError> {
        let parts = self.parts()?;
        if parts.is_empty() {
            return Err(StoreError::Empty(self.directory.clone()));
        }
        let games = self.scan_table("games", GameRow::COLUMNS, &parts)?;
        let identity = games
            .clone()
            .select([col("game"), col("digest"), col("played_at")])
            .collect()
            .map_err(StoreError::table(&self.directory))?;
        Ok(LazyFacts {
            games,
            seats: self.scan_table("seats", SeatRow::COLUMNS, &parts)?,
            turns: self.scan_table("turns", TurnRow::COLUMNS, &parts)?,
            awards: self.scan_table("awards", AwardRow::COLUMNS, &parts)?,
            cards: self.scan_table("cards", CardRow::COLUMNS, &parts)?,
            version: Version::of(&identity)?,
        })
    }

    /// Reads all facts of the folder into memory.
    ///
    /// # Errors
    /// When there are none, or a part cannot be read.
    pub fn read(&self) -> Result<Facts, StoreError> {
        let lazy = self.scan()?;
        let collect = |frame: LazyFrame, columns: &[ColumnInfo]| {
            let columns: Vec<Expr> = columns.iter().map(|column| col(column.name)).collect();
            let frame = frame.select(columns).collect();
            frame.map_err(StoreError::table(&self.directory))
        };
        Ok(Facts {
            games: collect(lazy.games, GameRow::COLUMNS)?,
            seats: collect(lazy.seats, SeatRow::COLUMNS)?,
            turns: collect(lazy.turns, TurnRow::COLUMNS)?,
            awards: collect(lazy.awards, AwardRow::COLUMNS)?,
            cards: collect(lazy.cards, CardRow::COLUMNS)?,
            version: lazy.version,
        })
    }

    /// The parts of the leading table, each as its path below the table's folder, sorted.
    fn parts(&self) -> Result<Vec<PathBuf>, StoreError> {
        let root = self.directory.join(LEADING);
        let mut parts = Vec::new();
        for edition in entries(&root)? {
            for month in entries(&edition)? {
                for part in entries(&month)? {
                    if part.extension().is_none_or(|end| end != "parquet") {
                        continue;
                    }
                    if !part.to_string_lossy().ends_with(ENDING) {
                        return Err(StoreError::Form(part));
                    }
                    if let Ok(below) = part.strip_prefix(&root) {
                        parts.push(below.to_owned());
                    }
                }
            }
        }
        Ok(parts)
    }

    fn scan_table(
        &self,
        table: &str,
        columns: &[ColumnInfo],
        parts: &[PathBuf],
    ) -> Result<LazyFrame, StoreError> {
        let root = self.directory.join(table);
        let paths = parts
            .iter()
            .map(|part| PlRefPath::try_from_pathbuf(root.join(part)))
            .collect::<PolarsResult<Vec<PlRefPath>>>()
            .map_err(StoreError::table(&root))?;
        let partitions = columns
            .iter()
            .filter(|column| PARTITIONS.contains(&column.name))
            .map(|column| Field::new(column.name.into(), column.kind.data_type()));
        let arguments = ScanArgsParquet {
            hive_options: HiveOptions {
                enabled: Some(true),
                hive_start_idx: root.as_os_str().len(),
                schema: Some(Arc::new(Schema::from_iter(partitions))),
                try_parse_dates: false,
            },
            glob: false,
            ..ScanArgsParquet::default()
        };
        LazyFrame::scan_parquet_files(paths.into(), arguments).map_err(StoreError::table(&root))
    }
}

/// What is in a folder, sorted; nothing when it does not exist or is a file.
fn entries(folder: &Path) -> Result<Vec<PathBuf>, StoreError> {
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let read = std::fs::read_dir(folder).map_err(StoreError::io(folder))?;
    let paths: Result<Vec<PathBuf>, std::io::Error> =
        read.map(|entry| entry.map(|entry| entry.path())).collect();
    let mut paths = paths.map_err(StoreError::io(folder))?;
    paths.sort();
    Ok(paths)
}

/// The editions and months of a table.
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

/// `part-`, a hash of the ids of the games, sorted, and [`ENDING`].
fn part_name(games: &DataFrame) -> PolarsResult<String> {
    let mut ids: Vec<&str> = games.column("game")?.str()?.iter().flatten().collect();
    ids.sort_unstable();
    let hash = xxh3_128(ids.join("\n").as_bytes());
    Ok(format!("part-{hash:032x}{ENDING}"))
}

/// Writes a whole part beside its place and then moves it there, so that no reader sees half of
/// one.
fn write_part(mut frame: DataFrame, path: &Path) -> Result<(), StoreError> {
    let beside = path.with_extension("partial");
    let file = File::create(&beside).map_err(StoreError::io(&beside))?;
    ParquetWriter::new(&file)
        .with_compression(ParquetCompression::Zstd(None))
        .finish(&mut frame)
        .map_err(StoreError::table(&beside))?;
    file.sync_all().map_err(StoreError::io(&beside))?;
    std::fs::rename(&beside, path).map_err(StoreError::io(path))
}
