//! How far facts are gathered, what questions are answered from, and what can go wrong.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};

use analytics::question::AsOf;
use analytics::question::settled;
use analytics::{Filters, Snapshot, StoreError, Table};
use jiff::Timestamp;
use polars::prelude::{PolarsError, PolarsResult};
use serde_json::{Map, Value};

use crate::http::error::ServiceError;
use crate::http::problem::Problem;

/// A format: its media type or another name, and how a table is written in it.
pub type Format<T> = (&'static str, fn(&Table) -> PolarsResult<T>);

/// The rows of a table, as the API lists them.
pub type TableRows = Vec<Map<String, Value>>;

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
    pub(crate) fn until(&self, now: Timestamp) -> Timestamp {
        let noted = self.whole_until.filter(|_| self.complete);
        noted.unwrap_or_else(|| settled(now))
    }
}

/// What questions are answered from.
#[derive(Clone, Debug)]
pub struct Current {
    /// The facts.
    pub(crate) snapshot: Snapshot,
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

/// A table in a format.
#[derive(Clone, Debug)]
pub struct RenderedTable<T> {
    /// Which facts were asked, see [`Current::version`].
    pub version: String,
    /// Whether no game had finished that the facts do not tell of.
    pub complete: bool,
    /// How many games the table counts.
    pub games: u64,
    /// The table in the format that was asked for.
    pub body: T,
}

/// It is replaced as a whole, so a panic elsewhere cannot have left half of it.
pub(crate) fn read(current: &RwLock<Arc<Current>>) -> Arc<Current> {
    let current = current.read().unwrap_or_else(PoisonError::into_inner);
    current.clone()
}

/// The file of the facts that was found damaged, until it is repaired.
#[derive(Debug, Default)]
pub(crate) struct Damage(Mutex<Option<PathBuf>>);

impl Damage {
    pub(crate) fn lock(&self) -> MutexGuard<'_, Option<PathBuf>> {
        // A path is replaced as a whole, so a panic elsewhere cannot have left half of one.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes the damage that an error is about, if it is about one.
    pub(crate) fn note(&self, error: &StoreError) {
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
