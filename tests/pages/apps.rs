//! An app of another origin in a browser: the sign-in, the question, the way back, and the app's own requests.

use serde_json::json;

use super::address;
use super::browser::{Browser, axe};
use crate::http::support::{TestServer, text};

/// The example of RFC 7636, appendix B.
const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

/// Sends a form to an endpoint from the page that is open, and returns the answer.
async fn post(browser: &Browser, url: &str, form: serde_json::Value) -> serde_json::Value {
    let (url, form) = (json!(url), form);
    let script = format!(
        "const done = arguments[0]; fetch({url}, {{method: 'POST', body: new URLSearchParams({form})}})\
         .then((answer) => answer.json()).then(done, (error) => done(String(error)));"
    );
    browser.run_until(&script).await
}

#[tokio::test]
async fn an_app_of_another_origin_is_allowed_and_reads_games() {
    let server = TestServer::start();
    // Another origin, to whose page the browser returns.
    let other = TestServer::start();
    let maker = server
        .create("/v1/players", "", json!({"handle": "mago"}))
        .await;
    let maker = text(&maker["token"]);
    let new = json!({"name": "Turn Watcher", "redirect_uris": ["http://127.0.0.1/games"]});
    let app = text(&server.create("/v1/apps", &maker, new).await["id"]);
    let Some(browser) = Browser::start().await else {
        return;
    };
    let Some(axe) = axe() else { return };
    let host = address(&server);
    let callback = format!("{}/games", address(&other));
    let query = form_urlencoded::Serializer::new(String::new())
        .extend_pairs([
            ("response_type", "code"),
            ("client_id", &app),
            ("redirect_uri", &callback),
            ("scope", "read play account"),
            ("state", "s"),
            ("code_challenge", CHALLENGE),
            ("code_challenge_method", "S256"),
        ])
        .finish();
    let question = format!("{host}/oauth/authorize?{query}");
    browser.open(&question).await;
    browser.wait_for("location.pathname === '/sign-in'").await;
    browser.click("main a[href^='/sign-up']").await;
    browser.wait_for("location.pathname === '/sign-up'").await;
    for (name, value) in [("handle", "dido"), ("password", "elephants over the Alps")] {
        let script = format!("document.querySelector('main [name={name}]').value = '{value}'");
        browser.run(&script).await;
    }
    browser.click("main form button").await;
    browser.wait_for_element(".codes").await;
    // The page of the new account leads on to the question.
    browser.click("main a.button.first").await;
    browser
        .wait_for("location.pathname === '/oauth/authorize'")
        .await;
    for path in [
        "/settings/apps",
        "/device",
        &format!("/oauth/authorize?{query}"),
    ] {
        for language in ["en", "de"] {
            browser
                .open(&format!("{host}/language?language={language}&back=/"))
                .await;
            browser.open(&format!("{host}{path}")).await;
            for width in [1200, 390] {
                browser.resize(width).await;
                browser.check_access(&axe).await;
                browser.check_width().await;
            }
        }
    }
    browser.check_console().await;
    browser.click("button[value=allow]").await;
    browser
        .wait_for("location.pathname === '/games' && location.search.includes('code=')")
        .await;
    let search = browser.run("return location.search").await;
    let search = search.as_str().unwrap().trim_start_matches('?').to_owned();
    let returned: Vec<(String, String)> = form_urlencoded::parse(search.as_bytes())
        .into_owned()
        .collect();
    let find = |name: &str| {
        returned
            .iter()
            .find(|(own, _)| own == name)
            .unwrap()
            .1
            .clone()
    };
    assert_eq!((find("state"), find("iss")), ("s".to_owned(), host.clone()));
    // The other page knows no such parameters.
    browser.forget_console().await;

    // A page of no origin, whose requests no server of its own answers.
    browser.open("about:blank").await;
    let form = json!({"grant_type": "authorization_code", "client_id": app, "code": find("code"),
        "code_verifier": VERIFIER});
    let tokens = post(&browser, &format!("{host}/oauth/token"), form).await;
    let form = json!({"grant_type": "refresh_token", "client_id": app, "refresh_token": tokens["refresh_token"]});
    let tokens = post(&browser, &format!("{host}/oauth/token"), form).await;
    let read = format!(
        "const done = arguments[0]; fetch('{host}/v1/me', {{headers: {{Authorization: 'Bearer {}'}}}})\
         .then((answer) => answer.json()).then(done, (error) => done(String(error)));",
        text(&tokens["access_token"])
    );
    let me = browser.run_until(&read).await;
    assert_eq!(me["player"]["handle"], "dido", "{me}");
    assert_eq!(me["app"]["name"], "Turn Watcher", "{me}");
    browser.open(&format!("{host}/settings/apps")).await;
    browser
        .click("form[action='/settings/apps/disconnect'] button")
        .await;
    browser
        .wait_for("location.search === '?done=disconnected'")
        .await;
    server
        .get_with("/v1/me", &text(&tokens["access_token"]))
        .await
        .unauthenticated();
}
