//! Over-the-board results in the measure of nations: on request, with their corrections, and as of a time.

use std::fs;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::accounts::register;
use super::leagues::league;
use super::statistics::{games, server_with};
use super::support::{TestServer, array, assert_contains, eventually, text};

const NATIONS: &str = "/v1/stats/nations?over_the_board=only";

/// Creates a league with two placeholders. Returns its path and their ids.
async fn table_league(server: &TestServer, token: &str, more: Value) -> (String, [String; 2]) {
    let path = league(server, token, more).await;
    let mut members = Vec::new();
    for name in ["Livia", "Anna"] {
        let body = json!({ "placeholder": name });
        let added = server.post(&format!("{path}/members"), token, body).await;
        let added = added.ok(201)["members"].take();
        members.push(text(&added[members.len()]["id"]));
    }
    (path, [members.remove(0), members.remove(0)])
}

/// The request that enters a game of two nations.
fn result(members: &[String; 2], nations: [&str; 2], ranks: [u8; 2]) -> Value {
    let seats = members.iter().zip(nations).zip(ranks);
    let seats: Vec<Value> = seats
        .map(
            |((member, nation), rank)| json!({"member": member, "nations": [nation], "rank": rank}),
        )
        .collect();
    json!({"edition": "antike", "board": "antike-east", "seats": seats,
        "played_at": "2026-11-20T18:00:00Z"})
}

/// Returns the nations with their games and wins.
fn wins(table: &Value) -> Vec<(String, f64, f64)> {
    let rows = array(&table["rows"]).iter();
    rows.map(|row| {
        let number = |name: &str| row[name].as_f64().unwrap();
        (text(&row["nation"]), number("games"), number("wins"))
    })
    .collect()
}

fn won(nations: &[(&str, f64, f64)]) -> Vec<(String, f64, f64)> {
    let rows = nations.iter();
    rows.map(|(name, games, wins)| ((*name).to_owned(), *games, *wins))
        .collect()
}

/// Waits until the table has these games and wins.
async fn wait_for_wins(server: &TestServer, expected: &[(&str, f64, f64)]) -> Value {
    let expected = won(expected);
    let is_so = |body: &Value| body["complete"] == true && wins(body) == expected;
    server.wait_for(NATIONS, is_so).await
}

/// Reads a table as of a time, as soon as the service accepts that time.
/// It must accept it although nothing more is written, before its check once a minute.
async fn as_of(server: &TestServer, time: &str) -> Value {
    let begun = Instant::now();
    let late = format!("{time} is never accepted");
    let table = eventually(&late, async || {
        let answer = server.get(&format!("{NATIONS}&as_of={time}")).await;
        (answer.status != 422).then(|| answer.ok(200))
    })
    .await;
    assert!(begun.elapsed() < Duration::from_secs(40), "{time}");
    table
}

/// Returns a table without the filters of its request.
fn without_filters(mut table: Value) -> Value {
    table["filters"].take();
    table
}

