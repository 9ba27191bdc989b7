//! Compares forecasts of finished games: by ratings, by Elo ratings and by a Plackett-Luce model.
//!
//! Each game is forecast from the games before it, and the second half of the games is compared.

use crate::ratings::plackett_luce::fit;
use crate::ratings::ranked_game::{RankedGame, pairs, rate};
use analytics::ratings::algorithm::{NEW, log_odds, logistic, score, step};

/// Elo's K: the most points that a player can gain in a game.
const K: f64 = 32.0;

/// How many of Elo's points multiply the odds by e.
const ELO_SCALE: f64 = 400.0 / std::f64::consts::LN_10;

/// The number of times that the Plackett-Luce model is fitted.
const FITS: usize = 16;

/// The largest calibration slope that is considered.
const STEEPEST: f64 = 16.0;

/// Forecasts of which of two players comes first, each with the score of the first player.
/// The score is 1, 0, or 0.5 for a tie.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PairForecasts {
    /// The natural logarithm of the odds, and the score.
    pairs: Vec<(f64, f64)>,
}

impl PairForecasts {
    /// Adds the forecast of a pair.
    pub fn push(&mut self, log_odds: f64, score: f64) {
        self.pairs.push((log_odds, score));
    }

    /// Adds other forecasts.
    pub fn extend(&mut self, other: PairForecasts) {
        self.pairs.extend(other.pairs);
    }

    /// The number of pairs.
    pub fn count(&self) -> usize {
        self.pairs.len()
    }

    /// Returns the log-loss: the mean of -ln of the probability of the result.
    /// A tie counts as half of each order.
    pub fn loss(&self) -> Option<f64> {
        let loss = |(log_odds, score): &(f64, f64)| {
            // ln(1 + e^x) without overflow.
            log_odds.max(0.0) + (-log_odds.abs()).exp().ln_1p() - score * log_odds
        };
        let sum: f64 = self.pairs.iter().map(loss).sum();
        (self.count() > 0).then(|| sum / self.count() as f64)
    }

    /// Returns the calibration slope: the factor of the log-odds that fits the results best.
    ///
    /// It is 1 for calibrated forecasts and less for overconfident ones: the coefficient of a logistic regression of
    /// the scores on the log-odds, without an intercept. `None` if no slope fits best, for example when all forecasts
    /// were right.
    pub fn slope(&self) -> Option<f64> {
        // The derivative of the log-likelihood, which falls as the slope grows.
        let rises = |slope: f64| {
            let of_pair = |(log_odds, score): &(f64, f64)| {
                let (right, wrong) = (logistic(slope * log_odds), logistic(-slope * log_odds));
                log_odds * (score * wrong - (1.0 - score) * right)
            };
            self.pairs.iter().map(of_pair).sum::<f64>() > 0.0
        };
        let (mut low, mut high) = (-STEEPEST, STEEPEST);
        if !rises(low) || rises(high) {
            return None;
        }
        for _ in 0..40 {
            let middle = f64::midpoint(low, high);
            match rises(middle) {
                true => low = middle,
                false => high = middle,
            }
        }
        Some(low)
    }
}

/// The forecasts of the same pairs by each method.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Comparison {
    /// By the ratings of this server.
    pub ratings: PairForecasts,
    /// By Elo's ratings: each player against each other one, with K = 32 shared among them.
    pub elo: PairForecasts,
    /// By a Plackett-Luce model, fitted 16 times to the games so far.
    pub plackett_luce: PairForecasts,
}

impl Comparison {
    /// Returns the methods by name.
    pub fn methods(&self) -> [(&'static str, &PairForecasts); 3] {
        [
            ("ratings", &self.ratings),
            ("elo", &self.elo),
            ("plackett-luce", &self.plackett_luce),
        ]
    }

    /// Adds the forecasts of other games.
    pub fn extend(&mut self, other: Comparison) {
        self.ratings.extend(other.ratings);
        self.elo.extend(other.elo);
        self.plackett_luce.extend(other.plackett_luce);
    }
}

/// Returns the number of the first game that is compared.
pub fn first_compared(games: &[RankedGame]) -> usize {
    games.len() / 2
}

/// Returns Elo's ratings after a game.
fn elo_step(players: &[(f64, u32)]) -> Vec<f64> {
    let share = K / (players.len().max(2) - 1) as f64;
    let after = |(rating, place): &(f64, u32)| {
        // The terms of players against themselves are 0.
        let gain = |(other, other_place): &(f64, u32)| {
            score(*place, *other_place) - logistic((rating - other) / ELO_SCALE)
        };
        rating + share * players.iter().map(gain).sum::<f64>()
    };
    players.iter().map(after).collect()
}

/// Forecasts games between `players` numbered players, in order.
pub fn compare(games: &[RankedGame], players: usize) -> Comparison {
    let mut comparison = Comparison::default();
    let mut skills = vec![NEW; players];
    let mut elo = vec![0.0; players];
    let mut strengths = vec![1.0; players];
    let first = first_compared(games);
    let interval = (games.len() - first).div_ceil(FITS);
    for (number, game) in games.iter().enumerate() {
        if number >= first {
            if (number - first).is_multiple_of(interval) {
                fit(&games[..number], &mut strengths);
            }
            for (one, other, score) in pairs(game) {
                let by_ratings = log_odds(skills[one], skills[other]);
                let by_elo = (elo[one] - elo[other]) / ELO_SCALE;
                let by_strength = (strengths[one] / strengths[other]).ln();
                comparison.ratings.push(by_ratings, score);
                comparison.elo.push(by_elo, score);
                comparison.plackett_luce.push(by_strength, score);
            }
        }
        rate(game, &mut skills, step);
        rate(game, &mut elo, elo_step);
    }
    comparison
}

#[cfg(test)]
mod tests {
    use super::*;

