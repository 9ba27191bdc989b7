//! Members and organizers of leagues.

use actix_web::{HttpResponse, delete, post, put, web};

use crate::games::bodies::NewOrganizer;
use crate::http::answers::{
    AddingMember, AddingOrganizer, ClaimingMember, RemovingMember, RemovingOrganizer, SettingRole,
};
use crate::http::problem::Problem;
use crate::http::reply::{blocking, tagged};
use crate::http::request::caller::Caller;
use crate::leagues::handlers::path::{LeagueId, LeagueRequest};
use crate::leagues::handlers::reply::created;
use crate::leagues::model::{LeagueBody, MemberAccount, NewMember};
use crate::leagues::roles::NewRole;
use crate::leagues::service::Leagues;

/// Add a member to a league
///
/// The caller's own account becomes a member immediately (scope `play`) if the league is open, or if the account is
/// invited or organizes the league. Members agree to play at the tables that organizers create. A member who left can
/// rejoin only by invitation. Organizers (scope `organize`) invite other accounts, and add people without an account by
/// name. An account that has asked to join becomes a member immediately when an organizer adds it.
#[utoipa::path(tag = "leagues", security(("token" = ["play"]), ("token" = ["organize"])),
    params(("league" = String, Path, format = Uuid)),
    request_body(content = NewMember, example = json!({"id": "dido"})),
    responses(
        (status = 201, description = "The league", body = LeagueBody),
        AddingMember,
    ))]
#[post("/v1/leagues/{league}/members")]
pub async fn add_league_member(
    LeagueRequest { id, call, body }: LeagueRequest<NewMember>,
    leagues: web::Data<Leagues>,
) -> Result<HttpResponse, Problem> {
    let changed = blocking(&leagues, move |leagues| {
        leagues.add_member(id, &call, &body)
    })
    .await?;
    Ok(created(changed.summary.seq, &changed))
}

/// Remove a member of a league
///
/// Removes a member, withdraws an invitation, or closes a request to join, by the account itself (scope `play`) or an organizer (scope
/// `organize`). Earlier results count.
#[utoipa::path(tag = "leagues", security(("token" = ["play"]), ("token" = ["organize"])),
    params(("league" = String, Path, format = Uuid),
        ("player" = String, Path, description = "The id or handle of the member", example = "dido")),
    responses(
        (status = 200, description = "The league", body = LeagueBody),
        RemovingMember,
    ))]
#[delete("/v1/leagues/{league}/members/{player}")]
pub async fn remove_league_member(
    path: web::Path<(String, String)>,
    Caller(call): Caller,
    LeagueId(id): LeagueId,
    leagues: web::Data<Leagues>,
) -> Result<HttpResponse, Problem> {
    let (_, member) = path.into_inner();
    let changed = blocking(&leagues, move |leagues| {
        leagues.remove_member(id, &call, &member)
    })
    .await?;
    Ok(tagged(HttpResponse::Ok(), changed.summary.seq).json(changed))
}

/// Give a member of a league an account
///
/// A member without an account becomes an account, with all results, seats and byes. For organizers (scope `organize`). The
/// account must be an active member, so that it has agreed to play. Its own results stay. Both must not have played at the
/// same table. Standings, ratings and statistics follow. The member moves own seats of running games to the account by
/// `POST /v1/me/seats`, with their tokens.
#[utoipa::path(tag = "leagues", security(("token" = ["organize"])),
    params(("league" = String, Path, format = Uuid),
        ("player" = String, Path, description = "The id of the member without an account",
            example = "placeholder:0190b5a8-7c1e-7a3b-9d52-3f6a1c0e4b77")),
    request_body = MemberAccount,
    responses(
        (status = 201, description = "The league", body = LeagueBody),
        ClaimingMember,
    ))]
#[post("/v1/leagues/{league}/members/{player}/account")]
pub async fn claim_league_member(
    path: web::Path<(String, String)>,
    LeagueRequest { id, call, body }: LeagueRequest<MemberAccount>,
    leagues: web::Data<Leagues>,
) -> Result<HttpResponse, Problem> {
    let (_, member) = path.into_inner();
    let changed = blocking(&leagues, move |leagues| {
        leagues.claim_placeholder(id, &call, &member, &body)
    })
    .await?;
    Ok(created(changed.summary.seq, &changed))
}

/// Add an organizer to a league
///
/// For owners (scope `organize`). `PUT …/roles/{player}` gives any role.
#[utoipa::path(tag = "leagues", security(("token" = ["organize"])),
    params(("league" = String, Path, format = Uuid)),
    request_body = NewOrganizer,
    responses(
        (status = 201, description = "The league", body = LeagueBody),
        AddingOrganizer,
    ))]
#[post("/v1/leagues/{league}/organizers")]
pub async fn add_league_organizer(
    LeagueRequest { id, call, body }: LeagueRequest<NewOrganizer>,
    leagues: web::Data<Leagues>,
) -> Result<HttpResponse, Problem> {
    let changed = blocking(&leagues, move |leagues| {
        leagues.add_organizer(id, &call, &body)
    })
    .await?;
    Ok(created(changed.summary.seq, &changed))
}

/// Remove an organizer of a league
///
/// For owners (scope `organize`), and for the organizer itself. The last organizer cannot be removed.
#[utoipa::path(tag = "leagues", security(("token" = ["organize"])),
    params(("league" = String, Path, format = Uuid), ("player" = String, Path)),
    responses(
        (status = 200, description = "The league", body = LeagueBody),
        RemovingOrganizer,
    ))]
#[delete("/v1/leagues/{league}/organizers/{player}")]
pub async fn remove_league_organizer(
    path: web::Path<(String, String)>,
    Caller(call): Caller,
    LeagueId(id): LeagueId,
    leagues: web::Data<Leagues>,
) -> Result<HttpResponse, Problem> {
    let (_, player) = path.into_inner();
    let changed = blocking(&leagues, move |leagues| {
        leagues.remove_organizer(id, &call, &player)
    })
    .await?;
    Ok(tagged(HttpResponse::Ok(), changed.summary.seq).json(changed))
}

/// Set the role of an account in a league
///
/// For owners (scope `organize`); every account may give up its own role. A role is one of `owner`, `organizer`,
/// `referee` and `scorer`, and replaces the earlier one; null withdraws it. A scorer enters results. A referee also
/// corrects tables, moves deadlines and decides disputes. An organizer does everything except roles and deletion.
#[utoipa::path(tag = "leagues", security(("token" = ["organize"])),
    params(("league" = String, Path, format = Uuid), ("player" = String, Path)),
    request_body = NewRole,
    responses(
        (status = 200, description = "The league", body = LeagueBody),
        SettingRole,
    ))]
#[put("/v1/leagues/{league}/roles/{player}")]
pub async fn set_league_role(
    path: web::Path<(String, String)>,
    LeagueRequest { id, call, body }: LeagueRequest<NewRole>,
    leagues: web::Data<Leagues>,
) -> Result<HttpResponse, Problem> {
    let (_, player) = path.into_inner();
    let changed = blocking(&leagues, move |leagues| {
        leagues.change_role(id, &call, &player, &body)
    })
    .await?;
    Ok(tagged(HttpResponse::Ok(), changed.summary.seq).json(changed))
}
