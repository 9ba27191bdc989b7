//! What all pages share: head, navigation, foot.

use actix_web::http::header::{CACHE_CONTROL, CONTENT_LANGUAGE, HeaderMap, HeaderValue};
use actix_web::{HttpRequest, HttpResponse};
use maud::{DOCTYPE, Markup, html};

use crate::http::reply::text;
use crate::http::request::caller::identity;
use crate::site::assets::path;
use crate::site::choice::Visit;
use crate::site::forms::sign_in_address;
use crate::site::preview::Preview;
use crate::site::texts::phrases::{NAME, NAVIGATION};
use crate::site::texts::{Language, Texts};

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
    /// The whole page round its main part, described by its part of the site.
    pub fn around(&self, visit: &Visit, main: &Markup) -> Markup {
        self.previewed(visit, &Preview::of_part(visit.texts, self.part), main)
    }

    /// The whole page round its main part, with a preview of its own.
    pub fn previewed(&self, visit: &Visit, preview: &Preview, main: &Markup) -> Markup {
        let texts = visit.texts;
        html! {
            (DOCTYPE)
            html lang=(texts.0.code()) {
                head {
                    meta charset="utf-8";
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    meta name="color-scheme" content="light dark";
                    title { @if !self.title.is_empty() { (self.title) " · " } (NAME) }
                    (preview.head(visit, self.title))
                    link rel="icon" type="image/svg+xml" href=(path("icon.svg"));
                    @if visit.here.is_some() {
                        link rel="icon" sizes="48x48" href="/favicon.ico";
                        link rel="apple-touch-icon" href="/icon-180.png";
                        link rel="manifest" href="/manifest.webmanifest";
                    }
                    link rel="stylesheet" href=(path("style.css"));
                    @if !self.scripts.is_empty() { script src=(path("runs.js")) {} }
                    @for script in self.scripts {
                        script type="module" src=(path(script)) {}
                    }
                }
                body {
                    a class="skip" href="#main" { (texts.text("skip")) }
                    header class=(if self.class == "game" { "top low" } else { "top" }) {
                        a class="mark" href="/" {
                            img src=(path("icon.svg")) alt="" width="28" height="28";
                            " " (NAME)
                        }
                        nav aria-label=(texts.text("navigation-label")) {
                            @for (href, name) in NAVIGATION {
                                a href=(href) aria-current=[(href == self.part).then_some("page")] { (texts.text(name)) }
                            }
                        }
                        @if visit.here.is_some() { (reader(visit, self.part)) }
                    }
                    main id="main" class=(self.class) tabindex="-1" { (main) }
                    footer class="foot" {
                        p {
                            (NAME) " " (env!("CARGO_PKG_VERSION")) " · " (texts.text("foot")) " · "
                            a href="/docs/personal-data" { (texts.text("foot-privacy")) }
                        }
                        @if let Some(here) = &visit.here { (switch(texts, here)) }
                    }
                }
            }
        }
    }
}

/// The account that is signed in with links to its games, or else a link to the sign-in.
fn reader(visit: &Visit, part: &str) -> Markup {
    let texts = visit.texts;
    let current = |href: &str| (href == part).then_some("page");
    let here = visit.here.as_deref().unwrap_or("/");
    html! {
        nav class="reader" aria-label=(texts.text("reader-label")) {
            @match &visit.handle {
                Some(handle) => {
                    a href="/play#mine" { (texts.text("reader-games")) }
                    a href="/settings" aria-current=[current("/settings")] { (handle) }
                    form method="post" action="/sign-out" { button { (texts.text("reader-sign-out")) } }
                }
                None => a href=(sign_in_address(next(here))) aria-current=[current("/sign-in")] {
                    (texts.text("reader-sign-in"))
                }
            }
        }
    }
}

/// The page to show after a sign-in on a page: the page itself, unless it is a part of the sign-in.
fn next(here: &str) -> &str {
    let path = here.split('?').next().unwrap_or_default();
    match ["/", "/sign-in", "/sign-up", "/recover"].contains(&path) {
        true => "",
        false => here,
    }
}

/// The switch of languages: a button for each other language.
fn switch(texts: Texts, here: &str) -> Markup {
    let others = Language::ALL.into_iter();
    let others = others.filter(|language| *language != texts.0);
    html! {
        form class="languages" method="get" action="/language" aria-label=(texts.text("language-label")) {
            input type="hidden" name="back" value=(here);
            @for language in others {
                button name="language" value=(language.code()) lang=(language.code()) { (language.name()) }
            }
        }
    }
}

/// Marks an answer with its language.
pub fn set_language(texts: Texts, headers: &mut HeaderMap) {
    let code = HeaderValue::from_static(texts.0.code());
    headers.insert(CONTENT_LANGUAGE, code);
}

/// A page as an answer, or 304 when the caller has it.
pub fn page(request: &HttpRequest, texts: Texts, page: Markup) -> HttpResponse {
    let mut answer = text(request, HTML, page.into_string());
    if identity(request).access.is_some() {
        // The page names the account.
        let cache = HeaderValue::from_static("private, no-cache");
        answer.headers_mut().insert(CACHE_CONTROL, cache);
    }
    set_language(texts, answer.headers_mut());
    answer
}

/// A moment of time. HTML allows three digits behind a second, and the page shows minutes.
pub fn time(texts: Texts, at: jiff::Timestamp) -> Markup {
    html! { time datetime=(at.strftime("%FT%TZ")) { (texts.time(at)) } }
}
