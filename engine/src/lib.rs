//! The rules of the Antike family of board games: pure and deterministic, without I/O, clock or
//! global randomness.
//!
//! Rule numbers such as `[A27]` refer to the digests of the rule books.

#![warn(missing_docs)]
#![allow(
    rustdoc::broken_intra_doc_links,
    reason = "rule numbers such as [A27] look like links"
)]

pub mod chance;
pub mod chips;
pub mod content;
pub mod forms;
pub mod ids;
pub mod play;
pub mod record;
pub mod state;
pub mod words;
