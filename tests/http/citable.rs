//! Tables as of a place in the log never change, so they can be cited.

use std::fs;

use analytics::measure;
use reqwest::Method;
use serde_json::{Value, json};

use super::accounts::register;
use super::statistics::{any_reason, counted, games, server_with};
use super::support::{Answer, TestServer, eventually, send};

/// Reads a table in each format in which it can be cited, as bytes.
async fn tables(server: &TestServer, query: &str) -> Vec<(String, Vec<u8>)> {
    let mut tables = Vec::new();
    for asked in analytics::MEASURES {
        let more = match asked.name {
            "head_to_head" => "&bot=random",
            // Any digest will do: no game needs to have reached the position.
            "positions" => "&digest=0123456789abcdef",
            _ => "",
        };
        let path = format!("/v1/stats/{}?reason=any&{query}{more}", asked.path);
        for media_type in ["application/json", "text/csv"] {
            let answer = server.get_as(&path, media_type).await;
            assert_eq!(answer.status, 200, "{path}: {}", answer.text);
            assert_eq!(answer.header("tabularium-complete"), "?1");
            tables.push((format!("{path} {media_type}"), answer.text.into_bytes()));
        }
    }
    tables
}

fn place(table: &Value) -> i64 {
    table["log_position"].as_i64().unwrap()
}

async fn nations(server: &TestServer, query: &str) -> Answer {
    server
        .get(&format!("/v1/stats/nations?reason=any&{query}"))
        .await
}

