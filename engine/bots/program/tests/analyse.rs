//! Tests of `tabularium-bots analyse`.

use std::path::Path;

use analytics::{Analyses, BLUNDER, Facts, Filters, accuracy};
use engine::content::Library;
use records::{AnnotatedRecord, Record};
use serde_json::{Value, json};

use super::{done, failed, program, records};

/// A golden record cut off early between two turns, to save time.
fn short(folder: &Path) -> Record {
    let text = include_str!("../../../../tests/records/greece_persia_2_goes_on.txt");
    let record = Record::from_text_with_turns(text, Library::embedded()).unwrap();
    let line = serde_json::to_string(&record).unwrap() + "\n";
    std::fs::write(folder.join("game.ndjson"), line).unwrap();
    record
}

#[test]
fn records_are_analysed() {
    let folder = tempfile::tempdir().unwrap();
    let record = short(folder.path());
    let analyse = |more: &[&str]| {
        let arguments = ["analyse", "game.ndjson", "--budget", "4"];
        let output = program(folder.path(), &[&arguments, more].concat());
        let progress = done(&output);
        (String::from_utf8(output.stdout).unwrap(), progress)
    };
    let (lines, progress) = analyse(&["--format", "ndjson"]);
    assert!(progress.contains("turns"), "{progress}");
    let lines: Vec<Value> = lines
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let (last, turns) = lines.split_last().unwrap();
    assert!(turns.len() > 10, "{} turns", turns.len());
    let mut done = Vec::new();
    let (mut lost, mut before) = ([0.0, 0.0], [0.0, 0.0]);
    for turn in turns {
        assert_eq!(
            (&turn["kind"], &turn["game"]),
            (&json!("turn"), &json!(record.id))
        );
        for when in ["before", "after"] {
            let shares = turn[when].as_array().unwrap();
            let sum: f64 = shares
                .iter()
                .map(|one| one["share"].as_f64().unwrap())
                .sum();
            assert!((sum - 1.0).abs() < 1e-9, "{shares:?}");
        }
        let fall = turn["lost"].as_f64().unwrap();
        assert_eq!(turn["better"].is_null(), fall == 0.0);
        assert_eq!(turn["mark"].is_null(), fall < 0.02, "{turn}");
        assert_eq!(turn["mark"] == "??", fall >= BLUNDER, "{turn}");
        let seat = turn["seat"].as_u64().unwrap() as usize;
        if let Some(better) = turn["better"].as_object() {
            let before = turn["before"][seat]["share"].as_f64();
            assert_eq!(better["share"].as_f64(), before);
            assert!(better["actions"][0].is_string());
        }
        lost[seat] += fall;
        before[seat] += turn["before"][seat]["share"].as_f64().unwrap();
        for name in ["judge", "numbers", "version", "seed"] {
            assert_eq!(turn[name], last[name], "{name}");
        }
        done.extend(turn["actions"].as_array().unwrap().iter().cloned());
    }
    assert_eq!(Value::from(done), json!(record.actions));
    assert_eq!(
        (&last["kind"], &last["judge"]),
        (&json!("game"), &json!("search:4"))
    );
    for (seat, player) in last["players"].as_array().unwrap().iter().enumerate() {
        let own = turns.iter().filter(|turn| turn["seat"] == seat).count();
        assert_eq!(player["turns"], own);
        let mean = player["lost"].as_f64().unwrap();
        assert!((mean * own as f64 - lost[seat]).abs() < 1e-9);
        let accuracy = player["accuracy"].as_f64().unwrap();
        assert!((accuracy - (1.0 - lost[seat] / before[seat])).abs() < 1e-9);
    }
    let worst = last["turning_points"][0].clone();
    let most = turns.iter().map(|turn| turn["lost"].as_f64().unwrap());
    let most = most.fold(0.0, f64::max);
    let named = turns.iter().find(|turn| turn["turn"] == worst);
    assert_eq!(named.map(|turn| turn["lost"].as_f64().unwrap()), Some(most));
    // The same again, as an annotated record.
    let (text, _) = analyse(&["--format", "annotated"]);
    let read = AnnotatedRecord::from_text(&text, Library::embedded()).unwrap();
    assert_eq!(read.record, record);
    let marked = turns.iter().filter_map(|turn| turn["mark"].as_str());
    let marked: Vec<String> = marked.map(str::to_owned).collect();
    let notes = read.annotations.notes.iter();
    let verdicts: Vec<String> = notes
        .clone()
        .map(|note| note.verdict.unwrap().to_string())
        .collect();
    assert_eq!(verdicts, marked);
    assert!(
        notes.clone().all(|note| note.variations.len() == 1),
        "{text}"
    );
    // The same again, as text.
    let (text, _) = analyse(&[]);
    assert_eq!(analyse(&[]).0, text);
    assert_ne!(analyse(&["--seed", "2"]).0, text);
    for part in [
        "Round 1\n",
        "better ",
        "Turning points\n  round",
        "Ahead at the end of rounds: ",
        "\n    done:   ",
        "\n    better: ",
        "Accuracy",
        "?!",
    ] {
        assert!(text.contains(part), "{part:?} in {text}");
    }
    assert!(
        text.lines().all(|line| line.chars().count() <= 120),
        "{text}"
    );
}

