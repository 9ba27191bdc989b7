//! The meaning of a row of a log, and its text.
//! Each entry has exactly one text and parses back from it.

use std::fmt;
use std::str::FromStr;

use engine::chance::seed_commitment;
use engine::forms::Position;
use engine::setup::{Pace, Player, Setup, SetupSeat, TimeoutThen};
use serde::ser::SerializeMap;
use serde::{Deserialize, Serialize, Serializer};

use super::Decision;

/// The meaning of a row of a log. Its text is [`EventRow::notation`](super::EventRow::notation):
///
/// | entry | text |
/// |-------|------|
/// | [`Setup`](Entry::Setup) | a JSON object, see [`PublicSetup`] |
/// | [`Action`](Entry::Action) | the action's notation, `stone iron` or `greeks: resign` |
/// | [`Undo`](Entry::Undo) | `undo ` and the number of a row, `undo 55` |
/// | [`Seat`](Entry::Seat) | `seat `, the seat's number, a space and `{"player":` [`Player`] `}` |
/// | [`Adjudicate`](Entry::Adjudicate) | `adjudicate ` and JSON: `{"reason":…,"ranks":[…],"note":…}` with a text or null as note; declared ones are `{"reason":…,"ranks":[…],"declared":true}` |
/// | [`Abandon`](Entry::Abandon) | `adjudicate null` |
/// | [`Timeout`](Entry::Timeout) | `timeout `, the seat's number, a space and `{"then":` [`TimeoutThen`] `}` |
///
/// Numbers are decimal without sign or leading zeros. JSON is written without spaces and with fields in
/// this order; it is read in any order. Hashes cover the text exactly as stored in the row.
#[derive(Clone, Debug, PartialEq)]
pub enum Entry {
    /// The setup: row 0 and no other.
    Setup(Box<PublicSetup>),
    /// An action in notation.
    Action(String),
    /// Returns to the state after an earlier row, which must count.
    ///
    /// The actions in between stop counting. The players of the seats stay.
    Undo(u64),
    /// A new player on a seat, or an open seat.
    Seat {
        /// The seat, from 0.
        seat: u8,
        /// The player.
        player: Player,
    },
    /// The end by decision of people.
    Adjudicate(Box<Decision>),
    /// The end without a result.
    Abandon,
    /// A seat has used up its time.
    ///
    /// The consequence is in the rows after it: a bot on the seat, or the resignation of its nations.
    Timeout {
        /// The seat, from 0.
        seat: u8,
        /// The consequence.
        then: TimeoutThen,
    },
}

/// A text that is not an entry.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EntryError {
    /// The JSON of a setup cannot be parsed.
    #[error("the setup cannot be read: {0}")]
    Setup(String),
    /// `undo` is not followed by a number.
    #[error("\"undo\" must be followed by the number of an event, not by {0:?}")]
    Undo(String),
    /// `seat` is not followed by a seat and a player.
    #[error("\"seat\" must be followed by a seat number and {{\"player\": …}}, not by {0:?}")]
    Seat(String),
    /// `timeout` is not followed by a seat and a consequence.
    #[error("\"timeout\" must be followed by a seat number and {{\"then\": …}}, not by {0:?}")]
    Timeout(String),
    /// `adjudicate` is not followed by a result.
    #[error("the decision cannot be read: {0}")]
    Adjudicate(String),
}

/// Parses a number as entries write it: digits without a sign or leading zeros.
fn number<N: FromStr + ToString>(text: &str) -> Option<N> {
    let number: N = text.parse().ok()?;
    (number.to_string() == text).then_some(number)
}

/// The JSON after `seat N`.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SeatJson<P> {
    player: P,
}

/// The JSON after `timeout N`.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct TimeoutJson {
    then: TimeoutThen,
}

impl FromStr for Entry {
    type Err = EntryError;

    fn from_str(text: &str) -> Result<Entry, EntryError> {
        if text.starts_with('{') {
            let setup = serde_json::from_str(text);
            let setup = setup.map_err(|error| EntryError::Setup(error.to_string()))?;
            return Ok(Entry::Setup(Box::new(setup)));
        }
        match text.split_once(' ') {
            Some(("undo", to)) => {
                let to = number(to).ok_or_else(|| EntryError::Undo(to.to_owned()))?;
                Ok(Entry::Undo(to))
            }
            Some(("seat", rest)) => {
                let read = || {
                    let (seat, player) = rest.split_once(' ')?;
                    let SeatJson { player } = serde_json::from_str(player).ok()?;
                    let seat = number(seat)?;
                    Some(Entry::Seat { seat, player })
                };
                read().ok_or_else(|| EntryError::Seat(rest.to_owned()))
            }
            Some(("timeout", rest)) => {
                let read = || {
                    let (seat, then) = rest.split_once(' ')?;
                    let TimeoutJson { then } = serde_json::from_str(then).ok()?;
                    let seat = number(seat)?;
                    Some(Entry::Timeout { seat, then })
                };
                read().ok_or_else(|| EntryError::Timeout(rest.to_owned()))
            }
            Some(("adjudicate", rest)) => {
                let decision: Result<Option<Decision>, _> = serde_json::from_str(rest);
                let decision =
                    decision.map_err(|error| EntryError::Adjudicate(error.to_string()))?;
                Ok(decision.map_or(Entry::Abandon, |decision| {
                    Entry::Adjudicate(Box::new(decision))
                }))
            }
            _ => Ok(Entry::Action(text.to_owned())),
        }
    }
}

