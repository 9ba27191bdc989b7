//! JSON bodies.

use std::future::Future;
use std::pin::Pin;

use actix_web::dev::Payload;
use actix_web::http::header::{
    ACCEPT_ENCODING, CONTENT_ENCODING, CONTENT_TYPE, HeaderMap, HeaderValue,
};
use actix_web::web::{Bytes, Data};
use actix_web::{FromRequest, HttpRequest};
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::caller::call;
use super::contract::{Contract, whole_numbers};
use super::messages::{field_path, plain};
use super::path::check_game;
use super::tags::ENCODINGS;
use crate::games::Call;
use crate::limits::Limits;
use crate::problem::{Code, Problem};

/// A JSON body. 415 when it is of another type or encoding, 413 when it is too large, 400 when it is
/// no JSON, 422 when it has another shape than the specification says. One that may be left out is
/// read as `null` then.
#[derive(Clone, Copy, Debug)]
pub struct Json<T>(pub T);

/// A JSON body, and who sends it on what terms; the problems of [`Json`] and [`super::Caller`].
#[derive(Clone, Debug)]
pub struct Sent<T> {
    /// Who sends it.
    pub call: Call,
    /// The body.
    pub body: T,
}

type Read<T> = Pin<Box<dyn Future<Output = Result<T, Problem>>>>;

impl<T: DeserializeOwned> FromRequest for Json<T> {
    type Error = Problem;
    type Future = Read<Json<T>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let (request, body) = (request.clone(), received(request, payload));
        Box::pin(async move { json(&request, &body.await?).map(Json) })
    }
}

impl<T: DeserializeOwned> FromRequest for Sent<T> {
    type Error = Problem;
    type Future = Read<Sent<T>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let (request, body) = (request.clone(), received(request, payload));
        Box::pin(async move {
            let body = body.await?;
            // Of a game that is not there nothing else is told.
            check_game(&request).await?;
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
    let encoding = check_encoding(request.headers());
    let body = Bytes::from_request(request, payload);
    let limit = request.app_data::<Data<Limits>>().map(|limits| limits.body);
    async move {
        encoding?;
        body.await.map_err(|error| {
            let problem = Problem::from_framework(&error);
            match (problem.code, limit) {
                (Code::TooLarge, Some(limit)) => too_large(limit),
                _ => problem,
            }
        })
    }
}

/// A body of more than so many bytes.
pub fn too_large(limit: usize) -> Problem {
    let detail = format!("a body has at most {limit} bytes, as it is before it is compressed");
    Problem {
        limit: Some(limit as u64),
        ..Problem::new(Code::TooLarge, detail)
    }
}

/// RFC 9110, section 15.5.16. A body in several encodings is none that the framework reads.
pub fn check_encoding(headers: &HeaderMap) -> Result<(), Problem> {
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
    let left_out =
        body.is_empty() && operation.is_some_and(|operation| !operation.body_is_needed());
    let body = match left_out {
        true => b"null",
        false => {
            check_type(request.headers())?;
            body
        }
    };
    let malformed = |detail: String| Problem::new(Code::MalformedJson, detail);
    let text = std::str::from_utf8(body).map_err(|_| malformed("it is not UTF-8".to_owned()))?;
    // First whether it is JSON at all, however wrong its shape is before the fault.
    let mut value: Value =
        serde_json::from_str(text).map_err(|error| malformed(error.to_string()))?;
    if let Some(operation) = operation.filter(|_| !left_out) {
        operation.check_body(&value)?;
    }
    let written_whole = whole_numbers(&mut value).then(|| value.to_string());
    let text = written_whole.as_deref().unwrap_or(text);
    let mut reader = serde_json::Deserializer::from_str(text);
    serde_path_to_error::deserialize(&mut reader).map_err(|error| {
        let path = error.path().to_string();
        let message = error.into_inner().to_string();
        Problem::invalid(field_path(&path, &message), plain(&message))
    })
}
