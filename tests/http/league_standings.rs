//! Standings of every format, recomputed from the log of the league by a program that shares no code with the server.

use std::fmt::Write as _;
use std::process::Command;

use serde_json::{Value, json};

use super::leagues::{full_league, result};
use super::support::{TestServer, array, assert_contains, text};

/// The most earlier states of a league whose standings are recomputed.
const STATES: u64 = 8;

/// Recomputes all standings of a public league: of each season, division and team, and of earlier states.
pub async fn assert_recomputed(server: &TestServer, path: &str) {
    let (events, answers) = logs_and_standings(server, path).await;
    let printed = recompute(path, &events, &answers).expect("the standings follow from the log");
    assert_contains(&printed, " 0 differences");
}

/// Returns the log of a league, a page a line, and its standings, an answer a line.
async fn logs_and_standings(server: &TestServer, path: &str) -> (String, String) {
    let (mut events, mut answers) = (String::new(), String::new());
    let mut next = format!("{path}/events?limit=100");
    loop {
        let page = server.read(&next).await;
        writeln!(events, "{page}").unwrap();
        match page["next"].as_str() {
            Some(cursor) => next = format!("{path}/events?limit=100&cursor={cursor}"),
            None => break,
        }
    }
    let league = server.read(path).await;
    let last = league["seq"].as_u64().unwrap();
    for (number, season) in (1..).zip(array(&league["seasons"])) {
        let mut queries = vec![format!("standings?season={number}")];
        let divisions = array(&season["divisions"]).len();
        queries
            .extend((1..=divisions).map(|own| format!("standings?season={number}&division={own}")));
        if !array(&season["teams"]).is_empty() {
            queries.push(format!("teams/standings?season={number}"));
        }
        for query in queries {
            writeln!(answers, "{}", server.read(&format!("{path}/{query}")).await).unwrap();
        }
        for seq in (0..last).rev().step_by((last / STATES).max(1) as usize) {
            let earlier = server
                .get(&format!("{path}/standings?season={number}&as_of={seq}"))
                .await;
            // The season may not have begun.
            if earlier.status == 200 {
                writeln!(answers, "{}", earlier.ok(200)).unwrap();
            }
        }
    }
    (events, answers)
}

/// Runs the program; returns its output, or its messages if something differs.
fn recompute(path: &str, events: &str, answers: &str) -> Result<String, String> {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("events"), events).unwrap();
    std::fs::write(folder.path().join("standings"), answers).unwrap();
    let program = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../tests/recompute_standings.py"
    );
    let output = Command::new("python3")
        .arg(program)
        .arg(path.rsplit('/').next().unwrap())
        .args(["events", "standings"])
        .current_dir(folder.path())
        .output()
        .expect("python3 is needed to run tests/recompute_standings.py: install it");
    match output.status.success() {
        true => Ok(String::from_utf8(output.stdout).unwrap()),
        false => Err(String::from_utf8(output.stderr).unwrap()),
    }
}

#[tokio::test]
async fn the_program_finds_wrong_standings() {
    let server = TestServer::start();
    let rules = json!({"scoring": {"rank_points": [5, 3, 2]}, "tie_breaks": ["wins", "average", "opponents", "lot"]});
    let season = json!({"season": {"name": "Spring", "rules": rules}});
    let (path, members) = full_league(&server, 1, 3, season).await;
    let entered = result(&members, &[(0, 1), (1, 2), (2, 2)]);
    server
        .create(&format!("{path}/results"), &members[0].1, entered)
        .await;
    let (events, answers) = logs_and_standings(&server, &path).await;
    recompute(&path, &events, &answers).unwrap();
    let first: Value = serde_json::from_str(answers.lines().next().unwrap()).unwrap();
    for (field, value) in [
        ("/rows/0/points", json!(5.5)),
        ("/rows/1/rank", json!(3)),
        ("/rows/0/games", json!(2.0)),
        ("/rows/2/tie_breaks/3", json!(9.0)),
        (
            "/rows/1/member/id",
            json!(text(&first["rows"][2]["member"]["id"])),
        ),
    ] {
        let mut wrong = first.clone();
        *wrong.pointer_mut(field).unwrap() = value;
        let found = recompute(&path, &events, &wrong.to_string());
        assert!(found.is_err(), "{field}: {found:?}");
    }
}