/// From the simulation through the analysis to the measure.
#[test]
fn the_accuracy_of_analysed_games_agrees_with_the_measure() {
    let folder = tempfile::tempdir().unwrap();
    let run = |arguments: &[&str]| {
        let output = program(folder.path(), arguments);
        done(&output);
        String::from_utf8(output.stdout).unwrap()
    };
    let game = ["--board", "duellum-rome-carthage", "--max-rounds", "4"];
    let bots = ["--bots", "greedy,random", "--games", "2", "--seed", "7"];
    run(&[&["simulate"], &game[..], &bots, &["--out", "games.ndjson"]].concat());
    let analyse = |budget: &str| {
        let budget = format!("--budget={budget}");
        run(&["analyse", "games.ndjson", "--format", "ndjson", &budget])
    };
    let (two, three) = (analyse("2"), analyse("3"));
    let games = std::fs::read_to_string(folder.path().join("games.ndjson")).unwrap();
    let (facts, left_out) = Facts::from_records(&records(&games), Library::embedded()).unwrap();
    assert!(left_out.is_empty());
    let files = [("two", &two), ("three", &three)];
    let files = files.map(|(name, lines)| (name.to_owned(), lines.as_bytes()));
    let analyses = Analyses::read(files).unwrap();
    let filters: Filters = serde_json::from_value(json!({"reason": "any"})).unwrap();
    let answer = accuracy(&facts.lazy(), &analyses, &filters).unwrap();
    assert_eq!((answer.table.games, answer.unknown), (2, 0));
    let table = answer.table.to_json().unwrap();
    let rows = table["rows"].as_array().unwrap();
    for (lines, judge) in [(&two, "search:2"), (&three, "search:3")] {
        let lines = lines
            .lines()
            .map(|line| serde_json::from_str(line).unwrap());
        let games: Vec<Value> = lines
            .filter(|line: &Value| line["kind"] == "game")
            .collect();
        for player in ["greedy", "random"] {
            let own = |row: &&Value| row["level"] == player && row["judge"] == judge;
            let row = rows.iter().find(own).unwrap();
            let seats = games
                .iter()
                .flat_map(|game| game["players"].as_array().unwrap());
            let seats: Vec<&Value> = seats.filter(|seat| seat["player"] == player).collect();
            assert_eq!((seats.len(), &row["games"]), (2, &json!(2)));
            let number = |seat: &Value, name: &str| seat[name].as_f64().unwrap();
            let turns: f64 = seats.iter().map(|seat| number(seat, "turns")).sum();
            let best: f64 = seats.iter().map(|seat| number(seat, "best")).sum();
            let lost = seats
                .iter()
                .map(|seat| number(seat, "turns") * number(seat, "lost"));
            assert_eq!(number(row, "turns"), turns);
            assert!((number(row, "best") - best / turns).abs() < 1e-9);
            assert!((number(row, "lost") - lost.sum::<f64>() / turns).abs() < 1e-9);
        }
    }
}

#[test]
fn invalid_records_are_reported_and_the_others_analysed() {
    let folder = tempfile::tempdir().unwrap();
    short(folder.path());
    let file = folder.path().join("game.ndjson");
    let record = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, format!("{{}}\n{record}")).unwrap();
    let arguments = ["analyse", "game.ndjson", "--budget", "1"];
    let output = program(folder.path(), &arguments);
    let errors = failed(&output, 1);
    assert!(errors.contains("game.ndjson:1: "), "{errors}");
    assert!(
        errors.contains("1 records could not be analysed"),
        "{errors}"
    );
    assert!(
        String::from_utf8(output.stdout)
            .unwrap()
            .contains("Round 1\n")
    );
    for budget in ["0", "ms", "1s", "-1"] {
        let budget = format!("--budget={budget}");
        let wrong = program(folder.path(), &["analyse", "game.ndjson", &budget]);
        failed(&wrong, 2);
    }
}
