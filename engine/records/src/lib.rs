//! Records: whole games to keep and share, their event logs, and the signatures of both.
//!
//! [`Record`] serializes to the JSON form; a file of many records has one object on each line.
//! [`Record::to_text`] and [`Record::from_text`] write and read the text form. Undone actions stay in a record,
//! with a `-` before them.
//!
//! A record proves its result: [`Record::verify`] replays it from the setup. An adjudication or agreement that only
//! the record claims is marked as declared, and statistics exclude it by default. `engine/bots/tests/forgeries.rs`
//! lists which forgeries are rejected and why. `engine/bots/tests/mutations.rs` alters every field, and lists the
//! changes that only a signature reveals.
//!
//! [`Annotations`] are comments, verdicts and variations beside a record or in its text form.
//!
//! `openapi/record-format.md` defines all bytes, which never change. `tests/verify_record.py` checks them without
//! this code. A signature covers the whole record except `events`, so none of that may change after the end of the
//! game.
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
//! // A replay leads to the same state and proves the result.
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
//! // The text form is for people and contains the same.
//! let text = record.to_text(library)?;
//! assert!(text.ends_with("\n1. romans: stone gold; end\n2. carthaginians: stone iron; resign\n"));
//! assert_eq!(Record::from_text(&text)?, record);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod annotated;
mod checkpoint;
mod log;
mod names;
mod record;
mod signature;
mod tail;
mod text;
pub mod tlog;
mod verify;

pub use annotated::*;
pub use checkpoint::*;
pub use log::*;
pub use names::*;
pub use record::*;
pub use signature::*;
pub use tail::*;
pub use text::*;
pub use verify::*;
