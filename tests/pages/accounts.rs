//! Accounts in a browser: signing up, keeping the games of a guest, and the settings.

use serde_json::json;

use super::address;
use super::browser::{Browser, axe};
use crate::http::support::TestServer;

/// Types into the fields of a page.
async fn fill(browser: &Browser, fields: &[(&str, &str)]) {
    for (name, value) in fields {
        let field = json!(format!("main [name={name}]"));
        let script = format!("document.querySelector({field}).value = {}", json!(value));
        browser.run(&script).await;
    }
}

#[tokio::test]
async fn a_guest_signs_up_and_keeps_the_game() {
    let server = TestServer::start();
    let game = server.game_with_bots().await;
    let id = game.path.rsplit('/').next().unwrap();
    let Some(browser) = Browser::start().await else {
        return;
    };
    let Some(axe) = axe() else { return };
    let host = address(&server);
    browser.open(&format!("{host}/settings")).await;
    browser.wait_for("location.pathname === '/sign-in'").await;
    let seat = json!({"token": game.token, "seat": 0}).to_string();
    let keep = format!("localStorage.setItem('tabularium:{id}', {})", json!(seat));
    browser.run(&keep).await;
    browser.click("main a[href^='/sign-up']").await;
    browser.wait_for("location.pathname === '/sign-up'").await;
    let fields = [("handle", "dido"), ("password", "elephants over the Alps")];
    fill(&browser, &fields).await;
    browser.click("main form button").await;
    browser.wait_for_element(".codes").await;
    browser.wait_for_visible("guest-seats").await;
    browser.check_access(&axe).await;
    browser.click("#guest-seats button").await;
    let done =
        "document.querySelector('#guest-seats [role=status]').textContent.includes('belong')";
    browser.wait_for(done).await;
    let kept =
        format!("return 'token' in JSON.parse(localStorage.getItem('tabularium:{id}') ?? '{{}}')");
    assert_eq!(browser.run(&kept).await, false);
    let seats = server.read(&game.path).await["seats"].clone();
    assert_eq!(seats[0]["player"]["name"], "dido");
    // A call of the API by the page needs no token.
    let rename = "const done = arguments[0]; fetch('/v1/me', {method: 'PATCH', body: '{\"handle\": \"elissa\"}', \
        headers: {'Content-Type': 'application/json'}}).then((answer) => done(answer.status));";
    assert_eq!(browser.run_until(rename).await, 200);
    // The page that wanted the sign-in.
    browser.click("main a.button.first").await;
    browser.wait_for("location.pathname === '/settings'").await;
    // The account keeps its seat without a token, so a rematch is offered.
    server
        .adjudicate(&game.path, &game.organizer, &[1, 2, 3, 4])
        .await;
    browser.open(&format!("{host}/games/{id}")).await;
    browser.wait_for_element("#rematch:not([hidden])").await;
    for language in ["en", "de"] {
        let address = format!("{host}/language?language={language}&back=/settings");
        browser.open(&address).await;
        for width in [1200, 390] {
            browser.resize(width).await;
            if language == "en" {
                browser.check_access(&axe).await;
            }
            browser.check_width().await;
        }
    }
    let handle =
        browser.run("return document.querySelector('.reader a[href=\"/settings\"]').textContent");
    assert_eq!(handle.await, "elissa");
    let session = "return document.cookie";
    assert_eq!(
        browser.run(session).await,
        "",
        "no script can read the session"
    );
    browser.click(".reader form button").await;
    browser.wait_for("location.pathname === '/'").await;
    browser.wait_for_element(".reader a[href='/sign-in']").await;
    browser.check_console().await;
}

#[tokio::test]
async fn people_sign_up_and_in_with_a_passkey() {
    let server = TestServer::start();
    let Some(browser) = Browser::start().await else {
        return;
    };
    let Some(axe) = axe() else { return };
    browser.add_authenticator().await;
    // Browsers have passkeys for names, not for addresses.
    let host = format!("http://localhost:{}", server.socket().port());
    browser.open(&format!("{host}/sign-up?next=/games")).await;
    browser.wait_for_visible("passkey").await;
    browser.check_access(&axe).await;
    fill(&browser, &[("handle", "dido")]).await;
    browser.click("#passkey button").await;
    browser.wait_for_visible("passkey-codes").await;
    browser
        .wait_for("document.querySelectorAll('#passkey-codes li').length === 10")
        .await;
    browser.check_access(&axe).await;
    browser.click("#passkey-codes a").await;
    browser.wait_for("location.pathname === '/games'").await;

    browser.open(&format!("{host}/settings")).await;
    browser.wait_for_visible("passkey").await;
    for width in [1200, 390] {
        browser.resize(width).await;
        browser.check_access(&axe).await;
        browser.check_width().await;
    }
    // The browser creates no second passkey on the same device.
    browser.click("#passkey button").await;
    browser
        .wait_for(
            "document.querySelector('#passkey [role=alert]').textContent.includes('No passkey')",
        )
        .await;
    let rename =
        "document.querySelector('[action$=\"/passkeys/name\"] [name=name]').value = 'my phone'";
    browser.run(rename).await;
    browser.click("[action$='/passkeys/name'] button").await;
    browser
        .wait_for("document.querySelector('[aria-labelledby=passkeys-title] b')?.textContent === 'my phone'")
        .await;
    browser.click("[action$='/passkeys/remove'] button").await;
    browser
        .wait_for("document.getElementById('refusal')?.textContent.includes('only way')")
        .await;
    browser.forget_console().await;
    browser.click(".reader form button").await;
    browser.wait_for_element(".reader a[href='/sign-in']").await;

    // The browser offers the passkey in the field of the handle; this authenticator consents to it.
    browser.open(&format!("{host}/sign-in?next=/games")).await;
    browser.wait_for("location.pathname === '/games'").await;
    browser.click(".reader form button").await;
    browser.wait_for_element(".reader a[href='/sign-in']").await;
    // The button does the same where the browser has no such offers.
    browser.without_offers_of_passkeys().await;
    browser.open(&format!("{host}/sign-in?next=/leagues")).await;
    browser.click("#passkey button").await;
    browser.wait_for("location.pathname === '/leagues'").await;
    let handle =
        browser.run("return document.querySelector('.reader a[href=\"/settings\"]').textContent");
    assert_eq!(handle.await, "dido");
    browser.check_console().await;
}
