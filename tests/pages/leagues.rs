//! The pages of leagues: over HTTP, and in a headless browser.

use serde_json::{Value, json};

use super::browser::{Browser, axe};
use super::{HTML, address, attributes, page, tags};
use crate::http::support::{TestServer, array};

/// A league of four. Bots have played its first round. The second has an over-the-board result, which was
/// corrected.
struct PlayedLeague {
    id: String,
    token: String,
    /// The game of the first round.
    game: String,
    /// The standings after the first round, and the current ones.
    then: Value,
    now: Value,
}

/// Creates the league, with names that would break a page that does not escape them.
async fn create_league(server: &TestServer) -> PlayedLeague {
    let account = server
        .create("/v1/players", "", json!({"handle": "archon"}))
        .await;
    let token = account["token"].as_str().unwrap().to_owned();
    let rules = json!({"scoring": {"rank_points": [5, 3, 2, 0]}, "tie_breaks": ["wins", "average", "head_to_head"]});
    let new = json!({"name": "Cup of <Rome> & Carthage", "description": "By candle light.\n\nOn Fridays.",
        "season": {"name": "Spring", "rules": rules}});
    let league = server.create("/v1/leagues", &token, new).await;
    let id = league["id"].as_str().unwrap().to_owned();
    let path = format!("/v1/leagues/{id}");
    let post = async |part: &str, body: Value| {
        server.create(&format!("{path}/{part}"), &token, body).await
    };
    let mut members = Vec::new();
    for name in ["Dido", "Hanno", "Mago the <b>Bold</b>", "Elissa"] {
        let league = post("members", json!({ "placeholder": name })).await;
        let last = array(&league["members"]).last().unwrap();
        members.push(last["id"].clone());
    }
    let nations = ["greeks", "phoenicians", "persians", "arabs"];
    let sits = |(member, nation): (&Value, &str)| json!({"member": member, "nations": [nation]});
    let seats: Vec<Value> = members.iter().zip(nations).map(sits).collect();
    let tables = json!({"round": 1, "edition": "antike", "board": "antike-east", "max_rounds": 4,
        "tables": [{"seats": seats}]});
    let set_up = post("tables", tables).await;
    let game = set_up["tables"][0]["game"].as_str().unwrap().to_owned();
    for seat in 0..4 {
        let bot = json!({"player": {"bot": "random"}});
        let path = format!("/v1/games/{game}/seats/{seat}");
        server.put(&path, &token, bot).await.ok(200);
    }
    let counted = |league: &Value| league["seasons"][0]["counted"] == 1;
    server.wait_for(&path, counted).await;
    let then = server.read(&format!("{path}/standings")).await;
    let ranks = [2, 1, 4, 3];
    let seats: Vec<Value> = (members.iter().zip(nations).zip(ranks))
        .map(
            |((member, nation), rank)| json!({"member": member, "nations": [nation], "rank": rank}),
        )
        .collect();
    let result = json!({"round": 2, "edition": "antike", "board": "antike-east", "seats": seats,
        "played_at": "2026-11-01T18:00:00Z", "note": "at Mago's"});
    post("results", result).await;
    post(
        "tables/2/corrections",
        json!({"type": "adjudicate", "ranks": [1, 1, 4, 3]}),
    )
    .await;
    let now = server.read(&format!("{path}/standings")).await;
    assert_ne!(then["rows"], now["rows"]);
    PlayedLeague {
        id,
        token,
        game,
        then,
        now,
    }
}

/// Writes a number as pages do.
fn amount(value: &Value) -> String {
    let text = format!("{:.2}", value.as_f64().unwrap());
    let text = text.trim_end_matches('0').trim_end_matches('.');
    text.to_owned()
}

/// Returns the lines of standings as on a page: rank, member, points, games, tie-breaks.
fn lines(standings: &Value) -> Value {
    let line = |row: &Value| {
        let known = [
            row["rank"].to_string(),
            row["member"]["name"].as_str().unwrap().to_owned(),
            amount(&row["points"]),
            amount(&row["games"]),
        ];
        let tie_breaks = array(&row["tie_breaks"]).iter().map(amount);
        json!(known.into_iter().chain(tie_breaks).collect::<Vec<_>>())
    };
    let rows = array(&standings["rows"]);
    rows.iter().map(line).collect()
}

