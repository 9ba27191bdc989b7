//! Who calls, and on what terms.

use std::future::{Future, Ready, ready};
use std::pin::Pin;
use std::sync::Arc;

use actix_web::dev::Payload;
use actix_web::http::header::AUTHORIZATION;
use actix_web::{FromRequest, HttpRequest, web};
use sha2::{Digest, Sha256};

use super::tags::if_match;
use crate::games::token::{Form, form};
use crate::games::{Access, Call, Games, Idempotency, hashed};
use crate::limits::{Work, slot, visitor};
use crate::problem::{Code, Problem};

/// The longest idempotency key, in bytes.
const LONGEST_KEY: usize = 200;

/// Who calls, of a request without a body. Of one that reads the token alone counts. 401 when the
/// authorization is no bearer token or one that is good for nothing, 422 when the idempotency key is no such key.
#[derive(Clone, Debug)]
pub struct Caller(pub Call);

impl FromRequest for Caller {
    type Error = Problem;
    type Future = Pin<Box<dyn Future<Output = Result<Caller, Problem>>>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let request = request.clone();
        Box::pin(async move { call(&request, b"").await.map(Caller) })
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
        let missing = || Problem::new(Code::Unauthenticated, "a token of an account is needed");
        ready(bearer(request).and_then(|token| token.map(|_| Bearer).ok_or_else(missing)))
    }
}

/// Who calls, on what terms. `body` tells repetitions of a request from others.
///
/// # Errors
/// 401 when the authorization is no bearer token or one that is good for nothing, 422 when the idempotency key is
/// no such key; when the store fails.
pub async fn call(request: &HttpRequest, body: &[u8]) -> Result<Call, Problem> {
    let text = bearer(request)?;
    let token = text.map(hashed);
    let access = match text.map(form) {
        Some(Form::Own) => access(request, token.clone().unwrap_or_default()).await?,
        Some(Form::Broken) => {
            let detail = "this is no token: its checksum is wrong; was all of it copied?";
            return Err(Problem::new(Code::Unauthenticated, detail));
        }
        Some(Form::Other) | None => None,
    };
    if request.method().is_safe() {
        return Ok(Call {
            token,
            access,
            ..Call::default()
        });
    }
    Ok(Call {
        token,
        access,
        address: visitor(request).map(|visitor| visitor.address.to_string()),
        if_match: if_match(request),
        idempotency: idempotency(request, body)?,
    })
}

/// Whose a token is; nobody's where there are no games.
async fn access(request: &HttpRequest, hash: String) -> Result<Option<Arc<Access>>, Problem> {
    let Some(games) = request.app_data::<web::Data<Games>>().cloned() else {
        return Ok(None);
    };
    if let Some(known) = games.access_in_memory(&hash)? {
        return Ok(known);
    }
    let slot = slot(Work::Job).await?;
    let asked = web::block(move || {
        let _slot = slot;
        games.access(&hash)
    });
    match asked.await {
        Ok(found) => found.map_err(Problem::from),
        Err(error) => {
            tracing::error!(%error, "a request panicked");
            Err(Problem::new(Code::Internal, "the fault has been logged"))
        }
    }
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
    let visible = |key: &&str| key.bytes().all(|byte| byte.is_ascii_graphic());
    let key = key.to_str().ok().filter(visible).unwrap_or_default();
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
