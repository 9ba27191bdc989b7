//! Statistics: the facts of finished games in a folder, and answers to measures on them.
//!
//! - The projection `facts` ([`gather`]) adds each finished game once, whichever process finished or imported it, but
//!   no private game. Facts name an unlisted game by another id (`derive.rs`), which does not lead to it.
//! - Over-the-board results have no record. Each league event that enters, corrects or voids one adds a revision to
//!   the table `results`. The gatherer reads the log of leagues after that of games, to its end, so facts up to a
//!   position have all results up to it.
//! - `whole_until` is the time up to which all games are in the facts: 2 seconds before the last look that found no
//!   more, as long as a transaction and the difference of clocks may take. A question about a later time looks again.
//!   An `as_of` behind that time, or behind the end of the log, is refused (422). Results may wait 4 seconds longer
//!   until they are written (`LONGEST_WAIT`).
//! - Damaged parts are computed again from the records ([`repair`]). If these give another version, all facts are.
//! - Facts of another form are computed again. Positions and times come from the database, so `as_of` gives the same
//!   tables. The one exception is a damaged game that can be read again: it is added at its old position, and
//!   `data_version` shows it.

pub mod derive;
pub mod gather;
pub mod handlers;
pub mod repair;

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};
use std::time::Duration;

use actix_web::web::{self, Bytes};
use analytics::filter_values::AsOf;
use analytics::filters::settled;
use analytics::{Filters, Measure, Snapshot, StoreError, Table};
use engine::content::Library;
use jiff::Timestamp;
use moka::sync::Cache;
use polars::prelude::{PolarsError, PolarsResult};
use tokio::sync::OnceCell;

use crate::db::projections::Projection;
use crate::db::url::{DatabaseKind, DatabaseUrl};
use crate::games::Games;
use crate::http::error::ServiceError;
use crate::http::limits::load::{LoadKind, slot};
use crate::http::problem::Problem;
use crate::leagues::log::LeagueLog;
use crate::statistics::gather::{Gatherer, is_complete};

/// The most bytes of answers kept in memory.
const ANSWERS: u64 = 32 << 20;

/// The most bytes kept in memory of what was added up in parts of the facts.
const SUMS: u64 = 32 << 20;

/// How long an answer is kept that nobody asks for. There is a new one after each finished game.
const IDLE: Duration = Duration::from_secs(60);

/// How often a measure is tried again when parts of the facts were merged meanwhile.
const TRIES: usize = 5;

