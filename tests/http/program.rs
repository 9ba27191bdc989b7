//! The program `tabularium` on the command line.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Command, Output, Stdio};

use diesel::connection::SimpleConnection;
use diesel::{Connection, RunQueryDsl, SqliteConnection};
use flate2::Compression;
use flate2::write::GzEncoder;

use super::support::{Database, array, assert_contains, eventually, tamper};
use crate::faults::support::bots_program;

pub fn tabularium(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_tabularium"))
        .args(arguments)
        .current_dir(folder)
        .env_remove("DATABASE_URL")
        .output()
        .unwrap()
}

/// Runs the program that lets bots play, which writes records to import.
fn tabularium_bots(folder: &Path, arguments: &[&str]) -> Output {
    let mut program = Command::new(bots_program());
    let program = program.args(arguments).current_dir(folder);
    program.output().unwrap()
}

/// Removes the signatures that the server has added to records.
#[track_caller]
fn remove_signatures(records: &str) -> String {
    let bare = records.lines().map(|line| {
        let mut record: records::Record = serde_json::from_str(line).unwrap();
        assert!(
            record.signature.take().is_some(),
            "it is not signed: {line}"
        );
        serde_json::to_string(&record).unwrap() + "\n"
    });
    bare.collect()
}

#[track_caller]
pub fn done(output: &Output) -> String {
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(0), "{errors}");
    errors
}

#[track_caller]
pub fn failed(output: &Output, code: i32) -> String {
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(code), "{errors}");
    errors
}

/// Splits a command line into its words.
fn words(line: &str) -> Vec<&str> {
    line.split(' ').collect()
}

pub fn simulate(folder: &Path, file: &str) -> String {
    let simulate = "simulate --board antike-east --bots greedy,random,greedy,greedy --games 6 --seed 7 --max-rounds 8";
    let line = format!("{simulate} --played-at 2026-01-02T03:04:05Z --out {file}");
    done(&tabularium_bots(folder, &words(&line)));
    std::fs::read_to_string(folder.join(file)).unwrap()
}

#[test]
fn declared_results_are_named_and_forged_ones_refused() {
    let folder = tempfile::tempdir().unwrap();
    let frozen = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../tests/records/frozen/with_events.ndjson"
    );
    let printed = done(&tabularium(folder.path(), &["verify", frozen]));
    assert_contains(&printed, "5 records verified, 0 damaged, 0 declared");
    // Without its log, an adjudicated game is declared only.
    let records = std::fs::read_to_string(frozen).unwrap();
    let last = records.lines().last().unwrap();
    let mut record: records::Record = serde_json::from_str(last).unwrap();
    let mut lines = Vec::new();
    record.events = None;
    lines.push(serde_json::to_string(&record).unwrap());
    record.result.as_mut().unwrap().ranks[0].rank = 0;
    lines.push(serde_json::to_string(&record).unwrap());
    std::fs::write(folder.path().join("claims.ndjson"), lines.join("\n")).unwrap();
    let printed = failed(&tabularium(folder.path(), &["verify", "claims.ndjson"]), 1);
    let declared = format!("claims.ndjson:1: {}: its result is declared", record.id);
    assert_contains(&printed, &declared);
    assert_contains(&printed, "1 records verified, 1 damaged, 1 declared");
    assert_contains(
        &printed,
        "ranks must be from 1 to 3, and at least one seat must have rank 1",
    );
}

