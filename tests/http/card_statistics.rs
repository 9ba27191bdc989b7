//! Statistics of the event cards of Antike Duellum.

use std::collections::BTreeMap;

use analytics::{Facts, measure};
use bots::play;
use engine::content::Library;
use engine::play::Action;
use engine::setup::{Setup, SetupSeat};
use records::Record;
use serde_json::{Value, json};

use super::support::{TestServer, array};

/// Games of two bots on a board of Antike Duellum.
pub fn games(board: &str, count: usize) -> Vec<Record> {
    let seat = |name: &str| SetupSeat::bot(name);
    let setup = |number: usize| Setup {
        edition: "antike_duellum".to_owned(),
        board: board.to_owned(),
        seats: ["random", "random"].map(seat).into(),
        seed: format!("cards {number}"),
        // Bots that take any action seldom win a personage, and winning one gives cards.
        max_rounds: Some(200),
        ..Setup::default()
    };
    let played = (0..count).map(|number| {
        let id = uuid::Uuid::now_v7().to_string();
        let setup = setup(number);
        play(Library::embedded(), &setup, &id, "2026-01-02T03:04:05Z").unwrap()
    });
    played.collect()
}

// Polars refuses to block a single-threaded runtime.
#[tokio::test(flavor = "multi_thread")]
async fn card_statistics_agree_with_the_records() {
    let server = TestServer::start();
    let mut records = games("duellum-rome-carthage", 6);
    records.extend(games("duellum-greece-persia", 6));
    // Other editions have no cards.
    records.extend(super::statistics::games(2));
    for record in &records {
        server.imports().import(record).unwrap();
    }
    let all = |body: &Value| body["games"] == json!(records.len());
    let answer = server.wait_for("/v1/stats/cards?reason=any", all).await;
    let (facts, left_out) = Facts::from_records(&records, Library::embedded()).unwrap();
    assert!(left_out.is_empty());
    let table = measure(
        &facts.lazy(),
        &analytics::CARDS,
        &super::statistics::any_reason(),
    )
    .unwrap();
    // Converted to text and back, as the answer was: parsing may change the last bit of a number.
    let expected = table.to_json().unwrap().to_string();
    let mut expected: Value = serde_json::from_str(&expected).unwrap();
    // Only the server knows the log positions.
    for place in ["log_position", "as_of"] {
        expected[place] = answer[place].clone();
    }
    assert_eq!(answer, expected);

    let mut times: BTreeMap<(String, String, &str), u64> = BTreeMap::new();
    for record in &records {
        let counted = record.replay(Library::embedded(), |step| {
            let (card, act) = match step.action {
                Action::TakeCard { card } => (card, "taken"),
                Action::PlayCard { card, .. } => (card, "played"),
                _ => return,
            };
            let card = step.game.ruleset.card_name(card).to_owned();
            let key = (record.setup.board.clone(), card, act);
            *times.entry(key).or_default() += 1;
        });
        counted.unwrap();
    }
    let rows = array(&answer["rows"]);
    assert_eq!(rows.len(), times.len());
    for ((board, card, act), count) in &times {
        let own =
            |row: &&Value| row["board"] == **board && row["card"] == **card && row["act"] == **act;
        let row = rows.iter().find(own).unwrap();
        assert_eq!(row["times"], *count, "{row}");
        assert_eq!(row["edition"], "antike_duellum");
        assert_eq!(row["expected"], 0.5, "one of two");
        assert_eq!(row["insufficient"], true);
    }

    let query = "/v1/stats/cards?reason=any&board=duellum-rome-carthage&min_games=2";
    let csv = server.get_as(query, "text/csv").await;
    assert_eq!(csv.status, 200);
    let header = csv.text.lines().next().unwrap();
    assert!(
        header.starts_with(
            "card,act,edition,board,variants,nations,players,play,bots,bot,ruleset,times,"
        ),
        "{header}"
    );
    let parquet = server.get_as(query, "application/vnd.apache.parquet").await;
    assert!(parquet.text.starts_with("PAR1"));
    let refused = server.get("/v1/stats/cards?reason=any&card=fortress").await;
    refused.invalid("card");
}
