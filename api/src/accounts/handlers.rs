//! Handlers of accounts and their tokens.

use actix_web::http::header::LOCATION;
use actix_web::{HttpRequest, HttpResponse, delete, get, patch, post, web};
use serde::Deserialize;
use utoipa::IntoParams;
use uuid::Uuid;

use crate::accounts::model::{
    CreatedToken, Me, NewPlayer, NewToken, PlayerChange, PlayerPage, RegisteredPlayer, TokenList,
};
use crate::accounts::service::Accounts;
use crate::http::answers::{
    ChangingMine, CreatingToken, Deleting, DeletingMe, Listing, ReadingMine, Registering,
};
use crate::http::limits::gate::charge;
use crate::http::limits::rates::Policy;
use crate::http::page::PageQuery;
use crate::http::problem::Problem;
use crate::http::reply::{blocking, listed, private};
use crate::http::request::body::JsonRequest;
use crate::http::request::caller::{Bearer, Caller};
use crate::http::request::path::number;
use crate::http::request::query::Query;

/// The filter of a list of players.
#[derive(Clone, Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct PlayerQuery {
    /// The beginning of the handle; case does not matter. If omitted, all players are listed.
    #[param(example = "di")]
    name: Option<String>,
}

/// Create an account
///
/// The response contains a token with the scopes `read`, `play`, `organize` and `account`. It is shown only once, so
/// store it. If the operator has closed registration, the request needs a token with the scope `admin`. 409 if the
/// handle is taken.
#[utoipa::path(tag = "players", security((), ("token" = ["admin"])),
    request_body = NewPlayer,
    responses(
        (status = 201, description = "The account", body = RegisteredPlayer, headers(
            ("Location" = String, description = "The account's path"))),
        Registering,
    ))]
#[post("/v1/players")]
pub async fn register_player(
    request: HttpRequest,
    JsonRequest { call, body }: JsonRequest<NewPlayer>,
    accounts: web::Data<Accounts>,
) -> Result<HttpResponse, Problem> {
    charge(&request, Policy::Games)?;
    let registered = blocking(&accounts, move |accounts| accounts.register(&call, &body)).await?;
    Ok(private(HttpResponse::Created())
        .insert_header((LOCATION, format!("/v1/players/{}", registered.player.id)))
        .json(registered))
}

/// Get the caller's account
///
/// Also returns the token that was sent and the app that received it, or the id of the browser's session. Any token of
/// an account suffices, whatever its scopes.
#[utoipa::path(tag = "players", security(("token" = [])),
    responses(
        (status = 200, description = "The account", body = Me),
        ReadingMine,
    ))]
#[get("/v1/me")]
pub async fn get_me(
    Caller(call): Caller,
    accounts: web::Data<Accounts>,
) -> Result<HttpResponse, Problem> {
    let me = blocking(&accounts, move |accounts| accounts.me(&call)).await?;
    Ok(private(HttpResponse::Ok()).json(me))
}

/// Change the caller's account
///
/// Changes the handle, or says whether a program plays for the account and whether others see its strengths. The account's
/// games show the new handle immediately. Logs and records name accounts only by id. 409 if the handle is taken. Needs the scope `account`.
#[utoipa::path(tag = "players", security(("token" = ["account"])),
    request_body = PlayerChange,
    responses(
        (status = 200, description = "The account", body = Me),
        ChangingMine,
    ))]
#[patch("/v1/me")]
pub async fn update_me(
    _: Bearer,
    request: HttpRequest,
    JsonRequest { call, body }: JsonRequest<PlayerChange>,
    accounts: web::Data<Accounts>,
) -> Result<HttpResponse, Problem> {
    charge(&request, Policy::Games)?;
    let me = blocking(&accounts, move |accounts| accounts.change(&call, &body)).await?;
    Ok(private(HttpResponse::Ok()).json(me))
}

/// Delete the caller's account
///
/// Revokes all tokens, leaves games that have not started, and replaces the handle by `deleted-` and random
/// characters. The id stays in logs and records, which are signed and never change. Needs the scope `account`. 409
/// for the last organizer of a league that has other members or played games: first make another account an
/// organizer.
#[utoipa::path(tag = "players", security(("token" = ["account"])),
    responses((status = 204, description = "The account is deleted"), DeletingMe))]
