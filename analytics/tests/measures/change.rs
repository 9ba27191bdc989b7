//! Trends by month, and skill and luck, on made-up games.

use analytics::facts::GameFacts;
use analytics::{Filters, SKILL, TRENDS};
use serde_json::{Value, json};

use super::{assert_row, rows};
use crate::support::{game, nation};

/// Games of Greeks and Persians in January and July 2026. Of each ten games, the Greeks win this many.
fn months(won: [usize; 2]) -> Vec<GameFacts> {
    let months = ["2026-01", "2026-07"].iter().zip(won);
    let games = months.flat_map(|(month, won)| {
        (0..40).map(move |number| {
            let greeks = if number % 10 < won { 1.0 } else { 0.0 };
            let nations = [
                nation("greeks", 0, greeks),
                nation("persians", 1, 1.0 - greeks),
            ];
            let mut game = game(&format!("{month} {number}"), &nations);
            game.game.month = (*month).into();
            for (seat, row) in game.seats.iter_mut().enumerate() {
                row.month = (*month).into();
                // Everybody plays each nation equally often, so skill does not matter.
                row.cluster = (number as u32 / 10 + seat as u32) % 2;
                row.player = ["ann", "ben"][row.cluster as usize].into();
            }
            game
        })
    });
    games.collect()
}

fn greeks<'a>(rows: &'a [Value], month: &str) -> &'a Value {
    let mut rows = rows.iter();
    let found = rows.find(|row| row["level"] == "greeks" && row["month"] == month);
    found.expect("a row")
}

#[test]
fn a_month_is_compared_with_the_other_months() {
    let rows = rows(&months([3, 7]), &TRENDS, &Filters::default());
    let keys =
        |name: &str| -> Vec<&str> { rows.iter().filter_map(|row| row[name].as_str()).collect() };
    assert_eq!(keys("by")[..4], ["nation"; 4]);
    assert_eq!(
        keys("level")[..4],
        ["greeks", "greeks", "persians", "persians"]
    );
    let july = greeks(&rows, "2026-07");
    assert_row(
        july,
        json!({"games": 40, "rate": 0.7, "expected": 0.3, "lift": 7.0 / 3.0}),
    );
    assert!(july["q"].as_f64().is_some_and(|q| q < 0.01), "{july}");
    // From 0.3 to 0.7 in half a year.
    assert_row(july, json!({"trend": 0.8}));
    assert_row(
        greeks(&rows, "2026-01"),
        json!({"trend": 0.8, "rate": 0.3, "expected": 0.7}),
    );
    assert!(july["trend_q"].as_f64().is_some_and(|q| q < 0.01), "{july}");
    assert!(
        july["trend_low"].as_f64().is_some_and(|low| low > 0.3),
        "{july}"
    );
}

#[test]
fn without_a_change_there_is_no_trend() {
    let same = rows(&months([5, 5]), &TRENDS, &Filters::default());
    let july = greeks(&same, "2026-07");
    assert_row(
        july,
        json!({"rate": 0.5, "expected": 0.5, "q": 1.0, "trend": 0.0, "trend_q": 1.0}),
    );
}

#[test]
fn one_month_is_compared_with_itself() {
    let mut only: Vec<GameFacts> = months([3, 7]).into_iter().take(40).collect();
    for game in &mut only {
        game.game.month = "2026-11".into();
        game.seats
            .iter_mut()
            .for_each(|row| row.month = "2026-11".into());
    }
    let rows = rows(&only, &TRENDS, &Filters::default());
    let row = greeks(&rows, "2026-11");
    assert_row(row, json!({"rate": 0.3, "expected": 0.3}));
    assert!(row["q"].as_f64().is_some_and(|q| q > 0.9), "{row}");
    assert_row(
        row,
        json!({"trend": null, "trend_low": null, "trend_high": null, "trend_q": null}),
    );
}

#[test]
fn hidden_months_count_for_the_trend() {
    let mut games = months([3, 7]);
    games.truncate(50);
    let filters = Filters {
        min_games: Some(20),
        ..Filters::default()
    };
    let rows = rows(&games, &TRENDS, &filters);
    assert!(rows.iter().all(|row| row["month"] == "2026-01"));
    assert_row(greeks(&rows, "2026-01"), json!({"trend": 0.8}));
}

/// Games of two, in which the stronger of two persons wins this many of ten games.
fn duels(won: usize) -> Vec<GameFacts> {
    let games = (0..400).map(|number| {
        let (strong, weak) = (number % 20, 20 + number / 20 % 20);
        let share = if (number / 20 + number) % 10 < won {
            1.0
        } else {
            0.0
        };
        let mut game = game(
            &number.to_string(),
            &[
                nation("greeks", 0, share),
                nation("persians", 1, 1.0 - share),
            ],
        );
        for (row, person) in game.seats.iter_mut().zip([strong, weak]) {
            row.cluster = person as u32;
            row.player = format!("person {person}").into();
        }
        game
    });
    games.collect()
}

#[test]
fn skill_is_the_variance_between_persons() {
    let found = rows(&duels(8), &SKILL, &Filters::default());
    let [luck, skill] = &found[..] else {
        panic!("{found:?}");
    };
    // Rates of 0.8 and 0.2: a variance of 0.09 of 0.25. Each has 20 games, so that of chance is as large as that of
    // pairs of different games is too small: 0.36 - 0.64 / 19.
    assert_row(
        skill,
        json!({"part": "skill", "seats": 800, "people": 40, "variance_share": 0.36 - 0.64 / 19.0}),
    );
    assert_row(
        luck,
        json!({"part": "luck", "variance_share": 0.64 + 0.64 / 19.0, "insufficient": false}),
    );
    let equal = rows(&duels(5), &SKILL, &Filters::default());
    assert_row(
        &equal[1],
        json!({"part": "skill", "variance_share": 0.0, "low": 0.0}),
    );
}
