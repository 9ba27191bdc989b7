//! Signatures: of records, of checkpoints, with rotated keys; and a verifier in another language agrees.

use std::path::Path;
use std::process::{Command, Output};

use records::{PublicKeys, Record, SignatureStatus};
use reqwest::Method;
use serde_json::{Value, json};

use super::leagues::{full_league, result};
use super::program::{done, failed, simulate, tabularium};
use super::support::{
    Database, TestServer, array, assert_contains, eventually, send, tamper, text, turn,
};

/// Runs the verifier in Python.
#[track_caller]
pub fn python(folder: &Path, arguments: &[&str]) -> Output {
    let program = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/verify_record.py");
    Command::new("python3")
        .arg(program)
        .args(arguments)
        .current_dir(folder)
        .output()
        .expect("python3 is needed to run tests/verify_record.py: install it")
}

async fn keys(server: &TestServer) -> PublicKeys {
    server.get("/v1/keys").await.text.parse().unwrap()
}

/// Plays a game of two people in which one resigns, and returns its path.
pub async fn finish_game(server: &TestServer) -> String {
    let (path, tokens, _) = server.game_of_people().await;
    let actions = format!("{path}/actions");
    let turn = turn("iron");
    server.create(&actions, &tokens[0], turn).await;
    for seat in [3, 1, 0] {
        let resign = json!({"type": "resign"});
        server.create(&actions, &tokens[seat], resign).await;
    }
    path
}

async fn read_record(server: &TestServer, path: &str, query: &str) -> Record {
    let answer = server.read(&format!("{path}/record{query}")).await;
    serde_json::from_value(answer).unwrap()
}

#[tokio::test]
async fn the_record_of_a_finished_game_is_signed_in_every_form() {
    let server = TestServer::start();
    let path = finish_game(&server).await;
    let keys = keys(&server).await;
    let whole = read_record(&server, &path, "?events=true").await;
    let signature = whole.signature.clone().expect("it is signed at once");
    let last = whole.events.as_ref().unwrap().last().unwrap();
    assert_eq!((signature.seq, &signature.hash), (last.seq, &last.hash));
    let by = Ok(SignatureStatus::Valid(signature.key.clone()));
    assert_eq!(whole.check_signature(&keys).map_err(drop), by);
    let bare = read_record(&server, &path, "").await;
    assert_eq!(bare.check_signature(&keys).map_err(drop), by);
    let text = server.get_as(&format!("{path}/record"), "text/plain").await;
    assert_contains(&text.text, "\n[Signature \"");
    let read = Record::from_text(&text.text).unwrap();
    assert_eq!(read.check_signature(&keys).map_err(drop), by);
    assert_eq!(read.signature, Some(signature));

    let (running, _, _) = server.game_of_people().await;
    assert_eq!(read_record(&server, &running, "").await.signature, None);
}

#[tokio::test]
async fn games_from_before_the_key_are_signed_in_the_background() {
    let server = TestServer::start();
    let path = finish_game(&server).await;
    let signed = read_record(&server, &path, "").await;
    let at = format!("{path}/record");
    let tag = server.get(&at).await.header("etag").to_owned();
    tamper(&server.database.url(), "UPDATE games SET signature = NULL");
    let unsigned = server.get(&at).await;
    let signed_meanwhile = unsigned.ok(200)["signature"].is_object();
    assert!(signed_meanwhile || unsigned.header("etag") != tag);
    server
        .wait_for(&at, |record| record["signature"].is_object())
        .await;
    // The same key gives the same signature.
    assert_eq!(read_record(&server, &path, "").await, signed);
    assert_eq!(server.get(&at).await.header("etag"), tag);
}

