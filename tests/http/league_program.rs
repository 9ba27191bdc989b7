//! `tabularium league`: the quickstart as it is printed, and the messages of refusals.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

use super::accounts::register;
use super::program::{done, failed, tabularium};
use super::support::{TestServer, array};

/// Extracts the commands of a page, as a shell would receive them.
fn commands(page: &str) -> String {
    let blocks = page.split("```sh\n").skip(1);
    blocks
        .map(|block| block.split("```").next().unwrap())
        .collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_quickstart_of_leagues_works_as_written() {
    let server = TestServer::start();
    let folder = tempfile::tempdir().unwrap();
    let page = include_str!("../../openapi/quickstarts/league.md");
    let programs = Path::new(env!("CARGO_BIN_EXE_tabularium"))
        .parent()
        .unwrap();
    let path = format!("{}:{}", programs.display(), std::env::var("PATH").unwrap());
    let output = Command::new("sh")
        .args(["-euc", &commands(page)])
        .current_dir(folder.path())
        .env("PATH", path)
        .env("TABULARIUM_URL", format!("http://{}", server.socket()))
        .env_remove("TABULARIUM_TOKEN")
        .output()
        .unwrap();
    done(&output);
    let output = String::from_utf8(output.stdout).unwrap();
    let file = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();

    let leagues = server.read("/v1/leagues").await;
    let id = leagues["items"][0]["id"].as_str().unwrap();
    let path = format!("/v1/leagues/{id}");
    let body = server.read(&path).await;
    let members = array(&body["members"]);
    assert_eq!(members.len(), 8);
    for (line, member) in file("members.txt").lines().zip(members) {
        let (id, name) = line.split_once(' ').unwrap();
        assert_eq!(
            (id, name),
            (
                member["id"].as_str().unwrap(),
                member["name"].as_str().unwrap()
            )
        );
    }

    // The printed round is the round that the server has.
    let tables = server.read(&format!("{path}/tables")).await;
    let tables = array(&tables["items"]);
    assert_eq!(tables.len(), 3);
    let round = file("round1.txt");
    for table in &tables[..2] {
        assert_eq!(table["deadline"], "2100-01-31T20:00:00Z");
        assert_eq!(table["note"], "the oracle is closed");
        let moved = format!(": table {} by 2100-01-31T20:00:00Z", table["table"]);
        assert!(file("moved.txt").contains(&moved), "{moved}");
        let game = table["game"].as_str().unwrap();
        assert!(
            round.contains(&format!("table {} {game} ", table["table"])),
            "{round}"
        );
    }
    let tokens: Vec<Vec<&str>> = (round.lines())
        .filter(|line| line.starts_with("token "))
        .map(|line| line.split(' ').collect())
        .collect();
    assert_eq!(tokens.len(), 8);
    for token in tokens {
        let table: usize = token[1].parse().unwrap();
        let game = tables[table - 1]["game"].as_str().unwrap();
        let own = format!("/v1/games/{game}/seats/{}/orders", token[2]);
        let own = server.with(reqwest::Method::GET, &own, token[4]);
        super::support::send(own).await.ok(200);
    }
    assert!(file("cup.ics").contains("DTSTART:20991231T200000Z"));
    assert!(file("moved.ics").contains("DTSTART:21000131T200000Z"));

    // The standings before and after.
    let before = file("before.csv");
    assert_eq!(
        before.lines().nth(1).unwrap().split(',').nth(2),
        Some("Dido")
    );
    let lines: Vec<Vec<&str>> = (output.lines())
        .map(|line| line.split_whitespace().collect())
        .collect();
    let head = ["member", "points", "games", "wins", "head_to_head", "lot"];
    let place = lines.iter().position(|line| *line == head).unwrap();
    let rows = &lines[place + 1..place + 9];
    let standings = server.read(&format!("{path}/standings")).await;
    for (line, row) in rows.iter().zip(array(&standings["rows"])) {
        let expected = [
            row["rank"].to_string(),
            row["member"]["name"].as_str().unwrap().to_owned(),
        ];
        assert_eq!(line[..2], expected);
        assert_eq!(
            line[2].parse::<f64>().unwrap(),
            row["points"].as_f64().unwrap()
        );
    }
    assert_eq!(rows[0][..4], ["1", "Hanno", "5", "1"]);
    let as_of = format!("as of event {}, ", standings["seq"]);
    assert!(output.contains(&as_of), "{output}");

    let events = server.read(&format!("{path}/events?limit=1000")).await;
    let log: Vec<Value> = (file("cup.ndjson").lines())
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(&log, array(&events["items"]));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_program_says_why_a_service_refuses() {
    let server = TestServer::start();
    let (_, token) = register(&server, "dido").await;
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let url = format!("http://{}", server.socket());
    let league = |token: &str, arguments: &[&str]| {
        let own = ["league", "--url", &url, "--token", token];
        tabularium(folder, &[&own[..], arguments].concat())
    };
    std::fs::write(folder.join("bad.json"), "{").unwrap();
    std::fs::write(folder.join("odd.json"), r#"{"name": ""}"#).unwrap();
    std::fs::write(folder.join("good.json"), r#"{"name": "Cup"}"#).unwrap();
    for (token, file, expected) in [
        (&*token, "none.json", "cannot read none.json"),
        (&token, "bad.json", "bad.json is not valid JSON"),
        (&token, "odd.json", "name: "),
        ("wrong", "good.json", "401"),
    ] {
        let errors = failed(&league(token, &["create", file]), 1);
        assert!(errors.contains(expected), "{file}: {errors}");
    }
    let output = league(&token, &["create", "good.json"]);
    done(&output);
    let id = String::from_utf8(output.stdout).unwrap();
    let id = id.trim();
    for (arguments, expected) in [
        (&["standings", id][..], "404"),
        (
            &["add", id, "--invite", "unknown"],
            "no account has this id or handle",
        ),
        (
            &[
                "pair",
                id,
                "--round",
                "1",
                "--seed",
                "x",
                "--board",
                "antike-east",
            ],
            "no season has begun",
        ),
        (&["log", "0190b5a8-7c1e-7a3b-9d52-3f6a1c0e4b77"], "404"),
    ] {
        let errors = failed(&league(&token, arguments), 1);
        assert!(errors.contains(expected), "{arguments:?}: {errors}");
    }
    failed(&league(&token, &["add", id]), 2);
    let away = ["league", "--url", "http://127.0.0.1:1", "log", id];
    let errors = failed(&tabularium(folder, &away), 1);
    assert!(errors.contains("http://127.0.0.1:1/"), "{errors}");
}
