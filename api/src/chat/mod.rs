//! The chat of a game: short messages of its players and its organizer.
//!
//! Messages are neither in the log of a game nor in its record, so they prove nothing and change nothing. A new
//! message raises the version of the game, by which all nodes learn of it.

pub mod handlers;
pub mod model;
pub mod queries;
pub mod service;
