//! Sheets of a league for printing on A4: pairings, result slips, standings with the cross table.

use std::collections::HashMap;

use actix_web::{HttpRequest, HttpResponse, get, web};
use charts::titled;
use maud::{Markup, html};
use serde::Deserialize;

use crate::http::limits::gate::charge;
use crate::http::limits::rates::Policy;
use crate::http::problem::{Code, Problem};
use crate::http::reply::blocking;
use crate::http::request::caller::Caller;
use crate::http::request::query::Query;
use crate::leagues::handlers::path::LeagueId;
use crate::leagues::league::TableState;
use crate::leagues::log::Until;
use crate::leagues::model::{LeagueSeatBody, LeagueTableBody, StandingBody};
use crate::leagues::overview::{LeagueOverview, SeasonOverview};
use crate::leagues::seasons::SeasonAt;
use crate::leagues::service::Leagues;
use crate::site::badge::Nations;
use crate::site::choice::Visit;
use crate::site::frame::time;
use crate::site::frame::{Frame, page};
use crate::site::leagues::schedule::byes;
use crate::site::leagues::standings_table::table;
use crate::site::texts::Texts;

/// The most columns of opponents that fit the width of a page; a cross table with more has several parts.
const COLUMNS: usize = 14;

/// A sheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PrintedSheet {
    Pairings,
    Slips,
    Standings,
}

impl PrintedSheet {
    const ALL: [PrintedSheet; 3] = [
        PrintedSheet::Pairings,
        PrintedSheet::Slips,
        PrintedSheet::Standings,
    ];

    /// The name in the path.
    fn name(self) -> &'static str {
        match self {
            PrintedSheet::Pairings => "pairings",
            PrintedSheet::Slips => "slips",
            PrintedSheet::Standings => "standings",
        }
    }

    fn title(self, texts: Texts) -> &'static str {
        texts.text(match self {
            PrintedSheet::Pairings => "print-pairings",
            PrintedSheet::Slips => "print-slips",
            PrintedSheet::Standings => "print-standings",
        })
    }
}

/// Selects the season and the round of a sheet.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct PrintQuery {
    season: Option<u16>,
    round: Option<u16>,
}

/// Links to the sheets of a season.
pub fn links(texts: Texts, shown: &LeagueOverview, season: &SeasonOverview) -> Markup {
    let path = format!("/leagues/{}/print", shown.league.summary.id);
    html! {
        ul class="downloads" {
            @for sheet in PrintedSheet::ALL {
                li { a href={ (path) "/" (sheet.name()) "?season=" (season.season.season) } { (sheet.title(texts)) } }
            }
        }
    }
}

/// A sheet of a league: `pairings`, `slips` or `standings`. The last round by default.
#[get("/leagues/{league}/print/{sheet}")]
pub async fn print_page(
    request: HttpRequest,
    path: web::Path<(String, String)>,
    visit: Visit,
    Query(query): Query<PrintQuery>,
    Caller(call): Caller,
    LeagueId(league): LeagueId,
    leagues: web::Data<Leagues>,
) -> Result<HttpResponse, Problem> {
    let texts = visit.texts;
    charge(&request, Policy::Expensive)?;
    let mut sheets = PrintedSheet::ALL.into_iter();
    let sheet = sheets.find(|sheet| sheet.name() == path.1).ok_or_else(|| {
        let detail = format!("a league has no sheet {:?}", path.1);
        Problem::new(Code::NotFound, detail)
    })?;
    let at = SeasonAt {
        league,
        season: query.season,
        until: Until::Now,
    };
    let shown = blocking(&leagues, move |leagues| leagues.overview(&call, at)).await?;
    let main = html! {
        nav class="sheet-links" {
            a href={ "/leagues/" (league) } { (shown.league.summary.name) }
            @if let Some(season) = &shown.season { (links(texts, &shown, season)) }
        }
        @match &shown.season {
            None => p { (texts.text("league-no-season")) }
            Some(season) => (content(texts, &shown, season, (sheet, query.round))),
        }
    };
    let title = format!("{} · {}", sheet.title(texts), shown.league.summary.name);
    let frame = Frame {
        title: &title,
        part: "/leagues",
        scripts: &[],
        class: match sheet {
            PrintedSheet::Standings => "sheet wide",
            PrintedSheet::Pairings | PrintedSheet::Slips => "sheet",
        },
    };
    Ok(page(&request, texts, frame.around(&visit, &main)))
}

fn content(
    texts: Texts,
    shown: &LeagueOverview,
    season: &SeasonOverview,
    (sheet, round): (PrintedSheet, Option<u16>),
) -> Markup {
    let rounds = season.tables.iter().filter_map(|table| table.round);
    let round = round.or(rounds.clone().max());
    let tables: Vec<&LeagueTableBody> = (season.tables.iter())
        .filter(|table| table.round == round && table.state != TableState::Void)
        .collect();
    let mut known: Vec<u16> = rounds.collect();
    known.sort_unstable();
    known.dedup();
    let name = match (sheet, round) {
        (PrintedSheet::Standings, _) | (_, None) => String::new(),
        (_, Some(round)) => format!(" · {}", texts.round(u32::from(round))),
    };
    let heading = html! {
        h1 { (shown.league.summary.name) }
        p class="lead" { (sheet.title(texts)) " · " (season.season.name) (name) }
        @if sheet != PrintedSheet::Standings && known.len() > 1 {
            nav class="tabs small sheet-links" aria-label=(texts.text("league-rounds")) {
                @for other in known {
                    " " a href={ "?season=" (season.season.season) "&round=" (other) }
                        aria-current=[(Some(other) == round).then_some("page")] { (texts.round(u32::from(other))) }
                }
            }
        }
    };
    html! {
        (heading)
        @match sheet {
            PrintedSheet::Standings => (standings(texts, season)),
            _ if tables.is_empty() => p { (texts.text("league-no-tables")) },
            PrintedSheet::Pairings => (pairings(texts, &tables)),
            PrintedSheet::Slips => (slips(texts, shown, season, &tables)),
        }
    }
}

