//! Bars of a fresh database: its size, a turn, a view.

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use diesel::connection::SimpleConnection;
use diesel::prelude::*;

use crate::Row;
use crate::bare::start_bare_server;
use crate::support::{Database, Program, Times, program};

/// Measures the size of the program, and of a game on disk.
pub fn measure_size(seed: u64) -> Vec<Row> {
    let bytes = |path: &Path| std::fs::metadata(path).map_or(0, |file| file.len()) as f64;
    let database = Database::sqlite();
    let games = 400;
    let begun = Instant::now();
    database.import(games, 200, seed);
    let time = begun.elapsed();
    let file = database.file();
    // The size on disk: VACUUM would make the file smaller.
    crate::copies::execute(&file, "PRAGMA wal_checkpoint(TRUNCATE)");
    let events = crate::copies::number(&file, "SELECT count(*) AS n FROM events") as f64;
    // Each table and index has a page, however few rows it has.
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
        Row::without_bar(
            "games simulated and imported",
            games as f64 / time.as_secs_f64(),
            "a second",
        ),
    ]
}

/// Returns the number of bytes of a compressed file.
fn compressed(path: &Path) -> f64 {
    let packed = Command::new("gzip").arg("--stdout").arg(path).output();
    packed.expect("gzip runs").stdout.len() as f64
}

/// The time for which an idle service is measured, and the time that it may take to become idle.
const IDLE: Duration = Duration::from_secs(60);
const SETTLES: Duration = Duration::from_secs(30);

/// Measures the cost of a service without requests.
pub async fn measure_idle() -> Vec<Row> {
    let database = Database::sqlite();
    let server = Program::serve(&database);
    tokio::time::sleep(SETTLES).await;
    let before = server.cpu();
    tokio::time::sleep(IDLE).await;
    let share = (server.cpu() - before).as_secs_f64() / IDLE.as_secs_f64();
    vec![
        // The clock that each worker of actix-http keeps for the header `Date` takes 0.05 of it. /proc counts whole
        // hundredths of a second.
        Row::new(
            "idle, empty database: processor time",
            0.1,
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

/// Writes single rows to a plain SQLite database at 200 a second, each durable, to measure the disk.
fn write_rows() -> Times {
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
    Times::sorted(times)
}

/// Measures turns at 200 a second.
pub async fn measure_turns() -> Vec<Row> {
    let plain = tokio::task::spawn_blocking(write_rows)
        .await
        .expect("it ends");
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
    // The next turn of a game fails after a late one.
    let failed = offered - times.len();
    let times = Times::sorted(times);
    let late = match failed * 100 > offered {
        true => f64::INFINITY,
        false => times.quantile(0.99),
    };
    let what = "POST a turn, durable, 200 a second offered, p99";
    let of_plain = plain.quantile(0.99);
    vec![
        Row::new(what, 5.0, late, "ms").with(format!("{times}; {failed} failed")),
        Row::without_bar(
            "a row in a plain SQLite database likewise, p99",
            of_plain,
            "ms",
        )
        .with(plain),
    ]
}

/// Measures the view of a much-read game, beside a handler that only answers its bytes.
pub async fn measure_view() -> Vec<Row> {
    let database = Database::sqlite();
    let server = Program::serve(&database);
    let client = server.client();
    let (path, _) = client.game_of_people().await;
    let view = client.get(&path).await.text;
    let bare = crate::support::Client::new(start_bare_server(view.into()).trim_end_matches('/'));
    let mut rates = [0.0, 0.0];
    // In turns, so that both run on the same machine under the same load.
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