#[tokio::test]
async fn the_page_of_a_league_agrees_with_the_api() {
    let server = TestServer::start();
    let none = page(&server, "/leagues").await.text;
    assert!(none.contains("There is no league yet."), "{none}");
    let PlayedLeague {
        id,
        token,
        game,
        then,
        ..
    } = create_league(&server).await;
    let list = page(&server, "/leagues").await.text;
    for words in [
        &format!("href=\"/leagues/{id}\"") as &str,
        "Cup of &lt;Rome&gt; &amp; Carthage",
        "4 members, 2 of 2 tables counted",
        " lead",
    ] {
        assert!(list.contains(words), "{words}: {list}");
    }
    let path = format!("/leagues/{id}");
    let shown = page(&server, &path).await.text;
    for words in [
        "Mago the &lt;b&gt;Bold&lt;/b&gt;",
        "By candle light.",
        "over the board",
        "decided by the organizers",
        "at Mago's",
        "1 Nov 2026, 18:00 UTC",
        "<th scope=\"col\" class=\"figure tie-break\" title=\"points per game\">Average</th>",
        "5, 3, 2 and 0 points",
        &format!("href=\"/games/{game}\""),
    ] {
        assert!(shown.contains(words), "{words}: {shown}");
    }
    for tag in tags(&shown) {
        let bad = tag.starts_with("script") || tag.starts_with("style") || tag.contains(" style=");
        assert!(!bad, "{tag}");
    }
    // Every link leads to a page.
    for link in attributes(&shown, "href") {
        if link.starts_with('/') {
            let link = link.replace("&amp;", "&");
            assert_eq!(server.get_as(&link, HTML).await.status, 200, "{link}");
        }
    }
    let seq = &then["seq"];
    let earlier = page(&server, &format!("{path}?as_of={seq}")).await.text;
    assert!(
        earlier.contains(&format!("after event {seq} of the league log")),
        "{earlier}"
    );
    assert!(!earlier.contains("over the board"), "tables of then too");
    for (file, table) in [
        ("standings.csv", "standings"),
        ("head-to-head.csv", "head-to-head"),
    ] {
        for as_of in [String::new(), format!("?as_of={seq}")] {
            let file = server.get(&format!("{path}/{file}{as_of}")).await;
            let table = format!("/v1/leagues/{id}/{table}{as_of}");
            assert_eq!(
                file.text,
                server.get_as(&table, "text/csv").await.text,
                "{table}"
            );
        }
    }
    // A date means the end of that day, and today means now.
    let today = now_as_date();
    let day = page(&server, &format!("{path}?as_of={today}")).await.text;
    assert!(day.contains("over the board") && !day.contains("State of "));
    // Only the addresses to which the switch of languages and the sign-in come back differ.
    let empty = page(&server, &format!("{path}?as_of=")).await.text;
    assert_eq!(
        empty.replace("?as_of=\"", "\"").replace("%3Fas_of%3D", ""),
        shown
    );
    for (query, status) in [
        ("as_of=2001-01-01", 422),
        ("as_of=2999-01-01", 422),
        ("as_of=soon", 422),
        ("as_of=99", 422),
        ("season=2", 404),
        ("what=1", 422),
    ] {
        let answer = server.get_as(&format!("{path}?{query}"), HTML).await;
        assert_eq!(answer.status, status, "{query}");
        assert!(answer.text.contains("<h1>"), "{query}");
    }
    // A game links to its league. A league without a season has a page; a private one has none for strangers.
    let of_game = page(&server, &format!("/games/{game}")).await.text;
    let link = format!("href=\"{path}\"");
    assert!(
        of_game.contains("Table 1, round 1") && of_game.contains(&link),
        "{of_game}"
    );
    for (visibility, status) in [("public", 200), ("private", 404)] {
        let new = json!({"name": "Bare", "visibility": visibility});
        let made = server.create("/v1/leagues", &token, new).await;
        let path = format!("/leagues/{}", made["id"].as_str().unwrap());
        assert_eq!(server.get_as(&path, HTML).await.status, status);
    }
    page(&server, "/leagues").await;
}

