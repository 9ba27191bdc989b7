//! What a row of a log says, and its text: one entry has one text, and the text reads as the entry.

use std::fmt;
use std::str::FromStr;

use engine::chance::seed_commitment;
use engine::forms::Position;
use engine::setup::{Pace, Player, Setup, SetupSeat, TimeoutThen};
use serde::ser::SerializeMap;
use serde::{Deserialize, Serialize, Serializer};

use super::Decision;

/// What a row of a log says. Its text is [`EventRow::notation`](super::EventRow::notation):
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
/// Numbers are decimal without sign or leading zeros. JSON is written without spaces, with fields in
/// this order, and read in any. Hashes are over the text as it stands in the row.
#[derive(Clone, Debug, PartialEq)]
pub enum Entry {
    /// The setup: row 0 and no other.
    Setup(Box<PublicSetup>),
    /// An action in notation.
    Action(String),
    /// Back to where the game stood after an earlier row, which must count. The actions between do
    /// not count any more; who plays which seat stays.
    Undo(u64),
    /// Somebody plays a seat from here on, or nobody.
    Seat {
        /// The seat, from 0.
        seat: u8,
        /// Who plays it.
        player: Player,
    },
    /// The end, as people decided it.
    Adjudicate(Box<Decision>),
    /// The end without a result.
    Abandon,
    /// A seat has used up its time. What happens with that stands in the rows behind: a bot on the seat, or
    /// that its nations resign.
    Timeout {
        /// The seat, from 0.
        seat: u8,
        /// What happens.
        then: TimeoutThen,
    },
}

/// A text that is no entry.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EntryError {
    /// It begins as a setup.
    #[error("cannot read it as a setup: {0}")]
    Setup(String),
    /// What stands behind `undo` is no number.
    #[error("cannot read it: {0:?} is no number of an event")]
    Undo(String),
    /// What stands behind `seat` is not a seat and a player.
    #[error("cannot read it: {0:?} is not a seat and its player")]
    Seat(String),
    /// What stands behind `timeout` is not a seat and what happens.
    #[error("cannot read it: {0:?} is not a seat and what its time-out leads to")]
    Timeout(String),
    /// What stands behind `adjudicate` is no result.
    #[error("cannot read it as a decision: {0}")]
    Adjudicate(String),
}

/// A number as entries write it: digits without a sign or leading zeros.
fn number<N: FromStr + ToString>(text: &str) -> Option<N> {
    let number: N = text.parse().ok()?;
    (number.to_string() == text).then_some(number)
}

/// Behind `seat N`.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Seated<P> {
    player: P,
}

/// Behind `timeout N`.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct TimedOut {
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
            Some(("seat", told)) => {
                let read = || {
                    let (seat, player) = told.split_once(' ')?;
                    let Seated { player } = serde_json::from_str(player).ok()?;
                    let seat = number(seat)?;
                    Some(Entry::Seat { seat, player })
                };
                read().ok_or_else(|| EntryError::Seat(told.to_owned()))
            }
            Some(("timeout", told)) => {
                let read = || {
                    let (seat, then) = told.split_once(' ')?;
                    let TimedOut { then } = serde_json::from_str(then).ok()?;
                    let seat = number(seat)?;
                    Some(Entry::Timeout { seat, then })
                };
                read().ok_or_else(|| EntryError::Timeout(told.to_owned()))
            }
            Some(("adjudicate", told)) => {
                let decision: Result<Option<Decision>, _> = serde_json::from_str(told);
                let decision =
                    decision.map_err(|error| EntryError::Adjudicate(error.to_string()))?;
                Ok(decision.map_or(Entry::Abandon, |told| Entry::Adjudicate(Box::new(told))))
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
            Entry::Seat { seat, player } => write!(f, "seat {seat} {}", json(&Seated { player })?),
            Entry::Adjudicate(decision) => write!(f, "adjudicate {}", json(decision)?),
            Entry::Abandon => f.write_str("adjudicate null"),
            Entry::Timeout { seat, then } => {
                let then = TimedOut { then: *then };
                write!(f, "timeout {seat} {}", json(&then)?)
            }
        }
    }
}

/// What row 0 tells of a setup: [`Setup`] with `seed_commitment` in place of the seed, which is
/// secret while a game goes on, and without `deck` and `reshuffles`, which come from it. An order of
/// the deck that the position tells does not come from it: it stays, and everybody knows it.
///
/// Its JSON has the fields in the order of this struct, but that the last one there is of `drawn`,
/// `first`, `max_rounds` and `position` comes before the other three, and `pace` is left out where there is
/// none.
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
    /// The seats, with the players of the beginning.
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
    /// How much time the players have.
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub pace: Option<Pace>,
}

impl PublicSetup {
    /// What is told of a setup.
    pub fn of(setup: &Setup) -> PublicSetup {
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

    /// Whether it is told of this setup, players aside: who sits where may have changed since.
    pub fn tells(&self, setup: &Setup) -> bool {
        let without_players = |mut told: PublicSetup| {
            for seat in &mut told.seats {
                seat.player = Player::Open;
            }
            told
        };
        without_players(self.clone()) == without_players(PublicSetup::of(setup))
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
