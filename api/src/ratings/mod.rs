//! Ratings of players, computed from the logs by a projection.
//!
//! - A rated game counts once, in the order of the log. An over-the-board result counts behind the games that were
//!   over when its league entered it, as the league has it now. A correction of what was counted otherwise marks the
//!   run `stale`; another run begins when it has been shown for as long as it took to compute.
//! - Ratings are whole millionths, so that they are the same on any machine.
//! - A run is shown when it has reached the last game. A change of what a step computes or of what counts raises
//!   [`algorithm::ALGORITHM`]; then the first node with the new program begins a run.

pub mod algorithm;
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
