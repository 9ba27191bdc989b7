//! Reports of results, and disputes.

use actix_web::{HttpRequest, HttpResponse, get, post, web};

use crate::http::answers::{
    AnsweringDispute, AnsweringReport, Disputing, ReadingOneOfMine, ReportingResult,
};
use crate::http::limits::gate::charge;
use crate::http::limits::rates::Policy;
use crate::http::page::PageQuery;
use crate::http::problem::Problem;
use crate::http::reply::{blocking, linked};
use crate::http::request::caller::Caller;
use crate::http::request::path::number;
use crate::http::request::query::Query;
use crate::leagues::handlers::path::{LeagueId, LeagueRequest};
use crate::leagues::handlers::reply::{created, league_content};
use crate::leagues::handlers::tables::check_result;
use crate::leagues::reports::model::{
    ChangedDispute, ChangedReport, DisputeAnswer, DisputePage, NewDispute, NewResultReport,
    ReportAnswer, ResultReportPage,
};
use crate::leagues::service::Leagues;

/// Report a result in a league
///
/// A member (scope `play`) reports the result of an over-the-board game at which the member played: of a table of the
/// league whose game was played on a real board (`table` and `ranks`), or of another game (`result`). It counts when
/// another player of the table confirms it, or when an official of the league accepts it. A result that a player
/// confirmed does not count for ratings.
#[utoipa::path(tag = "leagues", security(("token" = ["play"])),
    params(("league" = String, Path, format = Uuid)),
    request_body = NewResultReport,
    responses(
        (status = 201, description = "The report", body = ChangedReport),
        ReportingResult,
    ))]
#[post("/v1/leagues/{league}/reports")]
pub async fn report_league_result(
    request: HttpRequest,
    LeagueRequest { id, call, body }: LeagueRequest<NewResultReport>,
    leagues: web::Data<Leagues>,
) -> Result<HttpResponse, Problem> {
    charge(&request, Policy::Expensive)?;
    if let Some(result) = &body.result {
        check_result(leagues.games.library(), result)?;
    }
    let changed = blocking(&leagues, move |leagues| leagues.report(id, &call, &body)).await?;
    Ok(created(changed.seq, &changed))
}

/// List the reports of a league
///
/// In the order in which they were made, with their state.
#[utoipa::path(tag = "leagues", security((), ("token" = [])),
    params(("league" = String, Path, format = Uuid), PageQuery),
    responses(
        (status = 200, description = "A page of reports", body = ResultReportPage, headers(
            ("Link" = String, description = "The next page"),
            ("ETag" = String, description = "The last event of the league and a mark of the content"))),
        (status = 304, description = "The content has not changed since the `ETag` in `If-None-Match`"),
        ReadingOneOfMine,
    ))]
#[get("/v1/leagues/{league}/reports")]
pub async fn list_league_reports(
    request: HttpRequest,
    Query(paging): Query<PageQuery>,
    Caller(call): Caller,
    LeagueId(id): LeagueId,
    leagues: web::Data<Leagues>,
) -> Result<HttpResponse, Problem> {
    let behind = paging.cursor()?;
    let page = blocking(&leagues, move |leagues| {
        leagues.reports(id, &call, behind, paging.limit())
    });
    let (page, seq) = page.await?;
    let response = league_content(&request, seq, &page)?;
    Ok(linked(&request, page.next.as_deref(), response))
}

/// Answer a report of a result
///
/// With `accept`, another player of the table confirms the report (scope `play`), or a scorer, referee or organizer
/// accepts it (scope `organize`): the result counts. Without it, the reporter withdraws the report, or an official
/// rejects it. A disputed report is answered by a referee or organizer who does not play at the table, with a `note`
/// that also answers the dispute.
#[utoipa::path(tag = "leagues", security(("token" = ["play"]), ("token" = ["organize"])),
    params(("league" = String, Path, format = Uuid), ("report" = u32, Path, description = "The number of the report", minimum = 1)),
    request_body = ReportAnswer,
    responses(
        (status = 201, description = "The report", body = ChangedReport),
        AnsweringReport,
    ))]
