//! The transparency log: tiles, proofs, mirrors, and how rewritten histories are found.

use std::path::Path;
use std::process::Output;

use records::PublicKeys;
use records::tlog::{TreeBuilder, TreeHead, leaf_hash, node_hash, read_entries};
use serde_json::{Value, json};

use super::accounts::register;
use super::leagues::league;
use super::program::{done, failed, tabularium};
use super::signatures::{finish_game, python, write_lines};
use super::support::{PATIENCE, TestServer, assert_contains, send, text};

/// Returns the keys of a server, and writes them to a folder.
async fn keys(server: &TestServer, folder: &Path) -> PublicKeys {
    let keys = server.get("/v1/keys").await.text;
    std::fs::write(folder.join("keys.json"), &keys).unwrap();
    keys.parse().unwrap()
}

async fn head(server: &TestServer, keys: &PublicKeys) -> TreeHead {
    let note = server.get("/tlog/checkpoint").await;
    assert_eq!(note.status, 200, "{}", note.text);
    TreeHead::verify(&note.text, keys).unwrap()
}

async fn bytes(server: &TestServer, path: &str) -> Vec<u8> {
    let url = format!("{}/tlog/tile/{path}", server.address);
    let answer = reqwest::get(url).await.unwrap();
    assert_eq!(answer.status(), 200, "{path}");
    assert_eq!(answer.headers()["content-type"], "application/octet-stream");
    assert!(
        answer.headers()["cache-control"]
            .to_str()
            .unwrap()
            .contains("immutable")
    );
    answer.bytes().await.unwrap().to_vec()
}

#[tokio::test]
async fn the_log_is_published_in_tiles() {
    let server = TestServer::start();
    let folder = tempfile::tempdir().unwrap();
    let keys = keys(&server, folder.path()).await;
    assert_eq!(head(&server, &keys).await.size, 0);
    server.get("/tlog/tile/0/000").await.not_found();
    let (_, token) = register(&server, "dido").await;
    // Each event of a league is signed, so it is a leaf.
    while head(&server, &keys).await.size < 258 {
        let path = league(&server, &token, json!({})).await;
        for number in 0..50 {
            let member = json!({"placeholder": format!("Hanno {number}")});
            server
                .create(&format!("{path}/members"), &token, member)
                .await;
        }
    }
    let head = head(&server, &keys).await;
    let rest = head.size - 256;
    let full = bytes(&server, "0/000").await;
    let partial = bytes(&server, &format!("0/001.p/{rest}")).await;
    let above = bytes(&server, "1/000.p/1").await;
    assert_eq!(
        (full.len(), partial.len() as u64, above.len()),
        (8192, 32 * rest, 32)
    );
    assert_eq!(bytes(&server, "0/000.p/7").await, full[..7 * 32]);
    let mut level: Vec<[u8; 32]> = full
        .chunks(32)
        .map(|hash| hash.try_into().unwrap())
        .collect();
    let mut builder = TreeBuilder::default();
    level.iter().for_each(|hash| builder.push(*hash));
    while level.len() > 1 {
        level = level
            .chunks(2)
            .map(|pair| node_hash(&pair[0], &pair[1]))
            .collect();
    }
    assert_eq!(level.concat(), above);
    let bundle = [
        bytes(&server, "entries/000").await,
        bytes(&server, &format!("entries/001.p/{rest}")).await,
    ]
    .concat();
    let entries = read_entries(&bundle).unwrap();
    let hashes: Vec<[u8; 32]> = entries.iter().map(|leaf| leaf_hash(leaf)).collect();
    assert_eq!(hashes.concat(), [full, partial].concat());
    hashes[256..].iter().for_each(|hash| builder.push(*hash));
    assert_eq!((builder.size(), builder.root()), (head.size, head.root));
    for wrong in [
        "0/0",
        "00/000",
        "0/001",
        "0/002",
        "1/000",
        "64/000",
        "x/000",
        "0/000.p/0",
        "0/x000/000",
        "entries/001",
        "entries/000/",
        "2/000.p/1",
    ] {
        server.get(&format!("/tlog/tile/{wrong}")).await.not_found();
    }
    assert_eq!(server.faults(&keys), Vec::<String>::new());
    let copied = mirror(folder.path(), &server.address, &[]);
    assert_contains(
        &done(&copied),
        &format!("{} leaves of the log tabularium/", head.size),
    );
    for statement in [
        format!("UPDATE tlog_hashes SET hash = '{}'", "0".repeat(64)),
        "DELETE FROM tlog_hashes".to_owned(),
    ] {
        server.database.execute(&statement);
        let faults = server.faults(&keys).join("\n");
        assert_contains(&faults, "hash 0 of level 1 does not follow from the leaves");
    }
}

