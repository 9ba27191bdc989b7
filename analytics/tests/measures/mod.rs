//! Measures on small made-up facts, with results computed by hand.

mod accuracy;
mod change;
mod play;
mod results;
mod rounds;
mod strength;

use crate::support::{NationRow, game, nation};
use analytics::facts::{AwardRow, KnowHowRow, Opening, Rater, RatingRow, TimeControl, TurnRow};
use analytics::question::NO_VARIANT;
use analytics::question::{EndFilter, Inclusion};
use analytics::statistics::interval::{Evidence, PersonSums, SkillVariance, Squares};
use analytics::{Facts, Filters, GameFacts, Measure, Picture, measure};
use charts::{IntervalSide, Shape};
use engine::content::Library;
use serde_json::{Value, json};

fn answer(games: &[GameFacts], asked: &'static Measure, filters: &Filters) -> Value {
    let facts = Facts::from_games(games.to_vec()).expect("frames");
    let table = measure(&facts.lazy(), asked, filters).expect("a table");
    let names = table.rows.get_column_names();
    let documented = asked.columns();
    assert_eq!(names.len(), documented.len(), "{asked}");
    for (column, documented) in table.rows.columns().iter().zip(documented) {
        assert_eq!(column.name(), documented.name, "{asked}");
        assert_eq!(
            *column.dtype(),
            documented.kind.data_type(),
            "{asked}.{}",
            documented.name
        );
    }
    table.to_json().expect("json")
}

fn rows(games: &[GameFacts], asked: &'static Measure, filters: &Filters) -> Vec<Value> {
    let answer = answer(games, asked, filters);
    answer["rows"].as_array().expect("rows").clone()
}

/// Asserts that a row has these fields.
fn assert_row(row: &Value, expected: Value) {
    for (name, value) in expected.as_object().expect("an object") {
        match (row[name].as_f64(), value.as_f64()) {
            (Some(found), Some(value)) => {
                assert!(
                    (found - value).abs() < 1e-9,
                    "{name}: {found}, not {value} in {row}"
                );
            }
            _ => assert_eq!(&row[name], value, "{name} in {row}"),
        }
    }
}

/// Returns the interval of the first of these nations. Each nation wins these shares, one for each game, and has its
/// own player.
fn interval(nations: &[[f64; 3]]) -> (f64, f64) {
    let by_seat = |shares: &[f64; 3]| Squares {
        nn: 3.0,
        nw: shares.iter().sum(),
        ww: shares.iter().map(|share| share * share).sum(),
    };
    let players = nations.iter().zip([3.0, 0.0, 0.0, 0.0]);
    let players = players.map(|(shares, in_row)| PersonSums {
        in_row,
        nations: 3.0,
        wins: shares.iter().sum(),
        by_seat: by_seat(shares),
    });
    let evidence = Evidence {
        by_game: by_seat(&nations[0]),
        skill: SkillVariance::for_row(players),
        ..Evidence::independent(nations[0].iter().sum(), 3.0)
    };
    evidence.interval()
}

/// Three games of four nations: the Greeks win one alone, share one with the Arabs and one with
/// Arabs and Persians.
fn shared() -> Vec<GameFacts> {
    let shares = |id: &str, [greeks, arabs, persians]: [f64; 3]| {
        let nations = [
            nation("greeks", 0, greeks),
            nation("arabs", 1, arabs),
            nation("persians", 2, persians),
            nation("phoenicians", 3, 0.0),
        ];
        game(id, &nations)
    };
    let third = 1.0 / 3.0;
    vec![
        shares("alone", [1.0, 0.0, 0.0]),
        shares("two", [0.5, 0.5, 0.0]),
        shares("three", [third, third, third]),
    ]
}

#[test]
fn nations_sum_shared_wins() {
    let rows = rows(&shared(), &analytics::NATIONS, &Filters::default());
    let names: Vec<&str> = rows
        .iter()
        .filter_map(|row| row["nation"].as_str())
        .collect();
    assert_eq!(names, ["arabs", "greeks", "persians", "phoenicians"]);
    let third = 1.0 / 3.0;
    let (low, high) = interval(&[
        [1.0, 0.5, third],
        [0.0, 0.5, third],
        [0.0, 0.0, third],
        [0.0; 3],
    ]);
    assert_row(
        &rows[1],
        json!({
            "edition": "antike", "board": "antike-east", "variants": "", "nations": 4, "players": 4, "play": "people",
            "bots": "", "ruleset": "all", "games": 3, "nation_games": 3,
            "wins": 11.0 / 6.0, "rate": 11.0 / 18.0, "low": low, "high": high,
            "expected": 0.25, "lift": 22.0 / 9.0, "insufficient": true,
        }),
    );
    assert_row(&rows[0], json!({"games": 3, "wins": 5.0 / 6.0}));
    assert_row(&rows[2], json!({"games": 3, "wins": 1.0 / 3.0}));
    assert_row(
        &rows[3],
        json!({"games": 3, "wins": 0.0, "rate": 0.0, "low": 0.0, "lift": 0.0}),
    );
    let wins: f64 = rows.iter().filter_map(|row| row["wins"].as_f64()).sum();
    assert!((wins - 3.0).abs() < 1e-12, "as many wins as games");
}

/// [A41] A seat with two nations wins for both: each has half the win and half the expectation.
#[test]
fn nations_of_one_seat_split_the_win() {
    let two_players = game(
        "two players",
        &[
            nation("persians", 0, 0.5),
            nation("greeks", 1, 0.0),
            nation("phoenicians", 0, 0.5),
            nation("arabs", 1, 0.0),
        ],
    );
    let rows = rows(&[two_players], &analytics::NATIONS, &Filters::default());
    for row in &rows {
        assert_row(row, json!({"games": 1, "nations": 4, "expected": 0.25}));
    }
    assert_row(
        &rows[2],
        json!({"nation": "persians", "wins": 0.5, "lift": 2.0}),
    );
    assert_row(
        &rows[0],
        json!({"nation": "arabs", "wins": 0.0, "lift": 0.0}),
    );
}

