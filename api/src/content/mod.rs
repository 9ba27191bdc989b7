//! Serves editions, boards and rules, and pictures of boards and positions.

pub mod boards;
pub mod drawings;
pub mod editions;
pub mod rules;
pub mod versions;
