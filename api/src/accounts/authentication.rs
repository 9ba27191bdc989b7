//! Authentication: finds the account or game to which the bearer token of a request belongs.

use actix_web::{HttpMessage, HttpRequest, web};

use crate::accounts::scope_check::Holder;
use crate::accounts::service::Accounts;
use crate::accounts::token::has_form;
use crate::http::limits::load::{LoadKind, slot};
use crate::http::problem::Problem;
use crate::http::request::caller::{Identity, bearer};
use crate::http::secret::hashed;

/// Checks the `Authorization` header before the request is routed.
/// The result is available to handlers as [`Caller`](crate::http::request::caller::Caller) and
/// [`crate::http::request::body::JsonRequest`].
///
/// # Errors
/// 401 if the header is not a valid bearer token, or the error of the store.
pub async fn authenticate(request: &HttpRequest) -> Result<(), Problem> {
    let Some(text) = bearer(request)? else {
        return Ok(());
    };
    if !has_form(text) {
        let detail = "the bearer token has a wrong form or checksum: copy the whole token, which starts with `tabularium_`";
        return Err(Problem::invalid_token(detail));
    }
    let token = hashed(text);
    let access = holder(request, token.clone()).await?.access();
    let identity = Identity { token, access };
    request.extensions_mut().insert(identity);
    Ok(())
}

pub(crate) async fn holder(request: &HttpRequest, hash: String) -> Result<Holder, Problem> {
    let fault = || Problem::internal();
    let accounts = request.app_data::<web::Data<Accounts>>().cloned();
    let accounts = accounts.ok_or_else(fault)?;
    if let Some(holder) = accounts.holder_in_memory(&hash)? {
        return Ok(holder);
    }
    let slot = slot(LoadKind::Job).await?;
    let lookup = web::block(move || {
        let _slot = slot;
        accounts.holder(&hash)
    });
    let found = lookup.await.map_err(|error| {
        tracing::error!(%error, "the lookup of a token panicked");
        fault()
    })?;
    Ok(found?)
}
