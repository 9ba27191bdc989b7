//! Numbers in paths.

use crate::http::problem::{Code, Problem};

pub(crate) fn not_found(what: &str, text: &str) -> Problem {
    Problem::new(Code::NotFound, format!("there is no {what} {text:?}"))
}

/// Parses a number in a path.
///
/// # Errors
/// 404 when it is not a number: no such resource exists.
pub fn number<T: std::str::FromStr>(what: &str, text: &str) -> Result<T, Problem> {
    text.parse().map_err(|_| not_found(what, text))
}
