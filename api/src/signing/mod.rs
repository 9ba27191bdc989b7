//! The keys that sign, signatures of finished games, and checkpoints of all logs.

pub mod checkpoints;
pub mod handlers;
pub mod keys;
pub mod queries;
pub mod service;
