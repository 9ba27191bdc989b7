//! The accuracy of play, from made-up analyses of made-up games.

use analytics::statistics::interval::{Evidence, SkillVariance, Squares};
use analytics::{
    Accuracy, AccuracyError, Analyses, AnalysisError, AnalysisFileError, Facts, Filters, GameFacts,
    accuracy, measure,
};
use proptest::prelude::*;
use serde_json::{Value, json};

use super::assert_row;
use crate::support::{analysis, game, nation, ndjson};

const JUDGE: &str = "search:400";

/// Two games of Greeks and Arabs: Dido plays the Greeks in the first, Hanno in the second.
fn games() -> Vec<GameFacts> {
    let one = |id: &str, players: [(&str, u32); 2]| {
        let mut game = game(id, &[nation("greeks", 0, 1.0), nation("arabs", 1, 0.0)]);
        for (seat, (player, cluster)) in game.seats.iter_mut().zip(players) {
            seat.player = player.into();
            seat.cluster = cluster;
        }
        game.game.content_2 = 5;
        game
    };
    let (dido, hanno) = (("dido", 10), ("hanno", 20));
    vec![one("a", [dido, hanno]), one("b", [hanno, dido])]
}

fn lines() -> Vec<Value> {
    let first = [
        (1, "greeks", 0, 0.30, 0.30),
        (2, "arabs", 1, 0.25, 0.20),
        (5, "greeks", 0, 0.40, 0.25),
    ];
    let second = [(1, "greeks", 0, 0.30, 0.28), (2, "arabs", 1, 0.20, 0.20)];
    let first = analysis("a", JUDGE, 2, &first, &[5, 2]);
    let second = analysis("b", JUDGE, 2, &second, &[1]);
    [first, second].concat()
}

fn read(lines: &[Value]) -> Result<Analyses, AnalysisFileError> {
    let text = ndjson(lines);
    Analyses::read([("lines".to_owned(), text.as_bytes())])
}

fn measure_accuracy(lines: &[Value], filters: &Filters) -> Result<Accuracy, AccuracyError> {
    let facts = Facts::from_games(games()).expect("frames");
    accuracy(&facts.lazy(), &read(lines).expect("analyses"), filters)
}

fn rows(lines: &[Value], filters: Value) -> Vec<Value> {
    let filters: Filters = serde_json::from_value(filters).expect("filters");
    let answer = measure_accuracy(lines, &filters).expect("a table").table;
    let columns = answer.rows.columns().iter();
    let columns: Vec<(&str, _)> = columns
        .map(|column| (column.name().as_str(), column.dtype().clone()))
        .collect();
    let documented = analytics::ACCURACY.columns().into_iter();
    let documented: Vec<(&str, _)> = documented
        .map(|column| (column.name, column.kind.data_type()))
        .collect();
    assert_eq!(columns, documented);
    let json = answer.to_json().expect("JSON");
    json["rows"].as_array().expect("rows").clone()
}

fn row<'a>(rows: &'a [Value], by: &str, level: &str) -> &'a Value {
    let found = rows
        .iter()
        .find(|row| row["by"] == by && row["level"] == level);
    found.unwrap_or_else(|| panic!("no {by} {level} in {rows:?}"))
}