    fn forecasts(pairs: &[(f64, f64)]) -> PairForecasts {
        PairForecasts {
            pairs: pairs.to_vec(),
        }
    }

    /// Computed by hand: odds of 3 to 1 are right 6 times in 8.
    /// The loss is then the entropy of a quarter, 0.75 ln(4/3) + 0.25 ln 4.
    #[test]
    fn forecasts_that_come_true_have_slope_1() {
        let mut pairs = vec![(3.0_f64.ln(), 1.0); 6];
        pairs.extend([(3.0_f64.ln(), 0.0); 2]);
        let calibrated = forecasts(&pairs);
        assert_eq!(calibrated.count(), 8);
        assert!((calibrated.slope().unwrap() - 1.0).abs() < 1e-9);
        let entropy = 0.75 * (4.0_f64 / 3.0).ln() + 0.25 * 4.0_f64.ln();
        assert!((calibrated.loss().unwrap() - entropy).abs() < 1e-12);
        // Odds of 9 to 1 for the same results: the right log-odds are half as large.
        let overconfident = pairs
            .iter()
            .map(|(log_odds, score)| (2.0 * log_odds, *score));
        let overconfident = forecasts(&Vec::from_iter(overconfident));
        assert!((overconfident.slope().unwrap() - 0.5).abs() < 1e-9);
        let loss = 0.75 * (10.0_f64 / 9.0).ln() + 0.25 * 10.0_f64.ln();
        assert!((overconfident.loss().unwrap() - loss).abs() < 1e-12);
    }

    /// By hand: a tie costs the mean of both orders.
    #[test]
    fn ties_count_as_half_of_each_order() {
        let tie = forecasts(&[(3.0_f64.ln(), 0.5)]);
        let loss = f64::midpoint((4.0_f64 / 3.0).ln(), 4.0_f64.ln());
        assert!((tie.loss().unwrap() - loss).abs() < 1e-12);
        assert!(tie.slope().unwrap().abs() < 1e-9);
    }

    #[test]
    fn no_forecast_knows_its_own_game() {
        let mut games: Vec<RankedGame> = (0..8)
            .map(|game| vec![(game % 3, 1), ((game + 1) % 3, 2)])
            .collect();
        let forecasts = |games: &[RankedGame]| -> Vec<Vec<f64>> {
            let compared = compare(games, 3);
            let methods = compared.methods().into_iter();
            methods
                .map(|(_, own)| own.pairs.iter().map(|(log_odds, _)| *log_odds).collect())
                .collect()
        };
        let before = forecasts(&games);
        assert_eq!(before[0].len(), 4);
        games[7] = vec![(1, 2), (2, 1)];
        assert_eq!(forecasts(&games), before);
    }

    #[test]
    fn some_forecasts_have_no_slope() {
        assert_eq!(
            (forecasts(&[]).loss(), forecasts(&[]).slope()),
            (None, None)
        );
        for pairs in [[(0.0, 1.0); 2], [(1.0, 1.0); 2], [(1.0, 0.0); 2]] {
            assert_eq!(forecasts(&pairs).slope(), None, "{pairs:?}");
        }
        let certain = forecasts(&[(2_000.0, 0.0), (-2_000.0, 0.0)]);
        assert_eq!(certain.loss(), Some(1_000.0));
    }

    #[test]
    fn all_methods_learn_the_winner() {
        let games = vec![vec![(0, 60), (1, 120), (2, 120)]; 40];
        let early = compare(&games[..2], 3);
        let late = compare(&games, 3);
        for ((name, early), (_, late)) in early.methods().into_iter().zip(late.methods()) {
            assert_eq!((early.count(), late.count()), (3, 60), "{name}");
            assert!(early.loss().unwrap() < 2.0_f64.ln(), "{name}");
            assert!(late.loss().unwrap() < early.loss().unwrap(), "{name}");
        }
        assert_eq!(compare(&[], 0), Comparison::default());
    }

    /// By hand: of two equal players with K = 32 the winner gains 16 points.
    #[test]
    fn elo_gains_match_the_definition() {
        assert_eq!(elo_step(&[(0.0, 1), (0.0, 2)]), [16.0, -16.0]);
        assert_eq!(
            elo_step(&[(0.0, 1), (0.0, 2), (0.0, 2)]),
            [16.0, -8.0, -8.0]
        );
    }
}
