//! The specification: derived from the handlers, completed with what they share and with answers
//! that were really given.

mod complete;

use std::collections::BTreeMap;

use actix_web::App;
use utoipa::openapi::example::ExampleBuilder;
use utoipa::openapi::security::{Http, HttpAuthScheme, SecurityScheme};
use utoipa::openapi::{
    ContentBuilder, OpenApi, Ref, RefOr, Response, ResponseBuilder, schema::Components,
};
use utoipa::{IntoResponses, OpenApi as _};
use utoipa_actix_web::AppExt;

use crate::problem::{Code, MEDIA_TYPE, Problem};
use crate::routes;

#[derive(utoipa::OpenApi)]
#[openapi(
    info(
        title = "Tabularium",
        description = "Referees games of the Antike family and keeps their records. Errors are \
            `application/problem+json` (RFC 9457) with a stable `code`. Times are RFC 3339 UTC, \
            ids UUIDv7. Unknown fields in requests are refused; unknown fields in answers must \
            be ignored."
    ),
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
    Ok(document)
}

/// The whole specification as it is committed: JSON with a line feed at the end.
///
/// # Errors
/// Those of [`whole`].
pub fn text() -> Result<String, serde_json::Error> {
    Ok(serde_json::to_string_pretty(&whole()?)? + "\n")
}

/// What can fail in every operation that waits for the store or for a body.
const ANY: &[Code] = &[
    Code::RateLimited,
    Code::Internal,
    Code::Unavailable,
    Code::Overloaded,
];
/// Of every operation, but those that watch over the service.
const GATE: &[Code] = &[Code::RateLimited, Code::Overloaded];
/// Of a body.
const BODY: &[Code] = &[
    Code::MalformedJson,
    Code::TooLarge,
    Code::UnsupportedMediaType,
    Code::InvalidBody,
];
/// Of an idempotency key.
const KEY: &[Code] = &[Code::InvalidBody, Code::Conflict, Code::IdempotencyConflict];
/// Of a token that must belong to the table.
const TOKEN: &[Code] = &[Code::Unauthenticated, Code::Forbidden];
/// Of a change to a game.
const CHANGE: &[Code] = &[
    Code::NotFound,
    Code::GameOver,
    Code::Conflict,
    Code::StaleView,
];
/// Of the rules.
const RULES: &[Code] = &[Code::NotYourTurn, Code::GameOver, Code::IllegalAction];

/// The problems of a kind of operation.
macro_rules! problems {
    ($($(#[$doc:meta])* $name:ident: $($codes:expr),+;)+) => {$(
        $(#[$doc])*
        pub struct $name;

        impl IntoResponses for $name {
            fn responses() -> BTreeMap<String, RefOr<Response>> {
                responses([$(&$codes[..]),+].concat())
            }
        }
    )+};
}

problems! {
    /// Of rendering what is in memory.
    Rendering: [Code::Internal], GATE;
    /// Of looking up what is in memory.
    LookingUp: [Code::NotFound, Code::Internal], GATE;
    /// Of looking up what is in memory as the query says.
    LookingUpAsked: [Code::NotFound, Code::InvalidBody, Code::Internal], GATE;
    /// Of looking up what is in memory in one of several media types.
    LookingUpRendered: [Code::NotFound, Code::NotAcceptable, Code::Internal], GATE;
    /// Of telling how the service is.
    Watching: [Code::Internal, Code::Unavailable];
    /// Of reading what everybody may.
    Showing: ANY;
    /// Of telling what is counted.
    Counting: [Code::Unavailable];
    /// Of reading something of a game.
    Reading: [Code::NotFound], ANY;
    /// Of reading something of a game as the query says.
    Asking: [Code::NotFound, Code::InvalidBody], ANY;
    /// Of reading something of a game in one of several media types.
    Rendered: [Code::NotFound, Code::InvalidBody, Code::NotAcceptable], ANY;
    /// Of reading a list as the query says.
    Listing: [Code::InvalidBody], ANY;
    /// Of reading a list in one of several media types.
    ListingRendered: [Code::InvalidBody, Code::NotAcceptable], ANY;
    /// Of reading what is private to a seat.
    ReadingOwn: [Code::NotFound], TOKEN, ANY;
    /// Of creating a game.
    Creating: BODY, KEY, [Code::Unauthenticated], ANY;
    /// Of claiming a seat.
    Claiming: BODY, KEY, [Code::Unauthenticated], CHANGE, ANY;
    /// Of changing a game with a token and a body.
    Changing: BODY, KEY, TOKEN, CHANGE, ANY;
    /// Of changing a game with a token and without a body.
    ChangingBare: KEY, TOKEN, CHANGE, ANY;
    /// Of acting in a game.
    Acting: BODY, KEY, TOKEN, CHANGE, RULES, [Code::CardDrawn], ANY;
    /// Of judging a position.
    Judging: BODY, ANY;
    /// Of applying actions to a position.
    Applying: BODY, RULES, ANY;
}

/// One answer for each status, with its codes.
fn responses(codes: Vec<Code>) -> BTreeMap<String, RefOr<Response>> {
    let mut by_status: BTreeMap<u16, Vec<Code>> = BTreeMap::new();
    for code in codes {
        let same = by_status.entry(code.status()).or_default();
        if !same.contains(&code) {
            same.push(code);
        }
    }
    by_status
        .into_iter()
        .map(|(status, codes)| {
            let told = codes
                .iter()
                .map(|code| format!("{}: `{}`", code.title(), code.name()));
            let told: Vec<String> = told.collect();
            let examples = codes.iter().map(|code| {
                let problem = Problem::new(*code, code.title());
                let value = serde_json::to_value(problem).ok();
                (code.name(), ExampleBuilder::new().value(value).build())
            });
            let content = ContentBuilder::new()
                .schema(Some(Ref::from_schema_name("Problem")))
                .examples_from_iter(examples)
                .build();
            let response = ResponseBuilder::new()
                .description(told.join("; "))
                .content(MEDIA_TYPE, content)
                .build();
            (status.to_string(), RefOr::T(response))
        })
        .collect()
}
