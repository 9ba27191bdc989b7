//! Webhooks: deliveries to receivers on this machine.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use api::http::limits::options::Limits;
use api::webhooks::signature::sign;
use reqwest::Method;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

use super::accounts::register;
use super::leagues::full_league;
use super::support::{Answer, Database, Program, TestServer, array, eventually, send, text, turn};

/// A receiver that stores its deliveries.
#[derive(Clone)]
struct Receiver {
    url: String,
    /// The statuses of the next answers; 204 when there are none.
    answers: Arc<Mutex<VecDeque<u16>>>,
    deliveries: Arc<Mutex<Vec<Delivery>>>,
}

#[derive(Clone, Debug)]
struct Delivery {
    id: String,
    seconds: i64,
    signature: String,
    body: String,
}

impl Delivery {
    fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap()
    }
}

impl Receiver {
    async fn start() -> Receiver {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let receiver = Receiver {
            url: format!("http://{}/hook", listener.local_addr().unwrap()),
            answers: Arc::default(),
            deliveries: Arc::default(),
        };
        let own = receiver.clone();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let own = own.clone();
                tokio::spawn(async move { own.take(stream).await });
            }
        });
        receiver
    }

    async fn take(&self, mut stream: TcpStream) {
        let mut bytes = Vec::new();
        let (head, body) = loop {
            let mut part = [0; 4096];
            let read = stream.read(&mut part).await.unwrap_or(0);
            if read == 0 {
                return;
            }
            bytes.extend_from_slice(&part[..read]);
            let whole = String::from_utf8(bytes.clone()).unwrap();
            let Some((head, body)) = whole.split_once("\r\n\r\n") else {
                continue;
            };
            let head = head.to_lowercase();
            let length: usize = header(&head, "content-length").parse().unwrap();
            if body.len() >= length {
                break (
                    whole.split_once("\r\n\r\n").unwrap().0.to_owned(),
                    body.to_owned(),
                );
            }
        };
        self.deliveries.lock().unwrap().push(Delivery {
            id: header(&head, "webhook-id"),
            seconds: header(&head, "webhook-timestamp").parse().unwrap(),
            signature: header(&head, "webhook-signature"),
            body,
        });
        let status = self.answers.lock().unwrap().pop_front().unwrap_or(204);
        let answer =
            format!("HTTP/1.1 {status} X\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
        let _ = stream.write_all(answer.as_bytes()).await;
    }

    fn answer(&self, statuses: &[u16]) {
        self.answers.lock().unwrap().extend(statuses);
    }

    /// Waits for this number of deliveries.
    async fn deliveries(&self, count: usize) -> Vec<Delivery> {
        eventually("too few deliveries arrived", async || {
            Some(self.deliveries.lock().unwrap().clone())
                .filter(|deliveries| deliveries.len() >= count)
        })
        .await
    }
}

fn header(head: &str, name: &str) -> String {
    let found = head.lines().find_map(|line| {
        let (own, value) = line.split_once(':')?;
        own.eq_ignore_ascii_case(name)
            .then(|| value.trim().to_owned())
    });
    found.unwrap_or_default()
}

fn limits() -> Limits {
    Limits {
        webhooks_to_loopback: true,
        webhook_pauses: vec![1; 20],
        ..Limits::unmetered()
    }
}

async fn get(server: &TestServer, path: &str, token: &str) -> Answer {
    server.get_with(path, token).await
}

async fn post(server: &TestServer, path: &str, token: &str) -> Answer {
    send(server.with(Method::POST, path, token)).await
}

/// Creates a webhook. Returns its path and its secret.
async fn webhook(
    server: &TestServer,
    token: &str,
    url: &str,
    events: &[&str],
    subject: Value,
) -> (String, String) {
    let body = json!({"url": url, "events": events, "for": subject});
    let made = server.create("/v1/webhooks", token, body).await;
    let path = format!("/v1/webhooks/{}", text(&made["webhook"]["id"]));
    (path, text(&made["secret"]))
}

