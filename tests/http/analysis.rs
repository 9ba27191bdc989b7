//! The analysis of positions by the engine.

use api::http::limits::options::Limits;
use reqwest::Method;
use serde_json::{Value, json};

use super::accounts::register;
use super::support::{Answer, TestServer, array, eventually, send, text, turn};

const PATH: &str = "/v1/engine/analysis";

fn situation() -> Value {
    json!({"edition": "antike", "board": "antike-east", "first": "greeks",
        "seats": [["greeks"], ["phoenicians"], ["persians"], ["arabs"]]})
}

fn request(playouts: u32) -> Value {
    json!({"situation": situation(), "budget": {"playouts": playouts}, "candidates": 64})
}

/// Requests a stream and reads it to its end.
async fn read_stream(server: &TestServer, body: &Value) -> Vec<Value> {
    let asked = server.request(Method::POST, PATH).json(body);
    let answer = send(asked.header("Accept", "text/event-stream")).await;
    assert_eq!(answer.status, 200, "{}", answer.text);
    assert_eq!(answer.header("content-type"), "text/event-stream");
    let events = answer.text.split_terminator("\n\n");
    let data = events.map(|event| event.strip_prefix("data: ").unwrap());
    data.map(|data| serde_json::from_str(data).unwrap())
        .collect()
}

#[tokio::test]
async fn candidates_have_visits_shares_and_a_line() {
    let server = TestServer::start();
    let analysis = server.post(PATH, "", request(12)).await.ok(200);
    assert_eq!(
        (&analysis["done"], &analysis["playouts"]),
        (&json!(true), &json!(12))
    );
    assert_eq!(
        (&analysis["nation"], &analysis["seat"]),
        (&json!("greeks"), &json!(0))
    );
    let candidates = array(&analysis["candidates"]);
    let visits = |one: &Value| one["visits"].as_u64().unwrap();
    assert_eq!(candidates.iter().map(visits).sum::<u64>(), 12);
    assert!(candidates.is_sorted_by_key(|one| std::cmp::Reverse(visits(one))));
    for candidate in candidates {
        let shares = array(&candidate["shares"]);
        let number = |share: &Value, name: &str| share[name].as_f64().unwrap();
        let sum: f64 = shares.iter().map(|share| number(share, "share")).sum();
        assert!((sum - 1.0).abs() < 1e-9, "{shares:?}");
        for share in shares {
            let [low, mean, high] = ["low", "share", "high"].map(|name| number(share, name));
            assert!(0.0 <= low && low <= mean && mean <= high && high <= 1.0);
        }
        assert_eq!(shares[2]["nations"], json!(["persians"]));
        // The proposed turn can be played as it is written.
        let line = array(&candidate["line"]);
        let own = candidate["own"].as_u64().unwrap() as usize;
        let actions = line[..own].iter().map(|one| {
            let mut action = one["action"].clone();
            action["nation"] = one["nation"].clone();
            action
        });
        let actions: Vec<Value> = actions.collect();
        let body = json!({"situation": situation(), "actions": actions});
        let applied = server.post("/v1/engine/apply", "", body).await.ok(200);
        assert_eq!(applied["pending"][0]["nation"], "phoenicians");
        assert_eq!(applied["steps"][0]["notation"], line[0]["notation"]);
    }
    // The same request has the same answer. With fewer candidates, the best one remains.
    assert_eq!(server.post(PATH, "", request(12)).await.ok(200), analysis);
    let mut less = request(12);
    less["candidates"] = json!(1);
    let first = server.post(PATH, "", less).await.ok(200);
    assert_eq!(first["candidates"], json!([analysis["candidates"][0]]));
    // Another seed guesses other cards.
    let duellum = json!({"edition": "antike_duellum", "board": "duellum-rome-carthage",
        "first": "romans", "seats": [["romans"], ["carthaginians"]]});
    let mut cards = json!({"situation": duellum, "budget": {"playouts": 60}});
    let found = server.post(PATH, "", cards.clone()).await.ok(200);
    cards["seed"] = json!("other");
    assert_ne!(server.post(PATH, "", cards).await.ok(200), found);
}

