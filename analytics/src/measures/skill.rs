//! The measure `skill`: how much of the variance of results the skill of people explains, and how much is left to luck.
//!
//! The variance between persons is estimated from pairs of different seats of the same person, so chance does not add to
//! it (as in [`crate::statistics::interval::SkillVariance`]). The interval is that of the jackknife over persons (Efron
//! and Stein, "The jackknife estimate of variance", 1981).

use std::collections::BTreeMap;

use polars::prelude::*;

use super::measure::{FORMAT, Measure, MeasureSums, RowFigures, TableShape};
use super::rates::{self, INSUFFICIENT, INSUFFICIENT_BELOW, numbers, squares};
use super::summary::{ALL, ALL_CLUSTERS, RATES, SHARE_PART, Summary, SummaryStorage};
use crate::facts::{ColumnInfo, columns};
use crate::statistics::interval::{CONFIDENCE, Squares, student_quantile};

/// How much of the variance of results the skill of people explains.
pub static SKILL: Measure = Measure {
    name: "skill",
    path: "skill",
    label: "Skill and luck",
    meaning: "Skill and luck: how much of the variance of results the skill of people explains. The rest is luck, and \
        everything else that differs from game to game. Only people with two games or more say something about skill.",
    caveat: "Among players of equal skill the share is 0, whatever the game. So it describes a game with its players.",
    keys: &KEYS,
    figures: &[&FIGURES],
    sums: &[(&ALL, &[]), (&BY_PLAYER, &["player"])],
    finish: rows,
    shape: TableShape::Rows(RowFigures::Skill),
    ..rates::MEASURE
};

static BY_PLAYER: Summary = Summary {
    name: "skill",
    keys: &["player"],
    storage: SummaryStorage::Nowhere,
    ..RATES
};

const KEYS: [ColumnInfo; 1] = columns! {
    /// What explains this part of the variance: skill, or luck and everything else.
    part: Text, "";
};

const FIGURES: [ColumnInfo; 6] = columns! {
    /// Seats of people in games.
    seats: Count, "seats";
    /// People.
    people: Count, "people";
    /// The share of the variance of results.
    variance_share: Number, "";
    /// Lower end of its 95% interval; 0 with fewer than two people with two games.
    low: Number, "";
    /// Upper end of that interval; 1 with fewer than two people with two games.
    high: Number, "";
    ..INSUFFICIENT
};

/// A person in a format.
#[derive(Clone, Copy, Debug)]
struct PersonResults {
    nations: f64,
    wins: f64,
    by_seat: Squares,
}

/// The share of skill with its interval.
#[derive(Clone, Copy, Debug, PartialEq)]
struct SkillShare {
    share: f64,
    low: f64,
    high: f64,
    /// The people with several games.
    people: usize,
}

impl SkillShare {
    fn of(persons: &[PersonResults]) -> SkillShare {
        let sum = |of: fn(&PersonResults) -> f64| -> f64 { persons.iter().map(of).sum() };
        let rate = sum(|own| own.wins) / sum(|own| own.nations);
        // For each person: products of pairs of seats, pairs, squares of single seats, seats.
        let parts: Vec<[f64; 4]> = (persons.iter())
            .map(|own| {
                let beyond = own.wins - rate * own.nations;
                let squares = own.by_seat.excess_squares(rate);
                let pairs = own.nations * own.nations - own.by_seat.nn;
                [beyond * beyond - squares, pairs, squares, own.by_seat.nn]
            })
            .collect();
        let mut total = [0.0; 4];
        for part in &parts {
            for (total, part) in total.iter_mut().zip(part) {
                *total += part;
            }
        }
        let share = |[products, pairs, squares, seats]: [f64; 4]| -> f64 {
            let variance = squares / seats;
            match pairs > 0.0 && variance > 0.0 {
                true => products / pairs / variance,
                false => 0.0,
            }
        };
        let people = parts.iter().filter(|[_, pairs, ..]| *pairs > 0.0).count();
        if people < 2 {
            return SkillShare {
                share: share(total).clamp(0.0, 1.0),
                low: 0.0,
                high: 1.0,
                people,
            };
        }
        let without = parts.iter().map(|part| {
            let mut rest = total;
            for (rest, part) in rest.iter_mut().zip(part) {
                *rest -= part;
            }
            share(rest)
        });
        let without: Vec<f64> = without.collect();
        let count = without.len() as f64;
        let mean = without.iter().sum::<f64>() / count;
        let squares: f64 = without.iter().map(|own| (own - mean).powi(2)).sum();
        let error = (squares * (count - 1.0) / count).sqrt();
        let half = student_quantile(people as f64 - 1.0, 0.5 + CONFIDENCE / 2.0) * error;
        let share = share(total);
        SkillShare {
            share: share.clamp(0.0, 1.0),
            low: (share - half).clamp(0.0, 1.0),
            high: (share + half).clamp(0.0, 1.0),
            people,
        }
    }
}

