//! The transparency log: a Merkle tree over the signatures of games, leagues and checkpoints (c2sp.org/tlog-tiles).
//!
//! A leaf is appended in the transaction that stores the signature, under the lock that all writers take. So leaves
//! have no gaps, and nodes append in one order. Leaves are never changed or removed. A leaf has only hashes of ids and
//! signatures: a private game shows in it that a game has finished, and nothing else.
//!
//! The oldest key that is not retired signs the head of the log. Nodes with other keys publish the head that the node
//! with this key has stored. `api/docs/transparency-log.md` explains what is proven.

pub mod audit;
pub mod handlers;
pub mod queries;
pub mod service;
