//! The specification: derived from the handlers, completed with shared parts and examples.
//!
//! General rules shape its schemas (`shape.rs`), so they also apply to new types.
//!
//! - Requests are strict and answers open (`split.rs`): a component of both becomes two, `Action` and `ActionInput`.
//! - A member that an answer may omit has `nullable = false`. Any other member that can be null is always present.
//! - The document for OpenAPI 3.0 has no choices of objects (`older.rs`), because several generators fail on them.
//! - `tests/http/operations.rs` fails when the committed specification differs from the handlers.

pub mod complete;
#[cfg(test)]
pub mod links;
pub mod older;
pub mod serve;
pub mod shape;
pub mod share;
pub mod split;

use std::sync::LazyLock;

use actix_web::App;
use actix_web::web::Bytes;
use serde_json::{Value, json};
use utoipa::OpenApi as _;
use utoipa::openapi::OpenApi;
use utoipa::openapi::schema::Components;
use utoipa::openapi::security::{Http, HttpAuthScheme, SecurityScheme};
use utoipa_actix_web::AppExt;

use crate::games::bodies::UndoRequestChange;
use crate::games::feed::{BiddingChange, ChatChange};
use crate::games::handlers::reader::StreamBegin;
use crate::games::notifications::Notification;
use crate::http::problem::Problem;
use crate::server::docs::older::older;
use crate::server::routes;
use crate::webhooks::model::WebhookEvent;

#[derive(utoipa::OpenApi)]
#[openapi(
    info(
        title = "Tabularium",
        description = "Referees games of the Antike family and keeps their records. Errors are \
            `application/problem+json` (RFC 9457) with a stable `code`; `errors` lists everything that is wrong with a \
            body or query, with JSON Pointers. Times are RFC 3339 in UTC, ids are UUIDv7. Requests are refused if they \
            contain an unknown field or parameter, a parameter twice, or the name of something that does not exist, such as \
            a board, a player or a league. Ignore unknown fields in answers: new ones may be added. Bodies can be sent with \
            `Content-Encoding: gzip` or `deflate`; other encodings are 415. Answers are compressed with `br`, \
            `zstd`, `gzip` or `deflate`, according to `Accept-Encoding`. A compressed answer has its own `ETag`: the uncompressed one with the encoding appended \
            (`\"57-gzip\"`). `If-Match` and `If-None-Match` accept both."
    ),
    servers((url = "/", description = "The service that serves this document")),
    components(schemas(Problem, analytics::question::Inclusion, analytics::Filters, Notification, StreamBegin,
        UndoRequestChange, ChatChange, BiddingChange, WebhookEvent)),
    tags(
        (name = "rules", description = "Editions, boards and rules as data"),
        (name = "games", description = "Create, find and read games"),
        (name = "seats", description = "The players of a game"),
        (name = "players", description = "Accounts, their tokens and sessions"),
        (name = "apps", description = "Apps that ask people for tokens, by OAuth"),
        (name = "ratings", description = "The ratings of players"),
        (name = "leagues", description = "Seasons of games: members, tables and standings"),
        (name = "actions", description = "Play a game"),
        (name = "events", description = "Events of games, as pages and as live streams"),
        (name = "history", description = "Earlier positions, and records"),
        (name = "engine", description = "The rules engine and the analysis, without a game"),
        (name = "webhooks", description = "Notifications of events, by requests that the service sends"),
        (name = "moderation", description = "Reports of players, and acts of administrators"),
        (name = "statistics", description = "Statistics of finished games, as JSON, CSV, Parquet or a picture"),
        (name = "signing", description = "Keys that sign records, and checkpoints of the log"),
        (name = "operations", description = "Health, limits and metrics, for operators"),
    )
)]
struct Document;

/// The description of bearer tokens.
const TOKEN: &str = "A token of an account, which is valid everywhere within its scopes, or a token of a seat or of \
    the organizer of one game. A token is `tabularium_`, 32 random characters of `[0-9A-Za-z]`, and 6 more: the CRC-32 \
    of everything before them, in base 62 with these digits in this order, padded with zeros on the left. So leaked \
    tokens can be found with `tabularium_[0-9A-Za-z]{38}`, and the checksum excludes other texts.\n\nA request whose \
    `Authorization` is not a valid bearer token is always 401: a token that is unknown, expired or revoked, a text that \
    is not a token, another scheme such as Basic. The token of a suspended account is always 403 with the code \
    `account_suspended`. Only `/healthz`, `/readyz` and `/metrics` ignore the header. A valid \
    token that lacks the required scope, or that belongs to another game, is 403. Revoking a token also revokes the \
    tokens created with it. Without `Authorization`, the cookie of a browser that is signed in (`POST /v1/sessions`) \
    counts like a token with the scopes `read`, `play`, `organize` and `account`. An app receives a token by `oauth2`, \
    when a person allows it.\n\nScopes: `read` reads private data of the account, `play` plays its seats, `organize` \
    creates games and acts as the organizer of its own, `account` renames and deletes the account and revokes its \
    tokens, `admin` allows everything, including acting as the organizer of any game.";

