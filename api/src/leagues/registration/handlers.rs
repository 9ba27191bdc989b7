//! Settings, registration, the invitation link and deletion of leagues.

use actix_web::{HttpRequest, HttpResponse, delete, get, post, put, web};

use crate::http::answers::{
    ChangingLeague, ClosingSeason, CreatingLink, DeletingLeague, ReadingOneOfMine,
    RegisteringMember, WithdrawingLink,
};
use crate::http::limits::gate::charge;
use crate::http::limits::rates::Policy;
use crate::http::problem::Problem;
use crate::http::reply::{blocking, tagged};
use crate::http::request::caller::Caller;
use crate::http::request::path::number;
use crate::leagues::event::LeagueSettings;
use crate::leagues::handlers::path::{LeagueId, LeagueRequest};
use crate::leagues::handlers::reply::{created, league_content};
use crate::leagues::model::LeagueBody;
use crate::leagues::registration::model::{
    InvitationLink, NewRegistration, RegistrationOutcome, RegistrationsBody,
};
use crate::leagues::service::Leagues;

/// Change the settings of a league
///
/// Replaces the name, the description, who may join, the questions, and whether the league is archived. For organizers
/// (scope `organize`). An archived league can be read but not changed, except that an organizer takes it out of the
/// archive. A league with running games cannot be archived.
#[utoipa::path(tag = "leagues", security(("token" = ["organize"])),
    params(("league" = String, Path, format = Uuid)),
    request_body = LeagueSettings,
    responses(
        (status = 200, description = "The league", body = LeagueBody),
        ChangingLeague,
    ))]
#[put("/v1/leagues/{league}/settings")]
pub async fn change_league_settings(
    LeagueRequest { id, call, body }: LeagueRequest<LeagueSettings>,
    leagues: web::Data<Leagues>,
) -> Result<HttpResponse, Problem> {
    let changed = blocking(&leagues, move |leagues| {
        leagues.change_settings(id, &call, &body)
    })
    .await?;
    Ok(tagged(HttpResponse::Ok(), changed.summary.seq).json(changed))
}

/// Delete a league
///
/// For owners (scope `organize`), while the league has no tables and no other members. A league that was used can be
/// archived. Its events stay in the log of all leagues, whose hashes cover them, but no one can read them.
#[utoipa::path(tag = "leagues", security(("token" = ["organize"])),
    params(("league" = String, Path, format = Uuid)),
    responses((status = 204, description = "The league is deleted"), DeletingLeague))]
#[delete("/v1/leagues/{league}")]
pub async fn delete_league(
    Caller(call): Caller,
    LeagueId(id): LeagueId,
    leagues: web::Data<Leagues>,
) -> Result<HttpResponse, Problem> {
    blocking(&leagues, move |leagues| leagues.delete(id, &call)).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// Close a season of a league
///
/// For organizers (scope `organize`). No table and no result can be added to a closed season; corrections remain
/// possible. Only the current season can be closed, when no game is running and no report waits for an answer.
#[utoipa::path(tag = "leagues", security(("token" = ["organize"])),
    params(("league" = String, Path, format = Uuid), ("season" = u16, Path, description = "The number of the season", minimum = 1)),
    responses(
        (status = 200, description = "The league", body = LeagueBody),
        ClosingSeason,
    ))]
#[post("/v1/leagues/{league}/seasons/{season}/closing")]
pub async fn close_league_season(
    path: web::Path<(String, String)>,
    Caller(call): Caller,
    LeagueId(id): LeagueId,
    leagues: web::Data<Leagues>,
) -> Result<HttpResponse, Problem> {
    let season = number("season", &path.1)?;
    let changed = blocking(&leagues, move |leagues| {
        leagues.close_season(id, &call, season)
    })
    .await?;
    Ok(tagged(HttpResponse::Ok(), changed.summary.seq).json(changed))
}

/// Register for a league
///
/// Answers the questions of a league for the caller's account (scope `play`). The account becomes a member if the
/// league is open, if it is invited, or with the code of the invitation link. If the league has `joining` `approval`,
/// the account asks to join, and an organizer admits it (`POST …/members`) or refuses it (`DELETE …/members/{player}`).
/// Only organizers can read the answers.
#[utoipa::path(tag = "leagues", security(("token" = ["play"])),
    params(("league" = String, Path, format = Uuid)),
    request_body = NewRegistration,
    responses(
        (status = 201, description = "Whether the account is a member", body = RegistrationOutcome),
        RegisteringMember,
    ))]
#[post("/v1/leagues/{league}/registrations")]
pub async fn register_for_league(
    request: HttpRequest,
    LeagueRequest { id, call, body }: LeagueRequest<NewRegistration>,
    leagues: web::Data<Leagues>,
) -> Result<HttpResponse, Problem> {
    charge(&request, Policy::Expensive)?;
    let outcome = blocking(&leagues, move |leagues| leagues.register(id, &call, &body)).await?;
    Ok(created(outcome.seq, &outcome))
}

/// List the registrations for a league
///
/// The requests to join and the answers of members, for organizers (scope `organize`).
#[utoipa::path(tag = "leagues", security(("token" = ["organize"])),
    params(("league" = String, Path, format = Uuid)),
    responses(
        (status = 200, description = "The registrations", body = RegistrationsBody, headers(
            ("ETag" = String, description = "The last event of the league and a mark of the content"))),
        (status = 304, description = "The content has not changed since the `ETag` in `If-None-Match`"),
        ReadingOneOfMine,
    ))]
#[get("/v1/leagues/{league}/registrations")]
pub async fn list_league_registrations(
    request: HttpRequest,
    Caller(call): Caller,
    LeagueId(id): LeagueId,
    leagues: web::Data<Leagues>,
) -> Result<HttpResponse, Problem> {
    let body = blocking(&leagues, move |leagues| leagues.registrations(id, &call)).await?;
    league_content(&request, body.seq, &body)
}

/// Create the invitation link of a league
///
/// For organizers (scope `organize`). Every account that opens the link becomes a member after it has answered the
/// questions, also in a private league. The link is shown only in this answer, and it replaces the earlier link.
#[utoipa::path(tag = "leagues", security(("token" = ["organize"])),
    params(("league" = String, Path, format = Uuid)),
    responses(
        (status = 201, description = "The link", body = InvitationLink),
        CreatingLink,
    ))]
#[post("/v1/leagues/{league}/invitation")]
pub async fn create_league_invitation(
    Caller(call): Caller,
    LeagueId(id): LeagueId,
    leagues: web::Data<Leagues>,
) -> Result<HttpResponse, Problem> {
    let link = blocking(&leagues, move |leagues| leagues.create_link(id, &call)).await?;
    Ok(created(link.seq, &link))
}

/// Withdraw the invitation link of a league
///
/// For organizers (scope `organize`).
#[utoipa::path(tag = "leagues", security(("token" = ["organize"])),
    params(("league" = String, Path, format = Uuid)),
    responses(
        (status = 200, description = "The league", body = LeagueBody),
        WithdrawingLink,
    ))]
#[delete("/v1/leagues/{league}/invitation")]
pub async fn withdraw_league_invitation(
    Caller(call): Caller,
    LeagueId(id): LeagueId,
    leagues: web::Data<Leagues>,
) -> Result<HttpResponse, Problem> {
    let changed = blocking(&leagues, move |leagues| leagues.withdraw_link(id, &call)).await?;
    Ok(tagged(HttpResponse::Ok(), changed.summary.seq).json(changed))
}
