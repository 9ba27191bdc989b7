//! The list of leagues, and a league with standings, rounds, members and head-to-head results.

pub mod bracket;
pub mod import;
pub mod links;
pub mod organize;
pub mod print;
pub mod schedule;
pub mod standings;
pub mod standings_table;

use actix_web::{HttpRequest, HttpResponse, get, web};
use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan};
use maud::{Markup, html};
use serde::Deserialize;
use uuid::Uuid;

use crate::games::model::Visibility;
use crate::http::call::Call;
use crate::http::limits::gate::charge;
use crate::http::limits::rates::Policy;
use crate::http::problem::{Code, Problem};
use crate::http::reply::{JSON, blocking};
use crate::http::request::base;
use crate::http::request::caller::{Caller, identity};
use crate::http::request::query::Query;
use crate::leagues::event::Joining;
use crate::leagues::exchange::bgg::XML;
use crate::leagues::exchange::sheet::CSV;
use crate::leagues::handlers::exchange::export;
use crate::leagues::handlers::path::LeagueId;
use crate::leagues::handlers::standings::{LeagueSheet, spreadsheet, until};
use crate::leagues::log::Until;
use crate::leagues::model::LeagueBody;
use crate::leagues::overview::{LeagueOverview, SeasonOverview};
use crate::leagues::seasons::{SETTLED, SeasonAt};
use crate::leagues::service::Leagues;
use crate::site::choice::Visit;
use crate::site::frame::time;
use crate::site::frame::{Frame, page};
use crate::site::leagues::links::{asked, named};
use crate::site::preview::Preview;
use crate::site::snippet::{Embedded, snippet};
use crate::site::texts::Texts;

/// The number of leagues on a page.
const PAGE: usize = 20;

/// A day in microseconds.
const DAY: i64 = 24 * 60 * 60 * 1_000_000;

/// Selects the leagues.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct LeaguesQuery {
    cursor: Option<Uuid>,
}

/// Selects the season of a league, and the time. Forms send empty texts for fields without a choice.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct LeagueQuery {
    season: Option<u16>,
    as_of: String,
    /// The member whose opponents are listed.
    member: String,
}

impl LeagueQuery {
    fn season_at(&self, league: Uuid) -> Result<SeasonAt, Problem> {
        Ok(SeasonAt {
            league,
            season: self.season,
            until: self.until()?,
        })
    }

    /// The time or event up to which the league is read. A day includes its last moment.
    fn until(&self) -> Result<Until, Problem> {
        let as_of = self.as_of.trim();
        let now = Timestamp::now();
        let day = Some(as_of).filter(|as_of| as_of.len() == 10);
        let end = (day.and_then(|day| day.parse::<Date>().ok()))
            .and_then(|day| day.checked_add(1.day()).ok()?.to_zoned(TimeZone::UTC).ok());
        match end.map(|end| end.timestamp()) {
            Some(end) if end.as_microsecond() <= now.as_microsecond() - SETTLED => {
                Ok(Until::Moment(end.as_microsecond() - 1))
            }
            Some(end) if end.as_microsecond() - now.as_microsecond() <= DAY => Ok(Until::Now),
            _ => until(Some(as_of).filter(|as_of| !as_of.is_empty())),
        }
    }
}

