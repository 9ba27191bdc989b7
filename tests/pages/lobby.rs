//! Playing together: new games, tables, invitations and the caller's games, in browsers.

use serde_json::{Value, json};

use super::browser::{Browser, axe};
use super::{HTML, address, page};
use crate::http::support::{TestServer, array, assert_contains, send, text, turn};

/// Sets a field of a form as people do.
async fn choose(browser: &Browser, name: &str, value: &str) {
    let script = format!(
        "const field = document.querySelector('[name={name}]'); field.value = {}; \
         field.dispatchEvent(new Event('change', {{bubbles: true}}))",
        json!(value)
    );
    browser.run(&script).await;
}

/// Waits until the browser shows the page at a path.
async fn wait_for_path(browser: &Browser, path: &str) {
    browser
        .wait_for(&format!("location.pathname === {}", json!(path)))
        .await;
}

/// Returns what a browser keeps of a game.
async fn kept(browser: &Browser, game: &str) -> Value {
    let script = format!("return JSON.parse(localStorage.getItem('tabularium:{game}'))");
    browser.run(&script).await
}

#[tokio::test]
async fn friends_come_by_an_invitation_link_and_play() {
    let server = TestServer::start();
    let (Some(host), Some(friend)) = (Browser::start().await, Browser::start().await) else {
        return;
    };
    let Some(axe) = axe() else { return };
    host.resize(1280).await;
    friend.resize(390).await;
    host.open(&format!("{}/play", address(&server))).await;
    host.wait_for_element("#new-game [name=count] option").await;
    choose(&host, "count", "3").await;
    choose(&host, "opponents", "friends").await;
    host.run("document.querySelector('#new-game [name=name]').value = 'Dido'")
        .await;
    host.click("#new-game button.first").await;
    host.wait_for("location.pathname.endsWith('/lobby') && document.getElementById('link')?.value")
        .await;
    host.wait_for("document.querySelector('#qr img')?.naturalWidth > 100")
        .await;
    let link = text(
        &host
            .run("return document.getElementById('link').value")
            .await,
    );
    let table = text(&host.run("return location.pathname").await);
    let game = table.split('/').nth(2).unwrap().to_owned();
    assert!(
        link.starts_with(&format!("{}/join/", address(&server))),
        "{link}"
    );
    host.check_access(&axe).await;
    host.check_width().await;

    friend.open(&link).await;
    friend.wait_for_element("html.runs #join").await;
    friend.check_access(&axe).await;
    friend.check_width().await;
    friend
        .run("document.querySelector('#join [name=name]').value = 'Hanno'")
        .await;
    friend.click("#join button.first").await;
    wait_for_path(&friend, &table).await;
    friend.wait_for_element(".you:not([hidden])").await;
    friend.check_access(&axe).await;
    friend.check_width().await;
    // The host sees the friend come, leave and come again.
    host.wait_for("document.getElementById('seat-list').innerText.includes('Hanno')")
        .await;
    friend.click("[data-leave]:not([hidden])").await;
    host.wait_for("!document.getElementById('seat-list').innerText.includes('Hanno')")
        .await;
    friend.open(&link).await;
    friend.wait_for_element("html.runs #join").await;
    friend.click("#join button.first").await;
    wait_for_path(&friend, &table).await;
    host.wait_for("document.querySelectorAll('#seat-list [data-take]').length === 1")
        .await;
    host.click("#fill button").await;
    let board = format!("/games/{game}");
    for browser in [&host, &friend] {
        wait_for_path(browser, &board).await;
        browser.wait_for_element("#play").await;
    }
    // Each plays a turn with the seat of its browser, and the other's page follows.
    let path = format!("/v1{board}");
    for _ in 0..2 {
        let waits = |game: &Value| {
            game["pending"][0]["seat"]
                .as_u64()
                .is_some_and(|seat| seat < 2)
        };
        let seat = server.wait_for(&path, waits).await["pending"][0]["seat"].clone();
        let (own, other) = match kept(&host, &game).await["seat"] == seat {
            true => (&host, &friend),
            false => (&friend, &host),
        };
        let mine = kept(own, &game).await;
        assert_eq!(mine["seat"], seat);
        let acted = server.act(&path, &text(&mine["token"]), turn("gold")).await;
        let shown = format!(
            "Number(document.getElementById('game').dataset.shown) >= {}",
            acted["seq"]
        );
        other.wait_for(&shown).await;
    }
    // The game is among the host's games, and a new visit by the link leads to it.
    host.open(&format!("{}/play", address(&server))).await;
    host.wait_for_element(&format!("#mine:not([hidden]) a[href='{board}']"))
        .await;
    friend.open(&link).await;
    wait_for_path(&friend, &board).await;
    for browser in [&host, &friend] {
        browser.check_console().await;
    }
}

