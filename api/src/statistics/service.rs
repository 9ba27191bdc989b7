//! Answers to measures on the facts.

use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use actix_web::web::{self, Bytes};
use analytics::question::AsOf;
use analytics::question::settled;
use analytics::{Filters, Measure, Snapshot, StoreError};
use engine::content::Library;
use jiff::Timestamp;
use moka::sync::Cache;
use serde_json::{Map, Value};
use tokio::sync::OnceCell;

use crate::db::projections::Projection;
use crate::db::url::{DatabaseKind, DatabaseUrl};
use crate::games::Games;
use crate::http::limits::load::{LoadKind, slot};
use crate::leagues::log::LeagueLog;
use crate::statistics::figure::Figure;
use crate::statistics::gather::{Gatherer, is_complete};
use crate::statistics::model::{
    Current, Damage, FactsProgress, Format, RenderedTable, StatisticsError, TableRows, read,
};

/// The most bytes kept in memory of tables as files, as rows and as figures.
const FILES: u64 = 16 << 20;
const ROWS: u64 = 8 << 20;
const FIGURES: u64 = 8 << 20;

/// About how many bytes a cell of a row takes.
const CELL: usize = 128;

/// How long an answer is kept that nobody asks for. There is a new one after each finished game.
const IDLE: Duration = Duration::from_secs(60);

/// How often a measure is tried again when parts of the facts were merged meanwhile.
const TRIES: usize = 5;

/// An answer is known by what was asked, in which format, and which facts were asked.
type Question = (&'static Measure, Filters, &'static str, String);

/// Answers of a kind. They are cells, so that equal questions are computed once.
type Answers<T> = Cache<Question, Arc<OnceCell<RenderedTable<T>>>>;

/// Keeps answers of a kind in memory, of so many bytes together.
fn answers<T: Clone + Send + Sync + 'static>(most: u64, size: fn(&T) -> usize) -> Answers<T> {
    let size = move |(_, filters, ..): &Question, answer: &Arc<OnceCell<RenderedTable<T>>>| {
        let body = answer.get().map_or(0, |answer| size(&answer.body));
        u32::try_from(body + filters.size() + 1_024).unwrap_or(u32::MAX)
    };
    Cache::builder()
        .max_capacity(most)
        .weigher(size)
        .time_to_idle(IDLE)
        .build()
}

/// How many cells a row has, with those of its children.
fn cells(row: &Map<String, Value>) -> usize {
    let cell = |value: &Value| match value {
        Value::Array(children) => children
            .iter()
            .filter_map(Value::as_object)
            .map(cells)
            .sum(),
        _ => 1,
    };
    row.values().map(cell).sum()
}

/// The folder with the facts of a database: the one that is named, else `FILE.facts` beside a file of
/// SQLite, else `tabularium.facts` in the working directory.
pub fn facts_folder(database: &DatabaseUrl, named: Option<&Path>) -> PathBuf {
    match (named, database.place()) {
        (Some(named), _) => named.to_owned(),
        (None, Ok(DatabaseKind::Sqlite(file))) => PathBuf::from(format!("{file}.facts")),
        (None, _) => PathBuf::from("tabularium.facts"),
    }
}

/// Checks that no process keeps the facts in a folder.
pub fn check_free(folder: &Path) -> Result<(), StatisticsError> {
    match analytics::FactsWriter::open(&analytics::Store::new(folder)) {
        Err(StoreError::Locked(_)) => Err(StatisticsError::Kept(folder.to_owned())),
        // Whatever else is wrong with them, they are made again.
        Ok(_) | Err(_) => Ok(()),
    }
}

/// The facts of all finished games, which grow as games finish.
#[derive(Debug)]
pub struct Statistics {
    current: Arc<RwLock<Arc<Current>>>,
    files: Answers<Bytes>,
    rows: Answers<Arc<TableRows>>,
    figures: Answers<Arc<Figure>>,
    damage: Arc<Damage>,
    games: Arc<Games>,
}

impl Statistics {
    /// Statistics from the facts in a folder, and the projection that adds those of games that have finished since, bit
    /// by bit. Facts of another database or of another form are made again.
    pub fn open(
        games: Arc<Games>,
        leagues: Arc<LeagueLog>,
        library: Arc<Library>,
        folder: &Path,
    ) -> Result<(Arc<Statistics>, Box<dyn Projection>), StatisticsError> {
        let gatherer = Gatherer::open(games.clone(), leagues, library, folder)?;
        let statistics = Statistics {
            current: gatherer.current(),
            files: answers(FILES, |file| file.len()),
            rows: answers(ROWS, |rows| CELL * rows.iter().map(cells).sum::<usize>()),
            figures: answers(FIGURES, |figure| figure.wide.len() + figure.narrow.len()),
            damage: gatherer.damage(),
            games,
        };
        Ok((Arc::new(statistics), Box::new(gatherer)))
    }

    /// What questions are answered from now.
    pub fn current(&self) -> Arc<Current> {
        read(&self.current)
    }

    /// How far the facts are gathered.
    pub fn progress(&self) -> FactsProgress {
        self.current().progress
    }

    /// The file of the facts that is damaged and being made anew, if there is one: what is asked of it is refused
    /// meanwhile.
    pub fn damaged_file(&self) -> Option<PathBuf> {
        self.damage.lock().clone()
    }