/// Leagues that everybody may see, the newest first.
#[get("/leagues")]
pub async fn leagues_page(
    request: HttpRequest,
    visit: Visit,
    Query(query): Query<LeaguesQuery>,
    leagues: web::Data<Leagues>,
) -> Result<HttpResponse, Problem> {
    let texts = visit.texts;
    charge(&request, Policy::Expensive)?;
    let own_call = identity(&request);
    let (own, shown, next) = blocking(&leagues, move |leagues| {
        let own = leagues.leagues_of(&own_call)?;
        let listed = leagues.list(query.cursor, PAGE)?;
        let call = Call::default();
        let read = |league| {
            let now = SeasonAt {
                league,
                season: None,
                until: Until::Now,
            };
            leagues.overview(&call, now)
        };
        let shown: Result<Vec<LeagueOverview>, _> =
            listed.items.iter().map(|league| read(league.id)).collect();
        Ok((own, shown?, listed.next))
    })
    .await?;
    let main = html! {
        h1 { (texts.text("leagues-title")) }
        p class="lead" { (texts.text("leagues-lead")) }
        p { a class="button" href="/leagues/new" { (texts.text("new-league")) } }
        @if !own.is_empty() {
            section class="panel" aria-labelledby="own" {
                h2 id="own" { (texts.text("leagues-own")) }
                ul class="rows" { @for one in &own { li { a href={ "/leagues/" (one.id) } { (one.name) } } } }
            }
        }
        @if shown.is_empty() { p { (texts.text("leagues-none")) } }
        ul class="games" { @for one in &shown { (entry(texts, one)) } }
        @if let Some(next) = next {
            p { a class="button" rel="next" href={ "?cursor=" (next) } { (texts.text("leagues-next")) } }
        }
    };
    Ok(page(
        &request,
        texts,
        frame(texts.text("leagues-title")).around(&visit, &main),
    ))
}

/// A league as an entry of the list.
fn entry(texts: Texts, shown: &LeagueOverview) -> Markup {
    let league = &shown.league;
    html! {
        li class="entry" {
            div class="about" {
                a href={ "/leagues/" (league.summary.id) } { (league.summary.name) }
                @if let Some(season) = &shown.season { " " span { (season.season.name) } }
                @if league.joining == Joining::Open { " " span class="tag" { (texts.text("league-open")) } }
                " " span class="faint" { (time(texts, league.summary.updated_at)) }
            }
            p {
                (summary(texts, shown))
                @if let Some(leads) = shown.season.as_ref().and_then(|season| leaders(texts, season)) { " · " b { (leads) } }
            }
        }
    }
}

/// The numbers of members and of tables.
fn summary(texts: Texts, shown: &LeagueOverview) -> String {
    let active = shown.league.members.iter().filter(|member| member.active);
    let (counted, tables) =
        (shown.season.as_ref()).map_or((0, 0), |shown| (shown.season.counted, shown.season.tables));
    texts.league_summary(active.count(), counted, tables)
}

/// The leaders of a season with at least one result.
fn leaders(texts: Texts, shown: &SeasonOverview) -> Option<Markup> {
    let rows = &shown.divisions.first().unwrap_or(&shown.standings).rows;
    let first = rows.first().filter(|_| shown.season.counted > 0)?;
    let leaders = rows.iter().take_while(|row| row.rank == first.rank);
    let names: Vec<Markup> = leaders.map(|row| named(&row.member)).collect();
    let points = texts.amount(first.points);
    let counts = shown.season.format.counts_points();
    Some(texts.leads(&names, counts.then_some(&points)))
}

fn frame(title: &str) -> Frame<'_> {
    Frame {
        title,
        part: "/leagues",
        scripts: &[],
        class: "league",
    }
}

/// A league with a season, as it is or was.
#[get("/leagues/{league}")]
pub async fn league_page(
    request: HttpRequest,
    visit: Visit,
    Query(query): Query<LeagueQuery>,
    Caller(call): Caller,
    LeagueId(id): LeagueId,
    leagues: web::Data<Leagues>,
) -> Result<HttpResponse, Problem> {
    let texts = visit.texts;
    charge(&request, Policy::Expensive)?;
    let at = query.season_at(id)?;
    let account = call.access.as_ref().map(|access| access.account);
    let shown = blocking(&leagues, move |leagues| leagues.overview(&call, at)).await?;
    let is_earlier = at.until != Until::Now;
    let league = &shown.league;
    let main = html! {
        h1 { (league.summary.name) }
        (about(texts, &shown, is_earlier))
        @if !is_earlier { (organize::page::actions(&visit, account, league)) }
        @match &shown.season {
            None => p { (texts.text("league-no-season")) }
            Some(season) => {
                (standings::section(texts, &base(&request), &shown, season, is_earlier))
                @if let Some(bracket) = &season.bracket { (bracket::section(texts, bracket)) }
                (schedule::section(texts, &shown, season))
                (standings::met(texts, season, query.member.trim()))
                @if league.summary.visibility != Visibility::Private {
                    (snippet(texts, &base(&request), Embedded::Standings(id), &league.summary.name))
                }
            }
        }
        (members(texts, league))
        (import::link(&visit, league))
    };
    let about = match &league.description {
        Some(description) => description.clone(),
        None => summary(texts, &shown),
    };
    let preview = Preview::new(texts, &about)
        .with_audience(league.summary.visibility.into())
        .with_frame();
    Ok(page(
        &request,
        texts,
        frame(&league.summary.name).previewed(&visit, &preview, &main),
    ))
}

