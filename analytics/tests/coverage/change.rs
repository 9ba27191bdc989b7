//! The intervals of differences, of trends, of pooled rates and of the worth of personages.

use analytics::statistics::difference::Difference;
use analytics::statistics::interval::{Evidence, Squares};
use analytics::statistics::logit::{Strength, StrengthSeat};
use analytics::statistics::pooled::{RawRate, pool};
use analytics::statistics::skill_share::{PersonResults, SkillShare};
use analytics::statistics::trend::{Month, Trend};
use rayon::prelude::*;

use super::{Chance, Corpus, habits, page, row};

/// Where the games of a row come from.
#[derive(Clone, Copy)]
enum Source {
    /// This many independent games with this rate.
    Independent(u32, f64),
    /// A corpus in which the row has no effect.
    Persons(Corpus),
}

impl Source {
    /// The true rate.
    fn rate(&self) -> f64 {
        match self {
            Source::Independent(_, rate) => *rate,
            Source::Persons(corpus) => 1.0 / corpus.seats as f64,
        }
    }

    fn evidence(&self, chance: &mut Chance) -> Evidence {
        match self {
            Source::Independent(games, rate) => {
                let wins = (0..*games).filter(|_| chance.part() < *rate).count();
                Evidence::independent(wins as f64, f64::from(*games))
            }
            Source::Persons(corpus) => row(corpus, chance),
        }
    }
}

/// The part of trials that succeed, each of which returns several answers.
fn parts<const N: usize>(
    name: &str,
    times: usize,
    trial: impl Fn(&mut Chance) -> [bool; N],
) -> [f64; N] {
    let mut chance = Chance(name.len() as u64);
    let mut counts = [0; N];
    for _ in 0..times {
        for (count, is) in counts.iter_mut().zip(trial(&mut chance)) {
            *count += usize::from(is);
        }
    }
    counts.map(|count| count as f64 / times as f64)
}

/// Asserts that each interval holds the truth in about 95% of cases, and compares with the page.
fn check<const N: usize>(head: &str, rows: &[(&str, [f64; N])]) {
    for (name, parts) in rows {
        assert!((0.93..=0.99).contains(&parts[0]), "{name}: {parts:?}");
    }
    page::check(head, rows);
}

#[test]
fn intervals_of_differences_hold_the_true_difference() {
    let persons = Source::Persons(habits("", 200, 40, 0.5));
    let samples = [
        (
            "60 and 60 games with the same rate",
            [Source::Independent(60, 0.25); 2],
        ),
        (
            "30 and 300 games, 0.2 and 0.3",
            [Source::Independent(30, 0.2), Source::Independent(300, 0.3)],
        ),
        (
            "100 and 100 games, 0.1 and 0.5",
            [Source::Independent(100, 0.1), Source::Independent(100, 0.5)],
        ),
        (
            "200 games of 40 persons with habits, and 200 of others",
            [persons; 2],
        ),
    ];
    let times = page::times(1_000, 20_000);
    let found = samples.par_iter().map(|(name, [one, other])| {
        let held = parts(name, times, |chance| {
            let [one_rate, other_rate] = [one, other].map(|source| {
                let evidence = source.evidence(chance);
                let (low, high) = evidence.interval();
                [evidence.rate(), low, high]
            });
            let difference = Difference::new(one_rate, other_rate);
            let truth = one.rate() - other.rate();
            [difference.low <= truth && truth <= difference.high]
        });
        (*name, held)
    });
    check("| two samples | held |", &found.collect::<Vec<_>>());
}

