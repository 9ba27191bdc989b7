//! `tabularium doctor` on healthy and on damaged databases and servers.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use api::db::clock::Clock;
use api::server::Config;
use jiff::SignedDuration;
use serde_json::Value;

use super::program::{done, simulate, tabularium};
use super::support::{TestServer, array, eventually, tamper, text};
use crate::faults::support::{Database as FaultyDatabase, Program, wait_until};

const BACKUPS: [&str; 2] = ["--backup-folder", "backups"];

const SEVERITIES: [&str; 3] = ["healthy", "warning", "damaged"];

/// Returns the worst severity as exit code and the report, both without the disk of this machine.
fn examine(folder: &Path, options: &[&str]) -> (usize, Value) {
    let output = tabularium(folder, &[&["doctor", "--json"], options].concat());
    let report = serde_json::from_slice(&output.stdout);
    let mut report: Value = report
        .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&output.stderr)));
    let worst = |report: &Value| {
        let code = |severity: &Value| SEVERITIES.iter().position(|one| severity == one).unwrap();
        let checks = array(&report["checks"]).iter();
        checks.map(|check| code(&check["severity"])).max().unwrap()
    };
    let code = worst(&report);
    assert_eq!(output.status.code(), Some(code as i32), "{report:#}");
    assert_eq!(report["severity"], SEVERITIES[code]);
    let checks = report["checks"].as_array_mut().unwrap();
    checks.retain(|check| check["subject"] != "disk");
    (worst(&report), report)
}

/// Returns the details of the findings with a severity.
fn details(report: &Value, severity: &str) -> Vec<String> {
    array(&report["checks"])
        .iter()
        .filter(|check| check["severity"] == severity)
        .map(|check| format!("{}: {}", text(&check["subject"]), text(&check["detail"])))
        .collect()
}

/// Creates a database with games and a backup of it.
fn healthy(folder: &Path) {
    simulate(folder, "games.ndjson");
    done(&tabularium(folder, &["import", "games.ndjson"]));
    std::fs::create_dir(folder.join("backups")).unwrap();
    done(&tabularium(folder, &["backup", "--to", "backups"]));
}

#[test]
fn a_healthy_database_is_healthy_and_each_damage_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    healthy(folder);
    let (code, report) = examine(folder, &BACKUPS);
    assert_eq!(code, 0, "{report:#}");
    let page = tabularium(folder, &[&["doctor"], &BACKUPS[..]].concat());
    let page = String::from_utf8(page.stdout).unwrap();
    assert!(
        page.lines().count() < 40 && page.contains("\nok       backup "),
        "{page}"
    );

    let file = folder.join("tabularium.db");
    let saved = folder.join("saved.db");
    std::fs::copy(&file, &saved).unwrap();
    let hour = 3_600_000_000_i64;
    let now = jiff::Timestamp::now().as_microsecond();
    let later = now + hour;
    let node = |seen: i64, jumped: i64| {
        format!("INSERT INTO nodes VALUES ('one', '0.1.0', 0, {seen}, {jumped})")
    };
    let work =
        "INSERT INTO work VALUES ('sign', 'some-game', 0, NULL, 0, 5, 'no such game', 1, NULL)";
    for (statements, code, words) in [
        (
            "UPDATE program SET version = '99.0.0'".to_owned(),
            2,
            "schema: the database was used by a newer version of this program, 99.0.0",
        ),
        (
            "DELETE FROM __diesel_schema_migrations".to_owned(),
            1,
            "schema: the database has an older schema",
        ),
        (
            format!("UPDATE games SET recorded_at = {later}, updated_at = {later}"),
            2,
            "behind the last write to the database",
        ),
        (node(later, 0), 2, "nodes: the clock of the node one is 3"),
        (node(0, 0), 1, "nodes: the node one was last seen"),
        (
            node(now, hour),
            1,
            "nodes: the clock of the node one was set 3600 seconds ahead",
        ),
        (
            work.to_owned(),
            1,
            "work: sign of some-game failed 5 times and is set aside for a day: no such game",
        ),
        ("UPDATE keys SET retired_at = 1".to_owned(), 2, "is retired"),
        ("DELETE FROM keys".to_owned(), 1, "has never signed here"),
        (
            "UPDATE games SET signature = NULL".to_owned(),
            1,
            "log: 6 finished games are not signed",
        ),
    ] {
        let database = format!("sqlite:{}", file.display());
        tamper(&database, &statements);
        let (worst, report) = examine(folder, &BACKUPS);
        let found = [details(&report, "warning"), details(&report, "damaged")].concat();
        assert!(
            found.iter().any(|detail| detail.contains(words)),
            "{statements}: {found:#?}"
        );
        assert_eq!(worst, code, "{statements}: {found:#?}");
        for end in ["", "-wal", "-shm"] {
            let _ = std::fs::remove_file(folder.join(format!("tabularium.db{end}")));
        }
        std::fs::copy(&saved, &file).unwrap();
    }
}

