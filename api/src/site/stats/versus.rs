//! Two samples of games compared on a page, and the form that asks for it.

use actix_web::{HttpRequest, HttpResponse, get, web};
use analytics::question::AsOf;
use analytics::{Filters, Measure, SampleComparison};
use charts::{NARROW, Theme, WIDE};
use maud::{Markup, PreEscaped, html};
use polars::prelude::PolarsResult;

use crate::games::Games;
use crate::http::limits::gate::charge;
use crate::http::limits::rates::Policy;
use crate::http::problem::Problem;
use crate::http::request::base;
use crate::http::request::query::Query;
use crate::site::choice::Visit;
use crate::site::dictionary::dictionary;
use crate::site::frame::page;
use crate::site::stats::filter;
use crate::site::stats::numbers::{LISTED, frame, listed};
use crate::site::texts::Texts;
use crate::statistics::Statistics;
use crate::statistics::comparison::{compared, measure_named, second};
use crate::statistics::figure::ROWS;

/// The filters in which two samples can differ, by their names in the form. `date` means before a date and from then
/// on.
pub const DIFFERENCES: [&str; 7] = [
    "bots",
    "time_control",
    "opening",
    "ruleset",
    "league",
    "rated",
    "date",
];

/// The fields of the form: the filters of both samples, in what they differ, and the two values.
struct VersusForm {
    filters: Filters,
    by: String,
    one: String,
    other: String,
}

impl VersusForm {
    fn read(request: &HttpRequest) -> Result<VersusForm, Problem> {
        let (mut by, mut one, mut other) = ("bots".to_owned(), String::new(), String::new());
        let mut rest = form_urlencoded::Serializer::new(String::new());
        for (name, value) in form_urlencoded::parse(request.query_string().as_bytes()) {
            match &*name {
                "by" => by = value.trim().to_owned(),
                "one" => one = value.trim().to_owned(),
                "other" => other = value.trim().to_owned(),
                _ if value.trim().is_empty() => {}
                _ => {
                    rest.append_pair(&name, &value);
                }
            }
        }
        if !DIFFERENCES.contains(&by.as_str()) {
            let known = DIFFERENCES.join(", ");
            let detail = format!("{by:?} is unknown; known values are {known}");
            return Err(Problem::invalid_parameter("by", detail));
        }
        if by == "bots" && one.is_empty() && other.is_empty() {
            (one, other) = ("none".to_owned(), "only".to_owned());
        }
        let Query(filters) = Query::read(&rest.finish())?;
        Ok(VersusForm {
            filters,
            by,
            one,
            other,
        })
    }

    /// The filters of the first sample, and the query that changes them.
    fn samples(&self) -> Result<(Filters, String), Problem> {
        let query = |pairs: &[(&str, &str)]| {
            let mut text = form_urlencoded::Serializer::new(String::new());
            text.extend_pairs(pairs).finish()
        };
        let (own, versus) = match self.by.as_str() {
            "date" => (
                query(&[("until", &self.one)]),
                query(&[("until", ""), ("since", &self.one)]),
            ),
            by => (query(&[(by, &self.one)]), query(&[(by, &self.other)])),
        };
        let mut given = self.filters.given();
        given.retain(|(name, _)| *name != self.by && (self.by != "date" || name != "until"));
        given.extend(form_urlencoded::parse(own.as_bytes()).into_owned());
        given.retain(|(_, value)| !value.is_empty());
        let mut text = form_urlencoded::Serializer::new(String::new());
        let Query(first) = Query::read(&text.extend_pairs(given).finish())?;
        Ok((first, versus))
    }
}

/// The form that asks for a comparison of a measure under these filters.
pub fn form(texts: Texts, measure: &Measure, filters: &Filters) -> Markup {
    fields(
        texts,
        measure,
        &VersusForm {
            filters: filters.clone(),
            by: DIFFERENCES[0].to_owned(),
            one: String::new(),
            other: String::new(),
        },
    )
}

fn fields(texts: Texts, measure: &Measure, asked: &VersusForm) -> Markup {
    html! {
        form class="filter" method="get" action={ "/stats/versus/" (measure.name) } aria-label=(texts.text("versus-form")) {
            label { (texts.text("versus-by"))
                select name="by" {
                    @for name in DIFFERENCES {
                        option value=(name) selected[name == asked.by] { (texts.name("versus", &name.replace('_', "-"))) }
                    }
                }
            }
            label { (texts.text("versus-one")) input name="one" value=(asked.one) maxlength="100"; }
            label { (texts.text("versus-other")) input name="other" value=(asked.other) maxlength="100"; }
            @for (name, value) in asked.filters.given().iter().filter(|(name, _)| *name != asked.by) {
                input type="hidden" name=(name) value=(value);
            }
            button { (texts.text("show")) }
        }
    }
}

