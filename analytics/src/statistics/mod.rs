//! Statistics that know nothing of games.

pub mod interval;
mod linear;
pub mod logit;
