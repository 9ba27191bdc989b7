//! The index of the search: a list of sections that the browser searches.

use std::sync::LazyLock;

use serde::Serialize;

use crate::site::docs::pages::all;

/// How many characters of a section's text are searched.
const LONGEST: usize = 1500;

/// A section that can be found.
#[derive(Clone, Debug, Serialize)]
pub struct Found {
    /// Its place in the index.
    pub id: usize,
    /// Where it is, relative to the documentation: the end of the page's address and the anchor.
    pub at: String,
    /// Its heading.
    pub title: String,
    /// The page.
    pub page: String,
    /// Its text.
    pub text: String,
}

/// The sections of all pages, in order.
fn sections() -> Vec<Found> {
    let mut found = Vec::new();
    for page in all() {
        let slug = &page.entry.slug;
        for section in &page.sections {
            let heading = &section.heading;
            let anchor = match heading.level {
                1 => String::new(),
                _ => format!("#{}", heading.id),
            };
            let title = heading.text.clone();
            found.push((
                format!("{slug}{anchor}"),
                title,
                &page.entry.title,
                section.text.as_str(),
            ));
        }
        for (anchor, title, text) in &page.appended {
            found.push((
                format!("{slug}#{anchor}"),
                title.clone(),
                &page.entry.title,
                text.as_str(),
            ));
        }
    }
    let found = found.into_iter().enumerate();
    found
        .map(|(id, (at, title, page, text))| Found {
            id,
            at,
            title,
            page: page.clone(),
            text: short(text),
        })
        .collect()
}

fn short(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ").chars().take(LONGEST).collect()
}

/// The index of all pages and operations: the end of the address, title, page and text.
pub fn index(operations: Vec<(String, String, String, String)>) -> Vec<Found> {
    static SECTIONS: LazyLock<Vec<Found>> = LazyLock::new(sections);
    let mut found = SECTIONS.clone();
    let start = found.len();
    let operations = operations.into_iter().enumerate();
    found.extend(operations.map(|(index, (at, title, page, text))| Found {
        id: start + index,
        at,
        title,
        page,
        text: short(&text),
    }));
    found
}
