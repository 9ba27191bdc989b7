//! Webhooks: the server sends events to URLs.

use std::future::{Ready, ready};

use actix_web::dev::Payload;
use actix_web::http::header::LOCATION;
use actix_web::{FromRequest, HttpRequest, HttpResponse, delete, get, patch, post, web};
use uuid::Uuid;

use crate::games::Games;
use crate::http::answers::{
    AddingMine, ChangingOneOfMine, Deleting, ReadingMine, ReadingOneOfMine, ReplacingSecret,
    SendingDelivery,
};
use crate::http::limits::options::Limits;
use crate::http::page::PageQuery;
use crate::http::problem::Problem;
use crate::http::reply::{blocking, private};
use crate::http::request::body::JsonRequest;
use crate::http::request::caller::{Bearer, Caller};
use crate::http::request::path::number;
use crate::http::request::query::Query;
use crate::leagues::service::Leagues;
use crate::webhooks::model::{
    CreatedWebhook, DeliveryBody, DeliveryPage, NewWebhook, WebhookBody, WebhookList, WebhookPatch,
    WebhookSecret,
};
use crate::webhooks::service as webhooks;

/// The webhook in a path; 404 when it is not a UUID.
#[derive(Clone, Copy, Debug)]
pub struct WebhookId(pub Uuid);

impl WebhookId {
    fn read(request: &HttpRequest) -> Result<WebhookId, Problem> {
        number("webhook", request.match_info().query("webhook")).map(WebhookId)
    }
}

impl FromRequest for WebhookId {
    type Error = Problem;
    type Future = Ready<Result<WebhookId, Problem>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(WebhookId::read(request))
    }
}

/// Create a webhook
///
/// The server then sends the events of the caller's games, of one game, or of a league, to a URL by POST. The body is a
/// `WebhookEvent`, or a sentence with a link for Discord or Slack. It is signed with [Standard Webhooks](https://www.standardwebhooks.com) in the headers `webhook-id`,
/// `webhook-timestamp` and `webhook-signature`. The answer contains the signing secret, which is shown only once.
///
/// A delivery succeeds with any 2xx within 15 seconds. Otherwise the server retries it after increasing pauses.
/// Redirects are not followed, and 410 disables the webhook. A delivery may arrive twice, with the same `webhook-id`. A
/// turn that has ended before it could be sent is omitted. Needs the scope `play`.
#[utoipa::path(tag = "webhooks", security(("token" = ["play"])),
    request_body(content = NewWebhook, example = json!({"url": "https://example.org/tabularium",
        "events": ["game_finished"], "for": {"game": "019aa5a4-1234-7abc-8def-0123456789ab"}})),
    responses(
        (status = 201, description = "The webhook", body = CreatedWebhook, headers(
            ("Location" = String, description = "The path of the webhook"))),
        AddingMine,
    ))]
#[post("/v1/webhooks")]
pub async fn create_webhook(
    _: Bearer,
    JsonRequest { call, body }: JsonRequest<NewWebhook>,
    games: web::Data<Games>,
    leagues: web::Data<Leagues>,
    limits: web::Data<Limits>,
) -> Result<HttpResponse, Problem> {
    let created = blocking(&games, move |games| {
        webhooks::create(games, &leagues, &limits, &call, &body)
    });
    let created = created.await?;
    Ok(private(HttpResponse::Created())
        .insert_header((LOCATION, format!("/v1/webhooks/{}", created.webhook.id)))
        .json(created))
}

/// List the caller's webhooks
///
/// Needs the scope `read`.
#[utoipa::path(tag = "webhooks", security(("token" = ["read"])),
    responses(
        (status = 200, description = "The webhooks", body = WebhookList),
        ReadingMine,
    ))]
#[get("/v1/webhooks")]
pub async fn list_webhooks(
    Caller(call): Caller,
    games: web::Data<Games>,
) -> Result<HttpResponse, Problem> {
    let list = blocking(&games, move |games| webhooks::list(games, &call)).await?;
    Ok(private(HttpResponse::Ok()).json(list))
}

/// Get a webhook
///
/// Needs the scope `read`.
#[utoipa::path(tag = "webhooks", security(("token" = ["read"])),
    params(("webhook" = String, Path, format = Uuid, description = "The id of the webhook")),
    responses(
        (status = 200, description = "The webhook", body = WebhookBody),
        ReadingOneOfMine,
    ))]
#[get("/v1/webhooks/{webhook}")]
pub async fn get_webhook(
    Caller(call): Caller,
    WebhookId(id): WebhookId,
    games: web::Data<Games>,
) -> Result<HttpResponse, Problem> {
    let body = blocking(&games, move |games| webhooks::get(games, &call, id)).await?;
    Ok(private(HttpResponse::Ok()).json(body))
}

/// Change a webhook
///
/// Omitted members keep their values. Needs the scope `play`.
#[utoipa::path(tag = "webhooks", security(("token" = ["play"])),
    params(("webhook" = String, Path, format = Uuid, description = "The id of the webhook")),
    request_body(content = WebhookPatch, example = json!({"disabled": false})),
    responses(
        (status = 200, description = "The webhook", body = WebhookBody),
        ChangingOneOfMine,
    ))]
