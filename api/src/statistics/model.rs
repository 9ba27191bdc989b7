//! The progress of the facts, the data that answers read, and errors.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};

use analytics::question::AsOf;
use analytics::question::settled_time;
use analytics::{FactsStoreError, Filters, Snapshot, StatisticsTable};
use jiff::Timestamp;
use polars::prelude::{PolarsError, PolarsResult};

use crate::http::error::ServiceError;
use crate::http::problem::Problem;

/// A format: its media type or another name, and the function that writes a table in it.
pub type Format<T> = (&'static str, fn(&StatisticsTable) -> PolarsResult<T>);

/// The progress of the facts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FactsProgress {
    /// The number of finished games in the facts.
    pub games: u64,
    /// The number of finished games without facts, because they are damaged.
    pub without_facts: u64,
    /// The position in the log of all games up to which the facts go.
    pub position: i64,
    /// The position in the log of all leagues up to which the facts go.
    pub league_position: i64,
    /// The end of the log of all games at the last check.
    pub end: i64,
    /// Whether the facts contained every game finished by that time.
    pub complete: bool,
    /// The time up to which all recorded games are in the facts.
    /// `None` until all games have been processed once.
    pub complete_until: Option<Timestamp>,
}

impl FactsProgress {
    /// Whether all games that a table covers are in the facts.
    pub fn is_complete(&self, filters: &Filters) -> bool {
        match filters.as_of {
            None => self.complete,
            Some(AsOf::Position(place)) => self.complete || place <= self.position,
            Some(AsOf::Time(time)) => self.complete_until.is_some_and(|until| time <= until),
        }
    }

    /// Returns the time up to which a table cannot change any more.
    ///
    /// While older games are being processed, it follows the clock, and tables are marked incomplete.
    pub(crate) fn until(&self, now: Timestamp) -> Timestamp {
        let noted = self.complete_until.filter(|_| self.complete);
        noted.unwrap_or_else(|| settled_time(now))
    }
}

/// The data from which questions are answered.
#[derive(Clone, Debug)]
pub struct Current {
    /// The facts.
    pub(crate) snapshot: Snapshot,
    /// The progress of the facts.
    pub progress: FactsProgress,
}

impl Current {
    /// Returns the version of the facts for a question; it is the same for the same games.
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
    /// The version of the facts, see [`Current::version`].
    pub version: String,
    /// Whether the facts contain every finished game.
    pub complete: bool,
    /// The number of games that the table counts.
    pub games: u64,
    /// The table in the requested format.
    pub body: T,
}

/// The value is replaced as a whole, so a panic elsewhere cannot leave half of it.
pub(crate) fn read(current: &RwLock<Arc<Current>>) -> Arc<Current> {
    let current = current.read().unwrap_or_else(PoisonError::into_inner);
    current.clone()
}

/// The damaged file of the facts, until it is repaired.
#[derive(Debug, Default)]
pub(crate) struct Damage(Mutex<Option<PathBuf>>);

impl Damage {
    pub(crate) fn lock(&self) -> MutexGuard<'_, Option<PathBuf>> {
        // A path is replaced as a whole, so a panic elsewhere cannot leave half of one.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Stores the damaged file, if the error is about one.
    pub(crate) fn note(&self, error: &FactsStoreError) {
        if let FactsStoreError::Damaged(path) = error {
            *self.lock() = Some(path.clone());
        }
    }
}

/// Why statistics are not available.
#[derive(Debug, thiserror::Error)]
pub enum StatisticsError {
    /// The facts cannot be read or written.
    #[error(transparent)]
    Facts(#[from] FactsStoreError),
    /// A table cannot be computed.
    #[error(transparent)]
    Table(#[from] PolarsError),
    /// The games cannot be read.
    #[error(transparent)]
    Games(#[from] ServiceError),
    /// A game cannot be read.
    #[error("game {game}: {error}")]
    Game {
        /// The id of the game.
        game: String,
        /// The cause.
        error: ServiceError,
    },
    /// Too many tables are requested at the same time.
    #[error(transparent)]
    Busy(Problem),
    /// The computation panicked; the panic has been logged.
    #[error("computing a measure failed unexpectedly")]
    Panicked,
    /// Another process uses the facts in a folder.
    #[error("{0}: a running server uses the facts there: stop it first")]
    Kept(PathBuf),
    /// Other processes use all folders for facts.
    #[error("{0}: other processes use this folder and all folders beside it: name another folder")]
    Taken(PathBuf),
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A time is complete only after a check has looked for games up to it.
    #[test]
    fn a_time_is_complete_when_all_games_up_to_it_are_in_the_facts() {
        let at = |second: i64| Timestamp::from_second(second).expect("a time");
        let as_of = |second: i64| Filters {
            as_of: Some(AsOf::Time(at(second))),
            ..Filters::default()
        };
        let gathered = FactsProgress {
            position: 5,
            end: 9,
            complete: true,
            complete_until: Some(at(100)),
            ..FactsProgress::default()
        };
        let completeness = |progress: FactsProgress, second: i64| {
            let until = progress.until(at(1_000));
            let filters = as_of(second);
            let answered = filters.check_as_of(progress.end, until).is_ok();
            answered.then(|| progress.is_complete(&filters))
        };
        // The clock is far ahead, but a game may have finished since the last check.
        assert_eq!(completeness(gathered, 100), Some(true));
        assert_eq!(completeness(gathered, 101), None);
        // While games are being processed, answers are given and marked incomplete.
        let behind = FactsProgress {
            complete: false,
            ..gathered
        };
        assert_eq!(completeness(behind, 100), Some(true));
        assert_eq!(completeness(behind, 101), Some(false));
        assert_eq!(completeness(behind, 999), None);
        let begun = FactsProgress {
            complete_until: None,
            ..behind
        };
        assert_eq!(completeness(begun, 100), Some(false));
        let place = |place: i64| Filters {
            as_of: Some(AsOf::Position(place)),
            ..Filters::default()
        };
        assert!(begun.is_complete(&place(5)) && !begun.is_complete(&place(6)));
        assert!(gathered.is_complete(&place(6)));
    }
}
