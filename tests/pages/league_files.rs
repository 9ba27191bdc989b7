//! Sheets of leagues to print, and the page to import a file.

use reqwest::Method;
use serde_json::{Value, json};

use super::browser::{Browser, axe};
use super::{HTML, address, page};
use crate::http::support::{Answer, TestServer, array, assert_contains, send};

const PASSWORD: &str = "a long password of dido";

/// Signs up in a browser, and returns the cookie of the session.
async fn sign_up(server: &TestServer, handle: &str) -> String {
    let form = [("handle", handle), ("password", PASSWORD)];
    let answer = post(server, "/sign-up", "", &form).await;
    assert_eq!(answer.status, 200, "{}", answer.text);
    let cookie = answer.header("set-cookie").split(';').next().unwrap();
    cookie.to_owned()
}

/// Sends a form as a page of this site does.
async fn post(server: &TestServer, path: &str, cookie: &str, form: &[(&str, &str)]) -> Answer {
    let body = form_urlencoded::Serializer::new(String::new())
        .extend_pairs(form)
        .finish();
    let request = server.request(Method::POST, path);
    let request = request.header("Sec-Fetch-Site", "same-origin");
    let request = request.header("Accept", HTML).header("Cookie", cookie);
    let request = request.header("Content-Type", "application/x-www-form-urlencoded");
    send(request.body(body)).await
}

/// Creates a league as the account of a session, and returns its id.
async fn league(server: &TestServer, cookie: &str) -> String {
    let rules = json!({"scoring": {"rank_points": [5, 3, 2, 0]}, "tie_breaks": ["wins", "seconds", "average",
        "head_to_head", "opponents", "games", "lot"]});
    let new = json!({"name": "Cup", "season": {"name": "Spring", "rules": rules}});
    let request = server.request(Method::POST, "/v1/leagues").json(&new);
    let request = request.header("Sec-Fetch-Site", "same-origin");
    let made = send(request.header("Cookie", cookie)).await.ok(201);
    made["id"].as_str().unwrap().to_owned()
}

/// Results of two rounds of five tables.
fn results() -> String {
    let mut file = "round,table,player,nation,place,edition,board\n".to_owned();
    let nations = ["greeks", "phoenicians", "persians", "arabs"];
    for round in 0..2 {
        for table in 0..5 {
            for (place, nation) in nations.iter().enumerate() {
                let player = match round {
                    0 => table * 4 + place,
                    _ => (table + place * 5) % 20,
                };
                file += &format!(
                    "{},{table},Player number {},{nation},{},antike,antike-east\n",
                    round + 1,
                    player + 1,
                    place + 1
                );
            }
        }
    }
    file
}

#[tokio::test]
async fn organizers_try_a_file_and_import_it() {
    let server = TestServer::start();
    let cookie = sign_up(&server, "dido").await;
    let id = league(&server, &cookie).await;
    let path = format!("/leagues/{id}/import");
    let own = async |path: &str| {
        let request = server.request(Method::GET, path).header("Accept", HTML);
        let request = request.header("Sec-Fetch-Site", "same-origin");
        send(request.header("Cookie", &cookie)).await
    };
    assert_contains(&own(&format!("/leagues/{id}")).await.text, &path);
    assert!(
        !page(&server, &format!("/leagues/{id}"))
            .await
            .text
            .contains(&path)
    );
    assert_contains(&own(&path).await.text, "type=\"file\"");
    let file = results();
    let members = async || {
        let league = server.read(&format!("/v1/leagues/{id}")).await;
        array(&league["members"]).len()
    };
    let bad = file.replace("greeks", "trojans");
    let refused = post(
        &server,
        &path,
        &cookie,
        &[("format", "csv"), ("content", &bad)],
    )
    .await;
    assert_contains(&refused.text, "Some rows are refused");
    assert_contains(&refused.text, "no board has the nation &quot;trojans&quot;");
    assert!(!refused.text.contains("Import all rows"));
    let tried = post(
        &server,
        &path,
        &cookie,
        &[("format", "csv"), ("content", &file)],
    )
    .await;
    assert_contains(&tried.text, "The file can be imported");
    assert_contains(&tried.text, "Import all rows");
    assert_eq!(members().await, 0, "a try changes nothing");
    let form = [("format", "csv"), ("content", &*file), ("import", "yes")];
    let other = sign_up(&server, "hanno").await;
    let stranger = post(&server, &path, &other, &form).await;
    assert_contains(&stranger.text, "only organizers of the league may do this");
    assert_eq!(members().await, 0);
    let sign_in = page(&server, &path).await;
    assert_contains(&sign_in.text, "<form method=\"post\" action=\"/sign-in\"");
    let broken = post(
        &server,
        &path,
        &cookie,
        &[("format", "bgg"), ("content", &file)],
    )
    .await;
    assert_contains(&broken.text, "line 1 of the file is not XML");
    let done = post(&server, &path, &cookie, &form).await;
    assert_contains(&done.text, "The file was imported");
    assert_eq!(members().await, 20);
}

