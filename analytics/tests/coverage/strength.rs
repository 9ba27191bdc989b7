//! The intervals of rates at equal strength.

use analytics::statistics::logit::{Strength, StrengthSeat};
use rayon::prelude::*;

use super::{Chance, page};

/// The effects of a nation, a place and an opening on the log odds; four of each.
const EFFECTS: [f64; 12] = [
    0.4, 0.1, -0.1, -0.4, // nations
    0.2, 0.0, 0.0, -0.2, // places
    0.3, 0.1, -0.2, -0.2, // openings
];

/// The parameters of a corpus.
#[derive(Clone, Copy)]
struct Corpus {
    name: &'static str,
    games: usize,
    /// The number of persons; with 0, no person plays twice.
    persons: usize,
    /// The standard deviation of their skill, in log odds.
    spread: f64,
    /// How often a person plays the habitual opening.
    habit: f64,
    /// How often a person takes the preferred nation if it is free.
    chosen: f64,
    /// Whether the stronger half of the persons prefers the first nation, and the others any.
    preferred: bool,
    /// How often a win is divided in halves, each drawn by itself.
    shared: f64,
    /// The number of seats that share four nations.
    seats: usize,
}

const PLAIN: Corpus = Corpus {
    name: "no person plays twice",
    games: 200,
    persons: 0,
    spread: 0.0,
    habit: 0.25,
    chosen: 0.0,
    preferred: false,
    shared: 0.0,
    seats: 4,
};

const CORPORA: [Corpus; 8] = [
    PLAIN,
    Corpus {
        name: "shared wins",
        shared: 0.5,
        ..PLAIN
    },
    Corpus {
        name: "two players with four nations",
        seats: 2,
        persons: 40,
        spread: 0.5,
        ..PLAIN
    },
    Corpus {
        name: "40 persons, skill alike, habits",
        persons: 40,
        habit: 0.7,
        ..PLAIN
    },
    Corpus {
        name: "40 persons, skill spread 0.5, habits",
        persons: 40,
        spread: 0.5,
        habit: 0.7,
        ..PLAIN
    },
    Corpus {
        name: "40 persons, skill spread 1.0, habits",
        persons: 40,
        spread: 1.0,
        habit: 0.7,
        ..PLAIN
    },
    Corpus {
        name: "40 persons, skill spread 1.0, habits and self-chosen nations",
        persons: 40,
        spread: 1.0,
        habit: 0.7,
        chosen: 0.8,
        ..PLAIN
    },
    Corpus {
        name: "the same, and the strong like one nation",
        persons: 40,
        spread: 1.0,
        habit: 0.7,
        chosen: 0.8,
        preferred: true,
        ..PLAIN
    },
];

/// Simulates the games of a corpus. Effects have the numbers of [`EFFECTS`], and persons follow.
fn games(corpus: &Corpus, chance: &mut Chance) -> Vec<Vec<StrengthSeat>> {
    let everybody = corpus.persons.max(corpus.seats);
    let persons: Vec<(f64, usize, usize)> = (0..everybody)
        .map(|_| {
            (
                corpus.spread * chance.normal(),
                chance.below(4),
                chance.below(4),
            )
        })
        .collect();
    (0..corpus.games)
        .map(|_| {
            let mut table: Vec<usize> = Vec::new();
            while table.len() < corpus.seats {
                let person = chance.below(everybody);
                if !table.contains(&person) {
                    table.push(person);
                }
            }
            let first = chance.below(4);
            let mut left: Vec<usize> = (0..4).collect();
            let mut seats: Vec<StrengthSeat> = Vec::new();
            for person in &table {
                let (skill, habit, liked) = persons[*person];
                let liked = if corpus.preferred && skill > 0.0 {
                    0
                } else {
                    liked
                };
                let mut effects = Vec::new();
                for _ in 0..4 / corpus.seats {
                    let liked = left.iter().position(|nation| *nation == liked);
                    let taken = match (liked, chance.part() < corpus.chosen) {
                        (Some(place), true) => place,
                        _ => chance.below(left.len()),
                    };
                    let nation = left.remove(taken);
                    let opening = match chance.part() < corpus.habit {
                        true => habit,
                        false => chance.below(4),
                    };
                    // Nations have a fixed order of seats, of which any may begin.
                    effects.extend([nation, 4 + (nation + first) % 4, 8 + opening]);
                }
                seats.push(StrengthSeat {
                    share: 0.0,
                    player: (corpus.persons > 0).then_some(EFFECTS.len() + person),
                    nations: 4 / corpus.seats,
                    effects,
                });
            }
            let skills: Vec<f64> = table.iter().map(|person| persons[*person].0).collect();
            let chances = chances(&seats, &skills);
            let drawn = |chance: &mut Chance| {
                let mut place = chance.part();
                let drawn = chances.iter().position(|part| {
                    place -= part;
                    place < 0.0
                });
                drawn.unwrap_or(0)
            };
            let winner = drawn(chance);
            let other = match chance.part() < corpus.shared {
                true => drawn(chance),
                false => winner,
            };
            seats[winner].share += 0.5;
            seats[other].share += 0.5;
            seats
        })
        .collect()
}

