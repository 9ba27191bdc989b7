//! The server's signing keys, signatures of finished games, and checkpoints of all logs.
//!
//! A game is signed in the transaction that finishes it, and the log of a league with each event. A checkpoint signs
//! the ends of all logs once a day. Each of these signatures is a leaf of the transparency log (`tlog`). `openapi/record-format.md` defines the signed bytes.

pub mod checkpoints;
pub mod handlers;
pub mod keys;
pub(crate) mod leaves;
mod queries;
pub mod service;
pub mod tlog;
