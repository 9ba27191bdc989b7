//! The documentation: its links, its search, its reference, and its static files.

use std::collections::{BTreeMap, BTreeSet};

use api::server::docs::texts;
use api::site::choice::Visit;
use api::site::docs::export::export;
use api::site::docs::reference::Specification;
use api::site::docs::site::DocsSite;
use reqwest::Method;
use serde_json::Value;

use super::browser::Browser;
use super::{HTML, address, attributes};
use crate::http::support::{TestServer, array, send};

const ENTER: &str = "\u{e007}";
const DOWN: &str = "\u{e015}";

fn specification() -> Specification {
    Specification(|| texts().new.clone())
}

/// Every page by its address.
fn pages() -> BTreeMap<String, String> {
    let site = DocsSite::rendered(specification());
    let slugs = site.slugs().into_iter();
    let pages = slugs.map(|slug| {
        let address = format!("/docs/{slug}").trim_end_matches('/').to_owned();
        let visit = Visit {
            here: Some(address.clone()),
            ..Visit::FILE
        };
        let page = site.page(&visit, slug).expect("a page").into_string();
        (address, page)
    });
    pages.collect()
}

/// The ids of a page, each of which must be there once.
fn ids<'a>(path: &str, html: &'a str) -> BTreeSet<&'a str> {
    let all = attributes(html, "id");
    let ids: BTreeSet<&str> = all.iter().copied().collect();
    assert_eq!(ids.len(), all.len(), "{path} has an id twice");
    ids
}

#[tokio::test(flavor = "multi_thread")]
async fn every_link_of_the_documentation_leads_somewhere() {
    let pages = pages();
    let mut elsewhere = BTreeSet::new();
    let mut dead = Vec::new();
    for (path, html) in &pages {
        let own = ids(path, html);
        for link in attributes(html, "href") {
            let (target, anchor) = link.split_once('#').unwrap_or((link, ""));
            match pages.get(target) {
                _ if target.is_empty() && own.contains(anchor) => {}
                Some(page) if anchor.is_empty() || ids(target, page).contains(anchor) => {}
                None if target.starts_with('/') => {
                    elsewhere.insert(target.replace("&amp;", "&"));
                }
                None if target.starts_with("https://") => {}
                _ => dead.push(format!("{path}: {link}")),
            }
        }
        // Others are in examples.
        let own = attributes(html, "src").into_iter();
        let own = own.filter(|source| source.starts_with('/'));
        elsewhere.extend(own.map(str::to_owned));
    }
    assert_eq!(dead, Vec::<String>::new());
    let server = TestServer::start();
    for link in elsewhere {
        let answer = server.get_as(&link, HTML).await;
        assert_eq!(answer.status, 200, "{link}");
    }
    for path in ["/docs", "/docs/play-a-game", "/docs/api/schemas/NewGame"] {
        let answer = server.get_as(path, HTML).await;
        assert_eq!(answer.status, 200, "{path}");
        // The head of a served page has addresses of the server for search engines and messengers.
        let body = |page: &str| page.split_once("<body").expect("a body").1.to_owned();
        assert_eq!(body(&answer.text), body(&pages[path]), "{path}");
    }
    server.get("/docs/none").await.not_found();
}

#[tokio::test]
async fn the_search_finds_headings_rules_columns_and_operations() {
    let server = TestServer::start();
    let answer = server.get("/docs/search.json").await;
    let index: Value = serde_json::from_str(&answer.text).expect("an index");
    let pages = pages();
    for found in array(&index) {
        let at = found["at"].as_str().expect("a place");
        let (slug, _) = at.split_once('#').unwrap_or((at, ""));
        let address = format!("/docs/{slug}");
        assert!(pages.contains_key(address.trim_end_matches('/')), "{at}");
    }
    for at in [
        "retries",
        "ratings#the-formula",
        "rules-antike#A27",
        "tables#nations",
        "api/games#create_game",
    ] {
        assert!(array(&index).iter().any(|found| found["at"] == at), "{at}");
    }
    let again = server.request(Method::GET, "/docs/search.json");
    let again = send(again.header("If-None-Match", answer.header("etag"))).await;
    assert_eq!(again.status, 304);
}

#[tokio::test]
async fn the_search_works_with_the_keyboard_alone() {
    let server = TestServer::start();
    let Some(browser) = Browser::start().await else {
        return;
    };
    for width in [1200, 390] {
        browser.resize(width).await;
        browser.open(&format!("{}/docs", address(&server))).await;
        browser
            .wait_for("document.documentElement.matches('.runs')")
            .await;
        browser.press("/").await;
        for letter in "idempotency".split_inclusive(char::is_alphabetic) {
            browser.press(letter).await;
        }
        browser
            .wait_for("document.querySelector('#found li')")
            .await;
        browser.check_width().await;
        browser.press(DOWN).await;
        browser.press(ENTER).await;
        browser
            .wait_for("location.pathname === '/docs/retries'")
            .await;
        browser.check_console().await;
    }
}

#[test]
fn the_static_documentation_has_the_same_pages() {
    let folder = tempfile::tempdir().expect("a folder");
    let written = export(folder.path(), None, specification()).expect("static files");
    let pages = pages();
    assert_eq!(written, pages.len());
    for path in pages.keys() {
        let slug = path.trim_start_matches("/docs").trim_start_matches('/');
        let name = if slug.is_empty() { "index" } else { slug };
        let file = folder.path().join(format!("{name}.html"));
        let html = std::fs::read_to_string(&file).expect("a file");
        let links = attributes(&html, "href").into_iter();
        for link in links.chain(attributes(&html, "src")) {
            let (target, _) = link.split_once('#').unwrap_or((link, ""));
            let is_there = target.is_empty() || file.with_file_name(target).is_file();
            assert!(is_there || link.starts_with("https://"), "{path}: {link}");
        }
    }
    for name in ["search.json", "openapi.json", "assets/minisearch.js"] {
        assert!(folder.path().join(name).is_file(), "{name}");
    }
}