/// Runs `verify --mirror`.
fn mirror(folder: &Path, server: &str, keys: &[&str]) -> Output {
    let arguments = ["verify", "--mirror", "copy", "--server", server];
    tabularium(folder, &[&arguments, keys].concat())
}

#[tokio::test]
async fn records_are_proven_without_the_server() {
    let mut server = TestServer::start();
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    keys(&server, folder).await;
    let mut paths = Vec::new();
    for _ in 0..3 {
        paths.push(finish_game(&server).await);
    }
    let (running, ..) = server.game_of_people().await;
    server.get(&format!("{running}/proof")).await.not_found();
    let (mut records, mut proofs) = (Vec::new(), Vec::new());
    for path in &paths {
        records.push(server.read(&format!("{path}/record")).await);
        proofs.push(server.read(&format!("{path}/proof")).await);
    }
    let tag = server.get(&format!("{}/proof", paths[0])).await;
    let again = server.request(reqwest::Method::GET, &format!("{}/proof", paths[0]));
    let again = send(again.header("If-None-Match", tag.header("etag"))).await;
    assert_eq!(again.status, 304);
    let note = server.get("/tlog/checkpoint").await.text;
    std::fs::write(folder.join("checkpoint.txt"), note).unwrap();
    server.stop();
    let check = |records: &[Value], proofs: &[Value]| {
        write_lines(folder, "records.ndjson", records);
        write_lines(folder, "proofs.ndjson", proofs);
        let given = [
            "records.ndjson",
            "--key",
            "keys.json",
            "--proofs",
            "proofs.ndjson",
        ];
        let kept = ["--log-checkpoint", "checkpoint.txt"];
        let own = tabularium(folder, &[&["verify"], &given[..], &kept].concat());
        let other = python(
            folder,
            &["keys.json", "records.ndjson", "--proofs", "proofs.ndjson"],
        );
        (own, other)
    };
    let (own, other) = check(&records, &proofs);
    assert_contains(
        &done(&own),
        "3 records are proven to be in the log, 0 are not",
    );
    assert!(other.status.success(), "{other:?}");
    // Another game's proof, and proofs that were changed.
    type Forgery = fn(&mut Vec<Value>);
    let forgeries: &[Forgery] = &[
        |proofs| drop(proofs.pop()),
        |proofs| proofs[1]["index"] = json!(0),
        |proofs| proofs[1]["hashes"] = json!([]),
        |proofs| proofs[1]["leaf"] = proofs[0]["leaf"].clone(),
        |proofs| {
            let note = proofs[1]["checkpoint"].as_str().unwrap();
            proofs[1]["checkpoint"] = json!(
                note.replacen("\n3\n", "\n4\n", 1)
                    .replacen("\n2\n", "\n4\n", 1)
            );
        },
        |proofs| {
            let id = proofs[0]["game"].clone();
            proofs[1]["game"] = id;
        },
    ];
    for (number, forge) in forgeries.iter().enumerate() {
        let mut forged = proofs.clone();
        forge(&mut forged);
        let (own, other) = check(&records, &forged);
        assert_eq!(own.status.code(), Some(1), "forgery {number}: {own:?}");
        assert_eq!(other.status.code(), Some(1), "forgery {number}: {other:?}");
    }
    // The operator signs another record of the same game: no leaf is about it.
    let mut forged: records::Record = serde_json::from_value(records[0].clone()).unwrap();
    forged.rated = !forged.rated;
    let seed = std::fs::read_to_string(server.database.key()).unwrap();
    let seed: [u8; 32] = hex_bytes(seed.trim());
    let key = records::SecretKey::from_seed(&seed);
    let signature = forged.signature.clone().unwrap();
    forged.signature = Some(forged.sign(&key, signature.seq, &signature.hash).unwrap());
    let forged = serde_json::to_value(&forged).unwrap();
    let (own, other) = check(&[forged], &proofs);
    assert_contains(&failed(&own, 1), "the leaf is not that of this record");
    assert_contains(
        &String::from_utf8_lossy(&other.stderr),
        "the leaf is not that of this record",
    );
}