#[test]
fn losses_of_turns_are_added_up_by_player_nation_place_and_opening() {
    let rows = rows(&lines(), json!({}));
    let levels: Vec<(&str, &str)> = rows
        .iter()
        .map(|row| (row["by"].as_str().unwrap(), row["level"].as_str().unwrap()))
        .collect();
    let expected = [
        ("player", "dido"),
        ("player", "hanno"),
        ("nation", "arabs"),
        ("nation", "greeks"),
        ("place", "1"),
        ("place", "2"),
        ("opening", "other"),
    ];
    assert_eq!(levels, expected);
    // Dido's turns: 1 and 5 of the first game, 2 of the second.
    let of_games = Squares {
        nn: 4.0 + 1.0,
        nw: 2.0 * 0.15,
        ww: 0.15 * 0.15,
    };
    let dido = Evidence {
        games: 2.0,
        nation_games: 3.0,
        wins: 0.15,
        by_game: of_games,
        // With a single player there is no mean of other players.
        skill: SkillVariance {
            variance: 0.0,
            players: 1.0,
        },
    };
    let (low, high) = dido.interval();
    assert_row(
        row(&rows, "player", "dido"),
        json!({
            "edition": "antike", "board": "antike-east", "nations": 2, "players": 2, "play": "people",
            "ruleset": "all", "judge": JUDGE, "numbers": "ab".repeat(32), "version": "1.2.3",
            "games": 2, "turns": 3, "lost": 0.05, "low": low, "high": high,
            "accuracy": 0.75 / 0.90, "best": 2.0 / 3.0, "blunders": 1, "turning_points": 1,
            "insufficient": true,
        }),
    );
    assert!(low < 0.05 && 0.05 < high);
    assert_row(
        row(&rows, "player", "hanno"),
        json!({"games": 2, "turns": 2, "lost": 0.035, "accuracy": 0.48 / 0.55, "best": 0.0, "blunders": 0,
            "turning_points": 2}),
    );
    // Two persons play the Greeks.
    let of_games = Squares {
        nn: 4.0 + 1.0,
        nw: 2.0 * 0.15 + 0.02,
        ww: 0.15 * 0.15 + 0.02 * 0.02,
    };
    let greeks = Evidence {
        games: 2.0,
        nation_games: 3.0,
        wins: 0.17,
        by_game: of_games,
        skill: SkillVariance::for_sample(3.0, of_games, of_games, 0.17 / 3.0),
    };
    let (low, high) = greeks.interval();
    let expected = json!({"games": 2, "turns": 3, "lost": 0.17 / 3.0, "low": low, "high": high,
        "accuracy": 0.83, "best": 1.0 / 3.0});
    assert_row(row(&rows, "nation", "greeks"), expected.clone());
    assert_row(row(&rows, "place", "1"), expected);
    assert_row(
        row(&rows, "opening", "other"),
        json!({"games": 2, "turns": 5, "lost": 0.22 / 5.0}),
    );
}

#[test]
fn filters_choose_games_and_nations() {
    let rows_of = |filters| rows(&lines(), filters);
    let rows = rows_of(json!({"player": "dido"}));
    let nations = ["arabs", "greeks"].map(|nation| row(&rows, "nation", nation));
    assert_row(nations[0], json!({"games": 1, "turns": 1, "lost": 0.0}));
    assert_row(nations[1], json!({"games": 1, "turns": 2, "lost": 0.075}));
    let against = rows_of(json!({"against": "greeks"}));
    let nations = against.iter().filter(|row| row["by"] == "nation");
    assert!(nations.clone().count() > 0);
    assert!(
        nations.clone().all(|row| row["nation"] != "greeks"),
        "{against:?}"
    );
    assert_eq!(rows_of(json!({"know_how": "market"})), [] as [Value; 0]);
    assert_eq!(rows_of(json!({"reason": "resignation"})), [] as [Value; 0]);
    assert_eq!(rows_of(json!({"min_games": 3})), [] as [Value; 0]);
    assert_eq!(rows_of(json!({"min_games": 2})).len(), 7);
}

#[test]
fn judges_are_never_summed() {
    let other = [(1, "greeks", 0, 0.30, 0.10)];
    let mut lines = lines();
    lines.extend(analysis("a", "search:100", 2, &other, &[1]));
    let of_one = rows(&self::lines(), json!({}));
    let rows = rows(&lines, json!({}));
    let (own, others): (Vec<Value>, Vec<Value>) =
        rows.into_iter().partition(|row| row["judge"] == JUDGE);
    assert_eq!(own, of_one);
    assert_row(
        row(&others, "player", "dido"),
        json!({"judge": "search:100", "games": 1, "turns": 1, "lost": 0.2, "blunders": 1}),
    );
    // Each of these groups distinguishes judges.
    for name in ["numbers", "version"] {
        let mut lines = self::lines();
        for line in &mut lines[..4] {
            line[name] = json!("other");
        }
        let rows = self::rows(&lines, json!({"player": "dido"}));
        let players = rows.iter().filter(|row| row["by"] == "player");
        let games: Vec<&Value> = players.map(|row| &row["games"]).collect();
        assert_eq!(games, [1, 1], "{name}");
    }
}

#[test]
fn the_table_describes_its_source() {
    let all = measure_accuracy(&lines(), &Filters::default()).expect("a table");
    assert_eq!((all.table.games, all.unknown), (2, 0));
    assert_eq!(all.table.rulesets[0].games, 2);
    let version = |lines: &[Value]| {
        let answer = measure_accuracy(lines, &Filters::default()).expect("a table");
        answer.table.data_version
    };
    let first = version(&lines()[..4]);
    assert!(first.starts_with("1-"), "{first}");
    let mut other = lines();
    for line in &mut other[..4] {
        line["seed"] = json!("2");
    }
    assert_ne!(version(&other), all.table.data_version);
    // Games without facts are excluded and counted.
    let mut more = lines();
    more.extend(analysis("c", JUDGE, 2, &[(1, "greeks", 0, 0.5, 0.4)], &[]));
    let answer = measure_accuracy(&more, &Filters::default()).expect("a table");
    assert_eq!(answer.unknown, 1);
    assert_eq!(answer.table.data_version, all.table.data_version);
}

