//! Measures by round, on made-up games: when nations have personages, and how those with a know-how fare.

use analytics::facts::{GameFacts, KnowHowRow};
use analytics::{Filters, KNOW_HOWS_ROUNDS, PERSONAGES_INCIDENCE};
use serde_json::{Value, json};

use super::{assert_row, games_with_awards, rows, rows as rows_of, with_awards};

fn find<'a>(rows: &'a [Value], key: &str, value: &str, by_round: u32) -> Option<&'a Value> {
    rows.iter()
        .find(|row| row[key] == value && row["by_round"] == by_round)
}

#[test]
fn incidence_counts_all_nations_also_after_their_game_is_over() {
    let rows = rows(
        &games_with_awards(),
        &PERSONAGES_INCIDENCE,
        &Filters::default(),
    );
    let row = |personages: &str, by_round: u32| {
        find(&rows, "personages", personages, by_round)
            .unwrap_or_else(|| panic!("{personages} by round {by_round} in {rows:?}"))
    };
    // The second personage is won in round 4, by five of six nations.
    assert_row(
        row("2", 4),
        json!({"games": 2, "nation_games": 6, "reached": 5, "incidence": 5.0 / 6.0, "over_without": 0.0}),
    );
    // The games end in round 10. A nation with one personage never has a second one.
    assert_row(
        row("2", 10),
        json!({"nation_games": 6, "reached": 5, "over_without": 1.0 / 6.0}),
    );
    assert_row(
        row("4", 40),
        json!({"reached": 1, "over_without": 5.0 / 6.0}),
    );
    assert_row(row("king", 8), json!({"reached": 5}));
    // The last personage of the goal is one of those that a nation has.
    let mut game = with_awards(
        "c",
        &[
            ("greeks", 1.0, &["king", "general"]),
            ("arabs", 0.0, &["king"]),
        ],
    );
    game.game.goal = 2;
    let last = rows_of(&[game], &PERSONAGES_INCIDENCE, &Filters::default());
    let general = find(&last, "personages", "general", 40).unwrap();
    assert_row(
        general,
        json!({"nation_games": 2, "reached": 1, "over_without": 0.5}),
    );
    assert!(find(&rows, "by", "over", 10).is_none());
    let row = row("2", 4);
    let [low, high] = ["low", "high"].map(|name| row[name].as_f64().expect("a number"));
    assert!(low > 0.0 && low < 5.0 / 6.0 && high > 5.0 / 6.0 && high <= 1.0);
}

/// What all nations of a game have by a round has no variance by game; an interval is left.
#[test]
fn incidence_is_surer_where_nations_of_a_game_are_alike() {
    let games = |is_mixed: bool| -> Vec<GameFacts> {
        let game = |number: usize| {
            let is_first = number.is_multiple_of(2);
            let (one, other): (&[&str], &[&str]) = match (is_mixed, is_first) {
                (true, _) => (&["king"], &[]),
                (false, true) => (&["king"], &["king"]),
                (false, false) => (&[], &[]),
            };
            let nations = [("greeks", 1.0, one), ("arabs", 0.0, other)];
            let mut game = with_awards(&format!("{number}"), &nations);
            // Bots, whose skill adds nothing.
            game.seats.iter_mut().for_each(|seat| seat.cluster = 256);
            game
        };
        (0..40).map(game).collect()
    };
    let width = |games: &[GameFacts]| {
        let rows = rows(games, &PERSONAGES_INCIDENCE, &Filters::default());
        let row = find(&rows, "personages", "1", 4).expect("a row");
        assert_row(row, json!({"nation_games": 80, "incidence": 0.5}));
        row["high"].as_f64().expect("a number") - row["low"].as_f64().expect("a number")
    };
    // One of the two in each game, or both in half of the games.
    assert!(width(&games(true)) < width(&games(false)) / 3.0);
}

/// A game of three nations, of which the first two win a king in round 3. The know-hows are developed in round 3 too.
fn developing(id: &str, shares: [f64; 3], know_hows: &[(usize, &str)]) -> GameFacts {
    let [greeks, arabs, persians] = shares;
    let mut game = with_awards(
        id,
        &[
            ("greeks", greeks, &["king"]),
            ("arabs", arabs, &["king"]),
            ("persians", persians, &[]),
        ],
    );
    for (place, know_how) in know_hows {
        let seat = &game.seats[*place];
        game.know_hows.push(KnowHowRow {
            edition: seat.edition.clone(),
            month: seat.month.clone(),
            game: seat.game.clone(),
            nation: seat.nation.clone(),
            know_how: (*know_how).into(),
            is_first: true,
            turn: 9,
            round: 3,
            own_turn: 3,
            nth: 1,
            chips: 5,
            coins: 0,
            share_parts: seat.share_parts,
            share: seat.share,
        });
    }
    game
}

#[test]
fn know_hows_are_compared_among_nations_with_as_many_personages() {
    let games = [
        developing("x", [1.0, 0.0, 0.0], &[(0, "market"), (2, "roads")]),
        developing(
            "y",
            [0.0, 1.0, 0.0],
            &[(0, "market"), (2, "market"), (2, "roads")],
        ),
    ];
    let rows = rows(&games, &KNOW_HOWS_ROUNDS, &Filters::default());
    let market = |by_round: u32| find(&rows, "know_how", "market", by_round);
    // With one personage: two with it won one game, two without it won one. Without personages: one with it lost, one
    // without it lost.
    assert_row(
        market(4).expect("a row"),
        json!({
            "games": 2, "nation_games": 3, "wins": 1.0, "rate": 1.0 / 3.0, "expected": 1.0 / 3.0, "lift": 1.0,
            "compared": 1.0,
        }),
    );
    // The games end in round 10.
    assert!(market(8).is_some() && market(10).is_none());
    // All nations without personages have it.
    assert!(find(&rows, "know_how", "roads", 4).is_none());
}

#[test]
fn nations_of_a_know_how_without_others_count_as_expected() {
    let games = [
        developing("x", [1.0, 0.0, 0.0], &[(0, "market"), (2, "market")]),
        developing("y", [0.0, 1.0, 0.0], &[(2, "market")]),
    ];
    let rows = rows(&games, &KNOW_HOWS_ROUNDS, &Filters::default());
    // Of those with one personage one has it, and won; of the three others one won. Both without personages have it.
    assert_row(
        find(&rows, "know_how", "market", 4).expect("a row"),
        json!({"nation_games": 3, "rate": 1.0 / 3.0, "expected": 1.0 / 9.0, "compared": 1.0 / 3.0}),
    );
}
