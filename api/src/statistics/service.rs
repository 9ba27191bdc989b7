//! Computes measures from the facts, and caches the answers.

use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use actix_web::web::{self, Bytes};
use analytics::question::AsOf;
use analytics::question::settled_time;
use analytics::{FactsStoreError, Filters, Measure, RowCells, Snapshot, StatisticsTable};
use engine::content::Library;
use jiff::Timestamp;
use moka::sync::Cache;
use polars::prelude::PolarsResult;
use tokio::sync::OnceCell;

use crate::db::projections::Projection;
use crate::db::url::{DatabaseKind, DatabaseUrl};
use crate::games::Games;
use crate::http::limits::load::{LoadKind, slot};
use crate::leagues::log::LeagueLog;
use crate::statistics::figure::Figure;
use crate::statistics::gather::{FactsProjection, is_complete};
use crate::statistics::model::{
    Current, Damage, FactsProgress, Format, RenderedTable, StatisticsError, read,
};

/// The maximum bytes of cached files, tables and figures.
const FILES: u64 = 16 << 20;
const TABLES: u64 = 8 << 20;
const FIGURES: u64 = 8 << 20;

/// How long an unused answer stays cached. Each finished game causes new answers.
const IDLE: Duration = Duration::from_secs(60);

/// The number of attempts of a measure when parts of the facts are merged while it runs.
const TRIES: usize = 5;

/// The key of an answer: measure, filters, format and version of the facts.
type Question = (&'static Measure, Filters, &'static str, String);

/// The cached answers of a kind. They are cells, so that equal questions are computed once.
type Answers<T> = Cache<Question, Arc<OnceCell<RenderedTable<T>>>>;

/// Creates a cache of answers with a maximum size in bytes.
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

/// Returns the folder of a database's facts.
///
/// It is the given folder, else `FILE.facts` next to an SQLite file, else `tabularium.facts` in the working directory.
pub fn facts_folder(database: &DatabaseUrl, named: Option<&Path>) -> PathBuf {
    match (named, database.kind()) {
        (Some(named), _) => named.to_owned(),
        (None, Ok(DatabaseKind::Sqlite(file))) => PathBuf::from(format!("{file}.facts")),
        (None, _) => PathBuf::from("tabularium.facts"),
    }
}

/// Checks that no process uses the facts in a folder.
pub fn check_free(folder: &Path) -> Result<(), StatisticsError> {
    match analytics::FactsWriter::open(&analytics::FactsStore::new(folder)) {
        Err(FactsStoreError::Locked(_)) => Err(StatisticsError::Kept(folder.to_owned())),
        // Other errors do not matter: the facts are rebuilt.
        Ok(_) | Err(_) => Ok(()),
    }
}

/// The facts of all finished games, and the answers computed from them.
#[derive(Debug)]
pub struct Statistics {
    current: Arc<RwLock<Arc<Current>>>,
    files: Answers<Bytes>,
    tables: Answers<Arc<StatisticsTable>>,
    figures: Answers<Arc<Figure>>,
    damage: Arc<Damage>,
    games: Arc<Games>,
}

impl Statistics {
    /// Opens the facts in a folder.
    /// Returns the statistics and the projection that adds newly finished games.
    ///
    /// Facts of another database or in another form are rebuilt.
    pub fn open(
        games: Arc<Games>,
        leagues: Arc<LeagueLog>,
        library: Arc<Library>,
        folder: &Path,
    ) -> Result<(Arc<Statistics>, Box<dyn Projection>), StatisticsError> {
        let projection = FactsProjection::open(games.clone(), leagues, library, folder)?;
        let statistics = Statistics {
            current: projection.current(),
            files: answers(FILES, |file| file.len()),
            tables: answers(TABLES, |table| table.rows.estimated_size()),
            figures: answers(FIGURES, |figure| figure.wide.len() + figure.narrow.len()),
            damage: projection.damage(),
            games,
        };
        Ok((Arc::new(statistics), Box::new(projection)))
    }

    /// Returns the current facts.
    pub fn current(&self) -> Arc<Current> {
        read(&self.current)
    }

    /// Returns the progress of the facts.
    pub fn progress(&self) -> FactsProgress {
        self.current().progress
    }

    /// Returns the damaged file of the facts that is being rebuilt, if any.
    /// Until then, questions that need it are refused.
    pub fn damaged_file(&self) -> Option<PathBuf> {
        self.damage.lock().clone()
    }

    /// Returns the number of games in the facts.
    pub fn games(&self) -> usize {
        self.progress().games as usize
    }

    /// Returns a measure as a file.
    ///
    /// # Errors
    /// When the facts cannot be read; [`StatisticsError::Busy`]; when `as_of` is in the future.
    pub async fn file(
        &self,
        measure: &'static Measure,
        filters: &Filters,
        format: Format<Bytes>,
    ) -> Result<RenderedTable<Bytes>, StatisticsError> {
        self.answer(&self.files, measure, filters, format).await
    }

    /// Returns a measure as a table.
    ///
    /// # Errors
    /// The errors of [`Statistics::file`].
    pub async fn table(
        &self,
        measure: &'static Measure,
        filters: &Filters,
    ) -> Result<Arc<StatisticsTable>, StatisticsError> {
        let table: Format<Arc<StatisticsTable>> = ("table", |table| Ok(Arc::new(table.clone())));
        let answer = self.answer(&self.tables, measure, filters, table).await?;
        Ok(answer.body)
    }

