//! Backups, their restoration, and the drill of the documentation.

use std::path::Path;
use std::process::Command;

use api::http::limits::options::Limits;

use super::accounts::register;
use super::program::{done, failed, simulate, tabularium};
use super::support::{Database, TestServer, assert_contains, eventually};
use crate::faults::support::{Database as FaultyDatabase, Program, wait_until};

/// Returns the names of the complete backups in a folder.
fn backups(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).into_iter().flatten();
    let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let mut names: Vec<String> = names.filter(|name| name.ends_with(".json")).collect();
    names.sort();
    names
}

/// Returns a database to which a backup of another can be restored.
fn target(folder: &Path, fresh: &Database) -> String {
    match fresh.url() {
        url if url.starts_with("sqlite:") => {
            format!("sqlite:{}", folder.join("restored.db").display())
        }
        url => url,
    }
}

#[tokio::test]
async fn a_backup_is_restored_with_everything() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    simulate(folder, "games.ndjson");
    let server = TestServer::start();
    let database = server.database.url();
    let key = server.database.key().display().to_string();
    let import = [
        "import",
        "games.ndjson",
        "--database",
        &database,
        "--key",
        &key,
    ];
    done(&tabularium(folder, &import));
    let (_, token) = register(&server, "archon").await;
    server.game_with_bots().await;
    // The server runs meanwhile.
    let backup = [
        "backup",
        "--to",
        "copy",
        "--with-key",
        "--database",
        &database,
        "--key",
        &key,
    ];
    let printed = done(&tabularium(folder, &backup));
    assert_contains(&printed, "7 games, 1 accounts");
    assert_contains(&printed, "keep the backup secret");
    let printed = failed(&tabularium(folder, &backup), 1);
    assert_contains(&printed, "exists");

    let fresh = Database::fresh();
    let to = target(folder, &fresh);
    let restore = ["restore", "--from", "copy", "--to", &to, "--key", "new.key"];
    let printed = done(&tabularium(folder, &restore));
    assert_contains(&printed, "6 records verified, 0 damaged");
    assert_contains(&printed, "restored 7 games, 1 accounts and 0 leagues");
    assert_contains(&printed, "missing: the facts of statistics");
    let same = std::fs::read(&key).unwrap();
    assert_eq!(std::fs::read(folder.join("new.key")).unwrap(), same);
    let export = |database: &str, out: &str| {
        let export = [
            "export",
            "--all",
            "--events",
            "--database",
            database,
            "--out",
            out,
        ];
        done(&tabularium(folder, &export));
        std::fs::read_to_string(folder.join(out)).unwrap()
    };
    assert_eq!(export(&to, "new.ndjson"), export(&database, "old.ndjson"));
    // Nothing is overwritten.
    let printed = failed(&tabularium(folder, &restore), 1);
    assert_contains(&printed, "nothing is overwritten");

    // The restored server knows its accounts.
    drop(server);
    let restored = Database::Shared {
        url: to,
        key: folder.join("new.key"),
    };
    let restored = TestServer::on(restored, Limits::unmetered(), None);
    let me = restored.get_with("/v1/me", &token).await;
    me.ok(200);
    assert_contains(&me.text, "archon");
}

#[test]
fn a_damaged_or_incomplete_backup_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    simulate(folder, "games.ndjson");
    done(&tabularium(folder, &["import", "games.ndjson"]));
    done(&tabularium(folder, &["backup", "--to", "copy.db"]));
    let restore = |more: &[&str]| {
        let restore = ["restore", "--from", "copy.db", "--to", "sqlite:new.db"];
        tabularium(folder, &[&restore[..], more].concat())
    };
    // The key of another server is in the way, but the backup has none.
    let printed = done(&restore(&[]));
    assert_contains(&printed, "missing: the signing key");
    assert_contains(
        &printed,
        "Copy its file to new.db.key before the first start",
    );
    std::fs::remove_file(folder.join("new.db")).unwrap();
    // One byte of the copy differs.
    let copy = folder.join("copy.db");
    let whole = std::fs::read(&copy).unwrap();
    let mut changed = whole.clone();
    let last = changed.len() - 1;
    changed[last] ^= 1;
    std::fs::write(&copy, changed).unwrap();
    assert_contains(&failed(&restore(&[]), 1), "its checksum differs");
    std::fs::write(&copy, whole).unwrap();

    // A game was altered before the backup was made: the copy is as it was, and the verification fails.
    super::support::tamper(
        &format!("sqlite:{}", folder.join("tabularium.db").display()),
        "UPDATE events SET notation = notation || 'x' WHERE seq = 9",
    );
    done(&tabularium(folder, &["backup", "--to", "altered.db"]));
    let restore = ["restore", "--from", "altered.db", "--to", "sqlite:new.db"];
    let printed = failed(&tabularium(folder, &restore), 1);
    assert_contains(&printed, "the backup is damaged, so it was not restored");
    assert!(!folder.join("new.db").exists());
    let accept = [&restore[..], &["--accept-damage"]].concat();
    let printed = done(&tabularium(folder, &accept));
    assert_contains(&printed, "restored in spite of damage");
    assert!(folder.join("new.db").exists());

    std::fs::remove_file(folder.join("copy.db.json")).unwrap();
    let restore = ["restore", "--from", "copy.db", "--to", "sqlite:other.db"];
    let printed = failed(&tabularium(folder, &restore), 1);
    assert_contains(&printed, "has no manifest");
    let other = [
        "restore",
        "--from",
        "altered.db",
        "--to",
        "postgres://localhost/x",
    ];
    let printed = failed(&tabularium(folder, &other), 1);
    assert_contains(&printed, "give --to sqlite:FILE");
}

