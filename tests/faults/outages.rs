//! The database goes away for a while: nothing hangs, and everything goes on by itself when it is back.

use std::time::{Duration, Instant};

use diesel::connection::SimpleConnection;
use diesel::{Connection, SqliteConnection};

use super::support::{Client, Database, Program, Scale, comes_true, figure, games, people};

/// A service with games of bots, while the database is taken away, looked at until what waits for it has given up, and
/// given back.
async fn heals(
    case: &str,
    database: &Database,
    take: impl AsyncFnOnce(),
    look: impl AsyncFnOnce(&Program),
    give: impl AsyncFnOnce(),
) {
    Scale::of(case);
    let program = Program::serve(database);
    let client = program.client();
    let mut bots = Vec::new();
    for _ in 0..12 {
        bots.push(client.create(&games(2000)).await.0);
    }
    take().await;
    tokio::time::sleep(Duration::from_millis(200)).await;
    let mut stands = Vec::new();
    for path in &bots {
        // From memory, or not at all.
        let game = tokio::time::timeout(Duration::from_secs(2), client.try_get(path)).await;
        let game = game
            .ok()
            .and_then(Result::ok)
            .filter(|game| game.status == 200);
        let game = game.map(|game| game.json());
        let over = game
            .as_ref()
            .is_some_and(|game| game["status"] == "finished");
        // One that ended in the meantime tells nothing; the others do.
        if over {
            continue;
        }
        let seq = game.and_then(|game| game["seq"].as_u64()).unwrap_or(0);
        stands.push((path, seq));
    }
    look(&program).await;
    give().await;

    let begun = Instant::now();
    assert!(
        !stands.is_empty(),
        "{case}: the games ended too early to tell"
    );
    for (path, seq) in stands {
        // What is told first may have been written before.
        let told = async || client.seq(path).await.is_some();
        comes_true(told).await.expect("reads go on");
        let seq = match seq {
            0 => client.seq(path).await.expect("it was told"),
            seq => seq,
        };
        let goes_on = async || {
            let Ok(answer) = client.try_get(path).await else {
                return false;
            };
            answer.status == 200 && {
                let game = answer.json();
                game["status"] == "finished" || game["seq"].as_u64() > Some(seq)
            }
        };
        let goes_on = comes_true(goes_on).await;
        assert!(goes_on.is_some(), "{case}: {path} stands still at {seq}");
    }
    figure(case, "bots go on after, s", begun.elapsed().as_secs_f64());
    let writes = async || creates(&client).await == 201;
    assert!(
        comes_true(writes).await.is_some(),
        "writes are not taken again"
    );
    let ready = comes_true(async || client.is_ready().await).await;
    assert!(ready.is_some(), "not ready again");
    figure(case, "all is well after, s", begun.elapsed().as_secs_f64());
}

async fn creates(client: &Client) -> u16 {
    let request = client
        .request(reqwest::Method::POST, "/v1/games")
        .json(&people());
    client.send(request).await.map_or(0, |answer| answer.status)
}

/// Asks `/readyz` while the database does not answer: it says so, and soon.
async fn unready(case: &str, program: &Program) {
    let begun = Instant::now();
    let client = program.client();
    let answer = client.try_get("/readyz").await.expect("an answer");
    assert_eq!(answer.status, 503, "{}", answer.text);
    figure(
        case,
        "/readyz answers after, s (bar 3)",
        begun.elapsed().as_secs_f64(),
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_locked_file_is_waited_for() {
    let database = Database::sqlite();
    let file = database.file().display().to_string();
    let (locked, unlock) = std::sync::mpsc::channel::<SqliteConnection>();
    let take = async || {
        let mut other = SqliteConnection::establish(&file).expect("it opens");
        let lock = "PRAGMA busy_timeout = 30000; BEGIN IMMEDIATE;";
        other.batch_execute(lock).expect("a lock");
        locked.send(other).expect("it is waited for");
    };
    let look = async |program: &Program| {
        // Reads go on beside a writer; a write waits, and is refused in the end.
        let client = program.client();
        assert_eq!(client.get("/v1/games").await.status, 200);
        let status = creates(&client).await;
        assert_eq!(status, 503, "a write to a locked file");
    };
    let give = async || drop(unlock.recv().expect("it was locked"));
    heals("locked file", &database, take, look, give).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_frozen_server_is_waited_for() {
    let case = "frozen PostgreSQL";
    let database = Database::postgres();
    let look = async |program: &Program| {
        unready(case, program).await;
        assert_eq!(program.client().get("/healthz").await.status, 200);
        let status = creates(&program.client()).await;
        assert_eq!(status, 503, "a write while the server is frozen");
    };
    let server = database.server();
    heals(
        case,
        &database,
        async || server.freeze(),
        look,
        async || server.thaw(),
    )
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stopped_server_is_waited_for() {
    let case = "stopped PostgreSQL";
    let database = Database::postgres();
    let look = async |program: &Program| unready(case, program).await;
    let server = database.server();
    heals(
        case,
        &database,
        async || server.crash(),
        look,
        async || server.up(),
    )
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_service_ends_when_asked_while_the_server_is_frozen() {
    let case = "SIGTERM with PostgreSQL frozen";
    let database = Database::postgres();
    let mut program = Program::serve(&database);
    let client = program.client();
    client.create(&games(2000)).await;
    database.server().freeze();
    let waits = tokio::spawn(async move { creates(&client).await });
    tokio::time::sleep(Duration::from_millis(300)).await;
    let ended = tokio::task::block_in_place(|| program.terminate());
    database.server().thaw();
    let (status, time) = ended.expect("it does not end");
    figure(case, "ended after, s (bar 15)", time.as_secs_f64());
    assert_eq!(status.code(), Some(1), "{}", program.said());
    assert!(
        program.said().contains("something hangs"),
        "{}",
        program.said()
    );
    waits.await.expect("the request ends");
}
