//! The specification: derived from the handlers, completed with what they share and with answers
//! that were really given.

mod complete;
mod older;
pub mod page;
mod shape;
mod share;

use actix_web::App;
use utoipa::OpenApi as _;
use utoipa::openapi::OpenApi;
use utoipa::openapi::schema::Components;
use utoipa::openapi::security::{Http, HttpAuthScheme, SecurityScheme};
use utoipa_actix_web::AppExt;

use crate::problem::Problem;
use crate::routes;

#[derive(utoipa::OpenApi)]
#[openapi(
    info(
        title = "Tabularium",
        description = "Referees games of the Antike family and keeps their records. Errors are \
            `application/problem+json` (RFC 9457) with a stable `code`. Times are RFC 3339 UTC, \
            ids UUIDv7. Unknown fields and parameters in requests are refused, and parameters that \
            are given twice; unknown fields in answers must be ignored. Bodies can be sent with \
            `Content-Encoding: gzip` or `deflate`, others are 415. Answers are compressed by \
            `Accept-Encoding`; a compressed form has an `ETag` of its own, the plain one with the \
            encoding behind (`\"57-gzip\"`), and `If-Match` and `If-None-Match` take either."
    ),
    servers((url = "/", description = "The service that this document comes from")),
    components(schemas(Problem, analytics::filters::Which, analytics::Filters)),
    tags(
        (name = "rules", description = "Editions and boards as data"),
        (name = "games", description = "Creating, finding and looking at games"),
        (name = "seats", description = "Who plays"),
        (name = "actions", description = "Playing"),
        (name = "events", description = "What happened, as pages and live"),
        (name = "history", description = "Old positions and records"),
        (name = "engine", description = "The engine without a game, for analysis"),
        (name = "statistics", description = "What finished games tell, as JSON, CSV or Parquet"),
        (name = "office", description = "Keys that sign records, and checkpoints of the log"),
        (name = "operations", description = "Running the service"),
    )
)]
struct Document;

/// The specification as the handlers tell it.
pub fn document() -> OpenApi {
    let app = App::new()
        .into_utoipa_app()
        .openapi(Document::openapi())
        .configure(routes::configure);
    let (_, mut document) = app.split_for_parts();
    let components = document.components.get_or_insert_with(Components::new);
    let token = SecurityScheme::Http(Http::new(HttpAuthScheme::Bearer));
    components.add_security_scheme("token", token);
    document
}

/// The whole specification, as it is served.
///
/// # Errors
/// When it or its examples are no JSON, which a test excludes.
pub fn whole() -> Result<serde_json::Value, serde_json::Error> {
    // Actions and effects have names on the wire; what else they may be named by is no schema.
    let text = serde_json::to_string(&document())?.replace("_Names", "");
    let mut document = serde_json::from_str(&text)?;
    complete::complete(&mut document)?;
    shape::shape(&mut document);
    share::share(&mut document);
    Ok(document)
}

pub use older::older;

/// The whole specification as it is committed: JSON with a line feed at the end.
///
/// # Errors
/// Those of [`whole`].
pub fn text() -> Result<String, serde_json::Error> {
    Ok(serde_json::to_string_pretty(&whole()?)? + "\n")
}