/// Derives the specification from the handlers.
pub fn document() -> OpenApi {
    let app = App::new()
        .into_utoipa_app()
        .openapi(Document::openapi())
        .configure(routes::document);
    let (_, mut document) = app.split_for_parts();
    let components = document.components.get_or_insert_with(Components::new);
    let mut token = Http::new(HttpAuthScheme::Bearer);
    token.description = Some(TOKEN.to_owned());
    components.add_security_scheme("token", SecurityScheme::Http(token));
    document
}

/// The specification as it is served: texts, because parsed values need many times the memory.
#[derive(Debug)]
pub struct SpecificationTexts {
    /// In OpenAPI 3.1.
    pub new: Bytes,
    /// In OpenAPI 3.0.
    pub old: Bytes,
}

/// The committed specification.
const COMMITTED: &str = include_str!("../../../../openapi/openapi.json");

/// Returns the texts that are served; created once per process.
pub fn texts() -> &'static SpecificationTexts {
    static TEXTS: LazyLock<SpecificationTexts> = LazyLock::new(|| {
        let document = whole_or_null();
        SpecificationTexts {
            old: older(&document).to_string().into(),
            new: document.to_string().into(),
        }
    });
    &TEXTS
}

/// Returns the specification; null if it cannot be derived or parsed.
/// Do not keep it in memory: it is large.
///
/// Release builds parse the committed file, because deriving takes long and a hundred megabytes. Debug builds derive
/// it, so that tests see the current handlers.
pub fn whole_or_null() -> Value {
    match cfg!(debug_assertions) {
        true => derive(),
        false => serde_json::from_str(COMMITTED),
    }
    .unwrap_or_default()
}

fn derive() -> Result<serde_json::Value, serde_json::Error> {
    // Actions and effects have exactly the names in JSON; schemas of alternative names are not published.
    let text = serde_json::to_string(&document())?.replace("_Names", "");
    let mut document = serde_json::from_str(&text)?;
    complete::complete(&mut document)?;
    document["webhooks"] = json!({"event": {"post": webhook_request()}});
    shape::shape(&mut document);
    split::split(&mut document);
    // Only answers have it: see `complete`.
    let input = &mut document["components"]["schemas"]["SetupInput"]["properties"];
    if let Some(properties) = input.as_object_mut() {
        properties.remove("seed_commitment");
    }
    share::share(&mut document);
    Ok(document)
}

/// Describes the request to a webhook, which has no handler.
fn webhook_request() -> Value {
    let header = |name: &str, description: &str| {
        json!({"name": name, "in": "header", "required": true, "description": description,
            "schema": {"type": "string"}})
    };
    json!({
        "tags": ["webhooks"],
        "summary": "Receive an event",
        "operationId": "webhook_event",
        "security": [],
        "description": "Sent by the service to the URL of a webhook; see `POST /v1/webhooks`.",
        "parameters": [
            header("webhook-id", "The id of the delivery, the same in each attempt"),
            header("webhook-timestamp", "When this attempt was sent, in seconds since 1970"),
            header("webhook-signature", "Signatures of Standard Webhooks, separated by spaces"),
        ],
        "requestBody": {"required": true, "content": {"application/json": {
            "schema": {"$ref": "#/components/schemas/WebhookEvent"}}}},
        "responses": {
            "2XX": {"description": "The receiver has accepted the event"},
            "410": {"description": "The receiver is gone; the service disables the webhook"},
            "default": {"description": "The service sends the event again later"}},
    })
}

/// Returns the specification as it is committed: JSON with a line feed at the end.
///
/// # Errors
/// When it cannot be serialized.
pub fn text() -> Result<String, serde_json::Error> {
    Ok(serde_json::to_string_pretty(&derive()?)? + "\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Generators of clients give no name to a composed type, and name the parameters of an operation `do`
    /// `DoRequest`.
    #[test]
    fn generators_can_name_all_types() {
        let mut document = whole_or_null();
        let ids = shape::operations(&mut document);
        let ids = ids.filter_map(|operation| operation["operationId"].as_str());
        let parameters: Vec<String> = ids.map(|id| shape::capitals(id) + "Request").collect();
        let schemas = &mut document["components"]["schemas"];
        assert!(schemas["SettingsChangedLeagueEvent"].is_object());
        for name in parameters {
            assert!(schemas.get(&name).is_none(), "{name}");
        }
        shape::each_schema(schemas, &mut |schema| {
            assert!(!schema.contains_key("allOf"), "{schema:?}");
        });
    }
}
