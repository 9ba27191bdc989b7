//! Results: entering and reporting them, answering reports, and disputes.

use actix_web::{HttpResponse, get, post};
use maud::{Markup, html};
use serde_json::{Value, json};

use crate::http::problem::Problem;
use crate::http::request::query::Query;
use crate::leagues::event::LeagueRole;
use crate::leagues::handlers::tables::check_result;
use crate::leagues::league::ReportState;
use crate::leagues::model::{LeagueBody, NewResult};
use crate::leagues::reports::model::{
    DisputeAnswer, DisputeBody, NewDispute, NewResultReport, ReportAnswer, ResultReportBody,
};
use crate::site::accounts::refusal;
use crate::site::frame::time;
use crate::site::leagues::links::named;
use crate::site::leagues::organize::page::{
    DoneQuery, Fields, OrganizerPage, act, member_list, member_named, notice, read, refused, ways,
    with_names,
};
use crate::site::leagues::organize::round::edition_of;
use crate::site::texts::Texts;

/// The number of seats of the form.
const SEATS: usize = 6;

/// The most reports and disputes that the page reads.
const MOST: usize = 1_000;

/// The reports and disputes of a league.
struct ResultsContent {
    reports: Vec<ResultReportBody>,
    disputes: Vec<DisputeBody>,
}

/// A text in plain words for the state of a report.
fn state(texts: Texts, state: ReportState) -> &'static str {
    match state {
        ReportState::Open => texts.text("report-open"),
        ReportState::Disputed => texts.text("report-disputed"),
        ReportState::Accepted => texts.text("report-accepted"),
        ReportState::Rejected => texts.text("report-rejected"),
    }
}

/// The players of a report with their ranks.
fn players(texts: Texts, report: &ResultReportBody) -> Markup {
    html! {
        ul class="sits" {
            @for seat in &report.seats {
                li class=[(seat.rank == 1).then_some("winner")] {
                    span class="who" { (named(&seat.member)) }
                    span class="nations" { @for nation in &seat.nations { (texts.nation(nation)) " " } }
                    span class="rank" { (texts.place(seat.rank)) }
                    span {}
                }
            }
        }
    }
}

fn report(
    page: &OrganizerPage,
    role: Option<LeagueRole>,
    one: &ResultReportBody,
    disputes: &[DisputeBody],
) -> Markup {
    let texts = page.texts();
    let own = page.account().map(|account| account.to_string());
    let is_reporter = own.as_ref() == Some(&one.by.id);
    let plays = one
        .seats
        .iter()
        .any(|seat| Some(&seat.member.id) == own.as_ref());
    let is_open = one.state.is_open();
    let decides = match one.state {
        ReportState::Open => role >= Some(LeagueRole::Scorer),
        ReportState::Disputed => role >= Some(LeagueRole::Referee) && !plays,
        _ => false,
    };
    let confirms = plays && !is_reporter && one.state == ReportState::Open;
    let number = texts.format("report-number", [("number", one.report.into())]);
    html! {
        li class="entry" id={ "report-" (one.report) } {
            div class="about" {
                b { (number) }
                @if let Some(table) = one.table { " " a href={ "/leagues/" (page.id) "/tables/" (table) } { (texts.league_table(table)) } }
                " " span class="state" { (state(texts, one.state)) }
            }
            (players(texts, one))
            p class="hint" { (texts.text("report-by")) " " (named(&one.by)) " · " (time(texts, one.at)) }
            @if let Some(note) = &one.note { p class="note" { (note) } }
            @for dispute in disputes.iter().filter(|dispute| dispute.report == Some(one.report)) { (disputed(texts, dispute)) }
            @if let Some(answer) = &one.answer { p class="note" { (answer) } }
            @if is_open && (confirms || decides || is_reporter) {
                form method="post" class="fields" {
                    input type="hidden" name="report" value=(one.report);
                    @if decides { label { (texts.text("table-reason")) input name="note" maxlength="1000" required[one.state == ReportState::Disputed]; } }
                    p class="actions" {
                        @if confirms { button class="first" name="action" value="accept" { (texts.text("report-confirm")) } }
                        @else if decides { button class="first" name="action" value="accept" { (texts.text("report-accept")) } }
                        @if is_reporter && !decides { (act("reject", texts.text("report-withdraw"))) }
                        @else if decides { (act("reject", texts.text("report-reject"))) }
                    }
                }
            }
            @if is_open && plays && !is_reporter { (dispute_form(texts, "report", one.report)) }
        }
    }
}

/// A dispute with its answer.
pub fn disputed(texts: Texts, dispute: &DisputeBody) -> Markup {
    html! {
        p class="note" { b { (texts.text("dispute-by")) " " (named(&dispute.by)) } " · " (time(texts, dispute.at)) br; (dispute.text) }
        @if let Some(answer) = dispute.answer.as_ref().filter(|answer| !answer.is_empty()) {
            p class="note" {
                b { (texts.text("dispute-answer")) @if let Some(by) = &dispute.answered_by { " " (by) } } br; (answer)
            }
        }
    }
}

