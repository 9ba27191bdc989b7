//! Statistics kept fresh: the facts of finished games in memory, and answers to measures on them.

use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, PoisonError, RwLock};
use std::thread::JoinHandle;
use std::time::Duration;

use analytics::{Facts, Filters, GameFacts, Measure, Table, measure};
use engine::content::Library;
use moka::sync::Cache;
use polars::prelude::PolarsError;

use crate::games::{GameError, Games};

/// How often the store is asked for games that have finished, here or on another node.
const INTERVAL: Duration = Duration::from_millis(500);

/// How many finished games are gathered before they are added together.
const TOGETHER: usize = 256;

/// The most answers kept in memory.
const ANSWERS: u64 = 1_000;

/// An answer is known by what was asked and which facts were asked.
type Question = (Measure, String, String);

/// The facts of all finished games, which grow as games finish.
#[derive(Debug)]
pub struct Statistics {
    facts: Arc<RwLock<Facts>>,
    answers: Cache<Question, Arc<Table>>,
    // Dropped to end the thread.
    stop: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

/// Statistics that cannot be had.
#[derive(Debug, thiserror::Error)]
pub enum StatisticsError {
    /// Facts could not be gathered or asked.
    #[error(transparent)]
    Facts(#[from] PolarsError),
    /// The games could not be read.
    #[error(transparent)]
    Games(#[from] GameError),
    /// The system gives no thread.
    #[error(transparent)]
    System(#[from] std::io::Error),
}

impl Statistics {
    /// Begins to gather the facts of finished games; those that have finished before come in bit by
    /// bit.
    ///
    /// # Errors
    /// When the system gives no thread.
    pub fn follow(
        games: Arc<Games>,
        library: Arc<Library>,
    ) -> Result<Arc<Statistics>, StatisticsError> {
        let facts = Arc::new(RwLock::new(Facts::empty()?));
        let (stop, stopped) = channel();
        let thread = std::thread::Builder::new()
            .name("statistics".to_owned())
            .spawn({
                let facts = facts.clone();
                move || gather_all(&games, &library, &facts, &stopped)
            })?;
        Ok(Arc::new(Statistics {
            facts,
            answers: Cache::new(ANSWERS),
            stop: Some(stop),
            thread: Some(thread),
        }))
    }

    /// Answers a measure on the facts gathered so far.
    ///
    /// # Errors
    /// When the facts cannot be asked.
    pub fn answer(&self, asked: Measure, filters: &Filters) -> Result<Arc<Table>, StatisticsError> {
        // Facts are replaced as a whole, so a panic elsewhere cannot have left half of them.
        let facts = self.facts.read().unwrap_or_else(PoisonError::into_inner);
        let lazy = facts.lazy();
        drop(facts);
        // Filters are plain data with string keys, which is always JSON.
        let text = serde_json::to_string(filters).unwrap_or_default();
        let question = (asked, text, lazy.version.to_string());
        if let Some(answer) = self.answers.get(&question) {
            return Ok(answer);
        }
        let answer = Arc::new(measure(&lazy, asked, filters)?);
        self.answers.insert(question, answer.clone());
        Ok(answer)
    }

    /// How many games the facts tell of.
    pub fn games(&self) -> usize {
        self.facts
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .len()
    }
}

impl Drop for Statistics {
    fn drop(&mut self) {
        self.stop = None;
        if let Some(thread) = self.thread.take() {
            // A panicked thread has been logged by the panic hook; nothing more can be done here.
            let _ = thread.join();
        }
    }
}

fn gather_all(games: &Games, library: &Library, facts: &RwLock<Facts>, stopped: &Receiver<()>) {
    let mut position = 0;
    loop {
        let wait = match gather(games, library, facts, position) {
            Ok((next, all)) => {
                position = next;
                if all { INTERVAL } else { Duration::ZERO }
            }
            Err(error) => {
                tracing::error!(%error, "facts could not be gathered");
                INTERVAL
            }
        };
        if stopped.recv_timeout(wait) != Err(RecvTimeoutError::Timeout) {
            return;
        }
    }
}

/// Adds the facts of games that have finished behind a position of the log of all games, and says
/// where to go on and whether these were all. A damaged game is told and passed over.
fn gather(
    games: &Games,
    library: &Library,
    facts: &RwLock<Facts>,
    position: i64,
) -> Result<(i64, bool), StatisticsError> {
    // Asked first: what is behind it can have come in since and is left for the next time.
    let end = games.last_position()?;
    if end <= position {
        return Ok((position, true));
    }
    let finished = games.finished_after(position, TOGETHER)?;
    let next = match finished.last() {
        Some((_, last)) if finished.len() == TOGETHER => (*last, false),
        Some((_, last)) => (end.max(*last), true),
        None => return Ok((end, true)),
    };
    let mut found = Vec::with_capacity(finished.len());
    for (id, _) in finished {
        let record = match games.proven_record(id, false) {
            Ok(record) => record,
            Err(error @ GameError::Damaged { .. }) => {
                tracing::error!(%error, "a game gives no facts");
                continue;
            }
            Err(error) => return Err(error.into()),
        };
        match GameFacts::derive(&record, library) {
            Ok(game) => found.push(game),
            Err(error) => tracing::error!(%error, game = %id, "a game gives no facts"),
        }
    }
    let more = Facts::from_games(found)?;
    let mut grown = facts.read().unwrap_or_else(PoisonError::into_inner).clone();
    grown.append(&more)?;
    *facts.write().unwrap_or_else(PoisonError::into_inner) = grown;
    Ok(next)
}
