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
use crate::http::reply::{JSON, blocking, content, tag_of, text, versioned};
use crate::http::request::accept::negotiate;
use crate::http::request::caller::Caller;
use crate::http::request::query::{Query, moment};
use crate::leagues::exchange::sheet::{CSV, Sheet, XLSX, workbook};
use crate::leagues::exchange::standings::{cross_table_sheet, head_to_head_sheet, standings_sheet};
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
/// tie-break is a column, and a name that a spreadsheet would read as a formula has an apostrophe in front. XLSX is a
/// workbook with the standings, the cross table and the head-to-head results of all members. SVG is a picture of the
/// ranks of all members after each round. If rounds have weights or not all results count, `results` explains the points
/// of each member.
#[utoipa::path(tag = "leagues", security((), ("token" = [])),
    params(("league" = String, Path, format = Uuid), StandingsQuery, ThemeQuery),
    responses(
        (status = 200, description = "The standings", content(
            (StandingsBody = "application/json"),
            (String = "text/csv"),
            (Vec<u8> = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
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
    let media_types = [JSON, CSV, SVG, XLSX];
    match media_types[negotiate(&request, &media_types)?] {
        SVG | XLSX if division.is_some() => Err(Problem::invalid_parameter(
            "division",
            "the picture and the workbook have all members: omit `division`",
        )),
        SVG => {
            let rounds =
                blocking(&leagues, move |leagues| leagues.rounds(&call, at, MEMBERS)).await?;
            let picture = charts::curves(&place_curves(&rounds), charts::WIDE, theme);
            Ok(text(&request, SVG, picture))
        }
        XLSX => spreadsheet(&request, &leagues, (call, at), LeagueSheet::Workbook).await,
        kind => {
            let body = blocking(&leagues, move |leagues| {
                leagues.division_standings(&call, at, division)
            })
            .await?;
            match kind {
                CSV => Ok(text(&request, CSV, standings_sheet(&body).csv()?)),
                _ => content(&request, &body),
            }
        }
    }
}

/// A file of a season for spreadsheet programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LeagueSheet {
    /// The standings, as CSV.
    Standings,
    /// The head-to-head results, as CSV.
    HeadToHead,
    /// The cross table, as CSV.
    CrossTable,
    /// All of them, as XLSX.
    Workbook,
}

/// Returns a file of a season for spreadsheet programs.
///
/// # Errors
/// 404 when the caller sees no such season; 422 when `as_of` is in the future.
pub async fn spreadsheet(
    request: &HttpRequest,
    leagues: &web::Data<Leagues>,
    (call, at): (Call, SeasonAt),
    file: LeagueSheet,
) -> Result<HttpResponse, Problem> {
    let (standings, met) =
        blocking(leagues, move |leagues| leagues.season_results(&call, at)).await?;
    let csv = |sheet: Sheet| Ok(text(request, CSV, sheet.csv()?));
    match file {
        LeagueSheet::Standings => csv(standings_sheet(&standings)),
        LeagueSheet::HeadToHead => csv(head_to_head_sheet(&met)),
        LeagueSheet::CrossTable => csv(cross_table_sheet(&standings, &met)),
        LeagueSheet::Workbook => {
            let sheets = [
                standings_sheet(&standings),
                cross_table_sheet(&standings, &met),
                head_to_head_sheet(&met),
            ];
            let contents: Result<Vec<String>, Problem> = sheets.iter().map(Sheet::csv).collect();
            let tag = tag_of(&format!("{XLSX}\n{}", contents?.concat()));
            let bytes = workbook(&sheets, standings.at)?;
            Ok(versioned(request, &tag, XLSX, bytes.into(), "no-cache"))
        }
    }
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
        CSV => spreadsheet(&request, &leagues, (call, at), LeagueSheet::HeadToHead).await,
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

/// Get the cross table of a league
///
/// A row and a column for each member who has played in a season, in the order of the standings, currently or up to
/// `as_of`. A cell is the score of the row's member against the column's member: 1 for each game with a better rank, and
/// 1/2 for an equal rank. Names are written as in the standings. XLSX is the workbook of the standings.
#[utoipa::path(tag = "leagues", security((), ("token" = [])),
    params(("league" = String, Path, format = Uuid), SeasonQuery),
    responses(
        (status = 200, description = "The cross table", content(
            (String = "text/csv"),
            (Vec<u8> = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"))),
        (status = 304, description = "The content has not changed since the `ETag` in `If-None-Match`"),
        ReadingLeagueRendered,
    ))]
#[get("/v1/leagues/{league}/cross-table")]
pub async fn get_league_cross_table(
    request: HttpRequest,
    Query(query): Query<SeasonQuery>,
    Caller(call): Caller,
    LeagueId(id): LeagueId,
    leagues: web::Data<Leagues>,
) -> Result<HttpResponse, Problem> {
    charge(&request, Policy::Expensive)?;
    let at = query.season_at(id)?;
    let files = [LeagueSheet::CrossTable, LeagueSheet::Workbook];
    let file = files[negotiate(&request, &[CSV, XLSX])?];
    spreadsheet(&request, &leagues, (call, at), file).await
}
