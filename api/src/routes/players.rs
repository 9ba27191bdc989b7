//! Players: accounts and their tokens.

use actix_web::http::header::{CACHE_CONTROL, LOCATION};
use actix_web::{HttpRequest, HttpResponse, get, post, web};

use crate::answers::{ReadingMine, Registering};
use crate::games::{Games, Me, NewPlayer, Registered};
use crate::limits::{Policy, charge};
use crate::problem::Problem;
use crate::reply::blocking;
use crate::request::{Caller, Sent};

/// What is told to its owner alone.
const PRIVATE: (actix_web::http::header::HeaderName, &str) = (CACHE_CONTROL, "private, no-store");

/// Make an account
///
/// The answer shows a token with the scopes `read`, `play` and `organize`, this once. Where the operator has
/// closed registration, a token with the scope `admin` is needed.
#[utoipa::path(tag = "players", security((), ("token" = ["admin"])),
    params(("Idempotency-Key" = Option<String>, Header)),
    request_body = NewPlayer,
    responses(
        (status = 201, description = "The account", body = Registered, headers(
            ("Location" = String, description = "The account's path"))),
        Registering,
    ))]
#[post("/v1/players")]
pub async fn register(
    request: HttpRequest,
    Sent { call, body }: Sent<NewPlayer>,
    games: web::Data<Games>,
) -> Result<HttpResponse, Problem> {
    charge(&request, Policy::Games)?;
    let registered = blocking(&games, move |games| games.register(&call, &body)).await?;
    Ok(HttpResponse::Created()
        .insert_header((LOCATION, format!("/v1/players/{}", registered.player.id)))
        .insert_header(PRIVATE)
        .json(registered))
}

/// Get the caller's account
///
/// And the token that was sent. Needs the scope `read`.
#[utoipa::path(tag = "players", security(("token" = ["read"])),
    responses(
        (status = 200, description = "The account", body = Me),
        ReadingMine,
    ))]
#[get("/v1/me")]
pub async fn get_me(
    Caller(call): Caller,
    games: web::Data<Games>,
) -> Result<HttpResponse, Problem> {
    let me = blocking(&games, move |games| games.me(&call)).await?;
    Ok(HttpResponse::Ok().insert_header(PRIVATE).json(me))
}
