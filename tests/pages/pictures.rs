//! Compares a picture of every page, wide and on a telephone, with the stored ones. Whatever differs from run to
//! run (times, ids, the port) and from machine to machine (fonts) is made the same first.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use records::Record;
use reqwest::Method;
use serde_json::{Value, json};

use super::address;
use super::browser::Browser;
use super::kept::{Picture, all_look_as_they_did, check};
use super::players::{MEETINGS, people_play};
use super::stats::server_with_games;
use crate::http::support::{TestServer, send, text};

/// How many per cent of a page may differ between versions of the browser.
const MOST: f64 = 3.0;

/// Windows: the name, the width, how much of a page is visible, and the scale of its pictures.
const WINDOWS: [(&str, u32, u32, f64); 2] = [("wide", 1200, 1500, 0.5), ("phone", 390, 1500, 0.8)];

/// Creates a league of four with two over-the-board results, and returns its path.
async fn create_league(server: &TestServer) -> String {
    let account = server
        .create("/v1/players", "", json!({"handle": "archon"}))
        .await;
    let token = account["token"].as_str().expect("a token");
    let rules =
        json!({"scoring": {"rank_points": [5, 3, 2, 0]}, "tie_breaks": ["wins", "average"]});
    let new = json!({"name": "Cup of Carthage", "description": "By candle light, on Fridays.",
        "season": {"name": "Spring", "rules": rules}});
    let league = server.create("/v1/leagues", token, new).await;
    let path = format!("/leagues/{}", league["id"].as_str().expect("an id"));
    let mut members = Vec::new();
    for name in ["Dido", "Hanno", "Mago", "Elissa"] {
        let new = json!({ "placeholder": name });
        let league = server.post(&format!("/v1{path}/members"), token, new).await;
        let league = league.ok(201);
        let last = league["members"].as_array().expect("members").last();
        members.push(last.expect("a member")["id"].clone());
    }
    let nations = ["greeks", "phoenicians", "persians", "arabs"];
    for (round, ranks) in [(1, [1, 2, 3, 4]), (2, [2, 1, 4, 3])] {
        let seats = members.iter().zip(nations).zip(ranks);
        let seats: Vec<Value> = seats
            .map(|((member, nation), rank)| json!({"member": member, "nations": [nation], "rank": rank}))
            .collect();
        let result = json!({"round": round, "edition": "antike", "board": "antike-east", "seats": seats,
            "played_at": format!("2026-11-0{round}T18:00:00Z")});
        let path = format!("/v1{path}/results");
        server.create(&path, token, result).await;
    }
    path
}

/// Starts a server with games of bots and people. Returns the paths of a late position of six nations and of a league.
async fn start_with_games() -> (TestServer, String, String) {
    let server = server_with_games().await;
    people_play(&server).await;
    let text = include_str!("../records/east_6_goal.txt");
    let golden = Record {
        id: "01900000-0000-7000-8002-000000000006".to_owned(),
        ..Record::from_text(text).expect("a golden record")
    };
    let id = server.imports().import(&golden).expect("a game to import");
    let counted = |body: &Value| body["games"] == json!(38 + MEETINGS + 1);
    server
        .wait_for("/v1/stats/lengths?reason=any", counted)
        .await;
    let position = format!("/games/{id}?at={}", golden.actions.len() * 3 / 4);
    let league = create_league(&server).await;
    (server, position, league)
}

/// Creates a game with a free seat that no list shows. Returns the pages of its table and of its invitation.
async fn create_table(server: &TestServer) -> (String, String) {
    let seat = |nation: &str, player: Value| json!({"nations": [nation], "player": player});
    let body = json!({"edition": "antike", "board": "antike-east", "visibility": "unlisted",
        "pace": {"turn_seconds": 86_400, "reserve_seconds": 259_200, "then": "bot"},
        "seats": [seat("greeks", json!({"placeholder": "Dido"})), seat("persians", json!("open")),
            seat("arabs", json!({"bot": "greedy"}))]});
    let (path, created) = server.create_game("", body).await;
    let organizer = text(&created["tokens"]["organizer"]);
    let invitation = server.with(Method::POST, &format!("{path}/invitation"), &organizer);
    let code = text(&send(invitation).await.ok(201)["code"]);
    let table = format!("{}/lobby", path.trim_start_matches("/v1"));
    (table, format!("/join/{code}"))
}

