//! Bars that a fresh database shows: size, a turn, a view.

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use diesel::connection::SimpleConnection;
use diesel::prelude::*;

use crate::Row;
use crate::bare::bare;
use crate::support::{Database, Program, Times, program};

/// The program's size, and what a game takes on disk.
pub fn size(seed: u64) -> Vec<Row> {
    let bytes = |path: &Path| std::fs::metadata(path).map_or(0, |file| file.len()) as f64;
    let database = Database::sqlite();
    let games = 400;
    let begun = Instant::now();
    database.import(games, 200, seed);
    let time = begun.elapsed();
    let file = database.file();
    // As it lies on disk: VACUUM would make it smaller.
    crate::copies::execute(&file, "PRAGMA wal_checkpoint(TRUNCATE)");
    let events = crate::copies::number(&file, "SELECT count(*) AS n FROM events") as f64;
    // Each table and index has a page, however few its rows are.
    let trees = "SELECT count(*) AS n FROM sqlite_master WHERE rootpage > 0";
    let page = crate::copies::number(&file, "SELECT page_size AS n FROM pragma_page_size");
    let size = bytes(&file) - (crate::copies::number(&file, trees) * page) as f64;
    let per_game = format!("{:.0} events a game", events / games as f64);
    vec![
        Row::new(
            "the program, compressed",
            60.0,
            compressed(&program()) / 1e6,
            "MB",
        ),
        Row::new(
            "a finished game of greedy on disk",
            30.0,
            size / games as f64 / 1e3,
            "KB",
        )
        .with(per_game),
        Row::new("an event on disk", 60.0, size / events, "bytes"),
        Row::told(
            "games simulated and imported",
            games as f64 / time.as_secs_f64(),
            "a second",
        ),
    ]
}

/// How many bytes a file has when it is packed for download.
fn compressed(path: &Path) -> f64 {
    let packed = Command::new("gzip").arg("--stdout").arg(path).output();
    packed.expect("gzip runs").stdout.len() as f64
}

/// For how long an idle service is watched, and how long it may take until it is.
const IDLE: Duration = Duration::from_secs(60);
const SETTLES: Duration = Duration::from_secs(30);

/// What a service costs that nobody asks.
pub async fn idle() -> Vec<Row> {
    let database = Database::sqlite();
    let server = Program::serve(&database);
    tokio::time::sleep(SETTLES).await;
    let before = server.cpu();
    tokio::time::sleep(IDLE).await;
    let share = (server.cpu() - before).as_secs_f64() / IDLE.as_secs_f64();
    vec![
        // What /proc counts is whole hundredths of a second.
        Row::new(
            "idle, empty database: processor time",
            0.05,
            100.0 * share,
            "% of a core",
        ),
        Row::new(
            "idle, empty database: resident",
            60.0,
            server.resident() as f64,
            "MiB",
        ),
    ]
}

/// A row a time in a plain SQLite database at 200 a second, each durable: what the disk gives.
fn rows() -> Times {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("plain.db");
    let file = file.display().to_string();
    let mut connection = SqliteConnection::establish(&file).expect("it opens");
    let mut execute = |sql: &str| connection.batch_execute(sql).expect("the statement fits");
    execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE rows (text TEXT)");
    let begun = Instant::now();
    let mut times = Vec::new();
    for number in 0..2000 {
        let next = begun + Duration::from_millis(5) * number;
        std::thread::sleep(next.saturating_duration_since(Instant::now()));
        let started = Instant::now();
        execute(
            "INSERT INTO rows VALUES ('a row of some length, as an event of a game may have it, and its hash')",
        );
        times.push(started.elapsed());
    }
    Times::of(times)
}

/// Turns at 200 a second.
pub async fn turns() -> Vec<Row> {
    let plain = tokio::task::spawn_blocking(rows).await.expect("it ends");
    let database = Database::sqlite();
    let server = Program::serve(&database);
    let client = server.client();
    let mut games = Vec::new();
    for _ in 0..50 {
        games.push(client.game_of_people().await);
    }
    let mut clock = tokio::time::interval(Duration::from_millis(5));
    let mut answers = Vec::new();
    for number in 0..4000 {
        clock.tick().await;
        let (path, tokens) = games[number % games.len()].clone();
        let turn = number / games.len();
        let client = client.clone();
        answers.push(tokio::spawn(async move {
            let begun = Instant::now();
            let answer = client.turn(&path, &tokens[turn % 3], turn / 3).await;
            let taken = answer.is_ok_and(|answer| answer.status == 201);
            taken.then(|| begun.elapsed())
        }));
    }
    let (mut times, offered) = (Vec::new(), answers.len());
    for answer in answers {
        times.extend(answer.await.expect("a turn"));
    }
    // A turn that is late makes the next one of its game fail.
    let failed = offered - times.len();
    let times = Times::of(times);
    let late = match failed * 100 > offered {
        true => f64::INFINITY,
        false => times.quantile(0.99),
    };
    let what = "POST a turn, durable, 200 a second offered, p99";
    let of_plain = plain.quantile(0.99);
    vec![
        Row::new(what, 5.0, late, "ms").with(format!("{times}; {failed} failed")),
        Row::told(
            "a row in a plain SQLite database likewise, p99",
            of_plain,
            "ms",
        )
        .with(plain),
    ]
}

/// A hot game's view, beside a handler that does nothing else than answer its bytes.
pub async fn view() -> Vec<Row> {
    let database = Database::sqlite();
    let server = Program::serve(&database);
    let client = server.client();
    let (path, _) = client.game_of_people().await;
    let view = client.get(&path).await.text;
    let bare = crate::support::Client::new(bare(view.into()).trim_end_matches('/'));
    let mut rates = [0.0, 0.0];
    // In turns, so that both meet the same machine.
    for _ in 0..5 {
        for (rate, (client, path)) in rates
            .iter_mut()
            .zip([(&client, path.as_str()), (&bare, "/")])
        {
            let until = Instant::now() + Duration::from_secs(2);
            let ask = |_| {
                let (client, path) = (client.clone(), path.to_owned());
                tokio::spawn(async move {
                    let mut count = 0;
                    while Instant::now() < until {
                        client.get(&path).await;
                        count += 1;
                    }
                    count
                })
            };
            for asker in (0..8).map(ask).collect::<Vec<_>>() {
                *rate += f64::from(asker.await.expect("it ends")) / 10.0;
            }
        }
    }
    let [view, bare] = rates;
    let more = format!("{view:.0} and {bare:.0} a second");
    vec![
        Row::new(
            "a bare handler's rate, in rates of GET a hot game",
            1.25,
            bare / view,
            "times",
        )
        .with(more),
    ]
}
