//! `verify --database` accounts for every row.

use records::PublicKeys;
use serde_json::{Value, json};

use super::support::{Database, TestServer, text, turn};

/// The number of finished games.
const COUNT: &str = "/v1/games/count?max_rounds=100";

/// A running game with a turn played, and a finished one.
async fn two_games(server: &TestServer) -> [String; 2] {
    let before = server.read(COUNT).await["count"].as_u64();
    let (path, tokens, _) = server.game_of_people().await;
    server.act(&path, &tokens[0], turn("iron")).await;
    let seat = json!({"player": {"bot": "random"}});
    let bots = json!({"edition": "antike", "board": "antike-east", "max_rounds": 1,
        "seats": [seat, seat, seat]});
    let (finished, _) = server.create_game("", bots).await;
    server
        .wait_for(&finished, |game| game["status"] == "finished")
        .await;
    let id = |path: &str| path.rsplit('/').next().unwrap().to_owned();
    // Waits for the derived rows as well: tests restore older rows, and these must not be missing from them.
    let listed = |count: &Value| count["count"].as_u64() > before;
    server.wait_for(COUNT, listed).await;
    [id(&path), id(&finished)]
}

const TABLES: [&str; 3] = ["games", "seats", "events"];

/// Statements that save a copy of the tables, and statements that restore it.
fn save_and_restore(server: &TestServer) -> [String; 2] {
    let unbound = match server.database {
        Database::Postgres { .. } => "SET session_replication_role = replica;",
        _ => "PRAGMA foreign_keys = OFF;",
    };
    let keep = TABLES.map(|table| format!("CREATE TABLE kept_{table} AS SELECT * FROM {table};"));
    let restore = TABLES.map(|table| {
        format!("DELETE FROM {table}; INSERT INTO {table} SELECT * FROM kept_{table}; DROP TABLE kept_{table};")
    });
    [keep, restore].map(|statements| format!("{unbound}{}", statements.concat()))
}

#[tokio::test]
async fn a_damaged_game_is_not_shown_in_any_form() {
    let server = TestServer::start();
    let [running, finished] = two_games(&server).await;
    let bytes = match server.database {
        Database::Postgres { .. } => "decode('0011223344556677', 'hex')",
        _ => "x'0011223344556677'",
    };
    let event = |change: &str, seq: u64| {
        format!(
            "UPDATE events SET {change} WHERE seq = {seq} AND \
             game IN (SELECT number FROM games WHERE id IN ('{running}', '{finished}'))"
        )
    };
    let of_finished = |change: &str| format!("UPDATE games SET {change} WHERE id = '{finished}'");
    let cases = [
        // Any writer may do this at any time.
        (event("notation = 'resign'", 2), true),
        (event("turn = turn + 1", 2), true),
        (event(&format!("digest = {bytes}"), 2), true),
        (event(&format!("hash_start = {bytes}"), 0), true),
        (event("at = at - 1000000", 0), true),
        (
            format!(
                "UPDATE games SET updated_at = updated_at - 1 WHERE id IN ('{running}', '{finished}')"
            ),
            true,
        ),
        (
            of_finished("result = replace(result, '\"rank\":1', '\"rank\":2')"),
            false,
        ),
        (
            of_finished("setup = replace(setup, '\"max_rounds\":1', '\"max_rounds\":2')"),
            false,
        ),
        (
            of_finished("signature = replace(signature, '\"seq\":', '\"seq\":1')"),
            false,
        ),
        (
            format!("UPDATE seats SET name = 'greedy' WHERE game_id = '{finished}' AND seat = 1"),
            false,
        ),
    ];
    let [keep, restore] = save_and_restore(&server);
    let other = two_games(&server).await[1].clone();
    let before = server.get("/v1/records").await.text;
    assert_eq!(before.lines().count(), 2);
    for (damage, both) in cases {
        server.database.execute(&format!("{keep}{damage}"));
        for (id, is_damaged) in [(&running, both), (&finished, true), (&other, false)] {
            let path = format!("/v1/games/{id}/record");
            let answers = [
                server.get(&path).await,
                server.get(&format!("{path}?events=true")).await,
                server.get_as(&path, "text/plain").await,
            ];
            for answer in answers {
                match is_damaged {
                    true => {
                        assert_eq!(answer.status, 500, "{damage}: {}", answer.text);
                        let problem = answer.problem(500, "damaged");
                        let detail = text(&problem["detail"]);
                        assert!(detail.contains("to the operator"), "{detail}");
                    }
                    false => assert_eq!(answer.status, 200, "{damage}: {}", answer.text),
                }
            }
        }
        let records = server.get("/v1/records").await.text;
        let mut lines = records.lines();
        let line: Value = serde_json::from_str(lines.next().unwrap()).unwrap();
        assert_eq!(line["id"], json!(finished), "{damage}");
        assert!(text(&line["damaged"]).contains("to the operator"));
        assert_eq!(line.as_object().unwrap().len(), 2);
        assert_eq!(lines.next(), before.lines().nth(1), "{damage}");
        assert_eq!(lines.next(), None);
        server.database.execute(&restore);
    }
    assert_eq!(server.get("/v1/records").await.text, before);
}

