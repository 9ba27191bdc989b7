//! Deadlines of tables that end games by the rules of the season.

use api::db::clock::Clock;
use api::server::Config;
use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};

use super::leagues::full_league;
use super::support::{TestServer, array, text};

const NATIONS: [&str; 4] = ["greeks", "phoenicians", "persians", "arabs"];

fn in_hours(hours: i64) -> Timestamp {
    Timestamp::now() + SignedDuration::from_hours(hours)
}

/// Tables of four members each, with a deadline in 30 hours.
fn tables(members: &[(String, String)], count: usize) -> Value {
    let table = |members: &[(String, String)]| {
        let seats = members.iter().zip(NATIONS);
        let seat = |((member, _), nation): (&(String, String), &str)| json!({"member": member, "nations": [nation]});
        json!({"seats": seats.map(seat).collect::<Vec<_>>()})
    };
    let tables: Vec<Value> = members.chunks(4).take(count).map(table).collect();
    json!({"round": 1, "edition": "antike", "board": "antike-east", "max_rounds": 20,
        "deadline": in_hours(30), "tables": tables})
}

fn season(rule: Value) -> Value {
    let rules = json!({"scoring": "shares", "deadline": rule});
    json!({"season": {"name": "Spring", "rules": rules}})
}

/// Sets the clock ahead and wakes the server.
fn pass(server: &TestServer, clock: &Clock, hours: i64) {
    clock.set_ahead(SignedDuration::from_hours(hours));
    server.games().supervisor().wake();
}

#[tokio::test]
async fn games_end_by_points_after_deadline_and_grace_unless_they_are_paused() {
    let clock = Clock::default();
    let server = TestServer::with_clock(&clock);
    let rule = json!({"then": "by_points", "grace_hours": 24});
    let (path, members) = full_league(&server, 8, 0, season(rule)).await;
    let organizer = members[0].1.clone();
    let post = async |server: &TestServer, part: &str, body: Value| {
        server
            .post(&format!("{path}/{part}"), &organizer, body)
            .await
    };
    let made = post(&server, "tables", tables(&members, 2)).await.ok(201);
    let games =
        [0, 1].map(|table: usize| format!("/v1/games/{}", text(&made["tables"][table]["game"])));
    let moved = json!({"table": 2, "deadline": in_hours(100), "note": "two of us are on a voyage"});
    post(&server, "deadlines", moved).await.ok(201);

    // The grace has not passed, and the clock of the other table runs longer.
    pass(&server, &clock, 31);
    let config = Config {
        clock: clock.clone(),
        ..Config::default()
    };
    let server = server.restart_with_config(config);
    let is_over = |game: &Value| game["status"] == "finished";
    assert!(!is_over(&server.read(&games[0]).await));
    pass(&server, &clock, 55);
    let over = server.wait_for(&games[0], is_over).await;
    assert_eq!(over["result"]["reason"], "adjudication");
    let ranks = array(&over["result"]["ranks"]).iter();
    assert!(ranks.into_iter().all(|rank| rank["rank"] == 1), "{over}");
    let events = server.read(&format!("{}/events", games[0])).await;
    let last = text(&events["items"][1]["notation"]);
    assert!(last.contains("has passed: ranks by points"), "{last}");
    let counted = |tables: &Value| tables["items"][0]["state"] == "counted";
    let listed = server.wait_for(&format!("{path}/tables"), counted).await;
    assert_eq!(listed["items"][1]["state"], "playing");
    assert!(!is_over(&server.read(&games[1]).await));

    // A pause keeps the second game from its end.
    post(&server, "pauses", json!({"table": 2})).await.ok(201);
    pass(&server, &clock, 130);
    pass(&server, &clock, 132);
    assert!(!is_over(&server.read(&games[1]).await));
    post(&server, "pauses/end", json!({"table": 2}))
        .await
        .ok(201);
    pass(&server, &clock, 134);
    server.wait_for(&games[1], is_over).await;
    let events = server.read(&format!("{path}/events?limit=100")).await;
    let ends = array(&events["items"]).iter();
    let ends = ends.filter(|event| event["event"]["type"] == "game_finished");
    assert_eq!(ends.count(), 2, "{events}");
}

#[tokio::test]
async fn who_must_act_at_the_deadline_is_last_and_extensions_count() {
    let clock = Clock::default();
    let server = TestServer::with_clock(&clock);
    let config = Config {
        clock: clock.clone(),
        ..Config::default()
    };
    let other = server.another_with_config(config);
    let (path, members) = full_league(&server, 4, 0, season(json!({"then": "forfeit"}))).await;
    let organizer = members[0].1.clone();
    let made = server
        .create(&format!("{path}/tables"), &organizer, tables(&members, 1))
        .await;
    let game = format!("/v1/games/{}", text(&made["tables"][0]["game"]));
    let moved = json!({"round": 1, "deadline": in_hours(40), "note": "a holiday"});
    server
        .post(&format!("{path}/deadlines"), &organizer, moved)
        .await
        .ok(201);
    pass(&server, &clock, 35);
    let waits = server.read(&game).await;
    assert_eq!(waits["status"], "running");
    let awaited = waits["pending"][0]["seat"].as_u64().unwrap();
    // A player who resigns is behind those with as many points, but ahead of the one who must act.
    let resigned = (awaited + 1) % 4;
    let id = text(&waits["seats"][resigned as usize]["player"]["id"]);
    let (_, player) = members.iter().find(|(member, _)| *member == id).unwrap();
    let resigns = json!({"type": "resign"});
    server.act(&game, player, resigns).await;
    for server in [&server, &other] {
        pass(server, &clock, 41);
    }
    let over = other
        .wait_for(&game, |game| game["status"] == "finished")
        .await;
    for rank in array(&over["result"]["ranks"]) {
        let expected = match rank["seat"].as_u64() {
            seat if seat == Some(awaited) => 4,
            seat if seat == Some(resigned) => 3,
            _ => 1,
        };
        assert_eq!(rank["rank"], expected, "{over}");
    }
    // Both nodes have seen it, and it has ended once.
    assert_eq!(over["seq"], 2);
    let refused = json!({"name": "Summer", "rules": {"scoring": "shares",
        "deadline": {"then": "forfeit", "grace_hours": 337}}});
    let refused = server
        .post(&format!("{path}/seasons"), &organizer, refused)
        .await;
    refused.invalid("rules.deadline.grace_hours");
}
