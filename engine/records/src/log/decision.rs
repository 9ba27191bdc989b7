//! The end of a game that people decide: by agreement or adjudication, with one rank for each seat.

use engine::forms::{RankBody, ResultBody};
use engine::words::EndReason;
use serde::{Deserialize, Deserializer, Serialize};

/// An end that people decided.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(from = "DecisionJson", into = "DecisionJson")]
pub struct Decision {
    /// The result.
    pub result: ResultBody,
    /// What was noted with it. One that is declared needs none.
    pub note: Option<String>,
    /// Whether a record claimed it and no log carried it: whoever took the record in decided
    /// nothing.
    pub declared: bool,
}

/// The JSON of a decision. One that was made where the log was written always has `note`, be it
/// null; one without is declared, as imports wrote it before they wrote `declared`.
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
    fn from(told: DecisionJson) -> Decision {
        Decision {
            declared: told.declared || told.note.is_none(),
            result: ResultBody {
                reason: told.reason,
                ranks: told.ranks,
            },
            note: told.note.flatten(),
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
