//! Handlers of moderation and reports.

use actix_web::{HttpRequest, HttpResponse, get, post, web};
use serde::Deserialize;
use utoipa::IntoParams;

use crate::http::answers::{Moderating, ReadingMine, Reporting};
use crate::http::limits::gate::charge;
use crate::http::limits::rates::Policy;
use crate::http::page::PageQuery;
use crate::http::problem::Problem;
use crate::http::reply::{blocking, linked, private};
use crate::http::request::body::JsonRequest;
use crate::http::request::caller::{Bearer, Caller};
use crate::http::request::query::Query;
use crate::moderation::model::{ActBody, ActPage, NewAct, NewReport, ReportBody, ReportPage};
use crate::moderation::service::Moderation;

/// Moderate an account, a game or a league
///
/// - `suspend_account`: all nodes refuse the tokens of the account within 2 seconds, with 403 and the code
///   `account_suspended`. Its live streams end within 10 seconds, and its webhooks are disabled. Its games and seats
///   stay. `lift_suspension` accepts the tokens again.
/// - `rename_account` changes the handle. `delete_account` deletes the account as `DELETE /v1/me` does.
/// - `hide_texts` removes from answers about a game the names of guests and placeholders, the name of its league, and
///   notes. Its record is then 403 with the code `texts_hidden`, because its signature covers the texts.
///   `show_texts` reverts it.
/// - `close_league`: the league refuses changes with the code `league_closed`, and is not listed. Its games continue.
///   `reopen_league` reverts it.
/// - `resolve_report` marks a report as resolved.
///
/// The answer is the act as the log of acts contains it. Needs the scope `admin`.
#[utoipa::path(tag = "moderation", security(("token" = ["admin"])),
    request_body = NewAct,
    responses(
        (status = 201, description = "The act", body = ActBody),
        Moderating,
    ))]
#[post("/v1/moderation/acts")]
pub async fn moderate(
    _: Bearer,
    JsonRequest { call, body }: JsonRequest<NewAct>,
    moderation: web::Data<Moderation>,
) -> Result<HttpResponse, Problem> {
    let act = blocking(&moderation, move |moderation| moderation.act(&call, &body)).await?;
    Ok(private(HttpResponse::Created()).json(act))
}

/// The filter of the log of acts.
#[derive(Clone, Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ActListQuery {
    /// Only acts on this account, game, league or report, by id.
    #[param(example = "0190b5a8-7c1e-7a3b-9d52-3f6a1c0e4b77")]
    subject: Option<String>,
}

/// List the acts of administrators
///
/// Newest first. Contains the acts of moderation, and as `request` every other request that was allowed only because
/// its sender is an administrator. Needs the scope `admin`.
#[utoipa::path(tag = "moderation", security(("token" = ["admin"])), params(ActListQuery, PageQuery),
    responses(
        (status = 200, description = "A page of the log of acts", body = ActPage, headers(
            ("Link" = String, description = "The next page"))),
        ReadingMine,
    ))]
#[get("/v1/moderation/acts")]
pub async fn list_acts(
    _: Bearer,
    request: HttpRequest,
    Query(query): Query<ActListQuery>,
    Query(paging): Query<PageQuery>,
    Caller(call): Caller,
    moderation: web::Data<Moderation>,
) -> Result<HttpResponse, Problem> {
    let cursor = paging.cursor()?;
    let page = blocking(&moderation, move |moderation| {
        moderation.acts(&call, query.subject.as_deref(), cursor, paging.limit())
    })
    .await?;
    let answer = private(HttpResponse::Ok()).json(&page);
    Ok(linked(&request, page.next.as_deref(), answer))
}

/// Report a name or a text
///
/// Administrators can then act on it. An account can have at most 20 open reports, and one of each subject. Needs the
/// scope `play`.
#[utoipa::path(tag = "moderation", security(("token" = ["play"])),
    request_body = NewReport,
    responses(
        (status = 201, description = "The report", body = ReportBody),
        Reporting,
    ))]
#[post("/v1/reports")]
pub async fn create_report(
    _: Bearer,
    request: HttpRequest,
    JsonRequest { call, body }: JsonRequest<NewReport>,
    moderation: web::Data<Moderation>,
) -> Result<HttpResponse, Problem> {
    charge(&request, Policy::Games)?;
    let report = blocking(&moderation, move |moderation| {
        moderation.report(&call, &body)
    })
    .await?;
    Ok(private(HttpResponse::Created()).json(report))
}

/// The filter of the list of reports.
#[derive(Clone, Copy, Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ReportQuery {
    /// Whether to list only open reports (`true`) or only resolved ones (`false`); all if omitted.
    open: Option<bool>,
}

/// List the reports of players
///
/// Oldest first. Needs the scope `admin`.
#[utoipa::path(tag = "moderation", security(("token" = ["admin"])), params(ReportQuery, PageQuery),
    responses(
        (status = 200, description = "A page of reports", body = ReportPage, headers(
            ("Link" = String, description = "The next page"))),
        ReadingMine,
    ))]
#[get("/v1/reports")]
pub async fn list_reports(
    _: Bearer,
    request: HttpRequest,
    Query(query): Query<ReportQuery>,
    Query(paging): Query<PageQuery>,
    Caller(call): Caller,
    moderation: web::Data<Moderation>,
) -> Result<HttpResponse, Problem> {
    let cursor = paging.cursor()?;
    let page = blocking(&moderation, move |moderation| {
        moderation.reports(&call, query.open, cursor, paging.limit())
    })
    .await?;
    let answer = private(HttpResponse::Ok()).json(&page);
    Ok(linked(&request, page.next.as_deref(), answer))
}
