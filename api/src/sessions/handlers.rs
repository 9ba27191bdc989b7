//! Handlers of sessions, passwords and recovery codes.

use actix_web::http::header::{LOCATION, SET_COOKIE, USER_AGENT};
use actix_web::{HttpRequest, HttpResponse, delete, get, post, put, web};
use uuid::Uuid;

use crate::http::answers::{
    ChangingPassword, CreatingRecoveryCodes, Deleting, DeletingMine, ReadingMine, SigningIn,
};
use crate::http::cookie::{check_no_other_page, new_cookie, removal};
use crate::http::error::ServiceError;
use crate::http::limits::gate::{charge, charge_name};
use crate::http::limits::load::{LoadKind, slot};
use crate::http::limits::rates::Policy;
use crate::http::problem::Problem;
use crate::http::reply::{at_once, blocking, private};
use crate::http::request::body::Json;
use crate::http::request::caller::{Bearer, Caller, identity};
use crate::http::request::path::number;
use crate::sessions::device;
use crate::sessions::model::{
    NewSession, PasswordChange, PasswordProof, RecoveryCodes, SessionList, StartedSession,
};
use crate::sessions::service::{Sessions, SignedIn};

/// The name of the device that sends a request.
pub fn device_of(request: &HttpRequest) -> String {
    let agent = request.headers().get(USER_AGENT);
    device::name(
        agent
            .and_then(|agent| agent.to_str().ok())
            .unwrap_or_default(),
    )
}

/// Hashes passwords on a thread that may block, when a slot is free.
pub async fn with_password<T: Send + 'static>(
    sessions: &web::Data<Sessions>,
    work: impl FnOnce(&Sessions) -> Result<T, ServiceError> + Send + 'static,
) -> Result<T, Problem> {
    let slot = slot(LoadKind::Password).await?;
    at_once(sessions, move |sessions| {
        let _slot = slot;
        work(sessions)
    })
    .await
}

/// Signs in with a password or a recovery code, within the limits against guessing.
pub async fn sign_in(
    request: &HttpRequest,
    sessions: &web::Data<Sessions>,
    new: NewSession,
) -> Result<SignedIn, Problem> {
    charge(request, Policy::SignIns)?;
    let device = device_of(request);
    let code = new.recovery_code.filter(|code| !code.trim().is_empty());
    // A code cannot be guessed, so that it opens an account whose password others try to guess.
    if code.is_none() {
        charge_name(request, Policy::AccountSignIns, &new.handle.to_lowercase())?;
    }
    with_password(sessions, move |sessions| match code {
        Some(code) => sessions.recover(&new.handle, &code, &new.password, device),
        None => sessions.sign_in(&new.handle, &new.password, device),
    })
    .await
}

/// Counts an attempt to prove the password of the caller's account.
pub fn charge_proof(request: &HttpRequest) -> Result<(), Problem> {
    charge(request, Policy::SignIns)?;
    match identity(request).access {
        Some(access) => charge_name(
            request,
            Policy::AccountSignIns,
            &access.handle.to_lowercase(),
        ),
        None => Ok(()),
    }
}

/// Sign in
///
/// Starts a session for a browser. Its cookie authenticates every request like a token with the scopes `read`, `play`,
/// `organize` and `account`. A request with the cookie that changes something must come from a page of this server;
/// otherwise it is 403. An `Authorization` header replaces the cookie. The session ends 30 days after the last day with
/// a request. With `recovery_code`, `password` becomes the new password and all other sessions end.
///
/// 403 `wrong_password` if there is no account with this handle and password or code; both look the same. Programs use
/// tokens instead.
#[utoipa::path(tag = "players", security(()),
    request_body = NewSession,
    responses(
        (status = 201, description = "The session", body = StartedSession, headers(
            ("Location" = String, description = "The session's path"),
            ("Set-Cookie" = String, description = "The session's cookie"))),
        SigningIn,
    ))]
#[post("/v1/sessions")]
pub async fn create_session(
    request: HttpRequest,
    Json(new): Json<NewSession>,
    sessions: web::Data<Sessions>,
) -> Result<HttpResponse, Problem> {
    check_no_other_page(&request)?;
    let signed_in = sign_in(&request, &sessions, new).await?;
    let path = format!("/v1/me/sessions/{}", signed_in.body.session.id);
    Ok(private(HttpResponse::Created())
        .insert_header((LOCATION, path))
        .cookie(new_cookie(&request, &signed_in.cookie))
        .json(&signed_in.body))
}

