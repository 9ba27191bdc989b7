//! Records: whole games to keep and share. The JSON form is [`Record`] itself, one object a line in
//! a file of many; [`Record::to_text`] and [`Record::from_text`] are for the text form.
//!
//! A record proves its result: [`Record::verify`] follows it from the setup on, and what no action and
//! no log tells is marked as declared. The bytes are in `openapi/record-format.md` and are for ever.

mod checkpoint;
mod log;
mod names;
mod pace;
#[allow(
    clippy::module_inception,
    reason = "the record is the chief thing of this folder"
)]
mod record;
mod setup;
mod signature;
mod start;
mod tail;
mod text;
mod verify;

pub use checkpoint::*;
pub use log::*;
pub use names::*;
pub use pace::*;
pub use record::*;
pub use setup::*;
pub use signature::*;
pub use tail::*;
pub use text::*;
pub use verify::*;