    /// How many games the facts tell of.
    pub fn games(&self) -> usize {
        self.progress().games as usize
    }

    /// Answers a measure as a file.
    ///
    /// # Errors
    /// When the facts cannot be asked, or [`StatisticsError::Busy`]; when the table is asked as of what is not
    /// over.
    pub async fn file(
        &self,
        measure: &'static Measure,
        filters: &Filters,
        format: Format<Bytes>,
    ) -> Result<RenderedTable<Bytes>, StatisticsError> {
        self.answer(&self.files, measure, filters, format).await
    }

    /// Answers a measure as rows.
    ///
    /// # Errors
    /// As [`Statistics::file`].
    pub async fn rows(
        &self,
        measure: &'static Measure,
        filters: &Filters,
    ) -> Result<Arc<TableRows>, StatisticsError> {
        let rows: Format<Arc<TableRows>> = ("rows", |table| table.json_rows().map(Arc::new));
        let answer = self.answer(&self.rows, measure, filters, rows).await?;
        Ok(answer.body)
    }

    /// Answers a measure as a figure of a page.
    ///
    /// # Errors
    /// As [`Statistics::file`].
    pub async fn figure(
        &self,
        measure: &'static Measure,
        filters: &Filters,
        format: Format<Arc<Figure>>,
    ) -> Result<Arc<Figure>, StatisticsError> {
        let answer = self.answer(&self.figures, measure, filters, format).await?;
        Ok(answer.body)
    }

    /// Answers a measure on the facts gathered so far. Equal questions are computed once.
    async fn answer<T: Clone + Send + Sync + 'static>(
        &self,
        answers: &Answers<T>,
        measure: &'static Measure,
        filters: &Filters,
        format: Format<T>,
    ) -> Result<RenderedTable<T>, StatisticsError> {
        if let Some(AsOf::Time(time)) = filters.as_of {
            self.look_until(time).await?;
        }
        let progress = self.progress();
        let until = measure.known_until(filters, progress.until(Timestamp::now()));
        filters.check_as_of(progress.end, until)?;
        let question = (
            measure,
            filters.clone(),
            format.0,
            self.current().version(filters),
        );
        let answer = answers.get_with_by_ref(&question, Arc::default);
        if let Some(answer) = answer.get() {
            return Ok(answer.clone());
        }
        let computed = answer.get_or_try_init(|| async {
            let (current, filters) = (self.current.clone(), filters.clone());
            let slot = slot(LoadKind::Table).await.map_err(StatisticsError::Busy)?;
            let damage = self.damage.clone();
            let compute = move || {
                let _slot = slot;
                compute((&current, &damage), measure, &filters, format)
            };
            let computed = web::block(compute).await;
            computed.map_err(|_| StatisticsError::Panicked).flatten()
        });
        let computed = match computed.await {
            Ok(computed) => computed.clone(),
            Err(error) => {
                if self.damaged_file().is_some() {
                    // For the projection to repair it.
                    self.games.supervisor().wake();
                }
                return Err(error);
            }
        };
        // Now its size is known.
        answers.insert(question, answer);
        Ok(computed)
    }

    /// Finds out whether all games up to a time were gathered, unless that is known: while nothing is written nobody
    /// else looks.
    async fn look_until(&self, time: Timestamp) -> Result<(), StatisticsError> {
        let until = settled(Timestamp::now());
        let progress = self.progress();
        if time > until || progress.whole_until.is_some_and(|whole| time <= whole) {
            return Ok(());
        }
        let games = self.games.clone();
        let look = move || is_complete(&games, &progress, games.records.last_position()?);
        let complete = web::block(look)
            .await
            .map_err(|_| StatisticsError::Panicked)??;
        if complete {
            let mut current = self.current.write().unwrap_or_else(PoisonError::into_inner);
            let Current { snapshot, progress } = (**current).clone();
            // All facts may be rebuilt by now.
            if progress.complete {
                let progress = FactsProgress {
                    whole_until: progress.whole_until.max(Some(until)),
                    ..progress
                };
                *current = Arc::new(Current { snapshot, progress });
            }
        }
        Ok(())
    }
}

fn compute<T>(
    (current, damage): (&RwLock<Arc<Current>>, &Damage),
    measure: &'static Measure,
    filters: &Filters,
    (_, write): Format<T>,
) -> Result<RenderedTable<T>, StatisticsError> {
    let mut tries = 0;
    loop {
        let asked = read(current);
        tries += 1;
        let mut table = match asked.snapshot.measure(measure, filters) {
            Ok(table) => table,
            // Parts that are merged with others are removed.
            Err(_) if tries < TRIES && !Arc::ptr_eq(&asked, &read(current)) => continue,
            Err(error) => {
                let error = with_damage(&asked.snapshot, error);
                damage.note(&error);
                return Err(error.into());
            }
        };
        table.complete = asked.progress.is_complete(filters);
        return Ok(RenderedTable {
            version: asked.version(filters),
            complete: table.complete,
            games: table.games,
            body: write(&table)?,
        });
    }
}

/// Why a measure failed: because a file is damaged, if one is.
fn with_damage(snapshot: &Snapshot, error: StoreError) -> StoreError {
    match error {
        StoreError::Io { .. } | StoreError::Table { .. } | StoreError::Frame(_) => {
            snapshot.check().err().unwrap_or(error)
        }
        error => error,
    }
}
