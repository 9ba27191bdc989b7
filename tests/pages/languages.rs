//! The languages of the pages: how one is chosen, and what caches receive.

use reqwest::Method;

use super::browser::Browser;
use super::{HTML, address, attributes, finish_game, page};
use crate::http::support::{Answer, TestServer, assert_contains, send};

/// Reads a page with an `Accept-Language` header and the cookie of the switch.
async fn read(server: &TestServer, path: &str, accepted: &str, cookie: &str) -> Answer {
    let mut request = server.request(Method::GET, path).header("Accept", HTML);
    if !accepted.is_empty() {
        request = request.header("Accept-Language", accepted);
    }
    if !cookie.is_empty() {
        request = request.header("Cookie", cookie);
    }
    send(request).await
}

#[tokio::test]
async fn the_switch_and_then_the_header_choose_the_language() {
    let server = TestServer::start();
    let (english, german) = ("<html lang=\"en\">", "<html lang=\"de\">");
    for (accepted, cookie, language) in [
        ("", "", english),
        ("de", "", german),
        ("de-CH, en;q=0.9", "", german),
        ("de;q=0.5, en", "", english),
        ("fr, tlh", "", english),
        ("en", "language=de", german),
        ("de", "language=en", english),
        ("de", "language=tlh", german),
    ] {
        for path in ["/", "/nothing", "/docs"] {
            let answer = read(&server, path, accepted, cookie).await;
            let case = format!("{path}: {accepted}, {cookie}");
            assert!(answer.text.contains(language), "{case}: {}", answer.text);
            let code = &language[12..14];
            assert_eq!(answer.header("content-language"), code, "{case}");
        }
    }
    let german = read(&server, "/games", "de", "").await.text;
    assert_contains(&german, "<h1>Partien</h1>");
    assert_contains(&german, "Keine Partie passt zur Auswahl.");
    assert!(!german.contains("Games"), "{german}");
}

#[tokio::test]
async fn caches_keep_languages_apart() {
    let server = TestServer::start();
    let english = read(&server, "/", "en", "").await;
    let german = read(&server, "/", "de", "").await;
    assert_ne!(english.header("etag"), german.header("etag"));
    for answer in [&english, &german] {
        let vary = answer.header("vary");
        assert!(vary.contains("Accept-Language, Cookie"), "{vary}");
    }
    for (accepted, status) in [("en", 304), ("de", 200)] {
        let request = server.request(Method::GET, "/").header("Accept", HTML);
        let request = request.header("Accept-Language", accepted);
        let again = request.header("If-None-Match", english.header("etag"));
        let again = send(again).await;
        assert_eq!(again.status, status, "{accepted}");
        let vary = again.header("vary");
        assert!(vary.contains("Accept-Language, Cookie"), "{vary}");
    }
    let path = &attributes(&english.text, "src")[0];
    let asset = server.get(path).await;
    assert!(!asset.header("vary").contains("Cookie"), "{path}");
    let api = server.get("/v1/games").await;
    assert!(!api.header("vary").contains("Cookie"));
}

#[tokio::test]
async fn the_switch_sets_a_cookie_and_comes_back() {
    let server = TestServer::start();
    let shown = page(&server, "/games?status=open").await.text;
    assert_contains(&shown, "action=\"/language\"");
    assert_contains(&shown, "value=\"/games?status=open\"");
    assert_contains(&shown, "value=\"de\" lang=\"de\">Deutsch</button>");
    let client = reqwest::Client::builder().redirect(reqwest::redirect::Policy::none());
    let client = client.build().unwrap();
    let choose = async |query: &str| {
        let address = format!("http://{}/language?{query}", server.socket());
        client.get(address).send().await.unwrap()
    };
    let chosen = choose("language=de&back=%2Fgames%3Fstatus%3Dopen").await;
    assert_eq!(chosen.status(), 303);
    assert_eq!(chosen.headers()["location"], "/games?status=open");
    let cookie = chosen.headers()["set-cookie"].to_str().unwrap();
    assert!(cookie.starts_with("language=de;"), "{cookie}");
    for part in ["Path=/", "SameSite=Lax", "HttpOnly", "Max-Age="] {
        assert!(cookie.contains(part), "{cookie}");
    }
    let cookie = cookie.split(';').next().unwrap();
    let german = read(&server, "/games?status=open", "en", cookie).await;
    assert_contains(&german.text, "English</button>");
    let other = choose("language=de&back=%2F%2Fmoon.example").await;
    assert_eq!(other.headers()["location"], "/");
    assert_eq!(choose("language=tlh&back=%2F").await.status(), 422);
    assert_eq!(choose("language=de").await.status(), 422);
}