/// Creates a game of an account, which begins, and a placeholder. Returns its path and the placeholder's token.
async fn game_of(server: &TestServer, (player, token): (&str, &str)) -> (String, String) {
    let hanno = json!({"nations": ["phoenicians"], "player": {"placeholder": "Hanno"}});
    let body = json!({
        "edition": "antike", "board": "antike-east", "first": "phoenicians", "seed": "open",
        "seats": [{"nations": ["greeks"], "player": {"id": player}}, hanno,
            {"nations": ["persians"], "player": {"bot": "random"}},
            {"nations": ["arabs"], "player": {"bot": "random"}}],
    });
    let (path, created) = server.create_game(token, body).await;
    (path, text(&created["tokens"]["seats"]["1"]))
}

/// Waits until the newest delivery fits.
async fn delivery(
    server: &TestServer,
    path: &str,
    token: &str,
    fits: impl Fn(&Value) -> bool,
) -> Value {
    eventually(
        "the newest delivery never reached the expected state",
        async || {
            let page = get(server, &format!("{path}/deliveries"), token).await;
            Some(page.ok(200)["items"][0].clone()).filter(&fits)
        },
    )
    .await
}

#[tokio::test]
async fn a_player_receives_starts_turns_and_ends() {
    let server = TestServer::with_limits(limits());
    let receiver = Receiver::start().await;
    let (id, token) = register(&server, "dido").await;
    let events = [
        "game_started",
        "your_turn",
        "game_finished",
        "game_abandoned",
    ];
    let subject = json!({"player": id});
    let (path, secret) = webhook(&server, &token, &receiver.url, &events, subject.clone()).await;
    assert!(
        secret.starts_with("whsec_") && secret.len() == 6 + 44,
        "{secret}"
    );
    let own = get(&server, &path, &token).await;
    assert!(!own.text.contains(&secret[6..]), "{}", own.text);
    let own = own.ok(200);
    assert_eq!((&own["for"], &own["disabled_at"]), (&subject, &Value::Null));

    let (game, hanno) = game_of(&server, (&id, &token)).await;
    let taken = receiver.deliveries(1).await;
    let body = taken[0].json();
    assert_eq!(body["type"], "game_started");
    assert_eq!(format!("/v1/games/{}", text(&body["data"]["game"])), game);
    assert_eq!(body["data"]["seq"], 0);
    // The Phoenicians move, the bots follow, then it is the account's turn.
    server.act(&game, &hanno, turn("iron")).await;
    let taken = receiver.deliveries(2).await;
    let body = taken[1].json();
    assert_eq!(body["type"], "your_turn");
    assert_eq!(body["data"]["player"], id);
    server.adjudicate(&game, &token, &[1, 2, 3, 4]).await;
    receiver.deliveries(3).await;
    // Cancelled before it began.
    let seat = json!({"nations": ["greeks"], "player": {"id": id}});
    let open = json!({"player": "open"});
    let body = json!({"edition": "antike", "board": "antike-east",
        "seats": [seat, open, open, open]});
    let (other, _) = server.create_game(&token, body).await;
    server.delete(&other, &token).await.ok(200);
    let taken = receiver.deliveries(4).await;
    assert_eq!(taken[2].json()["type"], "game_finished");
    assert_eq!(taken[3].json()["type"], "game_abandoned");
    for one in &taken {
        assert_eq!(
            sign(&[&secret], &one.id, one.seconds, &one.body),
            one.signature
        );
    }
    let last = delivery(&server, &path, &token, |last| last["status"] == "delivered").await;
    assert_eq!(text(&last["id"]), taken[3].id);
    assert_eq!(
        (&last["answered"], &last["attempts"]),
        (&json!(204), &json!(1))
    );
    // The log is read in pages.
    let first = get(&server, &format!("{path}/deliveries?limit=2"), &token)
        .await
        .ok(200);
    let next = format!("{path}/deliveries?limit=2&cursor={}", text(&first["next"]));
    let second = get(&server, &next, &token).await.ok(200);
    let types = [&second["items"][0]["type"], &second["items"][1]["type"]];
    assert_eq!(types, ["your_turn", "game_started"]);
    assert_eq!(second["next"], Value::Null);
}

