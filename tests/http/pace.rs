//! Time limits: when time runs out, and what the service does then, on any node.

use api::db::clock::Clock;
use api::server::Config;
use jiff::SignedDuration;
use reqwest::{Client, Method};
use serde_json::{Value, json};

use super::accounts::register;
use super::support::{Program, Stream, TestServer, array, eventually, send, text, turn};

/// A game of four people with little time each.
fn hasty(pace: Value) -> Value {
    let seat = |nation: &str| json!({"nations": [nation], "player": {"placeholder": nation}});
    json!({"edition": "antike", "board": "antike-east", "first": "greeks", "seed": "hasty", "max_rounds": 20,
        "seats": [seat("greeks"), seat("phoenicians"), seat("persians"), seat("arabs")],
        "pace": pace})
}

struct HastyGame {
    path: String,
    tokens: Vec<String>,
    organizer: String,
    created: Value,
}

async fn create(server: &TestServer, pace: Value) -> HastyGame {
    let created = server.create("/v1/games", "", hasty(pace)).await;
    let seats = &created["tokens"]["seats"];
    HastyGame {
        path: format!("/v1/games/{}", text(&created["id"])),
        tokens: (0..4).map(|seat| text(&seats[seat.to_string()])).collect(),
        organizer: text(&created["tokens"]["organizer"]),
        created,
    }
}

async fn events(server: &TestServer, path: &str) -> Vec<Value> {
    let log = server.get(&format!("{path}/events?limit=1000")).await;
    array(&log.ok(200)["items"]).clone()
}

async fn assert_verifies(server: &TestServer, path: &str) {
    let record = server.get(&format!("{path}/record?events=true")).await;
    let record: records::Record = serde_json::from_value(record.ok(200)).unwrap();
    record.verify(engine::content::Library::embedded()).unwrap();
}

/// Sets the clock ahead, two hours at a time, until the game fits.
async fn pass_until(
    server: &TestServer,
    clock: &mut Hours,
    path: &str,
    fits: impl Fn(&Value) -> bool,
) -> Value {
    eventually(
        &format!("{path} never reached the expected state"),
        async || {
            let game = server.read(path).await;
            if fits(&game) {
                return Some(game);
            }
            let due: jiff::Timestamp = game["due_at"].as_str()?.parse().unwrap();
            // Due work is done in the background.
            if clock.now() < due.as_microsecond() {
                clock.pass(server, 2);
            }
            None
        },
    )
    .await
}

/// A clock that the test sets ahead.
#[derive(Default)]
pub struct Hours {
    pub clock: Clock,
    ahead: i64,
}

impl Hours {
    /// Sets the clock ahead by some hours and a few seconds, and wakes the server, which sleeps until the next work.
    pub fn pass(&mut self, server: &TestServer, hours: i64) {
        self.ahead += hours;
        self.clock.set_ahead(
            SignedDuration::from_hours(self.ahead) + SignedDuration::from_secs(self.ahead),
        );
        server.games().supervisor().wake();
    }

    fn now(&self) -> i64 {
        self.clock.now()
    }
}

fn timeouts(game: &Value, seat: usize) -> u64 {
    game["clocks"][seat]["timeouts"].as_u64().unwrap()
}

