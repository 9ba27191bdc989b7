//! The engine's analysis on the page of a game.

use serde_json::json;

use super::browser::{Browser, axe};
use super::{address, finish_game, page};
use crate::http::support::TestServer;

/// Run in the browser: the candidates, the win probabilities beside the strip, and its areas.
const CANDIDATES: &str =
    "[...document.querySelectorAll('#candidates li')].map((one) => one.textContent)";
const SHARES: &str =
    "[...document.querySelectorAll('#analysis .score')].map((one) => parseInt(one.textContent))";
const AREAS: &str = "[...document.querySelectorAll('#analysis .area')].map((one) => one.getAttribute('d').split('H').length)";

#[tokio::test]
async fn a_game_is_analysed_on_request() {
    let server = TestServer::start();
    let id = finish_game(&server).await;
    let Some(browser) = Browser::start().await else {
        return;
    };
    for width in [1200, 390] {
        browser.resize(width).await;
        browser.open("about:blank").await;
        let url = format!("{}/games/{id}#57", address(&server));
        browser.open(&url).await;
        let off = "document.getElementById('analysis-result').hidden";
        browser.wait_for(off).await;
        browser.click("#tab-analysis").await;
        assert_eq!(
            browser.run(&format!("return {CANDIDATES}")).await,
            json!([])
        );

        browser.click("#analysis-switch").await;
        browser.wait_for(&format!("{CANDIDATES}.length > 0")).await;
        let candidates = browser.run(&format!("return {CANDIDATES}")).await;
        let first = candidates[0].as_str().expect("a candidate");
        assert!(
            first.contains("% ") && first.ends_with(" playouts"),
            "{first}"
        );
        let reasons = "document.querySelectorAll('#candidates > li > .why').length";
        let reasons = browser.run(&format!("return {reasons}")).await;
        assert_eq!(reasons, candidates.as_array().expect("a list").len());
        // The whole strip: each of eight rounds has its step.
        browser
            .wait_for(&format!("{AREAS}.every((steps) => steps > 8)"))
            .await;
        let shares = browser.run(&format!("return {SHARES}")).await;
        let shares = shares.as_array().expect("a number for each seat");
        let sum: i64 = shares
            .iter()
            .map(|share| share.as_i64().expect("a number"))
            .sum();
        assert!(shares.len() == 4 && (98..=102).contains(&sum), "{shares:?}");

        // Another position is analysed again. The end of the game is not analysed.
        browser.run("location.hash = '#20'").await;
        let other = format!("{CANDIDATES}.length > 0 && {CANDIDATES}[0] !== {first:?}");
        browser.wait_for(&other).await;
        browser.click("[data-step=last]").await;
        let over = "document.getElementById('analysis-note').textContent.includes('over')";
        browser
            .wait_for(&format!("{over} && {CANDIDATES}.length === 0"))
            .await;
        browser.check_width().await;
        browser.check_console().await;
        if let Some(axe) = axe() {
            browser.check_access(&axe).await;
        }
        browser.click("#analysis-switch").await;
        browser.wait_for(off).await;
    }
}

#[tokio::test]
async fn reasons_of_turns_are_shown_in_words() {
    let server = TestServer::start();
    let id = finish_game(&server).await;
    let path = |reasons: &str| format!("/games/{id}/words?actions=[]&reasons={reasons}");
    let king = r#"{"kind":"personage","of":"king","count":1}"#;
    let units = r#"{"kind":"units","of":null,"count":2}"#;
    let shown = page(&server, &path(&format!("[[{king},{units}],[]]")))
        .await
        .text;
    let wanted = "Why: gains a personage: King and has 2 more units.</li><li></li>";
    assert!(shown.contains(wanted), "{shown}");
    let bad = server.get(&path("[[{}]]")).await;
    bad.problem(422, "invalid_parameter");
}

#[tokio::test]
async fn a_rated_game_that_runs_cannot_be_analysed() {
    let server = TestServer::start();
    for rated in [true, false] {
        let body = json!({"edition": "antike", "board": "antike-east", "rated": rated,
            "seats": [{"player": "open"}, {"player": "open"}, {"player": "open"}]});
        let created = server.create("/v1/games", "", body).await;
        let path = format!("/games/{}", created["id"].as_str().expect("an id"));
        let text = page(&server, &path).await.text;
        let switch = text
            .split("id=\"analysis-switch\"")
            .nth(1)
            .expect("a switch");
        let switch = switch.split('>').next().expect("a tag");
        assert_eq!(switch.contains("disabled"), rated, "{switch}");
    }
}
