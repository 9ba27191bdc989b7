//! Pauses of a league, holidays of its members, and the time that members use.

use actix_web::{HttpResponse, get, post};
use maud::{Markup, html};
use serde_json::json;

use crate::http::problem::Problem;
use crate::http::request::query::Query;
use crate::leagues::event::LeagueRole;
use crate::leagues::log::Until;
use crate::leagues::model::LeagueBody;
use crate::leagues::pause_model::{
    NewHoliday, NewPause, PauseBody, PauseEnd, PausesBody, TimesBody,
};
use crate::leagues::seasons::SeasonAt;
use crate::site::frame::time;
use crate::site::leagues::links::named;
use crate::site::leagues::organize::page::{
    DoneQuery, Fields, OrganizerPage, act, member_list, member_named, read, refused,
};
use crate::site::leagues::organize::round::end_of_day;
use crate::site::texts::Texts;

/// What the page shows.
struct Content {
    pauses: PausesBody,
    /// The time that members have used; nothing without a season.
    times: Option<TimesBody>,
}

async fn content(page: &OrganizerPage) -> Result<(LeagueBody, Content), Problem> {
    page.run(move |leagues, id, call| {
        let league = leagues.get(id, call)?;
        let at = SeasonAt {
            league: id,
            season: None,
            until: Until::Now,
        };
        let times = match league.seasons.is_empty() {
            true => None,
            false => Some(leagues.times(call, at)?),
        };
        let pauses = leagues.pauses(id, call)?;
        Ok((league, Content { pauses, times }))
    })
    .await
}

/// Hidden fields that name the tables of a pause.
fn scope(table: Option<u32>) -> Markup {
    html! { @if let Some(table) = table { input type="hidden" name="table" value=(table); } }
}

fn pauses(texts: Texts, content: &Content, is_organizer: bool) -> Markup {
    let now = jiff::Timestamp::now();
    let lasts = |pause: &&PauseBody| pause.until.is_none_or(|until| until > now);
    let lasting: Vec<&PauseBody> = content.pauses.pauses.iter().filter(lasts).collect();
    html! {
        section class="panel" aria-labelledby="pauses" {
            h2 id="pauses" { (texts.text("pauses-title")) }
            p class="hint" { (texts.text("pauses-hint")) }
            @if lasting.is_empty() { p { (texts.text("pauses-none")) } }
            ul class="rows" {
                @for pause in lasting {
                    li {
                        @match pause.table {
                            Some(table) => (texts.league_table(table)),
                            None => (texts.text("pauses-all")),
                        }
                        " · " (time(texts, pause.from)) " – "
                        @match pause.until {
                            Some(until) => (time(texts, until)),
                            None => (texts.text("pauses-open")),
                        }
                        @if let Some(note) = &pause.note { " · " (note) }
                        @if is_organizer {
                            form method="post" { (scope(pause.table)) (act("end", texts.text("pauses-end"))) }
                        }
                    }
                }
            }
            @if is_organizer {
                form method="post" class="fields" {
                    label { (texts.text("pauses-round")) input name="round" type="number" min="1" max="200"; }
                    label { (texts.text("pauses-table")) input name="table" type="number" min="1"; }
                    p class="hint" { (texts.text("pauses-scope-hint")) }
                    label { (texts.text("pauses-until")) input name="until" type="date"; }
                    label { (texts.text("table-reason-optional")) input name="note" maxlength="1000"; }
                    (act("pause", texts.text("pauses-do")))
                }
            }
        }
    }
}

fn holidays(
    texts: Texts,
    league: &LeagueBody,
    content: &Content,
    (own, is_organizer): (Option<&str>, bool),
) -> Markup {
    let days = league
        .seasons
        .last()
        .map_or(0, |season| season.rules.holiday_days);
    let now = jiff::Timestamp::now();
    let coming = content.pauses.holidays.iter();
    let coming: Vec<_> = coming.filter(|one| one.until > now).collect();
    let may_end = |member: &str| is_organizer || own == Some(member);
    html! {
        section class="panel" aria-labelledby="holidays" {
            h2 id="holidays" { (texts.text("holidays-title")) }
            p class="hint" { (texts.format("holidays-hint", [("days", u32::from(days).into())])) }
            @if coming.is_empty() { p { (texts.text("holidays-none")) } }
            ul class="rows" {
                @for one in coming {
                    li {
                        (named(&one.member)) " · " (time(texts, one.from)) " – " (time(texts, one.until))
                        @if may_end(&one.member.id) {
                            form method="post" {
                                input type="hidden" name="member" value=(one.member.id);
                                button name="action" value="end_holiday" aria-label={ (texts.text("holidays-end")) ": " (one.member.name) } {
                                    (texts.text("holidays-end")) }
                            }
                        }
                    }
                }
            }
            @if days > 0 && (own.is_some() || is_organizer) {
                form method="post" class="fields" {
                    @if is_organizer {
                        label { (texts.text("holidays-member")) input name="member" list="member-names" maxlength="64" required[own.is_none()]; }
                        (member_list(league))
                    }
                    label { (texts.text("holidays-from")) input name="from" type="date" required; }
                    label { (texts.text("holidays-until")) input name="until" type="date" required; }
                    (act("holiday", texts.text("holidays-do")))
                }
            }
        }
    }
}

