//! Two people in two browsers, a computer and a phone: from the sign-up to the end of a game.

use serde_json::{Value, json};

use super::browser::Browser;
use crate::http::support::{TestServer, array, eventually, text};

async fn fill(browser: &Browser, name: &str, value: &str) {
    let field = json!(format!("main [name={name}]"));
    let script = format!(
        "const field = document.querySelector({field}); field.value = {}; \
         field.dispatchEvent(new Event('change', {{bubbles: true}}))",
        json!(value)
    );
    browser.run(&script).await;
}

/// The seat of an account.
fn seat_of(game: &Value, handle: &str) -> u64 {
    let seats = array(&game["seats"]).iter();
    let mut seats = seats.filter(|seat| seat["player"]["name"] == handle);
    seats.next().expect("a seat")["seat"].as_u64().unwrap()
}

/// Plays a turn on the page, and waits until it is the other's turn.
async fn play_turn(server: &TestServer, browser: &Browser, path: &str, seat: u64, field: &str) {
    browser.click("#tab-play").await;
    browser
        .click(&format!("#choices [data-action*='\"{field}\"']"))
        .await;
    // The page ends the turn itself where nothing else is possible.
    eventually("the turn did not end", async || {
        browser
            .run("document.querySelector('#choices [data-action*=end_turn]')?.click()")
            .await;
        let game = server.read(path).await;
        (game["pending"][0]["seat"] != seat).then_some(())
    })
    .await;
}

#[tokio::test]
async fn two_people_play_from_the_sign_up_to_the_end() {
    let server = TestServer::start();
    let (Some(computer), Some(phone)) = (Browser::start().await, Browser::start().await) else {
        return;
    };
    computer.resize_to(1280, 800).await;
    phone.resize_to(390, 844).await;
    // Browsers have passkeys for names, not for addresses.
    let host = format!("http://localhost:{}", server.socket().port());

    // Dido signs up with a passkey and invites a friend.
    computer.add_authenticator().await;
    computer.open(&format!("{host}/sign-up?next=/play")).await;
    computer.wait_for_visible("passkey").await;
    fill(&computer, "handle", "dido").await;
    computer.click("#passkey button").await;
    computer.wait_for_visible("passkey-codes").await;
    computer.click("#passkey-codes a").await;
    computer
        .wait_for_element("#new-game [name=count] option")
        .await;
    computer
        .click("[name=board][value=duellum-rome-carthage]")
        .await;
    fill(&computer, "opponents", "friends").await;
    computer.click("#new-game button.first").await;
    computer
        .wait_for("location.pathname.endsWith('/lobby') && document.getElementById('link')?.value")
        .await;
    let link = computer.run("return document.getElementById('link').value");
    let link = text(&link.await);

    // Hanno opens the link, signs up with a password, and comes back to the invitation.
    phone.open(&link).await;
    phone.click(".reader a[href^='/sign-in']").await;
    phone.click("main a[href^='/sign-up']").await;
    phone.wait_for("location.pathname === '/sign-up'").await;
    fill(&phone, "handle", "hanno").await;
    fill(&phone, "password", "elephants over the Alps").await;
    phone.click("main form button").await;
    phone
        .wait_for_element("main > .codes, main .codes li")
        .await;
    phone.click("main a.button.first").await;
    phone
        .wait_for("location.pathname.startsWith('/join/')")
        .await;
    phone.click("#join button.first").await;
    for browser in [&computer, &phone] {
        browser.wait_for_element("#play").await;
    }
    let page = text(&phone.run("return location.pathname").await);
    let path = format!("/v1{page}");
    let game = server.read(&path).await;
    assert_eq!(game["status"], "running");
    let own = seat_of(&game, "dido");
    let browser_of = |seat: u64| if seat == own { &computer } else { &phone };
    let first = game["pending"][0]["seat"].as_u64().unwrap();
    let other = 1 - first;
    play_turn(&server, browser_of(first), &path, first, "gold").await;

    // The first player loses the network while the other one moves, and then sees the move.
    let away = browser_of(first);
    away.set_offline(true).await;
    play_turn(&server, browser_of(other), &path, other, "gold").await;
    away.set_offline(false).await;
    let last = server.read(&path).await["seq"].clone();
    let shown = format!("Number(document.getElementById('game').dataset.shown) >= {last}");
    away.wait_for(&shown).await;
    away.wait_for("document.title.startsWith('● ')").await;
    away.forget_console().await;

    // They talk. A message is counted until it is read, and only the organizer turns the chat off.
    computer.click("#tab-chat").await;
    fill(&computer, "text", "Well played!").await;
    computer.click("#message-form button").await;
    phone
        .wait_for("document.getElementById('tab-chat').textContent.endsWith('(1)')")
        .await;
    phone.click("#tab-chat").await;
    phone
        .wait_for("document.querySelector('#messages li')?.textContent.includes('Well played!')")
        .await;
    phone
        .wait_for("!document.getElementById('tab-chat').textContent.includes('(')")
        .await;
    assert_eq!(
        phone
            .run("return document.getElementById('chat-switch').hidden")
            .await,
        true
    );
    computer.click("#chat-switch").await;
    phone
        .wait_for("document.getElementById('message-form').hidden")
        .await;

    // Hanno leaves the page, comes back by the button of the browser, and gives up.
    phone.open(&format!("{host}/play")).await;
    phone
        .wait_for_element(&format!("#mine:not([hidden]) a[href='{page}']"))
        .await;
    phone.run("history.back()").await;
    phone.wait_for_element("#play #resign").await;
    phone
        .wait_for("!document.getElementById('own').hidden")
        .await;
    phone.click("#tab-play").await;
    phone.click("#resign").await;
    phone.click("#send").await;
    for browser in [&computer, &phone] {
        browser.wait_for_element("#status .state.finished").await;
        browser
            .wait_for("document.querySelector('#result .winner')?.textContent.includes('dido')")
            .await;
        browser.wait_for_element("#rematch:not([hidden])").await;
    }
}