/// Returns the win probabilities of seats with these skills of persons.
fn chances(seats: &[StrengthSeat], skills: &[f64]) -> Vec<f64> {
    let odds = seats.iter().zip(skills).map(|(seat, skill)| {
        let effects = seat.effects.iter().map(|effect| EFFECTS[*effect]);
        (effects.sum::<f64>() + skill).exp()
    });
    let odds: Vec<f64> = odds.collect();
    let all: f64 = odds.iter().sum();
    odds.iter().map(|odds| odds / all).collect()
}

/// Returns the shares of corpora in which the intervals contain the truth: of rates at equal strength, of effects,
/// and of the raw rates (Wilson's).
fn coverage(corpus: &Corpus, times: usize) -> [f64; 3] {
    let mut chance = Chance(corpus.name.len() as u64);
    let (mut rates, mut effects, mut raw, mut all) = (0, 0, 0, 0);
    for _ in 0..times {
        let games = games(corpus, &mut chance);
        let strength = Strength::fit(&games, EFFECTS.len(), corpus.persons);
        let mut counts = [0.0; EFFECTS.len()];
        let (mut equal, mut won) = ([0.0; EFFECTS.len()], [0.0; EFFECTS.len()]);
        for game in &games {
            let chances = chances(game, &vec![0.0; game.len()]);
            for (seat, chance) in game.iter().zip(chances) {
                for effect in &seat.effects {
                    counts[*effect] += 1.0;
                    equal[*effect] += chance / seat.nations as f64;
                    won[*effect] += seat.share / seat.nations as f64;
                }
            }
        }
        for kind in 0..3 {
            let kind = 4 * kind..4 * kind + 4;
            let weights: Vec<(usize, f64)> = kind.clone().map(|own| (own, counts[own])).collect();
            let nations: f64 = weights.iter().map(|(_, weight)| weight).sum();
            let mean = weights.iter().map(|(own, weight)| EFFECTS[*own] * weight);
            let mean = mean.sum::<f64>() / nations;
            for own in kind {
                let holds =
                    |low: f64, truth: f64, high: f64| usize::from(low <= truth && truth <= high);
                let truth = equal[own] / counts[own];
                let rate = strength.equal_rate(own);
                rates += holds(rate.low, truth, rate.high);
                let others = weights
                    .iter()
                    .map(|(own, weight)| (*own, -weight / nations));
                let effect = strength.effect(&others.chain([(own, 1.0)]).collect::<Vec<_>>());
                effects += holds(effect.low, EFFECTS[own] - mean, effect.high);
                let (low, high) = analytics::statistics::interval::wilson(won[own], counts[own]);
                raw += holds(low, truth, high);
                all += 1;
            }
        }
    }
    [rates, effects, raw].map(|count| count as f64 / all as f64)
}

#[test]
fn intervals_at_equal_strength_hold_the_truth() {
    let times = page::times(60, 2_000);
    let found: Vec<[f64; 3]> = CORPORA
        .par_iter()
        .map(|corpus| coverage(corpus, times))
        .collect();
    let (mut rows, mut wrong) = (Vec::new(), Vec::new());
    for (corpus, [rates, effects, raw]) in CORPORA.iter().zip(found) {
        rows.push((corpus.name, [rates, effects, raw]));
        if ![rates, effects]
            .iter()
            .all(|held| (0.93..=0.97).contains(held))
        {
            wrong.push((corpus.name, rates, effects));
        }
    }
    assert!(wrong.is_empty(), "{wrong:?}");
    page::check("| 200 games of four | rates | effects | raw |", &rows);
}