#[test]
fn intervals_of_trends_hold_the_true_trend() {
    // The rate of the first month, the change in a year, and the number of months.
    let trends = [
        ("6 months without a trend", 0.25, 0.0, 6),
        ("24 months without a trend", 0.25, 0.0, 24),
        (
            "12 months, 10 points of a hundred more in a year",
            0.2,
            0.1,
            12,
        ),
        (
            "12 months, 20 points of a hundred less in a year",
            0.4,
            -0.2,
            12,
        ),
    ];
    let times = page::times(1_000, 20_000);
    let found = trends.par_iter().map(|(name, first, slope, count)| {
        let found = parts(name, times, |chance| {
            let months = (0..*count).map(|month| {
                let years = f64::from(month) / 12.0;
                let evidence = Source::Independent(60, first + slope * years).evidence(chance);
                Month {
                    years,
                    rate: evidence.rate(),
                    games: evidence.independent_games(),
                }
            });
            let trend = Trend::fit(&months.collect::<Vec<_>>()).expect("several months");
            [
                trend.low <= *slope && *slope <= trend.high,
                trend.p_value < 0.05,
            ]
        });
        (*name, found)
    });
    check(
        "| 60 games a month | held | significant |",
        &found.collect::<Vec<_>>(),
    );
}

#[test]
fn pooled_rates_are_nearer_to_the_true_rates() {
    let families = [
        ("12 rows of 30 games, true rates alike", 12, 30, 0.0),
        ("12 rows of 30 games, spread 0.05", 12, 30, 0.05),
        ("12 rows of 200 games, spread 0.05", 12, 200, 0.05),
        ("4 rows of 60 games, spread 0.1", 4, 60, 0.1),
    ];
    let times = page::times(1_000, 20_000);
    let found = families.par_iter().map(|(name, rows, games, spread)| {
        let mut chance = Chance(name.len() as u64);
        let (mut held, mut raw, mut pooled) = (0.0, 0.0, 0.0);
        for _ in 0..times {
            let truths: Vec<f64> = (0..*rows)
                .map(|_| (0.25 + spread * chance.normal()).clamp(0.01, 0.99))
                .collect();
            let family: Vec<RawRate> = (truths.iter())
                .map(|truth| {
                    let evidence = Source::Independent(*games, *truth).evidence(&mut chance);
                    RawRate {
                        rate: evidence.rate(),
                        games: f64::from(*games),
                        expected: 0.25,
                    }
                })
                .collect();
            for ((row, own), truth) in pool(&family).iter().zip(&family).zip(&truths) {
                held += f64::from(u8::from(row.low <= *truth && *truth <= row.high));
                raw += (own.rate - truth).powi(2);
                pooled += (row.rate - truth).powi(2);
            }
        }
        let all = (times * rows) as f64;
        assert!(pooled < raw, "{name}");
        (
            *name,
            [held / all, (raw / all).sqrt(), (pooled / all).sqrt()],
        )
    });
    let found: Vec<(&str, [f64; 3])> = found.collect();
    page::check(
        "| family | held | error of the raw rate | error of the pooled rate |",
        &found,
    );
    for (name, [held, ..]) in &found {
        assert!((0.93..=0.999).contains(held), "{name}: {held}");
    }
}

#[test]
fn intervals_of_the_share_of_skill_hold_the_truth() {
    // Persons, games of each, and by how much their rates differ from 0.25 at most.
    let corpora = [
        ("20 people, 60 games each, no skill", 20, 60, 0.0),
        (
            "20 people, 60 games each, rates from 0.10 to 0.40",
            20,
            60,
            0.15,
        ),
        (
            "40 people, 40 games each, rates from 0.10 to 0.40",
            40,
            40,
            0.15,
        ),
        (
            "100 people, 40 games each, rates from 0 to 0.5",
            100,
            40,
            0.25,
        ),
    ];
    let times = page::times(1_000, 20_000);
    let found = corpora.par_iter().map(|(name, people, games, spread)| {
        // The variance of a uniform distribution, divided by that of a result.
        let truth = spread * spread / 3.0 / (0.25 * 0.75);
        let held = parts(name, times, |chance| {
            let persons = (0..*people).map(|_| {
                let rate = 0.25 + spread * (2.0 * chance.part() - 1.0);
                let wins = (0..*games).filter(|_| chance.part() < rate).count() as f64;
                let nations = f64::from(*games);
                PersonResults {
                    nations,
                    wins,
                    by_seat: Squares {
                        nn: nations,
                        nw: wins,
                        ww: wins,
                    },
                }
            });
            let share = SkillShare::estimate(&persons.collect::<Vec<_>>());
            [share.low <= truth && truth <= share.high]
        });
        (*name, held)
    });
    let found: Vec<(&str, [f64; 1])> = found.collect();
    page::check("| people | held |", &found);
    for (name, [held]) in &found {
        // Without skill, the share is at the end of the range, and nearly all intervals hold it.
        assert!(*held >= 0.93, "{name}: {held}");
    }
}