fn hex_bytes(text: &str) -> [u8; 32] {
    let byte = |at: usize| u8::from_str_radix(&text[2 * at..2 * at + 2], 16).unwrap();
    std::array::from_fn(byte)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_mirror_finds_every_rewritten_history() {
    let server = TestServer::start();
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    keys(&server, folder).await;
    let update = || {
        let own = mirror(folder, &server.address, &[]);
        let other = python(
            folder,
            &["keys.json", "second", "--mirror", &server.address],
        );
        assert_eq!(
            own.status.success(),
            other.status.success(),
            "{own:?}\n{other:?}"
        );
        own
    };
    for _ in 0..2 {
        finish_game(&server).await;
    }
    done(&update());
    server
        .services()
        .signing
        .make_checkpoint()
        .unwrap()
        .unwrap();
    finish_game(&server).await;
    assert_contains(&done(&update()), "4 leaves of the log");
    assert_contains(&done(&update()), "0 of them new");
    // Otherwise this work may store a head of the history that a forgery replaces.
    let games = &server.services().games;
    games.stop();
    assert!((games.supervisor()).ended(PATIENCE, |name| name == "scheduled work"));
    server
        .database
        .execute("CREATE TABLE kept AS SELECT * FROM tlog_leaves");
    let swap = "UPDATE tlog_leaves SET leaf_index = 9 WHERE leaf_index = 0; \
                UPDATE tlog_leaves SET leaf_index = 0 WHERE leaf_index = 1; \
                UPDATE tlog_leaves SET leaf_index = 1 WHERE leaf_index = 9";
    let drop_one = "DELETE FROM tlog_leaves WHERE leaf_index = 1; \
                    UPDATE tlog_leaves SET leaf_index = leaf_index - 1 WHERE leaf_index = 2; \
                    UPDATE tlog_leaves SET leaf_index = leaf_index - 1 WHERE leaf_index = 3";
    let change =
        "UPDATE tlog_leaves SET leaf = replace(leaf, 'seq ', 'seq 9') WHERE leaf_index = 1";
    for (forgery, games, message) in [
        (change, 0, "split view: two signed checkpoints"),
        (swap, 0, "split view: two signed checkpoints"),
        (drop_one, 0, "the log has 3 leaves, and had 4"),
        (drop_one, 1, "split view: two signed checkpoints"),
        (drop_one, 2, "split view: the copied leaves"),
        (change, 1, "split view: the copied leaves"),
    ] {
        // The operator has the key, and signs the other history.
        server
            .database
            .execute(&format!("{forgery}; DELETE FROM tlog_head"));
        for _ in 0..games {
            finish_game(&server).await;
        }
        let output = failed(&update(), 1);
        assert_contains(&output, message);
        assert_contains(&output, "checkpoint.refused");
        server.database.execute(
            "DELETE FROM tlog_leaves; INSERT INTO tlog_leaves SELECT * FROM kept; DELETE FROM tlog_head",
        );
    }
    done(&update());
    let other = TestServer::start();
    finish_game(&other).await;
    let output = failed(&mirror(folder, &other.address, &["--key", "keys.json"]), 1);
    assert_contains(&output, "no known key has signed the checkpoint");
    // A second record of one game is reported.
    let second = "INSERT INTO tlog_leaves SELECT 4, kind, subject, replace(leaf, 'hash ', 'hash 0'), added_at \
                  FROM kept WHERE leaf_index = 0; DELETE FROM tlog_head";
    server.database.execute(second);
    let output = failed(&mirror(folder, &server.address, &[]), 1);
    assert_contains(&output, "leaf 4 is a second statement about the same game");
}

#[tokio::test]
async fn an_audit_compares_the_log_with_the_signatures_and_with_kept_checkpoints() {
    let mut server = TestServer::start();
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let keys = keys(&server, folder).await;
    let game = finish_game(&server).await;
    finish_game(&server).await;
    let (_, token) = register(&server, "dido").await;
    league(&server, &token, json!({})).await;
    server
        .services()
        .signing
        .make_checkpoint()
        .unwrap()
        .unwrap();
    let note = server.get("/tlog/checkpoint").await.text;
    std::fs::write(folder.join("log.txt"), &note).unwrap();
    assert_eq!(server.faults(&keys), Vec::<String>::new());
    let id = game.rsplit('/').next().unwrap().to_owned();
    // A leaf names no game, not even a public one.
    let size = head(&server, &keys).await.size;
    let entries = bytes(&server, &format!("entries/000.p/{size}")).await;
    let entries = String::from_utf8_lossy(&entries).into_owned();
    assert!(
        entries.contains("kind game") && !entries.contains(&id),
        "{entries}"
    );
    server.stop();
    let url = server.database.url();
    let verify = |given: &[&str]| {
        let database = ["verify", "--database", &url, "--key", "keys.json"];
        tabularium(folder, &[&database, given].concat())
    };
    let kept = ["--log-checkpoint", "log.txt"];
    assert_contains(
        &done(&verify(&kept)),
        &format!("{size} leaves of the transparency log"),
    );
    assert_contains(&done(&verify(&[])), "unprotected: the transparency log");
    server.database.execute(
        "CREATE TABLE kept AS SELECT * FROM tlog_leaves; CREATE TABLE kept_head AS SELECT * FROM tlog_head",
    );
    let last = size - 1;
    let league_leaf = "(SELECT max(leaf_index) FROM tlog_leaves WHERE kind = 'league')";
    for (forgery, message) in [
        (
            "UPDATE tlog_leaves SET leaf = replace(leaf, 'seq ', 'seq 9') WHERE leaf_index = 0"
                .to_owned(),
            "not in the transparency log",
        ),
        (
            "UPDATE tlog_leaves SET subject = 'another' WHERE leaf_index = 0".to_owned(),
            "games that do not exist",
        ),
        (
            "UPDATE tlog_leaves SET kind = 'league' WHERE leaf_index = 0".to_owned(),
            "leaf 0 is not about the league",
        ),
        (
            "DELETE FROM tlog_leaves WHERE leaf_index = 1".to_owned(),
            "leaf 1 is missing",
        ),
        (
            format!("DELETE FROM tlog_leaves WHERE leaf_index = {last}"),
            "leaves were removed",
        ),
        (
            format!("UPDATE tlog_leaves SET leaf = leaf || 'x' WHERE leaf_index = {league_leaf}"),
            "its last signature is not in the transparency log",
        ),
        (
            "DELETE FROM tlog_leaves; DELETE FROM tlog_head".to_owned(),
            "its signature is not in the transparency log",
        ),
        (
            "INSERT INTO tlog_hashes VALUES (1, 0, '00')".to_owned(),
            "it has 1 hashes of tiles, and 0 follow",
        ),
    ] {
        server.database.execute(&forgery);
        let output = failed(&verify(&kept), 1);
        assert!(output.contains(message), "{forgery}\n{message}\n{output}");
        server.database.execute(
            "DELETE FROM tlog_leaves; INSERT INTO tlog_leaves SELECT * FROM kept; DELETE FROM tlog_head; \
             INSERT INTO tlog_head SELECT * FROM kept_head; DELETE FROM tlog_hashes",
        );
    }
    // A person with the key rewrites leaves and head; only the checkpoint that others keep shows it.
    let swap = "UPDATE tlog_leaves SET leaf_index = 99 WHERE leaf_index = 0; \
                UPDATE tlog_leaves SET leaf_index = 0 WHERE leaf_index = 1; \
                UPDATE tlog_leaves SET leaf_index = 1 WHERE leaf_index = 99; DELETE FROM tlog_head";
    server.database.execute(swap);
    done(&verify(&[]));
    assert_contains(
        &failed(&verify(&kept), 1),
        "leaves were changed, reordered or removed",
    );
    // Nor is a checkpoint of another key or another log accepted.
    std::fs::write(
        folder.join("log.txt"),
        note.replace("tabularium/", "tabularia/"),
    )
    .unwrap();
    assert_contains(
        &failed(&verify(&kept), 1),
        "no known key has signed the checkpoint of tabularia/",
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn two_nodes_append_to_one_log_and_publish_the_same() {
    let one = TestServer::start();
    let folder = tempfile::tempdir().unwrap();
    let two = TestServer::beside(&one, folder.path().join("two.key"));
    let keys = keys(&one, folder.path()).await;
    let play = async |server: &TestServer| {
        for _ in 0..4 {
            finish_game(server).await;
        }
    };
    tokio::join!(play(&one), play(&two));
    assert_eq!(one.faults(&keys), Vec::<String>::new());
    let newest = head(&one, &keys).await;
    assert_eq!(newest.size, 8);
    // The second node has another key, and publishes what the first one has signed.
    one.games().note_due().unwrap();
    assert_eq!(head(&two, &keys).await, newest);
    // Their keys have the same name in the log.
    let listed = two.read("/v1/keys").await;
    for key in listed["items"].as_array().unwrap() {
        let verifier = text(&key["verifier_key"]);
        assert!(
            verifier.starts_with(&format!("{}+", newest.origin)),
            "{verifier}"
        );
    }
    let output = mirror(folder.path(), &two.address, &["--key", "keys.json"]);
    assert_contains(&done(&output), "8 leaves of the log");
}