#[test]
fn records_are_imported_and_exported() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let fresh = Database::fresh();
    let database = fresh.url();
    let simulated = simulate(folder, "games.ndjson");
    let import = ["import", "games.ndjson", "--database", &database];
    let printed = done(&tabularium(folder, &import));
    assert_contains(&printed, "6 records imported, 0 known already");
    let printed = done(&tabularium(folder, &import));
    assert_contains(&printed, "0 records imported, 6 known already");
    let printed = done(&tabularium(folder, &["verify", "--database", &database]));
    assert_contains(&printed, "6 records verified");

    let export = ["export", "--all", "--database", &database, "--out"];
    done(&tabularium(
        folder,
        &[&export[..], &["out.ndjson"]].concat(),
    ));
    let exported = std::fs::read_to_string(folder.join("out.ndjson")).unwrap();
    assert_eq!(remove_signatures(&exported), simulated);

    let with_events = [&export[..], &["events.ndjson", "--events"]].concat();
    done(&tabularium(folder, &with_events));
    done(&tabularium(folder, &["verify", "events.ndjson"]));
    // One letter of one event is changed: the verifier names the first bad event.
    let whole = std::fs::read_to_string(folder.join("events.ndjson")).unwrap();
    let mut records: Vec<records::Record> = whole
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let events = records[2].events.as_mut().unwrap();
    events[11].notation.push('x');
    let damaged: Vec<String> = records
        .iter()
        .map(|record| serde_json::to_string(record).unwrap())
        .collect();
    std::fs::write(folder.join("damaged.ndjson"), damaged.join("\n")).unwrap();
    let printed = failed(&tabularium(folder, &["verify", "damaged.ndjson"]), 1);
    assert_contains(&printed, "damaged.ndjson:3: ");
    assert_contains(&printed, "event 11: ");
    assert_contains(&printed, "5 records verified, 1 damaged");

    let id = &records[0].id;
    let text = [
        "export",
        "--game",
        id,
        "--text",
        "--database",
        &database,
        "--out",
        "game.txt",
    ];
    done(&tabularium(folder, &text));
    done(&tabularium(folder, &["verify", "game.txt"]));
}

#[test]
fn bad_lines_are_refused_with_their_number_and_the_others_imported() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let fresh = Database::fresh();
    let database = fresh.url();
    let simulated = simulate(folder, "games.ndjson");
    let mut lines: Vec<Vec<u8>> = simulated.lines().map(|line| line.into()).collect();
    // Invalid UTF-8, a NUL in the league, a league of a megabyte, another game with the id of the last.
    lines[1][20] = 0xff;
    let last = lines[5].clone();
    for (line, league) in [(2, "a\0b".to_owned()), (3, "x".repeat(1 << 20))] {
        let mut record: records::Record = serde_json::from_slice(&lines[line]).unwrap();
        record.league = Some(league);
        lines[line] = serde_json::to_vec(&record).unwrap();
    }
    let mut record: records::Record = serde_json::from_slice(&last).unwrap();
    record.league = Some("cup".to_owned());
    lines.push(serde_json::to_vec(&record).unwrap());
    std::fs::write(folder.join("bad.ndjson"), lines.join(&b'\n')).unwrap();
    let import = ["import", "bad.ndjson", "--database", &database];
    for expected in [
        "3 records imported, 0 known already, 4 refused",
        "0 records imported, 3 known already",
    ] {
        let errors = failed(&tabularium(folder, &import), 1);
        assert_contains(&errors, expected);
        assert_contains(&errors, "bad.ndjson:2: it is not UTF-8 from byte 21 on");
        for line in [3, 4] {
            let place = format!("bad.ndjson:{line}: ");
            let refusal = errors.lines().find(|line| line.starts_with(&place));
            assert!(
                refusal.is_some_and(|line| line.contains(": league: must have 1 to 64 bytes")),
                "{errors}"
            );
        }
        let another = format!("bad.ndjson:7: {}: another game has the id {0}: ", record.id);
        assert_contains(&errors, &another);
        assert_contains(&errors, "the records differ in league");
    }
    let errors = failed(&tabularium(folder, &["verify", "bad.ndjson"]), 1);
    assert_contains(&errors, "4 records verified, 3 damaged");
    // In notation, too, the line is named; and so is the turn that differs.
    let text = record
        .to_text(engine::content::Library::embedded())
        .unwrap();
    let (header, turns) = text.split_once("\n\n").unwrap();
    let number = header.lines().count() + 2;
    let (_, rest) = turns.split_once(". ").unwrap();
    std::fs::write(folder.join("turn.txt"), format!("{header}\n\n77. {rest}")).unwrap();
    let errors = failed(&tabularium(folder, &["verify", "turn.txt"]), 1);
    let expected = format!("turn.txt:{number}: the line names turn 77 of ");
    assert_contains(&errors, &expected);
    let mut bytes = text.clone().into_bytes();
    bytes[header.len() + 4] = 0xff;
    std::fs::write(folder.join("bytes.txt"), bytes).unwrap();
    let errors = failed(&tabularium(folder, &["verify", "bytes.txt"]), 1);
    assert!(
        errors.contains(&format!(
            "bytes.txt:{number}: it is not UTF-8 from byte 3 on"
        )),
        "{errors}"
    );
}

