//! The report on balance.

use std::path::Path;

use serde_json::Value;

use super::{done, run, support, text, write_records};

/// Games of bots that play to win, until they have.
fn games(board: &str, nations: usize, seeds: std::ops::Range<u32>) -> Vec<engine::record::Record> {
    games_of(&["greedy"], board, nations, seeds)
}

/// Games of these bots, in turn.
fn games_of(
    bots: &[&str],
    board: &str,
    nations: usize,
    seeds: std::ops::Range<u32>,
) -> Vec<engine::record::Record> {
    let game = |seed: u32| {
        let mut setup = support::setup(board, nations, seed, 200);
        for (seat, bot) in setup.seats.iter_mut().zip(bots.iter().cycle()) {
            seat.player = engine::record::Player::Bot {
                name: (*bot).to_owned(),
            };
        }
        support::play(&setup, &format!("{board}-{seed}"), "2026-11-01T12:00:00Z")
    };
    seeds.map(game).collect()
}

#[test]
fn the_report_on_balance_tells_what_the_measures_tell() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).to_str().expect("UTF-8").to_owned();
    let (facts, first, second) = (path("facts"), path("first"), path("second"));
    for (half, seeds) in [(&first, 0..16), (&second, 16..32)] {
        let mut records = games("antike-east", 4, seeds.clone());
        records.extend(games("duellum-rome-carthage", 2, seeds));
        write_records(Path::new(&path("games.ndjson")), &records);
        for to in [half, &facts] {
            done(&["facts", "--from", &path("games.ndjson"), "--to", to]);
        }
    }
    let asked = ["balance", "--facts", &facts, "--halves", &first, &second];
    let report = done(&asked);
    assert_eq!(report, done(&asked), "it repeats");
    assert!(
        report.contains("64 games that bots have played"),
        "{report}"
    );
    let section = |title: &str, ends: &str| {
        let (_, from) = report.split_once(title).expect(title);
        from.split(ends).next().unwrap_or(from).to_owned()
    };
    let told = section("## antike-east, 4 nations\n", "\n## ");
    let json = |facts: &str| -> Value {
        let asked = [
            "measure",
            "nations",
            "--facts",
            facts,
            "--board",
            "antike-east",
        ];
        let answer = done(&[&asked[..], &["--format", "json"]].concat());
        serde_json::from_str(&answer).expect("JSON")
    };
    let rows = json(&facts)["rows"].as_array().expect("rows").clone();
    assert_eq!(rows.len(), 4);
    for row in rows {
        let of = |name: &str| 100.0 * row[name].as_f64().expect(name);
        let nation = row["nation"].as_str().expect("a nation");
        let line = told
            .lines()
            .find(|line| line.starts_with(&format!("| {nation} ")));
        let shown = format!(
            "{:.1} % ({:.1} % to {:.1} %), 32",
            of("rate"),
            of("low"),
            of("high")
        );
        assert!(
            line.is_some_and(|line| line.contains(&shown)),
            "{shown} in {told}"
        );
    }
    // What the halves tell of the same nations.
    let nations = section("## Nations: what stands out\n", "\n## ");
    assert!(
        nations.contains("Of 6 rates that both halves tell, "),
        "{nations}"
    );
    assert!(
        report.contains("## duellum-rome-carthage, 2 nations\n"),
        "{report}"
    );

    // Games of several bots are told in no row: neither are they counted, nor do they change what stands out.
    let mixed = games_of(&["greedy", "random"], "antike-east", 4, 32..36);
    write_records(Path::new(&path("mixed.ndjson")), &mixed);
    done(&["facts", "--from", &path("mixed.ndjson"), "--to", &facts]);
    let with_mixed = done(&asked);
    let but_version = |report: &str| -> String {
        let (before, behind) = report.split_once("; data ").expect("a version");
        let (_, behind) = behind.split_once(". Rates").expect("its end");
        before.to_owned() + behind
    };
    assert_ne!(report, with_mixed, "the facts are others");
    assert_eq!(but_version(&report), but_version(&with_mixed));
}

#[test]
fn a_report_on_balance_needs_facts() {
    let missing = run(&["balance", "--facts", "nowhere"]);
    assert_eq!(missing.status.code(), Some(1));
    assert!(text(&missing.stderr).contains("nowhere"), "{missing:?}");
    let one = run(&["balance", "--facts", "nowhere", "--halves", "one"]);
    assert_eq!(one.status.code(), Some(2));
}
