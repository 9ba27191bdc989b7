//! The rules in motion: a game, what may be done, and what follows.

mod action;
mod apply;
mod battle;
mod building;
mod cards;
mod conquest;
mod effect;
mod founding;
mod game;
mod legal;
mod maneuver;
mod naming;
mod perft;
mod personages;
mod refusal;
mod resignation;
mod rondel;
mod turn;

pub use action::*;
pub use cards::{CardChoice, OtherCards};
pub use effect::*;
pub use game::*;
pub use legal::*;
pub use naming::{Names, Naming, Numbers, Renaming};
pub use perft::*;
pub use refusal::*;

use apply::spend;
use maneuver::pick_movers;