/// A number that a query on a file of SQLite returns.
#[derive(diesel::QueryableByName)]
struct Number {
    #[diesel(sql_type = diesel::sql_types::BigInt)]
    number: i64,
}

#[test]
fn an_event_takes_less_than_seventy_five_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let simulation = words("simulate --games 20 --max-rounds 30 --out g.ndjson");
    done(&tabularium_bots(folder, &simulation));
    let import = ["import", "g.ndjson", "--database", "sqlite:g.db"];
    done(&tabularium(folder, &import));
    let file = folder.join("g.db").display().to_string();
    let mut connection = SqliteConnection::establish(&file).unwrap();
    connection.batch_execute("VACUUM").unwrap();
    let mut number = |query: &str| -> i64 {
        let row: Number = diesel::sql_query(query)
            .get_result(&mut connection)
            .unwrap();
        row.number
    };
    let events = number("SELECT count(*) AS number FROM events");
    let pages = number("SELECT page_count AS number FROM pragma_page_count");
    let page = number("SELECT page_size AS number FROM pragma_page_size");
    // Each table and index has a page, however few rows it has.
    let trees = number("SELECT count(*) AS number FROM sqlite_master WHERE rootpage > 0");
    let pages = pages - trees;
    assert!(events > 5_000, "{events} events");
    assert!(pages * page / events < 75, "{pages} pages, {events} events");
}

#[test]
fn changes_in_a_database_are_found_and_the_rest_is_verified() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let fresh = Database::fresh();
    let database = fresh.url();
    let simulated = simulate(folder, "games.ndjson");
    let import = ["import", "games.ndjson", "--database", &database];
    done(&tabularium(folder, &import));
    let records: Vec<records::Record> = simulated
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let [_, one, late, short, other, ..] = &records[..] else {
        panic!("too few records")
    };
    let (one, late, short, other) = (&one.id, &late.id, &short.id, &other.id);
    let event = |id: &str, seq: u32| {
        format!("WHERE game = (SELECT number FROM games WHERE id = '{id}') AND seq = {seq}")
    };
    let last = records[3].actions.len() as u32;
    for statement in [
        format!(
            "UPDATE events SET notation = 'stone iron' {}",
            event(one, 9)
        ),
        format!("UPDATE events SET at = at + 1 {}", event(late, 4)),
        // The last event is deleted, and the end of the game is moved before it.
        format!("DELETE FROM events {}", event(short, last)),
        format!("UPDATE games SET seq = seq - 1 WHERE id = '{short}'"),
        format!("UPDATE games SET setup = '' WHERE id = '{other}'"),
    ] {
        tamper(&database, &statement);
    }
    let printed = failed(&tabularium(folder, &["verify", "--database", &database]), 1);
    assert_contains(&printed, &format!("{one}: event 9: "));
    assert_contains(&printed, &format!("{late}: event 4: "));
    let shortened = format!("{short}: event {}: ", last - 1);
    assert_contains(&printed, &shortened);
    assert_contains(&printed, other.as_str());
    assert_contains(&printed, "2 records verified, 3 damaged");
}

#[test]
fn wrong_use_and_failures_have_their_exit_codes() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    failed(&tabularium(folder, &["export"]), 2);
    let printed = failed(&tabularium(folder, &["verify", "nowhere.ndjson"]), 1);
    assert_contains(&printed, "nowhere.ndjson");
    std::fs::write(folder.join("bad.ndjson"), "{\"format\": 1}\n").unwrap();
    let printed = failed(
        &tabularium(
            folder,
            &["import", "bad.ndjson", "--database", "sqlite:x.db"],
        ),
        1,
    );
    assert_contains(&printed, "bad.ndjson:1: ");
}

/// A running demo. It is stopped when it is dropped.
struct Demo {
    process: std::process::Child,
    /// The first address that the demo proposes.
    url: String,
    stderr: Option<std::thread::JoinHandle<String>>,
}

