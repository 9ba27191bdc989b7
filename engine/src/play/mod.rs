//! The rules in motion: a game, what may be done, and what follows.

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