#[tokio::test]
async fn a_damaged_game_is_not_signed_and_delays_no_other() {
    let server = TestServer::start();
    let damaged = finish_game(&server).await;
    let good = finish_game(&server).await;
    let id = damaged.rsplit('/').next().unwrap();
    let database = server.database.url();
    tamper(
        &database,
        &format!(
            "UPDATE events SET notation = 'stone gold' WHERE seq = 1 AND \
             game = (SELECT number FROM games WHERE id = '{id}')"
        ),
    );
    tamper(&database, "UPDATE games SET signature = NULL");
    let at = format!("{good}/record");
    server
        .wait_for(&at, |record| record["signature"].is_object())
        .await;
    server.games().note_due().unwrap();
    let at = format!("{damaged}/record");
    server.get(&at).await.problem(500, "damaged");
    // The game was set aside for a day.
    tamper(
        &database,
        &format!(
            "UPDATE events SET notation = 'stone iron' WHERE seq = 1 AND \
             game = (SELECT number FROM games WHERE id = '{id}')"
        ),
    );
    assert_eq!(read_record(&server, &damaged, "").await.signature, None);
}

#[tokio::test]
async fn every_node_signs_with_its_own_key_and_all_are_listed() {
    let one = TestServer::start();
    let folder = tempfile::tempdir().unwrap();
    let two = TestServer::beside(&one, folder.path().join("two.key"));
    let answer = two.get("/v1/keys").await;
    let listed = array(&answer.ok(200)["items"]).clone();
    assert_eq!(listed.len(), 2, "{listed:?}");
    for key in &listed {
        assert_eq!(key["algorithm"], "Ed25519");
        assert_eq!(key["retired_at"], Value::Null);
    }
    let again = one.request(Method::GET, "/v1/keys");
    let again = send(again.header("If-None-Match", answer.header("etag"))).await;
    assert_eq!(again.status, 304);
    let keys = keys(&one).await;
    let (first, second) = (finish_game(&one).await, finish_game(&two).await);
    let by = |record: &Record| record.signature.as_ref().unwrap().key.clone();
    let first = read_record(&two, &first, "").await;
    let second = read_record(&one, &second, "").await;
    assert_ne!(by(&first), by(&second));
    for record in [&first, &second] {
        let said = record.check_signature(&keys).unwrap();
        assert_eq!(said, SignatureStatus::Valid(by(record)));
    }
}

#[tokio::test]
async fn checkpoints_are_made_on_demand_and_once_a_day() {
    let server = TestServer::start();
    let signing = &server.services().signing;
    server.get("/v1/checkpoints/latest").await.not_found();
    assert_eq!(
        signing.make_checkpoint().unwrap(),
        None,
        "there is nothing to sign"
    );
    finish_game(&server).await;
    let first = signing.make_checkpoint().unwrap().unwrap();
    assert_eq!((first.number, first.games, &first.previous), (1, 1, &None));
    assert_eq!(
        signing.make_checkpoint().unwrap(),
        None,
        "nothing was added"
    );
    let (path, tokens, _) = server.game_of_people().await;
    // A day passes.
    let age = "UPDATE checkpoints SET at = at - 86400000000";
    tamper(&server.database.url(), age);
    let at = "/v1/checkpoints/2";
    let second = eventually("no second checkpoint is made", async || {
        let answer = server.get(at).await;
        (answer.status == 200).then(|| answer.json())
    })
    .await;
    assert_eq!(second["games"], 2);
    let last = server.read(&format!("{path}/events")).await;
    assert_eq!(second["position"], last["items"][0]["position"]);
    assert_eq!(server.read("/v1/checkpoints/latest").await, second);
    let page = server.read("/v1/checkpoints?limit=1").await;
    assert_eq!(
        (&page["items"][0]["number"], &page["next"]),
        (&json!(1), &json!("1"))
    );
    let page = server.read("/v1/checkpoints?after=1").await;
    assert_eq!(page, json!({"items": [second], "next": null}));
    server.get("/v1/checkpoints/0").await.not_found();
    server.get("/v1/checkpoints/x").await.not_found();
    server
        .get("/v1/checkpoints?after=x")
        .await
        .problem(422, "invalid_parameter");
    server
        .get("/v1/checkpoints?limit=0")
        .await
        .problem(422, "invalid_parameter");
    // The test changed the time of the first checkpoint, so its signature is wrong. All others are valid.
    let faults = server.faults(&keys(&server).await);
    assert_eq!(faults.len(), 1, "{faults:?}");
    drop(tokens);
}

