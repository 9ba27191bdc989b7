//! Statistical methods, independent of games.

pub mod difference;
pub mod interval;
mod linear;
pub mod logit;
pub mod pooled;
pub mod skill_share;
pub mod trend;
