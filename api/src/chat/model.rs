//! Messages of a chat, in requests and responses.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::accounts::names;

/// A message to the table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"text": "Good luck to all!"}))]
pub struct NewMessage {
    /// The text, from 1 to 500 bytes.
    #[serde(deserialize_with = "names::read_note")]
    #[schema(min_length = 1, max_length = 500)]
    pub text: String,
}

/// A message in the chat of a game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct MessageBody {
    /// The number of the message, from 1. Numbers grow, and some may be missing.
    pub number: u64,
    /// When it was sent.
    pub at: Timestamp,
    /// The seat of the sender; null for the organizer of the game without a seat.
    pub seat: Option<u8>,
    /// The account or guest who sent it; null for an organizer without an account.
    #[schema(example = "0190b5a8-7c1e-7a3b-9d52-3f6a1c0e4b77")]
    pub player: Option<String>,
    /// The present handle of the account, or the name of the guest while seated; null if there is none.
    pub name: Option<String>,
    /// The text; null while an administrator hides the texts of the game.
    pub text: Option<String>,
}

/// A part of the chat of a game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ChatPage {
    /// Whether messages can be sent.
    pub on: bool,
    /// The number of the last message; 0 without one.
    pub last: u64,
    /// The messages, the oldest first.
    pub items: Vec<MessageBody>,
    /// The `after` of the next page; null if there are no more messages.
    pub next: Option<u64>,
}

/// Turns the chat of a game on or off.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"on": false}))]
pub struct ChatSwitch {
    /// Whether messages can be sent.
    pub on: bool,
}