#[tokio::test]
async fn every_column_of_a_league_is_on_its_sheets() {
    let server = TestServer::start();
    let cookie = sign_up(&server, "dido").await;
    let id = league(&server, &cookie).await;
    let print = format!("/leagues/{id}/print");
    let none = page(&server, &format!("{print}/pairings")).await;
    assert_contains(&none.text, "No table has been created yet.");
    let form = [("content", &*results()), ("import", "yes")];
    post(&server, &format!("/leagues/{id}/import"), &cookie, &form).await;
    let of_league = page(&server, &format!("/leagues/{id}")).await;
    for sheet in ["pairings", "slips", "standings"] {
        assert_contains(&of_league.text, &format!("{print}/{sheet}?season=1"));
    }
    let standings = page(&server, &format!("{print}/standings")).await.text;
    let head = standings.split("</thead>").next().unwrap();
    assert_eq!(head.matches("<th scope=\"col\"").count(), 4 + 7, "{head}");
    // The cross table is in two parts with 14 and 6 columns.
    let parts: Vec<&str> = standings.split("class=\"met\"").skip(1).collect();
    let columns = |part: &&str| {
        part.split("</thead>")
            .next()
            .unwrap()
            .matches("<th scope=\"col\"")
            .count()
            - 1
    };
    assert_eq!(parts.iter().map(columns).collect::<Vec<_>>(), [14, 6]);
    for (query, tables) in [("", "6"), ("?round=2", "6"), ("?round=1&season=1", "1")] {
        let pairings = page(&server, &format!("{print}/pairings{query}"))
            .await
            .text;
        assert_contains(&pairings, &format!("Table {tables}<br>"));
        for player in 1..=20 {
            assert_contains(&pairings, &format!("Player number {player}<"));
        }
        let slips = page(&server, &format!("{print}/slips{query}")).await.text;
        assert_eq!(slips.matches("class=\"slip\"").count(), 5);
    }
    for (path, status) in [
        ("/other", 404),
        ("/slips?season=2", 404),
        ("/slips?day=1", 422),
    ] {
        let answer = server.get_as(&format!("{print}{path}"), HTML).await;
        assert_eq!(answer.status, status, "{path}");
    }
    let Some(browser) = Browser::start().await else {
        return;
    };
    let Some(axe) = axe() else { return };
    for width in [1200, 390] {
        browser.resize(width).await;
        for sheet in ["pairings", "slips", "standings"] {
            browser
                .open(&format!("{}{print}/{sheet}", address(&server)))
                .await;
            browser.wait_for_element("main.sheet table").await;
            browser.check_access(&axe).await;
            browser.check_width().await;
            browser.check_console().await;
        }
        let import = format!("{}/leagues/{id}/import", address(&server));
        browser.open(&import).await;
        if width == 1200 {
            let sign_in = format!(
                "document.querySelector('main input[name=handle]').value = 'dido'; \
                document.querySelector('main input[name=password]').value = '{PASSWORD}'; \
                document.querySelector('main form').submit(); return true"
            );
            browser.run(&sign_in).await;
        }
        browser.wait_for_element(".import textarea").await;
        browser.check_access(&axe).await;
        browser.check_width().await;
    }
    let filled = "const data = new DataTransfer(); \
        data.items.add(new File(['<plays/>'], 'plays.xml')); \
        const file = document.getElementById('file'); file.files = data.files; \
        file.dispatchEvent(new Event('change')); return true";
    assert_eq!(browser.run(filled).await, Value::Bool(true));
    browser
        .wait_for("document.getElementById('content').value === '<plays/>' && document.getElementById('format').value === 'bgg'")
        .await;
}
