//! How well games were played: from records and analyses to every format.

use std::fs;

use analytics::GameFacts;
use engine::content::Library;
use serde_json::Value;

use super::{SigningKey, done, run, support, text};

/// An office with made-up analyses of its first games.
fn analysed() -> (SigningKey, String) {
    let office = SigningKey::new();
    let lines = office.records[..10].iter().flat_map(|record| {
        let game = GameFacts::derive(record, Library::embedded()).expect("facts");
        support::analysis_of(&game, "search:400")
    });
    let lines: Vec<Value> = lines.collect();
    let path = office.path("analyses.ndjson");
    fs::write(&path, support::ndjson(&lines)).expect("written");
    (office, path)
}

#[test]
fn accuracy_is_told_in_every_format() {
    let (office, analyses) = analysed();
    let measure =
        |more: &[&str]| office.measure("accuracy", &[&["--analyses", &analyses], more].concat());
    let table = measure(&["--board", "antike-east", "--nations", "4"]);
    for part in [
        "judge search:400",
        "version 1.2.3",
        "numbers abab",
        " random ",
        " greeks ",
    ] {
        assert!(table.contains(part), "{part:?} in {table}");
    }
    for line in table.lines() {
        assert!(line.chars().count() <= 80, "{line}");
    }
    let told: Value = serde_json::from_str(&measure(&["--format", "json"])).expect("JSON");
    assert_eq!(
        (&told["measure"], &told["games"]),
        (&"accuracy".into(), &10.into())
    );
    let rows = told["rows"].as_array().expect("rows");
    assert!(rows.iter().all(|row| row["judge"] == "search:400"));
    let turns = |by: &str| {
        let own = rows.iter().filter(|row| row["by"] == by);
        own.filter_map(|row| row["turns"].as_u64()).sum::<u64>()
    };
    assert!(turns("player") > 100);
    for by in ["nation", "place", "opening"] {
        assert_eq!(turns(by), turns("player"), "{by}");
    }
    let csv = measure(&["--format", "csv"]);
    assert_eq!(csv.lines().count(), rows.len() + 1);
    assert!(csv.starts_with("by,level,edition"), "{csv}");
    let picture = measure(&["--format", "svg"]);
    for part in [
        "What of the win a turn lost",
        "judged by search:400, version 1.2.3, numbers abababab",
    ] {
        assert!(picture.contains(part), "{part:?} in {picture}");
    }
    let file = office.path("accuracy.parquet");
    measure(&["--format", "parquet", "--out", &file]);
    assert!(fs::read(file).expect("the file").starts_with(b"PAR1"));
    let described = done(&["describe", "accuracy"]);
    assert!(
        described.contains("\n  blunders (count, turns): "),
        "{described}"
    );
}

#[test]
fn what_is_no_analysis_is_named() {
    let (office, analyses) = analysed();
    let facts = office.path("facts");
    let fails = |arguments: &[&str], code: i32| {
        let output = run(&[&["measure"], arguments, &["--facts", &facts]].concat());
        assert_eq!(output.status.code(), Some(code), "{arguments:?}");
        text(&output.stderr)
    };
    // Records are no analyses.
    let records = office.path("games.ndjson");
    let told = fails(&["accuracy", "--analyses", &records], 1);
    assert!(
        told.contains("games.ndjson:1: no line of an analysis"),
        "{told}"
    );
    let told = fails(
        &["accuracy", "--analyses", &analyses, "--analyses", "nowhere"],
        1,
    );
    assert!(told.contains("nowhere"), "{told}");
    let told = fails(&["accuracy"], 2);
    assert!(told.contains("--analyses"), "{told}");
    let told = fails(&["nations", "--analyses", &analyses], 1);
    assert!(told.contains("leave --analyses out"), "{told}");
    // A cut file is found.
    let lines = fs::read_to_string(&analyses).expect("analyses");
    let cut = office.path("cut.ndjson");
    fs::write(
        &cut,
        &lines[..lines.trim_end().rfind('\n').expect("lines") + 1],
    )
    .expect("written");
    let told = fails(&["accuracy", "--analyses", &cut], 1);
    assert!(told.contains("is not whole"), "{told}");
    // Analyses that know more games than the facts.
    let known = office.records[..1].to_vec();
    super::write_records(std::path::Path::new(&office.path("one.ndjson")), &known);
    let one = office.path("one");
    done(&["facts", "--from", &office.path("one.ndjson"), "--to", &one]);
    let output = run(&[
        "measure",
        "accuracy",
        "--facts",
        &one,
        "--analyses",
        &analyses,
        "--reason",
        "any",
    ]);
    assert_eq!(output.status.code(), Some(0));
    let told = text(&output.stderr);
    assert!(
        told.contains("9 analysed games are not among the facts"),
        "{told}"
    );
}
