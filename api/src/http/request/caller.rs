//! Who calls, and on what terms.

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

/// The longest idempotency key, in bytes.
const LONGEST_KEY: usize = 200;

/// The valid token of a request.
#[derive(Clone, Debug)]
pub(crate) struct Identity {
    /// SHA-256 of the token.
    pub(crate) token: String,
    /// What its account may do; `None` for the token of a game.
    pub(crate) access: Option<Arc<Access>>,
}

/// The text of the bearer token; `None` where the request has no `Authorization`.
pub(crate) fn bearer(request: &HttpRequest) -> Result<Option<&str>, Problem> {
    let mut values = request.headers().get_all(AUTHORIZATION);
    let (first, more) = (values.next(), values.next());
    let Some(value) = first else {
        return Ok(None);
    };
    let text = value.to_str().unwrap_or_default().trim();
    let (scheme, token) = text.split_once(' ').unwrap_or((text, ""));
    if more.is_some() || !scheme.eq_ignore_ascii_case("bearer") {
        let detail = "send one Authorization header of the form `Bearer TOKEN`, or none: other schemes are unknown";
        return Err(Problem::new(Code::Unauthenticated, detail));
    }
    Ok(Some(token.trim()))
}

/// Who calls, of a request without a body. Of one that reads the token alone counts. 422 when the idempotency key is
/// no such key.
#[derive(Clone, Debug)]
pub struct Caller(pub Call);

impl FromRequest for Caller {
    type Error = Problem;
    type Future = Ready<Result<Caller, Problem>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(call(request, b"").map(Caller))
    }
}

/// That the caller sends a token at all. Where nothing is anybody's it is asked for first, so that who has none is
/// told that, whatever else is wrong: 401.
#[derive(Clone, Copy, Debug)]
pub struct Bearer;

impl FromRequest for Bearer {
    type Error = Problem;
    type Future = Ready<Result<Bearer, Problem>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let detail = "a token of an account is needed";
        let is_there = request.extensions().get::<Identity>().is_some();
        ready(match is_there {
            true => Ok(Bearer),
            false => Err(Problem::new(Code::Unauthenticated, detail)),
        })
    }
}

/// Who calls, without the terms.
pub fn identity(request: &HttpRequest) -> Call {
    let identity = request.extensions().get::<Identity>().cloned();
    let (token, access) = identity.map_or((None, None), |one| (Some(one.token), one.access));
    Call {
        token,
        access,
        ..Call::default()
    }
}

/// Who calls, on what terms. `body` tells repetitions of a request from others.
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
        let detail = format!("1 to {LONGEST_KEY} visible ASCII characters are needed");
        return Err(Problem::invalid(NAME, detail));
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