#[tokio::test]
async fn two_nodes_make_one_checkpoint() {
    let one = TestServer::start();
    let two = one.another();
    for _ in 0..3 {
        finish_game(&one).await;
        let made = std::thread::scope(|scope| {
            let nodes = [&one, &two].map(|node| &node.services().signing);
            let threads = nodes.map(|signing| scope.spawn(|| signing.make_checkpoint().unwrap()));
            threads.map(|thread| thread.join().unwrap())
        });
        assert_eq!(made.iter().flatten().count(), 1, "{made:?}");
    }
    assert_eq!(one.faults(&keys(&one).await), Vec::<String>::new());
    let made = one.read("/v1/checkpoints").await;
    assert_eq!(array(&made["items"]).len(), 3);
}

/// Creates games with checkpoints between them, one of which continues over a checkpoint and has an undo.
/// Returns the path and the tokens of the running game.
async fn create_log(server: &TestServer) -> (String, Vec<String>) {
    let make_checkpoint = || {
        drop(
            server
                .services()
                .signing
                .make_checkpoint()
                .unwrap()
                .unwrap(),
        )
    };
    let (running, tokens, _) = server.game_of_people().await;
    finish_game(server).await;
    make_checkpoint();
    let actions = format!("{running}/actions");
    let stone = json!({"type": "move_stone", "field": "iron"});
    server.create(&actions, &tokens[0], stone).await;
    make_checkpoint();
    let undo = format!("{running}/undo");
    server.create(&undo, &tokens[0], json!({"to": 0})).await;
    finish_game(server).await;
    make_checkpoint();
    let stone = json!({"type": "move_stone", "field": "gold"});
    server.create(&actions, &tokens[0], stone).await;
    (running, tokens)
}

#[tokio::test]
async fn changes_and_deletions_in_the_database_are_found() {
    let mut server = TestServer::start();
    let (running, _) = create_log(&server).await;
    let keys = keys(&server).await;
    let verify = |server: &TestServer| server.faults(&keys);
    assert_eq!(verify(&server), Vec::<String>::new());
    let id = running.rsplit('/').next().unwrap();
    let game = format!("(SELECT number FROM games WHERE id = '{id}')");
    let database = server.database.url();
    // The rows for search are written a moment later, and must not appear during the test.
    let searched = |count: &Value| count["count"] == 2;
    server
        .wait_for("/v1/games/count?sort=length", searched)
        .await;
    // The last game of the log is deleted with all its rows.
    let last = "(SELECT max(number) FROM games)";
    let id_of_last = format!("game_id = (SELECT id FROM games WHERE number = {last})");
    let rows = [
        ("game_players", format!("game = {last}")),
        ("seats", id_of_last),
        ("events", format!("game = {last}")),
        ("games", format!("number = {last}")),
    ];
    for (table, which) in &rows {
        let keep = format!("CREATE TABLE kept_{table} AS SELECT * FROM {table} WHERE {which}");
        tamper(&database, &keep);
        tamper(&database, &format!("DELETE FROM {table} WHERE {which}"));
    }
    let faults = verify(&server);
    assert_eq!(faults.len(), 4, "{faults:?}");
    for fault in &faults[..2] {
        assert!(fault.starts_with("the log of all games has "), "{faults:?}");
    }
    assert!(faults[2].starts_with("checkpoint 3 of "), "{faults:?}");
    assert!(faults[2].contains("games were removed"), "{faults:?}");
    let leaf = "transparency log: 1 leaves are about games that do not exist";
    assert_eq!(faults[3], leaf);
    for (table, _) in rows.iter().rev() {
        let restore = format!("INSERT INTO {table} SELECT * FROM kept_{table}");
        tamper(&database, &restore);
    }
    assert_eq!(verify(&server), Vec::<String>::new());
    // A changed event of a running game breaks the game's own chain, which names the event.
    tamper(
        &database,
        &format!("UPDATE events SET notation = 'stone marble' WHERE game = {game} AND seq = 1"),
    );
    let faults = verify(&server);
    assert_eq!(faults.len(), 2, "{faults:?}");
    assert!(
        faults[0].starts_with(&format!("{id}: event 1: ")),
        "{faults:?}"
    );
    assert!(faults[1].starts_with("checkpoint 2 of "), "{faults:?}");
    assert!(faults[1].contains("events were changed"), "{faults:?}");
    // A missing checkpoint leaves a gap.
    tamper(&database, "DELETE FROM checkpoints WHERE number = 2");
    let faults = verify(&server);
    assert!(
        faults[0].contains("does not continue the checkpoint before it"),
        "{faults:?}"
    );
    server.stop();
}