#[tokio::test]
async fn any_account_can_receive_the_end_of_a_game() {
    let server = TestServer::with_limits(limits());
    let receiver = Receiver::start().await;
    let (_, token) = register(&server, "dido").await;
    let (mago, organizer) = register(&server, "mago").await;
    let (game, _) = game_of(&server, (&mago, &organizer)).await;
    let id = game.rsplit('/').next().unwrap();
    let subject = json!({"game": id});
    webhook(
        &server,
        &token,
        &receiver.url,
        &["game_finished"],
        subject.clone(),
    )
    .await;
    for event in [
        "your_turn",
        "seat_lost",
        "invitation",
        "undo_request",
        "webhook_test",
    ] {
        let body = json!({"url": receiver.url, "events": [event], "for": subject});
        let refused = server.post("/v1/webhooks", &token, body).await;
        refused.invalid("events");
    }
    server.adjudicate(&game, &organizer, &[1, 2, 3, 4]).await;
    let taken = receiver.deliveries(1).await;
    assert_eq!(taken[0].json()["type"], "game_finished");
    assert_eq!(taken[0].json()["data"]["game"], id);
}

#[tokio::test]
async fn a_player_receives_the_loss_of_a_seat_and_nothing_after_it() {
    let server = TestServer::with_limits(limits());
    let receiver = Receiver::start().await;
    let (id, token) = register(&server, "dido").await;
    let events = ["seat_lost", "game_finished"];
    let subject = json!({"player": id});
    let (path, _) = webhook(&server, &token, &receiver.url, &events, subject).await;
    let (game, _) = game_of(&server, (&id, &token)).await;
    let subject = json!({"game": game.rsplit('/').next().unwrap()});
    webhook(&server, &token, &receiver.url, &["game_finished"], subject).await;
    let bot = json!({"player": {"bot": "random"}});
    let replaced = server.put(&format!("{game}/seats/0"), &token, bot).await;
    replaced.ok(200);
    server.adjudicate(&game, &token, &[1, 2, 3, 4]).await;
    // Both webhooks read the end of the game in the same step, and only the game's has a delivery of it.
    let mut received: Vec<Value> = receiver
        .deliveries(2)
        .await
        .iter()
        .map(|one| one.json())
        .collect();
    received.sort_by_key(|event| text(&event["type"]));
    assert_eq!(received[0]["type"], "game_finished");
    assert_eq!(received[1]["type"], "seat_lost");
    assert_eq!(received[1]["data"]["player"], id);
    let log = get(&server, &format!("{path}/deliveries"), &token)
        .await
        .ok(200);
    assert_eq!(array(&log["items"]).len(), 1, "{log}");
}

#[tokio::test]
async fn failed_deliveries_are_retried_by_any_node() {
    let mut pauses = limits();
    pauses.webhook_pauses[0] = 3;
    let mut one = TestServer::with_limits(pauses);
    let receiver = Receiver::start().await;
    let (id, token) = register(&one, "dido").await;
    let subject = json!({"player": id});
    let (path, secret) = webhook(&one, &token, &receiver.url, &["your_turn"], subject).await;
    receiver.answer(&[500, 302, 500]);
    let sent = post(&one, &format!("{path}/test"), &token).await.ok(202);
    // The node ends between two attempts, and another continues.
    delivery(&one, &path, &token, |last| last["attempts"] == 1).await;
    let shared = Database::Shared {
        url: one.database.url(),
        key: one.database.key(),
    };
    one.stop();
    let two = TestServer::on(shared, limits(), None);
    let last = delivery(&two, &path, &token, |last| last["status"] == "delivered").await;
    assert_eq!(last["attempts"], 4);
    let taken = receiver.deliveries(4).await;
    for one in &taken {
        assert_eq!(one.id, text(&sent["id"]));
        assert_eq!(
            sign(&[&secret], &one.id, one.seconds, &one.body),
            one.signature
        );
    }
    let own = get(&two, &path, &token).await.ok(200);
    assert_eq!(own["failing_since"], Value::Null);

    // It is sent again with the same id, signed by two secrets.
    let replaced = post(&two, &format!("{path}/secret"), &token).await.ok(200);
    let again = format!("{path}/deliveries/{}/redelivery", text(&sent["id"]));
    post(&two, &again, &token).await.ok(202);
    let last = &receiver.deliveries(5).await[4];
    assert_eq!(last.id, text(&sent["id"]));
    let secrets = [&*text(&replaced["secret"]), &*secret];
    assert_eq!(
        sign(&secrets, &last.id, last.seconds, &last.body),
        last.signature
    );
}

