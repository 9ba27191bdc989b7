//! Statistics of finished games, as pictures with intervals, each with links to its numbers.

pub mod answer;
pub mod explorer;
pub mod figure;
pub mod filter;
pub mod numbers;
pub mod versus;
pub mod wheel;

use std::collections::BTreeMap;

use actix_web::{HttpRequest, HttpResponse, get, web};
use analytics::{
    CARDS, Filters, LENGTHS, MEASURES, Measure, NATIONS, OPENINGS, OPENINGS_TREE, PERSONAGES,
    SEATS, StatisticsTable,
};
use engine::content::Library;
use maud::{Markup, html};

use crate::content::drawings::ThemedQuery;
use crate::games::Games;
use crate::games::handlers::known::check_filters;
use crate::games::lists::GameLists;
use crate::http::limits::gate::charge;
use crate::http::limits::rates::Policy;
use crate::http::problem::{Code, Problem};
use crate::site::choice::Visit;
use crate::site::dictionary::dictionary;
use crate::site::frame::page;
use crate::site::markdown::inline;
use crate::site::stats::answer::answer;
use crate::site::stats::figure::shown_with;
use crate::site::stats::filter::{form, query, read};
use crate::site::stats::numbers::{LISTED, frame, listed};
use crate::site::texts::Texts;
use crate::statistics::figure::{SHORT, WHOLE};
use crate::statistics::handlers::{format_of, measure_at, table};
use crate::statistics::{Statistics, StatisticsError};

/// The measures on the page of all statistics, in this order.
const SHOWN: [&Measure; 6] = [&NATIONS, &OPENINGS, &SEATS, &PERSONAGES, &LENGTHS, &CARDS];

/// A board with a number of nations, and how many games of it have been counted.
struct Played {
    board: String,
    nations: u32,
    games: u64,
}

/// The boards with numbers of nations, those with the most games first.
async fn played(statistics: &Statistics, filters: &Filters) -> Result<Vec<Played>, Problem> {
    let every = Filters {
        board: None,
        nations: None,
        edition: None,
        ruleset: None,
        nation: None,
        min_games: None,
        path: None,
        ..filters.clone()
    };
    let mut counts: BTreeMap<(String, u32), u64> = BTreeMap::new();
    let rows = statistics.rows(&LENGTHS, &every, |cells| {
        let kind = (cells.text("board")?.to_owned(), cells.count("nations")?);
        let is_counted = cells.text("quantity")? == "rounds";
        Ok(is_counted.then_some((kind, cells.count("games")?)))
    });
    for (kind, games) in rows.await?.into_iter().flatten() {
        *counts.entry(kind).or_default() += u64::from(games);
    }
    let all = counts.into_iter().map(|((board, nations), games)| Played {
        board,
        nations,
        games,
    });
    let mut all: Vec<Played> = all.collect();
    all.sort_by_key(|played| std::cmp::Reverse(played.games));
    Ok(all)
}

/// The filters of a page: those of its address.
/// If these do not name a board, the board with the most games.
fn chosen(asked: &Filters, played: &[Played]) -> Filters {
    let is_open = [&asked.board, &asked.edition, &asked.nation, &asked.digest]
        .iter()
        .all(|name| name.is_none());
    match played.first() {
        Some(most) if is_open && asked.nations.is_none() => Filters {
            board: Some(most.board.clone()),
            nations: Some(most.nations),
            ..asked.clone()
        },
        _ => asked.clone(),
    }
}

/// The filters that other parts of the statistics have too.
fn plain(filters: &Filters) -> Filters {
    Filters {
        path: None,
        levels: None,
        digest: None,
        at: None,
        ..filters.clone()
    }
}

/// Links to each part of the statistics, with the filters that it accepts.
fn ways(texts: Texts, library: &Library, current: &str, filters: &Filters) -> Markup {
    let plain = plain(filters);
    let given = plain.given();
    let is_given = |name: &&str| given.iter().any(|(given, _)| given == name);
    // The tree of openings is on the page of openings.
    let parts = MEASURES.iter().filter(|measure| {
        let is_answered = measure.needs.is_empty() || measure.needs.iter().any(is_given);
        is_answered && **measure != &OPENINGS_TREE
    });
    html! {
        nav class="tabs" aria-label=(texts.text("stats-parts")) {
            a href={ "/stats" (query(&plain)) } aria-current=[current.is_empty().then_some("page")] { (texts.text("stats-all")) }
            @for measure in parts {
                @let path = measure.path;
                " " a href={ "/stats/" (path) (query(&measure.accepted(&plain, library))) } aria-current=[(path == current).then_some("page")] {
                    (texts.name("measure", path))
                }
            }
        }
    }
}

