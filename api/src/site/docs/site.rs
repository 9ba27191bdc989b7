//! The whole documentation, rendered: pages, the reference and the index of the search.

use std::sync::OnceLock;

use maud::{Markup, html};

use crate::site::choice::Visit;
use crate::site::docs::contents::ROOT;
use crate::site::docs::layout;
use crate::site::docs::pages::{all, position};
use crate::site::docs::reference::{Reference, Specification};
use crate::site::docs::search::index;

/// The page that the reference belongs to.
const REFERENCE: &str = "api";

/// The rendered documentation.
#[derive(Debug)]
pub struct DocsSite {
    reference: Reference,
}

impl DocsSite {
    /// The documentation of this process, rendered once.
    pub fn rendered(specification: Specification) -> &'static DocsSite {
        static SITE: OnceLock<DocsSite> = OnceLock::new();
        SITE.get_or_init(|| DocsSite {
            reference: Reference::new(specification),
        })
    }

    /// A page by the end of its address.
    pub fn page(&self, visit: &Visit, slug: &str) -> Option<Markup> {
        if let Some(place) = position(slug) {
            let page = &all()[place];
            if slug != REFERENCE {
                return Some(layout::page(visit, page));
            }
            let main = html! { (page.html) (self.reference.overview) (layout::neighbours(visit.texts, slug)) };
            return Some(layout::whole(
                visit,
                (&page.entry.title, None),
                &page.entry.address(),
                &main,
                &html! {},
            ));
        }
        let page = self.reference.pages.get(slug)?;
        let current = format!("{ROOT}/{REFERENCE}");
        Some(layout::whole(
            visit,
            (&page.title, None),
            &current,
            &page.html,
            &html! {},
        ))
    }

    /// The ends of the addresses of all pages.
    pub fn slugs(&self) -> Vec<&str> {
        let written = all().iter().map(|page| page.entry.slug.as_str());
        let derived = self.reference.pages.keys().map(String::as_str);
        written.chain(derived).collect()
    }

    /// The index of the search as JSON.
    pub fn search_index(&self) -> String {
        let index = index(self.reference.found.clone());
        serde_json::to_string(&index).unwrap_or_default()
    }
}