#[tokio::test]
async fn a_game_is_created_with_chosen_seats_and_settings() {
    let server = TestServer::start();
    let Some(browser) = Browser::start().await else {
        return;
    };
    let Some(axe) = axe() else { return };
    for width in [1280, 390] {
        browser.resize(width).await;
        browser.open(&format!("{}/play", address(&server))).await;
        browser
            .wait_for_element("#new-game [name=count] option")
            .await;
        browser.click("#new-details summary").await;
        browser.check_access(&axe).await;
        browser.check_width().await;
        browser.click("[name=board][value=antike-west]").await;
        choose(&browser, "count", "3").await;
        choose(&browser, "opponents", "anyone").await;
        let seats = "const rows = [...document.querySelectorAll('.seat-row:not([hidden])')]; \
            const set = (row, name, value) => { const field = rows[row].querySelector(`[name=${name}]`); \
            field.value = value; field.dispatchEvent(new Event('change', {bubbles: true})); }; \
            set(0, 'nations', 'greeks'); set(1, 'player', 'you'); set(1, 'nations', 'romans'); \
            set(2, 'player', 'beginner'); return rows.map((row) => row.querySelector('[name=player]').value)";
        assert_eq!(browser.run(seats).await, json!(["open", "you", "beginner"]));
        browser.click("[name=variant][value=military]").await;
        // Each excludes the other.
        browser
            .click("[name=variant][value=three_nation_goal_12]")
            .await;
        choose(&browser, "pace", "86400 259200").await;
        choose(&browser, "then", "resign").await;
        browser.click("#new-game button.first").await;
        browser
            .wait_for(
                "location.pathname.endsWith('/lobby') && document.getElementById('link')?.value",
            )
            .await;
        let table = text(&browser.run("return location.pathname").await);
        let game = server
            .read(&format!("/v1{}", table.trim_end_matches("/lobby")))
            .await;
        assert_eq!(game["variants"], json!(["three_nation_goal_12"]));
        let pace = json!({"turn_seconds": 86400, "reserve_seconds": 259200, "timeouts": 1, "then": "resign"});
        assert_eq!(game["pace"], pace);
        let seats = array(&game["seats"]);
        assert_eq!(seats[0]["nations"], json!(["greeks"]));
        assert_eq!(
            (&seats[1]["nations"], &seats[1]["player"]["kind"]),
            (&json!(["romans"]), &json!("person"))
        );
        assert_eq!(seats[2]["player"]["kind"], "bot");
        // The table is listed as open, until the organizer cancels the game.
        let open = page(&server, "/play").await.text;
        assert_contains(&open, &format!("href=\"{table}\""));
        browser.run("window.confirm = () => true").await;
        browser.click("#cancel").await;
        browser.wait_for_element("#lobby-status .abandoned").await;
        assert!(!page(&server, "/play").await.text.contains(&table));
        browser.check_console().await;
    }
}

#[tokio::test]
async fn an_undo_on_the_page_goes_back_to_the_own_decision() {
    let server = TestServer::start();
    let playing = server.game_with_bots().await;
    let Some(browser) = Browser::start().await else {
        return;
    };
    let game = playing.path.rsplit('/').next().unwrap();
    // There are no units yet, so that the turn can only end, and the bots answer.
    server
        .act(&playing.path, &playing.token, turn("maneuver_1"))
        .await;
    browser.resize(1280).await;
    browser.open(&format!("{}/healthz", address(&server))).await;
    let seat = json!({"token": playing.token, "seat": 0}).to_string();
    browser
        .run(&format!(
            "localStorage.setItem('tabularium:{game}', {})",
            json!(seat)
        ))
        .await;
    browser
        .open(&format!("{}/games/{game}", address(&server)))
        .await;
    browser.click("#undo").await;
    let undone = |game: &Value| game["state"]["turn"] == 1;
    let shown = server.wait_for(&playing.path, undone).await;
    assert_eq!(shown["pending"][0]["seat"], 0);
    browser.check_console().await;
}

