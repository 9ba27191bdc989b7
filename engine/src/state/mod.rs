//! Where a game stands, as plain values.
//!
//! A [`State`] has no heap and holds numbers only; equal states have equal digests, and
//! [`State::digest`] of a given one never changes. What follows from the game's content is not kept.

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
