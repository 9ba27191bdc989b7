//! The chat of a game: who writes, who reads, and what becomes of messages.

use api::http::scope::Scope;
use reqwest::Method;
use serde_json::{Value, json};

use super::accounts::{operators_token, register};
use super::support::{Stream, TestServer, array};

fn texts(chat: &Value) -> Vec<Value> {
    let items = array(&chat["items"]).iter();
    items.map(|message| message["text"].clone()).collect()
}

#[tokio::test]
async fn players_and_the_organizer_write_and_followers_learn_of_it_on_every_node() {
    let one = TestServer::start();
    let two = one.another();
    let (path, seats, organizer) = one.game_of_people().await;
    let chat = format!("{path}/chat");
    assert_eq!(
        one.read(&chat).await,
        json!({"on": true, "last": 0, "items": [], "next": null})
    );
    let tag = one.get(&path).await.header("etag").to_owned();
    let mut stream =
        Stream::open(two.request(Method::GET, &format!("{path}/events?after=0"))).await;
    let hello = json!({"text": "Good luck!  "});
    let sent = one.post(&chat, &seats[1], hello.clone()).await.ok(201);
    assert_eq!(sent["text"], "Good luck!");
    assert_eq!((&sent["number"], &sent["seat"]), (&json!(1), &json!(1)));
    assert_eq!(sent["name"], "phoenicians");
    let bell = stream.next().await;
    assert_eq!((bell.name.as_deref(), bell.id), (Some("chat"), None));
    assert_eq!(
        (&bell.data["last"], &bell.data["on"]),
        (&json!(1), &json!(true))
    );
    let sent = two
        .post(&chat, &organizer, json!({"text": "Be fair."}))
        .await;
    let sent = sent.ok(201);
    assert_eq!(
        (&sent["seat"], &sent["player"]),
        (&Value::Null, &Value::Null)
    );
    // The messages are read in parts, and change neither the game nor its tag.
    let first = two.read(&format!("{chat}?limit=1")).await;
    assert_eq!((&first["next"], &first["last"]), (&json!(1), &json!(2)));
    let rest = two.read(&format!("{chat}?after=1")).await;
    assert_eq!(
        (texts(&rest), &rest["next"]),
        (vec![json!("Be fair.")], &Value::Null)
    );
    assert_eq!(two.get(&path).await.header("etag"), tag);
    // A game can be played on, whichever node has taken the message.
    let gold = json!({"type": "move_stone", "field": "gold"});
    one.post(&format!("{path}/actions"), &seats[0], gold)
        .await
        .ok(201);

    let (_, stranger) = register(&one, "hanno").await;
    one.post(&chat, "", hello.clone()).await.unauthenticated();
    one.post(&chat, &stranger, hello.clone()).await.forbidden();
    for text in ["", &"x".repeat(501), "a\u{202e}b"] {
        let refused = one.post(&chat, &seats[1], json!({"text": text})).await;
        let refused = refused.problem(422, "invalid_body");
        assert_eq!(refused["field"], "text", "{refused}");
    }
    one.get(&format!("{chat}?limit=0"))
        .await
        .problem(422, "invalid_parameter");
}

#[tokio::test]
async fn the_organizer_turns_the_chat_off_and_on() {
    let server = TestServer::start();
    let (path, seats, organizer) = server.game_of_people().await;
    let chat = format!("{path}/chat");
    let hello = json!({"text": "Hello"});
    server.post(&chat, &seats[0], hello.clone()).await.ok(201);
    let patch = async |token: &str, on: bool| {
        let request = server.request(Method::PATCH, &chat);
        let request = request.bearer_auth(token).json(&json!({"on": on}));
        super::support::send(request).await
    };
    patch(&seats[0], false).await.forbidden();
    let mut stream =
        Stream::open(server.request(Method::GET, &format!("{path}/events?after=0"))).await;
    assert_eq!(patch(&organizer, false).await.ok(200), json!({"on": false}));
    assert_eq!(stream.next().await.data["on"], false);
    let refused = server.post(&chat, &seats[0], hello.clone()).await;
    refused.problem(409, "chat_off");
    let shown = server.read(&chat).await;
    assert_eq!((&shown["on"], texts(&shown).len()), (&json!(false), 1));
    // It stays off after a restart.
    let again = server.another();
    again
        .post(&chat, &seats[0], hello.clone())
        .await
        .problem(409, "chat_off");
    patch(&organizer, true).await.ok(200);
    server.post(&chat, &seats[0], hello).await.ok(201);
}

#[tokio::test]
async fn a_repeated_request_sends_a_message_once() {
    let server = TestServer::start();
    let (path, seats, _) = server.game_of_people().await;
    let chat = format!("{path}/chat");
    let send = async || {
        let request = server.request(Method::POST, &chat).bearer_auth(&seats[2]);
        let request = request.header("Idempotency-Key", "once");
        super::support::send(request.json(&json!({"text": "Once"})))
            .await
            .ok(201)
    };
    assert_eq!(send().await, send().await);
    assert_eq!(server.read(&chat).await["last"], 1);
}

#[tokio::test]
async fn messages_of_deleted_accounts_and_hidden_texts_are_gone() {
    let server = TestServer::start();
    let admin = operators_token(&server, "archon", &[Scope::Admin], 600);
    let (_, dido) = register(&server, "dido").await;
    let (hanno_id, hanno) = register(&server, "hanno").await;
    let body = json!({"edition": "antike_duellum", "board": "duellum-rome-carthage", "visibility": "private",
        "seats": [{"player": {"id": "dido"}}, {"player": {"id": "hanno"}}]});
    let (path, _) = server.create_game(&dido, body).await;
    server
        .post(&format!("{path}/seats/1"), &hanno, json!({}))
        .await
        .ok(201);
    let chat = format!("{path}/chat");
    server
        .post(&chat, &dido, json!({"text": "Salve"}))
        .await
        .ok(201);
    server
        .post(&chat, &hanno, json!({"text": "Shalom"}))
        .await
        .ok(201);
    // The chat of a private game does not exist for others.
    let (_, stranger) = register(&server, "mago").await;
    server.get_with(&chat, &stranger).await.not_found();
    let shown = server.get_with(&chat, &dido).await.ok(200);
    assert_eq!(
        (&shown["items"][1]["name"], &shown["items"][1]["player"]),
        (&json!("hanno"), &json!(hanno_id))
    );
    let export = server.get_with("/v1/me/export", &hanno).await.ok(200);
    assert!(
        export.to_string().contains("Shalom") && !export.to_string().contains("Salve"),
        "{export}"
    );

    let id = path.rsplit('/').next().unwrap();
    let act = async |kind: &str| {
        let body = json!({"type": kind, "subject": id, "reason": "insults"});
        server
            .post("/v1/moderation/acts", &admin, body)
            .await
            .ok(201)
    };
    act("hide_texts").await;
    let hidden = server.get_with(&chat, &dido).await.ok(200);
    assert_eq!(texts(&hidden), [Value::Null, Value::Null]);
    act("show_texts").await;
    assert_eq!(server.delete("/v1/me", &hanno).await.status, 204);
    let left = server.get_with(&chat, &dido).await.ok(200);
    assert_eq!(
        (texts(&left), &left["last"]),
        (vec![json!("Salve")], &json!(2))
    );
}
