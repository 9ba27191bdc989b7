//! Import of games that were played elsewhere.

use api::games::import::ImportError;
use api::http::limits::options::Limits;
use api::http::scope::Scope;
use bots::play;
use engine::content::Library;
use engine::forms::RankBody;
use engine::setup::{Player, Setup, SetupSeat};
use reqwest::Method;
use serde_json::{Value, json};

use super::accounts::{operators_token, register};
use super::support::{Answer, TestServer, array, send, unsigned};

pub fn simulate(seed: &str) -> records::Record {
    simulate_rounds(seed, 4)
}

/// As [`simulate`], with at most this many rounds.
pub fn simulate_rounds(seed: &str, rounds: u32) -> records::Record {
    let seat = || SetupSeat::bot("random");
    let setup = Setup {
        edition: "antike".to_owned(),
        board: "antike-west".to_owned(),
        seats: vec![seat(), seat(), seat()],
        seed: seed.to_owned(),
        max_rounds: Some(rounds),
        ..Setup::default()
    };
    let id = uuid::Uuid::now_v7().to_string();
    play(Library::embedded(), &setup, &id, "2026-01-02T03:04:05Z").unwrap()
}

#[tokio::test]
async fn a_simulated_game_is_imported_unchanged() {
    let server = TestServer::start();
    let record = simulate("kept");
    let id = server.imports().import(&record).unwrap();
    assert_eq!(id.to_string(), record.id);
    let path = format!("/v1/games/{id}");
    let kept = server.read(&format!("{path}/record?events=true")).await;
    let mut kept: records::Record = serde_json::from_value(kept).unwrap();
    kept.verify(Library::embedded()).unwrap();
    kept.events = None;
    assert!(kept.signature.take().is_some(), "it is not signed");
    assert_eq!(kept, record);
    // A second import of the same record changes nothing.
    let again = server.imports().import(&record).unwrap_err();
    assert!(
        matches!(again, ImportError::Known(known) if known == id),
        "{again}"
    );
    let listed = server.get("/v1/games/count?status=finished&since=2026-01-02&until=2026-01-03");
    assert_eq!(listed.await.ok(200)["count"], 1);
}

#[tokio::test]
async fn another_game_with_a_known_id_is_refused_with_the_difference() {
    let server = TestServer::start();
    let record = simulate("known");
    let id = server.imports().import(&record).unwrap();
    let path = format!("/v1/games/{id}/record?events=true");
    let whole = server.read(&path).await;
    let whole: records::Record = serde_json::from_value(whole).unwrap();
    let known = |record: &records::Record| {
        let error = server.imports().import(record).unwrap_err();
        assert!(matches!(error, ImportError::Known(_)), "{error}");
    };
    // The exported record is known, with its log and without.
    known(&whole);
    known(&records::Record {
        events: None,
        ..whole.clone()
    });
    let mut other = simulate("another");
    other.id.clone_from(&record.id);
    other.played_at = "2025-06-07T08:09:10Z".to_owned();
    let refusal = server.imports().import(&other).unwrap_err().to_string();
    let expected = format!(
        "another game has the id {id}: it was played at 2026-01-02T03:04:05Z, this one at \
         2025-06-07T08:09:10Z; the records differ in actions, "
    );
    assert!(refusal.starts_with(&expected), "{refusal}");
    // The same game in another league, and with another log.
    let mut other = record.clone();
    other.league = Some("cup".to_owned());
    let refusal = server.imports().import(&other).unwrap_err().to_string();
    assert!(
        refusal.ends_with("the records differ in league"),
        "{refusal}"
    );
    let kept = server.read(&format!("/v1/games/{id}/record")).await;
    assert_eq!(unsigned(kept), serde_json::to_value(&record).unwrap());
}

