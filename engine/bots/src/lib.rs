//! Bots: programs that play the games of the Antike family. They use the engine's public doors only,
//! as anyone's could.
//!
//! # A bot of one's own
//!
//! A [`Bot`] is given what may be known of a game ([`Seen`]), how long it may think ([`Budget`]) and
//! a chance of its own. [`Host`] is who gives it that: no bot ever holds the game's seed or the true
//! order of the event deck. A [`Named`] entry is all it takes to send one into a match:
//!
//! ```
//! use bots::{Bot, Budget, Match, Named, Scores, Seen, Side, Spec};
//! use engine::{chance::Chance, content::Library, play::Action, setup::Setup};
//!
//! /// Takes what leaves it with most cities, and of that any.
//! struct Settler;
//!
//! impl Bot for Settler {
//!     fn choose(&mut self, seen: &Seen, _: Budget, chance: &mut Chance) -> Option<Action> {
//!         let nation = seen.nation()?;
//!         let cities = |action| seen.after(action).map(|state| state.nation(nation).cities.len());
//!         let mut actions = seen.legal_actions();
//!         chance.shuffle(&mut actions);
//!         actions.into_iter().max_by_key(|action| cities(*action))
//!     }
//! }
//!
//! const SETTLER: Named = Named {
//!     name: "settler",
//!     description: "takes what leaves it with most cities",
//!     temperament: None,
//!     budget: None,
//!     seat: |_| Box::new(Settler),
//! };
//!
//! let setup: Setup = serde_json::from_str(
//!     r#"{"edition": "antike_duellum", "board": "duellum-rome-carthage", "seats": [],
//!         "seed": "a match", "max_rounds": 40}"#,
//! )?;
//! let sides = [Spec::of(SETTLER), "greedy".parse()?].map(|bot| Side { bot, seats: 1 });
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
//! To be known to the service and to every program, it gets a file here and an entry in [`BOTS`]; the
//! tests of the crate take every entry and hold it to legal play, to the same game from the same seed,
//! and to not telling two games apart that differ in the order of the deck only.
//!
//! # Games of bots
//!
//! [`play()`] plays a game whose setup names bots, [`Match`] lays out games that are fair to all sides.
//! Both are deterministic, so that any number of threads may share them.
//!
//! # Analysis
//!
//! [`Analysis`] tells what the search player thinks of a position, and [`PlayedGame`] with [`PlayedTurn::judge`] of
//! the turns of a record. Both see what a player could see: an analysis is made from a [`Seen`].
//!
//! # Invariants
//!
//! - Whatever a bot does with its [`Seen`], two games that differ only in the order of the deck look the same
//!   (`tests/seen.rs`). Every caller uses [`Host`].
//! - The same seed gives the same game: a bot's chance depends on the seed, the seat and the number of the decision.
//!   There are two exceptions. A budget of time depends on the machine. `search` keeps a plan for its turn and makes
//!   another one after a restart within it, so callers stop between turns ([`Host::is_ready`]).
//! - `random` and `greedy` decide as they always have: golden records and published figures depend on them.
//! - A record contains no level such as `easy`, but the bot and budget that the level means. Analyses name the numbers
//!   of `search` by the hash of their file.

mod analysis;
mod annotate;
mod bot;
#[allow(
    rustdoc::broken_intra_doc_links,
    reason = "rule numbers such as [A27] look like links"
)]
mod greedy;
mod host;
mod matches;
mod named;
mod play;
mod random;
pub mod search;
mod seen;
mod standing;

pub use analysis::*;
pub use annotate::*;
pub use bot::*;
pub use greedy::{Greedy, Temperament};
pub use host::*;
pub use matches::*;
pub use named::*;
pub use play::*;
pub use random::*;
pub use search::Search;
pub use seen::*;
pub use standing::*;
