//! Filters of statistics in the address: read from it, written into links, and as a form.

use actix_web::HttpRequest;
use analytics::Filters;
use analytics::question::Inclusion;
use engine::content::Library;
use maud::{Markup, html};

use crate::http::problem::Problem;
use crate::http::request::query::Query;
use crate::site::texts::Texts;

/// The fields of the form with their labels; other filters of the address are kept as they are.
const FIELDS: [(&str, &str); 15] = [
    ("board", "stats-board"),
    ("nations", "stats-nations"),
    ("nation", "stats-nation"),
    ("against", "stats-against"),
    ("opening", "stats-opening"),
    ("know_how", "stats-know-how"),
    ("without_know_how", "stats-without-know-how"),
    ("by_round", "stats-by-round"),
    ("min_rating", "stats-min-rating"),
    ("max_rating", "stats-max-rating"),
    ("min_table_rating", "stats-min-table-rating"),
    ("bots", "stats-play"),
    ("time_control", "stats-time-control"),
    ("since", "stats-since"),
    ("min_games", "stats-min"),
];

/// Returns the label of a filter if the form has it.
fn label(texts: Texts, name: &str) -> Option<&'static str> {
    let field = FIELDS.iter().find(|(own, _)| *own == name);
    field.map(|(_, label)| texts.text(label))
}

/// Returns a filter with its value in words: with the label in the form, or else as in the API.
pub fn in_words(texts: Texts, name: &str, value: &str) -> String {
    let Some(label) = label(texts, name) else {
        return format!("{name}={value}");
    };
    let value = match name {
        "board" => return texts.short_board(value),
        "nation" | "against" => texts.nation(value),
        "bots" => match value {
            "none" => return texts.text("stats-people").to_owned(),
            "only" => return texts.text("stats-bots").to_owned(),
            other => other.to_owned(),
        },
        "since" => value.chars().take(10).collect(),
        "opening" | "know_how" | "without_know_how" | "time_control" => {
            texts.name(&name.replace('_', "-"), value)
        }
        _ => value.to_owned(),
    };
    format!("{label}: {value}")
}

/// The opening strategies and the time controls, as filters name them.
pub const OPENINGS: [&str; 4] = ["growth", "military", "progress", "other"];
pub const TIME_CONTROLS: [&str; 3] = ["live", "correspondence", "unlimited"];

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

/// The filters as the query after a path; empty if there are none.
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
    let mut know_hows: Vec<&str> = (library.rulesets())
        .flat_map(|ruleset| ruleset.data.know_how.iter().map(|own| own.id.as_str()))
        .collect();
    know_hows.sort_unstable();
    know_hows.dedup();
    let labelled = |field: &str| label(texts, field).unwrap_or_default();
    let nation = |field: &str| {
        html! {
            label { (labelled(field))
                select name=(field) {
                    (option("", texts.text("any"), false))
                    @for name in &nations { (option(name, &texts.nation(name), *name == value(field))) }
                }
            }
        }
    };
    let words = |field: &str, names: &[&str]| {
        html! {
            label { (labelled(field))
                select name=(field) {
                    (option("", texts.text("any"), false))
                    @for name in names { (option(name, &texts.name(&field.replace('_', "-"), name), *name == value(field))) }
                }
            }
        }
    };
    let rating = |field: &str| {
        html! { label { (labelled(field)) input type="number" name=(field) min="0" max="100" value=(value(field)); } }
    };
    let since: String = value("since").chars().take(10).collect();
    html! {
        form class="filter" method="get" action=(action) aria-label=(texts.text("stats-form")) {
            label { (labelled("board"))
                select name="board" {
                    (option("", texts.text("any"), false))
                    @for board in library.boards() {
                        @let id = board.data.id.as_str();
                        (option(id, &texts.short_board(id), id == value("board")))
                    }
                }
            }
            label { (labelled("nations"))
                select name="nations" {
                    (option("", texts.text("any"), false))
                    @for count in counts {
                        @let count = count.to_string();
                        (option(&count, &count, count == value("nations")))
                    }
                }
            }
            (nation("nation"))
            (nation("against"))
            (words("opening", &OPENINGS))
            (words("know_how", &know_hows))
            (words("without_know_how", &know_hows))
            label { (labelled("by_round")) input type="number" name="by_round" min="1" max="1000" value=(value("by_round")); }
            (rating("min_rating"))
            (rating("max_rating"))
            (rating("min_table_rating"))
            label { (labelled("bots"))
                select name="bots" {
                    @for (which, name, words) in [
                        (Inclusion::Any, "", texts.text("any")),
                        (Inclusion::None, "none", texts.text("stats-people")),
                        (Inclusion::Only, "only", texts.text("stats-bots")),
                    ] { (option(name, words, filters.bots == which)) }
                }
            }
            (words("time_control", &TIME_CONTROLS))
            label { (labelled("since")) input type="date" name="since" value=(since); }
            label { (labelled("min_games")) input type="number" name="min_games" min="1" max="1000000" value=(value("min_games")); }
            @for (name, value) in given.iter().filter(|(name, _)| label(texts, name).is_none()) {
                input type="hidden" name=(name) value=(value);
            }
            button { (texts.text("show")) }
        }
    }
}