#[tokio::test]
async fn tables_and_invitations_obey_who_may_see_a_game() {
    let server = TestServer::start();
    let account = server
        .create("/v1/players", "", json!({"handle": "dido"}))
        .await;
    let token = text(&account["token"]);
    let open = json!({"player": "open"});
    let new = json!({"edition": "antike", "board": "antike-east", "visibility": "private",
        "seats": [open, open, {"player": {"id": "dido"}}]});
    let (path, created) = server.create_game(&token, new).await;
    let invitation = server.with(reqwest::Method::POST, &format!("{path}/invitation"), &token);
    let code = text(&send(invitation).await.ok(201)["code"]);
    let game = text(&created["id"]);
    let table = format!("/games/{game}/lobby");
    assert_eq!(server.get_as(&table, HTML).await.status, 404);
    let mine = format!("/play/mine?of={game}:0");
    assert!(!page(&server, &mine).await.text.contains(&game));
    let own = server
        .request(reqwest::Method::GET, "/play/mine")
        .header("Accept", HTML)
        .bearer_auth(&token);
    let own = send(own).await;
    assert_eq!(own.status, 200);
    assert_contains(&own.text, &table);
    // Guests cannot see the pages of a private game, so that they are not offered a seat of it.
    let join = page(&server, &format!("/join/{code}")).await.text;
    assert_contains(&join, "Sign in to take a seat");
    assert!(!join.contains("<form id=\"join\""), "{join}");
    let unknown = server.get_as("/join/AAAA-AAAA-AAAA", HTML).await;
    assert_eq!(unknown.status, 404);
    let drawn = server.get(&format!("/join/{code}/qr.svg")).await;
    assert_eq!(
        (drawn.status, drawn.header("content-type")),
        (200, "image/svg+xml")
    );
    for bad in ["A".repeat(41), "%3Csvg%3E".to_owned()] {
        server.get(&format!("/join/{bad}/qr.svg")).await.not_found();
    }
}

#[tokio::test]
async fn a_game_is_played_on_from_an_event() {
    let server = TestServer::start();
    let (path, tokens, _) = server.game_of_people().await;
    server.act(&path, &tokens[0], turn("gold")).await;
    let Some(browser) = Browser::start().await else {
        return;
    };
    let game = path.rsplit('/').next().unwrap();
    browser.resize(390).await;
    browser
        .open(&format!("{}/games/{game}?at=1", address(&server)))
        .await;
    let link = format!("[data-branch][href='/play?from={game}&seq=1']");
    browser.wait_for_element(&link).await;
    browser
        .open(&format!("{}/play?from={game}&seq=1", address(&server)))
        .await;
    browser
        .wait_for_element("#new-game [name=count] option")
        .await;
    browser.check_width().await;
    browser.click("#new-game button.first").await;
    browser
        .wait_for(&format!(
            "/^.games.[0-9a-f-]+$/.test(location.pathname) && !location.pathname.includes('{game}')"
        ))
        .await;
    let own = text(&browser.run("return location.pathname").await);
    let start = server.read(&format!("/v1{own}/states/0")).await;
    let source = server.read(&format!("{path}/states/1")).await;
    assert_eq!(start["state"]["nations"], source["state"]["nations"]);
    assert_eq!(start["state"]["phase"], source["state"]["phase"]);
    browser.check_console().await;
}

#[tokio::test]
async fn guests_bid_for_nations_and_play_what_they_paid_for() {
    let server = TestServer::start();
    let (Some(host), Some(friend)) = (Browser::start().await, Browser::start().await) else {
        return;
    };
    let Some(axe) = axe() else { return };
    host.resize(1280).await;
    friend.resize(390).await;
    host.open(&format!("{}/play", address(&server))).await;
    host.wait_for_element("#new-game [name=count] option").await;
    host.click("[name=board][value=duellum-rome-carthage]")
        .await;
    choose(&host, "opponents", "friends").await;
    choose(&host, "bidding", "sealed").await;
    host.click("#new-game button.first").await;
    host.wait_for("location.pathname.endsWith('/lobby') && document.getElementById('link')?.value")
        .await;
    let link = text(
        &host
            .run("return document.getElementById('link').value")
            .await,
    );
    let game = text(&host.run("return location.pathname.split('/')[2]").await);
    friend.open(&link).await;
    friend.click("#join button.first").await;
    for (browser, points) in [(&host, ["0", "1.5"]), (&friend, ["2", "0.5"])] {
        browser.wait_for_element("#bids:not([hidden])").await;
        browser.check_access(&axe).await;
        browser.check_width().await;
        for (seat, points) in points.iter().enumerate() {
            let field =
                format!("document.querySelector('#bids [name=\"{seat}\"]').value = '{points}'");
            browser.run(&field).await;
        }
        if let Ok(folder) = std::env::var("TABULARIUM_PICTURES") {
            let file = std::path::Path::new(&folder).join(format!("bids-{}.png", points[0]));
            std::fs::write(file, browser.picture(900, 1400, 1.0).await).unwrap();
        }
        browser.click("#bids button").await;
    }
    for (browser, seat) in [(&host, 1), (&friend, 0)] {
        wait_for_path(browser, &format!("/games/{game}")).await;
        browser.wait_for_element("#play").await;
        assert_eq!(kept(browser, &game).await["seat"], seat);
    }
    let table = server.read(&format!("/v1/games/{game}")).await;
    assert_eq!(table["bidding"]["prices"][0]["price"], 2.0);
    let first = table["pending"][0]["seat"].as_u64().unwrap();
    let own = if first == 1 { &host } else { &friend };
    own.wait_for("document.title.startsWith('● ')").await;
}
