//! The specification, derived from the handlers.

use std::collections::BTreeMap;

use actix_web::App;
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
    components(schemas(Problem)),
    tags(
        (name = "rules", description = "Editions and boards as data"),
        (name = "games", description = "Creating, finding and looking at games"),
        (name = "seats", description = "Who plays"),
        (name = "actions", description = "Playing"),
        (name = "events", description = "What happened, as pages and live"),
        (name = "history", description = "Old positions and records"),
        (name = "engine", description = "The engine without a game, for analysis"),
        (name = "operations", description = "Running the service"),
    )
)]
struct Document;

/// The specification.
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

/// The specification as it is committed: JSON with a line feed at the end.
///
/// # Errors
/// When it is no JSON, which a test excludes.
pub fn text() -> Result<String, serde_json::Error> {
    Ok(document().to_pretty_json()? + "\n")
}

/// Answers that an operation can give in the same way as others: the problems with these codes.
macro_rules! problems {
    ($($(#[$doc:meta])* $name:ident: $($code:ident),+;)+) => {$(
        $(#[$doc])*
        pub struct $name;

        impl IntoResponses for $name {
            fn responses() -> BTreeMap<String, RefOr<Response>> {
                responses(&[$(Code::$code),+])
            }
        }
    )+};
}

problems! {
    /// Of every operation.
    AnyTime: Internal, Unavailable;
    /// Of operations on something that may not be there.
    OfResource: NotFound;
    /// Of operations with parameters in the query.
    WithQuery: InvalidBody;
    /// Of operations with a body.
    WithBody: MalformedJson, TooLarge, UnsupportedMediaType, InvalidBody,
        IllegalAction, IdempotencyConflict;
    /// Of operations that need a token.
    Authorized: Unauthenticated, Forbidden;
    /// Of operations that depend on where a game stands.
    Guarded: NotYourTurn, GameOver, Conflict, StaleView;
    /// Of operations that apply actions outside a game.
    Played: NotYourTurn, GameOver;
    /// Of operations that take an idempotency key without depending on a game.
    Idempotent: Conflict, IdempotencyConflict;
    /// Of operations that answer in several media types.
    Negotiated: NotAcceptable;
}

/// One answer for each status, with an example for each code.
fn responses(codes: &[Code]) -> BTreeMap<String, RefOr<Response>> {
    let mut by_status: BTreeMap<u16, Vec<Code>> = BTreeMap::new();
    for code in codes {
        by_status.entry(code.status()).or_default().push(*code);
    }
    by_status
        .into_iter()
        .map(|(status, codes)| {
            let names: Vec<String> = codes
                .iter()
                .map(|code| format!("`{}`", code.name()))
                .collect();
            let example = Problem::new(codes[0], codes[0].title());
            let content = ContentBuilder::new()
                .schema(Some(Ref::from_schema_name("Problem")))
                .example(serde_json::to_value(example).ok())
                .build();
            let response = ResponseBuilder::new()
                .description(format!("{}: {}", codes[0].title(), names.join(", ")))
                .content(MEDIA_TYPE, content)
                .build();
            (status.to_string(), RefOr::T(response))
        })
        .collect()
}
