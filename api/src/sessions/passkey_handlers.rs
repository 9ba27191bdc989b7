//! Handlers of passkeys.

use actix_web::http::header::LOCATION;
use actix_web::{HttpRequest, HttpResponse, delete, get, patch, post, web};
use uuid::Uuid;

use crate::http::answers::{
    AddingPasskey, BeginningCeremony, ChangingOneOfMine, ReadingMine, RemovingPasskey,
    SigningInWithPasskey,
};
use crate::http::cookie::{check_no_other_page, is_plain, new_cookie};
use crate::http::limits::gate::charge;
use crate::http::limits::rates::Policy;
use crate::http::problem::{Code, Problem};
use crate::http::reply::{blocking, private};
use crate::http::request::body::Json;
use crate::http::request::caller::{Bearer, Caller, identity};
use crate::http::request::path::number;
use crate::http::request::{base, has_public_url};
use crate::sessions::handlers::device_of;
use crate::sessions::passkey_model::{
    CeremonyBody, CeremonyEnd, CeremonyPurpose, NewCeremony, NewPasskey, PasskeyBody,
    PasskeyChange, PasskeyList, PasskeySession,
};
use crate::sessions::passkeys::verifier;
use crate::sessions::service::Sessions;

/// Returns the origin to which passkeys belong.
/// Without a public URL, only a browser on the server's own machine has one.
fn origin(request: &HttpRequest) -> Result<String, Problem> {
    if has_public_url(request) || is_plain(request) {
        return Ok(base(request));
    }
    let detail = "the server has no public URL, so passkeys are not available: its operator sets it with --public-url";
    Err(Problem::new(Code::PasskeysUnavailable, detail))
}

/// Returns true if browsers can use passkeys with this server.
pub fn has_passkeys(request: &HttpRequest) -> bool {
    origin(request).is_ok_and(|origin| verifier(&origin).is_ok())
}

/// Begin to use a passkey
///
/// Returns the options for `navigator.credentials` of a browser. The ceremony can be finished once, within 5 minutes, on
/// any node: `sign_in` and `sign_up` by `POST /v1/passkeys/sessions`, `add` by `POST /v1/me/passkeys`. The purpose `add`
/// needs the scope `account`. Passkeys belong to the public URL of the server; 409 `passkeys_unavailable` if it is not
/// known, or is neither HTTPS with a name nor localhost.
#[utoipa::path(tag = "players", security((), ("token" = ["account"])),
    request_body = NewCeremony,
    responses((status = 201, description = "The options", body = CeremonyBody), BeginningCeremony))]
#[post("/v1/passkeys/ceremonies")]
pub async fn begin_passkey(
    request: HttpRequest,
    Json(new): Json<NewCeremony>,
    sessions: web::Data<Sessions>,
) -> Result<HttpResponse, Problem> {
    check_no_other_page(&request)?;
    let origin = origin(&request)?;
    if new.purpose == CeremonyPurpose::SignUp {
        charge(&request, Policy::Games)?;
    }
    let call = identity(&request);
    let begun = blocking(&sessions, move |sessions| {
        sessions.begin_ceremony(&call, &origin, &new)
    })
    .await?;
    Ok(private(HttpResponse::Created()).json(begun))
}

/// Sign in or up with a passkey
///
/// Finishes a ceremony of the purpose `sign_in` or `sign_up`, and starts a session as `POST /v1/sessions` does. A new
/// account receives recovery codes, which set a password if the passkey is lost. 403 `wrong_passkey` if the ceremony
/// cannot be finished or the passkey belongs to no account.
#[utoipa::path(tag = "players", security(()),
    request_body = CeremonyEnd,
    responses(
        (status = 201, description = "The session", body = PasskeySession, headers(
            ("Location" = String, description = "The session's path"),
            ("Set-Cookie" = String, description = "The session's cookie"))),
        SigningInWithPasskey,
    ))]
