//! Reading requests: paths, queries, bodies and headers, each with its problem.

use actix_web::HttpRequest;
use actix_web::http::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, IF_MATCH, IF_NONE_MATCH};
use actix_web::web::Bytes;
use serde::de::DeserializeOwned;
use sha2::{Digest, Sha256};
use uuid::Uuid;

use crate::games::{Call, Idempotency, hashed};
use crate::problem::{Code, Problem};

/// The longest idempotency key, in bytes.
const LONGEST_KEY: usize = 200;

/// A game's id in a path.
///
/// # Errors
/// 404 when it is no UUID: there is no such game.
pub fn game_id(text: &str) -> Result<Uuid, Problem> {
    Uuid::try_parse(text)
        .map_err(|_| Problem::new(Code::NotFound, format!("there is no game {text:?}")))
}

/// A number in a path.
///
/// # Errors
/// 404 when it is no number: there is no such resource.
pub fn number<T: std::str::FromStr>(what: &str, text: &str) -> Result<T, Problem> {
    text.parse()
        .map_err(|_| Problem::new(Code::NotFound, format!("there is no {what} {text:?}")))
}

/// The query of a request.
///
/// # Errors
/// 422 when a parameter is unknown or cannot be read.
pub fn query<T: DeserializeOwned>(request: &HttpRequest) -> Result<T, Problem> {
    let pairs = form_urlencoded::parse(request.query_string().as_bytes());
    let reader = serde_urlencoded::Deserializer::new(pairs);
    serde_path_to_error::deserialize(reader).map_err(|error| {
        let path = error.path().to_string();
        let detail = error.into_inner().to_string();
        Problem::invalid(field_path(&path, &detail), detail)
    })
}

/// The JSON body of a request.
///
/// # Errors
/// 415 when it is of another type, 400 when it is no JSON, 422 when it has another shape.
pub fn json<T: DeserializeOwned>(request: &HttpRequest, body: &Bytes) -> Result<T, Problem> {
    let content_type = request.headers().get(CONTENT_TYPE);
    let content_type = content_type.map(|value| value.to_str().unwrap_or_default());
    let essence = content_type.map(|text| text.split(';').next().unwrap_or_default().trim());
    match essence {
        Some(text) if text.eq_ignore_ascii_case("application/json") => {}
        Some(other) => {
            let detail = format!("{other:?} cannot be read; send application/json");
            return Err(Problem::new(Code::UnsupportedMediaType, detail));
        }
        None => {
            let detail = "send Content-Type: application/json";
            return Err(Problem::new(Code::UnsupportedMediaType, detail));
        }
    }
    parse_json(body)
}

/// A text as JSON of a shape.
///
/// # Errors
/// 400 when it is no JSON, 422 when it has another shape.
pub fn parse_json<T: DeserializeOwned>(body: &[u8]) -> Result<T, Problem> {
    // First whether it is JSON at all, however wrong its shape is before the fault.
    serde_json::from_slice::<serde::de::IgnoredAny>(body)
        .map_err(|error| Problem::new(Code::MalformedJson, error.to_string()))?;
    let mut reader = serde_json::Deserializer::from_slice(body);
    serde_path_to_error::deserialize(&mut reader).map_err(|error| {
        let path = error.path().to_string();
        let inner = error.into_inner();
        let message = inner.to_string();
        // It is JSON, so any other fault is one of shape, such as a member's name that is no number.
        match message.starts_with("recursion limit") {
            true => Problem::new(Code::MalformedJson, message),
            false => Problem::invalid(field_path(&path, &message), message),
        }
    })
}

/// The path to a bad field: what the reader has seen of it and the name in the message.
pub fn field_path(path: &str, message: &str) -> String {
    let path = if path == "." { "" } else { path };
    let named = ["unknown field", "missing field", "duplicate field"]
        .iter()
        .any(|start| message.starts_with(start));
    match quoted(message) {
        Some(name) if named && path.is_empty() => name,
        Some(name) if named && !path.ends_with(&name) => format!("{path}.{name}"),
        _ => path.to_owned(),
    }
}

/// The first word between back quotes.
fn quoted(message: &str) -> Option<String> {
    message.split('`').nth(1).map(str::to_owned)
}

/// Who calls, on what terms. `body` tells repetitions of a request from others.
///
/// # Errors
/// 401 when the authorization is no bearer token, 412 when `If-Match` is no tag of a game, 422 when
/// the idempotency key is too long.
pub fn call(request: &HttpRequest, body: &[u8]) -> Result<Call, Problem> {
    Ok(Call {
        token: bearer(request)?.map(hashed),
        address: request.peer_addr().map(|address| address.ip()),
        if_match: if_match(request),
        idempotency: idempotency(request, body)?,
    })
}

/// Who calls to read: the token alone counts.
///
/// # Errors
/// 401 when the authorization is no bearer token.
pub fn reader(request: &HttpRequest) -> Result<Call, Problem> {
    Ok(Call {
        token: bearer(request)?.map(hashed),
        ..Call::default()
    })
}