#[tokio::test]
async fn a_game_is_described_in_german() {
    let server = TestServer::start();
    let id = finish_game(&server).await;
    let path = format!("/games/{id}");
    let german = read(&server, &path, "de", "").await.text;
    for words in [
        "Antike · Ost: das Reich Alexanders des Großen",
        "Geprüft: Alle",
        "auf Eisen ziehen",
        "Zug beenden",
        "nehmen",
        "Griechen",
        "Analysieren",
    ] {
        assert!(german.contains(words), "{words}: {german}");
    }
    for words in ["Greeks", "move to", "take ", "end the turn"] {
        assert!(!german.contains(words), "{words}: {german}");
    }
    let live = read(&server, &format!("{path}/live"), "de", "").await.text;
    assert_contains(&live, "Griechen");
    for (path, words) in [
        ("/rules/antike", "auf Englisch"),
        ("/docs", "auf Englisch"),
        ("/play", "Partie beginnen"),
        ("/players?name=moon", "Kein Spieler mit diesem Namen."),
        ("/stats", "Statistik"),
        ("/leagues", "Es gibt noch keine Liga."),
    ] {
        let shown = read(&server, path, "de", "").await;
        assert_eq!(shown.status, 200, "{path}");
        assert!(shown.text.contains(words), "{path}: {}", shown.text);
    }
}

#[tokio::test]
async fn the_drawing_of_a_game_is_described_in_the_language_of_the_page() {
    let server = TestServer::start();
    let game = server.game_with_bots().await;
    let Some(browser) = Browser::start().await else {
        return;
    };
    let page = game.path.trim_start_matches("/v1");
    let host = address(&server);
    let german = format!("{host}/language?language=de&back={page}");
    browser.open(&german).await;
    browser.wait_for_element(".board svg [data-region]").await;
    let point = "document.querySelector('.board svg [data-region]') \
        .dispatchEvent(new PointerEvent('pointerover', {bubbles: true}))";
    let at = |seq: u64| format!("document.querySelector('.board svg').dataset.seq === '{seq}'");
    browser.click("[data-step=back]").await;
    browser.wait_for(&at(game.seq - 1)).await;
    // The words for this position come late, when another one is shown and described.
    let hold = "const real = window.fetch; window.fetch = async (...given) => { \
        const answer = await real(...given); \
        if (!String(given[0]).includes('/regions')) return answer; \
        window.fetch = real; \
        const words = (await answer.text()).replaceAll('<b>', '<b>late '); \
        await new Promise((resolve) => (window.release = resolve)); \
        return { ok: true, text: async () => words }; };";
    browser.run(hold).await;
    browser.run(point).await;
    browser.wait_for("window.release").await;
    browser.click("[data-step=last]").await;
    browser.wait_for(&at(game.seq)).await;
    browser.run(point).await;
    let described = "[...document.querySelectorAll('.board [data-region] > title')] \
        .every((title) => /: (Stadt|Bauplatz|Meer)/.test(title.textContent))";
    browser.wait_for(described).await;
    let late = "const done = arguments[0]; \
        const words = () => [...document.querySelectorAll('.board [data-region] > title')].map((title) => title.textContent); \
        const before = words(); \
        window.release(); \
        requestAnimationFrame(() => done([before, words()]));";
    let words = browser.run_until(late).await;
    assert_eq!(words[0], words[1]);
    browser.check_console().await;
}
