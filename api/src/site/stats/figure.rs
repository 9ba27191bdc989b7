//! A table of statistics as a picture, with the ways to its numbers and how to cite it.

use actix_web::HttpRequest;
use analytics::filter_values::AsOf;
use analytics::{Filters, Measure, Table};
use charts::Theme;
use jiff::Timestamp;
use maud::{Markup, PreEscaped, html};
use polars::prelude::{PolarsResult, polars_err};
use serde::{Deserialize, Serialize};

use crate::http::problem::{Code, Problem};
use crate::http::request::base;
use crate::site::english;
use crate::site::stats::filter::query;
use crate::statistics::handlers::refused;
use crate::statistics::{Format, Statistics};

/// How many rows of a group a picture has on the page of all.
const FEW: usize = 10;

/// How many rows of a group a picture has on its own page.
const MANY: usize = 16;

/// How many rows the picture of a page has in all groups together; the picture in the files has all groups.
const ROWS: usize = 48;

/// What a page shows of a table: how it looks, and what it is made of.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Figure {
    /// As SVG, wide and narrow; the style sheet gives it the colours of the page.
    wide: String,
    narrow: String,
    /// How many rows or lines are drawn.
    pub rows: usize,
    /// How many groups of rows are not drawn.
    pub more: usize,
    games: u64,
    data_version: String,
    log_position: i64,
    as_of: Option<Timestamp>,
    complete: bool,
}

/// With few rows, and of tables of several kinds of rows those of one kind.
pub const SHORT: Format = ("text/html;rows=few", |table| {
    let only = match table.measure {
        Measure::Personages => Some("leading"),
        Measure::Lengths => Some("rounds"),
        Measure::Cards => Some("played"),
        _ => None,
    };
    written(table, FEW, only, charts::MIDDLE)
});

/// With many rows of each kind.
pub const WHOLE: Format = ("text/html;rows=many", |table| {
    written(table, MANY, None, charts::WIDE)
});

fn written(table: &Table, most: usize, only: Option<&str>, wide: u32) -> PolarsResult<Vec<u8>> {
    let mut picture = table.picture(most, only)?;
    picture.set_bare();
    let more = picture.limit(ROWS);
    let figure = Figure {
        wide: picture.svg(wide, Theme::Light),
        narrow: picture.svg(charts::NARROW, Theme::Light),
        rows: picture.len(),
        more,
        games: table.games,
        data_version: table.data_version.clone(),
        log_position: table.log_position,
        as_of: table.as_of,
        complete: table.complete,
    };
    serde_json::to_vec(&figure).map_err(|error| polars_err!(ComputeError: "{error}"))
}

impl Figure {
    /// The picture of a table.
    pub async fn of(
        statistics: &Statistics,
        measure: Measure,
        filters: &Filters,
        format: Format,
    ) -> Result<Figure, Problem> {
        let answer = statistics.answer(measure, filters, format).await;
        let answer = answer.map_err(|error| refused(&error))?;
        let broken = |error: serde_json::Error| Problem::new(Code::Internal, error.to_string());
        serde_json::from_slice(&answer.body).map_err(broken)
    }

    /// The picture, for wide windows and for narrow ones.
    pub fn picture(&self) -> Markup {
        html! {
            figure class="picture" {
                div class="wide" { (PreEscaped(&self.wide)) }
                div class="slim" { (PreEscaped(&self.narrow)) }
            }
        }
    }

    /// The ways to the numbers, and how to cite them.
    pub fn ways(&self, request: &HttpRequest, measure: Measure, filters: &Filters) -> Markup {
        let (path, now) = (measure.path(), query(filters));
        let base = base(request);
        // What is cited stays as it is. Results at real tables come between places of the log.
        let told = match filters.has_results(measure) {
            true => self.as_of.map(AsOf::Time),
            false => Some(AsOf::Position(self.log_position)),
        };
        let cited = query(&Filters {
            as_of: filters.as_of.or(told),
            ..filters.clone()
        });
        let call = format!("curl -H 'Accept: text/csv' '{base}/v1/stats/{path}{cited}'");
        let page = format!("{base}/stats/{}{cited}", page_of(measure));
        html! {
            div class="ways" {
                @if self.more > 0 {
                    p class="hint" { (english::stats_more_groups(self.more)) " "
                        a href={ "/stats/" (path) ".svg" (now) } { (english::STATS_WHOLE_PICTURE) } }
                }
                ul class="downloads" {
                    @for (extension, name) in [("csv", "CSV"), ("parquet", "Parquet"), ("json", "JSON"), ("svg", "SVG")] {
                        li { a href={ "/stats/" (path) "." (extension) (now) }
                            aria-label=(english::stats_file(measure.title(), name)) { (name) } }
                    }
                    @let dark = if now.is_empty() { "?theme=dark" } else { "&theme=dark" };
                    li { a href={ "/stats/" (path) ".svg" (now) (dark) }
                        aria-label=(english::stats_file(measure.title(), english::STATS_DARK)) { (english::STATS_DARK) } }
                }
                details {
                    summary { (english::STATS_CITE) }
                    p { (english::stats_citation(measure.title(), filters, (self.games, &self.data_version, self.as_of), &page)) }
                    p class="hint" { (english::STATS_CALL) }
                    pre tabindex="0" { code { (call) } }
                }
                @if !self.complete { p class="hint" { (english::STATS_GATHERING) } }
            }
        }
    }
}

/// The part of the address of a measure's page: the tree of openings is shown with the openings.
pub fn page_of(measure: Measure) -> String {
    match measure {
        Measure::OpeningsTree => Measure::Openings.path(),
        measure => measure.path(),
    }
}
