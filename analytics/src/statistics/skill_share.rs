//! The share of the variance of results that the skill of persons explains.
//!
//! The variance between persons is estimated from pairs of different seats of the same person, so chance does not add to
//! it (as in [`super::interval::SkillVariance`]). The interval is that of the jackknife over persons (Efron and Stein,
//! "The jackknife estimate of variance", 1981), with a longer upper half.

use super::interval::{CONFIDENCE, Squares, student_quantile};

/// The results of a person.
#[derive(Clone, Copy, Debug)]
pub struct PersonResults {
    /// Nations in games.
    pub nations: f64,
    /// The sum of their shares of the win.
    pub wins: f64,
    /// Squares and products of what each seat adds.
    pub by_seat: Squares,
}

/// The share of the variance of results that skill explains, with its interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SkillShare {
    /// The share, from 0 to 1.
    pub share: f64,
    /// The lower end of its interval; 0 with fewer than two people with several games.
    pub low: f64,
    /// The upper end of its interval; 1 with fewer than two people with several games.
    pub high: f64,
    /// The people with several games.
    pub people: usize,
}

impl SkillShare {
    /// Estimates the share from the results of all persons.
    pub fn estimate(persons: &[PersonResults]) -> SkillShare {
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
        // Estimates of a variance are skewed: those that are too low have too small errors. The upper half is longer, as it
        // is on a logarithmic scale (to the second order), but by a half at most.
        let above = match share > 0.0 {
            true => half * (1.0 + (half / share).min(1.0) / 2.0),
            false => half,
        };
        SkillShare {
            share: share.clamp(0.0, 1.0),
            low: (share - half).clamp(0.0, 1.0),
            high: (share + above).clamp(0.0, 1.0),
            people,
        }
    }
}

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
        let found = SkillShare::estimate(&persons(&halves, 10_000));
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
        let found = SkillShare::estimate(&persons(&rates, 100));
        assert!(found.low == 0.0 && found.high < 0.03, "{found:?}");
        let alone = SkillShare::estimate(&persons(&[0.9], 50));
        assert_eq!((alone.low, alone.high, alone.people), (0.0, 1.0, 1));
    }
}