/// Returns the pages with the names of their pictures.
fn pages<'a>(
    position: &'a str,
    league: &'a str,
    (table, join): (&'a str, &'a str),
) -> Vec<(&'static str, &'a str)> {
    vec![
        ("home", "/"),
        ("games", "/games"),
        ("game", position),
        ("play", "/play"),
        ("table", table),
        ("join", join),
        ("leagues", "/leagues"),
        ("league", league),
        ("stats", "/stats?board=antike-east&nations=3"),
        ("nations", "/stats/nations?board=antike-east&nations=3"),
        ("openings", "/stats/openings?board=antike-east&nations=3"),
        ("rules", "/rules"),
        ("rules_antike", "/rules/antike"),
        ("docs", "/docs"),
        ("tables", "/docs/tables"),
        ("reference", "/docs/api/seats"),
        ("players", "/players"),
        ("player", "/players/dido"),
        ("nothing", "/nothing"),
    ]
}

/// Returns a script that makes a page the same on every machine and at any time, and waits until it is complete.
fn settle_script() -> String {
    let font = |name: &str| {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../engine/drawing/data");
        let bytes = std::fs::read(format!("{folder}/FiraSansCondensed-{name}.ttf"));
        STANDARD.encode(bytes.expect("a font"))
    };
    r#"const done = arguments[0];
    const load = (text, weight) => {
        const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
        const font = new FontFace('Kept', bytes.buffer, {weight});
        document.fonts.add(font);
        return font.load();
    };
    const sheet = new CSSStyleSheet();
    sheet.replaceSync('*, *::before, *::after { font-family: Kept !important; animation: none !important; \
        transition: none !important; caret-color: transparent !important }');
    document.adoptedStyleSheets = [sheet];
    for (const time of document.querySelectorAll('time')) time.textContent = '1 Jan 2026, 12:00 UTC';
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
        texts.currentNode.data = texts.currentNode.data
            .replace(/127\.0\.0\.1:\d+/g, '127.0.0.1:8080')
            .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '01900000-0000-7000-8000-000000000000')
            .replace(/\b[0-9a-f]{16,64}\b/g, (hash) => '0'.repeat(hash.length))
            .replace(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:[\d.]+)?/g, '2026-01-01 12:00');
    }
    // The drawing of a board takes the place of its picture.
    const drawn = (then) => document.querySelector('.board:not(:has(.view > svg))')
        ? requestAnimationFrame(() => drawn(then)) : then();
    const images = [...document.images].map((image) => image.decode().catch(() => null));
    Promise.all([load('MEDIUM', '100 550'), load('BOLD', '551 900'), new Promise(drawn), ...images])
        .then(() => requestAnimationFrame(() => requestAnimationFrame(() => done(true))), (error) => done(String(error)));"#
        .replace("MEDIUM", &font("Medium"))
        .replace("BOLD", &font("Bold"))
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_look_as_they_did() {
    let Some(browser) = Browser::start().await else {
        return;
    };
    let (server, position, league) = start_with_games().await;
    let (table, join) = create_table(&server).await;
    let settle = settle_script();
    let mut changed = Vec::new();
    let mut seen: Vec<Picture> = Vec::new();
    for (window, width, height, scale) in WINDOWS {
        browser.resize(width).await;
        for (name, path) in pages(&position, &league, (&table, &join)) {
            browser.open(&format!("{}{path}", address(&server))).await;
            assert_eq!(browser.run_until(&settle).await, true, "{path}");
            let bytes = browser.picture(width, height, scale).await;
            match check(&format!("page_{name}_{window}"), &bytes, MOST) {
                Ok(picture) => seen.push(picture),
                Err(difference) => changed.push(difference),
            }
        }
    }
    all_look_as_they_did(&changed);
    let differ = seen[0].difference(&seen[1]);
    assert!(differ > 2.0 * MOST, "other pages differ: {differ}");
}
