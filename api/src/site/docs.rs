//! The way into the documentation: first steps, the specification, and what columns of tables mean.

use actix_web::{HttpRequest, HttpResponse, get, web};
use analytics::MEASURES;
use analytics::facts::FactTable;
use maud::html;

use crate::http::problem::{Code, Problem};
use crate::http::request::base;
use crate::site::dictionary::dictionary;
use crate::site::english;
use crate::site::frame::{Frame, page};
use crate::site::markdown::{blocks, inline};

/// First steps in a language: the end of the path, and the text in Markdown.
const QUICKSTARTS: &[(&str, &str)] = &[
    (
        "python",
        include_str!("../../../openapi/quickstarts/python.md"),
    ),
    (
        "typescript",
        include_str!("../../../openapi/quickstarts/typescript.md"),
    ),
    (
        "league",
        include_str!("../../../openapi/quickstarts/league.md"),
    ),
];

/// The title of a text in Markdown, and what is behind it.
fn title(text: &str) -> (&str, &str) {
    let (first, rest) = text.split_once('\n').unwrap_or((text, ""));
    (first.trim_start_matches(['#', ' ']), rest)
}

fn frame(title: &str) -> Frame<'_> {
    Frame {
        title,
        part: "/docs",
        scripts: &[],
        class: "docs",
    }
}

/// The way to everything that is written.
#[get("/docs")]
pub async fn docs_page(request: HttpRequest) -> HttpResponse {
    let main = html! {
        h1 { (english::DOCS_TITLE) }
        p { (english::DOCS_LEAD) }
        h2 { (english::DOCS_START) }
        pre tabindex="0" { code { (english::docs_first(&base(&request))) } }
        ul class="parts" {
            @for (name, text) in QUICKSTARTS {
                li {
                    h3 { a href={ "/docs/quickstarts/" (name) } { (title(text).0) } }
                    p { (english::quickstart(name)) }
                }
            }
        }
        @for (heading, entries) in english::DOCS_PARTS {
            h2 { (heading) }
            ul class="parts" {
                @for (href, name, about) in *entries {
                    li { h3 { a href=(href) { (name) } } p { (about) } }
                }
            }
        }
    };
    page(&request, frame(english::DOCS_TITLE).around(&main))
}

/// First steps in a language.
#[get("/docs/quickstarts/{name}")]
pub async fn quickstart_page(
    request: HttpRequest,
    name: web::Path<String>,
) -> Result<HttpResponse, Problem> {
    let found = QUICKSTARTS.iter().find(|(own, _)| *own == name.as_str());
    let Some((_, text)) = found else {
        let names: Vec<&str> = QUICKSTARTS.iter().map(|(name, _)| *name).collect();
        let detail = format!(
            "there is no quickstart {name:?}; there are {}",
            names.join(", ")
        );
        return Err(Problem::new(Code::NotFound, detail));
    };
    let (heading, text) = title(text);
    let main = html! {
        h1 { (heading) }
        (blocks(text))
        p { a class="button" href="/docs" { (english::DOCS_BACK) } }
    };
    Ok(page(&request, frame(heading).around(&main)))
}

/// Every column of every table.
#[get("/docs/tables")]
pub async fn tables_page(request: HttpRequest) -> HttpResponse {
    let main = html! {
        h1 { (english::TABLES_TITLE) }
        p { (english::TABLES_LEAD) }
        h2 { (english::TABLES_MEASURES) }
        @for measure in MEASURES {
            @let path = measure.path;
            section class="panel" id=(measure.name) {
                h3 { (measure.title()) }
                p {
                    code { "GET /v1/stats/" (path) }
                    // Some answer nobody who does not say of whom or of what.
                    @if measure.needs.is_empty() { " · " a href={ "/stats/" (path) } { (english::TABLES_LOOK) } }
                }
                @let more = measure.more();
                @if !more.is_empty() { p class="more" { (inline(&more)) } }
                details { summary { (english::columns(measure.columns().len())) } (dictionary(&measure.columns())) }
            }
        }
        h2 { (english::TABLES_FACTS) }
        p { (english::TABLES_FACTS_LEAD) }
        @for table in FactTable::ALL {
            section class="panel" id={ "facts-" (table.name()) } {
                h3 { code { (table.name()) } }
                p { (inline(table.meaning())) }
                details { summary { (english::columns(table.columns().len())) } (dictionary(table.columns())) }
            }
        }
    };
    page(&request, frame(english::TABLES_TITLE).around(&main))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_markdown_of_quickstarts_becomes_html() {
        let text = "# A title\n\nOne `two`\nthree.\n\n## Four\n\n```sh\nls <x>\n```\n\nEnd.\n";
        let (heading, rest) = title(text);
        assert_eq!(heading, "A title");
        let told = blocks(rest).into_string();
        let wanted = "<p>One <code>two</code>\nthree.</p><h2>Four</h2>\
            <pre tabindex=\"0\"><code>ls &lt;x&gt;</code></pre><p>End.</p>";
        assert_eq!(told, wanted);
        for (name, text) in QUICKSTARTS {
            assert!(text.starts_with("# "), "{name}");
            assert_eq!(text.matches("\n```").count() % 2, 0, "{name}");
        }
    }
}