/// The form that opens a dispute about a table or a report.
pub fn dispute_form(texts: Texts, subject: &str, number: u32) -> Markup {
    html! {
        details {
            summary { (texts.text("dispute-open")) }
            form method="post" class="fields" {
                input type="hidden" name=(subject) value=(number);
                label { (texts.text("dispute-text")) textarea name="text" rows="3" maxlength="1000" required {} }
                (act("dispute", texts.text("dispute-do")))
            }
        }
    }
}

/// The form that answers a dispute about a table.
pub fn answer_form(texts: Texts, dispute: &DisputeBody) -> Markup {
    html! {
        form method="post" class="fields" {
            input type="hidden" name="dispute" value=(dispute.dispute);
            label { (texts.text("dispute-answer-text")) textarea name="text" rows="3" maxlength="1000" required {} }
            (act("answer", texts.text("dispute-answer-do")))
        }
    }
}

fn entry_form(page: &OrganizerPage, league: &LeagueBody, fields: &Fields, enters: bool) -> Markup {
    let texts = page.texts();
    let library = page.leagues.games.library();
    let nations: std::collections::BTreeSet<&str> =
        library.boards().flat_map(|board| board.nations()).collect();
    let sent = |name: &str, row: usize| fields.all(name).nth(row).unwrap_or_default().to_owned();
    let title = match enters {
        true => texts.text("result-enter"),
        false => texts.text("result-report"),
    };
    html! {
        section class="panel" aria-labelledby="enter" {
            h2 id="enter" { (title) }
            @if !enters { p class="hint" { (texts.text("result-report-hint")) } }
            form method="post" class="fields" {
                (member_list(league))
                label { (texts.text("round-number")) input name="round" type="number" min="1" max="200" value=(fields.get("round")); }
                label { (texts.text("play-board"))
                    select name="board" {
                        @for board in library.boards() {
                            @let data = &board.data;
                            option value=(data.id) selected[data.id == fields.get("board")] { (texts.board(&data.id, &data.name)) }
                        }
                    }
                }
                label { (texts.text("result-day")) input name="played" type="date" value=(fields.get("played")); }
                @for row in 0..SEATS {
                    fieldset class="seat-row" {
                        legend { (texts.format("result-seat", [("number", (row + 1).into())])) }
                        label { (texts.text("league-member")) input name="member" list="member-names" maxlength="80" value=(sent("member", row)); }
                        label { (texts.text("result-nation"))
                            select name="nation" {
                                option value="" { "–" }
                                @for nation in &nations { option value=(nation) selected[*nation == sent("nation", row)] { (texts.nation(nation)) } }
                            }
                        }
                        label { (texts.text("league-rank")) input name="rank" type="number" min="1" max="6" value=(sent("rank", row)); }
                    }
                }
                label { (texts.text("table-reason-optional")) input name="note" maxlength="1000" value=(fields.get("note")); }
                label class="tick" { input type="checkbox" name="again" value="yes"; " " (texts.text("result-again")) }
                @if enters { button class="first" name="action" value="enter" { (texts.text("result-enter")) } }
                @else { button class="first" name="action" value="report" { (texts.text("result-report")) } }
            }
        }
    }
}

/// The result of a form, as the API takes it.
fn result_json(
    page: &OrganizerPage,
    league: &LeagueBody,
    fields: &Fields,
) -> Result<Value, Problem> {
    let board = fields.get("board");
    let rows = fields
        .all("member")
        .zip(fields.all("nation"))
        .zip(fields.all("rank"));
    let mut seats = Vec::new();
    for ((member, nation), rank) in rows {
        if (member, nation, rank) == ("", "", "") {
            continue;
        }
        if member.is_empty() {
            return Err(Problem::invalid("member", "give the name of each player"));
        }
        let wrong = |_| Problem::invalid("rank", "give the rank of each player, from 1");
        let rank: u8 = rank.parse().map_err(wrong)?;
        let nations: Vec<&str> = Some(nation)
            .filter(|name| !name.is_empty())
            .into_iter()
            .collect();
        seats.push(
            json!({"member": member_named(league, member), "nations": nations, "rank": rank}),
        );
    }
    // A day without a time means noon, which is on that day in most time zones.
    let played = fields.given("played").map(|day| format!("{day}T12:00:00Z"));
    let now = jiff::Timestamp::now();
    let played = played.filter(|at| at.parse::<jiff::Timestamp>().is_ok_and(|at| at <= now));
    let today = fields
        .given("played")
        .filter(|_| played.is_none())
        .map(|day| format!("{day}T00:00:00Z"));
    let mut value = json!({"round": fields.number::<u16>("round")?, "edition": edition_of(page, board),
        "board": board, "seats": seats, "again": fields.given("again").is_some(), "note": fields.given("note")});
    if let Some(played) = played.or(today) {
        value["played_at"] = json!(played);
    }
    Ok(value)
}