    /// Counts the games of a measure that pass both filters.
    ///
    /// # Errors
    /// The errors of [`Statistics::file`].
    pub async fn common_games(
        &self,
        measure: &'static Measure,
        [first, second]: [&Filters; 2],
    ) -> Result<u64, StatisticsError> {
        let (first, second) = (first.clone(), second.clone());
        let (current, damage) = (self.current.clone(), self.damage.clone());
        let slot = slot(LoadKind::Table).await.map_err(StatisticsError::Busy)?;
        let count = move || {
            let _slot = slot;
            let filters = [&first, &second];
            let common = |snapshot: &Snapshot| snapshot.common_games(measure, filters);
            Ok(ask((&current, &damage), common)?.1)
        };
        let counted = web::block(count).await;
        counted.map_err(|_| StatisticsError::Panicked).flatten()
    }

    /// Returns a measure as rows, each read from its cells.
    ///
    /// # Errors
    /// The errors of [`Statistics::file`].
    pub async fn rows<T>(
        &self,
        measure: &'static Measure,
        filters: &Filters,
        read: fn(&RowCells<'_>) -> PolarsResult<T>,
    ) -> Result<Vec<T>, StatisticsError> {
        Ok(self.table(measure, filters).await?.read(read)?)
    }

    /// Returns a measure as a figure of a page.
    ///
    /// # Errors
    /// The errors of [`Statistics::file`].
    pub async fn figure(
        &self,
        measure: &'static Measure,
        filters: &Filters,
        format: Format<Arc<Figure>>,
    ) -> Result<Arc<Figure>, StatisticsError> {
        let answer = self.answer(&self.figures, measure, filters, format).await?;
        Ok(answer.body)
    }

    /// Computes a measure on the current facts, or returns the cached answer.
    /// Equal questions are computed once.
    async fn answer<T: Clone + Send + Sync + 'static>(
        &self,
        answers: &Answers<T>,
        measure: &'static Measure,
        filters: &Filters,
        format: Format<T>,
    ) -> Result<RenderedTable<T>, StatisticsError> {
        if let Some(AsOf::Time(time)) = filters.as_of {
            self.check_until(time, |until| measure.known_until(filters, until))
                .await?;
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
                    // The projection repairs the damage.
                    self.games.supervisor().wake();
                }
                return Err(error);
            }
        };
        // Insert the answer again, so that the cache weighs its computed size.
        answers.insert(question, answer);
        Ok(computed)
    }

    /// Checks whether the facts contain everything that a question up to a time needs, unless that is known.
    /// `known(until)` is the time up to which the question has an answer when the facts contain all games up to `until`.
    ///
    /// The projection checks only when something is written.
    async fn check_until(
        &self,
        time: Timestamp,
        known: impl Fn(Timestamp) -> Timestamp,
    ) -> Result<(), StatisticsError> {
        let until = settled_time(Timestamp::now());
        let progress = self.progress();
        let is_known = |until: Timestamp| time <= known(until);
        if !is_known(until) || progress.complete_until.is_some_and(is_known) {
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
            // All facts may have been cleared since.
            if progress.complete {
                let progress = FactsProgress {
                    complete_until: progress.complete_until.max(Some(until)),
                    ..progress
                };
                *current = Arc::new(Current { snapshot, progress });
            }
        }
        Ok(())
    }
}

fn compute<T>(
    facts: (&RwLock<Arc<Current>>, &Damage),
    measure: &'static Measure,
    filters: &Filters,
    (_, write): Format<T>,
) -> Result<RenderedTable<T>, StatisticsError> {
    let (facts, mut table) = ask(facts, |snapshot| snapshot.measure(measure, filters))?;
    table.complete = facts.progress.is_complete(filters);
    Ok(RenderedTable {
        version: facts.version(filters),
        complete: table.complete,
        games: table.games,
        body: write(&table)?,
    })
}

/// Asks the current facts. If parts are merged meanwhile, the new ones are asked.
fn ask<T>(
    (current, damage): (&RwLock<Arc<Current>>, &Damage),
    question: impl Fn(&Snapshot) -> Result<T, FactsStoreError>,
) -> Result<(Arc<Current>, T), StatisticsError> {
    let mut tries = 0;
    loop {
        let facts = read(current);
        tries += 1;
        match question(&facts.snapshot) {
            Ok(answer) => return Ok((facts, answer)),
            // Merging removes the old parts.
            Err(_) if tries < TRIES && !Arc::ptr_eq(&facts, &read(current)) => {}
            Err(error) => {
                let error = with_damage(&facts.snapshot, error);
                damage.note(&error);
                return Err(error.into());
            }
        }
    }
}

/// Replaces an error by the damage of a file, if a file is damaged.
fn with_damage(snapshot: &Snapshot, error: FactsStoreError) -> FactsStoreError {
    match error {
        FactsStoreError::Io { .. } | FactsStoreError::Table { .. } | FactsStoreError::Frame(_) => {
            snapshot.check().err().unwrap_or(error)
        }
        error => error,
    }
}
