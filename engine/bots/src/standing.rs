//! The standing of a match: shares with intervals, rating differences, and whether it is decided.

use crate::{Fixture, Match, Scores};
use records::Record;

/// The probability of either error of the sequential test.
pub const ERROR: f64 = 0.05;

/// The match is not decided before this many rounds, since the variance between rounds is unknown.
const FIRST_ROUNDS: usize = 5;

/// The least standard deviation of a round's share: equal rounds say little about the true one.
const LEAST_DEVIATION: f64 = 0.1;

/// The results of a match by round.
///
/// The games of one round share seed, nations and seats and are not independent. Rounds are independent, so statistics
/// are computed from them.
#[derive(Clone, Debug)]
pub struct MatchStanding {
    /// Seats of each side.
    seats: Vec<usize>,
    /// The mean share of wins of each side in each round.
    rounds: Vec<Vec<f64>>,
    /// The scores of all games.
    pub scores: Scores,
}

/// The standing of one side.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SideStanding {
    /// Its share of the wins of a game, of all its seats together, from 0 to 1.
    pub share: f64,
    /// The 95 % interval of the share, by Student's t; from 0 to 1 after a single round.
    /// It never becomes a point: the standard deviation of a round is taken to be at least 0.1.
    pub interval: (f64, f64),
    /// What the share would be among equals.
    pub fair: f64,
    /// How many points its rating is above that of the first side.
    ///
    /// By the model of Luce (Bradley and Terry for two players), in which 400 points mean ten times the share of a
    /// seat. Infinite if one of them has won nothing.
    pub rating: f64,
}

/// The result of the sequential test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The share of the first side is closer to the better hypothesis.
    Better,
    /// It is closer to the worse hypothesis.
    NotBetter,
}

/// The two hypotheses for the share of the first side.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hypotheses {
    /// The worse one, such as the share among equals.
    pub worse: f64,
    /// The better one.
    pub better: f64,
}

impl MatchStanding {
    /// Returns the standing before the first round.
    pub fn new(contest: &Match) -> MatchStanding {
        MatchStanding {
            seats: contest.sides.iter().map(|side| side.seats).collect(),
            rounds: Vec::new(),
            scores: Scores::new(contest.sides.len()),
        }
    }

    /// Adds the games of a round.
    pub fn add(&mut self, played: &[(Fixture, Record)]) {
        let mut scores = Scores::new(self.seats.len());
        for (fixture, record) in played {
            scores.add(fixture, record);
        }
        let games = scores.games.max(1) as f64;
        let shares = scores.sides.iter().map(|side| side.shares() / games);
        self.rounds.push(shares.collect());
        self.scores.merge(&scores);
    }

    /// The number of rounds so far.
    pub fn rounds(&self) -> usize {
        self.rounds.len()
    }

    /// The standing of each side, in order.
    pub fn sides(&self) -> Vec<SideStanding> {
        let total: usize = self.seats.iter().sum();
        let of_seat = |side: usize| self.mean(side) / self.seats[side].max(1) as f64;
        let side = |side: usize| {
            let (share, margin) = mean_and_margin(&self.shares(side));
            SideStanding {
                share,
                interval: ((share - margin).max(0.0), (share + margin).min(1.0)),
                fair: self.seats[side] as f64 / total.max(1) as f64,
                rating: match side {
                    0 => 0.0,
                    _ => 400.0 * (of_seat(side) / of_seat(0)).log10(),
                },
            }
        };
        (0..self.seats.len()).map(side).collect()
    }

    /// Applies a sequential test to the share of the first side; `None` while undecided.
    ///
    /// This is Wald's test, with the variance estimated from the rounds.
    pub fn verdict(&self, guesses: Hypotheses) -> Option<Verdict> {
        if self.rounds.len() < FIRST_ROUNDS {
            return None;
        }
        let variance = variance(&self.shares(0));
        let middle = (guesses.worse + guesses.better) / 2.0;
        let away = self.mean(0) - middle;
        let ratio = self.rounds.len() as f64 * (guesses.better - guesses.worse) * away / variance;
        let bound = ((1.0 - ERROR) / ERROR).ln();
        match ratio {
            _ if ratio >= bound => Some(Verdict::Better),
            _ if ratio <= -bound => Some(Verdict::NotBetter),
            _ => None,
        }
    }

    fn mean(&self, side: usize) -> f64 {
        mean(&self.shares(side))
    }