#[tokio::test]
async fn names_that_cannot_be_stored_are_refused_with_their_field() {
    let server = TestServer::start();
    let refused = |change: fn(&mut records::Record), field: &str| {
        let mut record = simulate("names");
        change(&mut record);
        let refusal = server.imports().import(&record).unwrap_err().to_string();
        let expected = format!("{field}: must have 1 to ");
        assert!(refusal.starts_with(&expected), "{refusal}");
    };
    refused(|record| record.league = Some("a\0b".to_owned()), "league");
    refused(|record| record.league = Some("x".repeat(65)), "league");
    refused(|record| record.league = Some(String::new()), "league");
    refused(|record| record.setup.seed = "a\0b".to_owned(), "setup.seed");
    refused(
        |record| {
            record.setup.seats[1].player = Player::Person {
                id: "hanno".to_owned(),
                name: Some("a\tb".to_owned()),
            };
        },
        "setup.seats[1].player.name",
    );
    assert_eq!(server.read("/v1/games/count").await["count"], 0);
}

#[tokio::test]
async fn a_record_that_does_not_replay_is_refused() {
    let server = TestServer::start();
    let mut record = simulate("bad");
    record.actions[3] = "temple roma".to_owned();
    assert!(
        server
            .imports()
            .import(&record)
            .unwrap_err()
            .to_string()
            .len()
            > 5
    );
    let mut record = simulate("bad");
    record.result.as_mut().unwrap().ranks.swap(0, 1);
    server.imports().import(&record).unwrap_err();
    assert_eq!(server.read("/v1/games/count").await["count"], 0);
}

#[tokio::test]
async fn undone_actions_are_imported_with_their_undo() {
    let server = TestServer::start();
    let mut record = simulate("undone");
    record.actions.insert(0, "-stone iron".to_owned());
    record.actions.insert(1, "-stone gold".to_owned());
    let id = server.imports().import(&record).unwrap();
    let path = format!("/v1/games/{id}/record?events=true");
    let taken = server.read(&path).await;
    let taken: records::Record = serde_json::from_value(taken).unwrap();
    taken.verify(Library::embedded()).unwrap();
    assert_eq!(taken.actions, record.actions);
    // A record that is exported with its events can be imported elsewhere with its events.
    let other = TestServer::start();
    other.imports().import(&taken).unwrap();
    let again = other.read(&path).await;
    let taken = serde_json::to_value(&taken).unwrap();
    assert_eq!(unsigned(again), unsigned(taken));
}

#[tokio::test]
async fn a_record_with_a_changed_event_is_refused() {
    let server = TestServer::start();
    let id = server.imports().import(&simulate("changed")).unwrap();
    let path = format!("/v1/games/{id}/record?events=true");
    let taken = server.read(&path).await;
    let mut record: records::Record = serde_json::from_value(taken).unwrap();
    let other = TestServer::start();
    record.events.as_mut().unwrap()[7].player = Some("mago".to_owned());
    let error = other.imports().import(&record).unwrap_err();
    assert!(error.to_string().starts_with("event 7: "), "{error}");
}

/// Plays a game that its organizer adjudicates, and returns its record with its log.
async fn adjudicated(server: &TestServer) -> records::Record {
    let playing = server.game_with_bots().await;
    server
        .adjudicate(&playing.path, &playing.organizer, &[1, 2, 3, 4])
        .await;
    let record = server.read(&playing.at("record?events=true")).await;
    serde_json::from_value(record).unwrap()
}

#[tokio::test]
async fn a_result_without_a_log_stays_declared() {
    let server = TestServer::start();
    let mut record = adjudicated(&server).await;
    let library = Library::embedded();
    assert!(!record.verify(library).unwrap().declared);
    // The result counts on the server where it was decided, and where the record is imported with its log.
    let mirror = TestServer::start();
    mirror.imports().import(&record).unwrap();
    for server in [&server, &mirror] {
        let all = server.wait_for("/v1/stats/nations?reason=any&declared=any", |body| {
            body["games"] == 1
        });
        all.await;
        let counted = server.read("/v1/stats/nations?reason=any").await;
        assert_eq!(counted["games"], 1);
    }
    // Without its log nothing proves the result. The log that the import writes says so.
    record.events = None;
    assert!(record.verify(library).unwrap().declared);
    let other = TestServer::start();
    let id = other.imports().import(&record).unwrap();
    let path = format!("/v1/games/{id}/record?events=true");
    let exported = other.read(&path).await;
    let exported: records::Record = serde_json::from_value(exported).unwrap();
    assert!(exported.verify(library).unwrap().declared);
    let last = exported.events.as_ref().unwrap().last().unwrap();
    assert!(
        last.notation
            .starts_with("adjudicate {\"reason\":\"adjudication\",")
    );
    assert!(
        last.notation.ends_with(",\"declared\":true}"),
        "{}",
        last.notation
    );
    let all = other.wait_for("/v1/stats/nations?reason=any&declared=any", |body| {
        body["games"] == 1
    });
    all.await;
    let counted = other.read("/v1/stats/nations?reason=any").await;
    assert_eq!(counted["games"], 0);
    let only = other
        .read("/v1/stats/nations?reason=any&declared=only")
        .await;
    assert_eq!(only["games"], 1);
    // The result stays declared on every further server.
    let third = TestServer::start();
    third.imports().import(&exported).unwrap();
    let again = third.read(&path).await;
    let exported = serde_json::to_value(&exported).unwrap();
    // Each server adds its own signature.
    assert_eq!(unsigned(again), unsigned(exported));
}