/// What has been played, and the form of the filters; folded, with the filters in the head.
fn filters_part(
    texts: Texts,
    library: &Library,
    (current, action): (&str, &str),
    (filters, played): (&Filters, &[Played]),
) -> Markup {
    let plain = plain(filters);
    let mut measures = MEASURES.into_iter();
    let found = measures.find(|one| one.path == current);
    let measure = found.unwrap_or(&PERSONAGES);
    let shown = Filters {
        path: None,
        ..filters.clone()
    };
    html! {
        details class="filters" {
            summary { (texts.format("stats-filters", [("filters", in_words(texts, &shown).into())])) }
            // A position is one of its board.
            @if !played.is_empty() && filters.digest.is_none() {
                nav class="tabs small" aria-label=(texts.text("stats-played")) {
                    @for one in played {
                        @let own = Filters { board: Some(one.board.clone()), nations: Some(one.nations), edition: None, ..plain.clone() };
                        @let own = measure.accepted(&own, library);
                        @let is = filters.board.as_ref() == Some(&one.board) && filters.nations == Some(one.nations);
                        " " a href={ (here(current)) (query(&own)) } aria-current=[is.then_some("true")] {
                            (texts.stats_played(&texts.short_board(&one.board), one.nations, one.games))
                        }
                    }
                }
            }
            (form(texts, library, action, filters))
        }
    }
}

/// Filters as text.
fn in_words(texts: Texts, filters: &Filters) -> String {
    let words = |(name, value): (String, String)| match (name.as_str(), filters.nations) {
        ("nations", Some(nations)) => texts.nations(nations),
        _ => filter::in_words(texts, &name, &value),
    };
    let given: Vec<String> = filters.given().into_iter().map(words).collect();
    match given.is_empty() {
        true => texts.text("stats-all-games").to_owned(),
        false => given.join(", "),
    }
}

fn here(current: &str) -> String {
    match current {
        "" => "/stats".to_owned(),
        part => format!("/stats/{part}"),
    }
}

/// The page of all statistics in short.
#[get("/stats")]
pub async fn stats_page(
    request: HttpRequest,
    visit: Visit,
    games: web::Data<Games>,
    statistics: web::Data<Statistics>,
) -> Result<HttpResponse, Problem> {
    let texts = visit.texts;
    charge(&request, Policy::Expensive)?;
    let asked = read(&request)?;
    check_filters(games.library(), &PERSONAGES, &asked)?;
    let played = played(&statistics, &asked).await?;
    let filters = chosen(&asked, &played);
    let mut figures = Vec::new();
    for measure in SHOWN {
        let own = measure.accepted(&filters, games.library());
        let figure = statistics.figure(measure, &own, SHORT).await?;
        // Some editions have no cards.
        if measure != &CARDS || figure.rows > 0 {
            figures.push((measure, own, figure));
        }
    }
    let main = html! {
        h1 { (texts.text("stats-title")) }
        p { (texts.text("stats-lead")) }
        (ways(texts, games.library(), "", &filters))
        (filters_part(texts, games.library(), ("", "/stats"), (&filters, &played)))
        @if filters != asked { p class="hint" { (texts.text("stats-most")) } }
        div class="figures" {
            @for (measure, own, figure) in &figures {
                @let path = measure.path;
                section class="panel" aria-labelledby=(path) {
                    h2 id=(path) { a href={ "/stats/" (path) (query(own)) } { (texts.name("measure", path)) } }
                    (figure.picture())
                    (figure.ways(&request, texts, measure, own))
                }
            }
        }
    };
    Ok(page(
        &request,
        texts,
        frame(texts.text("stats-title")).around(&visit, &main),
    ))
}

