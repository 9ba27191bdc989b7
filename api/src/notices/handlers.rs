//! Handlers of notices, e-mail addresses and push subscriptions.

use actix_web::http::header::LOCATION;
use actix_web::{HttpRequest, HttpResponse, delete, get, post, put, web};
use uuid::Uuid;

use crate::http::answers::{
    ChangingAddress, ChangingNotices, ConfirmingAddress, Deleting, DeletingMine, ReadingMine,
    ReadingOneOfMine, RecoveringPassword,
};
use crate::http::cookie::check_no_other_page;
use crate::http::limits::gate::{charge, charge_name};
use crate::http::limits::options::Limits;
use crate::http::limits::rates::Policy;
use crate::http::problem::Problem;
use crate::http::reply::{blocking, private};
use crate::http::request::body::Json;
use crate::http::request::caller::{Bearer, Caller, identity};
use crate::http::request::path::number;
use crate::notices::model::{
    MailAddress, MailConfirmation, NewMailAddress, NewPushSubscription, NoticeChoices,
    NoticeSettings, PasswordRecovery, PushSubscription, PushSubscriptionList,
};
use crate::notices::service::Notices;
use crate::sessions::handlers::{charge_proof, device_of, with_password};
use crate::sessions::service::Sessions;

/// Sets the address of the caller's account, within the limits against guessing and floods.
pub async fn change_address(
    request: &HttpRequest,
    sessions: &web::Data<Sessions>,
    notices: &web::Data<Notices>,
    new: NewMailAddress,
) -> Result<MailAddress, Problem> {
    charge_proof(request)?;
    let call = identity(request);
    let (own, password) = (call.clone(), new.password.clone());
    with_password(sessions, move |sessions| {
        sessions.prove(&own, password.as_ref())
    })
    .await?;
    blocking(notices, move |notices| notices.set_address(&call, &new)).await
}

/// Sends a mail that helps if a password is forgotten, within the limits against guessing and floods.
pub async fn request_recovery(
    request: &HttpRequest,
    notices: &web::Data<Notices>,
    handle: String,
) -> Result<(), Problem> {
    charge(request, Policy::SignIns)?;
    // Counted apart from sign-ins, so that no one can lock out the owner.
    let name = format!("recover {}", handle.to_lowercase());
    charge_name(request, Policy::AccountSignIns, &name)?;
    blocking(notices, move |notices| notices.recover(&handle)).await
}

/// Get the notices of the caller's account
///
/// Lists for each type of notice whether it is mailed and pushed. Needs the scope `account`.
#[utoipa::path(tag = "players", security(("token" = ["account"])),
    responses((status = 200, description = "The choices", body = NoticeSettings), ReadingMine))]
#[get("/v1/me/notices")]
pub async fn get_notices(
    Caller(call): Caller,
    notices: web::Data<Notices>,
) -> Result<HttpResponse, Problem> {
    let settings = blocking(&notices, move |notices| notices.settings(&call)).await?;
    Ok(private(HttpResponse::Ok()).json(settings))
}

/// Choose the notices of the caller's account
///
/// Replaces all choices. The types have the names of the stream `/v1/me/events`; `league_news` is everything that
/// concerns the account in its leagues. Only what happens after the choice is sent. Needs the scope `account`.
#[utoipa::path(tag = "players", security(("token" = ["account"])),
    request_body = NoticeChoices,
    responses((status = 200, description = "The choices", body = NoticeSettings), ChangingNotices))]
#[put("/v1/me/notices")]
pub async fn choose_notices(
    _: Bearer,
    Caller(call): Caller,
    Json(new): Json<NoticeChoices>,
    notices: web::Data<Notices>,
) -> Result<HttpResponse, Problem> {
    let settings = blocking(&notices, move |notices| notices.choose(&call, &new)).await?;
    Ok(private(HttpResponse::Ok()).json(settings))
}

/// Get the e-mail address of the caller's account
///
/// 404 if it has none. Needs the scope `account`.
#[utoipa::path(tag = "players", security(("token" = ["account"])),
    responses((status = 200, description = "The address", body = MailAddress), ReadingOneOfMine))]
#[get("/v1/me/mail-address")]
pub async fn get_mail_address(
    Caller(call): Caller,
    notices: web::Data<Notices>,
) -> Result<HttpResponse, Problem> {
    let address = blocking(&notices, move |notices| notices.address(&call)).await?;
    Ok(private(HttpResponse::Ok()).json(address))
}

/// Set the e-mail address of the caller's account
///
/// The address receives a mail with a link that confirms it within a day. Until then nothing else is sent to it. A
/// confirmed address also recovers a forgotten password. 403 `wrong_password` if the account has a password and
/// `password` is missing or wrong; 403 `forbidden` if the server sends no mail. Needs the scope `account`.
#[utoipa::path(tag = "players", security(("token" = ["account"])),
    request_body = NewMailAddress,
    responses((status = 200, description = "The address", body = MailAddress), ChangingAddress))]
#[put("/v1/me/mail-address")]
pub async fn set_mail_address(
    _: Bearer,
    request: HttpRequest,
    Json(new): Json<NewMailAddress>,
    sessions: web::Data<Sessions>,
    notices: web::Data<Notices>,
) -> Result<HttpResponse, Problem> {
    let address = change_address(&request, &sessions, &notices, new).await?;
    Ok(private(HttpResponse::Ok()).json(address))
}