#[test]
fn analyses_of_other_games_are_refused() {
    for turn in [
        (1, "romans", 0, 0.3, 0.3),
        (1, "greeks", 1, 0.3, 0.3),
        (21, "greeks", 0, 0.3, 0.3),
    ] {
        let lines = analysis("a", JUDGE, 2, &[turn], &[]);
        let refused = measure_accuracy(&lines, &Filters::default()).expect_err("another game");
        assert!(
            matches!(
                refused,
                AccuracyError::Analysis(AnalysisError::Another { .. })
            ),
            "{refused}"
        );
        let error = refused.to_string();
        assert!(
            error.contains("game a") && error.contains(turn.1),
            "{error}"
        );
    }
}

#[test]
fn lines_that_contradict_are_refused() {
    let with = |line: usize, name: &str, value: Value| {
        let mut lines = lines();
        lines[line][name] = value;
        lines
    };
    let shares =
        |own: f64, other: f64| json!([{"seat": 0, "share": own}, {"seat": 1, "share": other}]);
    let again = |name: &str, value: Value, line: usize| {
        let mut lines = lines();
        let mut other = lines[line].clone();
        other[name] = value;
        lines.push(other);
        lines
    };
    let mut cut = lines();
    cut.pop();
    let mut lost_one = lines();
    lost_one.remove(1);
    for (lines, expected) in [
        (
            with(0, "kind", json!("record")),
            "lines:1: not a line written by",
        ),
        (
            with(0, "lost", Value::Null),
            "lines:1: not a line written by",
        ),
        (
            with(1, "lost", json!(0.5)),
            "lines:2: turn 2: `lost` must be",
        ),
        (
            with(0, "before", shares(1.5, -0.5)),
            "lines:1: turn 1: `before` and `after` must list",
        ),
        (
            with(0, "before", shares(0.5, 0.4)),
            "lines:1: turn 1: `before` and `after` must list",
        ),
        (
            with(0, "before", json!([{"seat": 0, "share": 1}])),
            "lines:1: turn 1: `before` and `after` must list",
        ),
        (
            with(0, "seat", json!(2)),
            "lines:1: turn 1: `before` and `after` must list",
        ),
        (
            with(0, "seed", json!("2")),
            "lines:2: game a has two analyses, with the seeds",
        ),
        (
            again("nation", json!("arabs"), 0),
            "lines:8: game a has two different analyses",
        ),
        (
            again("turning_points", json!([]), 3),
            "lines:8: game a has two different analyses",
        ),
        (
            with(3, "turning_points", json!([3])),
            "the analysis of game a is incomplete",
        ),
        (
            with(3, "turning_points", json!([5, 5])),
            "the analysis of game a is incomplete",
        ),
        (cut, "the analysis of game b is incomplete"),
        (lost_one, "the analysis of game a is incomplete"),
    ] {
        let refused = read(&lines).expect_err(expected).to_string();
        assert!(refused.contains(expected), "{refused}, not {expected}");
    }
    let empty = Analyses::read([("lines".to_owned(), &b"\n\n"[..])]).expect("no lines");
    assert_eq!(empty, Analyses::default());
}

#[test]
fn facts_alone_do_not_answer() {
    let facts = Facts::from_games(games()).expect("frames");
    let refused = measure(&facts.lazy(), &analytics::ACCURACY, &Filters::default());
    let error = refused.expect_err("no analyses").to_string();
    assert!(
        error.contains("the measure accuracy also needs analyses"),
        "{error}"
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    /// Neither the order of lines nor repeated lines make a difference.
    #[test]
    fn lines_come_in_any_order(
        lines in Just([lines(), lines()[2..5].to_vec()].concat()).prop_shuffle(),
        cut in 0usize..=10,
    ) {
        let expected = measure_accuracy(&self::lines(), &Filters::default()).expect("a table").table;
        let (first, second) = (ndjson(&lines[..cut]), ndjson(&lines[cut..]));
        let files = [("one".to_owned(), first.as_bytes()), ("two".to_owned(), second.as_bytes())];
        let analyses = Analyses::read(files).expect("analyses");
        let mut games = games();
        games.reverse();
        let facts = Facts::from_games(games).expect("frames");
        let table = accuracy(&facts.lazy(), &analyses, &Filters::default()).expect("a table").table;
        prop_assert_eq!(table.to_json().expect("JSON"), expected.to_json().expect("JSON"));
    }
}
