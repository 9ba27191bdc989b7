//! The report: a self-contained page with the numbers of the measures.

use std::ops::Range;
use std::path::Path;

use engine::setup::Player;
use records::Record;
use serde_json::Value;

use super::{Fixture, done, run, support, text, write_records};

/// Creates the report of a fixture, with more arguments.
fn report(fixture: &Fixture, more: &[&str]) -> String {
    let (facts, out) = (fixture.path("facts"), fixture.path("report.html"));
    let arguments = [
        "report", "--facts", &facts, "--out", &out, "--reason", "any",
    ];
    done(&[&arguments[..], more].concat());
    std::fs::read_to_string(&out).expect("a page")
}

#[test]
fn a_report_is_self_contained_and_has_the_numbers_of_the_measures() {
    let fixture = Fixture::new();
    let page = report(&fixture, &["--title", "Dido's <season>"]);
    assert!(page.contains("<h1>Dido's &lt;season&gt;</h1>"), "{page}");
    for loaded in [
        "<script",
        "<link",
        "<img",
        "<iframe",
        " src=",
        "url(",
        "@import",
        "href=\"http",
        " onload",
    ] {
        assert!(!page.contains(loaded), "{loaded}");
    }
    let lengths = fixture.json("lengths", &[]);
    assert!(
        page.contains(&format!("{} games", lengths["games"])),
        "{page}"
    );
    let rows = lengths["rows"].as_array().expect("rows");
    let most = rows.iter().filter(|row| row["quantity"] == "rounds");
    let most = most
        .rev()
        .max_by_key(|row| row["games"].as_u64())
        .expect("a kind of games");
    let nations = fixture.json("nations", &[]);
    let mut shown = 0;
    for row in nations["rows"].as_array().expect("rows") {
        let same = [
            "edition", "board", "variants", "nations", "players", "play", "bots",
        ];
        if same.iter().all(|name| row[*name] == most[*name]) {
            let name = charts::words(row["nation"].as_str().expect("a name"));
            let percent = match row["rate"].as_f64().expect("a rate") * 100.0 {
                small if small < 9.95 => format!("{small:.1}%"),
                percent => format!("{percent:.0}%"),
            };
            let words = format!("{name}: {percent}, 95% interval");
            assert!(page.contains(&words), "{words}: {page}");
            shown += 1;
        }
    }
    assert!(shown > 1, "{most}");
    let data = nations["data_version"].as_str().expect("a version");
    assert!(page.contains(&format!("data {data}")), "{data}: {page}");
    assert!(
        page.contains("measure nations --facts facts --reason any"),
        "{page}"
    );
    assert!(
        page.contains(r"--title 'Dido'\''s &lt;season&gt;' --reason any --out"),
        "{page}"
    );
}

#[test]
fn the_same_facts_give_the_same_report_and_filters_hold() {
    let fixture = Fixture::new();
    let page = report(&fixture, &[]);
    assert_eq!(page, report(&fixture, &[]));
    let west = report(&fixture, &["--board", "antike-west"]);
    assert!(west.contains("<code>board=antike-west</code>"), "{west}");
    assert!(
        !west.contains("Antike East") && page.contains("Antike East"),
        "{west}"
    );
    let none = report(&fixture, &["--since", "2100-01-01"]);
    assert!(
        none.contains("No game matches.") && !none.contains("<svg"),
        "{none}"
    );
    let facts = fixture.path("facts");
    let refused = run(&["report", "--facts", &facts, "--out", "x", "--board", "moon"]);
    assert_eq!(refused.status.code(), Some(1));
    assert!(
        text(&refused.stderr).contains("antike-east"),
        "it says what there is"
    );
}

/// Plays games of these bots, in turn.
fn games(bots: &[&str], board: &str, nations: usize, seeds: Range<u32>) -> Vec<Record> {
    let game = |seed: u32| {
        let mut setup = support::setup(board, nations, seed, 200);
        for (seat, bot) in setup.seats.iter_mut().zip(bots.iter().cycle()) {
            seat.player = Player::Bot {
                name: (*bot).to_owned(),
            };
        }
        support::play(&setup, &format!("{board}-{seed}"), "2026-11-01T12:00:00Z")
    };
    seeds.map(game).collect()
}

#[test]
fn a_report_compares_players_and_halves_of_the_games() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).to_str().expect("UTF-8").to_owned();
    let (facts, first, second) = (path("facts"), path("first"), path("second"));
    for (half, seeds) in [(&first, 0..16), (&second, 16..32)] {
        let mut records = games(&["greedy"], "antike-east", 4, seeds.clone());
        records.extend(games(&["greedy"], "duellum-rome-carthage", 2, seeds));
        write_records(Path::new(&path("games.ndjson")), &records);
        for to in [half, &facts] {
            done(&["facts", "--from", &path("games.ndjson"), "--to", to]);
        }
    }
    let mixed = games(&["greedy", "random"], "antike-east", 4, 32..36);
    write_records(Path::new(&path("mixed.ndjson")), &mixed);
    done(&["facts", "--from", &path("mixed.ndjson"), "--to", &facts]);
    let out = path("report.html");
    let report = |more: &[&str]| {
        let asked = ["report", "--facts", &facts, "--out", &out];
        done(&[&asked[..], more].concat());
        std::fs::read_to_string(&out).expect("a page")
    };
    let halves = ["--halves", &first, &second];
    let page = report(&halves);
    assert_eq!(page, report(&halves), "it repeats");
    let section = |title: &str, end: &str| {
        let (_, from) = page
            .split_once(title)
            .unwrap_or_else(|| panic!("{title}: {page}"));
        from.split(end).next().unwrap_or(from).to_owned()
    };

    // Both players are compared, with the numbers of the measure.
    let kind = section(
        "<summary>Antike East · 4 nations, 36 games</summary>",
        "</details>",
    );
    for column in ["bots: greedy, 32 games", "bots: greedy, random, 4 games"] {
        assert!(kind.contains(column), "{column}: {kind}");
    }
    let asked = [
        "measure",
        "nations",
        "--facts",
        &facts,
        "--board",
        "antike-east",
    ];
    let answer = done(&[&asked[..], &["--format", "json"]].concat());
    let answer: Value = serde_json::from_str(&answer).expect("JSON");
    let rows = answer["rows"].as_array().expect("rows");
    assert_eq!(rows.len(), 8);
    for row in rows {
        let of = |name: &str| 100.0 * row[name].as_f64().expect(name);
        let shown = format!(
            "{:.1}% ({:.1}% to {:.1}%), n {}",
            of("rate"),
            of("low"),
            of("high"),
            row["nation_games"]
        );
        assert!(kind.contains(&shown), "{shown} in {kind}");
    }

    // Rates of 30 games and more are compared between the halves; those of 4 games are not.
    let nations = section("<h3>Win rates by nation</h3>", "<h3>");
    assert!(
        nations.contains(" of 6 rates are significant. Of 6 rates that both halves have, "),
        "{nations}"
    );
    assert!(
        page.contains(&format!("--halves {first} {second} --out")),
        "{page}"
    );
    assert!(!report(&[]).contains("halves"), "nothing is compared");

    let one = run(&[
        "report", "--facts", &facts, "--out", &out, "--halves", &first,
    ]);
    assert_eq!(one.status.code(), Some(2));
    let missing = run(&["report", "--facts", "nowhere", "--out", &out]);
    assert_eq!(missing.status.code(), Some(1));
    assert!(text(&missing.stderr).contains("nowhere"), "{missing:?}");
}
