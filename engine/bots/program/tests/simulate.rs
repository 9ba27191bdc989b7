//! Tests of `tabularium-bots simulate` and `corpus`.

use std::path::Path;

use engine::content::Library;

use super::{done, failed, program, records};

const SIMULATE: &[&str] = &[
    "simulate",
    "--board",
    "antike-east",
    "--bots",
    "greedy,random,greedy,greedy",
    "--games",
    "6",
    "--seed",
    "7",
    "--max-rounds",
    "8",
    "--played-at",
    "2026-01-02T03:04:05Z",
    "--out",
];

fn simulate(folder: &Path, file: &str) -> String {
    let mut arguments = SIMULATE.to_vec();
    arguments.push(file);
    done(&program(folder, &arguments));
    std::fs::read_to_string(folder.join(file)).unwrap()
}

#[test]
fn an_invalid_data_file_is_reported_once() {
    let folder = tempfile::tempdir().unwrap();
    let rulesets = folder.path().join("data/rulesets");
    std::fs::create_dir_all(&rulesets).unwrap();
    std::fs::write(rulesets.join("mine.json"), "{}").unwrap();
    let simulate = ["simulate", "--data", "data", "--games", "1"];
    let errors = failed(&program(folder.path(), &simulate), 1);
    assert_eq!(
        errors.matches("not a valid data file").count(),
        1,
        "{errors}"
    );
    assert_eq!(errors.matches("missing field").count(), 1, "{errors}");
}

#[test]
fn a_simulation_repeats_and_verifies() {
    let folder = tempfile::tempdir().unwrap();
    let first = simulate(folder.path(), "a.ndjson");
    assert_eq!(first, simulate(folder.path(), "b.ndjson"));
    assert_eq!(first.lines().count(), 6);
    for record in records(&first) {
        record.verify(Library::embedded()).unwrap();
    }
}

/// After an interruption, even within a line, the file is completed to the same bytes.
/// The file of another simulation is not changed.
#[test]
fn a_simulation_goes_on_where_it_was_interrupted() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let whole = simulate(folder, "whole.ndjson");
    let half = whole.len() / 2;
    std::fs::write(folder.join("half.ndjson"), &whole[..half]).unwrap();
    let resume = |seed: &'static str| {
        let said = SIMULATE
            .iter()
            .map(|word| if *word == "7" { seed } else { word });
        let arguments: Vec<&str> = said.chain(["half.ndjson", "--resume"]).collect();
        program(folder, &arguments)
    };
    let refused = failed(&resume("8"), 1);
    assert!(refused.contains("other games"), "{refused}");
    let left = || std::fs::read_to_string(folder.join("half.ndjson")).unwrap();
    assert_eq!(left(), whole[..half]);
    done(&resume("7"));
    assert_eq!(left(), whole);
    // Not even the first line is complete.
    for cut in [0, 20, 60, 300, whole.find('\n').unwrap()] {
        std::fs::write(folder.join("half.ndjson"), &whole[..cut]).unwrap();
        done(&resume("7"));
        assert_eq!(left(), whole, "{cut}");
    }
    // Other files, other rules, and games with another time.
    let begun = &whole[..whole.find('\n').unwrap() + 1];
    let hash = begun.split("\"ruleset_hash\":\"").nth(1).unwrap();
    for other in [
        "my notes".to_owned(),
        "{\"format\":\"something else\"}".to_owned(),
        whole[..300].replace("\"edition\":\"antike\"", "\"edition\":\"mine!!\""),
        whole[..300].replace("antike-east", "antike-west"),
        begun.replace(&hash[..64], &"0".repeat(64)),
        begun.replace("2026-01-02T03:04:05Z", "2026-01-02T03:04:06Z"),
    ] {
        assert!(!whole.starts_with(&other));
        std::fs::write(folder.join("half.ndjson"), &other).unwrap();
        let refused = failed(&resume("7"), 1);
        assert!(refused.contains("other games"), "{other}: {refused}");
        assert_eq!(left(), other);
    }
}

/// Two machines that share a corpus play the same games as one.
#[test]
fn the_parts_of_a_corpus_are_the_whole() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let corpus = |out: &str, more: &[&str]| {
        let always = [
            "corpus",
            "--bots",
            "random",
            "--games",
            "3",
            "--max-rounds",
            "2",
        ];
        let said = [
            "--seed",
            "s",
            "--played-at",
            "2026-01-02T03:04:05Z",
            "--out",
            out,
        ];
        done(&program(folder, &[&always[..], &said, more].concat()));
    };
    let lines = |out: &str| {
        let files = std::fs::read_dir(folder.join(out)).unwrap();
        let mut lines: Vec<String> = Vec::new();
        for file in files {
            let text = std::fs::read_to_string(file.unwrap().path()).unwrap();
            lines.extend(text.lines().map(str::to_owned));
        }
        lines.sort_unstable();
        lines
    };
    corpus("whole", &[]);
    // Four boards for three to six nations, two for two.
    assert_eq!(lines("whole").len(), 3 * (4 * 4 + 2));
    corpus("parts", &["--shard", "1/2"]);
    corpus("parts", &["--shard", "2/2"]);
    assert_eq!(lines("parts"), lines("whole"));
    let errors = failed(
        &program(folder, &["corpus", "--out", "x", "--shard", "3/2"]),
        2,
    );
    assert!(errors.contains("1/4 to 4/4"), "{errors}");
    let errors = failed(
        &program(folder, &["corpus", "--out", "x", "--boards", "moon"]),
        1,
    );
    assert!(errors.contains("no board \"moon\""), "{errors}");
}

/// Two simulations with one seed have different ids.
#[test]
fn one_seed_on_two_boards_gives_games_of_their_own() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let mut ids = Vec::new();
    for (file, more) in [
        (
            "east.ndjson",
            ["--board", "antike-east", "--bots", "random"],
        ),
        (
            "west.ndjson",
            ["--board", "antike-west", "--bots", "random"],
        ),
        (
            "greedy.ndjson",
            ["--board", "antike-west", "--bots", "greedy"],
        ),
    ] {
        let played = [
            "--games",
            "2",
            "--max-rounds",
            "2",
            "--played-at",
            "2026-01-02T03:04:05Z",
            "--out",
            file,
        ];
        done(&program(
            folder,
            &[&["simulate", "--nations", "4"], &more[..], &played].concat(),
        ));
        let lines = std::fs::read_to_string(folder.join(file)).unwrap();
        ids.extend(records(&lines).into_iter().map(|record| record.id));
    }
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), 6);
}

#[test]
fn games_with_event_cards_tell_their_decks() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let simulate = |more: &[&str]| {
        let board = ["simulate", "--board", "duellum-greece-persia"];
        let short = ["--games", "3", "--max-rounds", "12"];
        program(folder, &[&board[..], &short, more].concat())
    };
    // The board is for two nations; the option makes no difference.
    let two = simulate(&["--nations", "2"]);
    let left_out = simulate(&["--bots", "greedy,random", "--variants", "special_units"]);
    for output in [two, left_out] {
        done(&output);
        let played = records(std::str::from_utf8(&output.stdout).unwrap());
        assert_eq!(played.len(), 3);
        for record in played {
            assert_eq!(record.setup.deck.unwrap().len(), 25);
        }
    }
    let errors = failed(&simulate(&["--nations", "4"]), 1);
    assert!(errors.contains("no set-up for 4 seats"), "{errors}");
}
