//! Statistics of finished games.

use analytics::{Facts, Filters, Measure, measure};
use bots::play;
use engine::content::Library;
use engine::record::{Player, Record, Setup, SetupSeat};
use serde_json::{Value, json};

use crate::support::TestServer;

/// Games of four bots on the East board.
pub fn games(count: usize) -> Vec<Record> {
    let seat = |name: &str| SetupSeat {
        nations: Vec::new(),
        player: Player::Bot {
            name: name.to_owned(),
        },
    };
    let setup = |number: usize| Setup {
        edition: "antike".to_owned(),
        board: "antike-east".to_owned(),
        ruleset_hash: None,
        board_hash: None,
        variants: Vec::new(),
        seats: ["greedy", "greedy", "random", "greedy"].map(seat).into(),
        seed: format!("statistics {number}"),
        drawn: 0,
        first: None,
        max_rounds: Some(12),
        deck: None,
        reshuffles: Vec::new(),
        position: None,
    };
    let played = (0..count).map(|number| {
        let id = uuid::Uuid::now_v7().to_string();
        play(
            Library::embedded(),
            &setup(number),
            &id,
            "2026-01-02T03:04:05Z",
        )
        .unwrap()
    });
    played.collect()
}

async fn server_with(records: &[Record]) -> TestServer {
    let server = TestServer::start();
    for record in records {
        server.games().import(record).unwrap();
    }
    let all = |body: &Value| body["games"] == json!(records.len());
    server.wait_for("/v1/stats/nations", all).await;
    server
}

// Asked from a thread of a single-threaded runtime, polars would refuse to wait.
#[tokio::test(flavor = "multi_thread")]
async fn the_service_tells_the_numbers_that_the_records_give() {
    let records = games(12);
    let server = server_with(&records).await;
    let (facts, left_out) = Facts::from_records(&records, Library::embedded()).unwrap();
    assert!(left_out.is_empty());
    for (path, asked) in [
        ("nations", Measure::Nations),
        ("openings", Measure::Openings),
        ("openings/tree", Measure::OpeningsTree),
        ("personages", Measure::Personages),
        ("seats", Measure::Seats),
        ("lengths", Measure::Lengths),
    ] {
        let told = server.get(&format!("/v1/stats/{path}")).await.ok(200);
        let table = measure(&facts.lazy(), asked, &Filters::default()).unwrap();
        // Through text and back, as the answer went: reading may move the last bit of a number.
        let expected = table.to_json().unwrap().to_string();
        let expected: Value = serde_json::from_str(&expected).unwrap();
        assert_eq!(told, expected, "{path}");
    }
    // Counted by hand: each game has one win to share out.
    let rows = server.get("/v1/stats/nations").await.ok(200)["rows"].clone();
    let wins = rows
        .as_array()
        .unwrap()
        .iter()
        .map(|row| row["wins"].as_f64());
    let wins: f64 = wins.map(Option::unwrap).sum();
    assert!((wins - 12.0).abs() < 1e-9, "{wins}");
    for row in rows.as_array().unwrap() {
        let name = row["nation"].as_str().unwrap();
        let won = records
            .iter()
            .flat_map(|record| &record.result.as_ref().unwrap().ranks);
        let won: f64 = won
            .filter(|rank| rank.nations == [name])
            .map(|rank| rank.share)
            .sum();
        assert!((row["wins"].as_f64().unwrap() - won).abs() < 1e-9, "{row}");
        assert_eq!(row["games"], 12);
        assert_eq!(row["insufficient"], true);
    }
}

#[tokio::test]
async fn a_game_that_finishes_here_is_counted() {
    let server = TestServer::start();
    let bot = json!({"player": {"bot": "greedy"}});
    let game = json!({"edition": "antike", "board": "antike-west", "max_rounds": 2,
        "seats": [bot, bot, bot]});
    server.post("/v1/games", "", game).await.ok(201);
    let counted = |body: &Value| body["games"] == 1;
    let body = server
        .wait_for("/v1/stats/lengths?board=antike-west", counted)
        .await;
    assert_eq!(body["filters"]["board"], "antike-west");
    let none = server.get("/v1/stats/lengths?bots=none").await.ok(200);
    assert_eq!(none["games"], 0);
    assert_eq!(none["rows"], json!([]));
}

#[tokio::test]
async fn tables_come_in_the_format_that_is_asked_for() {
    let server = server_with(&games(3)).await;
    let csv = server
        .get_as("/v1/stats/nations?nation=greeks", "text/csv")
        .await;
    assert_eq!(csv.status, 200);
    assert_eq!(csv.header("content-type"), "text/csv");
    assert_eq!(csv.text.lines().count(), 2, "{}", csv.text);
    assert!(csv.text.lines().next().unwrap().contains("lift"));
    let parquet = server
        .get_as("/v1/stats/nations", "application/vnd.apache.parquet")
        .await;
    assert_eq!(parquet.status, 200);
    assert!(parquet.text.starts_with("PAR1"));
    let svg = server.get_as("/v1/stats/nations", "image/png").await;
    svg.problem(406, "not_acceptable");
    let tag = csv.header("etag").to_owned();
    let request = server.request(reqwest::Method::GET, "/v1/stats/nations?nation=greeks");
    let request = request
        .header("Accept", "text/csv")
        .header("If-None-Match", tag);
    assert_eq!(crate::support::send(request).await.status, 304);
}

#[tokio::test]
async fn versions_of_rules_are_summed_and_told_unless_one_is_asked_for() {
    let mut records = games(3);
    let library = engine::content::Library::embedded();
    let first = library.ruleset_numbered("antike", 1).unwrap();
    let hash = first.hash.to_string();
    let mut setup = records[0].setup.clone();
    setup.ruleset_hash = Some(hash.clone());
    let id = uuid::Uuid::now_v7().to_string();
    records.push(bots::play(library, &setup, &id, &records[0].played_at).unwrap());
    let server = server_with(&records).await;
    let all = server.get("/v1/stats/seats").await.ok(200);
    let current = server.get("/v1/editions/antike").await.ok(200);
    assert_eq!(
        all["rulesets"],
        json!([{"edition": "antike", "version": 1, "hash": hash, "games": 1},
            {"edition": "antike", "version": 2, "hash": current["hash"], "games": 3}])
    );
    for asked in ["1", &hash] {
        let path = format!("/v1/stats/seats?ruleset={asked}");
        let one = server.get(&path).await.ok(200);
        assert_eq!(one["games"], 1);
        assert_eq!(one["filters"]["ruleset"], asked);
        assert_eq!(one["rulesets"], json!([all["rulesets"][0]]));
    }
    let none = server.get("/v1/stats/nations?ruleset=7").await.ok(200);
    assert_eq!((&none["games"], &none["rulesets"]), (&json!(0), &json!([])));
}

#[tokio::test]
async fn filters_that_make_no_sense_are_refused() {
    let server = TestServer::start();
    for (query, field) in [
        ("colour=red", "colour"),
        ("nations=many", "nations"),
        ("nations=4294967296", "nations"),
        ("bots=some", "bots"),
        ("ruleset=0", "ruleset"),
        ("ruleset=latest", "ruleset"),
        ("ruleset=40435a71", "ruleset"),
        ("since=yesterday", "since"),
        ("seat=1&seat=2", "seat"),
        ("path=marble,forum", "path"),
        ("path=marble,,gold", "path"),
    ] {
        let answer = server.get(&format!("/v1/stats/nations?{query}")).await;
        let problem = answer.problem(422, "invalid_body");
        assert_eq!(problem["field"], field, "{problem}");
    }
}
