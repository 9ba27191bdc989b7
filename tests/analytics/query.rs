//! `query`: SQL on the tables of facts.

use std::fs;

use serde_json::Value;

use super::{Fixture, done, run, text};

#[test]
fn sql_queries_on_facts_are_answered_in_every_format() {
    let fixture = Fixture::new();
    let facts = fixture.path("facts");
    let sql = "SELECT game, recorded_at, nations, rated FROM games ORDER BY log_position LIMIT 2";
    let ask = |more: &[&str]| done(&[&["query", "--facts", &facts][..], more, &[sql]].concat());
    let rows: Vec<Value> = serde_json::from_str(&ask(&["--format", "json"])).expect("JSON");
    let ids: Vec<&Value> = rows.iter().map(|row| &row["game"]).collect();
    assert_eq!(ids, [&fixture.records[0].id, &fixture.records[1].id]);
    let time = rows[0]["recorded_at"].as_str().expect("a time");
    assert!(time.ends_with('Z'), "{time}");
    assert!(time.parse::<jiff::Timestamp>().is_ok(), "{time}");

    let csv = ask(&["--format", "csv"]);
    let lines: Vec<&str> = csv.lines().collect();
    assert_eq!(lines[0], "game,recorded_at,nations,rated");
    let cells: Vec<&str> = lines[1].split(',').collect();
    let kept: jiff::Timestamp = cells[1].parse().expect("a time with its zone");
    assert_eq!(kept.to_string(), *time);
    assert_eq!((cells[0], cells[3]), (&*fixture.records[0].id, "false"));

    let table = ask(&[]);
    assert!(
        table.contains(&fixture.records[1].id) && table.ends_with("\n2 rows\n"),
        "{table}"
    );

    let file = fixture.path("answer.parquet");
    ask(&["--format", "parquet", "--out", &file]);
    assert!(fs::read(file).expect("a file").starts_with(b"PAR1"));
}

/// Counts nations over a join of two tables.
#[test]
fn tables_are_joined() {
    let fixture = Fixture::new();
    let sql = "SELECT COUNT(*) AS count FROM seats JOIN games USING (game) WHERE games.rounds >= 0";
    let output = done(&[
        "query",
        "--facts",
        &fixture.path("facts"),
        "--format",
        "csv",
        sql,
    ]);
    let nations = |record: &records::Record| -> usize {
        record
            .setup
            .seats
            .iter()
            .map(|seat| seat.nations.len())
            .sum()
    };
    let count: usize = fixture.records.iter().map(nations).sum();
    assert_eq!(output, format!("count\n{count}\n"));
}

#[test]
fn invalid_queries_are_refused_with_the_known_names() {
    let fixture = Fixture::new();
    let facts = fixture.path("facts");
    for (sql, named) in [
        ("SELEC game FROM games", "SELEC"),
        ("SELECT game FROM matches", "matches"),
        ("SELECT winner FROM games", "winner"),
        ("SELECT 1; SELECT 2", "one (and only one)"),
        ("", "one (and only one)"),
        ("DROP TABLE games", "only SELECT"),
    ] {
        let refused = run(&["query", "--facts", &facts, sql]);
        let said = text(&refused.stderr);
        assert_eq!(refused.status.code(), Some(1), "{sql}: {said}");
        let tables = "games, seats, turns";
        assert!(
            said.contains(named) && said.contains(tables),
            "{sql}: {said}"
        );
    }
    let empty = run(&["query", "--facts", &fixture.path("nothing"), "SELECT 1"]);
    assert!(
        text(&empty.stderr).contains("this folder has no facts"),
        "{empty:?}"
    );
}
