//! Reads the caller of a request and its conditions.

use std::future::{Ready, ready};
use std::sync::Arc;

use actix_web::dev::Payload;
use actix_web::http::header::AUTHORIZATION;
use actix_web::{FromRequest, HttpMessage, HttpRequest};
use sha2::{Digest, Sha256};

use crate::http::call::{Access, Call, Idempotency};
use crate::http::limits::gate::visitor;
use crate::http::problem::{Code, Problem};
use crate::http::request::tags::if_match;

/// The maximum length of an idempotency key, in bytes.
const LONGEST_KEY: usize = 200;

/// The valid token of a request.
#[derive(Clone, Debug)]
pub(crate) struct Identity {
    /// SHA-256 of the token.
    pub(crate) token: String,
    /// The account of the token and its scopes; `None` for the token of a game.
    pub(crate) access: Option<Arc<Access>>,
}

/// Returns the bearer token; `None` if the request has no `Authorization`.
pub(crate) fn bearer(request: &HttpRequest) -> Result<Option<&str>, Problem> {
    let mut values = request.headers().get_all(AUTHORIZATION);
    let (first, more) = (values.next(), values.next());
    let Some(value) = first else {
        return Ok(None);
    };
    let text = value.to_str().unwrap_or_default().trim();
    let (scheme, token) = text.split_once(' ').unwrap_or((text, ""));
    if more.is_some() || !scheme.eq_ignore_ascii_case("bearer") {
        let detail = "the Authorization header is invalid: send one header of the form `Bearer TOKEN`, or none";
        return Err(Problem::new(Code::Unauthenticated, detail));
    }
    Ok(Some(token.trim()))
}

/// The caller of a request without a body.
///
/// For reading requests, only the token is read. 422 when the idempotency key is invalid.
#[derive(Clone, Debug)]
pub struct Caller(pub Call);

impl FromRequest for Caller {
    type Error = Problem;
    type Future = Ready<Result<Caller, Problem>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(call(request, b"").map(Caller))
    }
}

/// Requires a token.
///
/// Checked first, so that a caller without a token receives 401, whatever else is wrong.
#[derive(Clone, Copy, Debug)]
pub struct Bearer;

impl FromRequest for Bearer {
    type Error = Problem;
    type Future = Ready<Result<Bearer, Problem>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let detail = "a token of an account is needed: send `Authorization: Bearer TOKEN`";
        let is_there = request.extensions().get::<Identity>().is_some();
        ready(match is_there {
            true => Ok(Bearer),
            false => Err(Problem::new(Code::Unauthenticated, detail)),
        })
    }
}

/// Returns the caller without the conditions.
pub fn identity(request: &HttpRequest) -> Call {
    let identity = request.extensions().get::<Identity>().cloned();
    let (token, access) = identity.map_or((None, None), |one| (Some(one.token), one.access));
    Call {
        token,
        access,
        ..Call::default()
    }
}

/// Returns the caller and its conditions. `body` distinguishes repetitions from other requests.
///
/// # Errors
/// 422 when the idempotency key is not 1 to 200 visible ASCII characters.
pub fn call(request: &HttpRequest, body: &[u8]) -> Result<Call, Problem> {
    let call = identity(request);
    if request.method().is_safe() {
        return Ok(call);
    }
    Ok(Call {
        address: visitor(request).map(|visitor| visitor.address.to_string()),
        if_match: if_match(request),
        idempotency: idempotency(request, body)?,
        operation: Some(format!("{} {}", request.method(), request.path())),
        ..call
    })
}

fn idempotency(request: &HttpRequest, body: &[u8]) -> Result<Option<Idempotency>, Problem> {
    const NAME: &str = "Idempotency-Key";
    let Some(value) = request.headers().get(NAME) else {
        return Ok(None);
    };
    let key = value.to_str().unwrap_or_default();
    let is_visible = key.bytes().all(|byte| byte.is_ascii_graphic());
    if key.is_empty() || key.len() > LONGEST_KEY || !is_visible {
        let detail = format!("the key must be 1 to {LONGEST_KEY} visible ASCII characters");
        return Err(Problem::invalid_header(NAME, detail));
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