/// Two samples of a measure, in a picture and in numbers.
#[get("/stats/versus/{measure}")]
pub async fn versus_page(
    request: HttpRequest,
    visit: Visit,
    path: web::Path<String>,
    games: web::Data<Games>,
    statistics: web::Data<Statistics>,
) -> Result<HttpResponse, Problem> {
    let texts = visit.texts;
    let measure = measure_named(&path)?;
    let asked = VersusForm::read(&request)?;
    let (first, versus) = asked.samples()?;
    let other = second(games.library(), measure, &first, &versus)?;
    charge(&request, Policy::Expensive)?;
    let write = move |comparison: &SampleComparison| {
        let mut picture = comparison.picture()?;
        picture.set_bare();
        picture.limit(ROWS);
        let is_empty = picture.is_empty();
        let pictures = [WIDE, NARROW].map(|width| picture.svg(width, Theme::Light));
        let answer = clear(texts, comparison)?;
        let pictures = (!is_empty).then_some(pictures);
        Ok((
            pictures,
            answer,
            numbers(texts, comparison)?,
            comparison.common_games,
        ))
    };
    let (pictures, answer, numbers, common) =
        compared(&statistics, measure, [&first, &other], write).await?;
    let name = texts.name("measure", measure.path);
    let title = texts.format("versus-title", [("measure", name.into())]);
    // What is cited stays as it is.
    let place = match measure.has_results(&first) {
        true => statistics
            .table(measure, &first)
            .await?
            .as_of
            .map(AsOf::Time),
        false => Some(AsOf::Position(statistics.progress().position)),
    };
    let first = Filters {
        as_of: first.as_of.or(place),
        ..first
    };
    let api = {
        let mut query = form_urlencoded::Serializer::new(String::new());
        let query = query.extend_pairs(first.given());
        let query = query.append_pair("versus", &versus).finish();
        format!(
            "{}/v1/stats/versus/{}?{query}",
            base(&request),
            measure.name
        )
    };
    let main = html! {
        h1 { (title) }
        p { (texts.text("versus-lead")) " " a href={ "/stats/" (measure.path) (filter::query(&asked.filters)) } { (texts.text("versus-back")) } }
        details class="filters" open { summary { (texts.text("versus-form")) } (fields(texts, measure, &asked)) }
        section class="panel" aria-labelledby="picture" {
            h2 id="picture" { (measure.title()) }
            p class="lead" { (answer) }
            @if common > 0 { p class="hint" { (texts.format("versus-common", [("games", common.into())])) } }
            @if let Some([wide, narrow]) = pictures {
                figure class="picture" {
                    div class="wide" { (PreEscaped(wide)) }
                    div class="slim" { (PreEscaped(narrow)) }
                }
            }
            details {
                summary { (texts.text("stats-cite")) }
                p class="hint" { (texts.text("stats-call")) }
                pre tabindex="0" { code { "curl -H 'Accept: text/csv' '" (api) "'" } }
            }
        }
        (numbers)
    };
    Ok(page(&request, texts, frame(&title).around(&visit, &main)))
}

/// Says how many rows differ beyond chance.
fn clear(texts: Texts, comparison: &SampleComparison) -> PolarsResult<String> {
    let rows = comparison.rows.height();
    let q = comparison.rows.column("q")?.f64()?;
    let clear = q.iter().flatten().filter(|q| *q < 0.05).count();
    Ok(match rows {
        0 => texts.text("versus-none").to_owned(),
        _ => texts.format(
            "versus-clear",
            [("clear", clear.into()), ("rows", rows.into())],
        ),
    })
}

fn numbers(texts: Texts, comparison: &SampleComparison) -> PolarsResult<Markup> {
    let rows = &comparison.rows;
    let order: Vec<usize> = (0..rows.height()).collect();
    Ok(html! {
        section aria-labelledby="numbers" {
            h2 id="numbers" { (texts.text("stats-numbers")) }
            @if !order.is_empty() { (listed(texts, rows, &order)?) }
            @if order.len() > LISTED { p class="hint" { (texts.stats_more(order.len() - LISTED)) } }
            details {
                summary { (texts.text("stats-columns")) }
                (dictionary(&SampleComparison::columns(comparison.measure)))
            }
        }
    })
}