#[test]
fn thirty_games_are_sufficient() {
    let many = |count: u32| -> Vec<GameFacts> {
        let one = |index: u32| {
            let nations = [nation("greeks", 0, 1.0), nation("arabs", 1, 0.0)];
            game(&index.to_string(), &nations)
        };
        (0..count).map(one).collect()
    };
    let is_insufficient = |count| {
        let rows = rows(&many(count), &analytics::NATIONS, &Filters::default());
        rows[0]["insufficient"].clone()
    };
    assert_eq!(is_insufficient(29), true);
    assert_eq!(is_insufficient(30), false);
}

#[test]
fn formats_are_never_summed() {
    let mut games = shared();
    for (game, edition) in games.iter_mut().zip(["antike", "antike", "antike_ii"]) {
        game.game.edition = edition.into();
        game.seats
            .iter_mut()
            .for_each(|row| row.edition = edition.into());
    }
    games[0].game.board = "antike-west".into();
    games[0]
        .seats
        .iter_mut()
        .for_each(|row| row.board = "antike-west".into());
    for asked in [&analytics::SEATS, &analytics::OPENINGS, &analytics::LENGTHS] {
        for row in rows(&games, asked, &Filters::default()) {
            assert!(row["edition"].is_string() && row["board"].is_string());
            let most = if asked == &analytics::OPENINGS { 4 } else { 1 };
            assert_eq!(row["games"], 1, "{asked}: {row}");
            if asked != &analytics::LENGTHS {
                assert_eq!(row["nation_games"], most, "{asked}: {row}");
            }
        }
    }
    let nodes = rows(&games, &analytics::OPENINGS_TREE, &Filters::default());
    assert_eq!(nodes.len(), 3, "a tree for each format");
}

#[test]
fn openings_count_each_nation() {
    let with = |name, seat, share, opening: Opening| NationRow {
        opening: opening.name(),
        ..nation(name, seat, share)
    };
    let games = [
        game(
            "a",
            &[
                with("greeks", 0, 1.0, Opening::Growth),
                with("arabs", 1, 0.0, Opening::Growth),
                with("persians", 2, 0.0, Opening::Military),
            ],
        ),
        game(
            "b",
            &[
                with("greeks", 0, 0.5, Opening::Growth),
                with("arabs", 1, 0.0, Opening::Other),
                with("persians", 2, 0.5, Opening::Progress),
            ],
        ),
    ];
    let rows = rows(&games, &analytics::OPENINGS, &Filters::default());
    let expected = [
        ("growth", 3, 1.5, 1.5),
        ("military", 1, 0.0, 0.0),
        ("other", 1, 0.0, 0.0),
        ("progress", 1, 0.5, 1.5),
    ];
    assert_eq!(rows.len(), expected.len());
    for (row, (strategy, games, wins, lift)) in rows.iter().zip(expected) {
        assert_row(
            row,
            json!({"strategy": strategy, "nation_games": games, "wins": wins, "lift": lift,
                   "expected": 1.0 / 3.0}),
        );
    }
}

/// Adds a turn row for each stop, with a temple at `temple` and two units at `arming`.
fn with_turns(mut game: GameFacts) -> GameFacts {
    for seat in game.seats.clone() {
        let stops = [seat.stop_1, seat.stop_2, seat.stop_3];
        for (field, own_turn) in stops.into_iter().flatten().zip(1..) {
            game.turns.push(TurnRow {
                edition: seat.edition.clone(),
                month: seat.month.clone(),
                game: seat.game.clone(),
                nation: seat.nation.clone(),
                turn: own_turn * 4,
                digest: None,
                round: own_turn,
                own_turn,
                field,
                steps: 4,
                extra_steps: 1,
                chips_produced: u32::from(field == "marble") * 3,
                chips_spent: 1,
                coins_spent: 0,
                chips_gained: 0,
                coins_gained: 0,
                trades: 0,
                units_recruited: u32::from(field == "know_how") * 3,
                units_armed: u32::from(field == "arming") * 2,
                units_moved: 0,
                units_lost: 0,
                units_beaten: 0,
                temples_built: u32::from(field == "temple" && &*seat.nation == "greeks"),
                temples_destroyed: 0,
                walls_built: u32::from(field == "temple"),
                walls_destroyed: 0,
                cities_founded: 1,
                cities_conquered: 1,
                conquests_failed: 0,
                know_hows_developed: 0,
                personages_won: 0,
                cards_played: 0,
                cards_given: 0,
            });
        }
    }
    game
}

