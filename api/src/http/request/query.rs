//! Reads queries.
//! Those of the API are validated before, by [`crate::http::request::contract::Contract`].

use std::future::{Ready, ready};

use actix_web::dev::Payload;
use actix_web::{FromRequest, HttpRequest};
use percent_encoding::percent_decode_str;
use serde::de::DeserializeOwned;

use crate::http::problem::Problem;

/// The query of a request; 422 when a parameter is invalid.
#[derive(Clone, Copy, Debug)]
pub struct Query<T>(pub T);

impl<T: DeserializeOwned> FromRequest for Query<T> {
    type Error = Problem;
    type Future = Ready<Result<Query<T>, Problem>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(Query::read(request.query_string()))
    }
}

impl<T: DeserializeOwned> Query<T> {
    /// Parses the text of a query.
    ///
    /// # Errors
    /// 422 when a parameter is invalid.
    pub fn read(text: &str) -> Result<Query<T>, Problem> {
        let pairs = form_urlencoded::parse(text.as_bytes());
        let reader = serde_urlencoded::Deserializer::new(pairs);
        let read = serde_path_to_error::deserialize(reader).map_err(|error| {
            let path = error.path().to_string();
            let field = if path == "." { String::new() } else { path };
            let detail = match field.is_empty() {
                true => "the query is invalid: check the names of its parameters",
                false => "the value is invalid: correct it, or omit the parameter",
            };
            Problem::invalid_parameter(field, detail)
        });
        read.map(Query)
    }
}

/// Checks that a decoded query is UTF-8: parsers would replace other bytes silently.
///
/// # Errors
/// 422 when it is not.
pub fn check_utf8(query: &str) -> Result<(), Problem> {
    for pair in query.split('&') {
        if percent_decode_str(pair).decode_utf8().is_err() {
            let name = pair.split('=').next().unwrap_or_default();
            let name = percent_decode_str(name).decode_utf8_lossy();
            return Err(Problem::invalid_parameter(
                name,
                "the percent-encoded bytes are not UTF-8: encode the text as UTF-8",
            ));
        }
    }
    Ok(())
}

/// Parses a time in microseconds: RFC 3339, or a date, which means midnight UTC.
///
/// # Errors
/// 422 when the text is neither.
pub fn moment(field: &str, text: &str) -> Result<i64, Problem> {
    let bad = || {
        Problem::invalid_parameter(
            field,
            format!(
                "{text:?} is not a time: use RFC 3339, such as 2026-01-31T18:00:00Z, or a date, such as 2026-01-31"
            ),
        )
    };
    if let Ok(time) = text.parse::<jiff::Timestamp>() {
        return Ok(time.as_microsecond());
    }
    let day: jiff::civil::Date = text.parse().map_err(|_| bad())?;
    let midnight = day.to_zoned(jiff::tz::TimeZone::UTC).map_err(|_| bad())?;
    Ok(midnight.timestamp().as_microsecond())
}
