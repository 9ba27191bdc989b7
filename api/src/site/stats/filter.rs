//! Filters of statistics in the address: read from it, written into links, and as a form.

use actix_web::HttpRequest;
use analytics::Filters;
use analytics::question::Inclusion;
use engine::content::Library;
use maud::{Markup, html};

use crate::http::problem::Problem;
use crate::http::request::query::Query;
use crate::site::texts::Texts;

/// The fields of the form; other filters of the address are kept as they are.
const FIELDS: [&str; 6] = ["board", "nations", "nation", "bots", "since", "min_games"];

/// The filters of a request. Forms send empty texts for what is not chosen.
///
/// # Errors
/// 422 when one cannot be read.
pub fn read(request: &HttpRequest) -> Result<Filters, Problem> {
    let pairs = form_urlencoded::parse(request.query_string().as_bytes());
    let chosen = pairs.filter(|(_, value)| !value.trim().is_empty());
    let text = form_urlencoded::Serializer::new(String::new())
        .extend_pairs(chosen)
        .finish();
    Ok(Query::<Filters>::read(&text)?.0)
}

/// The filters behind a path; nothing when all are left out.
pub fn query(filters: &Filters) -> String {
    let given = filters.given();
    if given.is_empty() {
        return String::new();
    }
    let written = form_urlencoded::Serializer::new(String::new())
        .extend_pairs(given)
        .finish();
    // Commas between stops need no escape in a query (RFC 3986, section 3.4).
    format!("?{}", written.replace("%2C", ","))
}

fn option(value: &str, name: &str, chosen: bool) -> Markup {
    html! { option value=(value) selected[chosen] { (name) } }
}

/// A form that asks a page for other filters.
pub fn form(texts: Texts, library: &Library, action: &str, filters: &Filters) -> Markup {
    let given = filters.given();
    let value = |name: &str| {
        let found = given.iter().find(|(own, _)| own == name);
        found.map_or("", |(_, value)| value.as_str())
    };
    let mut nations: Vec<&str> = library.boards().flat_map(|board| board.nations()).collect();
    nations.sort_unstable();
    nations.dedup();
    let counts = library.boards().flat_map(|board| board.data.starts.keys());
    let mut counts: Vec<u8> = counts.copied().collect();
    counts.sort_unstable();
    counts.dedup();
    let since: String = value("since").chars().take(10).collect();
    html! {
        form class="filter" method="get" action=(action) aria-label=(texts.text("stats-form")) {
            label { (texts.text("stats-board"))
                select name="board" {
                    (option("", texts.text("any"), false))
                    @for board in library.boards() {
                        @let id = board.data.id.as_str();
                        (option(id, &texts.short_board(id), id == value("board")))
                    }
                }
            }
            label { (texts.text("stats-nations"))
                select name="nations" {
                    (option("", texts.text("any"), false))
                    @for count in counts {
                        @let count = count.to_string();
                        (option(&count, &count, count == value("nations")))
                    }
                }
            }
            label { (texts.text("stats-nation"))
                select name="nation" {
                    (option("", texts.text("any"), false))
                    @for name in nations { (option(name, &texts.nation(name), name == value("nation"))) }
                }
            }
            label { (texts.text("stats-play"))
                select name="bots" {
                    @for (which, name, words) in [
                        (Inclusion::Any, "", texts.text("any")),
                        (Inclusion::None, "none", texts.text("stats-people")),
                        (Inclusion::Only, "only", texts.text("stats-bots")),
                    ] { (option(name, words, filters.bots == which)) }
                }
            }
            label { (texts.text("stats-since")) input type="date" name="since" value=(since); }
            label { (texts.text("stats-min")) input type="number" name="min_games" min="1" max="1000000" value=(value("min_games")); }
            @for (name, value) in given.iter().filter(|(name, _)| !FIELDS.contains(&name.as_str())) {
                input type="hidden" name=(name) value=(value);
            }
            button { (texts.text("show")) }
        }
    }
}