// Polars refuses to block a single-threaded runtime.
#[tokio::test(flavor = "multi_thread")]
async fn a_table_as_of_a_place_never_changes() {
    let mut records = games(7);
    // The games that are imported later were played earlier.
    for record in &mut records[4..] {
        record.played_at = "2025-12-24T12:00:00Z".to_owned();
    }
    let mut server = server_with(&records[..3]).await;
    let (_, of_dido) = register(&server, "dido").await;
    // A game of an account that ends by adjudication.
    let (seat, bot) = (
        json!({"player": "open"}),
        json!({"player": {"bot": "random"}}),
    );
    let game = json!({"edition": "antike", "board": "antike-west", "seats": [seat, bot, bot]});
    let (path, _) = server.create_game(&of_dido, game).await;
    server
        .create(&format!("{path}/seats/0"), &of_dido, json!({}))
        .await;
    let ranks = |ranks: [u32; 3]| {
        let ranks = ranks.iter().zip(0..);
        let ranks: Vec<Value> = ranks
            .map(|(rank, seat)| json!({"seat": seat, "rank": rank}))
            .collect();
        json!({ "ranks": ranks, "note": "the evening was over" })
    };
    let end = format!("{path}/adjudication");
    server.create(&end, &of_dido, ranks([1, 2, 3])).await;
    let now = counted(&server, 4).await;
    let at = place(&now);
    let query = format!("as_of={at}");
    let before = tables(&server, &query).await;
    let cited = nations(&server, &query).await.ok(200);
    for name in ["games", "data_version", "rows", "log_position", "as_of"] {
        assert_eq!(cited[name], now[name], "{name}");
    }
    assert_eq!(cited["filters"]["as_of"], at.to_string());
    let first = nations(&server, &format!("as_of={}", at - 1)).await.ok(200);
    assert_eq!(
        first["games"], 3,
        "one place earlier the last game was not over"
    );

    // A result is refused, others are imported late, a game finishes here, a player is renamed and deleted.
    server
        .post(&end, &of_dido, ranks([3, 2, 1]))
        .await
        .problem(409, "game_over");
    for record in &records[3..] {
        server.imports().import(record).unwrap();
    }
    let bot = json!({"player": {"bot": "random"}});
    let game = json!({"edition": "antike", "board": "antike-west", "max_rounds": 2, "seats": [bot, bot, bot]});
    server.create("/v1/games", "", game).await;
    counted(&server, 9).await;
    assert_eq!(tables(&server, &query).await, before);
    let renamed = server.with(Method::PATCH, "/v1/me", &of_dido);
    let renamed = send(renamed.json(&json!({"handle": "elissa"}))).await;
    renamed.ok(200);
    assert_eq!(tables(&server, &query).await, before);
    let gone = server.delete("/v1/me", &of_dido).await;
    assert_eq!(gone.status, 204, "{}", gone.text);
    assert_eq!(tables(&server, &query).await, before);

    // Rebuilt facts have the places too, on another node as well.
    server.stop();
    // A file may still be written by a thread that the stop does not wait for.
    let removed = async || fs::remove_dir_all(server.database.facts()).ok();
    eventually("facts were never removed", removed).await;
    let server = server.restart();
    counted(&server, 9).await;
    assert_eq!(tables(&server, &query).await, before);
    let other = server.another();
    counted(&other, 9).await;
    assert_eq!(tables(&other, &query).await, before);

    // The table as of a time is the same, except for the name of the place.
    let time = now["as_of"].as_str().unwrap();
    let path = format!("/v1/stats/nations?reason=any&as_of={time}");
    // Refused for some seconds, while a game can still be recorded at that time.
    let answered = async || Some(server.get(&path).await).filter(|answer| answer.status == 200);
    let by_time = eventually("the time was never accepted", answered)
        .await
        .ok(200);
    assert_eq!(by_time["games"], 4);
    for name in ["data_version", "rows", "log_position", "as_of", "complete"] {
        assert_eq!(by_time[name], now[name], "{name}");
    }
    assert_eq!(
        nations(&server, "as_of=2020-01-01").await.ok(200)["games"],
        0
    );
    // The present can still change.
    let soon = jiff::Timestamp::now() + jiff::SignedDuration::from_hours(1);
    for not_yet in ["1000000000".to_owned(), soon.to_string()] {
        let answer = nations(&server, &format!("as_of={not_yet}")).await;
        answer.invalid("as_of");
    }
    for wrong in ["as_of=tomorrow", "as_of=-1"] {
        nations(&server, wrong).await.invalid("as_of");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_names_its_source() {
    let records = games(3);
    let server = server_with(&records).await;
    let counted_table = counted(&server, 3).await;
    let csv = server
        .get_as("/v1/stats/nations?reason=any&nation=greeks", "text/csv")
        .await;
    let lines: Vec<&str> = csv.text.lines().collect();
    let names: Vec<&str> = lines[0].split(',').collect();
    let behind = [
        "measure",
        "program",
        "filters",
        "data_version",
        "log_position",
        "as_of",
    ];
    assert_eq!(names[names.len() - 6..], behind);
    let one = server
        .read("/v1/stats/nations?reason=any&nation=greeks")
        .await;
    let given = format!(
        "nations,{},nation=greeks&reason=any,{},{},{}",
        one["program"].as_str().unwrap(),
        one["data_version"].as_str().unwrap(),
        counted_table["log_position"],
        counted_table["as_of"].as_str().unwrap()
    );
    assert!(lines[1].ends_with(&given), "{} {given}", lines[1]);

    // A reader who has the records computes the same version.
    let library = engine::content::Library::embedded();
    let (facts, _) = analytics::Facts::from_records(&records, library).unwrap();
    let table = measure(&facts.lazy(), &analytics::NATIONS, &any_reason()).unwrap();
    assert_eq!(counted_table["data_version"], table.data_version);
    // Another result, and people in place of bots, are other data.
    let mut people = records[0].clone();
    for (seat, number) in people.setup.seats.iter_mut().zip(0..) {
        seat.player = engine::setup::Player::Person {
            id: format!("person-{number}"),
            name: None,
        };
    }
    let changed = [&[people][..], &records[1..]].concat();
    let other = server_with(&changed).await;
    let other = counted(&other, 3).await;
    assert_ne!(other["data_version"], counted_table["data_version"]);
}

/// Statistics count an unlisted game but do not show its id.
#[tokio::test]
async fn facts_do_not_show_the_id_of_an_unlisted_game() {
    let server = TestServer::start();
    let bot = json!({"player": {"bot": "random"}});
    let game = json!({"edition": "antike", "board": "antike-west", "max_rounds": 3,
        "visibility": "unlisted", "seats": [bot, bot, bot]});
    let game = server.create("/v1/games", "", game).await;
    let id = game["id"].as_str().unwrap();
    counted(&server, 1).await;
    let tree = server.get("/v1/stats/openings/tree?reason=any").await;
    let example = &tree.ok(200)["rows"][0]["example"];
    assert!(
        example.as_str().unwrap().starts_with("unlisted-"),
        "{example}"
    );
    assert!(!tree.text.contains(id));
    let page = server
        .get_as("/stats/openings?reason=any", "text/html")
        .await;
    assert_eq!(page.status, 200);
    assert!(!page.text.contains(id) && !page.text.contains("/games/unlisted"));
}