#[delete("/v1/me")]
pub async fn delete_me(
    Caller(call): Caller,
    accounts: web::Data<Accounts>,
) -> Result<HttpResponse, Problem> {
    blocking(&accounts, move |accounts| accounts.delete(&call)).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// Find players by their handles
///
/// Lists players in the order of their handles. `next` in the response, also in the `Link` header, leads to the next
/// page.
#[utoipa::path(tag = "players", params(PlayerQuery, PageQuery), responses(
    (status = 200, description = "A page of players", body = PlayerPage, headers(
        ("Link" = String, description = "The next page"))),
    (status = 304, description = "The content has not changed since the `ETag` in `If-None-Match`"),
    Listing,
))]
#[get("/v1/players")]
pub async fn list_players(
    request: HttpRequest,
    Query(query): Query<PlayerQuery>,
    Query(page): Query<PageQuery>,
    accounts: web::Data<Accounts>,
) -> Result<HttpResponse, Problem> {
    let page = blocking(&accounts, move |accounts| {
        let name = query.name.unwrap_or_default();
        accounts.players(&name, page.cursor.as_deref(), page.limit())
    })
    .await?;
    listed(&request, page.next.as_deref(), &page)
}

/// List the tokens of the caller's account
///
/// The texts of the tokens are not included; the server does not store them. Tokens of apps are excluded: see
/// `GET /v1/me/apps`. An app receives the tokens that it created itself. Needs the scope `read`.
#[utoipa::path(tag = "players", security(("token" = ["read"])),
    responses(
        (status = 200, description = "The tokens", body = TokenList),
        ReadingMine,
    ))]
#[get("/v1/tokens")]
pub async fn list_tokens(
    Caller(call): Caller,
    accounts: web::Data<Accounts>,
) -> Result<HttpResponse, Problem> {
    let tokens = blocking(&accounts, move |accounts| accounts.tokens(&call)).await?;
    Ok(private(HttpResponse::Ok()).json(tokens))
}

/// Create another token of the caller's account
///
/// The new token can have only scopes of the token that is sent and cannot outlive it. Any scope suffices for this
/// request. The token is shown only once, so store it. Revoking the token that is sent revokes the new one too. A
/// token that a signed-in browser creates lasts until it expires or is revoked. 409 if the account has 100 tokens
/// already.
#[utoipa::path(tag = "players", security(("token" = [])),
    request_body = NewToken,
    responses(
        (status = 201, description = "The token", body = CreatedToken),
        CreatingToken,
    ))]
#[post("/v1/tokens")]
pub async fn create_token(
    _: Bearer,
    JsonRequest { call, body }: JsonRequest<NewToken>,
    accounts: web::Data<Accounts>,
) -> Result<HttpResponse, Problem> {
    let issued = blocking(&accounts, move |accounts| {
        accounts.create_token(&call, &body)
    })
    .await?;
    Ok(private(HttpResponse::Created()).json(issued))
}

/// Revoke a token of the caller's account
///
/// Also revokes all tokens that were created with it, directly or indirectly. Any token may revoke itself. To revoke
/// another one, a token needs the scope `account` and all scopes of that other token. An app can revoke only tokens that
/// it received or created. All nodes refuse the revoked
/// tokens within 2 seconds.
#[utoipa::path(tag = "players", security(("token" = [])),
    params(("token" = String, Path, format = Uuid)),
    responses((status = 204, description = "The token is revoked"), Deleting))]
#[delete("/v1/tokens/{token}")]
pub async fn revoke_token(
    path: web::Path<String>,
    Caller(call): Caller,
    accounts: web::Data<Accounts>,
) -> Result<HttpResponse, Problem> {
    let id: Uuid = number("token", &path)?;
    blocking(&accounts, move |accounts| accounts.revoke_token(&call, id)).await?;
    Ok(HttpResponse::NoContent().finish())
}
