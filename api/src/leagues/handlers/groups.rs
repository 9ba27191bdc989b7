//! Divisions, teams, line-ups and challenges of leagues.

use actix_web::{HttpRequest, HttpResponse, delete, get, post, put, web};

use crate::http::answers::{Challenging, ChangingGroups, ReadingOneOfMine, WithdrawingChallenge};
use crate::http::limits::gate::charge;
use crate::http::limits::rates::Policy;
use crate::http::problem::Problem;
use crate::http::reply::{blocking, content, tagged};
use crate::http::request::caller::Caller;
use crate::http::request::query::Query;
use crate::leagues::group_model::{
    NewChallenge, NewDivisions, NewPlacement, NewTeams, NextDivisions, TeamStandingsBody,
};
use crate::leagues::handlers::path::{LeagueId, LeagueRequest};
use crate::leagues::handlers::reply::{created, league_content};
use crate::leagues::handlers::standings::SeasonQuery;
use crate::leagues::model::{LeagueBody, LineUp};
use crate::leagues::service::Leagues;

/// Set the divisions of a league
///
/// For organizers (scope `organize`). Replaces the divisions of the current season, and how many members move up and
/// down after it. Not possible after the season has a table (409). A division plays among itself: name its number to
/// pair it and for its standings.
#[utoipa::path(tag = "leagues", security(("token" = ["organize"])),
    params(("league" = String, Path, format = Uuid)),
    request_body = NewDivisions,
    responses(
        (status = 200, description = "The league", body = LeagueBody),
        ChangingGroups,
    ))]
#[put("/v1/leagues/{league}/divisions")]
pub async fn set_league_divisions(
    request: HttpRequest,
    LeagueRequest { id, call, body }: LeagueRequest<NewDivisions>,
    leagues: web::Data<Leagues>,
) -> Result<HttpResponse, Problem> {
    charge(&request, Policy::Expensive)?;
    let changed = blocking(&leagues, move |leagues| {
        leagues.set_divisions(id, &call, &body)
    })
    .await?;
    Ok(tagged(HttpResponse::Ok(), changed.summary.seq).json(changed))
}

/// Get the next divisions of a league
///
/// Proposes the divisions of the next season by the standings and the `moves` of the last season that has divisions
/// and tables. Members who have left are omitted, and fewer members go down from their division. Active members without
/// a division are in the last one. Nothing is stored: begin a season, change the proposal as you like, and send it with
/// `PUT`.
#[utoipa::path(tag = "leagues", security((), ("token" = [])),
    params(("league" = String, Path, format = Uuid)),
    responses(
        (status = 200, description = "The divisions", body = NextDivisions),
        (status = 304, description = "The content has not changed since the `ETag` in `If-None-Match`"),
        ReadingOneOfMine,
    ))]
#[get("/v1/leagues/{league}/divisions/next")]
pub async fn get_next_league_divisions(
    request: HttpRequest,
    Caller(call): Caller,
    LeagueId(id): LeagueId,
    leagues: web::Data<Leagues>,
) -> Result<HttpResponse, Problem> {
    charge(&request, Policy::Expensive)?;
    let body = blocking(&leagues, move |leagues| leagues.next_divisions(id, &call)).await?;
    league_content(&request, body.seq, &body)
}

/// Set the teams of a league
///
/// For organizers (scope `organize`). Replaces the teams of the current season and removes its line-ups. Not possible
/// after the season has a table (409). Pairing keeps team-mates apart where that is possible.
#[utoipa::path(tag = "leagues", security(("token" = ["organize"])),
    params(("league" = String, Path, format = Uuid)),
    request_body = NewTeams,
    responses(
        (status = 200, description = "The league", body = LeagueBody),
        ChangingGroups,
    ))]
#[put("/v1/leagues/{league}/teams")]
pub async fn set_league_teams(
    request: HttpRequest,
    LeagueRequest { id, call, body }: LeagueRequest<NewTeams>,
    leagues: web::Data<Leagues>,
) -> Result<HttpResponse, Problem> {
    charge(&request, Policy::Expensive)?;
    let changed = blocking(&leagues, move |leagues| leagues.set_teams(id, &call, &body)).await?;
    Ok(tagged(HttpResponse::Ok(), changed.summary.seq).json(changed))
}

/// Get the standings of the teams of a league
///
/// The points of the members of each team are added up. Teams with equal points are ordered by wins. A season without
/// teams has none (404).
#[utoipa::path(tag = "leagues", security((), ("token" = [])),
    params(("league" = String, Path, format = Uuid), SeasonQuery),
    responses(
        (status = 200, description = "The standings of the teams", body = TeamStandingsBody),
        (status = 304, description = "The content has not changed since the `ETag` in `If-None-Match`"),
        ReadingOneOfMine,
    ))]
