//! Authentication: the account or game that the bearer token of a request belongs to.

use actix_web::{HttpMessage, HttpRequest, web};

use crate::accounts::scope_check::Holder;
use crate::accounts::service::Accounts;
use crate::accounts::token::has_form;
use crate::http::limits::load::{LoadKind, slot};
use crate::http::problem::{Code, Problem};
use crate::http::request::caller::{Identity, bearer};
use crate::http::secret::hashed;

/// Checks the `Authorization` of a request, before any route is asked. What reads the request after that finds the
/// caller in [`Caller`] and [`crate::http::request::body::Sent`].
///
/// # Errors
/// 401 when there is an `Authorization` that is not a valid bearer token; when the store fails.
pub async fn authenticate(request: &HttpRequest) -> Result<(), Problem> {
    let Some(text) = bearer(request)? else {
        return Ok(());
    };
    if !has_form(text) {
        let detail = "this is not a token of this service: its form or checksum is wrong; was all of it copied?";
        return Err(Problem::invalid_token(detail));
    }
    let token = hashed(text);
    let access = holder(request, token.clone()).await?.access();
    let identity = Identity { token, access };
    request.extensions_mut().insert(identity);
    Ok(())
}

pub(crate) async fn holder(request: &HttpRequest, hash: String) -> Result<Holder, Problem> {
    let fault = || Problem::new(Code::Internal, "the fault has been logged");
    let accounts = request.app_data::<web::Data<Accounts>>().cloned();
    let accounts = accounts.ok_or_else(fault)?;
    if let Some(holder) = accounts.holder_in_memory(&hash)? {
        return Ok(holder);
    }
    let slot = slot(LoadKind::Job).await?;
    let asked = web::block(move || {
        let _slot = slot;
        accounts.holder(&hash)
    });
    let found = asked.await.map_err(|error| {
        tracing::error!(%error, "a request panicked");
        fault()
    })?;
    Ok(found?)
}
