//! JSON bodies.

use std::future::Future;
use std::io::{self, Read};
use std::pin::Pin;

use actix_web::dev::Payload;
use actix_web::http::header::{
    ACCEPT_ENCODING, CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE, HeaderMap, HeaderValue,
};
use actix_web::web::{self, Bytes, BytesMut, Data};
use actix_web::{FromRequest, HttpRequest};
use flate2::read::{GzDecoder, ZlibDecoder};
use futures_util::StreamExt;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::http::call::Call;
use crate::http::limits::options::{Limits, bound};
use crate::http::problem::{Code, Problem};
use crate::http::request::caller::call;
use crate::http::request::contract::Contract;
use crate::http::request::tags::ENCODINGS;

/// A JSON body. 415 when it is of another type or encoding, 413 when it is too large, 400 when it is
/// no JSON, 422 when it has another shape than the specification says. One that may be left out is
/// read as `null` then.
#[derive(Clone, Copy, Debug)]
pub struct Json<T>(pub T);

/// A JSON body, and who sends it on what terms; the problems of [`Json`] and [`crate::http::request::caller::Caller`].
#[derive(Clone, Debug)]
pub struct Sent<T> {
    /// Who sends it.
    pub call: Call,
    /// The body.
    pub body: T,
}

/// What is read from a request, later.
pub type Reading<T> = Pin<Box<dyn Future<Output = Result<T, Problem>>>>;

/// Checks what a path names, such as a game, before the body is looked at.
#[derive(Clone, Copy)]
pub struct PathCheck(pub fn(HttpRequest) -> Reading<()>);

impl PathCheck {
    async fn of(request: &HttpRequest) -> Result<(), Problem> {
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

impl<T: DeserializeOwned> FromRequest for Sent<T> {
    type Error = Problem;
    type Future = Reading<Sent<T>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let (request, body) = (request.clone(), received(request, payload));
        Box::pin(async move {
            let body = body.await?;
            // Of a game that is not there nothing else is told.
            PathCheck::of(&request).await?;
            let call = call(&request, &body)?;
            let body = json(&request, &body)?;
            Ok(Sent { call, body })
        })
    }
}

/// The bytes of a body, when they have come.
fn received(
    request: &HttpRequest,
    payload: &mut Payload,
) -> impl Future<Output = Result<Bytes, Problem>> + use<> {
    let limits = request.app_data::<Data<Limits>>();
    let most = limits.map_or(usize::MAX, |limits| bound(limits.body));
    receive(request.headers(), payload.take(), most)
}

/// How much longer than what it holds a compressed body may be.
const FRAME: usize = 1_024;

/// The bytes of a body as they were before they were compressed, at most so many. No more than that is ever in memory,
/// whatever a compressed body grows to.
///
/// # Errors
/// 415 when it is of an encoding that cannot be read, 413 when it is too large, 400 when it does not come to its end.
pub fn receive(
    headers: &HeaderMap,
    mut payload: Payload,
    most: usize,
) -> impl Future<Output = Result<Bytes, Problem>> + use<> {
    let checked = check_encoding(headers);
    let name = headers.get(CONTENT_ENCODING);
    let name = name.and_then(|name| name.to_str().ok()).unwrap_or_default();
    let encoding = name.trim().to_ascii_lowercase();
    let packed = ENCODINGS.contains(&encoding.as_str());
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
            "gzip" => read_at_most(GzDecoder::new(&bytes[..]), most),
            _ => read_at_most(ZlibDecoder::new(&bytes[..]), most),
        });
        let unpacked = unpacked.await.map_err(|error| {
            tracing::error!(%error, "a body cannot be unpacked");
            Problem::new(Code::Internal, "the fault has been logged")
        })?;
        let unpacked = unpacked.map_err(|error| {
            let detail = format!("the body cannot be decompressed: {error}");
            Problem::new(Code::MalformedJson, detail)
        })?;
        unpacked.map(Bytes::from).ok_or_else(|| too_large(most))
    }
}

/// All that a reader gives; `None` when it is more than so many bytes.
fn read_at_most(reader: impl Read, most: usize) -> io::Result<Option<Vec<u8>>> {
    let mut bytes = Vec::new();
    let more = (most as u64).saturating_add(1);
    reader.take(more).read_to_end(&mut bytes)?;
    Ok(Some(bytes).filter(|bytes| bytes.len() <= most))
}

/// A body of more than so many bytes.
fn too_large(limit: usize) -> Problem {
    let detail = format!("a body has at most {limit} bytes, as it is before it is compressed");
    Problem {
        limit: Some(limit as u64),
        ..Problem::new(Code::TooLarge, detail)
    }
}

/// RFC 9110, section 15.5.16. A body in several encodings is none that the framework reads.
fn check_encoding(headers: &HeaderMap) -> Result<(), Problem> {
    let mut named = headers
        .get_all(CONTENT_ENCODING)
        .map(|value| value.to_str().unwrap_or_default().trim());
    let (first, more) = (named.next(), named.next());
    let known = |name: &str| {
        ENCODINGS
            .iter()
            .chain(&["identity"])
            .any(|one| name.eq_ignore_ascii_case(one))
    };
    match first.filter(|name| more.is_some() || !known(name)) {
        None => Ok(()),
        Some(_) => {
            let detail = format!(
                "a body can be sent as it is or as {}",
                ENCODINGS.join(" or ")
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
        Some(other) => format!("{other:?} cannot be read; send application/json"),
        None => "send Content-Type: application/json".to_owned(),
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
    let text = std::str::from_utf8(body).map_err(|_| malformed("it is not UTF-8".to_owned()))?;
    let mut value: Value =
        serde_json::from_str(text).map_err(|error| malformed(error.to_string()))?;
    // Some generated clients send null in place of no body.
    if let Some(operation) = operation.filter(|_| !optional || !value.is_null()) {
        operation.check_body(&mut value)?;
    }
    parsed(value)
}

/// What a value of JSON says.
///
/// # Errors
/// 422 when it says something else, for what no schema tells.
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

    /// A body that goes on for ever is read up to the limit.
    #[test]
    fn no_more_is_unpacked_than_is_allowed() {
        assert_eq!(read_at_most(io::repeat(7), 1_000).unwrap(), None);
        let exact = read_at_most(io::repeat(7).take(1_000), 1_000).unwrap();
        assert_eq!(exact.map(|bytes| bytes.len()), Some(1_000));
    }
}
