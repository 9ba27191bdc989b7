//! The stream of a player's notifications, and invitations by a code.

use reqwest::Method;
use serde_json::{Value, json};

use super::accounts::register;
use super::support::{PATIENCE, ServerEvent, Stream, TestServer, array, send, text, turn};

/// A private game of two people, the first of whom begins, and two bots.
fn game(second: Value, pace: Value) -> Value {
    let bot = |nation: &str| json!({"nations": [nation], "player": {"bot": "random"}});
    json!({"edition": "antike", "board": "antike-east", "first": "greeks", "max_rounds": 60,
        "visibility": "private", "pace": pace,
        "seats": [{"nations": ["greeks"], "player": {"id": "dido"}},
            {"nations": ["phoenicians"], "player": second}, bot("persians"), bot("arabs")]})
}

async fn create(server: &TestServer, token: &str, game: Value) -> String {
    let created = server.create("/v1/games", token, game).await;
    format!("/v1/games/{}", text(&created["id"]))
}

pub(super) async fn follow(server: &TestServer, token: &str, after: Option<u64>) -> Stream {
    let request = server.with(Method::GET, "/v1/me/events", token);
    Stream::open(match after {
        Some(after) => request.header("Last-Event-ID", after),
        None => request,
    })
    .await
}

pub(super) fn check(sent: &ServerEvent, name: &str, seat: u8) -> Option<u64> {
    assert_eq!(sent.name.as_deref(), Some(name), "{sent:?}");
    assert_eq!(sent.data["type"], name);
    assert_eq!(sent.data["seat"], json!(seat), "{sent:?}");
    sent.id
}

async fn accept(server: &TestServer, token: &str, code: &str) -> super::support::Answer {
    server
        .post("/v1/me/invitations", token, json!({ "code": code }))
        .await
}

#[tokio::test]
async fn the_code_of_a_game_reserves_a_seat() {
    let server = TestServer::start();
    let (_, of_dido) = register(&server, "dido").await;
    let (hanno, of_hanno) = register(&server, "hanno").await;
    let (_, of_mago) = register(&server, "mago").await;
    let path = create(&server, &of_dido, game(json!("open"), Value::Null)).await;
    let invitation = format!("{path}/invitation");
    let refused = server.post(&invitation, &of_hanno, Value::Null).await;
    refused.not_found();
    let made = async || {
        let made = send(server.with(Method::POST, &invitation, &of_dido)).await;
        text(&made.ok(201)["code"])
    };
    let (replaced, code) = (made().await, made().await);
    accept(&server, &of_hanno, &replaced).await.not_found();
    accept(&server, "", &code).await.unauthenticated();
    // The code works in any notation, and any number of times.
    let spelled = code.replace('-', " ").to_lowercase();
    for code in [&code, &spelled] {
        let seen = accept(&server, &of_hanno, code).await.ok(200);
        assert_eq!(seen["seats"][1]["invited"], hanno);
    }
    let list = async |query: &str| {
        let path = format!("/v1/me/games?{query}");
        let list = send(server.with(Method::GET, &path, &of_hanno))
            .await
            .ok(200);
        array(&list["items"]).len()
    };
    assert_eq!((list("invited=true").await, list("").await), (1, 0));
    accept(&server, &of_mago, &code)
        .await
        .problem(409, "no_free_seat");
    // A player who declines frees the seat for the next one.
    server
        .delete(&format!("{path}/seats/1"), &of_hanno)
        .await
        .ok(200);
    assert_eq!(list("invited=true").await, 0);
    accept(&server, &of_mago, &code).await.ok(200);
    let seat = format!("{path}/seats/1");
    server.create(&seat, &of_mago, json!({})).await;
    assert_eq!(
        accept(&server, &of_mago, &code).await.ok(200)["status"],
        "running"
    );
    accept(&server, &of_hanno, &code)
        .await
        .problem(409, "already_started");
    let gone = server.delete(&invitation, &of_dido).await;
    assert_eq!(gone.status, 204);
    accept(&server, &of_hanno, &code).await.not_found();
}

#[tokio::test]
async fn players_are_notified_on_any_node() {
    let server = TestServer::start();
    let other_node = server.another();
    let (_, of_dido) = register(&server, "dido").await;
    let (_, of_hanno) = register(&server, "hanno").await;
    let mut stream = follow(&other_node, &of_hanno, None).await;
    let path = create(&server, &of_dido, game(json!({"id": "hanno"}), Value::Null)).await;
    let sent = stream.next().await;
    assert_eq!(check(&sent, "invitation", 1), None);
    assert_eq!(format!("/v1/games/{}", text(&sent.data["game"])), path);
    let seat = format!("{path}/seats/1");
    server.create(&seat, &of_hanno, json!({})).await;
    let started = check(&stream.next().await, "game_started", 1);
    assert!(started.is_some());
    let turn = turn("iron");
    let actions = format!("{path}/actions");
    server.create(&actions, &of_dido, turn).await;
    let turned = check(&stream.next().await, "your_turn", 1);
    assert!(turned > started, "{turned:?} {started:?}");
    // An undo back to the beginning of the game, if the other player agrees.
    let body = json!({"to": 1});
    let request = server.post(&format!("{path}/undo"), &of_dido, body).await;
    assert!(request.status < 300, "{}", request.text);
    check(&stream.next().await, "undo_request", 1);

    // A new stream begins with what is pending. A resumed stream does not repeat notifications that have an id.
    let mut resumed = follow(&server, &of_hanno, turned).await;
    check(&resumed.next().await, "undo_request", 1);
    let mut fresh = follow(&server, &of_hanno, None).await;
    check(&fresh.next().await, "your_turn", 1);
    check(&fresh.next().await, "undo_request", 1);
    let mut from_the_start = follow(&server, &of_hanno, Some(0)).await;
    check(&from_the_start.next().await, "game_started", 1);
    check(&from_the_start.next().await, "your_turn", 1);

    server.adjudicate(&path, &of_dido, &[1, 2, 3, 4]).await;
    for stream in [&mut stream, &mut resumed, &mut fresh] {
        let finished = check(&stream.next().await, "game_finished", 1);
        assert!(finished > turned, "{finished:?}");
    }
}