#[patch("/v1/webhooks/{webhook}")]
pub async fn update_webhook(
    _: Bearer,
    request: HttpRequest,
    JsonRequest { call, body }: JsonRequest<WebhookPatch>,
    games: web::Data<Games>,
    limits: web::Data<Limits>,
) -> Result<HttpResponse, Problem> {
    let WebhookId(id) = WebhookId::read(&request)?;
    let changed = blocking(&games, move |games| {
        webhooks::change(games, &limits, &call, id, &body)
    });
    Ok(private(HttpResponse::Ok()).json(changed.await?))
}

/// Delete a webhook
///
/// Its deliveries are deleted too, and pending ones are not sent. Needs the scope `play`.
#[utoipa::path(tag = "webhooks", security(("token" = ["play"])),
    params(("webhook" = String, Path, format = Uuid, description = "The id of the webhook")),
    responses(
        (status = 204, description = "The webhook is deleted"),
        Deleting,
    ))]
#[delete("/v1/webhooks/{webhook}")]
pub async fn delete_webhook(
    Caller(call): Caller,
    WebhookId(id): WebhookId,
    games: web::Data<Games>,
) -> Result<HttpResponse, Problem> {
    blocking(&games, move |games| webhooks::remove(games, &call, id)).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// Replace a webhook's secret
///
/// The answer contains the new secret, which is shown only once. For a day, deliveries are signed with both secrets.
/// Needs the scope `play`.
#[utoipa::path(tag = "webhooks", security(("token" = ["play"])),
    params(("webhook" = String, Path, format = Uuid, description = "The id of the webhook")),
    responses(
        (status = 200, description = "The new secret", body = WebhookSecret),
        ReplacingSecret,
    ))]
#[post("/v1/webhooks/{webhook}/secret")]
pub async fn replace_webhook_secret(
    Caller(call): Caller,
    WebhookId(id): WebhookId,
    games: web::Data<Games>,
) -> Result<HttpResponse, Problem> {
    let secret = blocking(&games, move |games| {
        webhooks::replace_secret(games, &call, id)
    });
    Ok(private(HttpResponse::Ok()).json(secret.await?))
}

/// Test a webhook
///
/// Sends an event of the type `webhook_test`. Needs the scope `play`.
#[utoipa::path(tag = "webhooks", security(("token" = ["play"])),
    params(("webhook" = String, Path, format = Uuid, description = "The id of the webhook")),
    responses(
        (status = 202, description = "The delivery, which is sent in the background", body = DeliveryBody),
        SendingDelivery,
    ))]
#[post("/v1/webhooks/{webhook}/test")]
pub async fn test_webhook(
    Caller(call): Caller,
    WebhookId(id): WebhookId,
    games: web::Data<Games>,
) -> Result<HttpResponse, Problem> {
    let delivery = blocking(&games, move |games| webhooks::test(games, &call, id)).await?;
    Ok(private(HttpResponse::Accepted()).json(delivery))
}

/// List the deliveries of a webhook
///
/// Newest first. Completed deliveries are kept for 30 days. Needs the scope `read`.
#[utoipa::path(tag = "webhooks", security(("token" = ["read"])),
    params(("webhook" = String, Path, format = Uuid, description = "The id of the webhook"), PageQuery),
    responses(
        (status = 200, description = "A page of deliveries", body = DeliveryPage),
        ReadingOneOfMine,
    ))]
#[get("/v1/webhooks/{webhook}/deliveries")]
pub async fn list_webhook_deliveries(
    _: Bearer,
    Query(paging): Query<PageQuery>,
    Caller(call): Caller,
    WebhookId(id): WebhookId,
    games: web::Data<Games>,
) -> Result<HttpResponse, Problem> {
    let cursor = paging.cursor()?;
    let page = blocking(&games, move |games| {
        webhooks::deliveries(games, &call, id, cursor, paging.limit())
    });
    Ok(private(HttpResponse::Ok()).json(page.await?))
}

/// Redeliver a delivery
///
/// Sends it again, whatever its status. Needs the scope `play`.
#[utoipa::path(tag = "webhooks", security(("token" = ["play"])),
    params(("webhook" = String, Path, format = Uuid, description = "The id of the webhook"),
        ("delivery" = String, Path, format = Uuid,
            description = "The id of the delivery")),
    responses(
        (status = 202, description = "The delivery, which is sent in the background", body = DeliveryBody),
        SendingDelivery,
    ))]
#[post("/v1/webhooks/{webhook}/deliveries/{delivery}/redelivery")]
pub async fn redeliver(
    path: web::Path<(String, String)>,
    Caller(call): Caller,
    WebhookId(id): WebhookId,
    games: web::Data<Games>,
) -> Result<HttpResponse, Problem> {
    let delivery: Uuid = number("delivery", &path.1)?;
    let delivery = blocking(&games, move |games| {
        webhooks::redeliver(games, &call, id, delivery)
    });
    Ok(private(HttpResponse::Accepted()).json(delivery.await?))
}