#[post("/v1/leagues/{league}/reports/{report}/answer")]
pub async fn answer_league_report(
    path: web::Path<(String, String)>,
    LeagueRequest { id, call, body }: LeagueRequest<ReportAnswer>,
    leagues: web::Data<Leagues>,
) -> Result<HttpResponse, Problem> {
    let report = number("report", &path.1)?;
    let changed = blocking(&leagues, move |leagues| {
        leagues.answer_report(id, &call, report, &body)
    })
    .await?;
    Ok(created(changed.seq, &changed))
}

/// Dispute a result in a league
///
/// A player of the table (scope `play`) disputes a report or the result of a table, with a text. The log and the page of
/// the league show it. A referee or organizer answers.
#[utoipa::path(tag = "leagues", security(("token" = ["play"])),
    params(("league" = String, Path, format = Uuid)),
    request_body = NewDispute,
    responses(
        (status = 201, description = "The dispute", body = ChangedDispute),
        Disputing,
    ))]
#[post("/v1/leagues/{league}/disputes")]
pub async fn dispute_league_result(
    LeagueRequest { id, call, body }: LeagueRequest<NewDispute>,
    leagues: web::Data<Leagues>,
) -> Result<HttpResponse, Problem> {
    let changed = blocking(&leagues, move |leagues| leagues.dispute(id, &call, &body)).await?;
    Ok(created(changed.seq, &changed))
}

/// List the disputes of a league
///
/// In the order in which they were opened, with their answers.
#[utoipa::path(tag = "leagues", security((), ("token" = [])),
    params(("league" = String, Path, format = Uuid), PageQuery),
    responses(
        (status = 200, description = "A page of disputes", body = DisputePage, headers(
            ("Link" = String, description = "The next page"),
            ("ETag" = String, description = "The last event of the league and a mark of the content"))),
        (status = 304, description = "The content has not changed since the `ETag` in `If-None-Match`"),
        ReadingOneOfMine,
    ))]
#[get("/v1/leagues/{league}/disputes")]
pub async fn list_league_disputes(
    request: HttpRequest,
    Query(paging): Query<PageQuery>,
    Caller(call): Caller,
    LeagueId(id): LeagueId,
    leagues: web::Data<Leagues>,
) -> Result<HttpResponse, Problem> {
    let behind = paging.cursor()?;
    let page = blocking(&leagues, move |leagues| {
        leagues.disputes(id, &call, behind, paging.limit())
    });
    let (page, seq) = page.await?;
    let response = league_content(&request, seq, &page)?;
    Ok(linked(&request, page.next.as_deref(), response))
}

/// Answer a dispute in a league
///
/// For referees and organizers who do not play at the table (scope `organize`). Correct the table first if the dispute
/// is right. A dispute about a report is answered by accepting or rejecting the report.
#[utoipa::path(tag = "leagues", security(("token" = ["organize"])),
    params(("league" = String, Path, format = Uuid), ("dispute" = u32, Path, description = "The number of the dispute", minimum = 1)),
    request_body = DisputeAnswer,
    responses(
        (status = 201, description = "The dispute", body = ChangedDispute),
        AnsweringDispute,
    ))]
#[post("/v1/leagues/{league}/disputes/{dispute}/answer")]
pub async fn answer_league_dispute(
    path: web::Path<(String, String)>,
    LeagueRequest { id, call, body }: LeagueRequest<DisputeAnswer>,
    leagues: web::Data<Leagues>,
) -> Result<HttpResponse, Problem> {
    let dispute = number("dispute", &path.1)?;
    let changed = blocking(&leagues, move |leagues| {
        leagues.answer_dispute(id, &call, dispute, &body)
    })
    .await?;
    Ok(created(changed.seq, &changed))
}