/// A format: its media type and how a table is written in it.
pub type Format = (&'static str, fn(&Table) -> PolarsResult<Vec<u8>>);

/// An answer is known by what was asked, in which media type, and which facts were asked.
type Question = (Measure, String, &'static str, String);

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

/// How far facts are gathered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FactsProgress {
    /// Finished games that the facts tell of.
    pub games: u64,
    /// Finished games that give no facts, as they are damaged.
    pub set_aside: u64,
    /// Up to which position of the log of all games the facts reach.
    pub position: i64,
    /// Up to which position of the log of all leagues they do.
    pub league_position: i64,
    /// The end of the log of all games when it was last looked at.
    pub end: i64,
    /// Whether no game had finished then that the facts do not tell of.
    pub complete: bool,
    /// Up to when all games are in the facts that were recorded; nothing until all have been gathered once.
    pub whole_until: Option<Timestamp>,
}

impl FactsProgress {
    /// Whether all games that a table is asked of have been gathered.
    pub fn is_complete(&self, filters: &Filters) -> bool {
        match filters.as_of {
            None => self.complete,
            Some(AsOf::Position(place)) => self.complete || place <= self.position,
            Some(AsOf::Time(time)) => self.whole_until.is_some_and(|until| time <= until),
        }
    }

    /// Up to when a table can be asked that is to stay as it is. While games of before are gathered bit by bit it is
    /// the clock that says so, and tables are told to be incomplete.
    fn until(&self, now: Timestamp) -> Timestamp {
        let noted = self.whole_until.filter(|_| self.complete);
        noted.unwrap_or_else(|| settled(now))
    }
}

/// What questions are answered from.
#[derive(Clone, Debug)]
pub struct Current {
    snapshot: Snapshot,
    /// How far the facts are.
    pub progress: FactsProgress,
}

impl Current {
    /// Which facts these are for who asks with such filters: the same for the same games.
    pub fn version(&self, filters: &Filters) -> String {
        let whole = match self.progress.is_complete(filters) {
            true => "",
            false => "-incomplete",
        };
        format!("{}{whole}", self.snapshot.version())
    }
}

/// A table as bytes.
#[derive(Clone, Debug)]
pub struct RenderedTable {
    /// Which facts were asked, see [`Current::version`].
    pub version: String,
    /// Whether no game had finished that the facts do not tell of.
    pub complete: bool,
    /// How many games the table counts.
    pub games: u64,
    /// The table in the format that was asked for.
    pub body: Bytes,
}

/// The facts of all finished games, which grow as games finish.
#[derive(Debug)]
pub struct Statistics {
    current: Arc<RwLock<Arc<Current>>>,
    // A cell, so that equal questions are computed once.
    answers: Cache<Question, Arc<OnceCell<RenderedTable>>>,
    damage: Arc<Damage>,
    games: Arc<Games>,
}

/// The file of the facts that was found damaged, until it is repaired.
#[derive(Debug, Default)]
pub(crate) struct Damage(Mutex<Option<PathBuf>>);

impl Damage {
    fn lock(&self) -> MutexGuard<'_, Option<PathBuf>> {
        // A path is replaced as a whole, so a panic elsewhere cannot have left half of one.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes the damage that an error is about, if it is about one.
    fn note(&self, error: &StoreError) {
        if let StoreError::Damaged(path) = error {
            *self.lock() = Some(path.clone());
        }
    }
}

/// Statistics that cannot be had.
#[derive(Debug, thiserror::Error)]
pub enum StatisticsError {
    /// Facts could not be read or written.
    #[error(transparent)]
    Facts(#[from] StoreError),
    /// A table could not be made.
    #[error(transparent)]
    Table(#[from] PolarsError),
    /// The games could not be read.
    #[error(transparent)]
    Games(#[from] ServiceError),
    /// A game could not be read.
    #[error("game {game}: {error}")]
    Game {
        /// Its id.
        game: String,
        /// Why.
        error: ServiceError,
    },
    /// Too much is asked at once.
    #[error(transparent)]
    Busy(Problem),
    /// A table made the program panic, which has been logged.
    #[error("a measure panicked")]
    Panicked,
    /// Another process keeps the facts of a folder.
    #[error("{0}: a running server keeps the facts there; stop it first")]
    Kept(PathBuf),
    /// All folders for facts are taken by other processes.
    #[error("{0}: other processes keep facts there and beside it")]
    Taken(PathBuf),
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
        let size = |(_, filters, ..): &Question, answer: &Arc<OnceCell<RenderedTable>>| {
            let body = answer.get().map_or(0, |answer| answer.body.len());
            u32::try_from(body + filters.len() + 1_024).unwrap_or(u32::MAX)
        };
        let answers = Cache::builder()
            .max_capacity(ANSWERS)
            .weigher(size)
            .time_to_idle(IDLE)
            .build();
        let statistics = Statistics {
            current: gatherer.current(),
            answers,
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

    /// Answers a measure on the facts gathered so far. Equal questions are computed once.
    ///
    /// # Errors
    /// When the facts cannot be asked, or [`StatisticsError::Busy`]; when the table is asked as of what is not
    /// over.
    pub async fn answer(
        &self,
        measure: Measure,
        filters: &Filters,
        format: Format,
    ) -> Result<RenderedTable, StatisticsError> {
        if let Some(AsOf::Time(time)) = filters.as_of {
            self.look_until(time).await?;
        }
        let progress = self.progress();
        let until = filters.known_until(measure, progress.until(Timestamp::now()));
        filters.check_as_of(progress.end, until)?;
        // Filters are plain data with string keys, which is always JSON.
        let text = serde_json::to_string(filters).unwrap_or_default();
        let question = (measure, text, format.0, self.current().version(filters));
        let answer = self.answers.get_with_by_ref(&question, Arc::default);
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
        self.answers.insert(question, answer);
        Ok(computed)
    }
}

impl Statistics {
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

fn compute(
    (current, damage): (&RwLock<Arc<Current>>, &Damage),
    measure: Measure,
    filters: &Filters,
    (_, write): Format,
) -> Result<RenderedTable, StatisticsError> {
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
            body: write(&table)?.into(),
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

/// It is replaced as a whole, so a panic elsewhere cannot have left half of it.
fn read(current: &RwLock<Arc<Current>>) -> Arc<Current> {
    let current = current.read().unwrap_or_else(PoisonError::into_inner);
    current.clone()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A time is not over for the facts before they have been looked for behind it.
    #[test]
    fn a_time_is_whole_when_all_games_up_to_it_were_gathered() {
        let at = |second: i64| Timestamp::from_second(second).expect("a time");
        let as_of = |second: i64| Filters {
            as_of: Some(AsOf::Time(at(second))),
            ..Filters::default()
        };
        let gathered = FactsProgress {
            position: 5,
            end: 9,
            complete: true,
            whole_until: Some(at(100)),
            ..FactsProgress::default()
        };
        let asked = |progress: FactsProgress, second: i64| {
            let until = progress.until(at(1_000));
            let filters = as_of(second);
            let answered = filters.check_as_of(progress.end, until).is_ok();
            answered.then(|| progress.is_complete(&filters))
        };
        // The clock is far beyond, but a game may have come in that nobody has looked for.
        assert_eq!(asked(gathered, 100), Some(true));
        assert_eq!(asked(gathered, 101), None);
        // What is gathered bit by bit is answered, and told to be so.
        let behind = FactsProgress {
            complete: false,
            ..gathered
        };
        assert_eq!(asked(behind, 100), Some(true));
        assert_eq!(asked(behind, 101), Some(false));
        assert_eq!(asked(behind, 999), None);
        let begun = FactsProgress {
            whole_until: None,
            ..behind
        };
        assert_eq!(asked(begun, 100), Some(false));
        let place = |place: i64| Filters {
            as_of: Some(AsOf::Position(place)),
            ..Filters::default()
        };
        assert!(begun.is_complete(&place(5)) && !begun.is_complete(&place(6)));
        assert!(gathered.is_complete(&place(6)));
    }
}
