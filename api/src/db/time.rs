//! Conversion of stored times, which are microseconds since 1970.

use jiff::Timestamp;

/// Formats a stored time as RFC 3339 in UTC. Equal numbers give equal texts.
/// A number outside the calendar's range becomes 1970-01-01.
pub fn time_text(micros: i64) -> String {
    timestamp(micros).to_string()
}

/// Converts a stored time. A number outside the calendar's range becomes 1970-01-01.
pub fn timestamp(micros: i64) -> Timestamp {
    Timestamp::from_microsecond(micros).unwrap_or(Timestamp::UNIX_EPOCH)
}
