//! A disconnected stream resumes: every event arrives exactly once, in order.

use std::time::Duration;

use reqwest::Method;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

use super::support::{Client, Database, Program, Scale, figure, games};

/// Starts a proxy to the service that closes each connection after some bytes of the answer.
async fn start_cutting_proxy(service: String, seed: u64) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let address = listener.local_addr().expect("it is bound");
    tokio::spawn(async move {
        let mut random = fastrand::Rng::with_seed(seed);
        loop {
            let (mut client, _) = listener.accept().await.expect("a connection");
            let mut left = random.usize(200..6_000);
            let mut server = TcpStream::connect(&service)
                .await
                .expect("the service listens");
            tokio::spawn(async move {
                let (mut ask, mut send) = client.split();
                let (mut answer, mut receive) = server.split();
                let asking = tokio::io::copy(&mut ask, &mut receive);
                let answering = async {
                    let mut bytes = [0; 4096];
                    while left > 0 {
                        let Ok(count @ 1..) = answer.read(&mut bytes).await else {
                            return;
                        };
                        // The cut may be in the middle of a line.
                        let count = count.min(left);
                        left -= count;
                        if send.write_all(&bytes[..count]).await.is_err() {
                            return;
                        }
                    }
                };
                tokio::select! { _ = asking => {}, () = answering => {} }
            });
        }
    });
    format!("http://{address}")
}

/// Returns the ids of the complete events in a text of server-sent events.
fn ids(text: &str) -> impl Iterator<Item = u64> {
    let whole = text.rfind("\n\n").map_or("", |end| &text[..end]);
    let events = whole.split("\n\n").filter(|event| event.contains("data: "));
    events.filter_map(|event| {
        let id = event.lines().find_map(|line| line.strip_prefix("id: "))?;
        Some(id.parse().expect("a number"))
    })
}

/// Follows a stream through the proxy until `last` has arrived. Every id must be the next number.
async fn follow(client: &Client, path: &str, first: u64, last: u64) -> u64 {
    let (mut next, mut cuts) = (first, 0);
    while next <= last {
        let mut request = client.request(Method::GET, path);
        request = request.header("Accept", "text/event-stream");
        if next > first {
            request = request.header("Last-Event-ID", (next - 1).to_string());
        }
        let Ok(mut stream) = request.send().await else {
            cuts += 1;
            continue;
        };
        assert_eq!(stream.status(), 200, "{path}");
        let mut text = String::new();
        let silence = Duration::from_secs(60);
        // A cut ends the stream with an error or without one.
        while let Ok(Some(bytes)) = tokio::time::timeout(silence, stream.chunk())
            .await
            .unwrap_or_else(|_| panic!("{path}: no event arrived after {next}"))
            .map(|bytes| bytes.map(|bytes| bytes.to_vec()))
        {
            text.push_str(&String::from_utf8_lossy(&bytes));
            let fresh: Vec<u64> = ids(&text).collect();
            text.drain(..text.rfind("\n\n").map_or(0, |end| end + 2));
            for id in fresh {
                assert_eq!(id, next, "{path}: after {cuts} cuts");
                next += 1;
            }
            if next > last {
                return cuts;
            }
        }
        cuts += 1;
    }
    cuts
}

async fn assert_resumes(case: &str, database: Database) {
    let scale = Scale::from_environment(case);
    let program = Program::serve(&database);
    let client = program.client();
    let through = Client::new(&start_cutting_proxy(program.socket().to_owned(), scale.seed).await);
    for _ in 0..scale.kills.div_ceil(8) {
        let (path, _) = client.create(&games(12)).await;
        let game = tokio::spawn({
            let (through, path) = (through.clone(), format!("{path}/events"));
            // More events than the game will have: the stream is stopped below.
            async move { follow(&through, &path, 0, 60).await }
        });
        let all = follow(&through, "/v1/events", 1, 60).await;
        let game = game.await.expect("the game's stream resumes");
        figure(
            case,
            "cuts of the log's and the game's stream",
            format!("{all} {game}"),
        );
        let over = async || client.get(&path).await.ok(200)["status"] == "finished";
        super::support::wait_until(over)
            .await
            .expect("the game never ended");
        // The stream of a finished game is as complete as that of a running one.
        let last = client.seq(&path).await.expect("it is there");
        let cuts = follow(&through, &format!("{path}/events"), 0, last).await;
        figure(case, "cuts of a finished game's stream", cuts);
        assert!(cuts > 0, "nothing was cut");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cut_stream_resumes_on_sqlite() {
    assert_resumes("cut streams, SQLite", Database::sqlite()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cut_stream_resumes_on_postgres() {
    assert_resumes("cut streams, PostgreSQL", Database::postgres()).await;
}
