//! Partially pooled rates: rates that are near what is expected unless their games say otherwise.
//!
//! The true rates of a family of rows vary around what is expected, as a beta distribution with a precision that is
//! unknown. A high precision means that the rows hardly differ. It is estimated from all rows of the family with a prior
//! that is uniform for the variance of the true rates (Morris, "Parametric empirical Bayes inference", 1983). Each row
//! then has a beta distribution with the mean and the variance of its posterior.

use std::cmp::Ordering;

use statrs::function::beta::{beta_reg, ln_beta};

use super::interval::{CONFIDENCE, root};

/// The least precision, in games; the others are multiples of it.
const LEAST_PRECISION: f64 = 2.0;

/// The factor between a precision and the next one.
const STEP: f64 = 1.3;

/// The number of precisions; the last one is about 20,000 games.
const STEPS: i32 = 36;

/// The weight of the expected rates when the rates of all rows together are compared with them, in wins.
const LEVEL_WINS: f64 = 10.0;

/// A row of a family.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RawRate {
    /// The rate of the row.
    pub rate: f64,
    /// The number of independent games with the same variance.
    pub games: f64,
    /// The rate that is expected.
    pub expected: f64,
}

/// A partially pooled rate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PooledRate {
    /// The rate.
    pub rate: f64,
    /// The lower end of its interval, which contains the true rate with probability [`CONFIDENCE`].
    pub low: f64,
    /// The upper end of that interval.
    pub high: f64,
    /// The weight of what is expected, from 0 to 1. The rest is the weight of the row's own games.
    pub borrowed: f64,
}

/// Returns the pooled rates of a family of rows, in the same order. The order makes no difference.
pub fn pool(rows: &[RawRate]) -> Vec<PooledRate> {
    // Floating-point sums depend on the order.
    let mut sorted = rows.to_vec();
    let figures = |row: &RawRate| [row.games, row.rate, row.expected];
    sorted.sort_by(|one, other| {
        let both = figures(one).into_iter().zip(figures(other));
        let orders = both.map(|(one, other)| one.total_cmp(&other));
        orders.fold(Ordering::Equal, Ordering::then)
    });
    let (mut wins, mut expected) = (LEVEL_WINS, LEVEL_WINS);
    for row in &sorted {
        wins += row.rate * row.games;
        expected += row.expected * row.games;
    }
    // The rows together can be above or below what is expected.
    let level = wins / expected;
    let middle = |row: &RawRate| (row.expected * level).clamp(0.001, 0.999);
    let weighed: Vec<(f64, f64)> = (0..STEPS)
        .map(|step| {
            let precision = LEAST_PRECISION * STEP.powi(step);
            let likelihood: f64 = (sorted.iter())
                .map(|row| ln_likelihood(row, middle(row), precision))
                .sum();
            // The variance is proportional to 1 / precision, and the steps are equal on the scale of the logarithm.
            (precision, likelihood - precision.ln())
        })
        .collect();
    let highest = weighed
        .iter()
        .map(|(_, weight)| *weight)
        .fold(f64::MIN, f64::max);
    let mut weighed: Vec<(f64, f64)> = weighed
        .into_iter()
        .map(|(precision, weight)| (precision, (weight - highest).exp()))
        .collect();
    let total: f64 = weighed.iter().map(|(_, weight)| weight).sum();
    for (_, weight) in &mut weighed {
        *weight /= total;
    }
    let own = |row: &RawRate| posterior(row, middle(row), &weighed);
    rows.iter().map(own).collect()
}

/// Returns the logarithm of the probability of a row's wins, without the part that does not depend on the precision.
fn ln_likelihood(row: &RawRate, middle: f64, precision: f64) -> f64 {
    let (up, down) = (middle * precision, (1.0 - middle) * precision);
    let (wins, losses) = (row.rate * row.games, (1.0 - row.rate) * row.games);
    ln_beta(up + wins, down + losses) - ln_beta(up, down)
}

/// Returns the pooled rate of a row for precisions with these weights.
fn posterior(row: &RawRate, middle: f64, weighed: &[(f64, f64)]) -> PooledRate {
    let (mut rate, mut squares, mut borrowed) = (0.0, 0.0, 0.0);
    for (precision, weight) in weighed {
        let size = precision + row.games;
        let mean = (middle * precision + row.rate * row.games) / size;
        let variance = mean * (1.0 - mean) / (size + 1.0);
        rate += weight * mean;
        squares += weight * (variance + mean * mean);
        borrowed += weight * precision / size;
    }
    let variance = squares - rate * rate;
    let size = rate * (1.0 - rate) / variance - 1.0;
    let quantile = |part: f64| {
        let (up, down) = (rate * size, (1.0 - rate) * size);
        root(0.0, 1.0, |x| beta_reg(up, down, x) - part)
    };
    let tail = (1.0 - CONFIDENCE) / 2.0;
    PooledRate {
        rate,
        low: quantile(tail),
        high: quantile(1.0 - tail),
        borrowed,
    }
}

#[cfg(test)]
mod tests {
    use engine::chance::Chance;

