//! Analysis of positions by the bot `search`, within a budget.

pub mod handlers;
pub mod service;
