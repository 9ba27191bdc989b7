//! Rates at equal strength, on made-up games.

use analytics::facts::GameFacts;
use analytics::{Facts, Filters, measure};
use serde_json::Value;

use super::rows;
use crate::support::{game, nation};

/// Games of four, in which Ann wins seven of ten and all others the rest. She plays the Greeks in two games of
/// three, and each other nation equally often.
fn games(count: usize) -> Vec<GameFacts> {
    let names = ["greeks", "arabs", "persians", "phoenicians"];
    let made = (0..count).map(|index| {
        let ann = [0, 0, index / 3 % 4][index % 3];
        let winner = match index % 10 {
            0..7 => ann,
            7 => (ann + 1) % 4,
            8 => (ann + 2) % 4,
            _ => (ann + 3) % 4,
        };
        let seat = |(seat, name): (usize, &&'static str)| {
            let share = if seat == winner { 1.0 } else { 0.0 };
            nation(name, seat as u32, share)
        };
        let seats: Vec<_> = names.iter().enumerate().map(seat).collect();
        let mut game = game(&format!("game {index}"), &seats);
        for (seat, row) in game.seats.iter_mut().enumerate() {
            let other = ["ben", "cleo", "dan", "eve", "finn"][(index / 2 + seat) % 5];
            row.player = if seat == ann { "ann" } else { other }.into();
            // The nations have the same seat order in each game.
            row.place = ((seat + index / 7) % 4) as u32 + 1;
        }
        game
    });
    made.collect()
}

fn row<'a>(rows: &'a [Value], by: &str, level: &str) -> &'a Value {
    let mut rows = rows.iter();
    let found = rows.find(|row| row["by"] == by && row["level"] == level);
    found.expect("a row")
}

fn number(row: &Value, name: &str) -> f64 {
    row[name].as_f64().expect("a number")
}

#[test]
fn a_nation_of_strong_players_is_not_stronger() {
    let rows = rows(&games(120), &analytics::STRENGTH, &Filters::default());
    let greeks = row(&rows, "nation", "greeks");
    assert_eq!(greeks["games"], 120);
    assert!(number(greeks, "rate") > 0.5, "{greeks}");
    let (low, equal, high) = (
        number(greeks, "low"),
        number(greeks, "equal_rate"),
        number(greeks, "high"),
    );
    assert!(
        low < 0.25 && 0.25 < high && high < number(greeks, "rate"),
        "{greeks}"
    );
    assert!(0.15 < equal && equal < 0.35, "{greeks}");
    assert!(number(greeks, "effect_low") < 0.0 && 0.0 < number(greeks, "effect_high"));
    assert!(number(greeks, "skill_spread") > 0.5, "{greeks}");
    assert_eq!(greeks["skills"], 6);
    assert_eq!(greeks["insufficient"], false);
    // All nations of a game together win once.
    let nations = rows.iter().filter(|row| row["by"] == "nation");
    let all: f64 = nations.map(|row| number(row, "equal_rate")).sum();
    assert!((all - 1.0).abs() < 1e-9, "{all}");
    // All played the same opening.
    let opening = row(&rows, "opening", "other");
    assert_eq!(
        (number(opening, "effect"), number(opening, "q")),
        (0.0, 1.0)
    );
    assert!((number(opening, "equal_rate") - 0.25).abs() < 1e-9);
    let places: Vec<&Value> = rows.iter().filter(|row| row["by"] == "place").collect();
    let places: Vec<&str> = places
        .iter()
        .filter_map(|row| row["level"].as_str())
        .collect();
    assert_eq!(places, ["1", "2", "3", "4"]);
}

/// If all players are the same person, there is no strength to correct: the rates are those of the games, except for
/// the prior of effects, which moves 48 wins and none a little closer together.
#[test]
fn without_skills_the_rates_do_not_change() {
    let mut games = games(120);
    for row in games.iter_mut().flat_map(|game| &mut game.seats) {
        row.player = "greedy".into();
        row.place = 1;
    }
    for row in rows(&games, &analytics::STRENGTH, &Filters::default()) {
        let (rate, equal) = (number(&row, "rate"), number(&row, "equal_rate"));
        assert!((rate - equal).abs() < 0.01, "{row}");
        assert!(
            number(&row, "low") <= equal && equal <= number(&row, "high"),
            "{row}"
        );
    }
}

#[test]
fn few_games_and_inseparable_players_are_insufficient() {
    let is_insufficient = |games: &[GameFacts]| {
        let rows = rows(games, &analytics::STRENGTH, &Filters::default());
        row(&rows, "nation", "greeks")["insufficient"].clone()
    };
    assert_eq!(is_insufficient(&games(29)), true);
    assert_eq!(is_insufficient(&games(30)), false);
    let mut married = games(30);
    for game in &mut married {
        for row in &mut game.seats {
            // Each nation has its player, who wins all games or none.
            row.player = row.nation.clone();
            let won = &*row.nation == "greeks";
            row.share_parts = if won { 120 } else { 0 };
        }
    }
    assert_eq!(is_insufficient(&married), true);
}