/// A table as a file, as in the API. For links: they cannot send an `Accept` header.
#[get("/stats/{measure:[a-z/-]+}.{extension:csv|parquet|json|svg}")]
pub async fn stats_file(
    request: HttpRequest,
    path: web::Path<(String, String)>,
    ThemedQuery(filters, theme): ThemedQuery<Filters>,
    library: web::Data<Library>,
    lists: web::Data<GameLists>,
    statistics: web::Data<Statistics>,
) -> Result<HttpResponse, Problem> {
    charge(&request, Policy::Expensive)?;
    let (name, extension) = path.into_inner();
    let measure = measure_at(&name)?;
    check_filters(&library, measure, &filters)?;
    let unknown = || Problem::new(Code::NotFound, format!("there is no file .{extension}"));
    let format = format_of(&extension, theme).ok_or_else(unknown)?;
    table(&request, filters, (lists, statistics), measure, format).await
}

/// One table in full: its picture, its numbers and their meaning.
#[get("/stats/{measure:[a-z/-]+}")]
pub async fn measure_page(
    request: HttpRequest,
    visit: Visit,
    path: web::Path<String>,
    games: web::Data<Games>,
    statistics: web::Data<Statistics>,
) -> Result<HttpResponse, Problem> {
    let texts = visit.texts;
    charge(&request, Policy::Expensive)?;
    let name = path.into_inner();
    let measure = measure_at(&name)?;
    let asked = read(&request)?;
    check_filters(games.library(), measure, &asked)?;
    let played = played(&statistics, &asked).await?;
    let filters = chosen(&asked, &played);
    let is_chosen = filters != asked;
    // The explorer shows one step at a time.
    let filters = Filters {
        levels: None,
        ..filters
    };
    let shown = texts.name("measure", measure.path);
    let action = format!("/stats/{}", shown_with(measure).path);
    // Strategies are not along a path: with one, it is its nations whose strategies are shown.
    let measure = shown_with(measure);
    let explorer = match measure == &OPENINGS {
        true => Some(explorer::explorer(&request, texts, &statistics, &filters).await?),
        false => None,
    };
    let figure = statistics.figure(measure, &filters, WHOLE).await?;
    let table = statistics.table(measure, &filters).await?;
    let answer = answer(texts, &table).map_err(StatisticsError::from)?;
    let main = html! {
        h1 { (texts.name("question", measure.path)) }
        (ways(texts, games.library(), measure.path, &filters))
        (filters_part(texts, games.library(), (measure.path, &action), (&filters, &played)))
        @if is_chosen { p class="hint" { (texts.text("stats-most")) } }
        @if let Some(explorer) = explorer { (explorer) }
        section class="panel" aria-labelledby="picture" {
            h2 id="picture" { (measure.title()) }
            @if let Some(answer) = answer { p class="lead" { (answer) } }
            @let more = measure.more();
            (figure.picture())
            @if !more.is_empty() { p class="faint more" { (inline(&more)) } }
            (figure.ways(&request, texts, measure, &filters))
        }
        (numbers(texts, &table)?)
        @if measure.has_rates() {
            details class="filters" {
                summary { (texts.text("versus-form")) }
                (versus::form(texts, measure, &filters))
            }
        }
    };
    Ok(page(&request, texts, frame(&shown).around(&visit, &main)))
}

/// The rows as a table, and what each column means.
fn numbers(texts: Texts, table: &StatisticsTable) -> Result<Markup, StatisticsError> {
    let (measure, rows) = (table.measure, &table.rows);
    Ok(html! {
        section aria-labelledby="numbers" {
            h2 id="numbers" { (texts.text("stats-numbers")) }
            @if rows.height() == 0 { p { (texts.text("stats-none")) } }
            @else {
                (listed(texts, rows, &ranked(table)?)?)
                @if rows.height() > LISTED {
                    p class="hint" { (texts.stats_more(rows.height() - LISTED)) " "
                        a href={ "/stats/" (measure.path) ".csv" (query(&table.filters)) } { (texts.text("stats-all-rows")) } }
                }
            }
            details {
                summary { (texts.text("stats-columns")) }
                (dictionary(&measure.columns()))
            }
        }
    })
}

/// The rows in order. Rows of win rates are sorted by the lower end of the interval of the pooled rate, highest first.
fn ranked(table: &StatisticsTable) -> Result<Vec<usize>, StatisticsError> {
    let mut rows: Vec<usize> = (0..table.rows.height()).collect();
    if let Ok(pooled) = table.rows.column("pooled_low") {
        let pooled = pooled.f64()?;
        rows.sort_by(|one, other| {
            let [one, other] = [one, other].map(|row| pooled.get(*row).unwrap_or_default());
            other.total_cmp(&one)
        });
    }
    Ok(rows)
}
