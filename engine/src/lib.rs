//! The rules of the Antike family of board games.
//!
//! They are pure and deterministic, without I/O, clock or global randomness. They use integers only, and no hash
//! maps. The one float is a seat's share of the win.
//!
//! They use integers only, and no hash maps. The one float is a seat's share of the win.
//!
//! # A tour
//!
//! A [`Setup`](setup::Setup) starts a [`Game`](play::Game), which never changes, and its first
//! [`State`](state::State), a plain value that can be cloned, compared and hashed.
//!
//! ```
//! use engine::content::Library;
//! use engine::play::{Action, Payments};
//! use engine::setup::Setup;
//! use engine::words::Field;
//!
//! let library = Library::embedded();
//! let setup: Setup = serde_json::from_str(
//!     r#"{"edition": "antike_duellum", "board": "duellum-rome-carthage", "seed": "a tour",
//!         "first": "romans", "seats": [
//!             {"nations": ["romans"], "player": {"kind": "person", "id": "livia"}},
//!             {"nations": ["carthaginians"], "player": {"kind": "open"}}]}"#,
//! )?;
//! let (game, mut state) = setup.start(library)?;
//!
//! // Which nation must act, and its legal actions.
//! let romans = game.question(&state).expect("the game goes on").nation();
//! assert_eq!(game.nation_name(romans), "romans");
//! let mut list = Vec::new();
//! game.legal_actions(&state, Payments::Default, &mut list);
//! let gold = list.into_iter().find(|action| {
//!     matches!(action, Action::MoveStone { field: Field::Gold, .. })
//! }).expect("the first move on the rondel is free");
//!
//! // An action as text in notation, as JSON, and back.
//! assert_eq!(game.print(&gold), "stone gold");
//! assert_eq!(game.parse("stone gold")?, (None, gold));
//! let json = serde_json::to_string(&gold.named(&game))?;
//! assert_eq!(json, r#"{"type":"move_stone","field":"gold"}"#);
//!
//! // Applying it changes the state and lists the effects.
//! let mut effects = Vec::new();
//! game.apply(&mut state, romans, gold, &mut effects)?;
//! assert!(!effects.is_empty());
//!
//! // An illegal action changes nothing and is refused with the rule that it breaks.
//! let refusal = game.apply(&mut state, romans, gold, &mut effects).unwrap_err();
//! assert_eq!(refusal.to_string(), "the stone has moved this turn [D10]");
//!
//! // The rest of the game, in notation.
//! for text in ["end", "stone iron", "resign"] {
//!     let asked = game.question(&state).expect("the game goes on").nation();
//!     let (nation, action) = game.parse(text)?;
//!     game.apply(&mut state, nation.unwrap_or(asked), action, &mut effects)?;
//! }
//! assert!(game.question(&state).is_none());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Layers
//!
//! Each module uses only those above it in this list. `tests/layers.rs` checks this.
//!
//! | layer | contents |
//! | --- | --- |
//! | [`words`] | the closed sets of names: resource, unit, field, phase |
//! | [`ids`] | numbers for regions, nations, know-hows and cards, and sets of them |
//! | [`chips`] | amounts of chips and coins: price, payment, gain, holdings |
//! | [`chance`] | seeded draws |
//! | [`content`] | boards and rulesets in all their versions, and the rules in words |
//! | [`state`] | the state of a game |
//! | [`play`] | legal actions and their effects: a file for each chapter of the rules |
//! | [`forms`] | notation and JSON: actions, effects, views and positions by names |
//! | [`setup`] | the setup of a game, and how it starts |
//!
//! Rule numbers such as `[A27]` refer to the digests of the rule books
//! ([`rule_text`](content::rule_text)).

#![warn(missing_docs)]
#![allow(
    rustdoc::broken_intra_doc_links,
    reason = "rule numbers such as [A27] look like links"
)]

pub mod chance;
pub mod chips;
pub mod content;
pub mod forms;
pub mod ids;
pub mod play;
pub mod setup;
pub mod state;
pub mod words;
