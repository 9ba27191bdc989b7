//! Standings and head-to-head results of leagues.

use actix_web::{HttpRequest, HttpResponse, get, web};
use serde::Deserialize;
use utoipa::IntoParams;
use uuid::Uuid;

use crate::content::drawings::{SVG, ThemeQuery, ThemedQuery};
use crate::http::answers::{ReadingLeagueRendered, ReadingOneOfMine};
use crate::http::call::Call;
use crate::http::limits::gate::charge;
use crate::http::limits::rates::Policy;
use crate::http::problem::Problem;
use crate::http::reply::{JSON, blocking, content, text};
use crate::http::request::accept::negotiate;
use crate::http::request::caller::Caller;
use crate::http::request::query::{Query, moment};
use crate::leagues::csv::{CSV, head_to_head_csv, standings_csv};
use crate::leagues::handlers::path::LeagueId;
use crate::leagues::log::Until;
use crate::leagues::model::{BracketBody, HeadToHeadBody, StandingsBody};
use crate::leagues::pictures::{MEMBERS, place_curves};
use crate::leagues::seasons::SeasonAt;
use crate::leagues::service::Leagues;

/// Selects the standings.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct StandingsQuery {
    /// The number of the season, from 1; the current season by default.
    #[param(minimum = 1)]
    season: Option<u16>,
    /// The event or time up to which results are included; the current standings by default.
    /// It is the number of an event of the league, an RFC 3339 time or a date.
    #[param(
        example = "57",
        pattern = "^([0-9]+|[0-9]{4}-[0-9]{2}-[0-9]{2}([ Tt].+)?)$"
    )]
    as_of: Option<String>,
    /// The number of the division, from 1, for its standings; all members by default.
    #[param(minimum = 1)]
    division: Option<u16>,
}

/// Selects a season.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct SeasonQuery {
    /// The number of the season, from 1; the current season by default.
    #[param(minimum = 1)]
    season: Option<u16>,
    /// The event or time up to which results are included; the current state by default.
    /// It is the number of an event of the league, an RFC 3339 time or a date.
    #[param(
        example = "57",
        pattern = "^([0-9]+|[0-9]{4}-[0-9]{2}-[0-9]{2}([ Tt].+)?)$"
    )]
    as_of: Option<String>,
}

fn season_at(league: Uuid, season: Option<u16>, as_of: Option<&str>) -> Result<SeasonAt, Problem> {
    Ok(SeasonAt {
        league,
        season,
        until: until(as_of)?,
    })
}

impl SeasonQuery {
    pub(super) fn season_at(&self, league: Uuid) -> Result<SeasonAt, Problem> {
        season_at(league, self.season, self.as_of.as_deref())
    }
}

/// Parses `as_of`: the number of an event, a time or a date.
///
/// # Errors
/// 422 when it is none of these.
pub fn until(as_of: Option<&str>) -> Result<Until, Problem> {
    match as_of {
        None => Ok(Until::Now),
        Some(text) if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) => {
            let seq = text.parse().map_err(|_| {
                Problem::invalid_parameter(
                    "as_of",
                    "this event number is too large: use the number of an event of the league",
                )
            });
            Ok(Until::Event(seq?))
        }
        Some(text) => Ok(Until::Moment(moment("as_of", text)?)),
    }
}

/// Get the standings of a league
///
/// The current standings of a season, or the standings after an event or at a time, which never change. In CSV, each
/// tie-break is a column, and a name that a spreadsheet would read as a formula has an apostrophe in front. SVG is a
/// picture of the ranks of all members after each round. If rounds have weights or not all results count, `results`
/// explains the points of each member.
#[utoipa::path(tag = "leagues", security((), ("token" = [])),
    params(("league" = String, Path, format = Uuid), StandingsQuery, ThemeQuery),
    responses(
        (status = 200, description = "The standings", content(
            (StandingsBody = "application/json"),
            (String = "text/csv"),
            (String = "image/svg+xml"))),
        (status = 304, description = "The content has not changed since the `ETag` in `If-None-Match`"),
        ReadingLeagueRendered,
    ))]
