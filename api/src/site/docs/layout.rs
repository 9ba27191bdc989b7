//! The layout of the documentation: search and contents beside a page, and the ways to the pages around it.

use maud::{Markup, html};

use crate::site::docs::contents::{PageEntry, ROOT, pages};
use crate::site::docs::english;
use crate::site::docs::pages::Page;
use crate::site::frame::Frame;

/// From how many headings a page has a list of them.
const LISTED_FROM: usize = 3;

/// A page in the frame of the site.
pub fn whole(title: &str, current: &str, main: &Markup, behind: &Markup) -> Markup {
    let frame = Frame {
        title,
        part: ROOT,
        scripts: &["docs.js"],
        class: "manual",
    };
    let main = html! {
        div class="guide" {
            (search())
            details {
                summary { (english::DOCS_CONTENTS) }
                (contents(current))
            }
        }
        article class="docs" { (main) }
        (behind)
    };
    frame.around(&main)
}

/// A page of the contents.
pub fn page(page: &Page) -> Markup {
    let title = match page.entry.slug.as_str() {
        "" => english::DOCS_TITLE,
        _ => page.entry.title.as_str(),
    };
    let main = html! { (page.html) (neighbours(&page.entry.slug)) };
    whole(title, &page.entry.address(), &main, &on_this_page(page))
}

/// The field for the search, which needs a script.
fn search() -> Markup {
    html! {
        search class="script" {
            form class="search" data-index={ (ROOT) "/search.json" } data-root=(ROOT) {
                label class="visually-hidden" for="search" { (english::DOCS_SEARCH) }
                input id="search" type="search" placeholder=(english::DOCS_SEARCH) autocomplete="off" role="combobox"
                    aria-expanded="false" aria-controls="found" aria-autocomplete="list";
            }
            ul id="found" role="listbox" aria-label=(english::DOCS_FOUND) hidden {}
            p id="found-count" class="visually-hidden" role="status" data-none=(english::DOCS_FOUND_NONE)
                data-some=(english::DOCS_FOUND_SOME) {}
        }
    }
}

/// The contents, with the current page marked.
fn contents(current: &str) -> Markup {
    let parts = pages().chunk_by(|one, other| one.part == other.part);
    html! {
        nav aria-label=(english::DOCS_CONTENTS) {
            @for part in parts {
                @if !part[0].part.is_empty() { p class="part" { (part[0].part) } }
                ul {
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
fn on_this_page(page: &Page) -> Markup {
    let headings = page.sections.iter().map(|section| &section.heading);
    let headings = headings.filter(|heading| heading.level == 2);
    html! {
        @if headings.clone().count() >= LISTED_FROM {
            nav class="on-page" aria-label=(english::DOCS_ON_PAGE) {
                p class="part" { (english::DOCS_ON_PAGE) }
                ul { @for heading in headings { li { a href={ "#" (heading.id) } { (heading.text) } } } }
            }
        }
    }
}

/// Links to the previous and the next page.
pub fn neighbours(slug: &str) -> Markup {
    let pages = pages();
    let place = pages.iter().position(|page| page.slug == slug);
    let previous = place.and_then(|place| pages.get(place.checked_sub(1)?));
    let next = place.and_then(|place| pages.get(place + 1));
    html! {
        nav class="neighbours" aria-label=(english::DOCS_NEIGHBOURS) {
            @if let Some(page) = previous {
                a rel="prev" href=(page.address()) { span { (english::DOCS_PREVIOUS) } " " (page.title) }
            }
            @if let Some(page) = next {
                a rel="next" href=(page.address()) { span { (english::DOCS_NEXT) } " " (page.title) }
            }
        }
    }
}