#[tokio::test]
async fn the_leader_of_a_league_is_a_link_to_the_player() {
    let server = TestServer::start();
    let account = server
        .create("/v1/players", "", json!({"handle": "hanno"}))
        .await;
    let (player, token) = (&account["player"]["id"], account["token"].as_str().unwrap());
    let rules = json!({"scoring": {"rank_points": [5, 3, 0]}, "tie_breaks": []});
    let new = json!({"name": "Gades", "season": {"name": "Spring", "rules": rules}});
    let league = server.create("/v1/leagues", token, new).await;
    let path = format!("/v1/leagues/{}", league["id"].as_str().unwrap());
    let members = format!("{path}/members");
    let joins = json!({"id": "hanno"});
    server.create(&members, token, joins).await;
    for name in ["Mago", "Elissa"] {
        let named = json!({ "placeholder": name });
        server.create(&members, token, named).await;
    }
    let league = server.read(&path).await;
    let nations = ["greeks", "phoenicians", "persians"];
    let seats = (array(&league["members"]).iter())
        .zip(nations)
        .zip(1..)
        .map(|((member, nation), rank)| {
            json!({"member": member["id"], "nations": [nation], "rank": rank})
        });
    let result = json!({"round": 1, "edition": "antike", "board": "antike-east",
        "seats": seats.collect::<Vec<_>>(), "played_at": "2026-11-01T18:00:00Z"});
    let results = format!("{path}/results");
    server.create(&results, token, result).await;
    let list = page(&server, "/leagues").await.text;
    let leads = format!(
        "<a href=\"/players/{}\">hanno</a> leads with 5 points",
        player.as_str().unwrap()
    );
    assert!(list.contains(&leads), "{list}");
}

/// Returns the date of today in the time zone of the service.
fn now_as_date() -> String {
    let now = jiff::Timestamp::now().to_zoned(jiff::tz::TimeZone::UTC);
    now.date().to_string()
}

#[tokio::test]
async fn the_standings_of_a_league_can_be_read_in_a_browser() {
    let server = TestServer::start();
    let PlayedLeague {
        id,
        token,
        then,
        now,
        ..
    } = create_league(&server).await;
    let members = server.read(&format!("/v1/leagues/{id}")).await["members"].take();
    let nations = ["greeks", "phoenicians", "persians", "arabs"];
    let seats = array(&members).iter().zip(nations).zip(1..);
    let seats: Vec<Value> = seats
        .map(|((member, nation), rank)| {
            json!({"member": member["id"], "nations": [nation], "rank": rank})
        })
        .collect();
    let result = json!({"round": 3, "edition": "antike", "board": "antike-east", "seats": seats});
    for (part, body) in [
        ("results", result),
        ("tables/3/corrections", json!({"type": "void"})),
    ] {
        let path = format!("/v1/leagues/{id}/{part}");
        server.create(&path, &token, body).await;
    }
    let Some(browser) = Browser::start().await else {
        return;
    };
    let Some(axe) = axe() else { return };
    let rows = "return [...document.querySelectorAll('.standings tbody tr')].map((row) => \
        [...row.cells].map((cell) => cell.innerText.trim()))";
    for width in [1200, 390] {
        browser.resize(width).await;
        browser.open(&format!("{}/", address(&server))).await;
        browser.click("nav a[href='/leagues']").await;
        browser.wait_for_element(".games").await;
        browser.check_access(&axe).await;
        browser.check_width().await;
        browser.click(".entry a").await;
        browser.wait_for_element(".standings").await;
        assert_eq!(browser.run(rows).await, lines(&now));
        browser.click(".league details summary").await;
        browser.check_access(&axe).await;
        browser.check_width().await;
        let round =
            "document.querySelector('.moments .tabs a:last-child').textContent === 'After round 1'";
        assert_eq!(browser.run(&format!("return {round}")).await, true);
        browser.click(".moments .tabs a:last-child").await;
        browser.wait_for_element(".notice").await;
        assert_eq!(browser.run(rows).await, lines(&then));
        browser.check_access(&axe).await;
        // The form needs no script. Today means now.
        let today = "document.getElementById('as-of').value = document.getElementById('as-of').max";
        browser.run(today).await;
        browser.click(".as-of button").await;
        browser.wait_for("!document.querySelector('.notice')").await;
        assert_eq!(browser.run(rows).await, lines(&now));
        browser.check_console().await;
    }
}