fn times(texts: Texts, times: &TimesBody) -> Markup {
    let hours = |seconds: u64| texts.decimal(seconds as f64 / 3600.0, 1);
    html! {
        section class="panel" aria-labelledby="times" {
            h2 id="times" { (texts.text("times-title")) }
            p class="hint" { (texts.text("times-hint")) }
            div class="scroll" tabindex="0" role="group" aria-labelledby="times" {
                table {
                    thead { tr {
                        th scope="col" { (texts.text("times-member")) }
                        th scope="col" class="number" { (texts.text("times-turns")) }
                        th scope="col" class="number" { (texts.text("times-average")) }
                        th scope="col" class="number" { (texts.text("times-longest")) }
                        th scope="col" class="number" { (texts.text("times-timeouts")) }
                        th scope="col" { (texts.text("times-since")) }
                    } }
                    tbody {
                        @for row in &times.rows {
                            tr {
                                th scope="row" { (named(&row.member)) }
                                td class="number" { (row.turns) }
                                td class="number" { (hours(row.seconds / u64::from(row.turns.max(1)))) }
                                td class="number" { (hours(row.longest_seconds)) }
                                td class="number" { (row.timeouts) }
                                td { @if let Some(since) = row.waiting_since { (time(texts, since)) } }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn shown(
    page: &OrganizerPage,
    (league, content): &(LeagueBody, Content),
    done: &str,
    problem: Option<&Problem>,
) -> HttpResponse {
    let texts = page.texts();
    let is_organizer = page.role(league) >= Some(LeagueRole::Organizer);
    let own = page.account().map(|account| account.to_string());
    let is_active = |id: &&String| {
        let mut members = league.members.iter();
        members.any(|member| member.active && member.id == **id)
    };
    let own = own.as_ref().filter(is_active).map(String::as_str);
    let main = html! {
        (pauses(texts, content, is_organizer))
        (holidays(texts, league, content, (own, is_organizer)))
        @if let Some(used) = content.times.as_ref().filter(|used| !used.rows.is_empty()) { (times(texts, used)) }
    };
    let title = (texts.text("organize-pauses"), done);
    page.organizer_page(league, "/pauses", title, &main, problem)
}

/// The pauses and holidays of a league.
#[get("/leagues/{league}/pauses")]
pub async fn pauses_page(
    page: OrganizerPage,
    Query(query): Query<DoneQuery>,
) -> Result<HttpResponse, Problem> {
    let content = content(&page).await?;
    Ok(shown(&page, &content, &query.done, None))
}

/// Begins or ends a pause or a holiday.
#[post("/leagues/{league}/pauses")]
pub async fn post_pauses(page: OrganizerPage, fields: Fields) -> Result<HttpResponse, Problem> {
    page.signed_in()?;
    let content = content(&page).await?;
    let outcome = async {
        let (round, table) = (
            fields.number::<u16>("round")?,
            fields.number::<u32>("table")?,
        );
        let member = fields
            .given("member")
            .map(|name| member_named(&content.0, name));
        match fields.get("action") {
            "pause" => {
                let new: NewPause = read(json!({"round": round, "table": table,
                    "until": end_of_day(fields.given("until")), "note": fields.given("note")}))?;
                page.run(move |leagues, id, call| leagues.pause(id, call, &new))
                    .await
            }
            "end" => {
                let end: PauseEnd = read(json!({"round": round, "table": table}))?;
                page.run(move |leagues, id, call| leagues.end_pause(id, call, &end))
                    .await
            }
            "end_holiday" => {
                let member = member.unwrap_or_default().to_owned();
                page.run(move |leagues, id, call| leagues.end_holiday(id, call, &member))
                    .await
            }
            _ => {
                let from = format!("{}T00:00:00Z", fields.get("from"));
                let new: NewHoliday = read(json!({"from": from,
                    "until": end_of_day(fields.given("until")), "member": member}))?;
                page.run(move |leagues, id, call| leagues.take_holiday(id, call, &new))
                    .await
            }
        }
    };
    match refused(outcome.await)? {
        Ok(_) => Ok(page.to("/pauses?done=pauses")),
        Err(problem) => Ok(shown(&page, &content, "", Some(&problem))),
    }
}
