//! Matches: seats of the sides, and sums of their results.

use crate::support::setup;

use std::collections::{BTreeMap, BTreeSet};

use bots::{BOTS, Fixture, Match, Scores, Side};
use engine::content::Library;
use records::Record;

fn side(name: &str, seats: usize) -> Side {
    let bot = name.parse().expect("a bot");
    Side { bot, seats }
}

fn of(board: &str, sides: &[Side], max_rounds: u32) -> Match {
    Match {
        setup: setup::of_bots(board, &[], &[], "a match", max_rounds),
        sides: sides.to_vec(),
    }
}

fn play(fixture: &Fixture) -> Record {
    let record = fixture.play(Library::embedded(), "a game", "2005-10-13T12:00:00Z");
    record.expect("a game")
}

fn shares(scores: &Scores) -> Vec<f64> {
    scores.sides.iter().map(|score| score.shares()).collect()
}

#[test]
fn each_side_has_each_seat_and_nation_of_a_round_in_proportion_to_its_seats() {
    for (sides, games) in [
        (vec![side("greedy", 1), side("random", 3)], vec![4]),
        (vec![side("greedy", 2), side("random", 2)], vec![2, 4]),
        (
            vec![
                side("greedy", 1),
                side("random", 2),
                side("greedy_growth", 3),
            ],
            vec![6],
        ),
        (
            vec![
                side("greedy", 2),
                side("random", 2),
                side("greedy_growth", 2),
            ],
            vec![3, 6],
        ),
        (vec![side("greedy", 4)], vec![1]),
    ] {
        let of_all = of("antike-east", &sides, 5);
        let seats: usize = sides.iter().map(|side| side.seats).sum();
        let mut orders = BTreeSet::new();
        for round in 0..20 {
            let fixtures = of_all.round(round);
            assert!(games.contains(&fixtures.len()), "{} games", fixtures.len());
            let mut sat: BTreeMap<(usize, Vec<String>, usize), usize> = BTreeMap::new();
            for fixture in &fixtures {
                assert_eq!(fixture.setup.seed, format!("a match-{round}"));
                let setup = fixture.setup.spelled_out(Library::embedded());
                let setup = setup.expect("a setup");
                for (seat, side) in fixture.sides.iter().enumerate() {
                    let nations = setup.seats[seat].nations.clone();
                    *sat.entry((seat, nations, *side)).or_default() += 1;
                    let name = sides[*side].bot.to_string();
                    assert_eq!(setup.seats[seat].player.actor(), Some(name.as_str()));
                }
                orders.insert(fixture.sides.clone());
            }
            // A seat has the same nation in all games of a round.
            assert_eq!(sat.len(), seats * sides.len());
            for ((_, _, side), count) in sat {
                assert_eq!(count * seats, fixtures.len() * sides[side].seats);
            }
        }
        // Neighbours change from round to round where possible.
        let all_equal = sides.len() == 1;
        let turned = orders.len() > games[0];
        assert!(turned || all_equal || sides[0].seats == 1 && sides.len() == 2);
    }
}

#[test]
fn a_round_is_the_same_whenever_it_is_played_and_sums_do_not_depend_on_the_order() {
    let sides = [
        side("greedy", 1),
        side("greedy_growth", 1),
        side("random", 1),
    ];
    let of_three = of("antike-ii-orient", &sides, 12);
    let fixtures: Vec<Fixture> = of_three.fixtures(0..3).collect();
    let alone = of_three.round(2);
    let last: Vec<&Fixture> = fixtures.iter().filter(|f| f.round == 2).collect();
    assert_eq!(last.len(), alone.len());
    let records: Vec<Record> = fixtures.iter().map(play).collect();
    for (one, other) in last.into_iter().zip(&alone) {
        assert_eq!(one.setup, other.setup);
        assert_eq!(play(one), play(other));
    }
    let mut forward = Scores::new(3);
    let mut backward = Scores::new(3);
    let pairs = || fixtures.iter().zip(&records);
    pairs().for_each(|(fixture, record)| forward.add(fixture, record));
    for (fixture, record) in pairs().rev() {
        let mut one = Scores::new(3);
        one.add(fixture, record);
        one.merge(&backward);
        backward = one;
    }
    assert_eq!(forward, backward);
    assert_eq!(forward.games, 9);
    assert!(forward.sides.iter().all(|score| score.seats == 9));
    let shares: f64 = forward.sides.iter().map(|score| score.shares()).sum();
    assert!((shares - 9.0).abs() < 1e-9, "{shares} wins in 9 games");
}

#[test]
fn equal_bots_come_out_equal_over_a_round() {
    for bot in BOTS {
        let name = setup::quick(bot);
        let sides = [side(&name, 1), side(&name, 1)];
        let of_equals = of("duellum-rome-carthage", &sides, 15);
        let mut scores = Scores::new(2);
        for fixture in of_equals.fixtures(0..2) {
            scores.add(&fixture, &play(&fixture));
        }
        assert_eq!(scores.sides[0], scores.sides[1], "{}", bot.name);
        assert_eq!(scores.sides[0].seats, 4);
    }
}

#[test]
fn a_shared_win_is_shared() {
    let sides = [side("random", 1), side("random", 3)];
    let fixture = of("antike-east", &sides, 1).round(0).remove(0);
    let mut record = play(&fixture);
    let result = record.result.as_mut().expect("a result");
    let alone = fixture.sides.iter().position(|side| *side == 0);
    let alone = alone.expect("a seat") as u8;
    for body in &mut result.ranks {
        body.rank = if body.seat == alone || body.seat == (alone + 1) % 4 {
            1
        } else {
            3
        };
    }
    let mut scores = Scores::new(2);
    scores.add(&fixture, &record);
    assert_eq!(shares(&scores), [0.5, 0.5]);
    // An unfinished game has no seats played and no winner.
    record.result = None;
    scores.add(&fixture, &record);
    assert_eq!(scores.games, 2);
    assert_eq!(shares(&scores), [0.5, 0.5]);
    assert_eq!(scores.sides[1].seats, 6);
}
