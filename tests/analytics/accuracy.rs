//! The accuracy of play: from records and analyses to every format.

use std::fs;

use analytics::GameFacts;
use engine::content::Library;
use serde_json::Value;

use super::{Fixture, done, run, support, text};

/// Prepares made-up analyses of the first games. Returns the fixture and the file of the analyses.
fn with_analyses() -> (Fixture, String) {
    let fixture = Fixture::new();
    let lines = fixture.records[..10].iter().flat_map(|record| {
        let game = GameFacts::derive(record, Library::embedded()).expect("facts");
        support::analysis_of(&game, "search:400")
    });
    let lines: Vec<Value> = lines.collect();
    let path = fixture.path("analyses.ndjson");
    fs::write(&path, support::ndjson(&lines)).expect("written");
    (fixture, path)
}

#[test]
fn accuracy_is_printed_in_every_format() {
    let (fixture, analyses) = with_analyses();
    let measure =
        |more: &[&str]| fixture.measure("accuracy", &[&["--analyses", &analyses], more].concat());
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
    let answer: Value = serde_json::from_str(&measure(&["--format", "json"])).expect("JSON");
    assert_eq!(
        (&answer["measure"], &answer["games"]),
        (&"accuracy".into(), &10.into())
    );
    let rows = answer["rows"].as_array().expect("rows");
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
        "Mean win probability lost",
        "judged by search:400, version 1.2.3, numbers abababab",
    ] {
        assert!(picture.contains(part), "{part:?} in {picture}");
    }
    let file = fixture.path("accuracy.parquet");
    measure(&["--format", "parquet", "--out", &file]);
    assert!(fs::read(file).expect("the file").starts_with(b"PAR1"));
    let described = done(&["describe", "accuracy"]);
    assert!(
        described.contains("\n  blunders (count, turns): "),
        "{described}"
    );
}

#[test]
fn invalid_analyses_are_named() {
    let (fixture, analyses) = with_analyses();
    let facts = fixture.path("facts");
    let fails = |arguments: &[&str], code: i32| {
        let output = run(&[&["measure"], arguments, &["--facts", &facts]].concat());
        assert_eq!(output.status.code(), Some(code), "{arguments:?}");
        text(&output.stderr)
    };
    // Records are no analyses.
    let records = fixture.path("games.ndjson");
    let errors = fails(&["accuracy", "--analyses", &records], 1);
    assert!(
        errors.contains("games.ndjson:1: not a line written by"),
        "{errors}"
    );
    let errors = fails(
        &["accuracy", "--analyses", &analyses, "--analyses", "nowhere"],
        1,
    );
    assert!(errors.contains("nowhere"), "{errors}");
    let errors = fails(&["accuracy"], 2);
    assert!(errors.contains("--analyses"), "{errors}");
    let errors = fails(&["nations", "--analyses", &analyses], 1);
    assert!(errors.contains("uses no analyses"), "{errors}");
    // A truncated file is found.
    let lines = fs::read_to_string(&analyses).expect("analyses");
    let cut = fixture.path("cut.ndjson");
    fs::write(
        &cut,
        &lines[..lines.trim_end().rfind('\n').expect("lines") + 1],
    )
    .expect("written");
    let errors = fails(&["accuracy", "--analyses", &cut], 1);
    assert!(errors.contains("is incomplete"), "{errors}");
    // Analyses with more games than the facts.
    let known = fixture.records[..1].to_vec();
    super::write_records(std::path::Path::new(&fixture.path("one.ndjson")), &known);
    let one = fixture.path("one");
    done(&["facts", "--from", &fixture.path("one.ndjson"), "--to", &one]);
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
    let errors = text(&output.stderr);
    assert!(
        errors.contains("9 analysed games are excluded because the facts do not contain them"),
        "{errors}"
    );
}
