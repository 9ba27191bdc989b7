//! Games played elsewhere.

use crate::support::{TestServer, unsigned};
use bots::play;
use engine::content::Library;
use engine::record::{Player, Setup, SetupSeat};

fn simulated(seed: &str) -> engine::record::Record {
    let seat = || SetupSeat {
        nations: Vec::new(),
        player: Player::Bot {
            name: "random".to_owned(),
        },
    };
    let setup = Setup {
        edition: "antike".to_owned(),
        board: "antike-west".to_owned(),
        ruleset_hash: None,
        board_hash: None,
        variants: Vec::new(),
        seats: vec![seat(), seat(), seat()],
        seed: seed.to_owned(),
        drawn: 0,
        first: None,
        max_rounds: Some(4),
        deck: None,
        reshuffles: Vec::new(),
        position: None,
    };
    let id = uuid::Uuid::now_v7().to_string();
    play(Library::embedded(), &setup, &id, "2026-01-02T03:04:05Z").unwrap()
}

#[tokio::test]
async fn a_simulated_game_is_taken_in_as_it_was() {
    let server = TestServer::start();
    let record = simulated("kept");
    let id = server.games().import(&record).unwrap();
    assert_eq!(id.to_string(), record.id);
    let path = format!("/v1/games/{id}");
    let kept = server
        .get(&format!("{path}/record?events=true"))
        .await
        .ok(200);
    let mut kept: engine::record::Record = serde_json::from_value(kept).unwrap();
    kept.verify(Library::embedded()).unwrap();
    kept.events = None;
    assert!(kept.signature.take().is_some(), "it is not signed");
    assert_eq!(kept, record);
    // Twice is once.
    server.games().import(&record).unwrap_err();
    let listed = server.get("/v1/games/count?status=finished&since=2026-01-02&until=2026-01-03");
    assert_eq!(listed.await.ok(200)["count"], 1);
}

#[tokio::test]
async fn a_record_that_does_not_replay_is_not_taken_in() {
    let server = TestServer::start();
    let mut record = simulated("bad");
    record.actions[3] = "temple roma".to_owned();
    assert!(
        server
            .games()
            .import(&record)
            .unwrap_err()
            .to_string()
            .len()
            > 5
    );
    let mut record = simulated("bad");
    record.result.as_mut().unwrap().ranks.swap(0, 1);
    server.games().import(&record).unwrap_err();
    assert_eq!(server.get("/v1/games/count").await.ok(200)["count"], 0);
}

#[tokio::test]
async fn undone_actions_are_taken_in_with_their_undo() {
    let server = TestServer::start();
    let mut record = simulated("undone");
    record.actions.insert(0, "-stone iron".to_owned());
    record.actions.insert(1, "-stone gold".to_owned());
    let id = server.games().import(&record).unwrap();
    let path = format!("/v1/games/{id}/record?events=true");
    let taken = server.get(&path).await.ok(200);
    let taken: engine::record::Record = serde_json::from_value(taken).unwrap();
    taken.verify(Library::embedded()).unwrap();
    assert_eq!(taken.actions, record.actions);
    // What is exported with its events can be taken in elsewhere, events and all.
    let other = TestServer::start();
    other.games().import(&taken).unwrap();
    let again = other.get(&path).await.ok(200);
    let taken = serde_json::to_value(&taken).unwrap();
    assert_eq!(unsigned(again), unsigned(taken));
}

#[tokio::test]
async fn a_changed_event_is_not_taken_in() {
    let server = TestServer::start();
    let id = server.games().import(&simulated("changed")).unwrap();
    let path = format!("/v1/games/{id}/record?events=true");
    let taken = server.get(&path).await.ok(200);
    let mut record: engine::record::Record = serde_json::from_value(taken).unwrap();
    let other = TestServer::start();
    record.events.as_mut().unwrap()[7].player = Some("somebody".to_owned());
    let error = other.games().import(&record).unwrap_err();
    assert!(error.to_string().starts_with("event 7: "), "{error}");
}