#[tokio::test]
async fn timeouts_are_counted_until_the_organizer_acts() {
    let mut hours = Hours::default();
    let server = TestServer::with_clock(&hours.clock);
    let pace = json!({"turn_seconds": 3600, "timeouts": 2, "then": "wait"});
    let table = create(&server, pace.clone()).await;
    let expected =
        json!({"turn_seconds": 3600, "reserve_seconds": 0, "timeouts": 2, "then": "wait"});
    assert_eq!(table.created["pace"], expected);
    let created: jiff::Timestamp = text(&table.created["created_at"]).parse().unwrap();
    let due: jiff::Timestamp = text(&table.created["due_at"]).parse().unwrap();
    assert_eq!(
        due.as_microsecond() - created.as_microsecond(),
        3_600_000_000
    );
    let mut stream =
        Stream::open(server.request(Method::GET, &format!("{}/events?after=0", table.path))).await;
    for seq in 1..=2 {
        hours.pass(&server, 1);
        let sent = stream.next().await;
        assert_eq!(sent.id, Some(seq));
        assert_eq!(sent.data["kind"], "timeout");
        let payload = json!({"kind": "timeout", "seat": 0, "then": "wait"});
        assert_eq!(sent.data["payload"], payload);
        assert_eq!(sent.data["notation"], r#"timeout 0 {"then":"wait"}"#);
        assert_eq!(sent.data["player"], Value::Null);
    }
    // That was the last timeout: the seat's time stays stopped, also after a restart.
    let stands = server.read(&table.path).await;
    assert_eq!((timeouts(&stands, 0), &stands["due_at"]), (2, &Value::Null));
    let server = server.restart_with_config(Config {
        clock: hours.clock.clone(),
        ..Config::default()
    });
    assert_eq!(server.read(&table.path).await, stands);
    // A clock that ran on would have ended before the time of this other game.
    hours.pass(&server, 1);
    let other = create(&server, pace).await;
    pass_until(&server, &mut hours, &other.path, |game| game["seq"] == 2).await;
    assert_eq!(server.read(&table.path).await["seq"], 2);
    // A player who has run out of time may still move. A replacement starts with new time.
    let seat = format!("{}/seats/0", table.path);
    let player = json!({"player": {"placeholder": "another"}});
    let replaced = server.put(&seat, &table.organizer, player).await.ok(200);
    assert_eq!(timeouts(&replaced["game"], 0), 0);
    assert!(replaced["game"]["due_at"].is_string());
    assert_verifies(&server, &table.path).await;
}

#[tokio::test]
async fn a_bot_replaces_a_player_who_timed_out() {
    let mut hours = Hours::default();
    let server = TestServer::with_clock(&hours.clock);
    let pace = json!({"turn_seconds": 3600, "reserve_seconds": 3600, "then": "bot"});
    let table = create(&server, pace).await;
    assert_eq!(table.created["pace"]["bot"], "greedy");
    let (invited, _) = register(&server, "hanno").await;
    let seat = format!("{}/seats/0", table.path);
    let player = json!({"player": {"id": invited}});
    server.put(&seat, &table.organizer, player).await.ok(200);
    let taken = |game: &Value| game["seats"][0]["player"]["kind"] == "bot";
    let game = pass_until(&server, &mut hours, &table.path, taken).await;
    assert_eq!(
        game["seats"][0]["invited"], invited,
        "the seat stays reserved"
    );
    let log = events(&server, &table.path).await;
    let kinds: Vec<&str> = log
        .iter()
        .take(4)
        .map(|e| e["kind"].as_str().unwrap())
        .collect();
    assert_eq!(kinds, ["setup", "timeout", "seat", "action"]);
    assert_eq!(log[1]["payload"]["then"], "bot");
    let taken = json!({"kind": "bot", "name": "greedy"});
    assert_eq!(log[2]["payload"]["player"], taken);
    let at = |event: &Value| text(&event["at"]).parse::<jiff::Timestamp>().unwrap();
    let waited = at(&log[1]).as_microsecond() - at(&log[0]).as_microsecond();
    assert!(waited >= 7_200_000_000, "turn time and reserve: {waited}");
    // The previous token is void.
    let stone = json!({"type": "move_stone", "field": "iron"});
    let actions = format!("{}/actions", table.path);
    server
        .post(&actions, &table.tokens[0], stone)
        .await
        .unauthenticated();
    // At the end only bots play, and the game finishes.
    let alone = |game: &Value| {
        let seats = array(&game["seats"]);
        seats.iter().all(|seat| seat["player"]["kind"] == "bot")
    };
    let game = pass_until(&server, &mut hours, &table.path, alone).await;
    assert_eq!(game["due_at"], Value::Null);
    let ended = |game: &Value| game["status"] == "finished";
    server.wait_for(&table.path, ended).await;
    assert_verifies(&server, &table.path).await;
}

#[tokio::test]
async fn nations_that_time_out_resign() {
    let mut hours = Hours::default();
    let server = TestServer::with_clock(&hours.clock);
    let pace = json!({"turn_seconds": 3600, "timeouts": 2, "then": "resign"});
    let table = create(&server, pace).await;
    let ended = |game: &Value| game["status"] == "finished";
    let game = pass_until(&server, &mut hours, &table.path, ended).await;
    assert_eq!(game["due_at"], Value::Null);
    let log = events(&server, &table.path).await;
    let notations: Vec<&str> = log
        .iter()
        .skip(1)
        .map(|e| e["notation"].as_str().unwrap())
        .collect();
    assert_eq!(
        notations[..3],
        [
            r#"timeout 0 {"then":"wait"}"#,
            r#"timeout 0 {"then":"resign"}"#,
            "resign"
        ]
    );
    assert_eq!(log[3]["player"], table.created["seats"][0]["player"]["id"]);
    // Three have resigned, so the last one wins.
    assert_eq!(
        notations
            .iter()
            .filter(|text| text.ends_with("resign"))
            .count(),
        3
    );
    assert_verifies(&server, &table.path).await;
}

#[tokio::test]
async fn a_move_in_time_prevents_the_timeout() {
    let server = TestServer::start();
    let table = create(&server, json!({"turn_seconds": 600, "then": "resign"})).await;
    let listed = server.read("/v1/games").await;
    assert_eq!(listed["items"][0]["due_at"], table.created["due_at"]);
    let actions = format!("{}/actions", table.path);
    let stone = json!({"type": "move_stone", "field": "iron"});
    let moved = server.create(&actions, &table.tokens[0], stone).await;
    // The turn continues, and so does its time.
    assert_eq!(moved["game"]["due_at"], table.created["due_at"]);
    let end = json!({"type": "end_turn"});
    let moved = server.create(&actions, &table.tokens[0], end).await;
    assert_ne!(moved["game"]["due_at"], table.created["due_at"]);
    // A timeout that comes after the move does nothing, and is scheduled again.
    let id = text(&table.created["id"]);
    let database = &server.database;
    database.execute(&format!(
        "UPDATE work SET due_at = 0 WHERE subject = '{id}'"
    ));
    let planned = format!("SELECT count(*) AS n FROM work WHERE subject = '{id}' AND due_at > 0");
    eventually("the timeout is not scheduled again", async || {
        (database.number(&planned) == 1).then_some(())
    })
    .await;
    let ready = server.read("/readyz").await;
    assert_eq!(ready["checks"]["workers"]["ok"], true, "{ready}");
    assert_eq!(server.read(&table.path).await["seq"], moved["seq"]);
}

#[tokio::test]
async fn nodes_agree_on_the_clock_that_runs() {
    let mut hours = Hours::default();
    let one = TestServer::with_clock(&hours.clock);
    let two = one.another_with_config(Config {
        clock: hours.clock.clone(),
        ..Config::default()
    });
    let pace = json!({"turn_seconds": 3600, "reserve_seconds": 3600, "then": "wait"});
    let table = create(&one, pace.clone()).await;
    let actions = format!("{}/actions", table.path);
    let turn = turn("iron");
    let moved = two.create(&actions, &table.tokens[0], turn).await;
    for node in [&one, &two] {
        let game = node.wait_for(&table.path, |game| game["seq"] == 2).await;
        assert_eq!(game["due_at"], moved["game"]["due_at"]);
        assert_eq!(game["clocks"], moved["game"]["clocks"]);
    }
    let stands = |game: &Value| game["seq"] == 3;
    pass_until(&one, &mut hours, &table.path, stands).await;
    for node in [&one, &two] {
        let game = node.wait_for(&table.path, stands).await;
        assert_eq!(game["due_at"], Value::Null);
    }
    // Only one node records the timeout. The other game gave both nodes the time for it.
    let other = create(&two, pace).await;
    pass_until(&two, &mut hours, &other.path, |game| game["seq"] == 1).await;
    let log = events(&one, &table.path).await;
    assert_eq!((log.len(), &log[3]["kind"]), (4, &json!("timeout")));
    assert_verifies(&two, &table.path).await;
}

#[tokio::test]
async fn other_nodes_enforce_the_deadlines_of_a_dead_node() {
    let server = TestServer::start();
    let mut killed = Program::serve(&server.database, &[]);
    let body = hasty(json!({"turn_seconds": 2, "then": "resign"}));
    let request = Client::new().post(format!("{}/v1/games", killed.address));
    let created = send(request.json(&body)).await.ok(201);
    killed.child.kill().unwrap();
    killed.child.wait().unwrap();
    let path = format!("/v1/games/{}", text(&created["id"]));
    server
        .wait_for(&path, |game| game["seq"].as_u64() >= Some(2))
        .await;
    let log = events(&server, &path).await;
    assert_eq!(
        (&log[1]["kind"], &log[2]["notation"]),
        (&json!("timeout"), &json!("resign"))
    );
}

#[tokio::test]
async fn time_continues_while_no_server_runs() {
    let server = TestServer::start();
    let table = create(&server, json!({"turn_seconds": 3, "then": "wait"})).await;
    let server = server.restart();
    let seen = server.read(&table.path).await;
    if seen["seq"] == 0 {
        assert_eq!(seen["due_at"], table.created["due_at"]);
    }
    server.wait_for(&table.path, |game| game["seq"] == 1).await;
}

#[tokio::test]
async fn impossible_paces_are_refused() {
    let server = TestServer::start();
    for (pace, field) in [
        (
            json!({"turn_seconds": 0, "then": "wait"}),
            "pace.turn_seconds",
        ),
        (
            json!({"turn_seconds": 60, "timeouts": 0, "then": "wait"}),
            "pace.timeouts",
        ),
        (
            json!({"turn_seconds": 60, "then": "bot", "bot": "hannibal"}),
            "pace.bot",
        ),
        (
            json!({"turn_seconds": 60, "then": "wait", "bot": "greedy"}),
            "pace.bot",
        ),
    ] {
        let refused = server.post("/v1/games", "", hasty(pace)).await;
        refused.invalid(field);
    }
    for pace in [
        json!({"then": "wait"}),
        json!({"turn_seconds": 60}),
        json!({"turn_seconds": 60,
        "then": "sleep"}),
        json!({"turn_seconds": 60, "then": "wait", "speed": 1}),
    ] {
        let refused = server.post("/v1/games", "", hasty(pace)).await;
        refused.problem(422, "invalid_body");
    }
    let bot = json!({"player": {"bot": "random"}});
    let bots = json!({"edition": "antike", "board": "antike-east", "seats": [bot, bot, bot, bot],
        "pace": {"turn_seconds": 60, "then": "wait"}});
    server.post("/v1/games", "", bots).await.invalid("pace");
}

#[tokio::test]
async fn no_time_runs_before_all_seats_are_taken() {
    let mut hours = Hours::default();
    let server = TestServer::with_clock(&hours.clock);
    let mut game = hasty(json!({"turn_seconds": 1, "then": "resign"}));
    game["seats"][3]["player"] = json!("open");
    let created = server.create("/v1/games", "", game).await;
    assert_eq!(created["due_at"], Value::Null);
    let path = format!("/v1/games/{}", text(&created["id"]));
    hours.pass(&server, 2);
    let other = create(&server, json!({"turn_seconds": 1, "then": "resign"})).await;
    pass_until(&server, &mut hours, &other.path, |game| game["seq"] != 0).await;
    assert_eq!(server.read(&path).await["seq"], 0);
    let claimed = server.post(&format!("{path}/seats/3"), "", json!({})).await;
    assert!(claimed.ok(201)["game"]["due_at"].is_string());
    pass_until(&server, &mut hours, &path, |game| {
        game["seq"].as_u64() >= Some(3)
    })
    .await;
}
