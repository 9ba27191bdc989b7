//! Play: a game, its legal actions, and their effects.
//!
//! Each chapter of the rules is one file with price, check, list and effect; `turn.rs` passes each action to its
//! chapter.
//!
//! - A refused action changes nothing: each function checks first and changes after. A refusal names the rule that it
//!   breaks, by its number in the edition of the game (`tests/rule_texts.rs`).
//! - What [`Game::legal_actions`] lists is accepted by [`Game::apply`]. If all payments are listed, nothing else is
//!   accepted, up to [`Game::canonical`] (`tests/properties/`).
//! - At most one nation must act at any time ([`Game::question`]). Only resigning is possible out of turn.
//! - No chapter depends on the name of the edition: it reads numbers and policies of
//!   [`GameRules`](crate::content::GameRules).
//! - A [`Game`] does not contain its setup, so it has neither players nor their pace.

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
pub use cards::{CardChoice, DeckMismatch};
pub use effect::*;
pub use game::*;
pub use naming::{Names, Naming, Numbers, Renaming};
pub use perft::*;
pub use refusal::*;
pub use turn::Payments;
