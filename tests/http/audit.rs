//! `verify` of a database accounts for every row.

use engine::record::PublicKeys;
use serde_json::json;

use crate::support::{Database, TestServer, text};

/// A running game with a turn played, and a finished one.
async fn two_games(server: &TestServer) -> [String; 2] {
    let (path, tokens, _) = server.game_of_people().await;
    let turn = json!({"actions": [{"type": "move_stone", "field": "iron"}, {"type": "end_turn"}]});
    server
        .post(&format!("{path}/actions"), &tokens[0], turn)
        .await
        .ok(201);
    let seat = json!({"player": {"bot": "random"}});
    let bots = json!({"edition": "antike", "board": "antike-east", "max_rounds": 1,
        "seats": [seat, seat, seat]});
    let game = server.post("/v1/games", "", bots).await.ok(201);
    let finished = format!("/v1/games/{}", text(&game["id"]));
    server
        .wait_for(&finished, |game| game["status"] == "finished")
        .await;
    let id = |path: &str| path.rsplit('/').next().unwrap().to_owned();
    [id(&path), id(&finished)]
}

const TABLES: [&str; 3] = ["games", "seats", "events"];

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
    let unbound = match server.database {
        Database::Postgres { .. } => "SET session_replication_role = replica;",
        _ => "PRAGMA foreign_keys = OFF;",
    };
    for (damage, named) in cases {
        let mut script = unbound.to_owned();
        for table in TABLES {
            script += &format!("CREATE TABLE kept_{table} AS SELECT * FROM {table};");
        }
        server.database.execute(&(script + &damage));
        let found = faults(&server);
        assert!(!found.is_empty(), "{damage}");
        for name in named {
            assert!(
                found.iter().any(|fault| fault.starts_with(name)),
                "{damage}: {found:?}"
            );
        }
        let mut script = unbound.to_owned();
        for table in TABLES {
            script += &format!(
                "DELETE FROM {table}; INSERT INTO {table} SELECT * FROM kept_{table}; \
                 DROP TABLE kept_{table};"
            );
        }
        server.database.execute(&script);
    }
    assert_eq!(faults(&server), Vec::<String>::new());
    server.stop();
}
