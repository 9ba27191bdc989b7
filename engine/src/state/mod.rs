//! The state of a game, as plain values.
//!
//! - A [`State`] has no heap and holds numbers only; names are in the content and in the setup.
//! - [`State::digest`] of a given state never changes. It hashes an explicit encoding, not the memory layout. A new
//!   edition appends to the encoding only what no older edition has.
//! - Values that derive from the content or from other fields are computed, not stored: the town walls that a nation
//!   has received and can still build, and the city tokens left.
//! - [`State::drawn`] counts the words drawn from the seed, so a state continues in the same way anywhere.
//! - The order of the event deck is only in the state: not in the digest, not in row 0 of a log.

mod digest;
mod piles;
mod question;
#[allow(
    clippy::module_inception,
    reason = "the state is the chief thing of this folder"
)]
mod state;
mod turn;

pub use piles::*;
pub use question::*;
pub use state::*;
pub use turn::*;
