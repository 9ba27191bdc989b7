//! Several processes on one database.

use api::db::changes::WakeReason;
use api::db::clock::Clock;
use api::server::Config;
use jiff::SignedDuration;
use reqwest::Method;
use serde_json::json;

use super::ratings::open_services;
use super::support::{
    Database, Stream, TestServer, array, eventually, read_events, send, text, turn,
};

#[tokio::test]
async fn two_nodes_play_one_game() {
    let one = TestServer::start();
    let two = one.another();
    let playing = one.game_with_bots().await;
    let seen = two.read(&playing.path).await;
    assert_eq!(seen["seq"], playing.seq);
    let stream = two.request(
        Method::GET,
        &playing.at(&format!("events?after={}", playing.seq)),
    );
    let stream = tokio::spawn(read_events(stream, 6));
    // In turns, each node reading what the other has written.
    let mut seq = playing.seq;
    for (node, field) in [
        (&one, "iron"),
        (&two, "temple"),
        (&two, "gold"),
        (&one, "arming"),
    ] {
        let body = json!({"actions": [
            {"type": "move_stone", "field": field}, {"type": "end_turn"}]});
        let acted = node.act(&playing.path, &playing.token, body).await;
        assert_eq!(acted["events"][0]["seq"], seq + 1);
        seq = acted["seq"].as_u64().unwrap();
    }
    let events = stream.await.unwrap();
    let ids: Vec<u64> = events.iter().map(|(id, _)| *id).collect();
    assert_eq!(
        ids[..6],
        (playing.seq + 1..=playing.seq + 6).collect::<Vec<u64>>()
    );
    one.wait_for(&playing.path, |game| game["seq"] == seq).await;
    two.wait_for(&playing.path, |game| game["seq"] == seq).await;
    let log = one.read("/v1/events?limit=1000").await;
    assert_eq!(log, two.read("/v1/events?limit=1000").await);
}

/// Notices depend on it: nobody would be notified of a change that is not yet in memory.
#[tokio::test]
async fn the_latest_state_of_a_game_has_what_another_node_has_just_stored() {
    let one = TestServer::start();
    let playing = one.game_with_bots().await;
    let id = playing.path.rsplit('/').next().unwrap().parse().unwrap();
    // It learns nothing by itself.
    let two = open_services(&one.database.url());
    let seen = two.games.table(id).unwrap().seq();
    let body = json!({"actions": [{"type": "move_stone", "field": "iron"}, {"type": "end_turn"}]});
    let acted = one.act(&playing.path, &playing.token, body).await;
    assert_eq!(two.games.table(id).unwrap().seq(), seen);
    let latest = two.games.latest(id).unwrap();
    assert!(latest.seq() >= acted["seq"].as_u64().unwrap());
}

/// A node that dies between commit and answer has acted, and the client repeats the request at another node.
#[tokio::test]
async fn what_a_repeated_request_acknowledges_is_shown_by_that_node() {
    let one = TestServer::start();
    let two = one.another();
    for _ in 0..4 {
        let (path, tokens, _) = one.game_of_people().await;
        for (number, token) in tokens.iter().enumerate() {
            two.read(&path).await;
            let act = async |node: &TestServer| {
                let request = node.with(Method::POST, &format!("{path}/actions"), token);
                let request = request.header("Idempotency-Key", format!("turn-{number}"));
                send(request.json(&turn("iron"))).await.ok(201)
            };
            let acted = act(&one).await;
            assert_eq!(act(&two).await, acted);
            assert_eq!(two.read(&path).await["seq"], acted["seq"]);
        }
    }
}

