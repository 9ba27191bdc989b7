//! Annotations in requests and responses.

use jiff::Timestamp;
use records::Note;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Annotations of a game: `comment` and `notes`, or `text`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"comment": "My first win.", "notes": [
    {"action": 0, "verdict": "?!", "comment": "Too early.", "variations": [{"actions": ["stone gold"]}]}]}))]
pub struct NewAnnotations {
    /// A comment on the whole game.
    #[serde(default)]
    #[schema(min_length = 1, max_length = 1000)]
    pub comment: Option<String>,
    /// The notes, by action; at most one for each.
    #[serde(default)]
    #[schema(max_items = 500)]
    pub notes: Vec<Note>,
    /// The game's record with annotations in notation, in place of the other two.
    #[serde(default)]
    pub text: Option<String>,
}

/// The annotations of a game by an account.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct GameAnnotations {
    /// The id of the account.
    #[schema(example = "0190b5a8-7c1e-7a3b-9d52-3f6a1c0e4b77")]
    pub player: String,
    /// Its current handle.
    #[schema(example = "dido")]
    pub handle: String,
    /// When they were last changed.
    pub updated_at: Timestamp,
    /// The comment on the whole game; null without one, and while an administrator hides the texts of the game.
    pub comment: Option<String>,
    /// The notes, by action. They have no comments while an administrator hides the texts of the game.
    pub notes: Vec<Note>,
}

/// The annotations of a game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct AnnotationList {
    /// The annotations of each account, the earliest changed first.
    pub items: Vec<GameAnnotations>,
}