#[tokio::test]
async fn forged_results_are_refused() {
    let server = TestServer::start();
    let record = adjudicated(&server).await;
    let other = TestServer::start();
    let refused = |record: &records::Record| {
        let error = other.imports().import(record).unwrap_err();
        assert!(
            matches!(error, api::games::import::ImportError::Replay(_)),
            "{error}"
        );
        error.to_string()
    };
    let last = record.events.as_ref().unwrap().len() - 1;
    for change in [
        (|ranks| ranks[0].rank = 0) as fn(&mut [RankBody]),
        |ranks| ranks[1] = ranks[0].clone(),
        |ranks| ranks[0].rank = 2,
        |ranks| ranks[0].share = 0.5,
    ] {
        let mut forged = record.clone();
        change(&mut forged.result.as_mut().unwrap().ranks);
        let refusal = refused(&forged);
        assert!(refusal.starts_with(&format!("event {last}: ")), "{refusal}");
        forged.events = None;
        let refusal = refused(&forged);
        assert!(refusal.contains("no log confirms the result"), "{refusal}");
    }
}

async fn send_records(
    server: &TestServer,
    media_type: &str,
    accept: &str,
    body: Vec<u8>,
) -> Answer {
    let request = server.request(Method::POST, "/v1/records");
    let request = request.header("Content-Type", media_type);
    send(request.header("Accept", accept).body(body)).await
}

const NDJSON: &str = "application/x-ndjson";

fn line(record: &records::Record) -> String {
    serde_json::to_string(record).unwrap() + "\n"
}