#[tokio::test]
async fn orders_and_consents_are_shared_by_nodes() {
    let one = TestServer::start();
    let two = one.another();
    let (path, tokens, _) = one.game_of_people().await;
    two.read(&path).await;
    let orders = format!("{path}/seats/1/orders");
    let wanted = json!([{"against": null, "unit": null, "region": null, "battle": "demand"}]);
    one.put(&orders, &tokens[1], wanted.clone()).await.ok(200);
    let read = async |node: &TestServer, token: &str| {
        let request = node.with(Method::GET, &orders, token);
        super::support::send(request).await.ok(200)
    };
    eventually("the other node never read the orders", async || {
        (read(&two, &tokens[1]).await == wanted).then_some(())
    })
    .await;

    // The turn is over, so undo needs everybody's consent, which is given at both nodes in turn.
    two.act(&path, &tokens[0], turn("iron")).await;
    let undo = json!({"to": 0});
    // An undo request is visible at the other node and in its streams, and is declined there.
    let game_events = two.request(Method::GET, &format!("{path}/events?after=2"));
    let mut own = Stream::open(game_events).await;
    let all = two.request(Method::GET, "/v1/events?after=latest");
    let mut all_games = Stream::open(all).await;
    let at = format!("{path}/undo");
    let request = one.post(&at, &tokens[0], undo.clone()).await.ok(202);
    two.wait_for(&path, |game| game["undo_request"] == request)
        .await;
    for stream in [&mut own, &mut all_games] {
        assert_eq!(stream.next_undo_request().await["undo_request"], request);
    }
    let mut elsewhere =
        Stream::open(one.request(Method::GET, &format!("{path}/events?after=2"))).await;
    assert_eq!(elsewhere.next_undo_request().await["undo_request"], request);
    two.delete(&format!("{path}/undo"), &tokens[1])
        .await
        .ok(200);
    for stream in [&mut own, &mut all_games, &mut elsewhere] {
        let request = stream.next_undo_request().await;
        assert_eq!(
            (&request["undo_request"], &request["ended"], &request["by"]),
            (&json!(null), &json!("declined"), &json!(1))
        );
    }
    let gone = |game: &serde_json::Value| game["undo_request"].is_null();
    one.wait_for(&path, gone).await;
    let mut answer = None;
    for (seat, token) in tokens.iter().enumerate() {
        let node = if seat % 2 == 0 { &one } else { &two };
        answer = Some(
            node.post(&format!("{path}/undo"), token, undo.clone())
                .await,
        );
    }
    answer.unwrap().ok(201);
    for node in [&one, &two] {
        node.wait_for(&path, |game| game["seq"] == 3).await;
        assert_eq!(read(node, &tokens[1]).await, wanted);
    }
}

#[tokio::test]
async fn a_node_reads_what_another_has_written() {
    let server = TestServer::start();
    let store = api::db::Store::open(&server.database.url().into()).unwrap();
    let mut changes = store.changes();
    server.game_with_bots().await;
    let seen =
        tokio::task::spawn_blocking(move || (0..5).any(|_| changes.wait() == WakeReason::Seen));
    assert!(seen.await.unwrap());
}

/// PostgreSQL has a clock. In SQLite, the time of the last write takes its place.
#[tokio::test]
async fn a_node_whose_clock_is_wrong_writes_nothing() {
    let server = TestServer::start();
    let is_postgres = matches!(server.database, Database::Postgres { .. });
    let clock = Clock::default();
    let config = Config {
        clock: clock.clone(),
        ..Config::default()
    };
    let node = server.another_with_config(config.clone());
    let bot = json!({"player": {"bot": "random"}});
    let game = json!({"edition": "antike", "board": "antike-east", "max_rounds": 1,
        "seats": [bot, bot, bot]});
    let (path, _) = node.create_game("", game.clone()).await;
    node.wait_for(&path, |game| game["status"] == "finished")
        .await;
    let hours = match is_postgres {
        true => &[1, -1][..],
        false => &[-1],
    };
    for hours in hours {
        clock.set_ahead(SignedDuration::from_hours(*hours));
        let place = if *hours > 0 {
            "seconds ahead"
        } else {
            "seconds behind"
        };
        let answer = node.post("/v1/games", "", game.clone()).await;
        let problem = answer.problem(503, "clock_wrong");
        assert!(text(&problem["detail"]).contains(place), "{problem}");
        assert_eq!(answer.header("retry-after"), "5");
        let ready = node.get("/readyz").await.problem(503, "unavailable");
        let errors = array(&ready["errors"]).iter();
        let errors = errors.filter(|error| error["field"] == "clock");
        let errors: Vec<String> = errors.map(|error| text(&error["detail"])).collect();
        assert!(errors.len() == 1 && errors[0].contains(place), "{ready}");
        node.read(&path).await;
        let started = api::server::Server::start(Config {
            listen: "127.0.0.1:0".to_owned(),
            database: server.database.url().into(),
            key: Some(server.database.key()),
            facts: Some(server.database.facts()),
            ..config.clone()
        });
        let refused = started.expect_err("its clock is wrong").to_string();
        assert!(refused.contains(place), "{refused}");
        // Other nodes continue.
        server.create("/v1/games", "", game.clone()).await;
        let ready = server.read("/readyz").await;
        assert_eq!(ready["checks"]["clock"], json!({"ok": true}));
        clock.set_ahead(SignedDuration::ZERO);
        node.create("/v1/games", "", game.clone()).await;
    }
    if !is_postgres {
        // The time of the last write is declared wrong.
        clock.set_ahead(SignedDuration::from_hours(-1));
        let trusted = server.another_with_config(Config {
            trust_clock: true,
            ..config
        });
        trusted.create("/v1/games", "", game).await;
    }
}
