//! Players: accounts and their tokens.

use actix_web::http::header::LOCATION;
use actix_web::{HttpRequest, HttpResponse, delete, get, patch, post, web};
use serde::Deserialize;
use utoipa::IntoParams;
use uuid::Uuid;

use crate::accounts::model::{
    Issued, Me, NewPlayer, NewToken, PlayerChange, PlayerPage, Registered, TokenList,
};
use crate::accounts::service::Accounts;
use crate::http::answers::{ChangingMine, Deleting, DeletingMe, Listing, ReadingMine, Registering};
use crate::http::limits::gate::charge;
use crate::http::limits::rates::Policy;
use crate::http::page::PageQuery;
use crate::http::problem::Problem;
use crate::http::reply::{blocking, listed, private};
use crate::http::request::body::Sent;
use crate::http::request::caller::{Bearer, Caller};
use crate::http::request::path::number;
use crate::http::request::query::Query;

/// Which players are asked for.
#[derive(Clone, Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct PlayerQuery {
    /// How the handle begins, in capital letters or small ones.
    #[param(example = "di")]
    name: Option<String>,
}

/// Make an account
///
/// The answer shows a token with the scopes `read`, `play`, `organize` and `account`, this once. Where the operator has
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
/// And the token that was sent. Needs the scope `read`.
#[utoipa::path(tag = "players", security(("token" = ["read"])),
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

/// Rename the caller's account
///
/// Its games show the new handle from then on; logs and records name accounts by id only. Needs the scope
/// `account`.
#[utoipa::path(tag = "players", security(("token" = ["account"])),
    request_body = PlayerChange,
    responses(
        (status = 200, description = "The account", body = Me),
        ChangingMine,
    ))]
#[patch("/v1/me")]
pub async fn change_me(
    _: Bearer,
    request: HttpRequest,
    Sent { call, body }: Sent<PlayerChange>,
    accounts: web::Data<Accounts>,
) -> Result<HttpResponse, Problem> {
    charge(&request, Policy::Games)?;
    let me = blocking(&accounts, move |accounts| accounts.rename(&call, &body)).await?;
    Ok(private(HttpResponse::Ok()).json(me))
}

/// Delete the caller's account
///
/// All its tokens are void, it leaves games that have not started, and its handle is replaced by one that nobody
/// chose, everywhere. Its id stays in logs and records, which are signed and never change. Needs the scope
/// `account`. The last organizer of a league in which others play, or something was played, first lets another
/// account organize it.
#[utoipa::path(tag = "players", security(("token" = ["account"])),
    responses((status = 204, description = "It is deleted"), DeletingMe))]
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
/// Pages are found by `next`, which is also in the `Link` header.
#[utoipa::path(tag = "players", params(PlayerQuery, PageQuery), responses(
    (status = 200, description = "A page of players", body = PlayerPage, headers(
        ("Link" = String, description = "The next page"))),
    (status = 304, description = "The caller has it"),
    Listing,
))]
#[get("/v1/players")]
pub async fn list_players(
    request: HttpRequest,
    Query(query): Query<PlayerQuery>,
    Query(asked): Query<PageQuery>,
    accounts: web::Data<Accounts>,
) -> Result<HttpResponse, Problem> {
    let page = blocking(&accounts, move |accounts| {
        let name = query.name.unwrap_or_default();
        accounts.players(&name, asked.cursor.as_deref(), asked.limit())
    })
    .await?;
    listed(&request, page.next.as_deref(), &page)
}

/// List the tokens of the caller's account
///
/// Without their texts, which are kept nowhere. Needs the scope `read`.
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

/// Make another token of the caller's account
///
/// It may be used for no more than the token that is sent, and no longer; so any scope will do. The answer shows it,
/// this once. Revoking the token that is sent revokes the new one too. An account has at most 100.
#[utoipa::path(tag = "players", security(("token" = [])),
    params(("Idempotency-Key" = Option<String>, Header)),
    request_body = NewToken,
    responses(
        (status = 201, description = "The token", body = Issued),
        Registering,
    ))]
#[post("/v1/tokens")]
pub async fn create_token(
    _: Bearer,
    Sent { call, body }: Sent<NewToken>,
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
/// And those created with it, and with those. Any token may revoke itself; to revoke another, a token needs the scope
/// `account` and all scopes of that other one. All nodes refuse them within 2 seconds.
#[utoipa::path(tag = "players", security(("token" = [])),
    params(("token" = String, Path, format = Uuid)),
    responses((status = 204, description = "It is void"), Deleting))]
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
