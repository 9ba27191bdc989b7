//! Reads times in JSON bodies.

use jiff::Timestamp;
use serde::{Deserialize, Deserializer, de};

/// Reads an RFC 3339 time; the error names the expected form.
///
/// # Errors
/// When the value is not such a time.
pub fn timestamp<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Timestamp, D::Error> {
    parse(&String::deserialize(deserializer)?)
}

/// The same as [`timestamp`], of a value that can be null.
///
/// # Errors
/// When the value is not such a time.
pub fn optional_timestamp<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Timestamp>, D::Error> {
    Option::<String>::deserialize(deserializer)?
        .map(|text| parse(&text))
        .transpose()
}

fn parse<E: de::Error>(text: &str) -> Result<Timestamp, E> {
    let invalid = |_: jiff::Error| {
        E::custom(format!(
            "{text:?} is not a time: use RFC 3339, such as 2026-01-31T18:00:00Z"
        ))
    };
    text.parse().map_err(invalid)
}
