//! Who calls, and on what terms.

use std::future::{Ready, ready};

use actix_web::dev::Payload;
use actix_web::http::header::AUTHORIZATION;
use actix_web::{FromRequest, HttpRequest};
use sha2::{Digest, Sha256};

use super::tags::if_match;
use crate::games::{Call, Idempotency, hashed};
use crate::limits::visitor;
use crate::problem::{Code, Problem};

/// The longest idempotency key, in bytes.
const LONGEST_KEY: usize = 200;

/// Who calls, of a request without a body. Of one that reads the token alone counts. 401 when the
/// authorization is no bearer token, 422 when the idempotency key is too long.
#[derive(Clone, Debug)]
pub struct Caller(pub Call);

impl FromRequest for Caller {
    type Error = Problem;
    type Future = Ready<Result<Caller, Problem>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(call(request, b"").map(Caller))
    }
}

/// Who calls, on what terms. `body` tells repetitions of a request from others.
///
/// # Errors
/// 401 when the authorization is no bearer token, 422 when the idempotency key is too long.
pub fn call(request: &HttpRequest, body: &[u8]) -> Result<Call, Problem> {
    let token = bearer(request)?.map(hashed);
    if request.method().is_safe() {
        return Ok(Call {
            token,
            ..Call::default()
        });
    }
    Ok(Call {
        token,
        address: visitor(request).map(|visitor| visitor.address.to_string()),
        if_match: if_match(request),
        idempotency: idempotency(request, body)?,
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
