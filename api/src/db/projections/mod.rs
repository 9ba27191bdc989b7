//! Projections: what is derived from the logs of all games and all leagues, such as ratings and facts.
//!
//! - Each has a name and an offset, up to which it is applied. One thread, the [`runner`], reads the logs for all of
//!   them whenever this process or another has written.
//! - A batch is written in the transaction that moves the offset ([`Store::advance`](crate::db::Store::advance)), and
//!   only if the offset is still the one from which the batch was read. So each entry is applied once, in order,
//!   whichever nodes run and wherever one ends. The facts of statistics keep their offset in their folder, beside the
//!   files.
//! - A `run` counts how often a projection began at the start of the logs. A batch of an earlier run does not count.
//! - An entry that fails five times by itself is skipped, logged and counted (`tabularium_projection_skipped_total`).
//!   Any other failure is retried for ever.
//! - `tabularium rebuild` computes a projection again from the start, except `webhooks`: receivers would get
//!   everything again. A change of what a projection stores raises its version, so that it is computed again after an
//!   upgrade.

pub mod offsets;
pub mod runner;

use std::time::Duration;

/// What is derived from the logs.
pub trait Projection: Send {
    /// Its name in the database, in messages and in metrics.
    fn name(&self) -> &'static str;

    /// The most entries of a batch.
    fn batch(&self) -> usize;

    /// Applies the next entries, at most `limit`, in one transaction with the offset behind them. It changes nothing if
    /// it fails.
    fn apply(&mut self, limit: usize) -> Result<BatchOutcome, ProjectionError>;

    /// Moves the offset behind the next entry, which cannot be applied. Returns what it is, such as the id of a game.
    fn skip(&mut self) -> Result<Option<String>, ProjectionError>;

    /// Begins again at the start of the logs. What was derived stays until it is derived again, as far as that
    /// makes sense.
    fn restart(&mut self) -> Result<(), ProjectionError>;

    /// Is called once, before the service stops.
    fn stop(&mut self) {}
}

/// Derives everything again from the start of the logs, beside services that run.
pub fn rebuild(projection: &mut dyn Projection) -> Result<(), ProjectionError> {
    projection.restart()?;
    while projection.apply(projection.batch())? == BatchOutcome::More {}
    projection.stop();
    Ok(())
}

/// What a batch has left to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BatchOutcome {
    /// There are more entries.
    More,
    /// Nothing, until something is written.
    All,
    /// Nothing, until something is written or this time has passed.
    AllFor(Duration),
}

/// Why a batch was not applied.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct ProjectionError {
    /// The entry that fails, such as the id of a game; `None` when it is not for an entry.
    pub entry: Option<String>,
    /// Why.
    pub message: String,
}

impl ProjectionError {
    /// An error that is not for an entry.
    pub fn new(error: impl std::fmt::Display) -> ProjectionError {
        ProjectionError {
            entry: None,
            message: error.to_string(),
        }
    }

    /// An entry, such as the game with an id, that cannot be applied.
    pub fn at(entry: impl Into<String>, error: impl std::fmt::Display) -> ProjectionError {
        ProjectionError {
            entry: Some(entry.into()),
            message: error.to_string(),
        }
    }
}

impl From<crate::db::StoreError> for ProjectionError {
    fn from(error: crate::db::StoreError) -> ProjectionError {
        ProjectionError::new(error)
    }
}