#[test]
fn the_tree_of_openings_follows_the_stops() {
    let with = |name, seat, share, stops| NationRow {
        stops,
        ..nation(name, seat, share)
    };
    let games = [
        with_turns(game(
            "a",
            &[
                with("greeks", 0, 1.0, &["marble", "temple", "gold"]),
                with("arabs", 1, 0.0, &["marble", "arming"]),
            ],
        )),
        with_turns(game(
            "b",
            &[
                with("greeks", 0, 0.0, &["marble", "temple"]),
                with("arabs", 1, 1.0, &["gold", "know_how"]),
            ],
        )),
        with_turns(game(
            "c",
            &[
                with("greeks", 0, 0.5, &["marble"]),
                with("arabs", 1, 0.5, &["marble", "temple"]),
            ],
        )),
    ];
    let tree = |path: &str| {
        let filters = Filters {
            path: Some(path.parse().expect("a path")),
            ..Filters::default()
        };
        let nodes = rows(&games, &analytics::OPENINGS_TREE, &filters);
        assert_eq!(nodes.len(), 1, "one format");
        nodes[0].clone()
    };
    let root = tree("");
    assert_row(
        &root,
        json!({"path": [], "nation_games": 6, "wins": 3.0, "rate": 0.5, "lift": 1.0}),
    );
    let first = root["children"].as_array().expect("children");
    assert_eq!(first.len(), 2);
    assert_row(
        &first[0],
        json!({"field": "gold", "nation_games": 1, "wins": 1.0, "produced": 0.0}),
    );
    assert_row(
        &first[1],
        json!({"field": "marble", "nation_games": 5, "wins": 2.0, "produced": 3.0, "cities": 2.0}),
    );
    assert_row(&first[1], json!({"games": 3, "example": "a"}));
    // With more levels, the next stops have children too, with the same rows as in a request for them alone.
    let deep = Filters {
        levels: Some(3),
        ..Filters::default()
    };
    let deep = rows(&games, &analytics::OPENINGS_TREE, &deep);
    assert_eq!(deep.len(), 1);
    let without = |node: &Value| {
        let mut node = node.clone();
        let fields = node.as_object_mut().expect("an object");
        fields.remove("children");
        // `q` depends on the other rows of the table.
        fields.remove("q");
        node
    };
    let alike = |nested: &Value, alone: &Value| {
        let of = |node: &Value| node["children"].as_array().expect("children").clone();
        let (nested, alone) = (of(nested), of(alone));
        assert_eq!(nested.len(), alone.len());
        for (one, other) in nested.iter().zip(&alone) {
            assert_eq!(without(one), without(other));
        }
    };
    alike(&deep[0], &root);
    let in_deep = &deep[0]["children"][1];
    alike(in_deep, &tree("marble"));
    alike(&in_deep["children"][1], &tree("marble,temple"));
    assert_eq!(in_deep["children"][1]["children"][0]["field"], "gold");
    assert!(
        in_deep["children"][0].get("children").is_none(),
        "a stop has children without games"
    );
    let below = Filters {
        levels: Some(2),
        path: Some("marble".parse().expect("a path")),
        ..Filters::default()
    };
    let below = rows(&games, &analytics::OPENINGS_TREE, &below);
    alike(&below[0], in_deep);
    alike(&below[0]["children"][1], &tree("marble,temple"));
    let marble = tree("marble");
    assert_row(
        &marble,
        json!({"path": ["marble"], "nation_games": 5, "wins": 2.0, "rate": 0.4}),
    );
    let second = marble["children"].as_array().expect("children");
    assert_eq!(
        second.len(),
        2,
        "a game that ended is in the node, not in a child"
    );
    assert_row(
        &second[0],
        json!({"field": "arming", "nation_games": 1, "wins": 0.0, "units": 2.0}),
    );
    assert_row(
        &second[1],
        json!({"field": "temple", "nation_games": 3, "wins": 1.5, "temples": 2.0 / 3.0, "walls": 1.0,
               "units": 0.0, "recruited": 0.0, "extra_steps": 1.0, "expected": 0.5}),
    );
    assert_row(
        &tree("gold")["children"][0],
        json!({"field": "know_how", "nation_games": 1, "know_hows": 0.0, "recruited": 3.0}),
    );
    let temple = tree("marble,temple");
    assert_row(
        &temple,
        json!({"path": ["marble", "temple"], "nation_games": 3}),
    );
    assert_row(
        &temple["children"][0],
        json!({"field": "gold", "nation_games": 1, "wins": 1.0}),
    );
}

/// Makes a game in which nations win personages, each in a round of its own, from the first round.
fn with_awards(id: &str, nations: &[(&'static str, f64, &[&'static str])]) -> GameFacts {
    let made_up = nations.iter().zip(0..);
    let made_up = made_up.map(|((name, share, won), seat)| {
        let of = |kind: &str| won.iter().filter(|own| **own == kind).count() as u32;
        NationRow {
            personages: ["king", "scholar", "general", "citizen", "navigator"].map(of),
            ..nation(name, seat, *share)
        }
    });
    let mut made = game(id, &made_up.collect::<Vec<NationRow>>());
    for (seat, (.., won)) in made.seats.iter().zip(nations) {
        for (index, personage) in won.iter().enumerate() {
            let until = &won[..=index];
            let of = |kind: &str| until.iter().filter(|own| **own == kind).count() as u32;
            let mut kinds: Vec<std::sync::Arc<str>> = Vec::new();
            for kind in until {
                if kinds.iter().all(|known| **known != **kind) {
                    kinds.push((*kind).into());
                }
            }
            let mut counts: Vec<(u32, &str)> =
                kinds.iter().map(|kind| (of(kind), &**kind)).collect();
            counts.sort_by_key(|(count, _)| std::cmp::Reverse(*count));
            let even = counts.len() > 1 && counts[0].0 == counts[1].0;
            let mix = counts.iter().map(|(count, kind)| format!("{count} {kind}"));
            let mix = mix.collect::<Vec<String>>().join(", ");
            let leading = until.iter().find(|kind| **kind == counts[0].1);
            made.awards.push(AwardRow {
                edition: seat.edition.clone(),
                month: seat.month.clone(),
                game: seat.game.clone(),
                nation: seat.nation.clone(),
                personage,
                turn: 4 * (index as u32 + 1),
                round: index as u32 + 3,
                own_turn: index as u32 + 3,
                nth: index as u32 + 1,
                extra: false,
                king: of("king"),
                scholar: of("scholar"),
                general: of("general"),
                citizen: of("citizen"),
                navigator: of("navigator"),
                nth_of_kind: of(personage),
                kinds: kinds.into(),
                mix: mix.into(),
                leading_kind: if even { "even" } else { leading.expect("one") },
                share_parts: seat.share_parts,
                share: seat.share,
            });
        }
    }
    made
}

/// Two games with the first three personages of the nations that won three.
fn games_with_awards() -> Vec<GameFacts> {
    vec![
        with_awards(
            "a",
            &[
                ("greeks", 1.0, &["scholar", "king", "scholar", "king"]),
                ("arabs", 0.0, &["king", "scholar", "scholar"]),
                ("persians", 0.0, &["citizen", "citizen"]),
            ],
        ),
        with_awards(
            "b",
            &[
                ("greeks", 0.5, &["scholar", "king", "general"]),
                ("arabs", 0.5, &["scholar", "scholar", "king"]),
                ("persians", 0.0, &["king"]),
            ],
        ),
    ]
}

