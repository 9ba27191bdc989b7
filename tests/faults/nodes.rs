//! Two nodes on one database: one is killed while bots play, and the other continues their games.

use std::time::{Duration, Instant};

use super::support::{Database, Program, Scale, figure, games, wait_until};

/// The number of games that run when the node is killed.
const GAMES: usize = 6;

/// A pause between the moves of bots. Without it, a fast machine finishes the games before the node is killed;
/// with it, they last for half a minute at least.
const PAUSE: [&str; 2] = ["--bot-pause", "5"];

async fn kill_one_node(case: &str, database: Database) {
    let scale = Scale::from_environment(case);
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
            // A node may read the other's writes late, so its own numbers are compared.
            let game = client.get(&path).await.ok(200);
            if game["status"] != "finished" {
                left.push((path, game["seq"].as_u64().expect("a number")));
            }
        }
        figure(case, "running games of the dead node", left.len());
        assert!(!left.is_empty(), "they ended before the node was killed");
        // After this, no work of the dead node is pending.
        let catches_up = async || {
            for (path, seq) in &mut left {
                let now = client.seq(path).await.unwrap_or(*seq);
                *seq = now.max(*seq);
            }
            begun.elapsed() > Duration::from_secs(1)
        };
        wait_until(catches_up).await.expect("a second passes");
        for (path, seq) in &left {
            let goes_on = async || {
                let answer = client.get(path).await.ok(200);
                answer["status"] == "finished" || answer["seq"].as_u64() > Some(*seq)
            };
            let goes_on = wait_until(goes_on).await;
            assert!(goes_on.is_some(), "{path} stands still at {seq}");
            longest = longest.max(begun.elapsed());
        }
    }
    figure(case, "all go on after, s (bar 15)", longest.as_secs_f64());
}

#[tokio::test(flavor = "multi_thread")]
async fn another_node_takes_over_on_sqlite() {
    kill_one_node("a dead node, SQLite", Database::sqlite()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn another_node_takes_over_on_postgres() {
    kill_one_node("a dead node, PostgreSQL", Database::postgres()).await;
}
