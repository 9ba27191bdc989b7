//! Times as they are stored: microseconds since 1970.

use jiff::Timestamp;

/// The stored form of a moment as RFC 3339, UTC; the same number always gives the same text. Numbers
/// beyond what a calendar can hold become its first day.
pub fn time_text(micros: i64) -> String {
    timestamp(micros).to_string()
}

/// The stored form of a moment. Numbers beyond what a calendar can hold become its first day.
pub fn timestamp(micros: i64) -> Timestamp {
    Timestamp::from_microsecond(micros).unwrap_or(Timestamp::UNIX_EPOCH)
}
