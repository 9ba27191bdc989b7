//! The rules of the Antike family of board games: pure and deterministic, without I/O, clock or
//! global randomness.
//!
//! A [`Setup`] starts a [`Game`] (what stays the same) and a [`State`] (a plain value).
//! [`Game::apply`] takes one [`Action`] and tells the [`Effect`]s, or why it is [`Illegal`];
//! [`Game::legal_actions`] lists what may be done; [`Game::pending`] says who must act. The text
//! form of actions is in [`notation`], the JSON form in [`wire`], whole games in [`record`].
//!
//! Rule numbers such as `[A27]` refer to the digests of the rule books.

#![warn(missing_docs)]
#![allow(
    rustdoc::broken_intra_doc_links,
    reason = "rule numbers such as [A27] look like links"
)]

pub mod action;
mod apply;
pub mod board;
pub mod bots;
pub mod cards;
pub mod chance;
pub mod chips;
pub mod content;
mod digest;
pub mod effect;
pub mod event;
pub mod game;
pub mod illegal;
mod legal;
pub mod notation;
pub mod perft;
pub mod record;
pub mod ruleset;
pub mod setup;
pub mod state;
pub mod vocabulary;
pub mod wire;

pub use action::Action;
pub use board::{Board, Region};
pub use chips::Pay;
pub use content::Library;
pub use effect::Effect;
pub use game::{Game, Pending, PendingKind};
pub use illegal::{Illegal, Reason};
pub use legal::Payments;
pub use record::Record;
pub use ruleset::{Card, KnowHow, Ruleset};
pub use setup::{Player, Setup, SetupError, SetupSeat};
pub use state::{Nation, State};
pub use vocabulary::{EndReason, Field, Personage, Phase, Piece, Resource, SpecialUnit, Unit};