/// The effects of kinds of personages, and of a nation that has the first two kinds.
const KINDS: [f64; 5] = [0.3, 0.1, 0.0, -0.1, -0.3];
const PAIR: f64 = 0.5;

/// How likely each kind is.
const LIKELY: [f64; 5] = [0.35, 0.3, 0.15, 0.1, 0.1];

/// Simulates 300 games of four, each with the kinds of the first four personages. The effects are those of kinds, and
/// that of the pair; persons follow.
fn personages(persons: usize, spread: f64, chance: &mut Chance) -> Vec<Vec<StrengthSeat>> {
    let skills: Vec<f64> = (0..persons).map(|_| spread * chance.normal()).collect();
    let games = (0..300).map(|_| {
        let mut odds = Vec::new();
        let mut seats = Vec::new();
        for _ in 0..4 {
            let mut effects: Vec<usize> = (0..4)
                .map(|_| {
                    let mut place = chance.part();
                    let drawn = LIKELY.iter().position(|part| {
                        place -= part;
                        place < 0.0
                    });
                    drawn.unwrap_or(0)
                })
                .collect();
            let mut value: f64 = effects.iter().map(|kind| KINDS[*kind]).sum();
            if effects.contains(&0) && effects.contains(&1) {
                effects.push(KINDS.len());
                value += PAIR;
            }
            let person = (persons > 0).then(|| chance.below(persons));
            value += person.map_or(0.0, |person| skills[person]);
            odds.push(value.exp());
            seats.push(StrengthSeat {
                share: 0.0,
                player: person.map(|person| KINDS.len() + 1 + person),
                nations: 1,
                effects,
            });
        }
        let mut place = chance.part() * odds.iter().sum::<f64>();
        let winner = odds.iter().position(|odds| {
            place -= odds;
            place < 0.0
        });
        seats[winner.unwrap_or(0)].share = 1.0;
        seats
    });
    games.collect()
}

#[test]
fn intervals_of_the_worth_of_personages_hold_the_truth() {
    let corpora = [
        ("no person plays twice", 0, 0.0),
        ("40 persons, skill alike", 40, 0.0),
        ("40 persons, skill spread 0.5", 40, 0.5),
    ];
    let times = page::times(200, 2_000);
    let found = corpora.par_iter().map(|(name, persons, spread)| {
        let kinds = KINDS.len();
        let found = parts(name, times, |chance| {
            let games = personages(*persons, *spread, chance);
            let model = Strength::fit(&games, kinds + 1, *persons);
            // One kind of each corpus, so that trials are independent.
            let kind = chance.below(kinds);
            let mean = 1.0 / kinds as f64;
            let contrast = (0..kinds).map(|other| (other, -mean)).chain([(kind, 1.0)]);
            let truth = KINDS[kind] - KINDS.iter().sum::<f64>() * mean;
            let own = model.effect(&contrast.collect::<Vec<_>>());
            let pair = model.effect(&[(kinds, 1.0)]);
            [
                own.low <= truth && truth <= own.high,
                pair.low <= PAIR && PAIR <= pair.high,
            ]
        });
        (*name, found)
    });
    check(
        "| 300 games of four | kinds | pairs |",
        &found.collect::<Vec<_>>(),
    );
}