// Polars refuses to block a single-threaded runtime.
#[tokio::test(flavor = "multi_thread")]
async fn over_the_board_results_count_for_nations_as_of_any_time() {
    let records = games(2);
    let mut server = server_with(&records).await;
    let (_, dido) = register(&server, "dido").await;
    let default = server.read("/v1/stats/nations?reason=any").await;
    let (path, members) = table_league(&server, &dido, json!({})).await;
    let (unlisted, others) = table_league(&server, &dido, json!({"visibility": "unlisted"})).await;
    let (private, hidden) = table_league(&server, &dido, json!({"visibility": "private"})).await;
    wait_for_wins(&server, &[]).await;
    let enter = async |path: &str, body: Value| {
        let results = format!("{path}/results");
        server.create(&results, &dido, body).await;
    };
    enter(&path, result(&members, ["greeks", "arabs"], [1, 2])).await;
    enter(&private, result(&hidden, ["greeks", "arabs"], [1, 2])).await;
    let first = wait_for_wins(&server, &[("arabs", 1.0, 0.0), ("greeks", 1.0, 1.0)]).await;
    assert_eq!(
        (&first["games"], &first["rulesets"]),
        (&json!(1), &json!([]))
    );
    enter(&unlisted, result(&others, ["persians", "greeks"], [1, 1])).await;
    // The nation of a seat in this result is unknown.
    let mut without_nation = result(&members, ["greeks", "arabs"], [1, 2]);
    without_nation["seats"][0]["nations"] = json!([]);
    enter(&path, without_nation).await;
    let both = [
        ("arabs", 1.0, 0.0),
        ("greeks", 2.0, 1.5),
        ("persians", 1.0, 0.5),
    ];
    let second = wait_for_wins(&server, &both).await;
    let correct = async |table: u32, body: Value| {
        let corrections = format!("{path}/tables/{table}/corrections");
        server.create(&corrections, &dido, body).await;
    };
    correct(1, json!({"type": "adjudicate", "ranks": [2, 1]})).await;
    let decided = [
        ("arabs", 1.0, 1.0),
        ("greeks", 2.0, 0.5),
        ("persians", 1.0, 0.5),
    ];
    let third = wait_for_wins(&server, &decided).await;
    correct(1, json!({"type": "void"})).await;
    let last = [("greeks", 1.0, 0.5), ("persians", 1.0, 0.5)];
    let fourth = wait_for_wins(&server, &last).await;
    let tables = [first, second, third, fourth];
    let versions: std::collections::BTreeSet<String> = tables
        .iter()
        .map(|table| text(&table["data_version"]))
        .collect();
    assert_eq!(versions.len(), tables.len(), "{versions:?}");

    // Each table as of its time, also from rebuilt facts, on this node and on another.
    let as_of_each = async |server: &TestServer| {
        for before in &tables {
            let time = text(&before["as_of"]);
            let now = as_of(server, &time).await;
            assert_eq!(
                without_filters(now),
                without_filters(before.clone()),
                "{time}"
            );
        }
    };
    as_of_each(&server).await;
    server.stop();
    fs::remove_dir_all(server.database.facts()).unwrap();
    let server = server.restart();
    wait_for_wins(&server, &last).await;
    as_of_each(&server).await;
    let other = server.another();
    wait_for_wins(&other, &last).await;
    as_of_each(&other).await;

    // A request without results is unchanged. With results, games of both kinds count.
    let now = server.read("/v1/stats/nations?reason=any").await;
    for name in ["games", "rows", "data_version", "log_position", "as_of"] {
        assert_eq!(now[name], default[name], "{name}");
    }
    let all = server.get("/v1/stats/nations?reason=any&over_the_board=any");
    assert_eq!(all.await.ok(200)["games"], 3);
    let named = async |name: &str| {
        let id = name.trim_start_matches("/v1/leagues/");
        let path = format!("{NATIONS}&league={id}");
        server.read(&path).await["games"].take()
    };
    // Void tables, and filters that would show a name. A private league does not exist for strangers.
    for path in [&path, &unlisted] {
        assert_eq!(named(path).await, 0);
    }
    let id = private.trim_start_matches("/v1/leagues/");
    let unknown = server.get(&format!("{NATIONS}&league={id}")).await;
    unknown.invalid("league");
    let refused = server.get("/v1/stats/seats?over_the_board=any").await;
    refused.invalid("over_the_board");
    let refused = server.get(&format!("{NATIONS}&place=1")).await;
    refused.invalid("place");
    // A citation names the time, because results have no place in the log of games.
    let page = server
        .get_as("/stats/nations?over_the_board=only", "text/html")
        .await;
    let time = text(&tables[3]["as_of"]).replace(':', "%3A");
    assert_contains(&page.text, &format!("as_of={time}"));
}

/// A place in the log of all games includes the results that leagues entered before it.
#[tokio::test(flavor = "multi_thread")]
async fn a_place_in_the_log_has_the_results_before_it() {
    let records = games(3);
    let server = server_with(&records[..1]).await;
    let (_, dido) = register(&server, "dido").await;
    let (path, members) = table_league(&server, &dido, json!({})).await;
    let place = async |count: usize| {
        let all = |body: &Value| body["games"] == json!(count);
        let table = server.wait_for("/v1/stats/nations?reason=any", all).await;
        table["log_position"].as_i64().unwrap()
    };
    let results = format!("{path}/results");
    let enter = async |ranks: [u8; 2]| {
        let body = result(&members, ["greeks", "arabs"], ranks);
        server.create(&results, &dido, body).await;
    };
    let before = place(1).await;
    enter([1, 2]).await;
    wait_for_wins(&server, &[("arabs", 1.0, 0.0), ("greeks", 1.0, 1.0)]).await;
    let as_of = async |place: i64| {
        let answer = server.get(&format!("{NATIONS}&as_of={place}")).await;
        wins(&answer.ok(200))
    };
    assert_eq!(as_of(before).await, []);
    server.imports().import(&records[1]).unwrap();
    let between = place(2).await;
    enter([2, 1]).await;
    let two = [("arabs", 2.0, 1.0), ("greeks", 2.0, 1.0)];
    wait_for_wins(&server, &two).await;
    server.imports().import(&records[2]).unwrap();
    let last = place(3).await;
    assert_eq!(as_of(before).await, []);
    let one = won(&[("arabs", 1.0, 0.0), ("greeks", 1.0, 1.0)]);
    assert_eq!(as_of(between).await, one);
    assert_eq!(as_of(before + 1).await, one);
    assert_eq!(as_of(last).await, won(&two));
}