#[tokio::test]
async fn every_damage_is_named() {
    let mut server = TestServer::start();
    let [running, finished] = two_games(&server).await;
    let run = format!("(SELECT number FROM games WHERE id = '{running}')");
    let end = format!("(SELECT number FROM games WHERE id = '{finished}')");
    let last = |game: &str| format!("(SELECT max(seq) FROM events WHERE game = {game})");
    let (run_last, end_last) = (last(&run), last(&end));
    let of = |id: &str| format!("{id}: ");
    let (in_running, in_finished) = (of(&running), of(&finished));
    let all = "the log of all games has ".to_owned();
    let cases = [
        (
            format!("DELETE FROM events WHERE game = {end} AND seq = {end_last}"),
            vec![&all, &in_finished],
        ),
        (
            format!("DELETE FROM events WHERE game = {run} AND seq = {run_last}"),
            vec![&all, &in_running],
        ),
        (
            format!("DELETE FROM events WHERE game = {end} AND seq = 3"),
            vec![&all],
        ),
        (
            format!("DELETE FROM events WHERE game = {run} AND seq = 1"),
            vec![&all, &in_running],
        ),
        (
            format!("DELETE FROM events WHERE game = {end}"),
            vec![&all, &in_finished],
        ),
        (
            format!("DELETE FROM events WHERE game = {run}"),
            vec![&all, &in_running],
        ),
        (
            format!("UPDATE games SET status = 'running' WHERE id = '{finished}'"),
            vec![&in_finished],
        ),
        (
            format!("UPDATE games SET status = 'abandoned' WHERE id = '{running}'"),
            vec![&in_running],
        ),
        (
            format!("UPDATE games SET status = 'finished' WHERE id = '{running}'"),
            vec![&in_running],
        ),
        (
            format!("UPDATE games SET number = 999999 WHERE id = '{finished}'"),
            vec![&in_finished],
        ),
        (
            format!("UPDATE games SET number = 999999 WHERE id = '{running}'"),
            vec![&in_running],
        ),
        (
            format!("UPDATE games SET seq = 1 WHERE id = '{running}'"),
            vec![&in_running],
        ),
        (
            format!("UPDATE games SET result = NULL WHERE id = '{finished}'"),
            vec![&in_finished],
        ),
        (
            format!("UPDATE games SET setup = '{{}}' WHERE id = '{running}'"),
            vec![&in_running],
        ),
        (
            format!("UPDATE games SET finished_position = 1 WHERE id = '{finished}'"),
            vec![&in_finished],
        ),
        (
            format!("UPDATE games SET updated_at = 1 WHERE id = '{running}'"),
            vec![&in_running],
        ),
        (
            format!("UPDATE games SET created_at = 1 WHERE id = '{finished}'"),
            vec![&in_finished],
        ),
        (
            format!("UPDATE games SET hash = '00' WHERE id = '{running}'"),
            vec![&in_running],
        ),
        (
            format!("DELETE FROM seats WHERE game_id = '{running}' AND seat = 2"),
            vec![&in_running],
        ),
        (
            format!("DELETE FROM seats WHERE game_id = '{finished}' AND seat = 2"),
            vec![&in_finished],
        ),
        (
            format!("UPDATE seats SET kind = 'open' WHERE game_id = '{running}' AND seat = 0"),
            vec![&in_running],
        ),
        (
            format!("UPDATE events SET notation = 'stone gold' WHERE game = {run} AND seq = 1"),
            vec![&in_running],
        ),
        (
            format!("UPDATE events SET turn = 7 WHERE game = {run} AND seq = 1"),
            vec![&in_running],
        ),
        (
            format!("UPDATE events SET position = 777777 WHERE game = {run} AND seq = 1"),
            vec![&all, &in_running],
        ),
        (
            format!("UPDATE events SET game = 888888 WHERE game = {run} AND seq = {run_last}"),
            vec![&in_running],
        ),
        (format!("DELETE FROM games WHERE id = '{running}'"), vec![]),
    ];
    let keys = PublicKeys::default();
    let faults = |server: &TestServer| server.faults(&keys);
    assert_eq!(faults(&server), Vec::<String>::new());
    let [keep, restore] = save_and_restore(&server);
    for (damage, named) in cases {
        server.database.execute(&format!("{keep}{damage}"));
        let found = faults(&server);
        assert!(!found.is_empty(), "{damage}");
        for name in named {
            assert!(
                found.iter().any(|fault| fault.starts_with(name)),
                "{damage}: {found:?}"
            );
        }
        server.database.execute(&restore);
    }
    assert_eq!(faults(&server), Vec::<String>::new());
    server.stop();
}