/// On most boards one nation always begins: its own effect and the effect of beginning cannot be separated, but
/// their sum can, and more games make it more precise.
#[test]
fn a_nation_that_always_begins_shows_the_sum_of_both_effects() {
    let fixed = |count: usize| {
        let mut games = games(count);
        for (index, game) in games.iter_mut().enumerate() {
            for (seat, row) in game.seats.iter_mut().enumerate() {
                // The Greeks begin; the others have any seats.
                row.place = match seat {
                    0 => 1,
                    seat => ((seat + index / 2) % 3) as u32 + 2,
                };
            }
        }
        rows(&games, &analytics::STRENGTH, &Filters::default())
    };
    let width = |row: &Value| number(row, "effect_high") - number(row, "effect_low");
    let (few, many) = (fixed(120), fixed(1_920));
    for (by, level, always_with) in [
        ("nation", "greeks", "place 1"),
        ("place", "1", "nation greeks"),
        ("nation", "arabs", ""),
        ("place", "2", ""),
    ] {
        let (few, many) = (row(&few, by, level), row(&many, by, level));
        assert_eq!(few["always_with"], always_with);
        // Sixteen times as many games make an interval a quarter as wide.
        let narrower = width(many) / width(few);
        assert!((0.15..0.35).contains(&narrower), "{by} {level}: {narrower}");
        assert_eq!(many["insufficient"], false);
    }
    let of_both = ["effect", "effect_low", "effect_high", "equal_rate"];
    for name in of_both {
        let greeks = number(row(&few, "nation", "greeks"), name);
        assert_eq!(greeks, number(row(&few, "place", "1"), name));
    }
}

/// Of three nations, one always begins and another is the only one with its opening, so the third has no nation left
/// for a separate comparison. It is compared with both as they play.
#[test]
fn the_last_nation_without_a_partner_is_compared_as_it_plays() {
    let mut games = games(300);
    for (index, game) in games.iter_mut().enumerate() {
        game.seats.truncate(3);
        let winner = [0, 0, 0, 1, 1, 2][index % 6];
        for (seat, row) in game.seats.iter_mut().enumerate() {
            row.player = "greedy".into();
            row.place = match (seat, index / 6 % 2) {
                (0, _) => 1,
                (seat, 0) => seat as u32 + 1,
                (seat, _) => 4 - seat as u32,
            };
            row.opening = ["other", "military", "other"][seat];
            row.share_parts = if seat == winner { 120 } else { 0 };
        }
    }
    let rows = rows(&games, &analytics::STRENGTH, &Filters::default());
    let [greeks, arabs, persians] =
        ["greeks", "arabs", "persians"].map(|name| row(&rows, "nation", name));
    assert_eq!(greeks["always_with"], "place 1");
    assert_eq!(arabs["always_with"], "opening military");
    assert_eq!(persians["always_with"], "");
    // One win in six.
    assert!(number(persians, "effect_high") < 0.0, "{persians}");
    assert!(number(persians, "q") < 0.05 && number(greeks, "q") < 0.05);
}

/// A single player differs from no other, and a player with all seats of a game shows no skill.
#[test]
fn one_player_has_no_spread_of_skill() {
    let spread = |other: &dyn Fn(usize, usize) -> String| {
        let mut games = games(60);
        for (index, game) in games.iter_mut().enumerate() {
            for (seat, row) in game.seats.iter_mut().enumerate() {
                row.player = other(index, seat).into();
            }
        }
        let rows = rows(&games, &analytics::STRENGTH, &Filters::default());
        let row = row(&rows, "nation", "greeks");
        (number(row, "skills"), number(row, "skill_spread"))
    };
    let all_seats = spread(&|index, _| ["ann", "ben"][index % 2].to_owned());
    assert_eq!(all_seats, (0.0, 0.0));
    let with_strangers = spread(&|index, seat| match seat {
        0 => "ann".to_owned(),
        seat => format!("stranger {index} {seat}"),
    });
    assert_eq!(with_strangers, (1.0, 0.0));
}

/// The results are the same to the last bit for any order of games.
#[test]
fn the_order_of_games_does_not_matter() {
    let table = |games: Vec<GameFacts>| {
        let facts = Facts::from_games(games).expect("frames");
        let table = measure(&facts.lazy(), &analytics::STRENGTH, &Filters::default());
        table.expect("a table").to_json().expect("json").to_string()
    };
    let mut turned = games(60);
    turned.reverse();
    assert_eq!(table(games(60)), table(turned));
}

#[test]
fn games_without_a_winner_change_no_rate() {
    let mut games = games(3);
    for row in &mut games[1].seats {
        row.share_parts = 0;
    }
    let found = rows(&games, &analytics::STRENGTH, &Filters::default());
    assert_eq!(row(&found, "nation", "greeks")["games"], 2);
    games.truncate(2);
    games.remove(0);
    assert_eq!(
        rows(&games, &analytics::STRENGTH, &Filters::default()),
        Vec::<Value>::new()
    );
}
