//! Data derived from the log: every writer updates them, and they can be rebuilt.

use std::fs;

use records::Record;
use serde_json::{Value, json};

use super::program::{done, failed, tabularium};
use super::ratings::{LADDER, corpus, counted};
use super::support::{TestServer, tamper};

fn lines(records: &[Record]) -> String {
    let line = |record: &Record| serde_json::to_string(record).unwrap() + "\n";
    records.iter().map(line).collect()
}

/// Waits until lists, ratings and facts have exactly this number of games of four accounts.
async fn wait_until_applied(server: &TestServer, games: u64) {
    counted(server, "account", 4 * games).await;
    let all = |count: &Value| count["count"] == json!(games);
    server.wait_for("/v1/games/count?max_rounds=100", all).await;
    let facts = |body: &Value| body["games"] == json!(games);
    server.wait_for("/v1/stats/nations?reason=any", facts).await;
    assert_eq!(faults(server), Vec::<String>::new());
}

fn faults(server: &TestServer) -> Vec<String> {
    server.faults(&server.services().signing.public_keys().unwrap())
}

#[tokio::test(flavor = "multi_thread")]
async fn concurrent_writes_of_processes_are_applied_once() {
    let one = TestServer::start();
    let mut two = one.another();
    let records = corpus(&LADDER, 12, 2);
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("games.ndjson");
    fs::write(&file, lines(&records[..6])).unwrap();
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let (url, file) = (one.database.url(), file.display().to_string());
            let key = one.database.key().display().to_string();
            done(&tabularium(
                folder.path(),
                &["import", &file, "--database", &url, "--key", &key],
            ));
        });
        for (node, part) in [&one, &two].into_iter().zip(records[6..].chunks(3)) {
            scope.spawn(move || {
                for record in part {
                    node.imports().import(record).unwrap();
                }
            });
        }
    });
    wait_until_applied(&one, 12).await;
    wait_until_applied(&two, 12).await;
    two.stop();
    let url = one.database.url();
    // A rebuild beside a server gives the same result, and repairs changed rows.
    tamper(&url, "UPDATE games SET rounds = rounds + 1");
    tamper(&url, "UPDATE game_players SET nation = 'rome', won = 1");
    tamper(&url, "UPDATE ratings SET rating = rating + 1");
    assert_ne!(faults(&one), Vec::<String>::new());
    for name in ["lists", "ratings"] {
        let output = done(&tabularium(
            folder.path(),
            &["rebuild", name, "--database", &url],
        ));
        assert!(output.contains(&format!("{name}: rebuilt in ")), "{output}");
    }
    wait_until_applied(&one, 12).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn facts_are_rebuilt_only_while_no_server_uses_them() {
    let mut server = TestServer::start();
    for record in &corpus(&LADDER, 2, 2) {
        server.imports().import(record).unwrap();
    }
    wait_until_applied(&server, 2).await;
    let url = server.database.url();
    let facts = server.database.facts().display().to_string();
    let folder = tempfile::tempdir().unwrap();
    let rebuild = ["rebuild", "facts", "--database", &url, "--facts", &facts];
    let output = failed(&tabularium(folder.path(), &rebuild), 1);
    assert!(output.contains("stop it first"), "{output}");
    server.stop();
    done(&tabularium(folder.path(), &rebuild));
    let manifest = fs::read_to_string(server.database.facts().join("manifest.json")).unwrap();
    let manifest: Value = serde_json::from_str(&manifest).unwrap();
    assert_eq!(
        manifest["parts"][0]["version"]["games"],
        json!(2),
        "{manifest}"
    );
    wait_until_applied(&server.restart(), 2).await;
}

#[test]
fn the_command_lists_what_it_can_rebuild() {
    let folder = tempfile::tempdir().unwrap();
    let message = failed(&tabularium(folder.path(), &["rebuild", "webhooks"]), 2);
    let choices = "[possible values: ratings, lists, facts]";
    assert!(message.contains(choices), "{message}");
}
