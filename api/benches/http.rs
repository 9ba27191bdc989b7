//! Measures requests for a game's view and durable actions over HTTP.
//! A bare handler that answers the same bytes is measured too: compare within one run.
//! Run it with `cargo bench --workspace --bench http`.
#![allow(missing_docs, reason = "criterion's macros")]

#[path = "../../tests/bars/bare.rs"]
mod bare;

use std::hint::black_box;

use api::http::limits::options::Limits;
use api::server::{Config, Server};

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use reqwest::Client;
use serde_json::{Value, json};
use tokio::runtime::Runtime;

/// Requests under way at a time.
const CLIENTS: usize = 8;

/// Starts a server on a fresh file with a game of three people; the first seat begins.
/// Returns the server, the game's address and the tokens of the seats.
fn server(runtime: &Runtime, folder: &std::path::Path) -> (Server, String, Vec<String>) {
    let server = Server::start(Config {
        listen: "127.0.0.1:0".to_owned(),
        database: format!("sqlite:{}", folder.join("bench.db").display()).into(),
        limits: Limits::unmetered(),
        ..Config::default()
    })
    .expect("it starts");
    let games = format!("http://{}/v1/games", server.address);
    let seat = |id: &str| json!({"player": {"placeholder": id}});
    let game = json!({"edition": "antike_ii", "board": "antike-ii-orient", "first": 0,
        "seats": [seat("one"), seat("two"), seat("three")]});
    let created: Value = runtime.block_on(async {
        let answer = Client::new().post(&games).json(&game).send().await;
        answer.expect("it answers").json().await.expect("JSON")
    });
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    let seats = &created["tokens"]["seats"];
    let tokens = (0..3).map(|seat| text(&seats[seat.to_string()])).collect();
    (server, format!("{games}/{}", text(&created["id"])), tokens)
}

/// Gets an address so many times, some requests at a time.
async fn get(client: &Client, address: &str, times: u64) {
    let one = |first: u64| async move {
        for _ in (first..times).step_by(CLIENTS) {
            let answer = client.get(address).send().await.expect("it answers");
            black_box(answer.bytes().await.expect("a body"));
        }
    };
    futures_util::future::join_all((0..CLIENTS as u64).map(one)).await;
}

fn http(criterion: &mut Criterion) {
    let runtime = Runtime::new().expect("a runtime");
    let folder = tempfile::tempdir().expect("a folder");
    let (_server, game, tokens) = server(&runtime, folder.path());
    let client = Client::new();
    let view = runtime.block_on(async {
        let answer = client.get(&game).send().await.expect("it answers");
        answer.bytes().await.expect("a body")
    });
    let bare = bare::start_bare_server(view);

    let mut group = criterion.benchmark_group("view");
    group.throughput(Throughput::Elements(1));
    for (name, address) in [("of a game", &game), ("of a bare handler", &bare)] {
        group.bench_function(name, |bench| {
            bench.iter_custom(|times| {
                let begun = std::time::Instant::now();
                runtime.block_on(get(&client, address, times));
                begun.elapsed()
            });
        });
    }
    group.finish();

    // Each request is a turn, and is on disk when it is answered. These fields leave nothing to ask.
    let fields = ["temple", "maneuver_1", "arming", "know_how"];
    let rounds = fields.iter().cycle();
    let mut turns = rounds.flat_map(|field| tokens.iter().map(move |token| (field, token)));
    let mut group = criterion.benchmark_group("action");
    group.sample_size(20);
    group.bench_function("a turn", |bench| {
        bench.iter(|| {
            let (field, token) = turns.next().expect("they go round");
            let actions = json!({"actions": [
                {"type": "move_stone", "field": field}, {"type": "end_turn"}]});
            let request = client.post(format!("{game}/actions"));
            let request = request.bearer_auth(token).json(&actions);
            let answer = runtime.block_on(request.send()).expect("it answers");
            assert_eq!(answer.status(), 201);
        });
    });
    group.finish();
}

criterion_group!(benches, http);
criterion_main!(benches);