fn players(seat: &LeagueSeatBody) -> String {
    let names = seat.members.iter().map(|member| &*member.name);
    names.collect::<Vec<_>>().join(" → ")
}

fn nations(texts: Texts, seat: &LeagueSeatBody) -> Markup {
    let names: Vec<&str> = seat.nations.iter().map(String::as_str).collect();
    let known = Nations::called(texts, &names);
    html! { @for name in names { (known.named(name)) " " } }
}

/// The tables of a round: a line for each seat.
fn pairings(texts: Texts, tables: &[&LeagueTableBody]) -> Markup {
    let byes: Vec<&str> = byes(tables).map(|member| &*member.name).collect();
    html! {
        table class="pairings" {
            thead {
                tr {
                    th scope="col" { (texts.text("print-table")) }
                    th scope="col" class="figure" { (texts.text("print-seat")) }
                    th scope="col" { (texts.text("league-member")) }
                    th scope="col" { (texts.text("print-nation")) }
                }
            }
            @for table in tables {
                tbody {
                    @for (place, seat) in (1..).zip(&table.seats) {
                        tr {
                            @if place == 1 {
                                th scope="rowgroup" rowspan=(table.seats.len()) {
                                    (texts.league_table(table.table)) br;
                                    span class="faint" { (board(texts, table)) }
                                    @if let Some(at) = table.deadline {
                                        br; span class="faint" { (texts.text("league-deadline")) " " (time(texts, at)) }
                                    }
                                }
                            }
                            td class="figure" { (place) }
                            td { (players(seat)) }
                            td { (nations(texts, seat)) }
                        }
                    }
                }
            }
        }
        @if !byes.is_empty() { p { (texts.text("league-byes")) " " (byes.join(", ")) } }
    }
}

fn board(texts: Texts, table: &LeagueTableBody) -> String {
    let board = table.board.as_deref();
    board.map_or_else(|| titled(&table.edition), |board| texts.short_board(board))
}

/// A slip for each table, to note the result on.
fn slips(
    texts: Texts,
    shown: &LeagueOverview,
    season: &SeasonOverview,
    tables: &[&LeagueTableBody],
) -> Markup {
    html! {
        div class="slips" {
            @for table in tables {
                section class="slip" {
                    h2 { (texts.league_table(table.table)) }
                    p class="faint" {
                        (shown.league.summary.name) " · " (season.season.name)
                        @if let Some(round) = table.round { " · " (texts.round(u32::from(round))) }
                        " · " (board(texts, table))
                    }
                    table {
                        thead {
                            tr {
                                th scope="col" { (texts.text("league-member")) }
                                th scope="col" { (texts.text("print-nation")) }
                                th scope="col" class="blank" { (texts.text("league-rank")) }
                                th scope="col" class="blank" { (texts.text("print-sign")) }
                            }
                        }
                        tbody {
                            @for seat in &table.seats {
                                tr {
                                    th scope="row" { (players(seat)) }
                                    td { (nations(texts, seat)) }
                                    td class="blank" {}
                                    td class="blank" {}
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// The standings with every column, and the cross table in parts that fit the width of a page.
fn standings(texts: Texts, season: &SeasonOverview) -> Markup {
    let standings = &season.standings;
    let mut cells: HashMap<(&str, &str), String> = HashMap::new();
    for met in &season.head_to_head.rows {
        let (one, other) = (&*met.one.id, &*met.other.id);
        cells.insert((one, other), texts.met(met.ahead, met.behind, met.equal));
        cells.insert((other, one), texts.met(met.behind, met.ahead, met.equal));
    }
    let played: Vec<(usize, &StandingBody)> = (1..)
        .zip(standings.rows.iter().filter(|row| row.games > 0.0))
        .collect();
    html! {
        h2 id="standings" { (texts.text("league-standings")) }
        @if standings.rows.is_empty() { p { (texts.text("league-nobody")) } }
        @else if season.divisions.is_empty() { (table(texts, standings, &season.season.name)) }
        @for (division, standings) in season.season.divisions.iter().zip(&season.divisions) {
            h3 { (division.name) }
            (table(texts, standings, &division.name))
        }
        @for part in played.chunks(COLUMNS) {
            section class="cross" {
                h2 { (texts.text("league-head-to-head")) }
                div class="scroll" tabindex="0" role="group" aria-label=(texts.text("league-head-to-head")) {
                    table class="met" {
                        thead {
                            tr {
                                th scope="col" { (texts.text("league-member")) }
                                @for (number, _) in part { th scope="col" { (number) } }
                            }
                        }
                        tbody {
                            @for (number, row) in &played {
                                tr {
                                    th scope="row" { (number) " " (row.member.name) }
                                    @for (_, other) in part {
                                        @match cells.get(&(&*row.member.id, &*other.member.id)) {
                                            Some(text) => td { (text) },
                                            None if row.member.id == other.member.id => td class="self" {},
                                            None => td {},
                                        }
                                    }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}