/// Builds two rows for each format: skill, and luck.
fn rows(added: &MeasureSums) -> PolarsResult<DataFrame> {
    let own = added.own.clone().lazy();
    let own = own.filter(col("cluster").neq(lit(ALL_CLUSTERS)));
    let own = own
        .sort(
            [&FORMAT[..], &["player"]].concat(),
            SortMultipleOptions::default(),
        )
        .collect()?;
    let (nations, wins) = (numbers(&own, "nation_games")?, numbers(&own, "wins")?);
    let by_seat = squares(&own)?;
    // Rows of a format follow each other; the value is the first row with the persons.
    let mut formats: BTreeMap<Vec<String>, (usize, Vec<PersonResults>)> = BTreeMap::new();
    for row in 0..own.height() {
        let format = FORMAT
            .iter()
            .map(|name| Ok(own.column(name)?.get(row)?.to_string()));
        let format = format.collect::<PolarsResult<Vec<String>>>()?;
        let (_, persons) = formats.entry(format).or_insert((row, Vec::new()));
        persons.push(PersonResults {
            nations: nations[row],
            wins: wins[row] / SHARE_PART,
            by_seat: by_seat[row],
        });
    }
    let least = added.filters.min_games.unwrap_or(0);
    let mut firsts: Vec<IdxSize> = Vec::new();
    let (mut part, mut seats, mut people) = (Vec::new(), Vec::new(), Vec::new());
    let (mut share, mut low, mut high, mut few) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for (first, persons) in formats.into_values() {
        let count = persons.iter().map(|own| own.nations).sum::<f64>() as u32;
        if count < least {
            continue;
        }
        let skill = SkillShare::of(&persons);
        let luck = SkillShare {
            share: 1.0 - skill.share,
            low: 1.0 - skill.high,
            high: 1.0 - skill.low,
            ..skill
        };
        for (name, row) in [("luck", luck), ("skill", skill)] {
            firsts.push(first as IdxSize);
            part.push(name);
            seats.push(count);
            people.push(persons.len() as u32);
            share.push(row.share);
            low.push(row.low);
            high.push(row.high);
            few.push(count < INSUFFICIENT_BELOW || row.people < LEAST_PEOPLE);
        }
    }
    let mut frame = own.take(&IdxCa::from_vec("".into(), firsts))?;
    for column in [
        Column::new("part".into(), part),
        Column::new("seats".into(), seats),
        Column::new("people".into(), people),
        Column::new("variance_share".into(), share),
        Column::new("low".into(), low),
        Column::new("high".into(), high),
        Column::new("insufficient".into(), few),
    ] {
        frame.with_column(column)?;
    }
    let by = [&FORMAT[..], &["part"]].concat();
    added
        .select(frame.lazy())
        .sort(by, SortMultipleOptions::default())
        .collect()
}

/// Shares of fewer people with several games are marked as insufficient.
const LEAST_PEOPLE: usize = 10;

#[cfg(test)]
mod tests {
    use super::*;

    /// Persons who win games of two with these rates, in games that are as balanced as possible.
    fn persons(rates: &[f64], games: u32) -> Vec<PersonResults> {
        let person = |rate: &f64| {
            let wins = (rate * f64::from(games)).round();
            PersonResults {
                nations: games.into(),
                wins,
                by_seat: Squares {
                    nn: games.into(),
                    nw: wins,
                    ww: wins,
                },
            }
        };
        rates.iter().map(person).collect()
    }

    #[test]
    fn the_share_is_the_variance_between_persons() {
        // Rates of 0.3 and 0.7: the variance between persons is 0.04, and that of a result 0.25.
        let halves = [0.3, 0.7].repeat(20);
        let found = SkillShare::of(&persons(&halves, 10_000));
        assert!((found.share - 0.16).abs() < 0.001, "{found:?}");
        assert!(
            found.low <= found.share && found.share <= found.high && found.high - found.low < 0.02
        );
    }

    #[test]
    fn equal_persons_have_no_skill_beyond_the_interval() {
        // The rates vary as the binomial distribution of 100 games makes them.
        let rates: Vec<f64> = (0..20)
            .map(|step| 0.5 + 0.05 * (f64::from(step) * 2.4).sin() * 1.414)
            .collect();
        let found = SkillShare::of(&persons(&rates, 100));
        assert!(found.low == 0.0 && found.high < 0.03, "{found:?}");
        let alone = SkillShare::of(&persons(&[0.9], 50));
        assert_eq!((alone.low, alone.high, alone.people), (0.0, 1.0, 1));
    }
}