#[test]
fn personages_compare_the_first_few_of_each_nation() {
    let filters = Filters {
        at: Some(3),
        ..Filters::default()
    };
    let rows_of_three = rows(&games_with_awards(), &analytics::PERSONAGES, &filters);
    let of = |by: &str, personages: &str| {
        let row = rows_of_three
            .iter()
            .find(|row| row["by"] == by && row["personages"] == personages);
        row.unwrap_or_else(|| panic!("{by} {personages} in {rows_of_three:?}"))
    };
    // Four nations won three personages, in two games. They are compared with equally likely seats.
    assert_row(
        of("all", "all"),
        json!({"games": 2, "nation_games": 4, "wins": 2.0, "expected": 1.0 / 3.0, "lift": 1.5}),
    );
    // The row is compared with the other nations that won three: their shares are half a win and one and a half.
    assert_row(
        of("mix", "2 scholar, 1 king"),
        json!({"nation_games": 3, "wins": 1.5, "rate": 0.5, "lift": 1.0}),
    );
    assert_row(
        of("mix", "1 scholar, 1 king, 1 general"),
        json!({"nation_games": 1, "wins": 0.5, "expected": 0.5}),
    );
    assert_row(of("leading", "scholar"), json!({"nation_games": 3}));
    assert_row(of("leading", "even"), json!({"nation_games": 1}));
    assert_row(of("kinds", "2"), json!({"nation_games": 3}));
    assert_row(
        of("order", "scholar, king"),
        json!({"nation_games": 2, "wins": 1.5, "expected": 0.25, "lift": 3.0}),
    );
    assert_row(of("order", "king, scholar"), json!({"wins": 0.0}));
    assert_eq!(rows_of_three.len(), 10, "{rows_of_three:?}");
    // The default is half of nine, rounded up: five, which no nation has.
    assert!(
        rows(
            &games_with_awards(),
            &analytics::PERSONAGES,
            &Filters::default()
        )
        .is_empty()
    );
    let two = Filters {
        at: Some(2),
        ..Filters::default()
    };
    let persians = rows(&games_with_awards(), &analytics::PERSONAGES, &two);
    let all = &persians[0];
    assert_row(
        all,
        json!({"by": "all", "nation_games": 5, "rate": 0.4, "expected": 1.0 / 3.0}),
    );
}

#[test]
fn a_picture_does_not_call_a_rate_low_beside_that_of_four_nations() {
    let of = |first: &str, index: u32, share: f64, won: &[&'static str]| {
        let nations = [("greeks", share, won), ("arabs", 1.0 - share, &[])];
        with_awards(&format!("{first} {index}"), &nations)
    };
    let mut games: Vec<GameFacts> = (0..20)
        .map(|index| of("scholar", index, f64::from(index % 2), &["scholar"]))
        .collect();
    games.extend((0..4).map(|index| of("king", index, f64::from(index.min(1)), &["king"])));
    let facts = Facts::from_games(games).expect("frames");
    let filters = Filters {
        at: Some(1),
        ..Filters::default()
    };
    let table = measure(&facts.lazy(), &analytics::PERSONAGES, &filters).expect("a table");
    let Picture::Rows(chart) = table.picture(24, Some("mix")).expect("a picture") else {
        panic!("no rows");
    };
    let mut rows = chart.groups.iter().flat_map(|group| &group.rows);
    let row = rows.find(|row| row.label == "1 scholar");
    let Some(Shape::Interval {
        high,
        expected: Some(expected),
        side,
        ..
    }) = row.map(|row| row.shape)
    else {
        panic!("{chart:?}");
    };
    // All of the interval is below the rate of the four others, but theirs is as good as unknown.
    assert!(high < expected, "{high} {expected}");
    assert_eq!(side, IntervalSide::Even);
}

#[test]
fn a_rate_beside_few_other_nations_is_insufficient() {
    let is_insufficient = |others: u32| {
        let of = |first: &str, index: u32, won: &[&'static str]| {
            let share = f64::from(index % 2);
            let nations = [("greeks", share, won), ("arabs", 1.0 - share, &[])];
            with_awards(&format!("{first} {index}"), &nations)
        };
        let mut games: Vec<GameFacts> = (0..40)
            .map(|index| of("scholar", index, &["scholar"]))
            .collect();
        games.extend((0..others).map(|index| of("king", index, &["king"])));
        let filters = Filters {
            at: Some(1),
            ..Filters::default()
        };
        let rows = rows(&games, &analytics::PERSONAGES, &filters);
        let mut rows = rows.iter().filter(|row| row["by"] == "mix");
        let row = rows.find(|row| row["personages"] == "1 scholar");
        row.expect("a row")["insufficient"].clone()
    };
    assert_eq!(is_insufficient(19), true);
    assert_eq!(is_insufficient(20), false);
}

#[test]
fn timing_counts_the_personages_by_a_round() {
    let rows = rows(
        &games_with_awards(),
        &analytics::TIMING,
        &Filters::default(),
    );
    let of = |by: &str, personages: &str, round: u32| {
        let row = rows.iter().find(|row| {
            row["by"] == by && row["personages"] == personages && row["by_round"] == round
        });
        row.unwrap_or_else(|| panic!("{by} {personages} {round}"))
    };
    // The second is won in round 4, the third in round 5.
    assert_row(
        of("number", "2", 4),
        json!({"games": 2, "nation_games": 5, "wins": 2.0, "expected": 1.0 / 3.0, "lift": 1.2}),
    );
    assert_row(
        of("number", "3", 6),
        json!({"nation_games": 4, "wins": 2.0}),
    );
    assert!(
        !rows
            .iter()
            .any(|row| row["personages"] == "3" && row["by_round"] == 4)
    );
    // Scholars by round 4: both Greeks, both Arabs. Kings: the Greeks twice, an Arab, a Persian.
    assert_row(
        of("kind", "scholar", 4),
        json!({"nation_games": 4, "wins": 2.0}),
    );
    assert_row(
        of("kind", "king", 4),
        json!({"nation_games": 4, "wins": 1.5}),
    );
    assert_row(
        of("kind", "king", 8),
        json!({"nation_games": 5, "wins": 2.0}),
    );
    // The games end in round 10, and by then the winner is known.
    assert!(!rows.iter().any(|row| row["by_round"].as_u64() >= Some(10)));
}