#[tokio::test]
async fn a_stream_ends_with_the_answer_of_a_plain_request() {
    let server = TestServer::start();
    let body = request(40);
    let events = read_stream(&server, &body).await;
    let (last, before) = events.split_last().unwrap();
    assert!(!before.is_empty(), "no event came before the last");
    assert!(before.iter().all(|event| event["done"] == false));
    let playouts = |event: &Value| event["playouts"].as_u64().unwrap();
    assert_eq!(playouts(&before[0]), 1);
    assert!(events.is_sorted_by_key(playouts));
    assert_eq!(*last, server.post(PATH, "", body).await.ok(200));
    let time = json!({"situation": situation(), "budget": {"milliseconds": 30}});
    let events = read_stream(&server, &time).await;
    assert_eq!(events.last().unwrap()["done"], true);
    assert!(playouts(events.last().unwrap()) > 0);
}

#[tokio::test]
async fn bad_requests_for_an_analysis_are_refused() {
    let server = TestServer::start();
    let ask = async |name: &str, value: Value| -> Answer {
        let mut body = request(1);
        body[name] = value;
        server.post(PATH, "", body).await
    };
    for (name, value, field) in [
        ("budget", json!({}), "budget"),
        (
            "budget",
            json!({"playouts": 1, "milliseconds": 1}),
            "budget",
        ),
        ("budget", json!({"playouts": 0}), "budget.playouts"),
        ("budget", json!({"playouts": 1001}), "budget.playouts"),
        (
            "budget",
            json!({"milliseconds": 1001}),
            "budget.milliseconds",
        ),
        ("candidates", json!(0), "candidates"),
        ("candidates", json!(65), "candidates"),
        ("situation", Value::Null, "situation"),
        ("game", json!({"id": uuid::Uuid::nil()}), "situation"),
        ("seeds", json!("x"), "seeds"),
    ] {
        ask(name, value.clone()).await.invalid(field);
    }
    let mut elsewhere = situation();
    elsewhere["board"] = json!("moon");
    let refused = ask("situation", elsewhere).await;
    refused.problem(422, "invalid_body");
    let unknown = json!({"game": {"id": uuid::Uuid::now_v7()}});
    server.post(PATH, "", unknown).await.not_found();
    let picture = server.request(Method::POST, PATH).json(&request(1));
    let refused = send(picture.header("Accept", "image/png")).await;
    refused.problem(406, "not_acceptable");
}

#[tokio::test]
async fn positions_of_games_are_analysed_for_callers_who_may_see_them() {
    let server = TestServer::start();
    let (path, tokens, _) = server.game_of_people().await;
    let id = path.rsplit('/').next().unwrap().to_owned();
    let of_game = |more: Value| {
        let mut game = json!({ "id": id });
        game["seq"] = more;
        json!({"game": game, "budget": {"playouts": 4}})
    };
    let turn = turn("iron");
    let actions = format!("{path}/actions");
    server.create(&actions, &tokens[0], turn).await;
    let begin = server.post(PATH, "", of_game(json!(0))).await.ok(200);
    assert_eq!(begin["nation"], "greeks");
    let mut given = request(4);
    given["candidates"] = json!(5);
    assert_eq!(server.post(PATH, "", given).await.ok(200), begin);
    let now = server.post(PATH, "", of_game(Value::Null)).await.ok(200);
    assert_eq!(now["nation"], "phoenicians");
    server.post(PATH, "", of_game(json!(99))).await.not_found();
    for (token, nation) in tokens
        .iter()
        .skip(1)
        .zip(["phoenicians", "persians", "arabs"])
    {
        let resign = json!({"type": "resign", "nation": nation});
        server.create(&actions, token, resign).await;
    }
    let over = server.post(PATH, "", of_game(Value::Null)).await;
    over.problem(409, "game_over");
    // A private game exists for its players only.
    let new = json!({"edition": "antike", "board": "antike-east", "visibility": "private",
        "seats": [{"player": "open"}, {"player": {"bot": "random"}}, {"player": {"bot": "random"}}]});
    let created = server.create("/v1/games", "", new).await;
    let body = json!({"game": {"id": created["id"]}, "budget": {"playouts": 1}});
    let stranger = server.post(PATH, "", body.clone()).await;
    let hidden = stranger.not_found();
    let missing = json!({"game": {"id": uuid::Uuid::now_v7()}, "budget": {"playouts": 1}});
    let missing = server.post(PATH, "", missing).await.not_found();
    let words = |problem: &Value| text(&problem["detail"]).split(' ').count();
    assert_eq!(words(&hidden), words(&missing));
    let organizer = text(&created["tokens"]["organizer"]);
    server.post(PATH, &organizer, body).await.ok(200);
}