#[get("/v1/leagues/{league}/standings")]
pub async fn get_league_standings(
    request: HttpRequest,
    ThemedQuery(query, theme): ThemedQuery<StandingsQuery>,
    Caller(call): Caller,
    LeagueId(id): LeagueId,
    leagues: web::Data<Leagues>,
) -> Result<HttpResponse, Problem> {
    charge(&request, Policy::Expensive)?;
    let at = season_at(id, query.season, query.as_of.as_deref())?;
    let division = query.division;
    match [JSON, CSV, SVG][negotiate(&request, &[JSON, CSV, SVG])?] {
        SVG if division.is_some() => Err(Problem::invalid_parameter(
            "division",
            "the picture has all members: omit `division`",
        )),
        SVG => {
            let rounds =
                blocking(&leagues, move |leagues| leagues.rounds(&call, at, MEMBERS)).await?;
            let picture = charts::curves(&place_curves(&rounds), charts::WIDE, theme);
            Ok(text(&request, SVG, picture))
        }
        CSV if division.is_none() => standings_file(&request, &leagues, call, at).await,
        kind => {
            let body = blocking(&leagues, move |leagues| {
                leagues.division_standings(&call, at, division)
            })
            .await?;
            match kind {
                CSV => Ok(text(&request, CSV, standings_csv(&body)?)),
                _ => content(&request, &body),
            }
        }
    }
}

/// Returns the standings as CSV.
///
/// # Errors
/// 404 when the caller sees no such season; 422 when `as_of` is in the future.
pub async fn standings_file(
    request: &HttpRequest,
    leagues: &web::Data<Leagues>,
    call: Call,
    at: SeasonAt,
) -> Result<HttpResponse, Problem> {
    let body = blocking(leagues, move |leagues| leagues.standings(&call, at)).await?;
    Ok(text(request, CSV, standings_csv(&body)?))
}

/// Get the head-to-head results of a league
///
/// Each pair of members who met in a season, currently or up to `as_of`. Names in CSV are written as in the standings.
#[utoipa::path(tag = "leagues", security((), ("token" = [])),
    params(("league" = String, Path, format = Uuid), SeasonQuery),
    responses(
        (status = 200, description = "The pairs", content(
            (HeadToHeadBody = "application/json"),
            (String = "text/csv"))),
        (status = 304, description = "The content has not changed since the `ETag` in `If-None-Match`"),
        ReadingLeagueRendered,
    ))]
#[get("/v1/leagues/{league}/head-to-head")]
pub async fn get_league_head_to_head(
    request: HttpRequest,
    Query(query): Query<SeasonQuery>,
    Caller(call): Caller,
    LeagueId(id): LeagueId,
    leagues: web::Data<Leagues>,
) -> Result<HttpResponse, Problem> {
    charge(&request, Policy::Expensive)?;
    let at = query.season_at(id)?;
    match [JSON, CSV][negotiate(&request, &[JSON, CSV])?] {
        CSV => head_to_head_file(&request, &leagues, call, at).await,
        _ => {
            let body = blocking(&leagues, move |leagues| leagues.head_to_head(&call, at)).await?;
            content(&request, &body)
        }
    }
}

/// Get the bracket of a league
///
/// The matches of a knock-out season or a double elimination by round, currently or up to `as_of`. A season of another
/// format has none (404).
#[utoipa::path(tag = "leagues", security((), ("token" = [])),
    params(("league" = String, Path, format = Uuid), SeasonQuery),
    responses(
        (status = 200, description = "The bracket", body = BracketBody),
        (status = 304, description = "The content has not changed since the `ETag` in `If-None-Match`"),
        ReadingOneOfMine,
    ))]
#[get("/v1/leagues/{league}/bracket")]
pub async fn get_league_bracket(
    request: HttpRequest,
    Query(query): Query<SeasonQuery>,
    Caller(call): Caller,
    LeagueId(id): LeagueId,
    leagues: web::Data<Leagues>,
) -> Result<HttpResponse, Problem> {
    charge(&request, Policy::Expensive)?;
    let at = query.season_at(id)?;
    let body = blocking(&leagues, move |leagues| leagues.bracket(&call, at)).await?;
    content(&request, &body)
}

/// Returns the head-to-head results as CSV.
///
/// # Errors
/// 404 when the caller sees no such season; 422 when `as_of` is in the future.
pub async fn head_to_head_file(
    request: &HttpRequest,
    leagues: &web::Data<Leagues>,
    call: Call,
    at: SeasonAt,
) -> Result<HttpResponse, Problem> {
    let body = blocking(leagues, move |leagues| leagues.head_to_head(&call, at)).await?;
    Ok(text(request, CSV, head_to_head_csv(&body)?))
}