/// The ninth personage is the goal, so it is the win and does not lead to it.
#[test]
fn the_last_personage_has_no_timing() {
    let kinds = ["king", "scholar", "general"].repeat(3);
    let mut game = with_awards(
        "nine",
        &[("greeks", 1.0, &kinds), ("arabs", 0.0, &["king"])],
    );
    game.game.rounds = 50;
    let rows = rows(&[game], &analytics::TIMING, &Filters::default());
    let has = |personages: &str| rows.iter().any(|row| row["personages"] == personages);
    assert!(has("8") && !has("9"), "{rows:?}");
}

#[test]
fn final_personages_of_winners_beside_others() {
    let rows = rows(
        &games_with_awards(),
        &analytics::PERSONAGES_FINAL,
        &Filters::default(),
    );
    assert_eq!(rows.len(), 5);
    // Winners: the Greeks of a, and half of Greeks and Arabs of b.
    let scholars = rows
        .iter()
        .find(|row| row["kind"] == "scholar")
        .expect("a row");
    assert_row(
        scholars,
        json!({
            "games": 2,
            "winners_mean": (2.0 + 0.5 + 1.0) / 2.0,
            "others_mean": (2.0 + 0.5 + 1.0) / 4.0,
            "winners_part": 3.5 / 7.0,
            "others_part": 3.5 / 9.0,
        }),
    );
    let navigators = rows
        .iter()
        .find(|row| row["kind"] == "navigator")
        .expect("a row");
    assert_row(navigators, json!({"winners_mean": 0.0, "others_part": 0.0}));
}

#[test]
fn winners_and_others_need_some_of_each() {
    let games: Vec<GameFacts> = (0..60)
        .map(|number| {
            with_awards(
                &number.to_string(),
                &[("greeks", 1.0, &["king"]), ("arabs", 0.0, &["king"])],
            )
        })
        .collect();
    let is_insufficient = |filters: &Filters| {
        let rows = rows(&games, &analytics::PERSONAGES_FINAL, filters);
        rows[0]["insufficient"].clone()
    };
    assert_eq!(is_insufficient(&Filters::default()), false);
    for nation in ["greeks", "arabs"] {
        let filters = Filters {
            nation: Some(nation.to_owned()),
            ..Filters::default()
        };
        assert_eq!(is_insufficient(&filters), true, "{nation}");
    }
}

#[test]
fn seats_by_place_in_turn_order() {
    let rows = rows(&shared(), &analytics::SEATS, &Filters::default());
    let places: Vec<u64> = rows
        .iter()
        .filter_map(|row| row["place"].as_u64())
        .collect();
    assert_eq!(places, [1, 2, 3, 4]);
    assert_row(&rows[0], json!({"games": 3, "wins": 11.0 / 6.0}));
}

#[test]
fn lengths_show_quantiles() {
    let mut games = Vec::new();
    for rounds in 1..=5 {
        let mut made_up = game(&rounds.to_string(), &[nation("greeks", 0, 1.0)]);
        made_up.game.rounds = rounds * 10;
        games.push(made_up);
    }
    let rows = rows(&games, &analytics::LENGTHS, &Filters::default());
    assert_row(
        &rows[0],
        json!({"quantity": "rounds", "games": 5, "mean": 30.0, "min": 10.0, "q10": 14.0,
               "q25": 20.0, "median": 30.0, "q75": 40.0, "q90": 46.0, "max": 50.0}),
    );
    assert_row(&rows[1], json!({"quantity": "turns", "mean": 10.0}));
    assert_row(&rows[2], json!({"quantity": "actions", "mean": 500.0}));
}

/// Three games of two nations: the Greeks take FORTRESS three times in two games, and play it in one; the Arabs take
/// and play it once, in a game that is shared.
fn with_cards() -> Vec<GameFacts> {
    const TAKEN: (&str, &str) = ("fortress", "taken");
    const PLAYED: (&str, &str) = ("fortress", "played");
    let with = |name, seat, share, cards| NationRow {
        cards,
        ..nation(name, seat, share)
    };
    vec![
        game(
            "a",
            &[
                with("greeks", 0, 1.0, &[TAKEN, TAKEN, PLAYED]),
                with("arabs", 1, 0.0, &[("tribute", "taken")]),
            ],
        ),
        game(
            "b",
            &[with("greeks", 0, 0.0, &[TAKEN]), with("arabs", 1, 1.0, &[])],
        ),
        game(
            "c",
            &[
                with("greeks", 0, 0.5, &[]),
                with("arabs", 1, 0.5, &[TAKEN, PLAYED]),
            ],
        ),
    ]
}

#[test]
fn cards_count_nations_that_took_and_played_them() {
    let rows_of = |filters: &Filters| rows(&with_cards(), &analytics::CARDS, filters);
    let rows = rows_of(&Filters::default());
    let keys = |row: &Value| (row["card"].clone(), row["act"].clone());
    assert_eq!(
        rows.iter().map(keys).collect::<Vec<_>>(),
        [
            ("fortress", "played"),
            ("fortress", "taken"),
            ("tribute", "taken")
        ]
        .map(|(card, act)| (json!(card), json!(act)))
    );
    // Played by the Greeks, who won, and the Arabs, who shared: 1.5 of 2, in 2 of 6.
    assert_row(
        &rows[0],
        json!({
            "edition": "antike", "board": "antike-east", "nations": 2, "times": 2,
            "frequency": 1.0 / 3.0, "games": 2, "wins": 1.5, "rate": 0.75, "expected": 0.5, "lift": 1.5, "insufficient": true,
        }),
    );
    // Taken four times by nations in three games, which won one and a half of these, of six.
    assert_row(
        &rows[1],
        json!({"times": 4, "frequency": 0.5, "games": 3, "wins": 1.5, "rate": 0.5, "lift": 1.0}),
    );
    assert_row(
        &rows[2],
        json!({"times": 1, "frequency": 1.0 / 6.0, "games": 1, "wins": 0.0, "lift": 0.0}),
    );
    let greeks = rows_of(&Filters {
        nation: Some("greeks".to_owned()),
        ..Filters::default()
    });
    assert_eq!(greeks.len(), 2);
    assert_row(
        &greeks[1],
        json!({"act": "taken", "times": 3, "frequency": 2.0 / 3.0, "games": 2, "wins": 1.0}),
    );
    let often = rows_of(&Filters {
        min_games: Some(3),
        ..Filters::default()
    });
    assert_eq!(often.len(), 1);
}