/// What a league is, which season of it is shown, and as of when.
fn about(texts: Texts, shown: &LeagueOverview, earlier: bool) -> Markup {
    let league = &shown.league;
    let path = format!("/leagues/{}", league.summary.id);
    let number = (shown.season.as_ref()).map_or(0, |shown| shown.season.season);
    html! {
        @for part in league.description.iter().flat_map(|text| text.split("\n\n")) { p class="lead" { (part) } }
        p class="faint" {
            (summary(texts, shown)) " · " (texts.text("league-organized")) " "
            @for (place, organizer) in league.organizers.iter().enumerate() {
                @if place > 0 { ", " }
                a href={ "/players/" (organizer.id) } { (organizer.handle) }
            }
            " · " (texts.joining(league.joining))
        }
        @if league.seasons.len() > 1 {
            nav class="tabs" aria-label=(texts.text("league-seasons")) {
                @for season in &league.seasons {
                    " " a href={ (path) (asked(league, season.season, None)) }
                        aria-current=[(season.season == number).then_some("page")] {
                        (texts.season(season.season, &season.name))
                    }
                }
            }
        }
        @if earlier {
            p class="notice" {
                (texts.league_as_of(league.summary.updated_at, league.summary.seq)) " "
                a href={ (path) } { (texts.text("league-as-it-is")) }
            }
        }
    }
}

fn members(texts: Texts, league: &LeagueBody) -> Markup {
    html! {
        section class="panel" aria-labelledby="members" {
            h2 id="members" { (texts.text("league-members")) }
            @if league.members.is_empty() { p { (texts.text("league-nobody")) } }
            ul class="members" {
                @for member in &league.members {
                    li { (named(member)) @if !member.active { " " span class="tag" { (texts.text("league-left")) } } }
                }
            }
        }
    }
}

/// Returns the results of a season, as the API does, for links: they cannot send an `Accept` header.
#[get("/leagues/{league}/results.{format:csv|xml|json}")]
pub async fn results_file(
    request: HttpRequest,
    path: web::Path<(String, String)>,
    Query(query): Query<LeagueQuery>,
    Caller(call): Caller,
    LeagueId(id): LeagueId,
    leagues: web::Data<Leagues>,
) -> Result<HttpResponse, Problem> {
    charge(&request, Policy::Expensive)?;
    let media_type = match path.1.as_str() {
        "xml" => XML,
        "json" => JSON,
        _ => CSV,
    };
    export(&request, &leagues, call, (id, query.season), media_type).await
}

/// Returns a file of a season, as the API does, for links: they cannot send an `Accept` header.
#[get("/leagues/{league}/{file:[a-z-]+\\.(?:csv|xlsx)}")]
pub async fn league_file(
    request: HttpRequest,
    path: web::Path<(String, String)>,
    Query(query): Query<LeagueQuery>,
    Caller(call): Caller,
    LeagueId(id): LeagueId,
    leagues: web::Data<Leagues>,
) -> Result<HttpResponse, Problem> {
    charge(&request, Policy::Expensive)?;
    let file = match path.1.as_str() {
        "standings.csv" => LeagueSheet::Standings,
        "head-to-head.csv" => LeagueSheet::HeadToHead,
        "cross-table.csv" => LeagueSheet::CrossTable,
        "standings.xlsx" => LeagueSheet::Workbook,
        name => {
            let detail = format!("a league has no file {name:?}");
            return Err(Problem::new(Code::NotFound, detail));
        }
    };
    spreadsheet(&request, &leagues, (call, query.season_at(id)?), file).await
}
