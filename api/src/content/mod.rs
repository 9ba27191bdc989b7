//! Editions, boards and rules as they are served, and drawings of boards and positions.

pub mod boards;
pub mod drawings;
pub mod editions;
pub mod rules;
pub mod versions;
