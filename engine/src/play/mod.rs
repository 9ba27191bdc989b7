//! The rules in motion: a game, what may be done, and what follows. Each chapter of the rules is one
//! file with price, check, list and effect together.
//!
//! A refused action changes nothing and names the rule that it breaks. What
//! [`Game::legal_actions`] lists is accepted by [`Game::apply`], and with all payments nothing else
//! is, up to [`Game::canonical`]. Nobody asks which edition is played: that is numbers and policies
//! of [`GameRules`](crate::content::GameRules).

mod action;
mod arming;
mod battle;
mod cards;
mod conquest;
mod effect;
mod founding;
mod game;
mod know_how;
mod maneuver;
mod naming;
mod perft;
mod personages;
mod refusal;
mod resignation;
mod rondel;
mod round;
mod temples;
mod turn;

pub use action::*;
pub use cards::{CardChoice, OtherCards};
pub use effect::*;
pub use game::*;
pub use naming::{Names, Naming, Numbers, Renaming};
pub use perft::*;
pub use refusal::*;
pub use turn::Payments;
