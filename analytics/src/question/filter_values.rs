//! The values of filters that are not plain texts or numbers, and their text forms.

use std::fmt;
use std::str::FromStr;

use engine::words;
use engine::words::EndReason;
use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use serde::{Deserialize, Serialize};
use serde_with::{DeserializeFromStr, SerializeDisplay};

use super::condition::Condition;
use crate::facts::STOPS;

pub use crate::facts::{Opponents, TimeControl};

/// Whether a filter includes, requires or excludes games of a kind.
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    Hash,
    Serialize,
    Deserialize,
    clap::ValueEnum,
    strum::Display,
)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Inclusion {
    /// Includes games of the kind and others.
    #[default]
    Any,
    /// Includes only games of the kind.
    Only,
    /// Excludes games of the kind.
    None,
}

impl Inclusion {
    /// True if games of the kind are excluded.
    pub(crate) fn is_none(&self) -> bool {
        *self == Inclusion::None
    }

    /// Returns the condition on a boolean column.
    pub(crate) fn condition(self, column: &'static str) -> Option<Condition> {
        match self {
            Inclusion::Any => None,
            Inclusion::Only => Some(Condition::Holds(column)),
            Inclusion::None => Some(Condition::Holds(column).not()),
        }
    }
}

/// The ends of games that a filter includes.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, SerializeDisplay, DeserializeFromStr,
)]
pub enum EndFilter {
    /// The rules ended the game with a winner.
    #[default]
    PlayedOut,
    /// Any end.
    Any,
    /// This reason.
    By(EndReason),
}

/// A text that names no end of games.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is unknown; known values are played_out, any, {reasons}", reasons = reason_names())]
pub struct ReasonError(String);

fn reason_names() -> String {
    let names: Vec<&str> = EndReason::ALL.iter().map(|reason| reason.name()).collect();
    names.join(", ")
}

impl FromStr for EndFilter {
    type Err = ReasonError;

    fn from_str(text: &str) -> Result<EndFilter, ReasonError> {
        let mut reasons = EndReason::ALL.iter();
        match text {
            "played_out" => Ok(EndFilter::PlayedOut),
            "any" => Ok(EndFilter::Any),
            _ => reasons
                .find(|reason| reason.name() == text)
                .map(|reason| EndFilter::By(*reason))
                .ok_or_else(|| ReasonError(text.to_owned())),
        }
    }
}

impl fmt::Display for EndFilter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            EndFilter::PlayedOut => "played_out",
            EndFilter::Any => "any",
            EndFilter::By(reason) => reason.name(),
        })
    }
}

/// A version of an edition's rules, written as its number, as the SHA-256 of its file, or as `each`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, SerializeDisplay, DeserializeFromStr)]
pub enum RulesetVersion {
    /// All versions, each with its own rows.
    Each,
    /// The version with this number, of any edition.
    Number(u32),
    /// The ruleset file with this hash.
    Hash(String),
}

/// A text that is not a version of the rules.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{0:?} is not a version of the rules; use its number (from 1), its hash (64 hexadecimal digits) or each"
)]
pub struct RulesetVersionError(String);

impl FromStr for RulesetVersion {
    type Err = RulesetVersionError;

    fn from_str(text: &str) -> Result<RulesetVersion, RulesetVersionError> {
        if text == "each" {
            return Ok(RulesetVersion::Each);
        }
        let is_digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
        if text.len() == 64 && text.bytes().all(is_digit) {
            return Ok(RulesetVersion::Hash(text.to_owned()));
        }
        match text.parse() {
            Ok(number) if number > 0 => Ok(RulesetVersion::Number(number)),
            _ => Err(RulesetVersionError(text.to_owned())),
        }
    }
}

impl fmt::Display for RulesetVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RulesetVersion::Each => f.write_str("each"),
            RulesetVersion::Number(number) => number.fmt(f),
            RulesetVersion::Hash(hash) => f.write_str(hash),
        }
    }
}

/// A time, written in RFC 3339 or as a date, which means its start in UTC.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, SerializeDisplay, DeserializeFromStr,
)]
pub struct InstantFilter(pub Timestamp);

/// A text that is not a time.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{0:?} is not a time; use RFC 3339, such as 2026-11-20T18:30:00Z, or a date such as 2026-11-20"
)]
pub struct TimeError(String);

impl FromStr for InstantFilter {
    type Err = TimeError;

    fn from_str(text: &str) -> Result<InstantFilter, TimeError> {
        let no_moment = || TimeError(text.to_owned());
        if let Ok(time) = text.parse::<Timestamp>() {
            return Ok(InstantFilter(time));
        }
        let date: Date = text.parse().map_err(|_| no_moment())?;
        let start = date.to_zoned(TimeZone::UTC).map_err(|_| no_moment())?;
        Ok(InstantFilter(start.timestamp()))
    }
}

impl fmt::Display for InstantFilter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The last recorded game to include: an offset in the log, or a time as in [`InstantFilter`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, SerializeDisplay, DeserializeFromStr)]
pub enum AsOf {
    /// Games up to this offset.
    Position(i64),
    /// Games recorded up to this time.
    Time(Timestamp),
}

/// A text that is neither an offset nor a time.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not an offset or a time; use a number, RFC 3339 or a date such as 2026-11-20")]
pub struct AsOfError(String);

impl FromStr for AsOf {
    type Err = AsOfError;

    fn from_str(text: &str) -> Result<AsOf, AsOfError> {
        let no = |_: TimeError| AsOfError(text.to_owned());
        match !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) {
            true => text
                .parse()
                .map(AsOf::Position)
                .map_err(|_| AsOfError(text.to_owned())),
            false => text
                .parse()
                .map(|InstantFilter(time)| AsOf::Time(time))
                .map_err(no),
        }
    }
}

impl fmt::Display for AsOf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AsOf::Position(place) => place.fmt(f),
            AsOf::Time(time) => time.fmt(f),
        }
    }
}

/// The first rondel spaces of a nation, written with commas.
/// It has at most one space less than the facts store, so that a next space exists for each path.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, SerializeDisplay, DeserializeFromStr)]
pub struct StopPath(pub(crate) Vec<words::Field>);

/// A text that is not a path of rondel spaces.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PathError {
    /// A word is not a rondel space.
    #[error("{0:?} is not a rondel space; the spaces are {fields}", fields = field_names())]
    Field(String),
    /// The path has too many spaces.
    #[error("{0} rondel spaces; at most {most} are allowed", most = STOPS - 1)]
    TooLong(usize),
}

fn field_names() -> String {
    let names: Vec<&str> = words::Field::ALL.iter().map(|field| field.name()).collect();
    names.join(", ")
}

impl StopPath {
    /// Returns the spaces, in order.
    pub fn fields(&self) -> &[words::Field] {
        &self.0
    }
}

impl FromStr for StopPath {
    type Err = PathError;

    fn from_str(text: &str) -> Result<StopPath, PathError> {
        let words = text.split(',').map(str::trim);
        let words = words.filter(|_| !text.trim().is_empty());
        let fields = words
            .map(|word| word.parse().map_err(|_| PathError::Field(word.to_owned())))
            .collect::<Result<Vec<words::Field>, PathError>>()?;
        match fields.len() {
            count if count >= STOPS => Err(PathError::TooLong(count)),
            _ => Ok(StopPath(fields)),
        }
    }
}

impl fmt::Display for StopPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, field) in self.0.iter().enumerate() {
            let comma = if index == 0 { "" } else { "," };
            write!(f, "{comma}{field}")?;
        }
        Ok(())
    }
}
