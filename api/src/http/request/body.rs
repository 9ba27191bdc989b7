//! Reads JSON bodies: decompresses, parses and validates them.

use std::future::Future;
use std::io::{self, Read};
use std::pin::Pin;

use actix_web::dev::Payload;
use actix_web::http::header::{
    ACCEPT_ENCODING, CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE, HeaderMap, HeaderValue,
};
use actix_web::web::{self, Bytes, BytesMut, Data};
use actix_web::{FromRequest, HttpRequest};
use flate2::read::{MultiGzDecoder, ZlibDecoder};
use futures_util::StreamExt;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::http::call::Call;
use crate::http::limits::options::{Limits, bound};
use crate::http::problem::{Code, Problem};
use crate::http::request::caller::call;
use crate::http::request::contract::Contract;

/// A JSON body; an optional one that is absent is read as `null`.
///
/// 413 when it is too large, 415 when it has another media type or encoding, 400 when it is not JSON, 422 when it does
/// not match the schema of the specification.
#[derive(Clone, Copy, Debug)]
pub struct Json<T>(pub T);

/// A JSON body and its sender, with the problems of [`Json`] and of the caller's headers.
#[derive(Clone, Debug)]
pub struct JsonRequest<T> {
    /// The caller and its conditions.
    pub call: Call,
    /// The body.
    pub body: T,
}

/// A future that reads a value from a request.
pub type Reading<T> = Pin<Box<dyn Future<Output = Result<T, Problem>>>>;

/// Checks a path parameter, such as the id of a game, before the body is read.
#[derive(Clone, Copy)]
pub struct PathCheck(pub fn(HttpRequest) -> Reading<()>);

impl PathCheck {
    async fn run(request: &HttpRequest) -> Result<(), Problem> {
        match request.app_data::<PathCheck>() {
            Some(PathCheck(check)) => check(request.clone()).await,
            None => Ok(()),
        }
    }
}

impl<T: DeserializeOwned> FromRequest for Json<T> {
    type Error = Problem;
    type Future = Reading<Json<T>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let (request, body) = (request.clone(), received(request, payload));
        Box::pin(async move { json(&request, &body.await?).map(Json) })
    }
}

impl<T: DeserializeOwned> FromRequest for JsonRequest<T> {
    type Error = Problem;
    type Future = Reading<JsonRequest<T>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let (request, body) = (request.clone(), received(request, payload));
        Box::pin(async move {
            let body = body.await?;
            // If the caller may not see the game, the body is not checked: the answer would reveal that the game
            // exists.
            PathCheck::run(&request).await?;
            let call = call(&request, &body)?;
            let body = json(&request, &body)?;
            Ok(JsonRequest { call, body })
        })
    }
}

/// Receives the bytes of a body, up to the operator's limit.
fn received(
    request: &HttpRequest,
    payload: &mut Payload,
) -> impl Future<Output = Result<Bytes, Problem>> + use<> {
    let limits = request.app_data::<Data<Limits>>();
    let most = limits.map_or(usize::MAX, |limits| bound(limits.body));
    receive(request.headers(), payload.take(), most)
}

/// The supported encodings of bodies.
const BODY_ENCODINGS: &[&str] = &["gzip", "deflate"];

/// How much longer a compressed body may be than its content.
const FRAME: usize = 1_024;

/// Receives the decompressed bytes of a body, at most `most`.
///
/// Reading stops at the limit, so a small compressed body cannot fill the memory.
///
/// # Errors
/// 415 when its encoding is not supported, 413 when it is too large, 400 when it is incomplete or corrupt.
pub fn receive(
    headers: &HeaderMap,
    mut payload: Payload,
    most: usize,
) -> impl Future<Output = Result<Bytes, Problem>> + use<> {
    let checked = check_encoding(headers);
    let name = headers.get(CONTENT_ENCODING);
    let name = name.and_then(|name| name.to_str().ok()).unwrap_or_default();
    let encoding = name.trim().to_ascii_lowercase();
    let packed = BODY_ENCODINGS.contains(&encoding.as_str());
    let longest = most.saturating_add(if packed { FRAME } else { 0 });
    let length = headers.get(CONTENT_LENGTH);
    let length = length.and_then(|length| length.to_str().ok()?.trim().parse::<usize>().ok());
    async move {
        checked?;
        if length > Some(longest) {
            return Err(too_large(most));
        }
        let mut bytes = BytesMut::new();
        while let Some(part) = payload.next().await {
            let part = part.map_err(|error| Problem::from_framework(&error.into()))?;
            if part.len() > longest - bytes.len() {
                return Err(too_large(most));
            }
            bytes.extend_from_slice(&part);
        }
        if !packed {
            return Ok(bytes.freeze());
        }
        let unpacked = web::block(move || match encoding.as_str() {
            "gzip" => read_at_most(MultiGzDecoder::new(&bytes[..]), most),
            _ => read_at_most(ZlibDecoder::new(&bytes[..]), most),
        });
        let unpacked = unpacked.await.map_err(|error| {
            tracing::error!(%error, "decompressing a body failed");
            Problem::internal()
        })?;
        let unpacked = unpacked.map_err(|_| {
            let detail =
                "the body cannot be decompressed: it is incomplete or not of its Content-Encoding";
            Problem::new(Code::MalformedJson, detail)
        })?;
        unpacked.map(Bytes::from).ok_or_else(|| too_large(most))
    }
}