fn bearer(request: &HttpRequest) -> Result<Option<&str>, Problem> {
    let Some(value) = request.headers().get(AUTHORIZATION) else {
        return Ok(None);
    };
    let text = value.to_str().unwrap_or_default();
    match text.split_once(' ') {
        Some((scheme, token)) if scheme.eq_ignore_ascii_case("bearer") => Ok(Some(token.trim())),
        _ => {
            let detail = "send Authorization: Bearer TOKEN";
            Err(Problem::new(Code::Unauthenticated, detail))
        }
    }
}

/// The sequence numbers that `If-Match` names. Tags that no game can have fit none.
fn if_match(request: &HttpRequest) -> Option<Vec<u64>> {
    let text = request
        .headers()
        .get(IF_MATCH)?
        .to_str()
        .unwrap_or_default();
    if text.trim() == "*" {
        return None;
    }
    let tags = text.split(',').map(|tag| tag.trim().trim_matches('"'));
    Some(tags.filter_map(|tag| tag.parse().ok()).collect())
}

fn idempotency(request: &HttpRequest, body: &[u8]) -> Result<Option<Idempotency>, Problem> {
    let Some(key) = request.headers().get("Idempotency-Key") else {
        return Ok(None);
    };
    let key = key.to_str().unwrap_or_default();
    if key.is_empty() || key.len() > LONGEST_KEY {
        let detail = format!("1 to {LONGEST_KEY} visible ASCII characters are needed");
        return Err(Problem::invalid("Idempotency-Key", detail));
    }
    let mut hash = Sha256::new();
    hash.update(request.query_string().as_bytes());
    hash.update(b"\n");
    hash.update(body);
    Ok(Some(Idempotency {
        key: key.to_owned(),
        scope: format!("{} {}", request.method(), request.path()),
        request: hex::encode(hash.finalize()),
    }))
}

/// Whether the caller has this version already.
pub fn has_version(request: &HttpRequest, tag: &str) -> bool {
    let Some(value) = request.headers().get(IF_NONE_MATCH) else {
        return false;
    };
    let text = value.to_str().unwrap_or_default();
    let strong = |tag: &str| tag.trim().trim_start_matches("W/").to_owned();
    text.split(',')
        .any(|other| other.trim() == "*" || strong(other) == tag)
}

/// Which of the media types that can be had the caller prefers: its place in `offered`. The first
/// is the default.
///
/// # Errors
/// 406 when the caller accepts none of them.
pub fn negotiate(request: &HttpRequest, offered: &[&str]) -> Result<usize, Problem> {
    let values = request.headers().get_all(ACCEPT);
    let accept: Vec<&str> = values.filter_map(|value| value.to_str().ok()).collect();
    let accept = accept.join(",");
    if accept.trim().is_empty() {
        return Ok(0);
    }
    let best = (0..offered.len())
        .map(|index| (quality(&accept, offered[index]), index))
        .filter(|(quality, _)| *quality > 0)
        // Of equally wanted ones the first offered.
        .max_by_key(|(quality, index)| (*quality, offered.len() - index));
    match best {
        Some((_, index)) => Ok(index),
        None => {
            let detail = format!("this can be had as {}", offered.join(", "));
            Err(Problem::new(Code::NotAcceptable, detail))
        }
    }
}

/// How much a media type is wanted, in thousandths: by the most specific range that fits it.
fn quality(accept: &str, media_type: &str) -> u32 {
    let (main, _) = media_type.split_once('/').unwrap_or((media_type, ""));
    let ranges = accept.split(',').filter_map(|range| {
        let mut parts = range.split(';').map(str::trim);
        let name = parts.next()?.to_ascii_lowercase();
        let weight = parts.find_map(|part| part.strip_prefix("q="));
        let weight: f64 = weight.map_or(Ok(1.0), str::parse).ok()?;
        let specific = match name.as_str() {
            "*/*" => 0,
            name if name == media_type => 2,
            name if name.strip_suffix("/*") == Some(main) => 1,
            _ => return None,
        };
        Some((specific, (weight.clamp(0.0, 1.0) * 1000.0) as u32))
    });
    ranges.max().map_or(0, |(_, quality)| quality)
}

/// A moment in a query as microseconds: RFC 3339, or a day, which begins at midnight UTC.
///
/// # Errors
/// 422 when it is neither.
pub fn moment(field: &str, text: &str) -> Result<i64, Problem> {
    let bad = || Problem::invalid(field, format!("{text:?} is no RFC 3339 time and no date"));
    if let Ok(time) = text.parse::<jiff::Timestamp>() {
        return Ok(time.as_microsecond());
    }
    let day: jiff::civil::Date = text.parse().map_err(|_| bad())?;
    let midnight = day.to_zoned(jiff::tz::TimeZone::UTC).map_err(|_| bad())?;
    Ok(midnight.timestamp().as_microsecond())
}
