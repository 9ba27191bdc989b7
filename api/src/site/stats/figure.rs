//! A table of statistics as a picture, with links to its numbers and its citation.

use actix_web::HttpRequest;
use analytics::question::AsOf;
use analytics::{Filters, Measure, OPENINGS, OPENINGS_TREE};
use maud::{Markup, PreEscaped, html};

use crate::http::request::base;
use crate::site::stats::filter::query;
use crate::site::texts::Texts;
use crate::statistics::figure::Figure;

impl Figure {
    /// The picture, for wide windows and for narrow ones.
    pub fn picture(&self) -> Markup {
        html! {
            figure class="picture" {
                div class="wide" { (PreEscaped(&self.wide)) }
                div class="slim" { (PreEscaped(&self.narrow)) }
            }
        }
    }

    /// Links to the numbers, and their citation.
    pub fn ways(
        &self,
        request: &HttpRequest,
        texts: Texts,
        measure: &'static Measure,
        filters: &Filters,
    ) -> Markup {
        let (path, now) = (measure.path, query(filters));
        let base = base(request);
        // What is cited stays as it is. Results at real tables come between places of the log.
        let place = match measure.has_results(filters) {
            true => self.as_of.map(AsOf::Time),
            false => Some(AsOf::Position(self.log_position)),
        };
        let cited = query(&Filters {
            as_of: filters.as_of.or(place),
            ..filters.clone()
        });
        let call = format!("curl -H 'Accept: text/csv' '{base}/v1/stats/{path}{cited}'");
        let page = format!("{base}/stats/{}{cited}", shown_with(measure).path);
        html! {
            div class="ways" {
                @if self.more > 0 {
                    p class="hint" { (texts.stats_more_groups(self.more)) " "
                        a href={ "/stats/" (path) ".svg" (now) } { (texts.text("stats-whole-picture")) } }
                }
                ul class="downloads" {
                    @for (extension, name) in [("csv", "CSV"), ("parquet", "Parquet"), ("json", "JSON"), ("svg", "SVG")] {
                        li { a href={ "/stats/" (path) "." (extension) (now) }
                            aria-label=(texts.stats_file(measure.title(), name)) { (name) } }
                    }
                    @let dark = if now.is_empty() { "?theme=dark" } else { "&theme=dark" };
                    li { a href={ "/stats/" (path) ".svg" (now) (dark) }
                        aria-label=(texts.stats_file(measure.title(), texts.text("stats-dark"))) { (texts.text("stats-dark")) } }
                }
                details {
                    summary { (texts.text("stats-cite")) }
                    p { (texts.stats_citation(measure.title(), filters, (self.games, &self.data_version, self.as_of), &page)) }
                    p class="hint" { (texts.text("stats-call")) }
                    pre tabindex="0" { code { (call) } }
                }
                @if !self.complete { p class="hint" { (texts.text("stats-gathering")) } }
            }
        }
    }
}

/// The measure whose page shows a measure: the tree of openings is shown with the openings.
pub fn shown_with(measure: &'static Measure) -> &'static Measure {
    match measure == &OPENINGS_TREE {
        true => &OPENINGS,
        false => measure,
    }
}