#[tokio::test]
async fn a_receiver_that_answers_410_is_disabled() {
    let server = TestServer::with_limits(limits());
    let receiver = Receiver::start().await;
    let (id, token) = register(&server, "dido").await;
    let subject = json!({"player": id});
    let (path, _) = webhook(&server, &token, &receiver.url, &["your_turn"], subject).await;
    receiver.answer(&[410]);
    let test = format!("{path}/test");
    post(&server, &test, &token).await.ok(202);
    let last = delivery(&server, &path, &token, |last| last["status"] == "failed").await;
    assert_eq!(last["answered"], 410);
    let own = get(&server, &path, &token).await.ok(200);
    assert!(own["disabled_at"].is_string(), "{own}");
    assert!(text(&own["disabled_because"]).contains("410"), "{own}");
    post(&server, &test, &token)
        .await
        .problem(409, "webhook_disabled");
    let patch = server.with(Method::PATCH, &path, &token);
    let own = send(patch.json(&json!({"disabled": false}))).await.ok(200);
    assert_eq!(
        (&own["disabled_at"], &own["failing_since"]),
        (&Value::Null, &Value::Null)
    );
    post(&server, &test, &token).await.ok(202);
    receiver.deliveries(2).await;

    // Waiting deliveries are not sent after the webhook is deleted.
    receiver.answer(&[500; 20]);
    post(&server, &test, &token).await.ok(202);
    receiver.deliveries(3).await;
    assert_eq!(server.delete(&path, &token).await.status, 204);
    get(&server, &path, &token).await.not_found();
    let (other, _) = webhook(
        &server,
        &token,
        &receiver.url,
        &["your_turn"],
        json!({"player": id}),
    )
    .await;
    receiver.answers.lock().unwrap().clear();
    let count = receiver.deliveries.lock().unwrap().len();
    // After more than the pause of a second, only the other webhook has sent deliveries.
    for _ in 0..3 {
        post(&server, &format!("{other}/test"), &token)
            .await
            .ok(202);
        tokio::time::sleep(Duration::from_millis(500)).await;
    }
    let taken = receiver.deliveries(count + 3).await;
    for one in &taken[count..] {
        let path = format!("/v1/webhooks/{}", text(&one.json()["data"]["webhook"]));
        assert_eq!(path, other);
    }
}

#[tokio::test]
async fn addresses_that_only_the_service_can_reach_are_refused() {
    let server = TestServer::start();
    let (id, token) = register(&server, "dido").await;
    let new = |url: &str| json!({"url": url, "events": ["your_turn"], "for": {"player": id}});
    for url in [
        "https://10.0.0.1/",
        "https://localhost/",
        "https://127.0.0.1/",
        "https://[::ffff:169.254.169.254]/",
        "https://[64:ff9b::a00:1]/",
        "http://8.8.8.8/",
        "example",
    ] {
        let refused = server.post("/v1/webhooks", &token, new(url)).await;
        refused.invalid("url");
    }
    // An address that was permitted is not reached by a server that does not permit it.
    let receiver = Receiver::start().await;
    let (path, _) = webhook(
        &server,
        &token,
        "https://8.8.8.8/",
        &["your_turn"],
        json!({"player": id}),
    )
    .await;
    let port = receiver.url.rsplit(':').next().unwrap();
    let url = format!("https://localhost:{port}");
    (server.database).execute(&format!("UPDATE webhooks SET url = '{url}'"));
    post(&server, &format!("{path}/test"), &token).await.ok(202);
    let last = delivery(&server, &path, &token, |last| last["attempts"] == 1).await;
    assert_eq!(
        last["failure"],
        "the connection to a public address of the host failed"
    );
    assert!(receiver.deliveries.lock().unwrap().is_empty());
}