impl Demo {
    fn start(folder: &Path, more: &[&str]) -> Demo {
        let mut process = Command::new(env!("CARGO_BIN_EXE_tabularium"))
            .args(["demo", "--listen", "127.0.0.1:0"])
            .args(more)
            .current_dir(folder)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut errors = process.stderr.take().unwrap();
        let stderr = std::thread::spawn(move || {
            let mut text = String::new();
            errors.read_to_string(&mut text).unwrap();
            text
        });
        let lines = BufReader::new(process.stdout.take().unwrap()).lines();
        let mut lines = lines.map(Result::unwrap);
        let url = lines.find_map(|line| {
            let url = line.trim().strip_prefix("curl '")?.strip_suffix('\'')?;
            Some(url.to_owned())
        });
        Demo {
            process,
            url: url.expect("the demo printed no command to try"),
            stderr: Some(stderr),
        }
    }
}

impl Drop for Demo {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

async fn read_json(url: &str) -> serde_json::Value {
    let answer = reqwest::get(url).await.unwrap().text().await.unwrap();
    serde_json::from_str(&answer).unwrap()
}

/// Starts the demo, reads the first address that it proposes, and ends it. Returns the answer and what
/// the demo wrote to standard error.
async fn demo(folder: &Path, more: &[&str]) -> (serde_json::Value, String) {
    let mut demo = Demo::start(folder, more);
    let answer = read_json(&demo.url).await;
    let stderr = demo.stderr.take().unwrap();
    drop(demo);
    (answer, stderr.join().unwrap())
}

#[tokio::test]
async fn the_demo_shows_a_running_game() {
    let folder = tempfile::tempdir().unwrap();
    let demo = Demo::start(folder.path(), &["--games", "2"]);
    let (base, _) = demo.url.split_once("/v1/").unwrap();
    let running = format!("{base}/v1/games?status=running");
    let mut first = None;
    eventually("no game is running", async || {
        let games = read_json(&running).await;
        let seq = games["items"][0]["seq"].as_u64()?;
        let id = &games["items"][0]["id"];
        let (first, begun) = first.get_or_insert_with(|| (id.clone(), seq));
        assert_eq!(first, id, "one game is played");
        (seq > *begun).then_some(())
    })
    .await;
}

#[tokio::test]
async fn the_demo_has_players_with_ratings_and_a_league() {
    const EXPECTED: u64 = 12 * 4 + 4 * 2 + 2 * 4;
    let folder = tempfile::tempdir().unwrap();
    let demo = Demo::start(folder.path(), &["--games", "64"]);
    let (base, _) = demo.url.split_once("/v1/").unwrap();
    let games = |rated: &serde_json::Value| {
        let all = array(&rated["items"]).iter();
        all.map(|rating| rating["games"].as_u64().unwrap())
            .sum::<u64>()
    };
    // Twelve games of four and four of two, and two over-the-board results of four in the league.
    eventually("not all games are rated", async || {
        let rated = read_json(&format!("{base}/v1/ratings?provisional=true")).await;
        (games(&rated) == EXPECTED).then_some(())
    })
    .await;
    let bots = read_json(&format!("{base}/v1/ratings?kind=bot&provisional=true")).await;
    assert_eq!(games(&bots), 6 * 4, "of one table in ten: {bots}");
    let leagues = read_json(&format!("{base}/v1/leagues")).await;
    let league = leagues["items"][0]["id"].as_str().unwrap();
    let standings = read_json(&format!("{base}/v1/leagues/{league}/standings")).await;
    let members = array(&standings["rows"]);
    assert_eq!(members.len(), 8);
    for row in members {
        // The first rank has an account that has played.
        let id = row["member"]["id"].as_str().unwrap();
        let player = read_json(&format!("{base}/v1/players/{id}")).await;
        assert_eq!(player["handle"], row["member"]["name"]);
        assert_eq!(player["ratings"][0]["kind"], "account", "{player}");
        let played = read_json(&format!("{base}/v1/players/{id}/games?limit=1")).await;
        let game = played["items"][0]["id"].as_str().unwrap();
        let record = read_json(&format!("{base}/v1/games/{game}/record")).await;
        assert_eq!(record["source"], "simulation");
        assert_eq!(record["rated"], true);
    }
}

#[tokio::test]
async fn the_demo_fills_its_file_once_and_answers_with_statistics() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    // The file of an interrupted start.
    std::fs::write(folder.join("tabularium-demo.db.part"), "half").unwrap();
    let (answer, printed) = demo(folder, &["--games", "16"]).await;
    assert_contains(&printed, "bots play 16 games");
    assert_contains(&printed, "bots play 4 rated games");
    assert!(!folder.join("tabularium-demo.db.part").exists());
    assert_eq!(answer["measure"], "nations");
    assert_eq!(
        answer["games"], 7,
        "two of ten tables are of four on the East board, and three of four rated games: {answer}"
    );
    let (again, printed) = demo(folder, &["--games", "16"]).await;
    assert_contains(&printed, "exists and is used again");
    assert!(!printed.contains("bots play"), "{printed}");
    assert_eq!(again["data_version"], answer["data_version"]);
    let corpus = simulate(folder, "corpus.ndjson");
    let packed = std::fs::File::create(folder.join("corpus.ndjson.gz")).unwrap();
    let mut packed = GzEncoder::new(packed, Compression::default());
    packed.write_all(corpus.as_bytes()).unwrap();
    packed.finish().unwrap();
    let more = ["--games", "20", "--fresh", "--corpus", "corpus.ndjson.gz"];
    let (other, printed) = demo(folder, &more).await;
    assert_contains(&printed, "6 of 6 records");
    assert_contains(&printed, "bots play 20 games");
    assert_ne!(other["data_version"], answer["data_version"]);
}

