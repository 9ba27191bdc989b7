//! Pauses, holidays and used time of leagues.

use actix_web::{HttpRequest, HttpResponse, delete, get, post, web};

use crate::http::answers::{EndingHoliday, Pausing, ReadingOneOfMine};
use crate::http::limits::gate::charge;
use crate::http::limits::rates::Policy;
use crate::http::problem::Problem;
use crate::http::reply::{blocking, content, tagged};
use crate::http::request::caller::Caller;
use crate::http::request::query::Query;
use crate::leagues::handlers::path::{LeagueId, LeagueRequest};
use crate::leagues::handlers::reply::{created, league_content};
use crate::leagues::handlers::standings::SeasonQuery;
use crate::leagues::pause_model::{NewHoliday, NewPause, PauseEnd, PausesBody, TimesBody};
use crate::leagues::service::Leagues;

/// Pause the clocks of a league
///
/// The clocks of the games stand still: of the league, of the running tables of a round, or of one table. For organizers
/// (scope `organize`). Players may still move. The pause ends at `until`, or when an organizer ends it. To give players
/// more time, pause their table until the time that they need. Games that begin during a pause of the league are paused
/// too.
#[utoipa::path(tag = "leagues", security(("token" = ["organize"])),
    params(("league" = String, Path, format = Uuid)),
    request_body = NewPause,
    responses(
        (status = 201, description = "The pauses and holidays", body = PausesBody),
        Pausing,
    ))]
#[post("/v1/leagues/{league}/pauses")]
pub async fn pause_league(
    request: HttpRequest,
    LeagueRequest { id, call, body }: LeagueRequest<NewPause>,
    leagues: web::Data<Leagues>,
) -> Result<HttpResponse, Problem> {
    charge(&request, Policy::Expensive)?;
    let changed = blocking(&leagues, move |leagues| leagues.pause(id, &call, &body)).await?;
    Ok(created(changed.seq, &changed))
}

/// End a pause of a league
///
/// The clocks run on: of the league, of the paused tables of a round, or of one table. For organizers (scope
/// `organize`). A pause of a table goes on when a pause of the league ends.
#[utoipa::path(tag = "leagues", security(("token" = ["organize"])),
    params(("league" = String, Path, format = Uuid)),
    request_body = PauseEnd,
    responses(
        (status = 201, description = "The pauses and holidays", body = PausesBody),
        Pausing,
    ))]
#[post("/v1/leagues/{league}/pauses/end")]
pub async fn end_league_pause(
    request: HttpRequest,
    LeagueRequest { id, call, body }: LeagueRequest<PauseEnd>,
    leagues: web::Data<Leagues>,
) -> Result<HttpResponse, Problem> {
    charge(&request, Policy::Expensive)?;
    let changed = blocking(&leagues, move |leagues| leagues.end_pause(id, &call, &body)).await?;
    Ok(created(changed.seq, &changed))
}

/// List the pauses and holidays of a league
///
/// All pauses of the clocks and all holidays of members, in the order of the log.
#[utoipa::path(tag = "leagues", security((), ("token" = [])),
    params(("league" = String, Path, format = Uuid)),
    responses(
        (status = 200, description = "The pauses and holidays", body = PausesBody),
        (status = 304, description = "The content has not changed since the `ETag` in `If-None-Match`"),
        ReadingOneOfMine,
    ))]
#[get("/v1/leagues/{league}/pauses")]
pub async fn list_league_pauses(
    request: HttpRequest,
    Caller(call): Caller,
    LeagueId(id): LeagueId,
    leagues: web::Data<Leagues>,
) -> Result<HttpResponse, Problem> {
    let body = blocking(&leagues, move |leagues| leagues.pauses(id, &call)).await?;
    league_content(&request, body.seq, &body)
}

/// Take a holiday in a league
///
/// The clock of the member stands still in the games of the league. A member takes it at least 12 hours ahead (scope
/// `play`). Organizers (scope `organize`) enter it for others, from now on. The rules of the season say how many days
/// each member has (`holiday_days`).
#[utoipa::path(tag = "leagues", security(("token" = ["play"]), ("token" = ["organize"])),
    params(("league" = String, Path, format = Uuid)),
    request_body = NewHoliday,
    responses(
        (status = 201, description = "The pauses and holidays", body = PausesBody),
        Pausing,
    ))]
#[post("/v1/leagues/{league}/holidays")]
pub async fn take_league_holiday(
    request: HttpRequest,
    LeagueRequest { id, call, body }: LeagueRequest<NewHoliday>,
    leagues: web::Data<Leagues>,
) -> Result<HttpResponse, Problem> {
    charge(&request, Policy::Expensive)?;
    let changed = blocking(&leagues, move |leagues| {
        leagues.take_holiday(id, &call, &body)
    })
    .await?;
    Ok(created(changed.seq, &changed))
}

/// End a holiday in a league
///
/// Ends the current holiday of a member, or removes the next one, by the member (scope `play`) or an organizer (scope
/// `organize`). The days that are left can be used again.
#[utoipa::path(tag = "leagues", security(("token" = ["play"]), ("token" = ["organize"])),
    params(("league" = String, Path, format = Uuid),
        ("player" = String, Path, description = "The id or handle of the member", example = "dido")),
    responses(
        (status = 200, description = "The pauses and holidays", body = PausesBody),
        EndingHoliday,
    ))]
#[delete("/v1/leagues/{league}/holidays/{player}")]
pub async fn end_league_holiday(
    request: HttpRequest,
    path: web::Path<(String, String)>,
    Caller(call): Caller,
    LeagueId(id): LeagueId,
    leagues: web::Data<Leagues>,
) -> Result<HttpResponse, Problem> {
    charge(&request, Policy::Expensive)?;
    let (_, player) = path.into_inner();
    let changed = blocking(&leagues, move |leagues| {
        leagues.end_holiday(id, &call, &player)
    })
    .await?;
    Ok(tagged(HttpResponse::Ok(), changed.seq).json(changed))
}

/// List the time that members have used
///
/// For each member of a season: how often its games on this server waited for the member, how long, and since when they
/// wait now. Pauses and holidays do not count. The slowest member is first. At most the last 400 games are read.
#[utoipa::path(tag = "leagues", security((), ("token" = [])),
    params(("league" = String, Path, format = Uuid), SeasonQuery),
    responses(
        (status = 200, description = "The times", body = TimesBody),
        (status = 304, description = "The content has not changed since the `ETag` in `If-None-Match`"),
        ReadingOneOfMine,
    ))]
#[get("/v1/leagues/{league}/times")]
pub async fn list_league_times(
    request: HttpRequest,
    Query(query): Query<SeasonQuery>,
    Caller(call): Caller,
    LeagueId(id): LeagueId,
    leagues: web::Data<Leagues>,
) -> Result<HttpResponse, Problem> {
    charge(&request, Policy::Expensive)?;
    let at = query.season_at(id)?;
    let body = blocking(&leagues, move |leagues| leagues.times(&call, at)).await?;
    content(&request, &body)
}