#[post("/v1/passkeys/sessions")]
pub async fn create_passkey_session(
    request: HttpRequest,
    Json(end): Json<CeremonyEnd>,
    sessions: web::Data<Sessions>,
) -> Result<HttpResponse, Problem> {
    check_no_other_page(&request)?;
    charge(&request, Policy::SignIns)?;
    let (origin, device) = (origin(&request)?, device_of(&request));
    let signed_in = blocking(&sessions, move |sessions| {
        sessions.start_session_with_passkey(&origin, end, device)
    })
    .await?;
    let path = format!("/v1/me/sessions/{}", signed_in.body.session.id);
    Ok(private(HttpResponse::Created())
        .insert_header((LOCATION, path))
        .cookie(new_cookie(&request, &signed_in.cookie))
        .json(&signed_in.body))
}

/// List the passkeys of the caller's account
///
/// Needs the scope `read`.
#[utoipa::path(tag = "players", security(("token" = ["read"])),
    responses((status = 200, description = "The passkeys", body = PasskeyList), ReadingMine))]
#[get("/v1/me/passkeys")]
pub async fn list_passkeys(
    Caller(call): Caller,
    sessions: web::Data<Sessions>,
) -> Result<HttpResponse, Problem> {
    let list = blocking(&sessions, move |sessions| sessions.passkeys(&call)).await?;
    Ok(private(HttpResponse::Ok()).json(list))
}

/// Add a passkey to the caller's account
///
/// Finishes a ceremony of the purpose `add`. An account has at most 20 passkeys. Needs the scope `account`.
#[utoipa::path(tag = "players", security(("token" = ["account"])),
    request_body = NewPasskey,
    responses(
        (status = 201, description = "The passkey", body = PasskeyBody, headers(
            ("Location" = String, description = "The passkey's path"))),
        AddingPasskey,
    ))]
#[post("/v1/me/passkeys")]
pub async fn add_passkey(
    _: Bearer,
    request: HttpRequest,
    Json(new): Json<NewPasskey>,
    sessions: web::Data<Sessions>,
) -> Result<HttpResponse, Problem> {
    let (call, origin) = (identity(&request), origin(&request)?);
    let added = blocking(&sessions, move |sessions| {
        sessions.add_passkey(&call, &origin, new)
    })
    .await?;
    Ok(private(HttpResponse::Created())
        .insert_header((LOCATION, format!("/v1/me/passkeys/{}", added.id)))
        .json(added))
}

/// Rename a passkey of the caller's account
///
/// Needs the scope `account`.
#[utoipa::path(tag = "players", security(("token" = ["account"])),
    params(("passkey" = String, Path, format = Uuid, description = "The id of the passkey")),
    request_body = PasskeyChange,
    responses((status = 200, description = "The passkey", body = PasskeyBody), ChangingOneOfMine))]
#[patch("/v1/me/passkeys/{passkey}")]
pub async fn rename_passkey(
    _: Bearer,
    request: HttpRequest,
    path: web::Path<String>,
    Json(change): Json<PasskeyChange>,
    sessions: web::Data<Sessions>,
) -> Result<HttpResponse, Problem> {
    let id: Uuid = number("passkey", &path)?;
    let call = identity(&request);
    let renamed = blocking(&sessions, move |sessions| {
        sessions.rename_passkey(&call, id, &change)
    })
    .await?;
    Ok(private(HttpResponse::Ok()).json(renamed))
}

/// Remove a passkey of the caller's account
///
/// Sessions that it started stay. 409 `last_sign_in` if the account has no password and no other passkey. Needs the
/// scope `account`.
#[utoipa::path(tag = "players", security(("token" = ["account"])),
    params(("passkey" = String, Path, format = Uuid, description = "The id of the passkey")),
    responses((status = 204, description = "The passkey is removed"), RemovingPasskey))]
#[delete("/v1/me/passkeys/{passkey}")]
pub async fn remove_passkey(
    path: web::Path<String>,
    Caller(call): Caller,
    sessions: web::Data<Sessions>,
) -> Result<HttpResponse, Problem> {
    let id: Uuid = number("passkey", &path)?;
    blocking(&sessions, move |sessions| {
        sessions.remove_passkey(&call, id)
    })
    .await?;
    Ok(HttpResponse::NoContent().finish())
}
