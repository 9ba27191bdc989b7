//! The problems of each kind of operation, for the specification.

use std::collections::BTreeMap;

use actix_web::http::StatusCode;
use utoipa::IntoResponses;
use utoipa::openapi::example::ExampleBuilder;
use utoipa::openapi::header::HeaderBuilder;
use utoipa::openapi::schema::{ObjectBuilder, Type};
use utoipa::openapi::{ContentBuilder, Ref, RefOr, Response, ResponseBuilder};

use crate::http::problem::{Code, MEDIA_TYPE, Problem};

/// What can fail in every operation that waits for the store or for a body.
const ANY: &[Code] = &[
    Code::Unauthenticated,
    Code::RateLimited,
    Code::Internal,
    Code::Damaged,
    Code::Unavailable,
    Code::ClockWrong,
    Code::Overloaded,
];
/// Of every path.
const METHOD: &[Code] = &[Code::MethodNotAllowed];
/// Of every operation, but those that watch over the service.
const GATE: &[Code] = &[Code::Unauthenticated, Code::RateLimited, Code::Overloaded];
/// Of a query: the specification knows all names that it may have.
const ASKED: &[Code] = &[Code::InvalidBody];
/// Of a body.
const BODY: &[Code] = &[
    Code::MalformedJson,
    Code::TooLarge,
    Code::UnsupportedMediaType,
    Code::InvalidBody,
];
/// Of an idempotency key.
const KEY: &[Code] = &[Code::InvalidBody, Code::Conflict, Code::IdempotencyConflict];
/// Of an idempotency key where an answer may hold a secret.
const SECRET_KEY: &[Code] = &[
    Code::InvalidBody,
    Code::Conflict,
    Code::AlreadyDone,
    Code::IdempotencyConflict,
];
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
                responses([$(&$codes[..],)+ METHOD].concat())
            }
        }
    )+};
}

problems! {
    /// Of telling what is in memory.
    Rendering: ASKED, [Code::Internal], GATE;
    /// Of looking up what is in memory.
    LookingUp: ASKED, [Code::NotFound, Code::Internal], GATE;
    /// Of looking up what is in memory in one of several media types.
    LookingUpRendered: ASKED, [Code::NotFound, Code::NotAcceptable, Code::Internal], GATE;
    /// Of telling what is counted.
    Counting: ASKED, [Code::NotFound, Code::Unavailable];
    /// Of reading something of a game.
    Reading: ASKED, [Code::NotFound], ANY;
    /// Of reading something of a game in one of several media types.
    Rendered: ASKED, [Code::NotFound, Code::NotAcceptable], ANY;
    /// Of telling how the service is.
    Watching: ASKED, [Code::Internal, Code::Unavailable];
    /// Of reading a list.
    Listing: ASKED, ANY;
    /// Of reading a list in one of several media types.
    ListingRendered: ASKED, [Code::NotAcceptable], ANY;
    /// Of answering a measure in one of several media types.
    Measuring: ASKED, [Code::NotAcceptable], ANY;
    /// Of reading what is private to a seat.
    ReadingOwn: ASKED, [Code::NotFound], TOKEN, ANY;
    /// Of creating a game.
    Creating: BODY, SECRET_KEY, TOKEN, ANY;
    /// Of claiming a seat.
    Claiming: BODY, SECRET_KEY, TOKEN, CHANGE, ANY;
    /// Of changing a game with a token and a body.
    Changing: BODY, KEY, TOKEN, CHANGE, ANY;
    /// Of going back.
    Undoing: BODY, KEY, TOKEN, CHANGE, [Code::NothingToUndo], ANY;
    /// Of changing a game with a token and without a body.
    ChangingBare: KEY, TOKEN, CHANGE, ANY;
    /// Of acting in a game.
    Acting: BODY, KEY, TOKEN, CHANGE, RULES, [Code::CardDrawn], ANY;
    /// Of making an account, or a token of one.
    Registering: BODY, SECRET_KEY, TOKEN, ANY;
    /// Of reading what is an account's own.
    ReadingMine: ASKED, TOKEN, ANY;
    /// Of following what is an account's own.
    ReadingMineRendered: ASKED, [Code::NotAcceptable], TOKEN, ANY;
    /// Of changing what is an account's own.
    ChangingMine: BODY, TOKEN, [Code::Conflict], ANY;
    /// Of giving up what is an account's own.
    Deleting: ASKED, TOKEN, [Code::NotFound], ANY;
    /// Of giving up an account.
    DeletingMe: ASKED, TOKEN, [Code::NotFound, Code::Conflict], ANY;
    /// Of reading something of an account's own.
    ReadingOneOfMine: ASKED, [Code::NotFound], TOKEN, ANY;
    /// Of adding something to an account's own.
    AddingMine: BODY, SECRET_KEY, TOKEN, [Code::NotFound], ANY;
    /// Of taking something up for an account.
    TakingUp: BODY, KEY, TOKEN, [Code::NotFound, Code::GameOver], ANY;
    /// Of changing something of an account's own.
    ChangingOneOfMine: BODY, KEY, TOKEN, [Code::NotFound], ANY;
    /// Of changing something of an account's own without a body.
    ChangingOneOfMineBare: KEY, TOKEN, [Code::NotFound, Code::Conflict], ANY;
    /// Of replacing a secret.
    ReplacingSecret: SECRET_KEY, TOKEN, [Code::NotFound, Code::Conflict, Code::GameOver], ANY;
    /// Of reading something of a league in one of several media types.
    ReadingLeagueRendered: ASKED, [Code::NotFound, Code::NotAcceptable], TOKEN, ANY;
    /// Of changing a league.
    ChangingLeague: BODY, KEY, TOKEN, [Code::NotFound, Code::StaleView], ANY;
    /// Of changing a league without a body.
    ChangingLeagueBare: KEY, TOKEN, [Code::NotFound, Code::StaleView], ANY;
    /// Of taking records in.
    TakingIn: [Code::MalformedJson, Code::InvalidBody, Code::TooLarge, Code::UnsupportedMediaType, Code::NotAcceptable,
        Code::Unauthenticated, Code::Forbidden], ANY;
    /// Of judging a position.
    Judging: BODY, ANY;
    /// Of analysing a position.
    Analysing: BODY, TOKEN, [Code::NotFound, Code::GameOver, Code::NotAcceptable], ANY;
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
            let allow = (status == StatusCode::METHOD_NOT_ALLOWED.as_u16()).then(|| {
                let schema = ObjectBuilder::new().schema_type(Type::String);
                let allow = HeaderBuilder::new().schema(Some(schema));
                allow
                    .description(Some("The methods that the path has"))
                    .build()
            });
            let content = ContentBuilder::new()
                .schema(Some(Ref::from_schema_name("Problem")))
                .examples_from_iter(examples)
                .build();
            let response = ResponseBuilder::new()
                .description(told.join("; "))
                .content(MEDIA_TYPE, content);
            let response = match allow {
                Some(allow) => response.header("Allow", allow),
                None => response,
            };
            let response = response.build();
            (status.to_string(), RefOr::T(response))
        })
        .collect()
}
