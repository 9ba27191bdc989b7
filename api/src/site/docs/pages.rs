//! The pages as HTML, rendered once in a process.

use std::sync::LazyLock;

use engine::content::{RuleText, rule_texts};
use maud::{Markup, html};

use crate::site::docs::contents::{PageEntry, PageSource, pages, resolve};
use crate::site::docs::english;
use crate::site::docs::tables;
use crate::site::markdown::{MarkdownSection, RenderedMarkdown, render};
use crate::site::rules;
use crate::site::texts::Texts;

/// A page of the documentation.
#[derive(Debug)]
pub struct Page {
    /// Its place in the contents.
    pub entry: &'static PageEntry,
    /// The HTML of its main part.
    pub html: Markup,
    /// Its sections, for the search and the list of headings.
    pub sections: Vec<MarkdownSection>,
    /// Sections of the appended part, for the search: anchor, title, text.
    pub appended: Vec<(String, String, String)>,
}

/// Every page, in the order of the contents.
pub fn all() -> &'static [Page] {
    static PAGES: LazyLock<Vec<Page>> = LazyLock::new(|| pages().iter().map(page).collect());
    &PAGES
}

/// The index of the page with this slug.
pub fn position(slug: &str) -> Option<usize> {
    pages().iter().position(|page| page.slug == slug)
}

fn page(entry: &'static PageEntry) -> Page {
    let PageSource { path, text } = entry.source;
    let RenderedMarkdown { html, sections } = render(text, &|link| resolve(path, link));
    let (appendix, appended) = appendix(&entry.slug);
    Page {
        entry,
        html: html! { (html) (appendix) },
        sections,
        appended,
    }
}

/// What the program adds to a page, and the sections of it.
fn appendix(slug: &str) -> (Markup, Vec<(String, String, String)>) {
    let edition = match slug {
        "tables" => return (tables::tables(), tables::sections()),
        "rules-antike" => "antike",
        "rules-antike-ii" => "antike_ii",
        "rules-antike-duellum" => "antike_duellum",
        _ => return (html! {}, Vec::new()),
    };
    // An edition builds on the rules of others, which have pages of their own.
    let texts: Vec<&RuleText> = rule_texts(edition).collect();
    let html = html! {
        h2 id="rules-by-number" { (english::DOCS_RULES) }
        div class="rules" { (rules::chapters(Texts::ENGLISH, &texts)) }
    };
    let own = texts.iter().filter(|rule| rule.edition == edition);
    let sections = own.map(|rule| {
        let title = format!("{}: {}", rule.number, rule.heading);
        let notes = rule.rulings.iter().chain(&rule.assumed);
        let notes = notes.map(|note| format!(" {note}")).collect::<String>();
        (rule.number.clone(), title, format!("{}{notes}", rule.text))
    });
    (html, sections.collect())
}
