//! What all pages share: head, navigation, foot.

use actix_web::{HttpRequest, HttpResponse};
use maud::{DOCTYPE, Markup, html};

use crate::http::reply::text;
use crate::site::assets::path;
use crate::site::english;
use crate::site::english::NAVIGATION;

/// The media type of pages.
pub const HTML: &str = "text/html; charset=utf-8";

/// A page.
#[derive(Debug)]
pub struct Frame<'a> {
    /// Its title.
    pub title: &'a str,
    /// The path of the part of the site that it belongs to, as the navigation has it.
    pub part: &'a str,
    /// The modules that it loads.
    pub scripts: &'a [&'a str],
    /// A class of its own for the main part.
    pub class: &'a str,
}

impl Frame<'_> {
    /// The whole page round its main part.
    pub fn around(&self, main: &Markup) -> Markup {
        html! {
            (DOCTYPE)
            html lang=(english::LANGUAGE) {
                head {
                    meta charset="utf-8";
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    meta name="color-scheme" content="light dark";
                    title { @if !self.title.is_empty() { (self.title) " · " } (english::NAME) }
                    link rel="icon" type="image/svg+xml" href=(path("icon.svg"));
                    link rel="stylesheet" href=(path("style.css"));
                    @for script in self.scripts {
                        script type="module" src=(path(script)) {}
                    }
                }
                body {
                    a class="skip" href="#main" { (english::SKIP) }
                    header class="top" {
                        a class="mark" href="/" {
                            img src=(path("icon.svg")) alt="" width="28" height="28";
                            " " (english::NAME)
                        }
                        nav aria-label=(english::NAVIGATION_LABEL) {
                            @for (href, name) in NAVIGATION {
                                a href=(href) aria-current=[(*href == self.part).then_some("page")] { (name) }
                            }
                        }
                    }
                    main id="main" class=(self.class) tabindex="-1" { (main) }
                    footer class="foot" {
                        p { (english::NAME) " " (env!("CARGO_PKG_VERSION")) " · " (english::FOOT) }
                    }
                }
            }
        }
    }
}

/// A page as an answer, or 304 when the caller has it.
pub fn page(request: &HttpRequest, page: Markup) -> HttpResponse {
    text(request, HTML, page.into_string())
}