/// Cards of two boards: a row for each board, with its own share of games.
#[test]
fn cards_of_different_boards_have_rows_of_their_own() {
    let mut games = with_cards();
    games[0].game.board = "antike-west".into();
    for row in &mut games[0].seats {
        row.board = "antike-west".into();
    }
    let rows = rows(&games, &analytics::CARDS, &Filters::default());
    let found: Vec<(&str, &str, u64, f64)> = rows
        .iter()
        .map(|row| {
            let text = |name: &str| row[name].as_str().expect("a text");
            let games = row["games"].as_u64().expect("a number");
            let frequency = row["frequency"].as_f64().expect("a number");
            (text("board"), text("act"), games, frequency)
        })
        .collect();
    assert_eq!(
        found,
        [
            ("antike-east", "played", 1, 0.25),
            ("antike-east", "taken", 2, 0.5),
            ("antike-west", "played", 1, 0.5),
            ("antike-west", "taken", 1, 0.5),
            ("antike-west", "taken", 1, 0.5),
        ]
    );
}

/// Returns how many games pass the filters, which is the same for a measure of nations and one of games.
fn count_passing(games: &[GameFacts], filters: &Filters) -> u64 {
    let of = |asked| answer(games, asked, filters)["games"].as_u64();
    let count = of(&analytics::NATIONS);
    assert_eq!(count, of(&analytics::LENGTHS));
    count.expect("a number")
}

#[test]
fn each_filter_selects_games() {
    let mut games = shared();
    let mut change = |index: usize, change: &dyn Fn(&mut GameFacts)| change(&mut games[index]);
    change(0, &|game| {
        game.game.variants = ["expert".into(), "military".into()].into();
        game.game.rated = true;
        game.game.play = "bots";
        game.game.league = Some("winter".into());
    });
    change(1, &|game| {
        game.game.variants = ["long_game".into()].into();
        game.game.play = "mixed";
        game.game.played_at = "2026-11-21T00:00:00Z".parse().expect("a time");
        game.game.reason = "round_limit";
    });
    change(2, &|game| game.game.from_position = true);
    for game in &mut games {
        for row in &mut game.seats {
            row.variants = game.game.variants.clone();
            row.rated = game.game.rated;
            row.play = game.game.play;
            row.league = game.game.league.clone();
            row.played_at = game.game.played_at;
            row.reason = game.game.reason;
            row.from_position = game.game.from_position;
        }
    }
    let count = |query: Value| {
        let filters: Filters = serde_json::from_value(query).expect("filters");
        count_passing(&games, &filters)
    };
    assert_eq!(
        count(json!({})),
        1,
        "positions and round limits are left out"
    );
    assert_eq!(count(json!({"reason": "round_limit"})), 1);
    assert_eq!(count(json!({"from_position": "any"})), 2);
    let count = |mut query: Value| {
        let fields = query.as_object_mut().expect("an object");
        fields.entry("reason").or_insert(json!("any"));
        count(query)
    };
    assert_eq!(count(json!({})), 2);
    assert_eq!(count(json!({"from_position": "any"})), 3);
    assert_eq!(count(json!({"from_position": "only"})), 1);
    assert_eq!(count(json!({"variant": "military"})), 1);
    assert_eq!(count(json!({"variant": "milit"})), 0);
    assert_eq!(
        count(json!({"variant": NO_VARIANT, "from_position": "any"})),
        1
    );
    assert_eq!(count(json!({"rated": true})), 1);
    assert_eq!(count(json!({"rated": false})), 1);
    assert_eq!(count(json!({"bots": "only"})), 1);
    assert_eq!(count(json!({"bots": "none", "from_position": "any"})), 1);
    assert_eq!(count(json!({"league": "winter"})), 1);
    assert_eq!(count(json!({"since": "2026-11-21"})), 1);
    assert_eq!(count(json!({"until": "2026-11-21T00:00:00Z"})), 1);
    assert_eq!(count(json!({"reason": "goal"})), 1);
    assert_eq!(
        count(json!({"edition": "antike", "board": "antike-east", "nations": 4})),
        2
    );
    assert_eq!(count(json!({"edition": "antike_ii"})), 0);
    assert_eq!(count(json!({"nations": 5})), 0);
    assert_eq!(count(json!({"nation": "greeks"})), 2);
    assert_eq!(count(json!({"nation": "romans"})), 0);
    assert_eq!(count(json!({"seat": 3})), 2);
    assert_eq!(count(json!({"seat": 4})), 0);
    assert_eq!(count(json!({"place": 4})), 2);
    assert_eq!(count(json!({"place": 5})), 0);
    assert_eq!(count(json!({"player": "someone"})), 2);
    assert_eq!(count(json!({"player": "unknown"})), 0);
    assert_eq!(count(json!({"opponents": "people"})), 2);
    assert_eq!(count(json!({"opponents": "bots"})), 0);
    assert_eq!(count(json!({"bot": "greedy"})), 0);
}