#[test]
fn games_with_event_cards_are_imported_and_exported() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let fresh = Database::fresh();
    let database = fresh.url();
    let simulate = "simulate --board duellum-greece-persia --games 3";
    let short = "--max-rounds 12 --played-at 2026-01-02T03:04:05Z --out";
    let special = "--bots greedy,random --variants special_units --seed 2";
    for line in [
        format!("{simulate} {short} a.ndjson"),
        format!("{simulate} {special} {short} b.ndjson"),
    ] {
        done(&tabularium_bots(folder, &words(&line)));
    }
    let read = |file: &str| std::fs::read_to_string(folder.join(file)).unwrap();
    let simulated = read("a.ndjson") + &read("b.ndjson");
    let import = ["import", "a.ndjson", "b.ndjson", "--database", &database];
    let printed = done(&tabularium(folder, &import));
    assert_contains(&printed, "6 records imported");
    let export = ["export", "--all", "--database", &database, "--out"];
    done(&tabularium(
        folder,
        &[&export[..], &["out.ndjson"]].concat(),
    ));
    let exported = remove_signatures(&read("out.ndjson"));
    assert!(exported == simulated, "what comes out went in");
    let with_events = [&export[..], &["events.ndjson", "--events"]].concat();
    done(&tabularium(folder, &with_events));
    let printed = done(&tabularium(folder, &["verify", "events.ndjson"]));
    assert_contains(&printed, "6 records verified, 0 damaged");
    done(&tabularium(folder, &["verify", "--database", &database]));
}

#[test]
fn a_backup_is_complete_while_a_writer_runs() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let simulated = simulate(folder, "games.ndjson");
    done(&tabularium(folder, &["import", "games.ndjson"]));
    // Another connection keeps the file open, so the last commits are only in its write-ahead log.
    let mut open =
        SqliteConnection::establish(&folder.join("tabularium.db").display().to_string()).unwrap();
    open.batch_execute("PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; SELECT 1")
        .unwrap();
    open.batch_execute("CREATE TABLE last_commit (at BIGINT)")
        .unwrap();
    assert!(folder.join("tabularium.db-wal").metadata().unwrap().len() > 0);
    open.batch_execute("BEGIN IMMEDIATE; INSERT INTO last_commit VALUES (1)")
        .unwrap();

    let printed = done(&tabularium(folder, &["backup", "--to", "copy.db"]));
    assert_contains(&printed, "wrote copy.db, ");
    assert_contains(&printed, "back up tabularium.db.key too");
    assert!(!folder.join("copy.db-wal").exists());
    drop(open);
    let copy = folder.join("copy.db");
    let mut copied = SqliteConnection::establish(&copy.display().to_string()).unwrap();
    let rows: Number = diesel::sql_query("SELECT count(*) AS number FROM last_commit")
        .get_result(&mut copied)
        .expect("the backup lacks the last commit");
    assert_eq!(rows.number, 0, "what is not committed is not there");
    drop(copied);
    let verify = ["verify", "--database", "sqlite:copy.db"];
    let printed = done(&tabularium(folder, &verify));
    assert_contains(&printed, "6 records verified, 0 damaged");
    let export = ["export", "--all", "--database", "sqlite:copy.db", "--out"];
    done(&tabularium(
        folder,
        &[&export[..], &["out.ndjson"]].concat(),
    ));
    let exported = std::fs::read_to_string(folder.join("out.ndjson")).unwrap();
    assert_eq!(remove_signatures(&exported), simulated);

    // A backup overwrites no file, and needs an existing database.
    let before = std::fs::read(&copy).unwrap();
    let printed = failed(&tabularium(folder, &["backup", "--to", "copy.db"]), 1);
    assert_contains(&printed, "copy.db");
    assert!(std::fs::read(&copy).unwrap() == before);
    let nowhere = ["backup", "--to", "b.db", "--database", "sqlite:nowhere.db"];
    let printed = failed(&tabularium(folder, &nowhere), 1);
    assert_contains(&printed, "nowhere.db");
    assert!(!folder.join("nowhere.db").exists() && !folder.join("b.db").exists());
    let printed = failed(&tabularium(folder, &["backup", "--to", "missing/b.db"]), 1);
    assert_contains(&printed, "missing");
}