impl fmt::Display for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Plain data with names as keys is always JSON.
        fn json(value: &impl Serialize) -> Result<String, fmt::Error> {
            serde_json::to_string(value).map_err(|_| fmt::Error)
        }
        match self {
            Entry::Setup(setup) => f.write_str(&json(setup)?),
            Entry::Action(notation) => f.write_str(notation),
            Entry::Undo(to) => write!(f, "undo {to}"),
            Entry::Seat { seat, player } => {
                write!(f, "seat {seat} {}", json(&SeatJson { player })?)
            }
            Entry::Adjudicate(decision) => write!(f, "adjudicate {}", json(decision)?),
            Entry::Abandon => f.write_str("adjudicate null"),
            Entry::Timeout { seat, then } => {
                let then = TimeoutJson { then: *then };
                write!(f, "timeout {seat} {}", json(&then)?)
            }
        }
    }
}

/// The public part of a setup, as row 0 has it.
///
/// It is [`Setup`] with `seed_commitment` in place of the seed, which is secret during the game, and without
/// `deck` and `reshuffles`, which derive from the seed. A deck order given by the position does not derive from
/// the seed. It is public and included.
///
/// The JSON has the fields in the order of this struct, with two exceptions: of `drawn`, `first`, `max_rounds` and
/// `position`, the last one present precedes the others; and `pace` is omitted if absent.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct PublicSetup {
    /// The edition.
    pub edition: String,
    /// The board.
    pub board: String,
    /// SHA-256 of the ruleset's file.
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub ruleset_hash: Option<String>,
    /// SHA-256 of the board's file.
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub board_hash: Option<String>,
    /// The variants.
    #[serde(default)]
    pub variants: Vec<String>,
    /// The seats, with their players at the start.
    pub seats: Vec<SetupSeat>,
    /// Words drawn from the seed's stream before the game began.
    #[serde(default)]
    pub drawn: u32,
    /// The nation that starts.
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub first: Option<String>,
    /// The last round that is played.
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub max_rounds: Option<u32>,
    /// The position to start from.
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub position: Option<Box<Position>>,
    /// SHA-256 of the seed, 64 hexadecimal digits.
    pub seed_commitment: String,
    /// The time that players have.
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub pace: Option<Pace>,
}

impl PublicSetup {
    /// Returns the public part of a setup.
    pub fn new(setup: &Setup) -> PublicSetup {
        PublicSetup {
            edition: setup.edition.clone(),
            board: setup.board.clone(),
            ruleset_hash: setup.ruleset_hash.clone(),
            board_hash: setup.board_hash.clone(),
            variants: setup.variants.clone(),
            seats: setup.seats.clone(),
            drawn: setup.drawn,
            first: setup.first.clone(),
            max_rounds: setup.max_rounds,
            position: setup.position.clone(),
            seed_commitment: seed_commitment(&setup.seed),
            pace: setup.pace.clone(),
        }
    }

    /// Returns whether it is the public part of `setup`, ignoring players, which may have changed since.
    pub fn matches(&self, setup: &Setup) -> bool {
        let without_players = |mut setup: PublicSetup| {
            for seat in &mut setup.seats {
                seat.player = Player::Open;
            }
            setup
        };
        without_players(self.clone()) == without_players(PublicSetup::new(setup))
    }
}

impl Serialize for PublicSetup {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_map(None)?;
        fields.serialize_entry("edition", &self.edition)?;
        fields.serialize_entry("board", &self.board)?;
        if let Some(hash) = &self.ruleset_hash {
            fields.serialize_entry("ruleset_hash", hash)?;
        }
        if let Some(hash) = &self.board_hash {
            fields.serialize_entry("board_hash", hash)?;
        }
        fields.serialize_entry("variants", &self.variants)?;
        fields.serialize_entry("seats", &self.seats)?;
        let there = [
            self.drawn > 0,
            self.first.is_some(),
            self.max_rounds.is_some(),
            self.position.is_some(),
        ];
        let last = there.iter().rposition(|there| *there);
        let others = (0..there.len()).filter(|field| Some(*field) != last);
        for field in last.into_iter().chain(others).filter(|field| there[*field]) {
            match field {
                0 => fields.serialize_entry("drawn", &self.drawn)?,
                1 => fields.serialize_entry("first", &self.first)?,
                2 => fields.serialize_entry("max_rounds", &self.max_rounds)?,
                _ => fields.serialize_entry("position", &self.position)?,
            }
        }
        fields.serialize_entry("seed_commitment", &self.seed_commitment)?;
        if let Some(pace) = &self.pace {
            fields.serialize_entry("pace", pace)?;
        }
        fields.end()
    }
}
