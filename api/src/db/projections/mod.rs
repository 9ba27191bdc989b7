//! Projections: data computed from the logs of all games and leagues, such as ratings and facts.
//!
//! - Each has a name and an offset, up to which it is applied. One thread, the [`runner`], reads the logs for all of
//!   them whenever this process or another has written.
//! - A batch is written in the transaction that moves the offset ([`Store::advance`](crate::db::Store::advance)), and
//!   only if the offset is still the one from which the batch was read. So each entry is applied once, in order, by
//!   any number of nodes and across restarts. The facts of statistics store their offset in their folder, beside the
//!   files.
//! - A `run` counts how often a projection started at the beginning of the logs. A batch of an earlier run is
//!   discarded.
//! - An entry that fails five times by itself is skipped, logged and counted (`tabularium_projection_skipped_total`).
//!   Any other failure is retried without a limit.
//! - `tabularium rebuild` computes a projection again from the beginning, except `webhooks`, whose receivers would
//!   get everything again. A change of what a projection stores raises its version, so that it is computed again
//!   after an upgrade.

pub mod offsets;
pub mod runner;

use std::time::Duration;

/// Data computed from the logs.
pub trait Projection: Send {
    /// Its name in the database, in messages and in metrics.
    fn name(&self) -> &'static str;

    /// The most entries of a batch.
    fn batch(&self) -> usize;

    /// Applies the next entries, at most `limit`, in one transaction with the new offset.
    /// On failure nothing changes.
    fn apply(&mut self, limit: usize) -> Result<BatchOutcome, ProjectionError>;

    /// Skips the next entry, which cannot be applied, and returns its name, such as the id of a game.
    fn skip(&mut self) -> Result<Option<String>, ProjectionError>;

    /// Restarts at the beginning of the logs.
    /// Where possible, the present data stay available until they are replaced.
    fn restart(&mut self) -> Result<(), ProjectionError>;

    /// Called once, before the service stops.
    fn stop(&mut self) {}
}

/// Computes a projection again from the beginning of the logs. Services may run at the same time.
pub fn rebuild(projection: &mut dyn Projection) -> Result<(), ProjectionError> {
    projection.restart()?;
    while projection.apply(projection.batch())? == BatchOutcome::More {}
    projection.stop();
    Ok(())
}

/// What remains to be done after a batch.
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
    /// The entry that failed, such as the id of a game; `None` if the cause is not an entry.
    pub entry: Option<String>,
    /// The error.
    pub message: String,
}

impl ProjectionError {
    /// An error that no entry caused.
    pub fn new(error: impl std::fmt::Display) -> ProjectionError {
        ProjectionError {
            entry: None,
            message: error.to_string(),
        }
    }

    /// The error of one entry, such as a game.
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