/// Writes the files of a mirror: the log of all games, a row in each line.
async fn mirror(server: &TestServer, folder: &Path) -> Vec<Value> {
    let answer = server
        .get_as("/v1/events?limit=1000", "application/x-ndjson")
        .await;
    std::fs::write(folder.join("events.ndjson"), &answer.text).unwrap();
    let write = |file: &str, text: &str| std::fs::write(folder.join(file), text).unwrap();
    write(
        "checkpoints.json",
        &server.get("/v1/checkpoints").await.text,
    );
    write("keys.json", &server.get("/v1/keys").await.text);
    let lines = answer.text.lines();
    lines
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

pub fn write_lines(folder: &Path, file: &str, lines: &[Value]) {
    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    std::fs::write(folder.join(file), text).unwrap();
}

#[tokio::test]
async fn a_verifier_in_another_language_checks_a_mirror_of_the_log() {
    let server = TestServer::start();
    create_log(&server).await;
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let events = mirror(&server, folder).await;
    let checkpoints = server.read("/v1/checkpoints").await;
    let check = [
        "keys.json",
        "events.ndjson",
        "--checkpoints",
        "checkpoints.json",
    ];
    let output = python(folder, &check);
    assert!(output.status.success(), "{output:?}");
    type Forgery = fn(&mut Vec<Value>);
    let forgeries: &[Forgery] = &[
        |events| drop(events.remove(3)),
        |events| drop(events.remove(0)),
        |events| events[2]["notation"] = json!("stone marble"),
        |events| events[2]["player"] = json!("mago"),
        |events| events[2]["hash"] = json!("0".repeat(64)),
        |events| events.swap(3, 4),
        |events| events.truncate(5),
    ];
    for (number, forge) in forgeries.iter().enumerate() {
        let mut forged = events.clone();
        forge(&mut forged);
        write_lines(folder, "events.ndjson", &forged);
        let output = python(folder, &check);
        assert_eq!(
            output.status.code(),
            Some(1),
            "forgery {number}: {output:?}"
        );
    }
    // Forged checkpoints are found as well.
    write_lines(folder, "events.ndjson", &events);
    for (field, value) in [
        ("root", json!("0".repeat(64))),
        ("at", json!("2026-01-02T03:04:05Z")),
        ("games", json!(7)),
        ("previous", Value::Null),
        ("value", json!("0".repeat(128))),
        ("key", json!("0".repeat(16))),
    ] {
        let mut forged = checkpoints.clone();
        forged["items"][1][field] = value;
        std::fs::write(folder.join("checkpoints.json"), forged.to_string()).unwrap();
        let output = python(folder, &check);
        assert_eq!(output.status.code(), Some(1), "{field}: {output:?}");
    }
}

#[tokio::test]
async fn a_verifier_in_another_language_checks_records() {
    let server = TestServer::start();
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let mut records = Vec::new();
    for query in ["", "?events=true"] {
        let path = finish_game(&server).await;
        records.push(server.read(&format!("{path}/record{query}")).await);
    }
    // The position of a record is its longest part, and the seed determines a deck of cards.
    let duel = super::duellum::before_the_attack(&server).await;
    let duel = super::duellum::create(&server, super::duellum::new_game(&duel)).await;
    let resign = json!({"type": "resign"});
    server
        .create(&duel.at("actions"), &duel.romans, resign)
        .await;
    records.push(server.read(&duel.at("record?events=true")).await);
    std::fs::write(folder.join("keys.json"), server.get("/v1/keys").await.text).unwrap();
    let check = ["keys.json", "records.ndjson"];
    write_lines(folder, "records.ndjson", &records);
    let output = python(folder, &check);
    assert!(output.status.success(), "{output:?}");
    let verify = ["verify", "records.ndjson", "--key", "keys.json"];
    let output = done(&tabularium(folder, &verify));
    assert_contains(&output, "3 signed by ");
    type Forgery = fn(&mut Value);
    let forgeries: &[Forgery] = &[
        |record| record["id"] = json!("another"),
        |record| record["setup"]["seed"] = json!("another"),
        |record| record["actions"][0] = json!("stone gold"),
        |record| record["result"]["ranks"][0]["points"] = json!(9),
        |record| record["played_at"] = json!("2026-01-02T03:04:05Z"),
        |record| record["rated"] = json!(true),
        |record| record["league"] = json!("first"),
        |record| record["signature"]["hash"] = json!("0".repeat(64)),
        |record| record["signature"]["value"] = json!("0".repeat(128)),
        |record| record["signature"]["key"] = json!("0".repeat(16)),
        |record| drop(record.as_object_mut().unwrap().remove("signature")),
    ];
    for (number, forge) in forgeries.iter().enumerate() {
        for record in &records {
            let mut forged = record.clone();
            forge(&mut forged);
            write_lines(folder, "records.ndjson", &[forged]);
            let output = python(folder, &check);
            assert_eq!(
                output.status.code(),
                Some(1),
                "forgery {number}: {output:?}"
            );
        }
    }
    let mut forged = records[1].clone();
    forged["events"][1]["notation"] = json!("stone gold");
    write_lines(folder, "records.ndjson", &[forged.clone()]);
    let output = python(folder, &check);
    assert!(
        String::from_utf8_lossy(&output.stderr).contains("event 1 "),
        "{output:?}"
    );
    forged = records[1].clone();
    forged["events"].as_array_mut().unwrap().pop();
    write_lines(folder, "records.ndjson", &[forged]);
    assert_eq!(python(folder, &check).status.code(), Some(1));
}

#[tokio::test]
async fn a_verifier_in_another_language_checks_the_log_of_a_league() {
    let server = TestServer::start();
    let (path, members) = full_league(&server, 2, 1, json!({})).await;
    let entered = result(&members, &[(0, 1), (2, 2)]);
    let results = format!("{path}/results");
    server.create(&results, &members[0].1, entered).await;
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    std::fs::write(folder.join("keys.json"), server.get("/v1/keys").await.text).unwrap();
    let pages = server.pages(&format!("{path}/events?limit=4")).await;
    assert!(pages.len() > 1, "{pages:?}");
    let id = path.trim_start_matches("/v1/leagues/");
    let check = ["keys.json", "pages.ndjson", "--league", id];
    write_lines(folder, "pages.ndjson", &pages);
    let output = python(folder, &check);
    assert!(output.status.success(), "{output:?}");
    type Forgery = fn(&mut Vec<Value>);
    let forgeries: &[Forgery] = &[
        |pages| drop(pages.pop()),
        |pages| drop(pages[0]["items"].as_array_mut().unwrap().remove(1)),
        |pages| pages[0]["items"][1]["at_microseconds"] = json!(7),
        |pages| pages[0]["items"][1]["position"] = json!(7),
        |pages| pages[0]["items"][1]["log_position"] = json!(7),
        |pages| pages[0]["items"][0]["event"]["name"] = json!("Cup of Rome"),
        |pages| pages.last_mut().unwrap()["signature"]["value"] = json!("0".repeat(128)),
        |pages| pages.last_mut().unwrap()["signature"]["key"] = json!("0".repeat(16)),
        |pages| pages.last_mut().unwrap()["signature"] = Value::Null,
    ];
    for (number, forge) in forgeries.iter().enumerate() {
        let mut forged = pages.clone();
        forge(&mut forged);
        write_lines(folder, "pages.ndjson", &forged);
        let output = python(folder, &check);
        assert_eq!(
            output.status.code(),
            Some(1),
            "forgery {number}: {output:?}"
        );
    }
}

/// Fills a database with the program and exports its records. The key file is `k`.
fn export(folder: &Path, database: &str) -> Vec<Record> {
    simulate(folder, "games.ndjson");
    let at = ["--database", database];
    done(&tabularium(
        folder,
        &[&["import", "games.ndjson", "--key", "k"], &at[..]].concat(),
    ));
    done(&tabularium(
        folder,
        &[&["export", "--all", "--out", "out.ndjson"], &at[..]].concat(),
    ));
    let text = std::fs::read_to_string(folder.join("out.ndjson")).unwrap();
    let records = text.lines().map(|line| serde_json::from_str(line).unwrap());
    records.collect()
}

fn write_records(folder: &Path, file: &str, records: &[Record]) {
    let json = |record| serde_json::to_value(record).unwrap();
    let records: Vec<Value> = records.iter().map(json).collect();
    write_lines(folder, file, &records);
}

#[test]
fn verify_says_by_whom_each_record_is_signed() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let fresh = Database::fresh();
    let database = fresh.url();
    let mut records = export(folder, &database);
    let listed = tabularium(folder, &["keys", "list", "--database", &database]);
    done(&listed);
    let listed = String::from_utf8(listed.stdout).unwrap();
    let words: Vec<&str> = listed.split_whitespace().collect();
    let (id, public) = (words[0], words[1]);
    let secret = std::fs::read_to_string(folder.join("k")).unwrap();
    assert!(!listed.contains(secret.trim()), "the list shows the secret");

    let printed = done(&tabularium(folder, &["verify", "out.ndjson"]));
    assert_contains(&printed, "signatures were not checked");
    // A key may be given directly or in a file.
    std::fs::write(
        folder.join("server.txt"),
        format!("# the server\n{public}\n"),
    )
    .unwrap();
    for key in [public, "server.txt"] {
        let output = tabularium(folder, &["verify", "out.ndjson", "--key", key]);
        let printed = done(&output);
        assert_contains(&printed, &format!("6 signed by {id}"));
        let each = String::from_utf8(output.stdout).unwrap();
        assert_eq!(
            each.matches(&format!("signed by {id}")).count(),
            6,
            "{each}"
        );
    }
    // Unsigned records and unknown keys are reported and are no fault. A wrong signature is a fault.
    records[1].signature = None;
    records[2].signature.as_mut().unwrap().key = "0".repeat(16);
    write_records(folder, "mixed.ndjson", &records);
    let mixed = ["verify", "mixed.ndjson", "--key", public];
    let output = tabularium(folder, &mixed);
    let printed = done(&output);
    assert_contains(
        &printed,
        "1 unsigned, 1 signed by unknown keys, 0 wrongly signed",
    );
    let each = String::from_utf8(output.stdout).unwrap();
    assert!(
        each.contains(&format!("mixed.ndjson:2: {}: unsigned", records[1].id)),
        "{each}"
    );
    // With required signatures both are faults, and so are records with keys that are not given.
    let require = |arguments: &[&str]| {
        tabularium(
            folder,
            &[&["verify", "--require-signature"], arguments].concat(),
        )
    };
    done(&require(&["out.ndjson", "--key", public]));
    for number in [1, 2] {
        write_records(folder, "one.ndjson", &records[number..=number]);
        let printed = failed(&require(&["one.ndjson", "--key", public]), 1);
        assert_contains(
            &printed,
            "1 records are unsigned or signed with unknown keys",
        );
    }
    let printed = failed(&require(&["out.ndjson"]), 1);
    assert_contains(&printed, "--key");
    records[3].rated = true;
    write_records(folder, "mixed.ndjson", &records);
    let printed = failed(&tabularium(folder, &mixed), 1);
    assert_contains(&printed, "6 records verified, 0 damaged");
    let wrong = format!(
        "mixed.ndjson:4: {}: the signature of {id} is wrong",
        records[3].id
    );
    assert_contains(&printed, &wrong);
    // Values that are no keys.
    std::fs::write(folder.join("none.txt"), "secret\n").unwrap();
    for key in ["none.txt", "nowhere.txt", &public[1..]] {
        failed(
            &tabularium(folder, &["verify", "out.ndjson", "--key", key]),
            1,
        );
    }
}

