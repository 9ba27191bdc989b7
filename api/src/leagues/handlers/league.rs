//! Leagues, their events and their seasons.

use actix_web::http::header::LOCATION;
use actix_web::{HttpRequest, HttpResponse, get, post, web};

use crate::http::answers::{BeginningSeason, Creating, Listing, ReadingOneOfMine};
use crate::http::limits::gate::charge;
use crate::http::limits::rates::Policy;
use crate::http::page::PageQuery;
use crate::http::problem::Problem;
use crate::http::reply::{blocking, listed};
use crate::http::request::body::JsonRequest;
use crate::http::request::caller::{Bearer, Caller};
use crate::http::request::query::Query;
use crate::leagues::handlers::path::{LeagueId, LeagueRequest};
use crate::leagues::handlers::reply::{created, league_content};
use crate::leagues::model::{LeagueBody, LeagueEventPage, LeaguePage, NewLeague, NewSeason};
use crate::leagues::service::Leagues;

/// Create a league
///
/// The caller's account becomes its organizer (scope `organize`). A league is a log of events, chained by hashes like
/// the logs of games.
#[utoipa::path(tag = "leagues", security(("token" = ["organize"])),
    request_body(content = NewLeague),
    responses(
        (status = 201, description = "The league", body = LeagueBody, headers(
            ("Location" = String, description = "The path of the league"))),
        Creating,
    ))]
#[post("/v1/leagues")]
pub async fn create_league(
    _: Bearer,
    request: HttpRequest,
    JsonRequest { call, body }: JsonRequest<NewLeague>,
    leagues: web::Data<Leagues>,
) -> Result<HttpResponse, Problem> {
    charge(&request, Policy::Games)?;
    let created = blocking(&leagues, move |leagues| leagues.create(&call, &body)).await?;
    Ok(HttpResponse::Created()
        .insert_header((LOCATION, format!("/v1/leagues/{}", created.summary.id)))
        .json(created))
}

/// List leagues
///
/// The public leagues, newest first. `next` is the `cursor` of the next page; the `Link` header has its URL.
#[utoipa::path(tag = "leagues", params(PageQuery), responses(
    (status = 200, description = "A page of leagues", body = LeaguePage, headers(
        ("Link" = String, description = "The next page"))),
    (status = 304, description = "The content has not changed since the `ETag` in `If-None-Match`"),
    Listing,
))]
#[get("/v1/leagues")]
pub async fn list_leagues(
    request: HttpRequest,
    Query(paging): Query<PageQuery>,
    leagues: web::Data<Leagues>,
) -> Result<HttpResponse, Problem> {
    let before = paging.cursor()?;
    let page = blocking(&leagues, move |leagues| {
        leagues.list(before, paging.limit())
    })
    .await?;
    listed(&request, page.next.as_deref(), &page)
}

/// Get a league
///
/// With its organizers, members and seasons. A private league is visible to its organizers, members and invited
/// accounts, and 404 for others. Its `ETag` begins with the number of the last event. Send the `ETag`, or only that
/// number in quotes, as `If-Match`, so that a change is refused if the league has changed meanwhile.
#[utoipa::path(tag = "leagues", security((), ("token" = [])), params(("league" = String, Path, format = Uuid)),
    responses(
        (status = 200, description = "The league", body = LeagueBody, headers(
            ("ETag" = String, description = "The last event and a mark of the content"))),
        (status = 304, description = "The content has not changed since the `ETag` in `If-None-Match`"),
        ReadingOneOfMine,
    ))]
#[get("/v1/leagues/{league}")]
pub async fn get_league(
    request: HttpRequest,
    Caller(call): Caller,
    LeagueId(id): LeagueId,
    leagues: web::Data<Leagues>,
) -> Result<HttpResponse, Problem> {
    let body = blocking(&leagues, move |leagues| leagues.get(id, &call)).await?;
    league_content(&request, body.summary.seq, &body)
}

/// List the events of a league
///
/// In order, from the first. Each hash is chained to the one before and covers the bytes of `text`;
/// `openapi/record-format.md` describes the computation.
#[utoipa::path(tag = "leagues", security((), ("token" = [])),
    params(("league" = String, Path, format = Uuid), PageQuery),
    responses(
        (status = 200, description = "A page of events", body = LeagueEventPage, headers(
            ("Link" = String, description = "The next page"))),
        (status = 304, description = "The content has not changed since the `ETag` in `If-None-Match`"),
        ReadingOneOfMine,
    ))]
#[get("/v1/leagues/{league}/events")]
pub async fn list_league_events(
    request: HttpRequest,
    Query(paging): Query<PageQuery>,
    Caller(call): Caller,
    LeagueId(id): LeagueId,
    leagues: web::Data<Leagues>,
) -> Result<HttpResponse, Problem> {
    let behind = paging.cursor()?;
    let page = blocking(&leagues, move |leagues| {
        leagues.events(id, &call, behind, paging.limit())
    })
    .await?;
    listed(&request, page.next.as_deref(), &page)
}

/// Begin a season of a league
///
/// For organizers (scope `organize`). Later tables belong to the new season. Its rules cannot be changed.
#[utoipa::path(tag = "leagues", security(("token" = ["organize"])),
    params(("league" = String, Path, format = Uuid)),
    request_body = NewSeason,
    responses(
        (status = 201, description = "The league", body = LeagueBody),
        BeginningSeason,
    ))]
#[post("/v1/leagues/{league}/seasons")]
pub async fn begin_league_season(
    LeagueRequest { id, call, body }: LeagueRequest<NewSeason>,
    leagues: web::Data<Leagues>,
) -> Result<HttpResponse, Problem> {
    let changed = blocking(&leagues, move |leagues| {
        leagues.begin_season(id, &call, &body)
    })
    .await?;
    Ok(created(changed.summary.seq, &changed))
}