#[tokio::test]
async fn only_its_owner_can_use_a_webhook() {
    let few = Limits {
        webhooks: 2,
        ..limits()
    };
    let server = TestServer::with_limits(few);
    let receiver = Receiver::start().await;
    let (id, token) = register(&server, "dido").await;
    let (_, other) = register(&server, "hanno").await;
    let new = json!({"url": receiver.url, "events": ["your_turn"], "for": {"player": id}});
    server
        .post("/v1/webhooks", "", new.clone())
        .await
        .unauthenticated();
    server
        .post("/v1/webhooks", &other, new.clone())
        .await
        .forbidden();
    let subject = json!({"player": id});
    let (path, _) = webhook(&server, &token, &receiver.url, &["your_turn"], subject).await;
    get(&server, &path, &other).await.not_found();
    server.delete(&path, &other).await.not_found();
    post(&server, &format!("{path}/secret"), &other)
        .await
        .not_found();
    server.create("/v1/webhooks", &token, new.clone()).await;
    server
        .post("/v1/webhooks", &token, new)
        .await
        .problem(409, "limit_reached");
    let list = get(&server, "/v1/webhooks", &token).await.ok(200);
    assert_eq!(array(&list["items"]).len(), 2);
    let list = get(&server, "/v1/webhooks", &other).await.ok(200);
    assert_eq!(list["items"], json!([]));
}

#[tokio::test]
async fn the_log_of_the_program_contains_no_secrets() {
    let database = Database::fresh();
    let options = ["--webhooks-to-loopback", "--webhook-pauses", "1"];
    let program = Program::serve(&database, &options);
    let receiver = Receiver::start().await;
    receiver.answer(&[500]);
    let client = reqwest::Client::new();
    let ask = async |path: &str, token: &str, body: Value| -> Value {
        let url = format!("{}{path}", program.address);
        let request = match token {
            "" => client.post(url),
            token => client.post(url).bearer_auth(token),
        };
        let request = request.json(&body);
        serde_json::from_str(&send(request).await.text).unwrap()
    };
    let made = ask("/v1/players", "", json!({"handle": "dido"})).await;
    let token = text(&made["token"]);
    let new = json!({"url": receiver.url, "events": ["your_turn"],
        "for": {"player": made["player"]["id"]}});
    let made = ask("/v1/webhooks", &token, new).await;
    let secret = text(&made["secret"]);
    let path = format!("/v1/webhooks/{}/test", text(&made["webhook"]["id"]));
    let url = format!("{}{path}", program.address);
    send(client.post(url).bearer_auth(&token)).await.ok(202);
    receiver.deliveries(2).await;
    let errors = program.errors();
    assert!(errors.contains("/v1/webhooks"), "{errors}");
    assert!(!errors.contains(&secret[6..]), "{errors}");
}

#[tokio::test]
async fn a_deleted_account_receives_no_deliveries() {
    let server = TestServer::with_limits(limits());
    let receiver = Receiver::start().await;
    let (_, token) = register(&server, "dido").await;
    let (mago, organizer) = register(&server, "mago").await;
    let (game, _) = game_of(&server, (&mago, &organizer)).await;
    let subject = json!({"game": game.rsplit('/').next().unwrap()});
    let events = ["game_finished"];
    let (path, _) = webhook(&server, &token, &receiver.url, &events, subject.clone()).await;
    webhook(&server, &organizer, &receiver.url, &events, subject).await;
    // A delivery is pending.
    receiver.answer(&[500]);
    post(&server, &format!("{path}/test"), &token).await.ok(202);
    receiver.deliveries(1).await;
    let gone = server.delete("/v1/me", &token).await;
    assert_eq!(gone.status, 204, "{}", gone.text);
    let id = path.rsplit('/').next().unwrap();
    for (table, column) in [("webhooks", "id"), ("deliveries", "webhook")] {
        let query = format!("SELECT COUNT(*) AS n FROM {table} WHERE {column} = '{id}'");
        assert_eq!(server.database.number(&query), 0, "{table}");
    }
    server.adjudicate(&game, &organizer, &[1, 2, 3, 4]).await;
    let taken = receiver.deliveries(2).await;
    assert_eq!(taken[1].json()["type"], "game_finished");
    assert_ne!(taken[1].json()["data"]["webhook"], id);
}