#[tokio::test]
async fn a_rated_game_is_not_analysed_while_it_runs() {
    let server = TestServer::start();
    let (_, dido) = register(&server, "dido").await;
    let (_, hanno) = register(&server, "hanno").await;
    let seat = |handle: &str| json!({"player": {"id": handle}});
    let new = json!({"edition": "antike_duellum", "board": "duellum-rome-carthage", "first": 0,
        "seats": [seat("dido"), seat("hanno")], "rated": true});
    let (path, created) = server.create_game(&dido, new).await;
    let claim = format!("{path}/seats/1");
    server.create(&claim, &hanno, json!({})).await;
    let body = json!({"game": {"id": created["id"], "seq": 0}, "budget": {"playouts": 1}});
    for token in ["", &*dido] {
        server.post(PATH, token, body.clone()).await.forbidden();
    }
    let resign = json!({"type": "resign"});
    let actions = format!("{path}/actions");
    server.create(&actions, &hanno, resign).await;
    server.post(PATH, "", body).await.ok(200);
}

/// Waits until the slot of an analysis is free again, which is far earlier than the analysis would have ended.
async fn free(server: &TestServer) {
    eventually(
        "the analysis runs on after the caller hung up",
        async || {
            let answer = server.post(PATH, "", request(1)).await;
            if answer.status == 200 {
                return Some(());
            }
            answer.problem(503, "overloaded");
            assert!(!answer.header("retry-after").is_empty());
            None
        },
    )
    .await;
}

#[tokio::test]
async fn an_analysis_ends_when_the_caller_hangs_up() {
    let server = TestServer::with_limits(Limits {
        analyses: 1,
        analysis_budget: 600_000,
        ..Limits::unmetered()
    });
    let long = json!({"situation": situation(), "budget": {"milliseconds": 600_000}});
    let asked = server.request(Method::POST, PATH).json(&long);
    let mut response = asked
        .header("Accept", "text/event-stream")
        .send()
        .await
        .unwrap();
    let first = response.chunk().await.unwrap().unwrap();
    assert!(first.starts_with(b"data: {"));
    let second = server.post(PATH, "", request(1)).await;
    second.problem(503, "overloaded");
    drop(response);
    free(&server).await;
}

#[tokio::test]
async fn an_analysis_that_grows_is_a_live_stream() {
    let server = TestServer::with_limits(Limits {
        streams: 1,
        analyses: 3,
        analysis_budget: 600_000,
        ..Limits::unmetered()
    });
    let long = json!({"situation": situation(), "budget": {"milliseconds": 600_000}});
    let grows = || {
        let asked = server.request(Method::POST, PATH).json(&long);
        asked.header("Accept", "text/event-stream")
    };
    let mut first = grows().send().await.unwrap();
    assert!(first.chunk().await.unwrap().is_some());
    send(grows()).await.problem(503, "overloaded");
    // An analysis that is sent at its end counts as no stream.
    server.post(PATH, "", request(1)).await.ok(200);
}

#[tokio::test]
async fn analyses_are_counted() {
    let server = TestServer::with_limits(Limits {
        analysis: "2/3600".parse().unwrap(),
        analysis_budget: 3,
        loopback: 1,
        ..Limits::default()
    });
    for playouts in [3, 4] {
        let status = if playouts > 3 { 422 } else { 200 };
        let answer = server.post(PATH, "", request(playouts)).await;
        assert_eq!(answer.status, status, "{}", answer.text);
    }
    let refused = server.post(PATH, "", request(1)).await;
    let detail = text(&refused.problem(429, "rate_limited")["detail"]);
    assert!(detail.starts_with("analysis"), "{detail}");
    let limits = server.read("/v1/limits").await;
    let limits = array(&limits["items"]);
    for (name, quantity) in [
        ("analysis", 2),
        ("analyses", 2),
        ("address_analyses", 1),
        ("analysis_budget", 3),
    ] {
        let limit = limits.iter().find(|limit| limit["name"] == name).unwrap();
        assert_eq!(limit["quantity"], quantity, "{name}");
    }
}
