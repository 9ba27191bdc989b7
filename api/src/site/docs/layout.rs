//! The layout of the documentation: search, contents, the page, and links to the pages around it.

use maud::{Markup, html};

use crate::site::choice::Visit;
use crate::site::docs::contents::{PageEntry, ROOT, pages};
use crate::site::docs::pages::Page;
use crate::site::frame::Frame;
use crate::site::preview::Preview;
use crate::site::texts::Texts;

/// From how many headings a page has a list of them.
const LISTED_FROM: usize = 3;

/// A page in the frame of the site; `about` describes it, if anything does.
pub fn whole(
    visit: &Visit,
    (title, about): (&str, Option<&str>),
    current: &str,
    main: &Markup,
    behind: &Markup,
) -> Markup {
    let texts = visit.texts;
    let preview = match about {
        Some(about) => Preview::new(texts, about),
        None => Preview::of_part(texts, ROOT),
    };
    let frame = Frame {
        title,
        part: ROOT,
        scripts: &["docs.js"],
        class: "manual",
    };
    let main = html! {
        div class="guide" {
            (search(texts))
            details {
                summary { (texts.text("docs-contents")) }
                (contents(texts, current))
            }
        }
        article class="docs" lang="en" { (main) }
        (behind)
    };
    frame.previewed(visit, &preview, &main)
}

/// A page of the contents.
pub fn page(visit: &Visit, page: &Page) -> Markup {
    let texts = visit.texts;
    let title = match page.entry.slug.as_str() {
        "" => texts.text("docs-title"),
        _ => page.entry.title.as_str(),
    };
    let main = html! { (page.html) (neighbours(texts, &page.entry.slug)) };
    let headings = on_this_page(texts, page);
    // The text below the title says what the reader can do after the page.
    let first = page.sections.first().map(|section| section.text.as_str());
    let about = first.filter(|text| !text.trim().is_empty());
    let address = page.entry.address();
    whole(visit, (title, about), &address, &main, &headings)
}

/// The field for the search, which needs a script.
fn search(texts: Texts) -> Markup {
    html! {
        search class="script" {
            form class="search" data-index={ (ROOT) "/search.json" } data-root=(ROOT) {
                label class="visually-hidden" for="search" { (texts.text("docs-search")) }
                input id="search" type="text" inputmode="search" placeholder=(texts.text("docs-search")) autocomplete="off" role="combobox"
                    aria-expanded="false" aria-controls="found" aria-autocomplete="list";
            }
            ul id="found" role="listbox" aria-label=(texts.text("docs-found")) hidden {}
            p id="found-count" class="visually-hidden" role="status" data-none=(texts.text("docs-found-none"))
                data-some={ (texts.text("docs-found-some")) " " } {}
        }
    }
}

/// The contents, with the current page marked.
fn contents(texts: Texts, current: &str) -> Markup {
    let parts = pages().chunk_by(|one, other| one.part == other.part);
    html! {
        nav aria-label=(texts.text("docs-contents")) {
            @for part in parts {
                @if !part[0].part.is_empty() { p class="part" lang="en" { (part[0].part) } }
                ul lang="en" {
                    @for page in part { (link(page, current)) }
                }
            }
        }
    }
}

fn link(page: &PageEntry, current: &str) -> Markup {
    let address = page.address();
    html! {
        li class=[(page.depth > 0).then_some("nested")] {
            a href=(address) aria-current=[(address == current).then_some("page")] { (page.title) }
        }
    }
}

/// The headings of a page.
fn on_this_page(texts: Texts, page: &Page) -> Markup {
    let headings = page.sections.iter().map(|section| &section.heading);
    let headings = headings.filter(|heading| heading.level == 2);
    html! {
        @if headings.clone().count() >= LISTED_FROM {
            nav class="on-page" aria-label=(texts.text("docs-on-page")) {
                p class="part" { (texts.text("docs-on-page")) }
                ul lang="en" { @for heading in headings { li { a href={ "#" (heading.id) } { (heading.text) } } } }
            }
        }
    }
}

/// Links to the previous and the next page.
pub fn neighbours(texts: Texts, slug: &str) -> Markup {
    let pages = pages();
    let place = pages.iter().position(|page| page.slug == slug);
    let previous = place.and_then(|place| pages.get(place.checked_sub(1)?));
    let next = place.and_then(|place| pages.get(place + 1));
    html! {
        nav class="neighbours" lang=(texts.0.code()) aria-label=(texts.text("docs-neighbours")) {
            @if let Some(page) = previous {
                a rel="prev" href=(page.address()) { span { (texts.text("docs-previous")) } " " (page.title) }
            }
            @if let Some(page) = next {
                a rel="next" href=(page.address()) { span { (texts.text("docs-next")) } " " (page.title) }
            }
        }
    }
}