#[tokio::test]
async fn those_who_may_no_longer_see_a_game_receive_nothing_of_it() {
    let server = TestServer::with_limits(limits());
    let receiver = Receiver::start().await;
    let (league, members) = full_league(&server, 4, 0, json!({"visibility": "private"})).await;
    let (owner, (player, of_player)) = (&members[0].1, &members[1]);
    let (_, of_helper) = register(&server, "helper").await;
    let role = format!("{league}/roles/helper");
    let organizer = json!({"role": "organizer"});
    server.put(&role, owner, organizer).await.ok(200);
    let seats = members.iter().map(|(id, _)| json!({ "member": id }));
    let tables = json!({"round": 1, "edition": "antike", "board": "antike-east",
        "tables": [{"seats": seats.collect::<Vec<_>>()}]});
    let path = format!("{league}/tables");
    let made = server.create(&path, owner, tables).await;
    let table = text(&made["tables"][0]["game"]);
    let seats = [
        json!({"id": player}),
        json!({"placeholder": "Hanno"}),
        json!({"bot": "random"}),
        json!({"bot": "random"}),
    ];
    let seats = seats.map(|player| json!({ "player": player }));
    let game = json!({"edition": "antike", "board": "antike-east", "visibility": "private", "seats": seats});
    let (game, _) = server.create_game(owner, game).await;

    let id = |path: &str| text(&json!(path.rsplit('/').next()));
    let mut lost = Vec::new();
    for (token, subject) in [
        (&of_helper, json!({ "game": table })),
        (&of_helper, json!({ "league": id(&league) })),
        (of_player, json!({ "game": id(&game) })),
    ] {
        let hook = async |token: &String| {
            let events = &["game_finished"];
            let made = webhook(&server, token, &receiver.url, events, subject.clone());
            made.await.0
        };
        lost.push((token, hook(token).await));
        hook(owner).await;
    }
    let former = json!({"role": null});
    server.put(&role, owner, former).await.ok(200);
    let bot = json!({"player": {"bot": "random"}});
    let seat = format!("{game}/seats/0");
    server.put(&seat, owner, bot).await.ok(200);
    let table = format!("/v1/games/{table}");
    for (game, token) in [(&table, &of_helper), (&game, of_player)] {
        server.get_with(game, token).await.not_found();
        server.adjudicate(game, owner, &[1, 2, 3, 4]).await;
    }
    // Each webhook of the owner receives the end in the step in which the other one would.
    receiver.deliveries(3).await;
    for (token, path) in lost {
        let log = get(&server, &format!("{path}/deliveries"), token).await;
        let log = log.ok(200);
        assert!(array(&log["items"]).is_empty(), "{log}");
    }
}

#[tokio::test]
async fn discord_and_slack_receive_a_sentence_with_a_link() {
    let server = TestServer::with_limits(limits());
    let (id, token) = register(&server, "dido").await;
    let (discord, slack) = (Receiver::start().await, Receiver::start().await);
    let hook = |receiver: &Receiver, format: &str| {
        json!({"url": receiver.url, "events": ["game_started"], "for": {"player": id},
            "format": format, "language": if format == "slack" { "de" } else { "en" }})
    };
    let unknown = hook(&discord, "teams");
    server
        .post("/v1/webhooks", &token, unknown)
        .await
        .invalid("format");
    let made = server
        .create("/v1/webhooks", &token, hook(&discord, "discord"))
        .await;
    assert_eq!(made["webhook"]["format"], "discord");
    server
        .create("/v1/webhooks", &token, hook(&slack, "slack"))
        .await;
    let (game, _) = game_of(&server, (&id, &token)).await;
    let link = format!("/games/{}", game.rsplit('/').next().unwrap());
    let body = discord.deliveries(1).await[0].json();
    let content = text(&body["content"]);
    assert!(
        content.starts_with("The game has started\\: Antike \\(dido, Hanno, "),
        "{content}"
    );
    assert!(
        content.lines().last().unwrap().ends_with(&link),
        "{content}"
    );
    assert_eq!(body["allowed_mentions"], json!({"parse": []}));
    let body = slack.deliveries(1).await[0].json();
    let content = text(&body["text"]);
    assert!(
        content.starts_with("Die Partie hat begonnen: "),
        "{content}"
    );
    assert!(content.ends_with(&format!("{link}>")), "{content}");

    // Discord answers 404 for a webhook that was deleted there.
    let path = format!("/v1/webhooks/{}", text(&made["webhook"]["id"]));
    discord.answer(&[404]);
    post(&server, &format!("{path}/test"), &token).await.ok(202);
    delivery(&server, &path, &token, |last| last["status"] == "failed").await;
    let own = get(&server, &path, &token).await.ok(200);
    assert!(text(&own["disabled_because"]).contains("404"), "{own}");
}