/// List the sessions of the caller's account
///
/// Each is a browser that is signed in. Needs the scope `read`.
#[utoipa::path(tag = "players", security(("token" = ["read"])),
    responses(
        (status = 200, description = "The sessions", body = SessionList),
        ReadingMine,
    ))]
#[get("/v1/me/sessions")]
pub async fn list_sessions(
    Caller(call): Caller,
    sessions: web::Data<Sessions>,
) -> Result<HttpResponse, Problem> {
    let list = blocking(&sessions, move |sessions| sessions.list(&call)).await?;
    Ok(private(HttpResponse::Ok()).json(list))
}

/// End all other sessions of the caller's account
///
/// A browser that sends this stays signed in. With a token, all sessions end. All nodes refuse the ended sessions
/// within 2 seconds. Needs the scope `account`.
#[utoipa::path(tag = "players", security(("token" = ["account"])),
    responses((status = 204, description = "The other sessions have ended"), DeletingMine))]
#[delete("/v1/me/sessions")]
pub async fn end_other_sessions(
    Caller(call): Caller,
    sessions: web::Data<Sessions>,
) -> Result<HttpResponse, Problem> {
    blocking(&sessions, move |sessions| sessions.end_others(&call)).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// End a session of the caller's account
///
/// A browser that ends its own session is signed out, and the answer removes its cookie. To end another session, the
/// scope `account` is needed. All nodes refuse the ended session within 2 seconds.
#[utoipa::path(tag = "players", security(("token" = [])),
    params(("session" = String, Path, format = Uuid, description = "The id of the session")),
    responses((status = 204, description = "The session has ended"), Deleting))]
#[delete("/v1/me/sessions/{session}")]
pub async fn end_session(
    request: HttpRequest,
    path: web::Path<String>,
    Caller(call): Caller,
    sessions: web::Data<Sessions>,
) -> Result<HttpResponse, Problem> {
    let id: Uuid = number("session", &path)?;
    let access = call.access.as_deref();
    let is_own = access.is_some_and(|access| access.is_session && access.token == id);
    blocking(&sessions, move |sessions| sessions.end(&call, id)).await?;
    let mut answer = HttpResponse::NoContent();
    if let Some(cookie) = removal(&request).filter(|_| is_own) {
        answer.insert_header((SET_COOKIE, cookie));
    }
    Ok(answer.finish())
}

/// Change the password of the caller's account
///
/// Sets the first password if the account has none. Ends all sessions except the one that sends this; tokens stay
/// valid. 403 `wrong_password` if `current` is wrong. Needs the scope `account`.
#[utoipa::path(tag = "players", security(("token" = ["account"])),
    request_body = PasswordChange,
    responses((status = 204, description = "The password is changed"), ChangingPassword))]
#[put("/v1/me/password")]
pub async fn change_password(
    _: Bearer,
    request: HttpRequest,
    Json(change): Json<PasswordChange>,
    sessions: web::Data<Sessions>,
) -> Result<HttpResponse, Problem> {
    charge_proof(&request)?;
    let call = identity(&request);
    with_password(&sessions, move |sessions| {
        sessions.change_password(&call, &change)
    })
    .await?;
    Ok(HttpResponse::NoContent().finish())
}

/// Replace the recovery codes of the caller's account
///
/// Each code replaces a forgotten password once; see `POST /v1/sessions`. The codes are shown only once, and earlier
/// ones are no longer valid. 403 `wrong_password` if the password is wrong or the account has none. Needs the scope
/// `account`.
#[utoipa::path(tag = "players", security(("token" = ["account"])),
    request_body = PasswordProof,
    responses(
        (status = 201, description = "The codes", body = RecoveryCodes),
        CreatingRecoveryCodes,
    ))]
#[post("/v1/me/recovery-codes")]
pub async fn create_recovery_codes(
    _: Bearer,
    request: HttpRequest,
    Json(proof): Json<PasswordProof>,
    sessions: web::Data<Sessions>,
) -> Result<HttpResponse, Problem> {
    charge_proof(&request)?;
    let call = identity(&request);
    let codes = with_password(&sessions, move |sessions| {
        sessions.new_recovery_codes(&call, &proof.password)
    })
    .await?;
    Ok(private(HttpResponse::Created()).json(codes))
}