#[test]
fn a_database_is_compared_with_its_signatures_and_checkpoints() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let fresh = Database::fresh();
    let database = fresh.url();
    let records = export(folder, &database);
    let checkpoint = ["checkpoint", "--key", "k", "--database", &database];
    let made = tabularium(folder, &checkpoint);
    done(&made);
    let made: records::Checkpoint = serde_json::from_slice(&made.stdout).unwrap();
    assert_eq!((made.number, made.games), (1, 6));
    let printed = done(&tabularium(folder, &checkpoint));
    assert_contains(&printed, "nothing was added");
    let verify = ["verify", "--database", &database];
    let printed = done(&tabularium(folder, &verify));
    assert_contains(&printed, "the log is that of its 1 checkpoints");
    assert_contains(&printed, "6 signed by ");
    // No replay can find this change: an attacker marks the game as rated.
    let id = &records[2].id;
    tamper(
        &database,
        &format!("UPDATE games SET rated = 1 WHERE id = '{id}'"),
    );
    let printed = failed(&tabularium(folder, &verify), 1);
    assert_contains(&printed, "6 records verified, 0 damaged");
    assert_contains(&printed, &format!("{id}: the signature of "));
    tamper(
        &database,
        &format!("UPDATE games SET rated = 0 WHERE id = '{id}'"),
    );
    // A game is deleted.
    for statement in [
        format!("DELETE FROM events WHERE game = (SELECT number FROM games WHERE id = '{id}')"),
        format!("DELETE FROM seats WHERE game_id = '{id}'"),
        format!("DELETE FROM games WHERE id = '{id}'"),
    ] {
        tamper(&database, &statement);
    }
    let printed = failed(&tabularium(folder, &verify), 1);
    assert_contains(&printed, "5 records verified, 0 damaged");
    assert_contains(&printed, "checkpoint 1 of ");
    assert_contains(&printed, "games were removed");
}

