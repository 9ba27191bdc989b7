//! Analysis of positions by the search player, within a budget.

pub mod handlers;
pub mod service;
