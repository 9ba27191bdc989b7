//! What columns of tables mean, from the code that computes them.

use analytics::MEASURES;
use analytics::facts::FactTable;
use maud::{Markup, html};

use crate::site::dictionary::dictionary;
use crate::site::docs::english;
use crate::site::markdown::inline;

/// Every column of every table.
pub fn tables() -> Markup {
    html! {
        h2 id="statistics" { (english::TABLES_MEASURES) }
        @for measure in MEASURES {
            @let path = measure.path;
            section class="panel" id=(measure.name) {
                h3 { (measure.title()) }
                p {
                    code { "GET /v1/stats/" (path) }
                    // A measure that needs a filter has no page without one.
                    @if measure.needs.is_empty() { " · " a href={ "/stats/" (path) } { (english::TABLES_LOOK) } }
                }
                @let more = measure.more();
                @if !more.is_empty() { p class="more" { (inline(&more)) } }
                details { summary { (english::columns(measure.columns().len())) } (dictionary(&measure.columns())) }
            }
        }
        h2 id="facts" { (english::TABLES_FACTS) }
        p { (english::TABLES_FACTS_LEAD) }
        @for table in FactTable::ALL {
            section class="panel" id={ "facts-" (table.name()) } {
                h3 { code { (table.name()) } }
                p { (inline(table.meaning())) }
                details { summary { (english::columns(table.columns().len())) } (dictionary(table.columns())) }
            }
        }
    }
}

/// The sections of the page for the search: the anchor, the title and the text of each.
pub fn sections() -> Vec<(String, String, String)> {
    let measures = MEASURES.iter().map(|measure| {
        let columns = measure.columns();
        let columns = columns.iter().map(|column| format!(" {}", column.name));
        let text = format!("{} {}", measure.meaning, columns.collect::<String>());
        (measure.name.to_owned(), measure.title().to_owned(), text)
    });
    let facts = FactTable::ALL.iter().map(|table| {
        let columns = table.columns().iter();
        let columns = columns.map(|column| format!(" {}", column.name));
        let text = format!("{} {}", table.meaning(), columns.collect::<String>());
        (
            format!("facts-{}", table.name()),
            table.name().to_owned(),
            text,
        )
    });
    measures.chain(facts).collect()
}
