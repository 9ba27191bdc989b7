//! The transparency log: a Merkle tree of statements about games and leagues, in the form of C2SP's tlog-tiles.
//!
//! Hashes and proofs are those of RFC 6962 with SHA-256. `openapi/record-format.md` defines the leaves.
//!
//! - `tree`: hashes, inclusion and consistency proofs, and their checks.
//! - `tile`: the tiles in which a server publishes the tree.
//! - `note`: signed notes, and the signed head of the tree (C2SP calls it a checkpoint).
//! - `leaf`: what a leaf states, and the proof that a game has one.

mod leaf;
mod note;
mod tile;
mod tree;

pub use leaf::*;
pub use note::*;
pub use tile::*;
pub use tree::*;
