//! Leagues, their events and seasons.

use actix_web::http::header::LOCATION;
use actix_web::{HttpRequest, HttpResponse, get, post, web};

use crate::http::answers::{ChangingLeague, Creating, Listing, ReadingOneOfMine};
use crate::http::limits::gate::charge;
use crate::http::limits::rates::Policy;
use crate::http::page::PageQuery;
use crate::http::problem::Problem;
use crate::http::reply::{blocking, listed};
use crate::http::request::body::Sent;
use crate::http::request::caller::{Bearer, Caller};
use crate::http::request::query::Query;
use crate::leagues::handlers::path::{LeagueId, LeagueRequest};
use crate::leagues::handlers::reply::{created, league_content};
use crate::leagues::model::{LeagueBody, LeagueEventPage, LeaguePage, NewLeague, NewSeason};
use crate::leagues::service::Leagues;

/// Create a league
///
/// The caller's account organizes it (scope `organize`). What happens in it is a log of events, chained by hashes as
/// those of games are; all else follows from these.
#[utoipa::path(tag = "leagues", security(("token" = ["organize"])),
    params(("Idempotency-Key" = Option<String>, Header)),
    request_body(content = NewLeague),
    responses(
        (status = 201, description = "The league", body = LeagueBody, headers(
            ("Location" = String, description = "The league's path"))),
        Creating,
    ))]
#[post("/v1/leagues")]
pub async fn create_league(
    _: Bearer,
    request: HttpRequest,
    Sent { call, body }: Sent<NewLeague>,
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
/// Those that everybody may see, the newest first. Pages are found by `next`, which is also in the `Link` header.
#[utoipa::path(tag = "leagues", params(PageQuery), responses(
    (status = 200, description = "A page of leagues", body = LeaguePage, headers(
        ("Link" = String, description = "The next page"))),
    (status = 304, description = "The caller has it"),
    Listing,
))]
#[get("/v1/leagues")]
pub async fn list_leagues(
    request: HttpRequest,
    Query(asked): Query<PageQuery>,
    leagues: web::Data<Leagues>,
) -> Result<HttpResponse, Problem> {
    let before = asked.cursor()?;
    let page = blocking(&leagues, move |leagues| leagues.list(before, asked.limit())).await?;
    listed(&request, page.next.as_deref(), &page)
}

/// Get a league
///
/// With its organizers, members and seasons. A private league is there for its organizers, its members and who is
/// invited. Its `ETag` begins with the number of its last event: with it, or with that number alone, as `If-Match`
/// nothing happens in a league that has gone on.
#[utoipa::path(tag = "leagues", security((), ("token" = [])), params(("league" = String, Path, format = Uuid)),
    responses(
        (status = 200, description = "The league", body = LeagueBody, headers(
            ("ETag" = String, description = "The last event, with a mark of what else is told"))),
        (status = 304, description = "The caller has it"),
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
/// In order, from the first on. The hash of each is chained to the one before, over the bytes of `text`;
/// `openapi/record-format.md` says how.
#[utoipa::path(tag = "leagues", security((), ("token" = [])),
    params(("league" = String, Path, format = Uuid), PageQuery),
    responses(
        (status = 200, description = "A page of events", body = LeagueEventPage, headers(
            ("Link" = String, description = "The next page"))),
        (status = 304, description = "The caller has it"),
        ReadingOneOfMine,
    ))]
#[get("/v1/leagues/{league}/events")]
pub async fn league_events(
    request: HttpRequest,
    Query(asked): Query<PageQuery>,
    Caller(call): Caller,
    LeagueId(id): LeagueId,
    leagues: web::Data<Leagues>,
) -> Result<HttpResponse, Problem> {
    let behind = asked.cursor()?;
    let page = blocking(&leagues, move |leagues| {
        leagues.events(id, &call, behind, asked.limit())
    })
    .await?;
    listed(&request, page.next.as_deref(), &page)
}

/// Begin a season of a league
///
/// By an organizer (scope `organize`). Tables from now on belong to it; its rules stay.
#[utoipa::path(tag = "leagues", security(("token" = ["organize"])),
    params(("league" = String, Path, format = Uuid), ("If-Match" = Option<String>, Header),
        ("Idempotency-Key" = Option<String>, Header)),
    request_body = NewSeason,
    responses(
        (status = 201, description = "The league", body = LeagueBody, headers(
            ("ETag" = String, description = "The last event of the league, for `If-Match`"))),
        ChangingLeague,
    ))]
#[post("/v1/leagues/{league}/seasons")]
pub async fn begin_season(
    LeagueRequest { id, call, body }: LeagueRequest<NewSeason>,
    leagues: web::Data<Leagues>,
) -> Result<HttpResponse, Problem> {
    let changed = blocking(&leagues, move |leagues| {
        leagues.begin_season(id, &call, &body)
    })
    .await?;
    Ok(created(changed.summary.seq, &changed))
}