/// Reads all bytes; `None` when there are more than `most`.
fn read_at_most(reader: impl Read, most: usize) -> io::Result<Option<Vec<u8>>> {
    let mut bytes = Vec::new();
    let more = (most as u64).saturating_add(1);
    reader.take(more).read_to_end(&mut bytes)?;
    Ok(Some(bytes).filter(|bytes| bytes.len() <= most))
}

/// The problem of a body of more than `limit` bytes.
fn too_large(limit: usize) -> Problem {
    let detail =
        format!("the body is too large: at most {limit} bytes are allowed, measured uncompressed");
    Problem {
        limit: Some(limit as u64),
        ..Problem::new(Code::TooLarge, detail)
    }
}

/// Checks that the body has at most one encoding, and that it is supported (RFC 9110, section 15.5.16).
fn check_encoding(headers: &HeaderMap) -> Result<(), Problem> {
    let mut named = headers
        .get_all(CONTENT_ENCODING)
        .map(|value| value.to_str().unwrap_or_default().trim());
    let (first, more) = (named.next(), named.next());
    let known = |name: &str| {
        BODY_ENCODINGS
            .iter()
            .chain(&["identity"])
            .any(|one| name.eq_ignore_ascii_case(one))
    };
    match first.filter(|name| more.is_some() || !known(name)) {
        None => Ok(()),
        Some(_) => {
            let detail = format!(
                "the Content-Encoding is not supported: send the body uncompressed or as {}",
                BODY_ENCODINGS.join(" or ")
            );
            let offered = HeaderValue::from_static("gzip, deflate");
            Err(Problem {
                headers: vec![(ACCEPT_ENCODING, offered)],
                ..Problem::new(Code::UnsupportedMediaType, detail)
            })
        }
    }
}

/// The media type of a body, in lower case and without parameters.
pub fn essence(headers: &HeaderMap) -> Option<String> {
    let text = headers.get(CONTENT_TYPE)?.to_str().unwrap_or_default();
    let essence = text.split(';').next().unwrap_or_default().trim();
    Some(essence.to_ascii_lowercase())
}

fn check_type(headers: &HeaderMap) -> Result<(), Problem> {
    let detail = match essence(headers).as_deref() {
        Some("application/json") => return Ok(()),
        Some(other) => format!("the media type {other:?} is not supported: send application/json"),
        None => "the Content-Type is missing: send application/json".to_owned(),
    };
    Err(Problem::new(Code::UnsupportedMediaType, detail))
}

fn json<T: DeserializeOwned>(request: &HttpRequest, body: &[u8]) -> Result<T, Problem> {
    let operation = Contract::operation(request);
    let optional = operation.is_some_and(|operation| !operation.body_is_needed());
    let body = match optional && body.is_empty() {
        true => b"null",
        false => {
            check_type(request.headers())?;
            body
        }
    };
    let malformed = |detail: String| Problem::new(Code::MalformedJson, detail);
    let text =
        std::str::from_utf8(body).map_err(|_| malformed("the body is not UTF-8".to_owned()))?;
    let mut value: Value =
        serde_json::from_str(text).map_err(|error| malformed(json_error(&error)))?;
    // Some generated clients send null instead of no body.
    if let Some(operation) = operation.filter(|_| !optional || !value.is_null()) {
        operation.check_body(&mut value)?;
    }
    parsed(value)
}

/// Describes why a text is not JSON.
pub fn json_error(error: &serde_json::Error) -> String {
    let (line, column) = (error.line(), error.column());
    match error.is_eof() {
        true => format!("the JSON is incomplete: it ends at line {line}, column {column}"),
        false => format!("the text is not JSON: see line {line}, column {column}"),
    }
}

/// Deserializes a JSON value.
///
/// # Errors
/// 422 when the value is invalid in a way that the schema does not exclude.
pub fn parsed<T: DeserializeOwned>(value: Value) -> Result<T, Problem> {
    serde_path_to_error::deserialize(value).map_err(|error| {
        let path = error.path().to_string();
        let field = if path == "." { String::new() } else { path };
        Problem::invalid(field, error.into_inner().to_string())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An endless body is read up to the limit.
    #[test]
    fn decompression_stops_at_the_limit() {
        assert_eq!(read_at_most(io::repeat(7), 1_000).unwrap(), None);
        let exact = read_at_most(io::repeat(7).take(1_000), 1_000).unwrap();
        assert_eq!(exact.map(|bytes| bytes.len()), Some(1_000));
    }
}
