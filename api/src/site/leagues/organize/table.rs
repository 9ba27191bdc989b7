//! A table of a league: its result, and what its players and the officials can do.

use actix_web::{HttpResponse, get, post};
use maud::{Markup, html};
use serde_json::json;

use crate::http::problem::{Code, Problem};
use crate::http::request::path::number;
use crate::http::request::query::Query;
use crate::leagues::event::LeagueRole;
use crate::leagues::league::TableState;
use crate::leagues::log::Until;
use crate::leagues::model::{Correction, LeagueBody, LeagueTableBody, NewDeadline};
use crate::leagues::overview::{LeagueOverview, SeasonOverview};
use crate::leagues::reports::model::{DisputeBody, NewResultReport};
use crate::leagues::seasons::SeasonAt;
use crate::site::accounts::refusal;
use crate::site::leagues::organize::page::{
    DoneQuery, Fields, OrganizerPage, act, member_list, member_named, notice, read, refused, ways,
    with_names,
};
use crate::site::leagues::organize::results::{answer, answer_form, dispute_form, disputed};
use crate::site::leagues::organize::round::end_of_day;
use crate::site::leagues::schedule::sitting;

/// The most disputes that the page reads.
const MOST: usize = 1_000;

/// What the page shows.
struct LeagueTableContent {
    shown: LeagueOverview,
    season: SeasonOverview,
    table: LeagueTableBody,
    disputes: Vec<DisputeBody>,
}

async fn content(page: &OrganizerPage, number: u32) -> Result<LeagueTableContent, Problem> {
    page.run(move |leagues, id, call| {
        let missing = || crate::http::error::ServiceError::NotFound(format!("table {number}"));
        let behind = number.checked_sub(1).ok_or_else(missing)?;
        let found = leagues.tables(id, call, None, Some(behind), 1)?.0.items;
        let table = found.into_iter().next().ok_or_else(missing)?;
        let at = SeasonAt {
            league: id,
            season: Some(table.season),
            until: Until::Now,
        };
        let mut shown = leagues.overview(call, at)?;
        let season = shown.season.take().ok_or_else(missing)?;
        let disputes = leagues.disputes(id, call, None, MOST)?.0.items;
        Ok(LeagueTableContent {
            shown,
            season,
            table,
            disputes: disputes
                .into_iter()
                .filter(|one| one.table == Some(number))
                .collect(),
        })
    })
    .await
}

/// A field for the rank of each seat.
fn ranks(page: &OrganizerPage, table: &LeagueTableBody) -> Markup {
    let texts = page.texts();
    html! {
        @for seat in &table.seats {
            @let name = seat.members.last().map_or("", |member| &member.name);
            label { (texts.format("table-rank-of", [("player", name.into())]))
                input name="rank" type="number" min="1" max="6" required value=[seat.rank]; }
        }
    }
}

/// The forms of the officials.
fn official(page: &OrganizerPage, league: &LeagueBody, table: &LeagueTableBody) -> Markup {
    let texts = page.texts();
    let reason = html! { label { (texts.text("table-reason-optional")) input name="note" maxlength="1000"; } };
    html! {
        section class="panel" aria-labelledby="decide" {
            h2 id="decide" { (texts.text("table-decide")) }
            details {
                summary { (texts.text("table-result")) }
                form method="post" class="fields" {
                    (ranks(page, table)) (reason)
                    (act("decide", texts.text("table-result-do")))
                }
            }
            @if table.state != TableState::Void {
                details {
                    summary { (texts.text("table-void-do")) }
                    form method="post" class="fields" { (reason) (act("void", texts.text("table-void-do"))) }
                }
            }
            details {
                summary { (texts.text("table-substitute")) }
                form method="post" class="fields" {
                    (member_list(league))
                    p class="hint" { (texts.text("table-substitute-hint")) }
                    label { (texts.text("table-seat"))
                        select name="seat" {
                            @for seat in &table.seats {
                                option value=(seat.seat) { (seat.members.last().map_or("", |member| &member.name)) }
                            }
                        }
                    }
                    label { (texts.text("table-new-player")) input name="member" list="member-names" required maxlength="80"; }
                    (reason)
                    (act("substitute", texts.text("table-substitute-do")))
                }
            }
            @if table.state == TableState::Playing {
                details {
                    summary { (texts.text("round-deadline-move")) }
                    form method="post" class="fields" {
                        label { (texts.text("round-deadline")) input name="until" type="date" required; }
                        label { (texts.text("table-reason")) input name="note" required maxlength="1000"; }
                        (act("deadline", texts.text("round-deadline-move")))
                    }
                }
            }
        }
    }
}

