//! Setups: what a game starts from, and starting it.
//!
//! All chance comes from the setup's seed, see [`crate::chance`]. [`Setup::spelled_out`] adds what was drawn from it,
//! and the hashes of board and ruleset: this is the setup that a record contains.

mod names;
mod pace;
mod start;

use serde::{Deserialize, Serialize};

pub use names::{check_name, check_seed};
pub use pace::{LONGEST_TURN, Pace, TimeoutThen};

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

/// How the ids of guests begin: people who have claimed a seat without an account.
pub const GUEST: &str = "guest:";

/// How the ids of placeholders begin: people without an account whom an organizer has named.
pub const PLACEHOLDER: &str = "placeholder:";

/// What kind of player sits on a seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::VariantArray)]
pub enum PlayerKind {
    /// A program that comes with Tabularium.
    Bot,
    /// Who has an account: the id is a UUID.
    Account,
    /// Who has claimed the seat without one: the id begins with [`GUEST`].
    Guest,
    /// Whom an organizer has named: the id begins with [`PLACEHOLDER`].
    Placeholder,
    /// Who is known by any other id: in records from elsewhere, and from before there were accounts.
    Person,
    /// Nobody.
    Open,
}

impl PlayerKind {
    /// Its name in tables.
    pub const fn name(self) -> &'static str {
        match self {
            PlayerKind::Bot => "bot",
            PlayerKind::Account => "account",
            PlayerKind::Guest => "guest",
            PlayerKind::Placeholder => "placeholder",
            PlayerKind::Person => "person",
            PlayerKind::Open => "open",
        }
    }
}

/// Whether a text is a UUID as ids are written: 32 hexadecimal digits in five groups.
fn is_uuid(text: &str) -> bool {
    let fits = |(place, byte): (usize, u8)| match place {
        8 | 13 | 18 | 23 => byte == b'-',
        _ => byte.is_ascii_hexdigit(),
    };
    text.len() == 36 && text.bytes().enumerate().all(fits)
}

impl Player {
    /// What kind of player it is. The id of a person tells.
    pub fn kind(&self) -> PlayerKind {
        match self {
            Player::Bot { .. } => PlayerKind::Bot,
            Player::Person { id, .. } if id.starts_with(GUEST) => PlayerKind::Guest,
            Player::Person { id, .. } if id.starts_with(PLACEHOLDER) => PlayerKind::Placeholder,
            Player::Person { id, .. } if is_uuid(id) => PlayerKind::Account,
            Player::Person { .. } => PlayerKind::Person,
            Player::Open => PlayerKind::Open,
        }
    }

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

impl SetupSeat {
    /// A seat of a bot, with nations as they are drawn.
    pub fn bot(name: impl Into<String>) -> SetupSeat {
        let player = Player::Bot { name: name.into() };
        SetupSeat {
            nations: Vec::new(),
            player,
        }
    }
}

/// What a game starts from. A setup read from a finished record has everything filled in.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_id_of_a_person_tells_the_kind() {
        let uuid = "0190b5a8-7c1e-7a3b-9d52-3f6a1c0e4b77";
        let kind = |id: &str| {
            let id = id.to_owned();
            Player::Person { id, name: None }.kind().name()
        };
        assert_eq!(kind(uuid), "account");
        assert_eq!(kind(&format!("guest:{uuid}")), "guest");
        assert_eq!(kind(&format!("placeholder:{uuid}")), "placeholder");
        for other in [
            "dido",
            "0190b5a8",
            &uuid.replace('-', "x"),
            &uuid.replace('0', "g"),
        ] {
            assert_eq!(kind(other), "person", "{other}");
        }
        let name = "greedy".to_owned();
        assert_eq!(Player::Bot { name }.kind(), PlayerKind::Bot);
        assert_eq!(Player::Open.kind(), PlayerKind::Open);
    }
}