#[get("/v1/leagues/{league}/teams/standings")]
pub async fn get_league_team_standings(
    request: HttpRequest,
    Query(query): Query<SeasonQuery>,
    Caller(call): Caller,
    LeagueId(id): LeagueId,
    leagues: web::Data<Leagues>,
) -> Result<HttpResponse, Problem> {
    charge(&request, Policy::Expensive)?;
    let at = query.season_at(id)?;
    let body = blocking(&leagues, move |leagues| leagues.team_standings(&call, at)).await?;
    content(&request, &body)
}

/// Set a line-up of a team
///
/// Names the members of a team who play in a round. For organizers (scope `organize`). All members play if a round has
/// no line-up. Not possible after the team has a table in the round (409).
#[utoipa::path(tag = "leagues", security(("token" = ["organize"])),
    params(("league" = String, Path, format = Uuid)),
    request_body = LineUp,
    responses(
        (status = 200, description = "The league", body = LeagueBody),
        ChangingGroups,
    ))]
#[put("/v1/leagues/{league}/line-ups")]
pub async fn set_league_line_up(
    request: HttpRequest,
    LeagueRequest { id, call, body }: LeagueRequest<LineUp>,
    leagues: web::Data<Leagues>,
) -> Result<HttpResponse, Problem> {
    charge(&request, Policy::Expensive)?;
    let changed = blocking(&leagues, move |leagues| {
        leagues.set_line_up(id, &call, &body)
    })
    .await?;
    Ok(tagged(HttpResponse::Ok(), changed.summary.seq).json(changed))
}

/// Put a member into a division or a team
///
/// For organizers (scope `organize`). A member who joins late is put into a group this way. A member who has a table in
/// the season keeps the division and the team (409).
#[utoipa::path(tag = "leagues", security(("token" = ["organize"])),
    params(("league" = String, Path, format = Uuid),
        ("player" = String, Path, description = "The id or handle of the member", example = "dido")),
    request_body = NewPlacement,
    responses(
        (status = 200, description = "The league", body = LeagueBody),
        ChangingGroups,
    ))]
#[put("/v1/leagues/{league}/members/{player}/placement")]
pub async fn place_league_member(
    request: HttpRequest,
    path: web::Path<(String, String)>,
    LeagueRequest { id, call, body }: LeagueRequest<NewPlacement>,
    leagues: web::Data<Leagues>,
) -> Result<HttpResponse, Problem> {
    charge(&request, Policy::Expensive)?;
    let (_, player) = path.into_inner();
    let changed = blocking(&leagues, move |leagues| {
        leagues.place_member(id, &call, &player, body)
    })
    .await?;
    Ok(tagged(HttpResponse::Ok(), changed.summary.seq).json(changed))
}

/// Challenge a member of a ladder
///
/// A member challenges another one who is at most as many places above as the `reach` of the season (scope `play`).
/// Organizers (scope `organize`) do it for others. Members with a challenge or a running game of the ladder cannot be
/// challenged. The pairing of the season has a table for each challenge. A challenge ends when its table is created or
/// its result is entered.
#[utoipa::path(tag = "leagues", security(("token" = ["play"]), ("token" = ["organize"])),
    params(("league" = String, Path, format = Uuid)),
    request_body = NewChallenge,
    responses(
        (status = 201, description = "The league", body = LeagueBody),
        Challenging,
    ))]
#[post("/v1/leagues/{league}/challenges")]
pub async fn challenge_league_member(
    request: HttpRequest,
    LeagueRequest { id, call, body }: LeagueRequest<NewChallenge>,
    leagues: web::Data<Leagues>,
) -> Result<HttpResponse, Problem> {
    charge(&request, Policy::Expensive)?;
    let changed = blocking(&leagues, move |leagues| leagues.challenge(id, &call, &body)).await?;
    Ok(created(changed.summary.seq, &changed))
}

/// Withdraw a challenge in a ladder
///
/// By the member who challenged (scope `play`) or an organizer (scope `organize`).
#[utoipa::path(tag = "leagues", security(("token" = ["play"]), ("token" = ["organize"])),
    params(("league" = String, Path, format = Uuid),
        ("player" = String, Path, description = "The id or handle of the member", example = "dido")),
    responses(
        (status = 200, description = "The league", body = LeagueBody),
        WithdrawingChallenge,
    ))]
#[delete("/v1/leagues/{league}/challenges/{player}")]
pub async fn withdraw_league_challenge(
    path: web::Path<(String, String)>,
    Caller(call): Caller,
    LeagueId(id): LeagueId,
    leagues: web::Data<Leagues>,
) -> Result<HttpResponse, Problem> {
    let (_, player) = path.into_inner();
    let changed = blocking(&leagues, move |leagues| {
        leagues.withdraw_challenge(id, &call, &player)
    })
    .await?;
    Ok(tagged(HttpResponse::Ok(), changed.summary.seq).json(changed))
}
