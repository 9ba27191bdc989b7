//! A decision of people that ends a game: an agreement or adjudication, with a rank for each seat.

use engine::forms::{RankBody, ResultBody};
use engine::words::EndReason;
use serde::{Deserialize, Deserializer, Serialize};

/// The end of a game by agreement or adjudication.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(from = "DecisionJson", into = "DecisionJson")]
pub struct Decision {
    /// The result.
    pub result: ResultBody,
    /// A note on the decision. A declared decision needs none.
    pub note: Option<String>,
    /// True if it was imported from a record without a log. The importer decided nothing.
    pub declared: bool,
}

/// The JSON of a decision.
///
/// A decision made where the log was written always has `note`, which may be null. One without `note` is declared:
/// early imports wrote it that way, before the field `declared` existed.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct DecisionJson {
    reason: EndReason,
    ranks: Vec<RankBody>,
    #[serde(
        default,
        deserialize_with = "present",
        skip_serializing_if = "Option::is_none"
    )]
    note: Option<Option<String>>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    declared: bool,
}

fn present<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Option<String>>, D::Error> {
    Option::deserialize(from).map(Some)
}

impl From<DecisionJson> for Decision {
    fn from(json: DecisionJson) -> Decision {
        Decision {
            declared: json.declared || json.note.is_none(),
            result: ResultBody {
                reason: json.reason,
                ranks: json.ranks,
            },
            note: json.note.flatten(),
        }
    }
}

impl From<Decision> for DecisionJson {
    fn from(decision: Decision) -> DecisionJson {
        DecisionJson {
            reason: decision.result.reason,
            ranks: decision.result.ranks,
            note: match decision.note {
                None if decision.declared => None,
                note => Some(note),
            },
            declared: decision.declared,
        }
    }
}