    /// The share of a side in each round.
    fn shares(&self, side: usize) -> Vec<f64> {
        self.rounds.iter().map(|round| round[side]).collect()
    }
}

/// Returns the mean of independent shares and the margin of its 95 % interval, by Student's t.
///
/// The margin is infinite for fewer than two values.
/// It is never 0: the standard deviation of a value is taken to be at least 0.1.
pub fn mean_and_margin(values: &[f64]) -> (f64, f64) {
    let count = values.len();
    let margin = match count {
        0 | 1 => f64::INFINITY,
        _ => t_95(count - 1) * (variance(values) / count as f64).sqrt(),
    };
    (mean(values), margin)
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}

/// The variance of a value, at least that of the least deviation.
fn variance(values: &[f64]) -> f64 {
    let mean = mean(values);
    let squares = values.iter().map(|value| (value - mean).powi(2));
    let variance = squares.sum::<f64>() / values.len().saturating_sub(1).max(1) as f64;
    variance.max(LEAST_DEVIATION * LEAST_DEVIATION)
}

/// 95 % of Student's t distribution lie within this many standard deviations.
fn t_95(freedom: usize) -> f64 {
    const EXACT: [f64; 10] = [
        12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228,
    ];
    let n = freedom as f64;
    match EXACT.get(freedom.wrapping_sub(1)) {
        Some(exact) => *exact,
        // The first terms of the expansion around the normal distribution.
        None => 1.959_964 + 2.372_3 / n + 2.822_5 / (n * n) + 2.556 / (n * n * n),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn standing(seats: &[usize], rounds: &[&[f64]]) -> MatchStanding {
        MatchStanding {
            seats: seats.to_vec(),
            rounds: rounds.iter().map(|round| round.to_vec()).collect(),
            scores: Scores::new(seats.len()),
        }
    }

    const GUESSES: Hypotheses = Hypotheses {
        worse: 0.5,
        better: 0.6,
    };

    #[test]
    fn shares_have_intervals_and_ratings_by_the_share_of_a_seat() {
        let of = standing(
            &[1, 3],
            &[&[0.5, 0.5], &[1.0, 0.0], &[0.5, 0.5], &[1.0, 0.0]],
        );
        let [first, second] = of.sides()[..] else {
            unreachable!("two sides");
        };
        assert_eq!((first.share, first.fair, first.rating), (0.75, 0.25, 0.0));
        // The deviation is 0.289; that of the mean of four rounds is half of it, and t is 3.182.
        assert!((first.interval.0 - 0.291).abs() < 0.001, "{first:?}");
        assert_eq!(first.interval.1, 1.0);
        // A seat of the first side wins nine times as often.
        assert!(
            (second.rating + 400.0 * 9_f64.log10()).abs() < 1e-9,
            "{second:?}"
        );
        // Rounds that are all won do not prove that every round is won.
        let of = standing(&[1, 3], &[&[1.0, 0.0][..]; 12]);
        let (low, high) = of.sides()[0].interval;
        assert!((low - 0.936).abs() < 0.001 && high == 1.0, "{low}");
        assert!((t_95(11) - 2.201).abs() < 0.002 && (t_95(30) - 2.042).abs() < 0.002);
        let of = standing(&[1, 1], &[&[1.0, 0.0]]);
        assert_eq!(of.sides()[0].interval, (0.0, 1.0));
        assert_eq!(of.sides()[1].rating, f64::NEG_INFINITY);
    }

    #[test]
    fn a_match_is_decided_when_the_rounds_say_so() {
        let rounds = |share: f64, count| vec![[share, 1.0 - share]; count];
        let verdict = |rounds: &[[f64; 2]]| {
            let rounds: Vec<&[f64]> = rounds.iter().map(|round| &round[..]).collect();
            standing(&[1, 1], &rounds).verdict(GUESSES)
        };
        assert_eq!(verdict(&rounds(1.0, 4)), None);
        assert_eq!(verdict(&rounds(1.0, 5)), Some(Verdict::Better));
        assert_eq!(verdict(&rounds(0.0, 5)), Some(Verdict::NotBetter));
        assert_eq!(verdict(&rounds(0.55, 500)), None);
        let mut mixed = rounds(1.0, 7);
        mixed.extend(rounds(0.0, 5));
        assert_eq!(verdict(&mixed), None);
        let many: Vec<[f64; 2]> = mixed.iter().copied().cycle().take(1200).collect();
        assert_eq!(verdict(&many), Some(Verdict::Better));
    }
}
