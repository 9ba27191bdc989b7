//! Ten thousand followers of a thousand games, with an event each second in each game.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use crate::support::{Database, MANY_FILES, Program, Stream, Times, open_stream};
use crate::{Row, number};

/// The seconds that are measured.
const SECONDS: usize = 20;

/// Measures the time from the recording of an event to its arrival at each follower.
pub async fn measure_followers() -> Vec<Row> {
    let followers = number("BARS_FOLLOWERS", 10_000);
    let games = followers / 10;
    let database = Database::sqlite();
    let server = Program::serve_as(&database, "127.0.0.1:0", MANY_FILES, &[]);
    let client = server.client();
    let mut played = Vec::new();
    for _ in 0..games {
        played.push(client.game_of_people().await);
    }
    let delays = Arc::new(Mutex::new(Vec::<Duration>::new()));
    let mut readers = Vec::new();
    for follower in 0..followers {
        let path = format!("{}/events?after=0", played[follower % games].0);
        let (status, stream) = open_stream(server.socket(), &path).await;
        // The system may permit fewer open files than there are followers.
        let Some(stream) = stream else {
            assert_eq!(status, 503, "stream {follower}");
            continue;
        };
        readers.push(tokio::spawn(read(stream, Arc::clone(&delays))));
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
            // One event for each game: moving the stone, then ending the turn.
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
    let delays = Times::sorted(std::mem::take(&mut *delays.lock().expect("no panic")));
    let expected = readers.len() * SECONDS;
    let what = format!("{} followers of {games} games", readers.len());
    let more = format!(
        "{} of {expected} arrived, {failed} turns failed, {:.1} s for {SECONDS}; {delays}",
        delays.len(),
        offered.as_secs_f64()
    );
    readers.iter().for_each(tokio::task::JoinHandle::abort);
    vec![
        Row::new(
            format!("{what}: recorded until received, p99"),
            250.0,
            delays.quantile(0.99),
            "ms",
        )
        .with(more),
        Row::new(format!("{what}: resident"), 800.0, resident, "MiB"),
        Row::without_bar(format!("{what}: CPU"), cpu, "cores"),
        Row::without_bar(
            format!("{what}: POST, p99"),
            Times::sorted(times).quantile(0.99),
            "ms",
        ),
    ]
}

async fn read(mut lines: Stream, delays: Arc<Mutex<Vec<Duration>>>) {
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
        delays.lock().expect("no panic").push(delay.unsigned_abs());
    }
}