#[test]
fn versions_of_rules_are_summed_unless_one_is_requested() {
    let (old, new) = ("0".repeat(64), "1".repeat(64));
    let mut games = shared();
    for (index, game) in games.iter_mut().enumerate() {
        let (version, hash) = if index == 0 { (1, &old) } else { (2, &new) };
        game.game.ruleset_version = version;
        game.game.ruleset_hash = hash.as_str().into();
        for seat in &mut game.seats {
            seat.ruleset_version = version;
            seat.ruleset_hash = hash.as_str().into();
        }
    }
    let later = games.len() - 1;
    let asked = |ruleset: Option<&str>| Filters {
        ruleset: ruleset.map(|text| text.parse().expect("a version")),
        ..Filters::default()
    };
    let first = json!({"edition": "antike", "version": 1, "hash": old, "games": 1});
    let second = json!({"edition": "antike", "version": 2, "hash": new, "games": later});
    for (ruleset, rulesets, count) in [
        (None, json!([first, second]), later + 1),
        (Some("1"), json!([first]), 1),
        (Some(&*new), json!([second]), later),
        (Some("3"), json!([]), 0),
    ] {
        for measure in analytics::MEASURES {
            let answer = answer(&games, measure, &asked(ruleset));
            assert_eq!(answer["rulesets"], rulesets, "{measure}");
            assert_eq!(answer["games"], count, "{measure}");
        }
        let seats = rows(&games, &analytics::SEATS, &asked(ruleset));
        let most = seats.iter().filter_map(|row| row["games"].as_u64()).max();
        assert_eq!(most.unwrap_or(0), count as u64, "{ruleset:?}");
        let lengths = rows(&games, &analytics::LENGTHS, &asked(ruleset));
        let played = lengths.iter().filter_map(|row| row["games"].as_u64()).max();
        assert_eq!(played.unwrap_or(0), count as u64, "{ruleset:?}");
    }
    let each = rows(&games, &analytics::SEATS, &asked(Some("each")));
    let found: Vec<(&Value, &Value)> = each
        .iter()
        .filter(|row| row["place"] == 1)
        .map(|row| (&row["ruleset"], &row["games"]))
        .collect();
    assert_eq!(
        found,
        [(&json!("1"), &json!(1)), (&json!("2"), &json!(later))]
    );
    // A filter on nations can be combined with it.
    let greeks = Filters {
        nation: Some("greeks".to_owned()),
        ..asked(Some("2"))
    };
    assert_eq!(
        rows(&games, &analytics::NATIONS, &greeks)[0]["games"],
        later
    );
}

#[test]
fn filters_on_nations_choose_rows() {
    let filters = Filters {
        nation: Some("arabs".to_owned()),
        ..Filters::default()
    };
    let rows = rows(&shared(), &analytics::SEATS, &filters);
    assert_eq!(rows.len(), 1);
    assert_row(&rows[0], json!({"place": 2, "games": 3, "wins": 5.0 / 6.0}));
}

#[test]
fn filters_on_opponents_openings_and_know_hows_choose_nations() {
    let mut games = shared();
    for game in &mut games {
        // The greeks develop the market in round 4, and the arabs in round 9.
        for (nation, round) in [("greeks", 4), ("arabs", 9)] {
            let seat = game.seats.iter().find(|seat| &*seat.nation == nation);
            let seat = seat.expect("the nation plays");
            game.know_hows.push(KnowHowRow {
                edition: seat.edition.clone(),
                month: seat.month.clone(),
                game: seat.game.clone(),
                nation: seat.nation.clone(),
                know_how: "market".into(),
                is_first: round == 4,
                turn: round * 3,
                round,
                own_turn: round,
                nth: 1,
                chips: 0,
                coins: 7,
                share_parts: seat.share_parts,
                share: seat.share,
            });
        }
    }
    games[0].game.time_control = "live";
    for seat in &mut games[0].seats {
        seat.time_control = "live";
        seat.opening = "growth";
    }
    let nations = |filters: Filters| -> Vec<(String, u64)> {
        let rows = rows(&games, &analytics::NATIONS, &filters);
        let row = |row: &Value| {
            let name = row["nation"].as_str().unwrap().to_owned();
            (name, row["games"].as_u64().unwrap())
        };
        rows.iter().map(row).collect()
    };
    let all = nations(Filters::default());
    let own = |name: &str, games: u64| (name.to_owned(), games);
    assert!(
        all.contains(&own("greeks", 3)) && all.contains(&own("arabs", 3)),
        "{all:?}"
    );
    let against = nations(Filters {
        against: Some("greeks".to_owned()),
        ..Filters::default()
    });
    assert!(
        !against.iter().any(|(name, _)| name == "greeks"),
        "{against:?}"
    );
    assert_eq!(against.len(), all.len() - 1);
    let know_how = |by_round| Filters {
        know_how: Some("market".to_owned()),
        by_round,
        ..Filters::default()
    };
    assert_eq!(nations(know_how(None)), [own("arabs", 3), own("greeks", 3)]);
    assert_eq!(nations(know_how(Some(4))), [own("greeks", 3)]);
    assert_eq!(nations(know_how(Some(3))), []);
    // The games ended in round 10.
    assert_eq!(nations(know_how(Some(11))), []);
    let without = |by_round| Filters {
        without_know_how: Some("market".to_owned()),
        by_round,
        ..Filters::default()
    };
    assert_eq!(nations(without(None)).len(), all.len() - 2);
    assert_eq!(nations(without(Some(8))).len(), all.len() - 1);
    let growth = nations(Filters {
        opening: Some(Opening::Growth),
        ..Filters::default()
    });
    let live = nations(Filters {
        time_control: Some(TimeControl::Live),
        ..Filters::default()
    });
    assert_eq!(growth, live);
    assert!(live.iter().all(|(_, games)| *games == 1), "{live:?}");
}

