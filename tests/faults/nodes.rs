//! Two nodes on one database: one is killed in the midst of games of bots, the other goes on with them.

use std::time::{Duration, Instant};

use super::support::{Database, Program, Scale, comes_true, figure, games};

/// Games that run when the node is killed.
const GAMES: usize = 6;

/// Bots take their time, or a fast machine is through with the games before the node is killed: these last for
/// half a minute at least.
const PAUSE: [&str; 2] = ["--bot-pause", "5"];

async fn takes_over(case: &str, database: Database) {
    let scale = Scale::of(case);
    let mut random = fastrand::Rng::with_seed(scale.seed);
    let serve = || Program::serve_as(&database, "127.0.0.1:0", "", &PAUSE);
    let stays = serve();
    let mut longest = Duration::ZERO;
    for _ in 0..scale.kills.div_ceil(8) {
        let mut dies = serve();
        let client = dies.client();
        let mut paths = Vec::new();
        for _ in 0..GAMES {
            paths.push(client.create(&games(500)).await.0);
        }
        tokio::time::sleep(Duration::from_millis(random.u64(100..1500))).await;
        dies.kill();
        let begun = Instant::now();

        let client = stays.client();
        let mut left = Vec::new();
        for path in paths {
            // The node may see late what the other has written, so its own numbers are compared.
            let game = client.get(&path).await.ok(200);
            if game["status"] != "finished" {
                left.push((path, game["seq"].as_u64().expect("a number")));
            }
        }
        figure(case, "running games of the dead node", left.len());
        assert!(!left.is_empty(), "they ended before the node was killed");
        // Nothing of the dead node is under way after this.
        let catches_up = async || {
            for (path, seq) in &mut left {
                let now = client.seq(path).await.unwrap_or(*seq);
                *seq = now.max(*seq);
            }
            begun.elapsed() > Duration::from_secs(1)
        };
        comes_true(catches_up).await.expect("a second passes");
        for (path, seq) in &left {
            let goes_on = async || {
                let answer = client.get(path).await.ok(200);
                answer["status"] == "finished" || answer["seq"].as_u64() > Some(*seq)
            };
            let goes_on = comes_true(goes_on).await;
            assert!(goes_on.is_some(), "{path} stands still at {seq}");
            longest = longest.max(begun.elapsed());
        }
    }
    figure(case, "all go on after, s (bar 15)", longest.as_secs_f64());
}

#[tokio::test(flavor = "multi_thread")]
async fn another_node_takes_over_on_sqlite() {
    takes_over("a dead node, SQLite", Database::sqlite()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn another_node_takes_over_on_postgres() {
    takes_over("a dead node, PostgreSQL", Database::postgres()).await;
}
