//! Setups: what a game starts from.

use serde::{Deserialize, Serialize};

use super::Pace;
use crate::forms::Position;

/// Who plays a seat, as a record tells it. The engine only passes it on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case", tag = "kind", deny_unknown_fields)]
pub enum Player {
    /// A program that comes with Tabularium.
    Bot {
        /// Its name, with its temperament if it has one.
        name: String,
    },
    /// A person or a program of somebody's, known by an account.
    Person {
        /// The account.
        id: String,
        /// A name to show.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "schema", schema(nullable = false))]
        name: Option<String>,
    },
    /// Nobody yet.
    Open,
}

impl Player {
    /// Who acts, as event logs name it: a bot by its name, a person by the account.
    pub fn actor(&self) -> Option<&str> {
        match self {
            Player::Bot { name } => Some(name),
            Player::Person { id, .. } => Some(id),
            Player::Open => None,
        }
    }
}

/// A seat at the table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct SetupSeat {
    /// The nations of the seat: one, or two in the two-player game [A41]. Empty means drawn.
    #[serde(default)]
    pub nations: Vec<String>,
    /// Who plays it.
    pub player: Player,
}

/// What a game starts from. A setup read from a finished record has everything filled in.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Setup {
    /// The edition.
    pub edition: String,
    /// The board.
    pub board: String,
    /// SHA-256 of the ruleset's file; the current version when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub ruleset_hash: Option<String>,
    /// SHA-256 of the board's file; the current version when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub board_hash: Option<String>,
    /// The variants.
    #[serde(default)]
    pub variants: Vec<String>,
    /// The seats in table order, clockwise.
    pub seats: Vec<SetupSeat>,
    /// Where all chance comes from; empty for a game played at a table, whose record spells out what
    /// was drawn.
    #[serde(default)]
    pub seed: String,
    /// Words already drawn from the seed's stream: 0 for a new game; in a setup that spells its
    /// choices out, the words that drew them.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub drawn: u32,
    /// The nation that starts; decided by the rules when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub first: Option<String>,
    /// The last round that is played; no limit when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub max_rounds: Option<u32>,
    /// The event deck as it was shuffled, the last card drawn first; from the seed when absent. Only
    /// finished games tell it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub deck: Option<Vec<String>>,
    /// The decks that used cards became later, in the same form and in the order of the reshuffles,
    /// those before a position included; from the seed where absent or empty.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reshuffles: Vec<Vec<String>>,
    /// The position to start from, in place of the edition's set-up.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub position: Option<Box<Position>>,
    /// How much time the players have; all they need when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub pace: Option<Pace>,
}

fn is_zero(number: &u32) -> bool {
    *number == 0
}
