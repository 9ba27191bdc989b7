//! Statistical methods, independent of games.

pub mod interval;
mod linear;
pub mod logit;
pub mod pooled;
