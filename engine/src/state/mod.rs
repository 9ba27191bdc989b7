//! Where a game stands, as plain values.

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