#[tokio::test]
async fn a_rotated_key_is_used_while_the_service_runs() {
    let server = TestServer::start();
    let before = read_record(&server, &finish_game(&server).await, "").await;
    let folder = tempfile::tempdir().unwrap();
    let key = server.database.key().display().to_string();
    let url = server.database.url();
    let rotated = tabularium(
        folder.path(),
        &["keys", "rotate", "--database", &url, "--key", &key],
    );
    done(&rotated);
    eventually("the old key is not retired", async || {
        server.games().note_due().unwrap();
        let keys = server.read("/v1/keys").await;
        keys["items"][0]["retired_at"].is_string().then_some(())
    })
    .await;
    let after = read_record(&server, &finish_game(&server).await, "").await;
    let by = |record: &Record| record.signature.as_ref().unwrap().key.clone();
    assert_ne!(by(&before), by(&after));
    let listed = server.read("/v1/keys").await;
    let ids: Vec<String> = (0..2).map(|at| text(&listed["items"][at]["id"])).collect();
    assert_eq!(ids, [by(&before), by(&after)]);
    assert!(listed["items"][0]["retired_at"].is_string());
    assert!(listed["items"][1]["retired_at"].is_null());
    let keys = keys(&server).await;
    for record in [&before, &after] {
        let said = record.check_signature(&keys).unwrap();
        assert_eq!(said, SignatureStatus::Valid(by(record)));
    }
}
