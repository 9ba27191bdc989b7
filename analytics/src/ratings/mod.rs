//! Ratings of players: the arithmetic of a game, and the players whom it compares.

pub mod algorithm;
mod participants;

pub use participants::{KINDS, PLACES, RankedPlayer, participants, players_at_start, ranked};