#[tokio::test(flavor = "multi_thread")]
async fn one_of_two_nodes_makes_each_scheduled_backup() {
    let database = FaultyDatabase::sqlite();
    let folder = database.folder().join("backups");
    let shown = folder.display().to_string();
    let options = ["--backup-folder", &shown, "--backup-with-key"];
    let serve = || Program::serve_as(&database, "127.0.0.1:0", "", &options);
    let nodes = [serve(), serve()];
    let made = wait_until(async || !backups(&folder).is_empty()).await;
    assert!(made.is_some(), "{}", nodes[0].read_log());
    // Both nodes go on to work.
    for node in &nodes {
        assert!(
            wait_until(async || node.client().is_ready().await)
                .await
                .is_some()
        );
    }
    assert_eq!(backups(&folder).len(), 1);
    let metrics = nodes.iter().map(|node| node.client());
    let mut nodes_with_backup = 0;
    for client in metrics {
        let metrics = client.get("/metrics").await.text;
        nodes_with_backup += usize::from(metrics.contains("tabularium_backup_time_seconds"));
    }
    assert_eq!(nodes_with_backup, 1);
    let restored = format!("sqlite:{}", folder.join("restored.db").display());
    let restore = ["restore", "--from", &shown, "--to", &restored];
    let printed = done(&tabularium(&folder, &restore));
    assert_contains(&printed, "the signing key");
    assert!(folder.join("restored.db.key").exists());
}

#[tokio::test]
async fn a_server_makes_its_first_backup_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let backup_folder = folder.path().join("backups");
    let _server = TestServer::with_config(api::server::Config {
        backups: api::BackupOptions {
            backup_folder: Some(backup_folder.clone()),
            ..api::BackupOptions::default()
        },
        ..api::server::Config::default()
    });
    eventually("no backup is made", async || {
        (backups(&backup_folder).len() == 1).then_some(())
    })
    .await;
}

/// Runs every command of the drill in `api/docs/backups.md`, as the page has it.
#[test]
fn the_drill_of_the_documentation_works() {
    let page = include_str!("../../api/docs/backups.md");
    let (_, drill) = page.split_once("## A drill\n").unwrap();
    let commands: Vec<&str> = drill
        .split("```sh not-run\n")
        .skip(1)
        .map(|block| block.split("```").next().unwrap())
        .collect();
    assert_eq!(commands.len(), 4);
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    simulate(folder, "games.ndjson");
    let program = Path::new(env!("CARGO_BIN_EXE_tabularium"));
    let path = format!(
        "{}:{}",
        program.parent().unwrap().display(),
        std::env::var("PATH").unwrap()
    );
    let run = |script: &str| {
        let output = Command::new("sh")
            .args(["-e", "-c", script])
            .current_dir(folder)
            .env("PATH", &path)
            .env_remove("DATABASE_URL")
            .output()
            .unwrap();
        let printed = [&output.stdout[..], &output.stderr[..]].concat();
        let printed = String::from_utf8_lossy(&printed).into_owned();
        assert!(output.status.success(), "{script}: {printed}");
        printed
    };
    let key = |name: &str| std::fs::read_to_string(folder.join(name)).unwrap();
    run(commands[0]);
    assert!(!folder.join("server.db").exists());
    let printed = run(commands[1]);
    assert_contains(&printed, "missing: the signing key");
    assert_contains(&printed, "6 records verified, 0 damaged");
    assert_eq!(key("server.db.key"), key("key-in-the-safe"));
    let printed = run(commands[2]);
    assert_ne!(key("server.db.key"), key("key-in-the-safe"));
    assert_eq!(printed.matches(", signs").count(), 2, "{printed}");
    assert_contains(&printed, "6 records verified, 0 damaged");
    run(commands[3]);
    assert!(
        folder
            .join("server.db.facts")
            .join("manifest.json")
            .exists()
    );
}
