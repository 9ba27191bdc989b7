//! The rules in motion: a game, what may be done, and what follows. Each chapter of the rules is one file with price,
//! check, list and effect together; `turn.rs` sends each action to its chapter.
//!
//! - A refused action changes nothing: each function checks first and changes after. A refusal names the rule that it
//!   breaks, by its number in the edition that is played (`tests/rule_texts.rs`).
//! - What [`Game::legal_actions`] lists is accepted by [`Game::apply`], and with all payments nothing else is, up to
//!   [`Game::canonical`] (`tests/properties/`).
//! - At most one nation must act at any time ([`Game::question`]). Only resigning is possible out of turn.
//! - No chapter asks which edition is played: it reads numbers and policies of
//!   [`GameRules`](crate::content::GameRules).
//! - A [`Game`] does not contain its setup, so it knows neither players nor their pace.

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
