//! Accounts: registering, tokens, and what they are good for.

use crate::support::{Answer, TestServer, send, text};
use api::games::{new_account, new_token};
use api::store::{Scope, Scopes, Store};
use api::{Admission, Config, Registration};
use reqwest::Method;
use serde_json::{Value, json};

/// An account of this handle: its id and its token.
pub async fn register(server: &TestServer, handle: &str) -> (String, String) {
    let body = json!({"handle": handle});
    let registered = server.post("/v1/players", "", body).await.ok(201);
    (
        text(&registered["player"]["id"]),
        text(&registered["token"]),
    )
}

async fn me(server: &TestServer, token: &str) -> Answer {
    send(server.with(Method::GET, "/v1/me", token)).await
}

/// A token that an operator has put into the database, with such scopes and of such an end in seconds from now.
pub fn operators_token(
    server: &TestServer,
    handle: &str,
    scopes: &[Scope],
    ends_in: i64,
) -> String {
    let store = Store::open(&server.database.url().into()).unwrap();
    let account = new_account(handle);
    let end = jiff::Timestamp::now().as_microsecond() + ends_in * 1_000_000;
    let scopes: Scopes = scopes.iter().copied().collect();
    let (stored, text) = new_token(account.id, "operator", scopes, Some(end)).unwrap();
    store.create_account(account, stored, None).unwrap();
    text
}

#[tokio::test]
async fn who_registers_is_known_by_a_token() {
    let server = TestServer::start();
    let answer = server
        .post("/v1/players", "", json!({"handle": "Dido"}))
        .await;
    let registered = answer.ok(201);
    let player = &registered["player"];
    assert_eq!(player["handle"], "Dido");
    assert_eq!(player["deleted_at"], Value::Null);
    let path = format!("/v1/players/{}", text(&player["id"]));
    assert_eq!(answer.header("location"), path);
    assert_eq!(answer.header("cache-control"), "private, no-store");
    assert_eq!(
        registered["about"]["scopes"],
        json!(["read", "play", "organize"])
    );
    let token = text(&registered["token"]);
    assert!(
        token.starts_with("tabularium_") && token.len() == 49,
        "{token}"
    );

    let own = me(&server, &token).await.ok(200);
    assert_eq!(own["player"], *player);
    assert_eq!(own["token"]["id"], registered["about"]["id"]);
    assert!(!own.to_string().contains(&token), "{own}");
    // That it was used is written by and by, and then not again for an hour.
    for _ in 0..400 {
        if me(&server, &token).await.ok(200)["token"]["last_used_at"].is_string() {
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(25)).await;
    }
    panic!("nobody wrote that it was used");
}

#[tokio::test]
async fn a_handle_is_one_players() {
    let server = TestServer::start();
    register(&server, "hanno").await;
    let taken = server
        .post("/v1/players", "", json!({"handle": "HANNO"}))
        .await;
    taken.problem(409, "conflict");
    for bad in [
        "",
        "ab",
        "a b c",
        "greedy",
        "deleted-1",
        &"x".repeat(33),
        "019aa5a4-1234-7abc-8def-0123456789ab",
    ] {
        let refused = server.post("/v1/players", "", json!({"handle": bad})).await;
        assert_eq!(refused.problem(422, "invalid_body")["field"], "handle");
    }
}

#[tokio::test]
async fn a_registration_is_repeated_by_who_sends_the_same_token() {
    let server = TestServer::start();
    let ask = |token: &'static str, handle: &'static str| {
        let request = server.with(Method::POST, "/v1/players", token);
        send(
            request
                .header("Idempotency-Key", "one")
                .json(&json!({"handle": handle})),
        )
    };
    let first = ask("of my own choice", "dido").await.ok(201);
    assert_eq!(ask("of my own choice", "dido").await.ok(201), first);
    let other = ask("of my own choice", "hanno").await;
    other.problem(422, "idempotency_conflict");
    // Who proves nothing is shown it once.
    let first = ask("", "mago").await.ok(201);
    let told = ask("", "mago").await.problem(409, "conflict").to_string();
    assert!(!told.contains(&text(&first["token"])), "{told}");
}

#[tokio::test]
async fn tokens_that_are_none_are_refused() {
    let server = TestServer::start();
    let (_, token) = register(&server, "dido").await;
    let detail = async |token: &str| {
        text(&me(&server, token).await.problem(401, "unauthenticated")["detail"])
    };
    assert!(detail("").await.contains("is needed"));
    assert!(detail("mine").await.contains("not one of an account"));
    // The checksum tells it, where no token is needed as well.
    let broken = format!("{}x", &token[..48]);
    let broken = if broken == token {
        format!("{}y", &token[..48])
    } else {
        broken
    };
    assert!(detail(&broken).await.contains("checksum"));
    let game = json!({"edition": "antike", "board": "antike-east",
        "seats": [{"player": "open"}, {"player": "open"}]});
    let refused = server.post("/v1/games", &broken, game.clone()).await;
    refused.problem(401, "unauthenticated");
    // One of a game is good there alone.
    let created = server.post("/v1/games", "", game).await.ok(201);
    let organizer = text(&created["tokens"]["organizer"]);
    assert!(organizer.starts_with("tabularium_") && organizer.len() == 49);
    assert!(detail(&organizer).await.contains("not one of an account"));
    // An older one is as good as it was.
    let old = operators_token(&server, "hanno", &[Scope::Read], -1);
    assert!(detail(&old).await.contains("expired"));
}

#[tokio::test]
async fn a_scope_that_lacks_is_named() {
    let server = TestServer::start();
    let token = operators_token(&server, "hanno", &[Scope::Play], 600);
    let refused = me(&server, &token).await;
    assert_eq!(
        refused.header("www-authenticate"),
        "Bearer error=\"insufficient_scope\", scope=\"read\""
    );
    let detail = text(&refused.problem(403, "forbidden")["detail"]);
    assert!(detail.contains("`read`"), "{detail}");
    let token = operators_token(&server, "mago", &[Scope::Admin], 600);
    me(&server, &token).await.ok(200);
}

#[tokio::test]
async fn a_closed_office_is_opened_by_an_administrator() {
    let server = TestServer::run_by(Config {
        admission: Admission {
            registration: Registration::Closed,
            ..Admission::default()
        },
        ..Config::default()
    });
    let ask = async |token: &str| {
        server
            .post("/v1/players", token, json!({"handle": "dido"}))
            .await
    };
    ask("").await.problem(401, "unauthenticated");
    let player = operators_token(&server, "hanno", &[Scope::Read, Scope::Organize], 600);
    let detail = text(&ask(&player).await.problem(403, "forbidden")["detail"]);
    assert!(detail.contains("`admin`"), "{detail}");
    let admin = operators_token(&server, "mago", &[Scope::Admin], 600);
    let made = ask(&admin).await.ok(201);
    me(&server, &text(&made["token"])).await.ok(200);
}