#[test]
fn damaged_and_open_files_are_found() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    healthy(folder);
    let file = folder.join("tabularium.db");
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o644)).unwrap();
    let (code, report) = examine(folder, &BACKUPS);
    assert_eq!(code, 1);
    assert!(
        details(&report, "warning")[0].contains("(mode 0644)"),
        "{report:#}"
    );
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o600)).unwrap();
    // Without the folder of backups, none are configured.
    let (code, report) = examine(folder, &[]);
    assert_eq!(code, 1);
    assert_eq!(
        details(&report, "warning"),
        ["backup: no scheduled backups are configured"]
    );
    let (code, report) = examine(folder, &["--unmetered", "--backup-folder", "backups"]);
    assert_eq!(code, 1);
    assert!(details(&report, "warning")[0].contains("(unmetered)"));
    // The file is overwritten in its middle.
    let mut bytes = std::fs::read(&file).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle..middle + 20_000].fill(0xff);
    std::fs::write(&file, bytes).unwrap();
    let (code, report) = examine(folder, &BACKUPS);
    assert_eq!(code, 2, "{report:#}");
    let (code, report) = examine(folder, &["--database", "sqlite:nowhere.db"]);
    assert_eq!(code, 2);
    assert!(details(&report, "damaged")[0].contains("does not exist"));
    assert!(!folder.join("nowhere.db").exists());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_running_server_is_examined() {
    let folder = tempfile::tempdir().unwrap();
    let database = FaultyDatabase::sqlite();
    let program = Program::serve(&database);
    let address = format!("http://{}", program.socket());
    let (code, report) = examine(folder.path(), &["--server", &address]);
    assert_eq!(code, 0, "{report:#}");
    let healthy = details(&report, "healthy");
    assert!(
        healthy
            .iter()
            .any(|one| one.starts_with("ready: reads, writes")),
        "{healthy:?}"
    );
    drop(program);
    let (code, report) = examine(folder.path(), &["--server", &address]);
    assert_eq!(code, 2);
    assert!(details(&report, "damaged")[0].starts_with("server: does not answer"));
}

/// The clocks of two processes on one file differ by an hour. Neither is known to be right, so both stay ready.
#[tokio::test]
async fn an_hour_between_the_clocks_of_two_nodes_is_noticed() {
    let clock = Clock::default();
    clock.set_ahead(SignedDuration::from_hours(1));
    let wrong = TestServer::with_clock(&clock);
    // Its first heartbeat is written.
    eventually("no heartbeat", async || {
        let nodes = "SELECT count(*) AS n FROM nodes";
        (wrong.database.number(nodes) == 1).then_some(())
    })
    .await;
    let right = wrong.another_with_config(Config::default());
    let ready = eventually("the difference is not noticed", async || {
        let ready = right.read("/readyz").await;
        (ready["checks"]["clock"]["ok"] == false).then_some(ready)
    })
    .await;
    let detail = text(&ready["checks"]["clock"]["detail"]);
    assert!(detail.contains("seconds ahead of this one's"), "{detail}");
    assert_eq!(ready["status"], "ok");
}

/// PostgreSQL accepts no writes, as after the loss of its primary.
#[tokio::test(flavor = "multi_thread")]
async fn a_read_only_database_is_not_ready_and_heals() {
    use diesel::Connection;
    use diesel::connection::SimpleConnection;
    let database = FaultyDatabase::postgres();
    let program = Program::serve(&database);
    let client = program.client();
    assert!(client.is_ready().await);
    let set = |value: &str| {
        let mut connection = diesel::PgConnection::establish(&database.url()).unwrap();
        let alter = format!("ALTER DATABASE postgres SET default_transaction_read_only = {value}");
        // Only new connections have the new value.
        let terminate = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity \
             WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'";
        for statement in ["SET default_transaction_read_only = off", &alter, terminate] {
            connection.batch_execute(statement).unwrap();
        }
    };
    set("on");
    let unready = async || {
        let answer = client.get("/readyz").await;
        answer.status == 503 && answer.text.contains("read-only")
    };
    assert!(
        wait_until(unready).await.is_some(),
        "/readyz does not say what fails"
    );
    let folder = tempfile::tempdir().unwrap();
    let (code, report) = examine(folder.path(), &["--database", &database.url()]);
    assert_eq!(code, 2);
    let damaged = details(&report, "damaged");
    assert!(
        damaged.iter().any(|one| one.contains("read-only")),
        "{damaged:?}"
    );
    let address = format!("http://{}", program.socket());
    let (code, report) = examine(folder.path(), &["--server", &address]);
    assert_eq!(code, 2, "{report:#}");
    set("off");
    assert!(wait_until(async || client.is_ready().await).await.is_some());
    // The PostgreSQL of the tests runs without `fsync`.
    let (_, report) = examine(folder.path(), &["--database", &database.url()]);
    let mut warnings = details(&report, "warning");
    warnings.retain(|one| one.starts_with("database: "));
    assert_eq!(warnings.len(), 1, "{warnings:?}");
    assert!(warnings[0].contains("fsync is off"), "{warnings:?}");
}
