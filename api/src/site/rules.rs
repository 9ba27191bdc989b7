//! The rules by number, with a place for each that problems and records link to.

use actix_web::{HttpRequest, HttpResponse, get, web};
use charts::titled;
use engine::content::{RuleText, rule_texts};
use maud::{Markup, html};

use crate::games::Games;
use crate::http::problem::Problem;
use crate::http::request::path::not_found;
use crate::site::choice::Visit;
use crate::site::frame::{Frame, page};
use crate::site::preview::Preview;
use crate::site::texts::Texts;

/// The editions whose rules can be read.
#[get("/rules")]
pub async fn editions_page(
    request: HttpRequest,
    visit: Visit,
    games: web::Data<Games>,
) -> HttpResponse {
    let texts = visit.texts;
    let main = html! {
        h1 { (texts.text("rules-title")) }
        p { (texts.text("rules-lead")) }
        ul class="parts" {
            @for ruleset in games.library().rulesets() {
                @let edition = &ruleset.data.edition;
                li {
                    h2 { a href={ "/rules/" (edition) } { (ruleset.data.name) } }
                    p { (texts.rules_count(rule_texts(edition).count(), ruleset.data.version)) }
                }
            }
        }
    };
    let frame = Frame {
        title: texts.text("rules-title"),
        part: "/rules",
        scripts: &[],
        class: "",
    };
    page(&request, texts, frame.around(&visit, &main))
}

/// The rules of an edition.
#[get("/rules/{edition}")]
pub async fn rules_page(
    request: HttpRequest,
    visit: Visit,
    edition: web::Path<String>,
    games: web::Data<Games>,
) -> Result<HttpResponse, Problem> {
    let texts = visit.texts;
    let edition = edition.into_inner();
    let Some(ruleset) = games.library().ruleset(&edition) else {
        return Err(not_found("edition", &edition));
    };
    let rules: Vec<&RuleText> = rule_texts(&edition).collect();
    let main = html! {
        h1 { (ruleset.data.name) }
        p { (texts.text("rules-about")) }
        (chapters(texts, &rules))
    };
    let frame = Frame {
        title: &texts.rules_of(&ruleset.data.name),
        part: "/rules",
        scripts: &[],
        class: "rules",
    };
    let board = games
        .library()
        .boards()
        .find(|board| board.data.edition == edition);
    let mut preview = Preview::new(texts, texts.text("rules-about"));
    if let Some(board) = board {
        preview = preview.with_board(&board.data.id);
    }
    Ok(page(
        &request,
        texts,
        frame.previewed(&visit, &preview, &main),
    ))
}

/// The chapters of rules with a list of their headings. Each rule has its number as its anchor.
pub fn chapters(texts: Texts, rules: &[&RuleText]) -> Markup {
    let chapters: Vec<&[&RuleText]> = rules
        .chunk_by(|one, other| (&one.edition, &one.heading) == (&other.edition, &other.heading))
        .collect();
    html! {
        nav class="contents" aria-label=(texts.text("rules-contents")) {
            ul lang="en" {
                @for chapter in &chapters {
                    li { a href={ "#" (chapter[0].number) } { (inline(&chapter[0].heading, rules)) } }
                }
            }
        }
        @for (place, chapter) in chapters.iter().enumerate() {
            @if place > 0 && chapters[place - 1][0].edition != chapter[0].edition {
                p class="hint" { (texts.rules_of_base(&titled(&chapter[0].edition))) }
            }
            h2 lang="en" { (inline(&chapter[0].heading, rules)) }
            @for rule in *chapter { (one_rule(texts, rule, rules)) }
        }
    }
}

fn one_rule(texts: Texts, rule: &RuleText, rules: &[&RuleText]) -> Markup {
    let notes = |mark: &str, notes: &[String]| {
        html! { @for note in notes { div class="note" { b lang=(texts.0.code()) { (mark) } (blocks(texts, note, rules)) } } }
    };
    html! {
        div class="rule" lang="en" id=(rule.number) {
            a class="number" href={ "#" (rule.number) } { (rule.number) }
            div {
                (blocks(texts, &rule.text, rules))
                (notes(texts.text("rules-ruling"), &rule.rulings))
                (notes(texts.text("rules-assumed"), &rule.assumed))
            }
        }
    }
}

/// The Markdown of a rule: paragraphs, lists and tables.
fn blocks(texts: Texts, text: &str, rules: &[&RuleText]) -> Markup {
    let lines: Vec<&str> = text
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .collect();
    let kind = |line: &str| (line.starts_with('|'), line.starts_with("- "));
    html! {
        @for block in lines.chunk_by(|one, other| kind(one) == kind(other)) {
            @match kind(block[0]) {
                (true, _) => (table(texts, block, rules)),
                (_, true) => ul class="points" { @for line in block { li { (inline(&line[2..], rules)) } } },
                _ => p { (inline(&block.join(" "), rules)) }
            }
        }
    }
}

fn table(texts: Texts, lines: &[&str], rules: &[&RuleText]) -> Markup {
    let cells = |line: &str| -> Vec<String> {
        let inside = line.trim_matches('|');
        inside
            .split('|')
            .map(|cell| cell.trim().to_owned())
            .collect()
    };
    let rows = lines.iter().skip(1).filter(|line| !line.contains("---"));
    html! {
        div class="scroll" tabindex="0" role="group" aria-label=(texts.text("rules-table")) {
            table {
                thead { tr { @for cell in cells(lines[0]) { th scope="col" { (inline(&cell, rules)) } } } }
                tbody { @for row in rows { tr { @for cell in cells(row) { td { (inline(&cell, rules)) } } } } }
            }
        }
    }
}

/// Text with `code`, **weight** and links to the rules that it cites.
fn inline(text: &str, rules: &[&RuleText]) -> Markup {
    let cited = |text: &str| -> Markup {
        let parts = text.split_inclusive(']');
        let cut = |part: &'_ str| -> Option<(String, String)> {
            let (before, number) = part.strip_suffix(']')?.rsplit_once('[')?;
            Some((before.to_owned(), number.to_owned()))
        };
        html! {
            @for part in parts {
                @match cut(part) {
                    Some((before, number)) if rules.iter().any(|rule| rule.number == number) => {
                        (before) a href={ "#" (number) } { "[" (number) "]" }
                    }
                    _ => (part)
                }
            }
        }
    };
    html! {
        @for (place, part) in text.split('`').enumerate() {
            @if place % 2 == 1 { code { (part) } }
            @else {
                @for (place, part) in part.split("**").enumerate() {
                    @if place % 2 == 1 { b { (part) } } @else { (cited(part)) }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_markdown_of_rules_becomes_html() {
        let rules: Vec<&RuleText> = rule_texts("antike").collect();
        let text = inline("a `b` **c** [A2] [x] <d>", &rules).into_string();
        let wanted = "a <code>b</code> <b>c</b> <a href=\"#A2\">[A2]</a> [x] &lt;d&gt;";
        assert_eq!(text, wanted);
        let text = blocks(
            Texts::ENGLISH,
            "one\ntwo\n\n- a\n- b\n\n| c | d |\n| --- | --- |\n| 1 | 2 |",
            &rules,
        )
        .into_string();
        for part in [
            "<p>one two</p>",
            "<li>a</li><li>b</li>",
            "<th scope=\"col\">c</th>",
            "<td>2</td>",
        ] {
            assert!(text.contains(part), "{part}: {text}");
        }
    }
}
