//! The database is unavailable for a while: no request hangs, and the service recovers without help.

use std::time::{Duration, Instant};

use diesel::connection::SimpleConnection;
use diesel::{Connection, SqliteConnection};

use super::support::{Client, Database, Program, Scale, figure, games, people, wait_until};

/// Runs a service with games of bots. The database is taken away, observed until waiting requests have ended, and
/// given back.
async fn assert_recovery(
    case: &str,
    database: &Database,
    take: impl AsyncFnOnce(),
    look: impl AsyncFnOnce(&Program),
    give: impl AsyncFnOnce(),
) {
    Scale::from_environment(case);
    // With a pause, so that no game ends before the outage.
    let program = Program::serve_as(database, "127.0.0.1:0", "", &["--bot-pause", "5"]);
    let client = program.client();
    let mut bots = Vec::new();
    for _ in 0..12 {
        bots.push(client.create(&games(2000)).await.0);
    }
    take().await;
    tokio::time::sleep(Duration::from_millis(200)).await;
    let mut stands = Vec::new();
    for path in &bots {
        // Read from memory, or refused.
        let game = tokio::time::timeout(Duration::from_secs(2), client.try_get(path)).await;
        let game = game
            .ok()
            .and_then(Result::ok)
            .filter(|game| game.status == 200);
        let game = game.map(|game| game.json());
        let over = game
            .as_ref()
            .is_some_and(|game| game["status"] == "finished");
        // A game that has ended in the meantime proves nothing; the others do.
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
        "{case}: all games ended during the outage"
    );
    for (path, seq) in stands {
        // The first events may have been written before.
        let readable = async || client.seq(path).await.is_some();
        wait_until(readable).await.expect("reads go on");
        let seq = match seq {
            0 => client.seq(path).await.expect("the game is readable"),
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
        let goes_on = wait_until(goes_on).await;
        assert!(goes_on.is_some(), "{case}: {path} stands still at {seq}");
    }
    figure(case, "bots go on after, s", begun.elapsed().as_secs_f64());
    let writes = async || create_game(&client).await == 201;
    assert!(
        wait_until(writes).await.is_some(),
        "writes are not taken again"
    );
    let ready = wait_until(async || client.is_ready().await).await;
    assert!(ready.is_some(), "not ready again");
    figure(case, "all is well after, s", begun.elapsed().as_secs_f64());
}

async fn create_game(client: &Client) -> u16 {
    let request = client
        .request(reqwest::Method::POST, "/v1/games")
        .json(&people());
    client.send(request).await.map_or(0, |answer| answer.status)
}

/// Requests `/readyz` while the database does not answer: it reports that soon.
async fn assert_unready(case: &str, program: &Program) {
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
async fn the_service_recovers_from_a_locked_file() {
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
        // Reads work beside a writer. A write waits, and is refused at the end.
        let client = program.client();
        assert_eq!(client.get("/v1/games").await.status, 200);
        let status = create_game(&client).await;
        assert_eq!(status, 503, "a write to a locked file");
    };
    let give = async || drop(unlock.recv().expect("it was locked"));
    assert_recovery("locked file", &database, take, look, give).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_service_recovers_from_a_frozen_server() {
    let case = "frozen PostgreSQL";
    let database = Database::postgres();
    let look = async |program: &Program| {
        assert_unready(case, program).await;
        assert_eq!(program.client().get("/healthz").await.status, 200);
        let status = create_game(&program.client()).await;
        assert_eq!(status, 503, "a write while the server is frozen");
    };
    let server = database.server();
    assert_recovery(
        case,
        &database,
        async || server.freeze(),
        look,
        async || server.thaw(),
    )
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_service_recovers_from_a_stopped_server() {
    let case = "stopped PostgreSQL";
    let database = Database::postgres();
    let look = async |program: &Program| assert_unready(case, program).await;
    let server = database.server();
    assert_recovery(
        case,
        &database,
        async || server.crash(),
        look,
        async || server.up(),
    )
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_service_stops_while_the_server_is_frozen() {
    let case = "SIGTERM with PostgreSQL frozen";
    let database = Database::postgres();
    let mut program = Program::serve(&database);
    let client = program.client();
    client.create(&games(2000)).await;
    database.server().freeze();
    let waits = tokio::spawn(async move { create_game(&client).await });
    tokio::time::sleep(Duration::from_millis(300)).await;
    let ended = tokio::task::block_in_place(|| program.terminate());
    database.server().thaw();
    let (status, time) = ended.expect("the service did not stop");
    figure(case, "ended after, s (bar 15)", time.as_secs_f64());
    assert_eq!(status.code(), Some(1), "{}", program.read_log());
    assert!(
        program.read_log().contains("did not stop within"),
        "{}",
        program.read_log()
    );
    waits.await.expect("the request ends");
}
