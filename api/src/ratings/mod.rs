//! Ratings of players, computed from the logs by a projection.
//!
//! - A rated game counts once, in the order of the log. An over-the-board result counts after the games that had ended
//!   when its league entered it, in its current version. A correction of a result that was already applied marks the
//!   run as `stale`. A new run then begins, after the published one has been shown for as long as it took to compute.
//! - Ratings are whole millionths, so that they are the same on every machine.
//! - A run is published when it has reached the last game. After a change of what a step computes or of what counts,
//!   raise [`analytics::ratings::algorithm::ALGORITHM`]; the first node with the new program then begins a run.

pub mod audit;
pub mod forecast;
pub mod handlers;
pub mod model;
pub mod pictures;
mod plackett_luce;
mod queries;
mod ranked_game;
pub mod service;
pub mod simulation;