async fn shown(
    page: &OrganizerPage,
    (fields, done): (&Fields, &str),
    problem: Option<&Problem>,
) -> Result<HttpResponse, Problem> {
    let texts = page.texts();
    let league = page.league().await?;
    let content = page.run(|leagues, id, call| {
        Ok(ResultsContent {
            reports: leagues.reports(id, call, None, MOST)?.0.items,
            disputes: leagues.disputes(id, call, None, MOST)?.0.items,
        })
    });
    let content = content.await?;
    let role = page.role(&league);
    let own = page.account().map(|account| account.to_string());
    let mut members = league.members.iter();
    let is_member = members.any(|member| member.active && Some(&member.id) == own.as_ref());
    let (open, answered): (Vec<&ResultReportBody>, Vec<&ResultReportBody>) = content
        .reports
        .iter()
        .rev()
        .partition(|one| one.state.is_open());
    let of_tables: Vec<&DisputeBody> = content
        .disputes
        .iter()
        .rev()
        .filter(|dispute| dispute.table.is_some())
        .collect();
    let can_enter = role >= Some(LeagueRole::Scorer);
    let list = |reports: &[&ResultReportBody]| {
        html! { ul class="sittings" { @for one in reports { (report(page, role, one, &content.disputes)) } } }
    };
    let title = texts.text("organize-results");
    let main = html! {
        h1 { (title) }
        (ways(texts, &league, role, "/results"))
        (refusal(texts, with_names(problem, &league).as_ref()))
        (notice(texts, problem, done))
        section aria-labelledby="open" {
            h2 id="open" { (texts.text("results-open")) }
            @if open.is_empty() { p { (texts.text("results-none")) } }
            (list(&open))
        }
        @if !of_tables.is_empty() {
            section aria-labelledby="disputes" {
                h2 id="disputes" { (texts.text("results-disputes")) }
                ul class="sittings" {
                    @for dispute in of_tables {
                        @let table = dispute.table.unwrap_or_default();
                        li class="entry" {
                            a href={ "/leagues/" (page.id) "/tables/" (table) } { (texts.league_table(table)) }
                            @if dispute.answer.is_none() { " " span class="tag late" { (texts.text("dispute-waits")) } }
                            (disputed(texts, dispute))
                        }
                    }
                }
            }
        }
        @if (can_enter || is_member) && !league.archived && !league.seasons.is_empty() {
            (entry_form(page, &league, fields, can_enter))
        }
        @if !answered.is_empty() {
            details { summary { (texts.text("results-answered")) } (list(&answered)) }
        }
    };
    Ok(page.shown(
        &format!("{title} · {}", league.summary.name),
        &main,
        problem,
    ))
}

/// The page of results, reports and disputes.
#[get("/leagues/{league}/results")]
pub async fn results_page(
    page: OrganizerPage,
    Query(query): Query<DoneQuery>,
) -> Result<HttpResponse, Problem> {
    shown(&page, (&Fields::default(), &query.done), None).await
}

/// Answers a report, or opens or answers a dispute.
pub async fn answer(page: &OrganizerPage, fields: &Fields) -> Result<(), Problem> {
    let report = fields.number::<u32>("report")?.unwrap_or(0);
    match fields.get("action") {
        "dispute" => {
            let new: NewDispute = read(json!({"table": fields.number::<u32>("table")?,
                "report": fields.number::<u32>("report")?, "text": fields.get("text")}))?;
            let opened = page.run(move |leagues, id, call| leagues.dispute(id, call, &new));
            opened.await.map(drop)
        }
        "answer" => {
            let dispute = fields.number::<u32>("dispute")?.unwrap_or(0);
            let new: DisputeAnswer = read(json!({"text": fields.get("text")}))?;
            let answered =
                page.run(move |leagues, id, call| leagues.answer_dispute(id, call, dispute, &new));
            answered.await.map(drop)
        }
        action => {
            let new: ReportAnswer =
                read(json!({"accept": action == "accept", "note": fields.given("note")}))?;
            let answered =
                page.run(move |leagues, id, call| leagues.answer_report(id, call, report, &new));
            answered.await.map(drop)
        }
    }
}

/// Enters or reports a result, answers a report, or opens a dispute.
#[post("/leagues/{league}/results")]
pub async fn post_results(page: OrganizerPage, fields: Fields) -> Result<HttpResponse, Problem> {
    page.signed_in()?;
    let league = page.league().await?;
    let outcome = async {
        let action = fields.get("action");
        if !["enter", "report"].contains(&action) {
            return answer(&page, &fields).await;
        }
        let new: NewResult = read(result_json(&page, &league, &fields)?)?;
        check_result(page.leagues.games.library(), &new)?;
        if action == "enter" {
            let entered = page.run(move |leagues, id, call| leagues.enter_result(id, call, &new));
            return entered.await.map(drop);
        }
        let new = NewResultReport {
            result: Some(new),
            ..NewResultReport::default()
        };
        let reported = page.run(move |leagues, id, call| leagues.report(id, call, &new));
        reported.await.map(drop)
    };
    match refused(outcome.await)? {
        Ok(()) => Ok(page.to("/results?done=result")),
        Err(problem) => shown(&page, (&fields, ""), Some(&problem)).await,
    }
}
