//! Bars of single expensive answers: analyses, pictures, pairings and ratings.

use std::process::Command;
use std::time::{Duration, Instant};

use reqwest::Method;
use serde_json::{Value, json};

use crate::Row;
use crate::support::{Client, Database, Program, Times, games, program, text};

/// A board of every edition, with as many nations as are usual on it.
const BOARDS: [(&str, &str, &[&str]); 3] = [
    (
        "antike",
        "antike-east",
        &["greeks", "phoenicians", "persians", "arabs"],
    ),
    (
        "antike_ii",
        "antike-ii-orient",
        &["greeks", "phoenicians", "persians", "arabs"],
    ),
    (
        "antike_duellum",
        "duellum-rome-carthage",
        &["romans", "carthaginians"],
    ),
];

/// Measures all of them.
pub async fn measure_answers(seed: u64) -> Vec<Row> {
    let mut rows = analyses().await;
    rows.extend(pictures(seed).await);
    rows.push(pairing().await);
    rows.push(ratings().await);
    rows
}

/// Measures the time from the request for an analysis to its first event.
async fn analyses() -> Vec<Row> {
    let database = Database::sqlite();
    let server = Program::serve(&database);
    let client = server.client();
    let mut rows = Vec::new();
    for (edition, board, nations) in BOARDS {
        let seats: Vec<[&str; 1]> = nations.iter().map(|nation| [*nation]).collect();
        let mut times = Vec::new();
        for number in 0..20 {
            let body = json!({"situation": {"edition": edition, "board": board, "first": nations[0], "seats": seats},
                "budget": {"playouts": 500}, "seed": number.to_string()});
            let asked = client.request(Method::POST, "/v1/engine/analysis");
            let asked = asked.header("Accept", "text/event-stream").json(&body);
            let begun = Instant::now();
            let mut answer = asked.send().await.expect("an answer");
            assert_eq!(answer.status(), 200);
            let first = answer.chunk().await.expect("a stream");
            assert!(first.is_some_and(|first| first.starts_with(b"data: ")));
            times.push(begun.elapsed());
            // One analysis at a time.
            while answer.chunk().await.expect("a stream").is_some() {}
        }
        let times = Times::sorted(times);
        let what = format!("analysis to first answer, {edition}, p99");
        rows.push(Row::new(what, 200.0, times.quantile(0.99), "ms").with(times));
    }
    rows
}

/// Measures pictures of games that are not cached yet.
async fn pictures(seed: u64) -> Vec<Row> {
    let database = Database::sqlite();
    database.import(400, 200, seed);
    let server = Program::serve(&database);
    let client = server.client();
    crate::large::whole(&client, 400, Instant::now()).await;
    let mut times = Vec::new();
    for measure in ["nations", "openings", "openings/tree", "lengths", "timing"] {
        for hour in 0..8 {
            let path = format!("/v1/stats/{measure}?reason=any&until=2100-01-01T{hour:02}:00:00Z");
            let request = client.request(Method::GET, &path);
            let begun = Instant::now();
            let answer = client.send(request.header("Accept", "image/svg+xml")).await;
            let answer = answer.expect("an answer");
            times.push(begun.elapsed());
            assert_eq!(answer.status, 200, "{}", answer.text);
        }
    }
    let times = Times::sorted(times);
    let what = "pictures of tables of 400 games, p99";
    vec![Row::new(what, 200.0, times.quantile(0.99), "ms").with(times)]
}

/// Measures the pairing of 200 players in games of four over six rounds.
async fn pairing() -> Row {
    let database = Database::sqlite();
    let server = Program::serve(&database);
    let client = server.client();
    let (path, token) = league(&client).await;
    for number in 0..200 {
        let member = json!({"placeholder": format!("Member {number}")});
        let members = format!("{path}/members");
        client.post(&members, &token, &member).await.ok(201);
    }
    let body = json!({"seed": "bars", "rounds": 6, "size": 4, "nations": BOARDS[0].2});
    let begun = Instant::now();
    let paired = client.post(&format!("{path}/pairing"), &token, &body).await;
    let time = begun.elapsed();
    let figures = &paired.ok(200)["figures"];
    let more = format!(
        "{} meet again, {} of them must; places differ by {}, nations by {}",
        figures["repeated"],
        figures["unavoidable"],
        figures["place_difference"],
        figures["nation_difference"]
    );
    let what = "pairing of 200 players in tables of 4 over 6 rounds";
    Row::new(what, 10.0, time.as_secs_f64(), "s").with(more)
}

/// Creates a league of an account with a season. Returns its path and the account's token.
async fn league(client: &Client) -> (String, String) {
    let new = json!({"handle": "dido"});
    let account = client.post("/v1/players", "", &new).await.ok(201);
    let token = text(&account["token"]);
    let rules = json!({"scoring": {"rank_points": [5, 3, 2, 0]}, "tie_breaks": ["wins"]});
    let new = json!({"name": "Cup", "season": {"name": "Spring", "rules": rules}});
    let league = client.post("/v1/leagues", &token, &new).await.ok(201);
    (format!("/v1/leagues/{}", text(&league["id"])), token)
}

/// Measures the rebuild of ratings, for each game.
async fn ratings() -> Row {
    let count = 200;
    let database = Database::sqlite();
    let server = Program::serve(&database);
    let client = server.client();
    let mut rated = games(1);
    rated["rated"] = Value::Bool(true);
    for (seat, bot) in ["random", "greedy", "greedy_growth", "greedy_military"]
        .iter()
        .enumerate()
    {
        rated["seats"][seat] = json!({"player": {"bot": bot}});
    }
    for _ in 0..count {
        client.create(&rated).await;
    }
    let all = async || {
        let finished = client.get("/v1/games/count?status=finished").await;
        finished.ok(200)["count"] == count
    };
    while !all().await {
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    let begun = Instant::now();
    let mut rebuild = Command::new(program());
    rebuild.args(["rebuild", "ratings", "--database", &database.url()]);
    let done = rebuild.env("TABULARIUM_KEY", database.key()).status();
    let time = begun.elapsed();
    assert!(done.expect("the program runs").success());
    let step = time.as_secs_f64() * 1e3 / f64::from(count);
    let what = "ratings rebuilt, a game of four bots";
    Row::new(what, 1.0, step, "ms").with(format!("{count} games; reading, the step and writing"))
}
