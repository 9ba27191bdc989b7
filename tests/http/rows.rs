//! How events are stored in the table: values that follow from others are not stored, are shown nevertheless,
//! and a change is found.

use engine::content::Library;
use records::{PublicKeys, Record};
use serde_json::{Value, json};

use super::imports::simulate_rounds;
use super::support::{Database, TestServer, array, text};

/// Creates a game of people with an undo in it, and imports a game. Returns their paths. The events of both are
/// stored in several runs, some of them long.
async fn two_games(server: &TestServer) -> [String; 2] {
    let (path, tokens, _) = server.game_of_people().await;
    let stone = |field: &str| json!({"type": "move_stone", "field": field});
    let turn = |field: &str| json!({"actions": [stone(field), {"type": "end_turn"}]});
    let actions = format!("{path}/actions");
    server.create(&actions, &tokens[0], stone("iron")).await;
    let undo = json!({"to": 0});
    server
        .create(&format!("{path}/undo"), &tokens[0], undo)
        .await;
    let record = simulate_rounds("rows", 100);
    server.imports().import(&record).unwrap();
    server.create(&actions, &tokens[0], turn("gold")).await;
    server.create(&actions, &tokens[1], turn("iron")).await;
    // Until then, the lists do not read the rows that tests alter.
    let searched = |games: &Value| games["count"] == 1;
    server
        .wait_for("/v1/games/count?sort=length", searched)
        .await;
    [path, format!("/v1/games/{}", record.id)]
}

/// Reads the log of all games in one piece.
async fn log(server: &TestServer) -> Vec<Value> {
    let lines = server.get_as("/v1/events", "application/x-ndjson").await;
    let read = |line| serde_json::from_str(line).unwrap();
    lines.text.lines().map(read).collect()
}

/// Reads the events of a path, page after page.
async fn pages(server: &TestServer, path: &str, limit: usize) -> Vec<Value> {
    let (mut events, mut after) = (Vec::new(), String::new());
    loop {
        let sign = if path.contains('?') { '&' } else { '?' };
        let page = server
            .read(&format!("{path}{sign}limit={limit}{after}"))
            .await;
        events.extend(array(&page["items"]).clone());
        match page["next"].as_str() {
            Some(next) => after = format!("&after={next}"),
            None => return events,
        }
    }
}

/// Returns hexadecimal digits as the database's literal of bytes.
fn bytes(server: &TestServer, digits: &str) -> String {
    match server.database {
        Database::Postgres { .. } => format!("'\\x{digits}'"),
        _ => format!("x'{digits}'"),
    }
}

/// Returns the condition that selects the row of an event.
fn row(event: &Value) -> String {
    let game = text(&event["game"]);
    format!(
        "game = (SELECT number FROM games WHERE id = '{game}') AND seq = {}",
        event["seq"]
    )
}

#[tokio::test]
async fn every_part_of_the_logs_equals_the_whole() {
    let server = TestServer::start();
    let games = two_games(&server).await;
    let all = log(&server).await;
    let positions: Vec<_> = all.iter().map(|event| event["position"].as_u64()).collect();
    let expected: Vec<_> = (1..=all.len() as u64).map(Some).collect();
    assert_eq!(positions, expected);
    assert!(all.len() > 600, "{} events", all.len());
    for limit in [9, 63, 64, 100] {
        assert_eq!(pages(&server, "/v1/events", limit).await, all, "{limit}");
    }
    for path in &games {
        let id = path.rsplit('/').next().unwrap();
        let own: Vec<_> = all
            .iter()
            .filter(|event| event["game"] == *id)
            .cloned()
            .collect();
        for limit in [11, 64, 1000] {
            assert_eq!(pages(&server, &format!("{path}/events"), limit).await, own);
        }
        // The rows of a record are the same, and verify.
        let record = server.read(&format!("{path}/record?events=true")).await;
        let rows = array(&record["events"]);
        assert_eq!(rows.len(), own.len());
        for (row, event) in rows.iter().zip(&own) {
            for (column, value) in row.as_object().unwrap() {
                assert_eq!(*value, event[column], "{column}");
            }
        }
        let record: Record = serde_json::from_value(record).unwrap();
        record.verify(Library::embedded()).unwrap();
    }
    // The events of one player, among those of others.
    let first = server.read(&games[0]).await;
    let persian = first["seats"][2]["player"]["id"].as_str().unwrap();
    for player in [persian, "random"] {
        let of = |event: &&Value| {
            (event["game"] == games[0]["/v1/games/".len()..]) == (player == persian)
        };
        let own: Vec<_> = all.iter().filter(of).cloned().collect();
        let path = format!("/v1/events?player={player}");
        for limit in [16, 64, 1000] {
            assert_eq!(pages(&server, &path, limit).await, own, "{player} {limit}");
        }
    }
}

#[tokio::test]
async fn every_change_of_a_row_is_found() {
    let server = TestServer::start();
    let [path, _] = two_games(&server).await;
    let keys = PublicKeys::default();
    assert_eq!(server.faults(&keys), Vec::<String>::new());
    server
        .database
        .execute("CREATE TABLE kept_events AS SELECT * FROM events");
    let events = pages(&server, &format!("{path}/events"), 100).await;
    assert!(events.iter().any(|event| event["kind"] == "undo"));
    for event in &events {
        let name = format!("{}: event {}: ", text(&event["game"]), event["seq"]);
        for (change, is_there) in [
            ("turn = turn + 1".to_owned(), true),
            ("player = 'arabs'".to_owned(), true),
            ("notation = 'stone marble'".to_owned(), true),
            (
                format!("digest = {}", bytes(&server, "0123456789abcdef")),
                true,
            ),
            (
                format!("hash_start = {}", bytes(&server, "0123456789abcdef")),
                true,
            ),
            ("at = at + 1".to_owned(), true),
            // The log of all games lacks the event, whichever game has it.
            ("position = position + 777777".to_owned(), false),
        ] {
            let alter = format!("UPDATE events SET {change} WHERE {};", row(event));
            server.database.execute(&alter);
            let faults = server.faults(&keys);
            let named = match is_there {
                true => faults.iter().any(|fault| fault.starts_with(&name)),
                false => !faults.is_empty(),
            };
            assert!(named, "{name}{change}: {faults:?}");
            server
                .database
                .execute("DELETE FROM events; INSERT INTO events SELECT * FROM kept_events;");
        }
    }
    assert_eq!(server.faults(&keys), Vec::<String>::new());
    server.database.execute("DROP TABLE kept_events");
}

#[tokio::test]
async fn two_events_at_one_position_are_found() {
    let server = TestServer::start();
    two_games(&server).await;
    // The last run begins one position too early: at the last row of the run before.
    server.database.execute(
        "UPDATE events SET position = position - 1 WHERE position = (SELECT max(position) FROM events)",
    );
    let faults = server.faults(&PublicKeys::default());
    let taken = |fault: &String| fault.contains("belongs to another event too");
    assert!(faults.iter().any(taken), "{faults:?}");
    let free = |fault: &String| fault.starts_with("the log of all games has no readable event");
    assert!(faults.iter().any(free), "{faults:?}");
}
