//! Authentication: finds the account or game of a request by its token or session cookie.

use actix_web::{HttpMessage, HttpRequest, web};

use crate::accounts::scope_check::Holder;
use crate::accounts::service::Accounts;
use crate::accounts::token::has_form;
use crate::http::cookie::{EndedSession, check_own_page, session};
use crate::http::limits::load::{LoadKind, slot};
use crate::http::problem::{Code, Problem};
use crate::http::request::caller::{Identity, bearer};
use crate::http::secret::hashed;

/// The prefix of the paths of the API.
/// Pages are shown without an account if the cookie is of no session.
const API: &str = "/v1";

/// The prefix of files, which need no account and are the same for everyone.
const FILES: &str = "/assets/";

/// Checks the `Authorization` header, or else the session's cookie, before the request is routed.
///
/// The cookie gives all rights of the account's owner. So a request that changes something must then come from a page
/// of this server ([`check_own_page`]). Requests with GET change nothing.
/// The result is available to handlers as [`Caller`](crate::http::request::caller::Caller) and
/// [`crate::http::request::body::JsonRequest`].
///
/// # Errors
/// 401 if the header is not a valid bearer token, or if the cookie of a request to the API is of no session; 403 if
/// another site sent the request; or the error of the store.
pub async fn authenticate(request: &HttpRequest) -> Result<(), Problem> {
    let Some(text) = bearer(request)? else {
        return match session(request) {
            Some(cookie) => authenticate_browser(request, cookie).await,
            None => Ok(()),
        };
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

/// Finds the account of a browser that is signed in.
async fn authenticate_browser(request: &HttpRequest, cookie: &str) -> Result<(), Problem> {
    if request.path().starts_with(FILES) {
        return Ok(());
    }
    let is_api = request.path().starts_with(API);
    let token = hashed(cookie);
    let found = match has_form(cookie) {
        // The token of a program or of a game is no session.
        true => Ok(None),
        false => holder(request, token.clone()).await.map(Holder::access),
    };
    let access = match found {
        Ok(access) => access.filter(|access| access.is_session),
        Err(problem) if problem.code == Code::Unauthenticated => None,
        // A suspended account reads pages as everyone does.
        Err(problem) if problem.code == Code::AccountSuspended && !is_api => return Ok(()),
        Err(problem) => return Err(problem),
    };
    if access.is_none() {
        request.extensions_mut().insert(EndedSession);
        return match is_api {
            true => {
                let detail = "the session of this browser has ended: sign in again";
                Err(Problem::new(Code::Unauthenticated, detail))
            }
            false => Ok(()),
        };
    }
    if !request.method().is_safe() {
        check_own_page(request)?;
    }
    request.extensions_mut().insert(Identity { token, access });
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