/// Remove the e-mail address of the caller's account
///
/// Nothing is mailed any more. Needs the scope `account`.
#[utoipa::path(tag = "players", security(("token" = ["account"])),
    responses((status = 204, description = "The account has no address"), DeletingMine))]
#[delete("/v1/me/mail-address")]
pub async fn delete_mail_address(
    Caller(call): Caller,
    notices: web::Data<Notices>,
) -> Result<HttpResponse, Problem> {
    blocking(&notices, move |notices| notices.remove_address(&call)).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// Confirm an e-mail address
///
/// `token` is in the link of the mail. It can be used once, within a day.
#[utoipa::path(tag = "players", security(()),
    request_body(content = MailConfirmation, example = json!({
        "token": "9b1c2f8e5d3a4c7b8e6f0a1d2c3b4e5f6a7b8c9d0e1f2a3b4c5d6e7f8a9b0c1d"})),
    responses((status = 204, description = "The address is confirmed"), ConfirmingAddress))]
#[post("/v1/mail-confirmations")]
pub async fn confirm_mail_address(
    request: HttpRequest,
    Json(confirmation): Json<MailConfirmation>,
    notices: web::Data<Notices>,
) -> Result<HttpResponse, Problem> {
    charge(&request, Policy::SignIns)?;
    blocking(&notices, move |notices| {
        notices.confirm(&confirmation.token)
    })
    .await?;
    Ok(HttpResponse::NoContent().finish())
}

/// Request a mail to recover a forgotten password
///
/// If the account exists and has a confirmed address, it receives a code that `POST /v1/sessions` accepts as
/// `recovery_code` for an hour. The answer and its time are the same for any handle. At most one mail is sent in 2
/// minutes. 403 if the server sends no mail.
#[utoipa::path(tag = "players", security(()),
    request_body = PasswordRecovery,
    responses((status = 204, description = "A mail is sent if the account has a confirmed address"), RecoveringPassword))]
#[post("/v1/password-recoveries")]
pub async fn recover_password(
    request: HttpRequest,
    Json(recovery): Json<PasswordRecovery>,
    notices: web::Data<Notices>,
) -> Result<HttpResponse, Problem> {
    check_no_other_page(&request)?;
    request_recovery(&request, &notices, recovery.handle).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// List the push subscriptions of the caller's account
///
/// Each is a browser that receives push messages. Needs the scope `account`.
#[utoipa::path(tag = "players", security(("token" = ["account"])),
    responses((status = 200, description = "The subscriptions", body = PushSubscriptionList), ReadingMine))]
#[get("/v1/me/push-subscriptions")]
pub async fn list_push_subscriptions(
    Caller(call): Caller,
    notices: web::Data<Notices>,
) -> Result<HttpResponse, Problem> {
    let list = blocking(&notices, move |notices| notices.subscriptions(&call)).await?;
    Ok(private(HttpResponse::Ok()).json(list))
}

/// Add a push subscription to the caller's account
///
/// The body is what `PushSubscription.toJSON()` returns in the browser, subscribed with the `push_key` of
/// `GET /v1/me/notices`. Messages are encrypted (RFC 8291): JSON with `title`, `body`, `url` and `tag`. A subscription
/// that the push service no longer accepts is removed. Needs the scope `account`.
#[utoipa::path(tag = "players", security(("token" = ["account"])),
    request_body(content = NewPushSubscription, example = json!({"endpoint": "https://push.example.org/8f2a",
        "keys": {"p256dh": "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
            "auth": "BTBZMqHH6r4Tts7J_aSIgg"}})),
    responses(
        (status = 201, description = "The subscription", body = PushSubscription, headers(
            ("Location" = String, description = "The path of the subscription"))),
        ChangingNotices,
    ))]
#[post("/v1/me/push-subscriptions")]
pub async fn create_push_subscription(
    _: Bearer,
    request: HttpRequest,
    Caller(call): Caller,
    Json(new): Json<NewPushSubscription>,
    notices: web::Data<Notices>,
    limits: web::Data<Limits>,
) -> Result<HttpResponse, Problem> {
    let device = device_of(&request);
    let added = blocking(&notices, move |notices| {
        notices.subscribe(&limits, &call, new, device)
    })
    .await?;
    Ok(private(HttpResponse::Created())
        .insert_header((LOCATION, format!("/v1/me/push-subscriptions/{}", added.id)))
        .json(added))
}

/// Remove a push subscription of the caller's account
///
/// Needs the scope `account`.
#[utoipa::path(tag = "players", security(("token" = ["account"])),
    params(("subscription" = String, Path, format = Uuid, description = "The id of the subscription")),
    responses((status = 204, description = "The subscription is removed"), Deleting))]
#[delete("/v1/me/push-subscriptions/{subscription}")]
pub async fn delete_push_subscription(
    path: web::Path<String>,
    Caller(call): Caller,
    notices: web::Data<Notices>,
) -> Result<HttpResponse, Problem> {
    let id: Uuid = number("push subscription", &path)?;
    blocking(&notices, move |notices| notices.end_subscription(&call, id)).await?;
    Ok(HttpResponse::NoContent().finish())
}
