//! Bots: programs that play the games of the Antike family.
//! They use only the public interface of the engine.
//!
//! # Write a bot
//!
//! A [`Bot`] receives an [`Observation`] of a game, a [`Budget`] and a chance of its own. [`Host`] provides these: no
//! bot ever receives the game's seed or the true order of the event deck. A [`BotEntry`] is enough to enter a bot into
//! a match:
//!
//! ```
//! use bots::{Bot, Budget, Match, BotEntry, Scores, Observation, Side, Spec};
//! use engine::{chance::Chance, content::Library, play::Action, setup::Setup};
//!
//! /// Chooses the action after which it has the most cities, at random among equals.
//! struct Settler;
//!
//! impl Bot for Settler {
//!     fn choose(&mut self, seen: &Observation, _: Budget, chance: &mut Chance) -> Option<Action> {
//!         let nation = seen.nation()?;
//!         let cities = |action| seen.after(action).map(|state| state.nation(nation).cities.len());
//!         let mut actions = seen.legal_actions();
//!         chance.shuffle(&mut actions);
//!         actions.into_iter().max_by_key(|action| cities(*action))
//!     }
//! }
//!
//! const SETTLER: BotEntry = BotEntry {
//!     name: "settler",
//!     description: "chooses the action after which it has the most cities",
//!     temperament: None,
//!     budget: None,
//!     seat: |_| Box::new(Settler),
//! };
//!
//! let setup: Setup = serde_json::from_str(
//!     r#"{"edition": "antike_duellum", "board": "duellum-rome-carthage", "seats": [],
//!         "seed": "a match", "max_rounds": 40}"#,
//! )?;
//! let sides = [Spec::new(SETTLER), "greedy".parse()?].map(|bot| Side { bot, seats: 1 });
//! let of_two = Match { setup, sides: sides.to_vec() };
//! let mut scores = Scores::new(2);
//! // Two rounds, each with either bot on either seat of the same game.
//! for fixture in of_two.fixtures(0..2) {
//!     let record = fixture.play(Library::embedded(), "a game", "2012-10-18T12:00:00Z")?;
//!     scores.add(&fixture, &record);
//! }
//! let [settler, greedy] = scores.sides[..] else { unreachable!("two sides") };
//! assert_eq!((settler.seats, greedy.seats), (4, 4));
//! assert!(greedy.shares() > settler.shares());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! To make it available to the service and to every program, add a file here and an entry in [`BOTS`]. The tests of
//! the crate check every entry. It must play legally, and the same seed must give the same game. It must not
//! distinguish two games that differ only in the order of the deck.
//!
//! # Games of bots
//!
//! [`play()`] plays a game whose setup names bots. [`Match`] sets up games that are fair to all sides. Both are
//! deterministic, so any number of threads can share them.
//!
//! # Analysis
//!
//! [`Analysis`] evaluates a position with the search bot, and [`PlayedGame`] with [`PlayedTurn::judge`] the turns of
//! a record. Both see only what a player can see: they use an [`Observation`].
//!
//! # Invariants
//!
//! - Two games that differ only in the order of the deck look the same to a bot (`tests/observation.rs`). Every caller
//!   uses [`Host`].
//! - The same seed gives the same game: a bot's chance depends on the seed, the seat and the number of the decision.
//!   There are two exceptions. A budget of time depends on the machine. `search` keeps a plan for its turn and finds
//!   another one after a restart within it, so callers stop between turns ([`Host::is_ready`]).
//! - `random` and `greedy` never change their decisions: golden records and published figures depend on them.
//! - A record does not contain a level such as `beginner`, but the bot and budget of the level. Analyses identify the
//!   weights of `search` by the hash of their file.

mod analysis;
mod annotate;
mod bot;
mod faults;
#[allow(
    rustdoc::broken_intra_doc_links,
    reason = "rule numbers such as [A27] look like links"
)]
mod greedy;
mod host;
mod matches;
mod named;
mod observation;
mod play;
mod random;
mod reasons;
pub mod search;
mod standing;

pub use analysis::*;
pub use annotate::*;
pub use bot::*;
pub use faults::*;
pub use greedy::{Greedy, Temperament};
pub use host::*;
pub use matches::*;
pub use named::*;
pub use observation::*;
pub use play::*;
pub use random::*;
pub use reasons::*;
pub use search::Search;
pub use standing::*;