/// Dido wins twelve rated games against Hanno. Both have a rating from the eleventh game on.
#[test]
fn filters_on_ratings_choose_nations_after_ten_games() {
    let rated = |number: i64| {
        let nations = [nation("greeks", 0, 1.0), nation("arabs", 1, 0.0)];
        let mut made = game(&format!("game-{number}"), &nations);
        for (seat, player) in made.seats.iter_mut().zip(["dido", "hanno"]) {
            seat.player = player.into();
            made.ratings.push(RatingRow {
                edition: seat.edition.clone(),
                month: seat.month.clone(),
                game: seat.game.clone(),
                player: player.into(),
                player_kind: "account",
                rank: f64::from(seat.rank_of_seat),
                ..RatingRow::default()
            });
        }
        made.with_position(number, "2026-11-20T12:00:00Z".parse().expect("a time"))
    };
    let mut games: Vec<GameFacts> = (1..=12).map(rated).collect();
    Rater::default().rate(&mut games);
    games.push(game(
        "unrated",
        &[nation("greeks", 0, 1.0), nation("arabs", 1, 0.0)],
    ));
    let nations = |min_rating, max_rating, min_table_rating| -> Vec<Value> {
        let filters = Filters {
            min_rating,
            max_rating,
            min_table_rating,
            ..Filters::default()
        };
        let rows = rows(&games, &analytics::NATIONS, &filters);
        let row = |row: &Value| json!([row["nation"], row["games"]]);
        rows.iter().map(row).collect()
    };
    let (arabs, greeks) = (json!(["arabs", 2]), json!(["greeks", 2]));
    let none: Vec<Value> = Vec::new();
    assert_eq!(nations(Some(30), None, None), std::slice::from_ref(&greeks));
    assert_eq!(
        nations(Some(0), Some(20), None),
        std::slice::from_ref(&arabs)
    );
    assert_eq!(nations(None, Some(20), None), std::slice::from_ref(&arabs));
    assert_eq!(
        nations(Some(0), None, None),
        [arabs.clone(), greeks.clone()]
    );
    assert_eq!(nations(None, None, Some(0)), [arabs, greeks]);
    assert_eq!(nations(None, None, Some(30)), none);
    assert_eq!(nations(Some(30), None, Some(30)), none);
    // Whole games are chosen, so measures of whole games accept the filter.
    let filters = |min_rating, min_table_rating| Filters {
        min_rating,
        min_table_rating,
        ..Filters::default()
    };
    let check = |filters: &Filters| analytics::STRENGTH.check(filters, Library::embedded(), None);
    assert!(check(&filters(None, Some(28))).is_ok());
    assert_eq!(
        check(&filters(Some(28), None)).unwrap_err().field,
        "min_rating"
    );
}

#[test]
fn rows_with_few_games_can_be_excluded() {
    let mut games = shared();
    games.pop();
    let extra = [nation("romans", 0, 1.0), nation("greeks", 1, 0.0)];
    games.push(game("other", &extra));
    let filters = Filters {
        min_games: Some(2),
        ..Filters::default()
    };
    let rows = rows(&games, &analytics::NATIONS, &filters);
    assert_eq!(rows.len(), 4, "the game of two nations is left out");
}

#[test]
fn no_facts_give_no_rows() {
    for asked in analytics::MEASURES {
        let answer = answer(&[], asked, &Filters::default());
        assert_eq!(answer["rows"], json!([]), "{asked}");
        assert_eq!(
            (&answer["games"], &answer["as_of"]),
            (&json!(0), &Value::Null)
        );
    }
}

#[test]
fn declared_results_count_only_when_requested() {
    let mut games = shared();
    let all = games.len() as u64;
    games[1].game.declared = true;
    for row in &mut games[1].seats {
        row.declared = true;
    }
    let count = |query: Value| {
        let filters: Filters = serde_json::from_value(query).expect("filters");
        count_passing(&games, &filters)
    };
    assert_eq!(count(json!({})), all - 1);
    assert_eq!(count(json!({"declared": "none"})), all - 1);
    assert_eq!(count(json!({"declared": "any"})), all);
    assert_eq!(count(json!({"declared": "only"})), 1);
    // Adjudicated declared games need no other filter.
    games[1].game.reason = "adjudication";
    for row in &mut games[1].seats {
        row.reason = "adjudication";
    }
    let count = |query: Value| {
        let filters: Filters = serde_json::from_value(query).expect("filters");
        count_passing(&games, &filters)
    };
    assert_eq!(count(json!({"declared": "any"})), all);
    assert_eq!(count(json!({"declared": "any", "reason": "goal"})), all - 1);
    assert_eq!(count(json!({"reason": "adjudication"})), 0);
}

#[test]
fn filters_are_serialized_and_unknown_ones_refused() {
    let filters: Filters = serde_json::from_value(json!({
        "nations": 4, "since": "2026-11-01", "path": "marble, temple", "bots": "only"
    }))
    .expect("filters");
    let found = serde_json::to_value(&filters).expect("json");
    let expected = json!({
        "nations": 4, "since": "2026-11-01T00:00:00Z", "path": "marble,temple", "bots": "only",
        "reason": "played_out", "from_position": "none", "declared": "none"
    });
    assert_eq!(found, expected);
    assert_eq!(filters.bots, Inclusion::Only);
    let too_long = ["iron"; 8].join(",");
    for wrong in [
        json!({"natoin": "greeks"}),
        json!({"bots": "some"}),
        json!({"since": "lately"}),
        json!({"path": "marble,nowhere"}),
        json!({"path": too_long}),
        json!({"nations": -1}),
        json!({"ruleset": "0"}),
        json!({"ruleset": "latest"}),
        json!({"ruleset": "f".repeat(63)}),
    ] {
        let read: Result<Filters, serde_json::Error> = serde_json::from_value(wrong.clone());
        assert!(read.is_err(), "{wrong}");
    }
}

/// A service reads filters in this way.
#[test]
fn filters_come_from_query_strings() {
    let query = "nations=4&bots=only&rated=true&until=2026-11-01T00%3A00%3A00Z&reason=goal&path=";
    let filters: Filters = serde_urlencoded::from_str(query).expect("filters");
    let expected = Filters {
        nations: Some(4),
        bots: Inclusion::Only,
        rated: Some(true),
        until: Some("2026-11-01".parse().expect("a date")),
        reason: EndFilter::By(engine::words::EndReason::Goal),
        path: Some("".parse().expect("a path")),
        ..Filters::default()
    };
    assert_eq!(filters, expected);
    for wrong in ["nation=a&colour=red", "rated=perhaps", "nations=four"] {
        assert!(
            serde_urlencoded::from_str::<Filters>(wrong).is_err(),
            "{wrong}"
        );
    }
}
