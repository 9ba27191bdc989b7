//! The SQL of games.
//!
//! `events` stores only what does not follow from other rows: number, turn, notation and digest. Rows that were
//! written together are a run of at most 64. The first row of a run also has position, time and the first 8 bytes of
//! its hash. An undo has the player who requested it and starts a run. The whole hash of the last row is stored with
//! the game. So a changed row is detected at that row: by the fold and the digest, or by a hash where no digest
//! covers it.
//!
//! Games are listed by one query (`lists.rs`). `game_players` has a row for each seat that is not open, written with
//! the seat. The content of a finished game (`rounds`, `reason`, `nation`, `opening`, `won`) is written by the
//! projection `lists` ([`crate::games::projection`]) and follows from the record.

mod accounts;
pub mod append;
pub mod audit;
pub mod cursor;
pub mod invitations;
pub mod lists;
pub mod log;
pub mod players;
pub mod read;
pub mod rows;
