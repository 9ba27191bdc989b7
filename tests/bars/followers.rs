//! Ten thousand followers of a thousand games, an event a second in each.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;

use crate::support::{Database, Program, Times};
use crate::{Row, number};

/// Seconds that are measured.
const SECONDS: usize = 20;

/// Time from an event's being recorded to its arrival at each follower.
pub async fn followers() -> Vec<Row> {
    let followers = number("BARS_FOLLOWERS", 10_000);
    let games = followers / 10;
    let database = Database::sqlite();
    let server = Program::serve_as(&database, "127.0.0.1:0", "ulimit -n 20000", &[]);
    let client = server.client();
    let mut played = Vec::new();
    for _ in 0..games {
        played.push(client.game_of_people().await);
    }
    let delays = Arc::new(Mutex::new(Vec::<Duration>::new()));
    let late = Arc::new(AtomicU64::new(0));
    let mut readers = Vec::new();
    for follower in 0..followers {
        let path = format!("{}/events", played[follower % games].0);
        let stream = follow(server.socket(), &path).await;
        let (delays, late) = (Arc::clone(&delays), Arc::clone(&late));
        readers.push(tokio::spawn(read(stream, delays, late)));
    }
    delays.lock().expect("no panic").clear();
    let before = server.cpu();
    let begun = Instant::now();
    let mut clock = tokio::time::interval(Duration::from_secs_f64(1.0 / games as f64));
    let mut turns = Vec::new();
    for turn in 0..SECONDS {
        for (path, tokens) in &played {
            clock.tick().await;
            let (client, path, token) =
                (client.clone(), path.clone(), tokens[turn / 2 % 3].clone());
            // One event each: a stone, then the end of the turn.
            turns.push(tokio::spawn(async move {
                let sent = Instant::now();
                let answer = client.half_turn(&path, &token, turn).await;
                (answer.map_or(0, |answer| answer.status), sent.elapsed())
            }));
        }
    }
    let (mut failed, mut times) = (0, Vec::new());
    for turn in turns {
        let (status, time) = turn.await.expect("it ends");
        failed += usize::from(status != 201);
        times.push(time);
    }
    let offered = begun.elapsed();
    tokio::time::sleep(Duration::from_secs(2)).await;
    let cpu = (server.cpu() - before).as_secs_f64() / begun.elapsed().as_secs_f64();
    let resident = server.resident() as f64;
    let delays = Times::of(std::mem::take(&mut *delays.lock().expect("no panic")));
    let expected = followers * SECONDS;
    let what = format!("{followers} followers of {games} games");
    let more = format!(
        "{} of {expected} arrived, {failed} turns failed, {:.1} s for {SECONDS}; {delays}",
        delays.len(),
        offered.as_secs_f64()
    );
    readers.iter().for_each(tokio::task::JoinHandle::abort);
    vec![
        Row::new(
            format!("{what}: recorded until told, p99"),
            250.0,
            delays.quantile(0.99),
            "ms",
        )
        .with(more),
        Row::new(format!("{what}: resident"), 800.0, resident, "MiB"),
        Row::told(format!("{what}: CPU"), cpu, "cores"),
        Row::told(
            format!("{what}: POST, p99"),
            Times::of(times).quantile(0.99),
            "ms",
        ),
    ]
}

/// Opens a stream by hand: ten thousand clients of a library would be what is measured.
async fn follow(socket: &str, path: &str) -> BufReader<TcpStream> {
    let mut stream = TcpStream::connect(socket).await.expect("it listens");
    let ask = format!(
        "GET {path}?after=0 HTTP/1.1\r\nHost: {socket}\r\nAccept: text/event-stream\r\n\r\n"
    );
    stream
        .write_all(ask.as_bytes())
        .await
        .expect("it takes the request");
    let mut stream = BufReader::with_capacity(2048, stream);
    let mut status = String::new();
    stream.read_line(&mut status).await.expect("an answer");
    assert!(status.contains(" 200 "), "a stream is refused: {status}");
    stream
}

async fn read(
    stream: BufReader<TcpStream>,
    delays: Arc<Mutex<Vec<Duration>>>,
    late: Arc<AtomicU64>,
) {
    let mut lines = stream.lines();
    while let Ok(Some(line)) = lines.next_line().await {
        let Some((_, at)) = line
            .split_once("\"at\":\"")
            .filter(|_| line.starts_with("data: "))
        else {
            continue;
        };
        let at: jiff::Timestamp = at
            .split('"')
            .next()
            .unwrap_or_default()
            .parse()
            .expect("a time");
        let delay = jiff::Timestamp::now().duration_since(at);
        late.fetch_add(1, Ordering::Relaxed);
        delays.lock().expect("no panic").push(delay.unsigned_abs());
    }
}