    use super::*;

    /// Efron and Morris, "Data analysis using Stein's estimator and its generalizations", 1975, table 1: the hits of
    /// 18 batters in their first 45 times at bat, and their rates in the rest of the season.
    const BATTERS: [(f64, f64); 18] = [
        (18.0, 0.346),
        (17.0, 0.298),
        (16.0, 0.276),
        (15.0, 0.222),
        (14.0, 0.273),
        (14.0, 0.270),
        (13.0, 0.263),
        (12.0, 0.210),
        (11.0, 0.269),
        (11.0, 0.230),
        (10.0, 0.264),
        (10.0, 0.256),
        (10.0, 0.303),
        (10.0, 0.264),
        (10.0, 0.226),
        (9.0, 0.286),
        (8.0, 0.316),
        (7.0, 0.200),
    ];

    #[test]
    fn batters_regress_to_the_mean_as_published() {
        let rows = BATTERS.map(|(hits, _)| RawRate {
            rate: hits / 45.0,
            games: 45.0,
            expected: 0.265,
        });
        let pooled = pool(&rows);
        // Stein's estimator moves the first from .400 to .290, and the last from .156 to .244. It takes the precision for
        // certain, so it borrows a little more.
        assert!((0.29..0.31).contains(&pooled[0].rate), "{:?}", pooled[0]);
        assert!((0.23..0.244).contains(&pooled[17].rate), "{:?}", pooled[17]);
        let error = |rates: &[f64]| -> f64 {
            let squares = rates.iter().zip(BATTERS);
            squares.map(|(rate, (_, rest))| (rate - rest).powi(2)).sum()
        };
        let raw: Vec<f64> = rows.iter().map(|row| row.rate).collect();
        let own: Vec<f64> = pooled.iter().map(|row| row.rate).collect();
        assert!(error(&own) < 0.4 * error(&raw));
        let held = pooled.iter().zip(BATTERS);
        let held = held.filter(|(own, (_, rest))| own.low <= *rest && *rest <= own.high);
        assert!(held.count() >= 16);
    }

    proptest::proptest! {
        #[test]
        fn pooled_rates_are_between_the_raw_rate_and_what_is_expected(
            games in proptest::collection::vec((1.0f64..5_000.0, 0.0f64..=1.0), 1..8),
        ) {
            let row = |(games, rate)| RawRate { rate, games, expected: 0.25 };
            let rows: Vec<RawRate> = games.into_iter().map(row).collect();
            let wins: f64 = rows.iter().map(|row| row.rate * row.games).sum();
            let expected: f64 = rows.iter().map(|row| row.expected * row.games).sum();
            let middle = (0.25 * (wins + LEVEL_WINS) / (expected + LEVEL_WINS)).clamp(0.001, 0.999);
            for (raw, own) in rows.iter().zip(pool(&rows)) {
                let (least, most) = (raw.rate.min(middle), raw.rate.max(middle));
                assert!(least - 1e-9 <= own.rate && own.rate <= most + 1e-9, "{raw:?} {own:?}");
                assert!(0.0 <= own.low && own.low < own.high && own.high <= 1.0, "{own:?}");
                assert!(0.0 < own.borrowed && own.borrowed < 1.0);
            }
        }
    }

    /// Families of 3 and of 12 rows with few or many games, whose true rates vary much, little or not at all.
    #[test]
    fn intervals_contain_the_true_rates() {
        let mut chance = Chance::new("pooled");
        for (rows, games, spread) in [
            (12, 30, 80),
            (12, 200, 80),
            (12, 60, 25),
            (3, 100, 60),
            (12, 60, 0),
        ] {
            let (mut held, mut all) = (0, 0);
            for _ in 0..150 {
                let truths: Vec<u32> = (0..rows)
                    .map(|_| 250 - spread + chance.below(2 * spread + 1))
                    .collect();
                let family = truths.iter().map(|truth| {
                    let wins = (0..games).filter(|_| chance.below(1_000) < *truth).count();
                    RawRate {
                        rate: wins as f64 / f64::from(games),
                        games: games.into(),
                        expected: 0.25,
                    }
                });
                let family: Vec<RawRate> = family.collect();
                for (own, truth) in pool(&family).iter().zip(&truths) {
                    let truth = f64::from(*truth) / 1_000.0;
                    held += u32::from(own.low <= truth && truth <= own.high);
                    all += 1;
                }
            }
            let part = f64::from(held) / f64::from(all);
            assert!(
                (0.93..=0.999).contains(&part),
                "{rows} {games} {spread}: {part}"
            );
        }
    }

    #[test]
    fn rows_with_more_games_borrow_less() {
        let row = |games| RawRate {
            rate: 0.4,
            games,
            expected: 0.25,
        };
        let pooled = pool(&[row(20.0), row(2_000.0)]);
        assert!(pooled[0].borrowed > 2.0 * pooled[1].borrowed, "{pooled:?}");
        assert!(pooled[0].high - pooled[0].low > pooled[1].high - pooled[1].low);
    }
}