#[tokio::test]
async fn the_events_of_a_league_have_the_names_of_its_log() {
    let server = TestServer::with_limits(limits());
    let (receiver, slack) = (Receiver::start().await, Receiver::start().await);
    let (path, members) = full_league(&server, 4, 0, json!({})).await;
    let (token, stranger) = (&members[0].1, register(&server, "stranger").await.1);
    let id = path.rsplit('/').next().unwrap();
    let subject = json!({"league": id});
    let events = [
        "tables_created",
        "deadline_near",
        "deadline_moved",
        "game_finished",
        "table_voided",
        "joined",
    ];
    for event in ["your_turn", "game_started", "invitation"] {
        let hook = json!({"url": receiver.url, "events": [event], "for": subject});
        server
            .post("/v1/webhooks", token, hook)
            .await
            .invalid("events");
    }
    let private = json!({"name": "Utica", "visibility": "private"});
    let private = server.create("/v1/leagues", token, private).await;
    let hook = json!({"url": receiver.url, "events": events, "for": {"league": private["id"]}});
    server
        .post("/v1/webhooks", &stranger, hook)
        .await
        .not_found();
    webhook(&server, &stranger, &receiver.url, &events, subject.clone()).await;
    let hook =
        json!({"url": slack.url, "events": ["tables_created"], "for": subject, "format": "slack"});
    server.create("/v1/webhooks", token, hook).await;

    let seats = ["greeks", "phoenicians", "persians", "arabs"];
    let seats = seats.iter().zip(&members);
    let seats = seats.map(|(nation, (id, _))| json!({"member": id, "nations": [nation]}));
    let tables = json!({"round": 1, "edition": "antike", "board": "antike-east",
        "tables": [{"seats": seats.collect::<Vec<_>>()}]});
    let made = server
        .create(&format!("{path}/tables"), token, tables)
        .await;
    let first = receiver.deliveries(1).await[0].json();
    assert_eq!(first["type"], "tables_created");
    assert_eq!(first["data"]["league"], id);
    assert_eq!(
        (&first["data"]["game"], &first["data"]["player"]),
        (&Value::Null, &Value::Null)
    );
    let sentence = text(&slack.deliveries(1).await[0].json()["text"]);
    assert!(
        sentence.contains("round 1 is paired, with one table."),
        "{sentence}"
    );
    assert!(sentence.ends_with(&format!("/leagues/{id}>")), "{sentence}");

    // The second deadline is in less than a day; the first is not near before it moves.
    for deadline in [
        "2100-01-01T00:00:00Z",
        &jiff::Timestamp::now()
            .saturating_add(jiff::SignedDuration::from_hours(2))
            .unwrap()
            .to_string(),
    ] {
        let moved = json!({"round": 1, "deadline": deadline, "note": "a voyage"});
        server
            .create(&format!("{path}/deadlines"), token, moved)
            .await;
    }
    let taken = receiver.deliveries(4).await;
    let types: Vec<Value> = taken[1..]
        .iter()
        .map(|one| one.json()["type"].clone())
        .collect();
    assert_eq!(types, ["deadline_moved", "deadline_moved", "deadline_near"]);
    assert_eq!(taken[1].json()["data"]["due_at"], "2100-01-01T00:00:00Z");
    assert_eq!(
        taken[3].json()["data"]["due_at"],
        taken[2].json()["data"]["due_at"]
    );

    let game = format!("/v1/games/{}", text(&made["tables"][0]["game"]));
    server.adjudicate(&game, token, &[1, 2, 3, 4]).await;
    let void = json!({"type": "void"});
    server
        .create(&format!("{path}/tables/1/corrections"), token, void)
        .await;
    let taken = receiver.deliveries(6).await;
    let last: Vec<Value> = taken[4..].iter().map(|one| one.json()).collect();
    assert_eq!(
        (&last[0]["type"], &last[1]["type"]),
        (&json!("game_finished"), &json!("table_voided"))
    );
    // Each is in the log under its number, by the same name.
    let log = get(&server, &format!("{path}/events?limit=1000"), token)
        .await
        .ok(200);
    for event in [&first, &last[0], &last[1]] {
        let seq = event["data"]["seq"].as_u64().unwrap() as usize;
        assert_eq!(log["items"][seq]["event"]["type"], event["type"], "{log}");
    }
}
