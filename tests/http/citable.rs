//! What somebody has cited stays as it is: tables as of a place in the log.

use std::fs;

use analytics::measure;
use reqwest::Method;
use serde_json::{Value, json};

use super::accounts::register;
use super::statistics::{any, counted, games, server_with};
use super::support::{Answer, TestServer, eventually, send};

/// A table in each format in which it is cited, by the bytes.
async fn tables(server: &TestServer, query: &str) -> Vec<(String, Vec<u8>)> {
    let mut told = Vec::new();
    for asked in analytics::MEASURES {
        let more = match asked.name {
            "head_to_head" => "&bot=random",
            // That no game has to have been in.
            "positions" => "&digest=0123456789abcdef",
            _ => "",
        };
        let path = format!("/v1/stats/{}?reason=any&{query}{more}", asked.path);
        for media_type in ["application/json", "text/csv"] {
            let answer = server.get_as(&path, media_type).await;
            assert_eq!(answer.status, 200, "{path}: {}", answer.text);
            assert_eq!(answer.header("tabularium-complete"), "?1");
            told.push((format!("{path} {media_type}"), answer.text.into_bytes()));
        }
    }
    told
}

fn place(told: &Value) -> i64 {
    told["log_position"].as_i64().unwrap()
}

async fn nations(server: &TestServer, query: &str) -> Answer {
    server
        .get(&format!("/v1/stats/nations?reason=any&{query}"))
        .await
}

// Asked from a thread of a single-threaded runtime, polars would refuse to wait.
#[tokio::test(flavor = "multi_thread")]
async fn a_table_as_of_a_place_is_the_same_whatever_comes_later() {
    let mut records = games(7);
    // What comes in later was played before.
    for record in &mut records[4..] {
        record.played_at = "2025-12-24T12:00:00Z".to_owned();
    }
    let mut server = server_with(&records[..3]).await;
    let (_, of_dido) = register(&server, "dido").await;
    // A game of an account, which ends by a decision.
    let (seat, bot) = (
        json!({"player": "open"}),
        json!({"player": {"bot": "random"}}),
    );
    let game = json!({"edition": "antike", "board": "antike-west", "seats": [seat, bot, bot]});
    let game = server.create("/v1/games", &of_dido, game).await;
    let path = format!("/v1/games/{}", game["id"].as_str().unwrap());
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
    let told = nations(&server, &query).await.ok(200);
    for name in ["games", "data_version", "rows", "log_position", "as_of"] {
        assert_eq!(told[name], now[name], "{name}");
    }
    assert_eq!(told["filters"]["as_of"], at.to_string());
    let first = nations(&server, &format!("as_of={}", at - 1)).await.ok(200);
    assert_eq!(
        first["games"], 3,
        "one place earlier the last game was not over"
    );

    // Another result is refused, others are imported late, one finishes here, a player is renamed and goes.
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

    // Facts that are made anew know the places, on another node too.
    server.stop();
    fs::remove_dir_all(server.database.facts()).unwrap();
    let server = server.restart();
    counted(&server, 9).await;
    assert_eq!(tables(&server, &query).await, before);
    let other = server.another();
    counted(&other, 9).await;
    assert_eq!(tables(&other, &query).await, before);

    // By the time it is the same, but for the name of the place.
    let time = now["as_of"].as_str().unwrap();
    let path = format!("/v1/stats/nations?reason=any&as_of={time}");
    // Refused for some seconds: until nothing can be recorded at that time any more.
    let answered = async || Some(server.get(&path).await).filter(|answer| answer.status == 200);
    let by_time = eventually("the time is never over", answered).await.ok(200);
    assert_eq!(by_time["games"], 4);
    for name in ["data_version", "rows", "log_position", "as_of", "complete"] {
        assert_eq!(by_time[name], now[name], "{name}");
    }
    assert_eq!(
        nations(&server, "as_of=2020-01-01").await.ok(200)["games"],
        0
    );
    // What is not over can still change.
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
async fn a_file_tells_where_it_comes_from() {
    let records = games(3);
    let server = server_with(&records).await;
    let told = counted(&server, 3).await;
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
        told["log_position"],
        told["as_of"].as_str().unwrap()
    );
    assert!(lines[1].ends_with(&given), "{} {given}", lines[1]);

    // Whoever has the records comes to the same version.
    let library = engine::content::Library::embedded();
    let (facts, _) = analytics::Facts::from_records(&records, library).unwrap();
    let table = measure(&facts.lazy(), &analytics::NATIONS, &any()).unwrap();
    assert_eq!(told["data_version"], table.data_version);
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
    assert_ne!(other["data_version"], told["data_version"]);
}

/// Statistics count an unlisted game, and do not tell where it is.
#[tokio::test]
async fn facts_do_not_tell_the_id_of_an_unlisted_game() {
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
