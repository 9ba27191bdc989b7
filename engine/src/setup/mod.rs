//! Setups: everything that a game starts from.
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

/// The player of a seat. The engine only passes it on to records.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case", tag = "kind", deny_unknown_fields)]
pub enum Player {
    /// A bot that comes with Tabularium.
    Bot {
        /// Its name, with its temperament if it has one.
        name: String,
    },
    /// A person, or a program of theirs, identified by an account.
    Person {
        /// The account.
        id: String,
        /// A name to show.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "schema", schema(nullable = false))]
        name: Option<String>,
    },
    /// An open seat.
    Open,
}

/// The prefix of the ids of guests, who claimed a seat without an account.
pub const GUEST: &str = "guest:";

/// The prefix of the ids of placeholders: people without an account, named by an organizer.
pub const PLACEHOLDER: &str = "placeholder:";

/// The kind of a seat's player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::VariantArray)]
pub enum PlayerKind {
    /// A program that comes with Tabularium.
    Bot,
    /// A person with an account: the id is a UUID.
    Account,
    /// A person who claimed the seat without an account: the id begins with [`GUEST`].
    Guest,
    /// A person named by an organizer: the id begins with [`PLACEHOLDER`].
    Placeholder,
    /// A person with any other id, in records from elsewhere or older than accounts.
    Person,
    /// No player.
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

/// Returns whether a text is a UUID in the form of ids: 32 hexadecimal digits in five groups.
fn is_uuid(text: &str) -> bool {
    let fits = |(place, byte): (usize, u8)| match place {
        8 | 13 | 18 | 23 => byte == b'-',
        _ => byte.is_ascii_hexdigit(),
    };
    text.len() == 36 && text.bytes().enumerate().all(fits)
}

impl Player {
    /// Returns the kind of player, which follows from the id.
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

    /// Returns the name of the player in event logs: a bot's name, or a person's account.
    pub fn actor(&self) -> Option<&str> {
        match self {
            Player::Bot { name } => Some(name),
            Player::Person { id, .. } => Some(id),
            Player::Open => None,
        }
    }
}

/// A seat of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct SetupSeat {
    /// The nations of the seat: one, or two in the two-player game [A41]. Drawn if empty.
    #[serde(default)]
    pub nations: Vec<String>,
    /// The player.
    pub player: Player,
}

impl SetupSeat {
    /// Returns a seat of a bot whose nations are drawn.
    pub fn bot(name: impl Into<String>) -> SetupSeat {
        let player = Player::Bot { name: name.into() };
        SetupSeat {
            nations: Vec::new(),
            player,
        }
    }
}

/// Everything that a game starts from. In the setup of a finished record everything is filled in.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Setup {
    /// The edition.
    pub edition: String,
    /// The board.
    pub board: String,
    /// SHA-256 of the ruleset's file; the current version if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub ruleset_hash: Option<String>,
    /// SHA-256 of the board's file; the current version if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub board_hash: Option<String>,
    /// The variants.
    #[serde(default)]
    pub variants: Vec<String>,
    /// The seats in seat order, clockwise.
    pub seats: Vec<SetupSeat>,
    /// The source of all chance; empty for an over-the-board game, whose record spells out its draws.
    #[serde(default)]
    pub seed: String,
    /// Words already drawn from the seed's stream.
    ///
    /// 0 for a new game. In a setup with every choice spelled out, the words that these choices took.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub drawn: u32,
    /// The nation that starts; decided by the rules if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub first: Option<String>,
    /// The last round of the game; no limit if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub max_rounds: Option<u32>,
    /// The shuffled event deck, the last card drawn first; derived from the seed if absent.
    /// Only finished games have it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub deck: Option<Vec<String>>,
    /// The decks after each reshuffle of the used cards, in order, including those before a position.
    /// They have the same form. Those that are absent or empty derive from the seed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reshuffles: Vec<Vec<String>>,
    /// The position to start from, instead of the edition's set-up.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub position: Option<Box<Position>>,
    /// The time that players have; unlimited if absent.
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
    fn the_kind_of_a_person_follows_from_the_id() {
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