async fn shown(
    page: &OrganizerPage,
    number: u32,
    (done, token): (&str, Option<&str>),
    problem: Option<&Problem>,
) -> Result<HttpResponse, Problem> {
    let texts = page.texts();
    let content = content(page, number).await?;
    let (league, table) = (&content.shown.league, &content.table);
    let role = page.role(league);
    let own = page.account().map(|account| account.to_string());
    let mut members = table.seats.iter().flat_map(|seat| &seat.members);
    let plays = members.any(|member| Some(&member.id) == own.as_ref());
    let is_open = matches!(table.state, TableState::Playing | TableState::Abandoned);
    let title = texts.league_table(number);
    let main = html! {
        h1 { (title) }
        (ways(texts, league, role, "/tables"))
        (refusal(texts, with_names(problem, league).as_ref()))
        (notice(texts, problem, done))
        @if let Some(token) = token {
            section class="panel" aria-labelledby="tokens" {
                h2 id="tokens" { (texts.text("round-tokens")) }
                p { (texts.text("round-tokens-once")) }
                p { code { (token) } }
            }
        }
        ul class="sittings" { (sitting(texts, &content.shown, &content.season, table)) }
        @for dispute in &content.disputes {
            section class="panel" {
                (disputed(texts, dispute))
                @if dispute.answer.is_none() && role >= Some(LeagueRole::Referee) && !plays { (answer_form(texts, dispute)) }
            }
        }
        @if plays && !league.archived {
            section class="panel" aria-labelledby="players" {
                h2 id="players" { (texts.text("table-players")) }
                @if is_open {
                    details {
                        summary { (texts.text("result-report")) }
                        form method="post" class="fields" {
                            p class="hint" { (texts.text("table-report-hint")) }
                            (ranks(page, table))
                            label { (texts.text("table-reason-optional")) input name="note" maxlength="1000"; }
                            (act("report", texts.text("result-report")))
                        }
                    }
                }
                (dispute_form(texts, "table", number))
            }
        }
        @if role >= Some(LeagueRole::Referee) && !league.archived { (official(page, league, table)) }
    };
    Ok(page.shown(
        &format!("{title} · {}", league.summary.name),
        &main,
        problem,
    ))
}

/// The page of a table.
#[get("/leagues/{league}/tables/{table}")]
pub async fn table_page(
    page: OrganizerPage,
    Query(query): Query<DoneQuery>,
) -> Result<HttpResponse, Problem> {
    let table = number("table", page.request.match_info().query("table"))?;
    shown(&page, table, (&query.done, None), None).await
}

/// The ranks of a form.
fn given_ranks(fields: &Fields) -> Result<Vec<u8>, Problem> {
    let ranks: Result<Vec<u8>, _> = fields.all("rank").map(str::parse).collect();
    ranks.map_err(|_| Problem::invalid("ranks", "give the rank of each player, from 1"))
}

async fn correct(page: &OrganizerPage, table: u32, correction: Correction) -> Result<(), Problem> {
    let corrected =
        page.run(move |leagues, id, call| leagues.correct_table(id, call, table, &correction));
    corrected.await.map(drop)
}

/// Lets a member take over a seat. Returns the token of the seat if the member has no account.
async fn substitute(
    page: &OrganizerPage,
    table: u32,
    fields: &Fields,
) -> Result<Option<String>, Problem> {
    let league = page.league().await?;
    let correction: Correction = read(
        json!({"type": "replace", "seat": fields.number::<u8>("seat")?.unwrap_or(0),
        "member": member_named(&league, fields.get("member")), "note": fields.given("note")}),
    )?;
    page.run(move |leagues, id, call| leagues.substitute(id, call, table, &correction))
        .await
}

/// Corrects the table, reports its result, moves its deadline, or opens or answers a dispute.
#[post("/leagues/{league}/tables/{table}")]
pub async fn post_table(page: OrganizerPage, fields: Fields) -> Result<HttpResponse, Problem> {
    page.signed_in()?;
    let table: u32 = number("table", page.request.match_info().query("table"))?;
    let mut token = None;
    let outcome = async {
        match fields.get("action") {
            "decide" => {
                let correction = json!({"type": "adjudicate", "ranks": given_ranks(&fields)?,
                    "note": fields.given("note")});
                correct(&page, table, read(correction)?).await
            }
            "void" => {
                let correction = json!({"type": "void", "note": fields.given("note")});
                correct(&page, table, read(correction)?).await
            }
            "substitute" => {
                token = substitute(&page, table, &fields).await?;
                Ok(())
            }
            "deadline" => {
                let new: NewDeadline = read(json!({"table": table,
                    "deadline": end_of_day(fields.given("until")), "note": fields.get("note")}))?;
                let moved =
                    page.run(move |leagues, id, call| leagues.move_deadline(id, call, &new));
                moved.await.map(drop)
            }
            "report" => {
                let new: NewResultReport =
                    read(json!({"table": table, "ranks": given_ranks(&fields)?,
                    "note": fields.given("note")}))?;
                let reported = page.run(move |leagues, id, call| leagues.report(id, call, &new));
                reported.await.map(drop)
            }
            "dispute" | "answer" => answer(&page, &fields).await,
            other => Err(Problem::new(
                Code::InvalidBody,
                format!("there is no action {other:?}"),
            )),
        }
    };
    match refused(outcome.await)? {
        Ok(()) if token.is_none() => Ok(page.to(&format!("/tables/{table}?done=table"))),
        Ok(()) => shown(&page, table, ("table", token.as_deref()), None).await,
        Err(problem) => shown(&page, table, ("", None), Some(&problem)).await,
    }
}
