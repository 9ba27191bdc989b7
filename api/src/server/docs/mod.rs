//! The specification: derived from the handlers, completed with what they share and with answers that were really
//! given. Its schemas are shaped by rules that know no names (`shape.rs`), so new types follow them too.
//!
//! - Requests are strict and answers open (`split.rs`): a component of both is two, `Action` and `ActionInput`.
//! - A member that an answer may omit says `nullable = false`. Any other member that can be null is always there.
//! - The document for OpenAPI 3.0 has no choices of objects (`older.rs`), as several generators fail on them.
//! - `tests/http/operations.rs` fails when the committed specification differs from the handlers.

pub mod complete;
#[cfg(test)]
pub mod links;
pub mod older;
pub mod page;
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

use crate::games::bodies::UndoWishNews;
use crate::games::handlers::reader::StreamBegin;
use crate::games::news::PlayerNews;
use crate::http::problem::Problem;
use crate::server::docs::older::older;
use crate::server::routes;
use crate::webhooks::model::WebhookEvent;

#[derive(utoipa::OpenApi)]
#[openapi(
    info(
        title = "Tabularium",
        description = "Referees games of the Antike family and keeps their records. Errors are \
            `application/problem+json` (RFC 9457) with a stable `code`; `errors` lists everything that is wrong with a body or query, by JSON Pointer. Times are RFC 3339 UTC, \
            ids UUIDv7. Unknown fields and parameters in requests are refused, parameters that \
            are given twice, and those that name what is not there, such as a board, a player or a league; unknown fields in answers must be ignored. Bodies can be sent with \
            `Content-Encoding: gzip` or `deflate`, others are 415. Answers are compressed by \
            `Accept-Encoding`; a compressed form has an `ETag` of its own, the plain one with the \
            encoding behind (`\"57-gzip\"`), and `If-Match` and `If-None-Match` take either."
    ),
    servers((url = "/", description = "The service that this document comes from")),
    components(schemas(Problem, analytics::question::Which, analytics::Filters, PlayerNews, StreamBegin,
        UndoWishNews, WebhookEvent)),
    tags(
        (name = "rules", description = "Editions and boards as data"),
        (name = "games", description = "Creating, finding and looking at games"),
        (name = "seats", description = "Who plays"),
        (name = "players", description = "Accounts and their tokens"),
        (name = "ratings", description = "How strong players are"),
        (name = "leagues", description = "Seasons of games: members, tables and standings"),
        (name = "actions", description = "Playing"),
        (name = "events", description = "What happened, as pages and live"),
        (name = "history", description = "Old positions and records"),
        (name = "engine", description = "The engine without a game, for analysis"),
        (name = "webhooks", description = "Being told what happens, by requests that the service sends"),
        (name = "statistics", description = "What finished games tell, as JSON, CSV, Parquet or a picture"),
        (name = "office", description = "Keys that sign records, and checkpoints of the log"),
        (name = "operations", description = "Running the service"),
    )
)]
struct Document;

/// What is said of bearer tokens.
const TOKEN: &str = "A token of an account, which is good everywhere for its scopes, or one of a seat or of the \
    organizer of one game. Tokens are `tabularium_`, 32 random characters of `[0-9A-Za-z]`, and 6 more: the CRC-32 \
    of all before them in base 62 with these digits in this order, zeros in front. So leaked ones are found by \
    `tabularium_[0-9A-Za-z]{38}` and told from other texts by the checksum.\n\nEvery request whose `Authorization` is \
    not a valid bearer token is answered 401, whatever it asks for: a token that is unknown, expired or revoked, a text \
    that is not a token, another scheme such as Basic. Only `/healthz`, `/readyz` and `/metrics` do not look at it. A \
    valid token that lacks the scope that an operation needs, or that belongs to another game, is 403. Revoking a \
    token also revokes the tokens created with it.\n\nScopes: `read` sees what is the account's own, `play` plays its \
    seats, `organize` creates games and does what their organizer may, `account` renames and deletes the account and \
    revokes its tokens, `admin` is everything, and what an organizer may in any game.";

/// The specification as the handlers tell it.
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

/// The specification as it is served: texts, as the tree of its values takes many times their size.
#[derive(Debug)]
pub struct Texts {
    /// In the version of OpenAPI that it is written in.
    pub new: Bytes,
    /// In OpenAPI 3.0.
    pub old: Bytes,
}

/// The specification as it is committed.
const COMMITTED: &str = include_str!("../../../../openapi/openapi.json");

/// The texts that are served; made once in a process.
pub fn texts() -> &'static Texts {
    static TEXTS: LazyLock<Texts> = LazyLock::new(|| {
        let document = whole_or_null();
        Texts {
            old: older(&document).to_string().into(),
            new: document.to_string().into(),
        }
    });
    &TEXTS
}

/// The whole specification; null when it is no JSON. Nobody keeps it, as it is large.
///
/// What is released reads the committed one, which is the same as a test checks: to derive it takes long and a hundred
/// megabytes. What is tested derives it, so that it is never older than the handlers.
pub fn whole_or_null() -> Value {
    let made = match cfg!(debug_assertions) {
        true => make(),
        false => serde_json::from_str(COMMITTED),
    };
    made.unwrap_or_default()
}

fn make() -> Result<serde_json::Value, serde_json::Error> {
    // Actions and effects have names on the wire; what else they may be named by is no schema.
    let text = serde_json::to_string(&document())?.replace("_Names", "");
    let mut document = serde_json::from_str(&text)?;
    complete::complete(&mut document)?;
    document["webhooks"] = json!({"event": {"post": sent_event()}});
    shape::shape(&mut document);
    split::split(&mut document);
    share::share(&mut document);
    Ok(document)
}

/// What the service sends to webhooks, which no handler tells.
fn sent_event() -> Value {
    let header = |name: &str, description: &str| {
        json!({"name": name, "in": "header", "required": true, "description": description,
            "schema": {"type": "string"}})
    };
    json!({
        "tags": ["webhooks"],
        "summary": "What a webhook is told",
        "operationId": "webhook_event",
        "security": [],
        "description": "Sent by the service to the URL of a webhook; see `POST /v1/webhooks`.",
        "parameters": [
            header("webhook-id", "The delivery's id, the same when it comes again"),
            header("webhook-timestamp", "When it was sent, in seconds since 1970"),
            header("webhook-signature", "Signatures as Standard Webhooks says, with a space between"),
        ],
        "requestBody": {"required": true, "content": {"application/json": {
            "schema": {"$ref": "#/components/schemas/WebhookEvent"}}}},
        "responses": {
            "2XX": {"description": "The receiver has it"},
            "410": {"description": "The receiver is gone: the webhook is disabled"},
            "default": {"description": "It is sent again later"}},
    })
}

/// The whole specification as it is committed: JSON with a line feed at the end.
///
/// # Errors
/// When it is no JSON.
pub fn text() -> Result<String, serde_json::Error> {
    Ok(serde_json::to_string_pretty(&make()?)? + "\n")
}