#[test]
fn no_command_repeats_the_password_of_its_database() {
    const SECRET: &str = "Xerxes480";
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    simulate(folder, "games.ndjson");
    let commands: [&[&str]; 9] = [
        &["serve", "--listen", "127.0.0.1:0"],
        &["import", "games.ndjson"],
        &["export", "--all"],
        &["verify"],
        &["keys", "list"],
        &["keys", "rotate"],
        &["checkpoint"],
        &["migrate"],
        &["backup", "--to", "copy.db"],
    ];
    // No server listens at port 1. The other addresses are wrong in such a way that a client could take a
    // piece of the password for another part.
    let databases = [
        format!("postgres://me:{SECRET}@127.0.0.1:1/db"),
        format!("postgres://me@127.0.0.1:1/db?password={SECRET}"),
        format!("postgres://me:{SECRET}@127.0.0.1:1/db?no_such_parameter=1"),
        format!("postgres://me:a@{SECRET}@127.0.0.1:1/db"),
        format!("postgres://me:a/{SECRET}@127.0.0.1:1/db"),
        format!("postgres://me:%zz{SECRET}@127.0.0.1:1/db"),
        format!("postgres://me:{SECRET}"),
        format!("host=127.0.0.1 port=1 user=me password={SECRET}"),
        format!("mysql://me:{SECRET}@127.0.0.1:1/db"),
    ];
    let quiet = |output: &Output| {
        let printed = [&output.stdout[..], &output.stderr[..]].concat();
        let printed = String::from_utf8_lossy(&printed).into_owned();
        assert!(!printed.contains(SECRET), "{printed}");
        assert!(!printed.contains("panicked"), "{printed}");
        printed
    };
    std::thread::scope(|scope| {
        for command in commands {
            let (databases, quiet) = (&databases, &quiet);
            scope.spawn(move || {
                let run = |arguments: &[&str], variable: Option<&str>| {
                    let mut program = Command::new(env!("CARGO_BIN_EXE_tabularium"));
                    program.args(command).args(arguments).current_dir(folder);
                    program.env("RUST_LOG", "trace").env_remove("DATABASE_URL");
                    program.envs(variable.map(|url| ("DATABASE_URL", url)));
                    let output = program.output().unwrap();
                    failed(&output, 1);
                    quiet(&output)
                };
                for database in databases {
                    let printed = run(&["--database", database], None);
                    assert_contains(&printed, "error: ");
                }
                run(&[], Some(&databases[0]));
            });
        }
    });
    // The option's name is missing.
    for command in [&["serve"][..], &["verify"], &["migrate"]] {
        let output = tabularium(folder, &[command, &[&databases[0]]].concat());
        assert_ne!(output.status.code(), Some(0));
        quiet(&output);
    }
    let config = api::server::Config {
        database: databases[0].as_str().into(),
        ..api::server::Config::default()
    };
    assert!(!format!("{config:?}").contains(SECRET));
}

