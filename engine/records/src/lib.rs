//! Records: whole games to keep and share, their event logs, and the signatures of both. The JSON form is
//! [`Record`] itself, one object a line in a file of many; [`Record::to_text`] and [`Record::from_text`]
//! are for the text form. Undone actions stay in a record, with a `-` before them.
//!
//! A record proves its result: [`Record::verify`] follows it from the setup on. An adjudication or agreement
//! that only the record claims is marked as declared, and statistics exclude it unless asked. What is
//! refused and why is listed in `engine/bots/tests/forgeries.rs`; `mutations.rs` beside it alters every
//! field and lists what only a signature can show.
//!
//! All bytes are in `openapi/record-format.md` and never change; `tests/verify_record.py` checks them
//! without this code. A signature covers the whole record but `events`, so none of that may change after
//! the end of the game.
//!
//! ```
//! use engine::content::Library;
//! use engine::forms::digest_text;
//! use engine::setup::Setup;
//! use records::{RECORD_FORMAT, Record, Source};
//!
//! let library = Library::embedded();
//! let setup: Setup = serde_json::from_str(
//!     r#"{"edition": "antike_duellum", "board": "duellum-rome-carthage", "seed": "a tour",
//!         "first": "romans", "seats": [
//!             {"nations": ["romans"], "player": {"kind": "person", "id": "livia"}},
//!             {"nations": ["carthaginians"], "player": {"kind": "open"}}]}"#,
//! )?;
//! let actions = ["stone gold", "end", "stone iron", "resign"];
//! let (game, mut state) = setup.start(library)?;
//! for text in actions {
//!     let (nation, action) = game.read(&state, text)?;
//!     game.apply(&mut state, nation, action, &mut Vec::new())?;
//! }
//!
//! // The record is replayed to the same state, and proves its result.
//! let record = Record {
//!     format: RECORD_FORMAT.to_owned(),
//!     id: "a tour".to_owned(),
//!     setup: setup.spelled_out(library)?,
//!     actions: actions.map(str::to_owned).to_vec(),
//!     events: None,
//!     result: game.result_body(&state),
//!     digest: digest_text(state.digest()),
//!     played_at: "2012-10-18T12:00:00Z".to_owned(),
//!     source: Source::Import,
//!     rated: false,
//!     league: None,
//!     signature: None,
//! };
//! let (_, last) = record.replay(library, |step| println!("{:?}", step.effects))?;
//! assert_eq!(last, state);
//! assert!(!record.verify(library)?.declared);
//!
//! // Its text form is for people, and loses nothing.
//! let text = record.to_text(library)?;
//! assert!(text.ends_with("\n1. romans: stone gold; end\n2. carthaginians: stone iron; resign\n"));
//! assert_eq!(Record::from_text(&text)?, record);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod checkpoint;
mod log;
mod names;
mod record;
mod signature;
mod tail;
mod text;
mod verify;

pub use checkpoint::*;
pub use log::*;
pub use names::*;
pub use record::*;
pub use signature::*;
pub use tail::*;
pub use text::*;
pub use verify::*;
