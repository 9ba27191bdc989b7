//! The keys that sign, signatures of finished games, and checkpoints of all logs.
//!
//! A game is signed in the transaction that finishes it, a league's log with each event, and the ends of all logs once
//! a day (a checkpoint). `openapi/record-format.md` defines the bytes.

pub mod checkpoints;
pub mod handlers;
pub mod keys;
mod queries;
pub mod service;