#[test]
fn a_database_of_another_version_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let fresh = Database::fresh();
    let database = fresh.url();
    simulate(folder, "games.ndjson");
    done(&tabularium(folder, &["migrate", "--database", &database]));
    tamper(
        &database,
        "UPDATE __diesel_schema_migrations SET version = '20261120000000'",
    );
    let refusal = tabularium(folder, &["verify", "--database", &database]);
    let refusal = failed(&refusal, 1);
    assert_contains(&refusal, "before 0.1 (migration 20261120000000)");
    assert_contains(&refusal, "tabularium export");
    assert_contains(&refusal, "tabularium import");
    tamper(
        &database,
        "UPDATE __diesel_schema_migrations SET version = '99991231000000'",
    );
    // The service is last: if it does not refuse the database, it never ends.
    let commands: [&[&str]; 5] = [
        &["import", "games.ndjson"],
        &["export", "--all"],
        &["verify"],
        &["migrate"],
        &["serve", "--listen", "127.0.0.1:0"],
    ];
    for command in commands {
        let refusal = tabularium(folder, &[command, &["--database", &database]].concat());
        let refusal = failed(&refusal, 1);
        assert_contains(&refusal, "newer version of this program");
        assert_contains(&refusal, "99991231000000");
        assert_contains(&refusal, "backup");
    }
    // The schema is the same, and a newer program has used it.
    tamper(
        &database,
        "UPDATE __diesel_schema_migrations SET version = '20261124000000'; UPDATE program SET version = '99.1.0'",
    );
    let own = concat!("this is version ", env!("CARGO_PKG_VERSION"));
    for command in [&["verify"][..], &["serve", "--listen", "127.0.0.1:0"]] {
        let refusal = tabularium(folder, &[command, &["--database", &database]].concat());
        let refusal = failed(&refusal, 1);
        assert_contains(&refusal, "newer version of this program, 99.1.0");
        assert_contains(&refusal, own);
    }
}

/// The files have these permissions, whatever the umask of the process is.
#[cfg(unix)]
#[tokio::test]
async fn files_with_secrets_are_readable_by_their_owner_only() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let database = ["--database", "sqlite:games.db"];
    simulate(folder, "games.ndjson");
    let import = ["import", "games.ndjson", "--key", "server.key"];
    done(&tabularium(folder, &[&import[..], &database].concat()));
    let backup = ["backup", "--to", "copy.db"];
    done(&tabularium(folder, &[&backup[..], &database].concat()));
    // An open connection keeps the files beside the database.
    let path = folder.join("games.db").display().to_string();
    let mut reader = SqliteConnection::establish(&path).unwrap();
    reader.batch_execute("SELECT count(*) FROM games").unwrap();
    for name in [
        "games.db",
        "games.db-wal",
        "games.db-shm",
        "copy.db",
        "copy.db.json",
        "server.key",
    ] {
        let metadata = std::fs::metadata(folder.join(name)).unwrap();
        assert_eq!(metadata.permissions().mode() & 0o777, 0o600, "{name}");
    }
}

/// Returns the commands that a help text lists.
fn listed_commands(help: &str) -> Vec<&str> {
    let list = help
        .split_once("\nCommands:\n")
        .map_or("", |(_, list)| list);
    let lines = list.lines().take_while(|line| !line.is_empty());
    let names = lines.filter_map(|line| line.strip_prefix("  ")?.split(' ').next());
    names.filter(|name| !["", "help"].contains(name)).collect()
}

#[test]
fn help_is_an_answer_of_every_command() {
    let folder = tempfile::tempdir().unwrap();
    let mut left = vec![Vec::new()];
    let mut seen = 0;
    while let Some(command) = left.pop() {
        let asked: Vec<&str> = command
            .iter()
            .map(String::as_str)
            .chain(["--help"])
            .collect();
        let output = tabularium(folder.path(), &asked);
        assert_eq!(done(&output), "", "{asked:?}");
        let help = String::from_utf8(output.stdout).unwrap();
        assert!(help.contains("Usage: tabularium"), "{asked:?}: {help}");
        // Defaults are shown in the notation of the command line.
        for default in help.split("[default: ").skip(1) {
            let default = default.split(']').next().unwrap();
            assert!(!default.contains(' '), "{asked:?}: {default}");
        }
        seen += 1;
        let own = listed_commands(&help).into_iter();
        left.extend(own.map(|name| [&command[..], &[name.to_owned()]].concat()));
    }
    assert!(seen > 25, "{seen}");
}