#[tokio::test]
async fn each_record_of_a_request_is_imported_by_itself() {
    let server = TestServer::start();
    let (one, two) = (simulate("one"), simulate("two"));
    let mut damaged = simulate("damaged");
    damaged.digest = "0".repeat(16);
    let mut other = simulate("other");
    other.id.clone_from(&one.id);
    let body = [
        line(&one),
        "\n".to_owned(),
        line(&damaged),
        "{}\n".to_owned(),
        line(&other),
        line(&two),
        line(&one),
    ];
    let body = body.concat().into_bytes();
    let outcome = send_records(&server, NDJSON, "", body.clone())
        .await
        .ok(200);
    assert_eq!(
        (&outcome["imported"], &outcome["known"], &outcome["refused"]),
        (&json!(2), &json!(1), &json!(3))
    );
    let items = array(&outcome["items"]);
    let outcomes: Vec<(u64, &str)> = items
        .iter()
        .map(|item| {
            (
                item["line"].as_u64().unwrap(),
                item["outcome"].as_str().unwrap(),
            )
        })
        .collect();
    let expected = [
        (1, "imported"),
        (3, "refused"),
        (4, "refused"),
        (5, "refused"),
        (6, "imported"),
        (7, "known"),
    ];
    assert_eq!(outcomes, expected);
    assert_eq!(items[0]["id"], one.id);
    assert_eq!(items[1]["problem"]["code"], "invalid_body");
    assert_eq!(
        (&items[2]["id"], &items[0]["problem"]),
        (&Value::Null, &Value::Null)
    );
    assert_eq!(items[3]["problem"]["code"], "id_taken");
    let detail = items[3]["problem"]["detail"].as_str().unwrap();
    assert!(
        detail.starts_with(&format!("another game has the id {}", one.id)),
        "{detail}"
    );
    let kept = server.read(&format!("/v1/games/{}/record", two.id)).await;
    assert_eq!(unsigned(kept), serde_json::to_value(&two).unwrap());
    // The same records again, as lines: none is imported twice.
    let again = send_records(&server, NDJSON, NDJSON, body).await;
    assert_eq!(again.header("content-type"), NDJSON);
    let again: Vec<Value> = again
        .text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let known = again
        .iter()
        .filter(|item| item["outcome"] == "known")
        .count();
    assert_eq!((again.len(), known), (6, 3));
    assert_eq!(server.read("/v1/games/count").await["count"], 2);
    // As notation, and compressed.
    let text = simulate("text");
    let notation = text.to_text(Library::embedded()).unwrap();
    let outcome = send_records(
        &server,
        "text/plain; charset=utf-8",
        "",
        notation.into_bytes(),
    )
    .await;
    assert_eq!(outcome.ok(200)["imported"], 1);
    // As another server exported it.
    let pretty = serde_json::to_vec_pretty(&simulate("json")).unwrap();
    let outcome = send_records(&server, "application/json", "", pretty).await;
    assert_eq!(outcome.ok(200)["imported"], 1);
    for (wrong, status, code) in [
        ("{", 400, "malformed_json"),
        ("[]", 422, "invalid_body"),
        ("{}", 422, "invalid_body"),
    ] {
        let body = wrong.as_bytes().to_vec();
        send_records(&server, "application/json", "", body)
            .await
            .problem(status, code);
    }
    let wrong = send_records(&server, "text/plain", "", b"nothing".to_vec())
        .await
        .ok(200);
    assert_eq!(
        (&wrong["refused"], &wrong["items"][0]["line"]),
        (&json!(1), &json!(1))
    );
}

#[tokio::test]
async fn bodies_of_records_have_limits() {
    let limits = Limits {
        records: 2,
        records_body: 60_000,
        body: 100,
        ..Limits::unmetered()
    };
    let server = TestServer::with_limits(limits);
    let record = line(&simulate("limited"));
    let send = async |media_type: &str, body: String| {
        send_records(&server, media_type, "", body.into_bytes()).await
    };
    assert_eq!(send(NDJSON, record.clone()).await.ok(200)["imported"], 1);
    let many = send(NDJSON, "{}\n{}\n{}\n".to_owned()).await;
    assert_eq!(many.problem(413, "too_large")["limit"], 2);
    let large = send(NDJSON, "x".repeat(60_001)).await;
    assert_eq!(large.problem(413, "too_large")["limit"], 60_000);
    send(NDJSON, "\n\n".to_owned())
        .await
        .problem(422, "invalid_body");
    send("application/xml", record.clone())
        .await
        .problem(415, "unsupported_media_type");
    let bytes = send_records(&server, NDJSON, "", vec![0xff, b'{']).await;
    bytes.problem(422, "invalid_body");
    let svg = send_records(&server, NDJSON, "image/svg+xml", record.into_bytes()).await;
    svg.problem(406, "not_acceptable");
}

#[tokio::test]
async fn only_the_operator_imports_records_unless_the_server_permits_others() {
    let server = TestServer::with_limits(Limits::default());
    let body = line(&simulate("closed"));
    let answer = send_records(&server, NDJSON, "", body.clone().into_bytes()).await;
    answer.unauthenticated();
    assert_eq!(server.read("/v1/games/count").await["count"], 0);
    let (_, token) = register(&server, "Hanno").await;
    let with = async |token: &str| {
        let request = server.with(Method::POST, "/v1/records", token);
        send(request.header("Content-Type", NDJSON).body(body.clone())).await
    };
    let refused = with(&token).await.forbidden();
    assert!(refused["detail"].as_str().unwrap().contains("`admin`"));
    let admin = operators_token(&server, "mago", &[Scope::Admin], 600);
    assert_eq!(with(&admin).await.ok(200)["imported"], 1);
}