#[tokio::test]
async fn an_invited_player_receives_the_invitation_but_not_the_turn_of_the_current_player() {
    let server = TestServer::start();
    let (_, of_dido) = register(&server, "dido").await;
    let (_, of_hanno) = register(&server, "hanno").await;
    let new = game(json!({"placeholder": "Anna"}), Value::Null);
    let path = create(&server, &of_dido, new).await;
    let mut stream = follow(&server, &of_hanno, None).await;
    let seat = format!("{path}/seats/0");
    let body = json!({"player": {"id": "hanno"}});
    server.put(&seat, &of_dido, body).await.ok(200);
    check(&stream.next().await, "invitation", 0);
    let mut fresh = follow(&server, &of_hanno, None).await;
    check(&fresh.next().await, "invitation", 0);
    server.create(&seat, &of_hanno, json!({})).await;
    for stream in [&mut stream, &mut fresh] {
        assert!(check(&stream.next().await, "your_turn", 0).is_some());
    }
}

#[tokio::test]
async fn a_player_is_notified_before_the_time_ends() {
    let server = TestServer::start();
    let (_, of_dido) = register(&server, "dido").await;
    let pace = json!({"turn_seconds": 6, "then": "wait"});
    let new = game(json!({"placeholder": "Hanno"}), pace);
    let mut stream = follow(&server, &of_dido, None).await;
    let path = create(&server, &of_dido, new).await;
    check(&stream.next().await, "game_started", 0);
    let turn = stream.next().await;
    check(&turn, "your_turn", 0);
    let game = send(server.with(Method::GET, &path, &of_dido))
        .await
        .ok(200);
    assert_eq!(turn.data["due_at"], game["due_at"]);
    let near = stream.next().await;
    assert_eq!(check(&near, "deadline_near", 0), None);
    let time = |value: &Value| text(value).parse::<jiff::Timestamp>().unwrap();
    let left = time(&near.data["due_at"]).duration_since(time(&near.data["timestamp"]));
    assert_eq!(left, jiff::SignedDuration::from_secs(1));
    assert_eq!(game["id"], near.data["game"]);
}

#[tokio::test]
async fn a_player_is_notified_when_a_bot_takes_the_seat() {
    let server = TestServer::start();
    let other_node = server.another();
    let (_, of_dido) = register(&server, "dido").await;
    let (_, of_hanno) = register(&server, "hanno").await;
    let path = create(&server, &of_dido, game(json!({"id": "hanno"}), Value::Null)).await;
    let seat = format!("{path}/seats/1");
    server.create(&seat, &of_hanno, json!({})).await;
    let mut stream = follow(&other_node, &of_hanno, Some(0)).await;
    let started = check(&stream.next().await, "game_started", 1);
    let replacement = json!({"player": {"bot": "random"}});
    server.put(&seat, &of_dido, replacement).await.ok(200);
    let mut resumed = follow(&server, &of_hanno, started).await;
    for stream in [&mut stream, &mut resumed] {
        let lost = stream.next().await;
        assert!(check(&lost, "seat_lost", 1) > started, "{lost:?}");
        assert_eq!(format!("/v1/games/{}", text(&lost.data["game"])), path);
    }
    // Later events of the game are not sent to the player.
    server.adjudicate(&path, &of_dido, &[1, 1, 1, 1]).await;
    let next = create(&server, &of_dido, game(json!({"id": "hanno"}), Value::Null)).await;
    for stream in [&mut stream, &mut resumed] {
        let invited = stream.next().await;
        check(&invited, "invitation", 1);
        assert_eq!(format!("/v1/games/{}", text(&invited.data["game"])), next);
    }
}

#[tokio::test]
async fn only_the_player_receives_their_notifications() {
    let server = TestServer::start();
    let (_, of_dido) = register(&server, "dido").await;
    let get = |token: &str| send(server.with(Method::GET, "/v1/me/events", token));
    get("").await.unauthenticated();
    let limited = json!({"name": "no reader", "scopes": ["play"]});
    let made = server.create("/v1/tokens", &of_dido, limited).await;
    get(&text(&made["token"])).await.forbidden();
    let json = server.with(Method::GET, "/v1/me/events", &of_dido);
    send(json.header("Accept", "application/json"))
        .await
        .problem(406, "not_acceptable");

    // A stream ends with its token.
    let reader = json!({"name": "reader", "scopes": ["read"]});
    let made = server.create("/v1/tokens", &of_dido, reader).await;
    let (token, id) = (text(&made["token"]), text(&made["about"]["id"]));
    let stream = server.with(Method::GET, "/v1/me/events", &token);
    let stream = stream.header("Accept", "text/event-stream");
    let stream = stream.send().await.unwrap();
    assert_eq!(stream.status(), 200);
    let revoked = server.delete(&format!("/v1/tokens/{id}"), &of_dido).await;
    assert_eq!(revoked.status, 204);
    let ended = tokio::time::timeout(PATIENCE, stream.text()).await;
    let begin = "retry: 2000\nid: 0\nevent: begin\ndata: {\"after\":0}\n\n";
    let sent = ended.expect("the stream did not end").unwrap();
    assert!(sent.starts_with(begin), "{sent}");
}
