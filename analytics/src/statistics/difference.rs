//! Differences of two rates, with intervals from those of the rates.
//!
//! See Newcombe, "Interval estimation for the difference between independent proportions", 1998, method 10.

use super::interval::{normal_p_value, normal_quantile};

/// The difference of two independent rates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Difference {
    /// The first rate minus the second.
    pub at: f64,
    /// The lower end of its interval.
    pub low: f64,
    /// The upper end of its interval.
    pub high: f64,
    /// The two-sided p-value of no difference.
    pub p: f64,
}

impl Difference {
    /// Subtracts the second rate from the first, each with the ends of its interval.
    pub fn new(
        [rate, low, high]: [f64; 3],
        [other, other_low, other_high]: [f64; 3],
    ) -> Difference {
        let at = rate - other;
        let below = (rate - low).hypot(other_high - other);
        let above = (high - rate).hypot(other - other_low);
        // The side towards 0 decides.
        let towards = if at > 0.0 { below } else { above };
        let p = match towards > 0.0 {
            true => normal_p_value(normal_quantile() * at / towards),
            false => 1.0,
        };
        Difference {
            at,
            low: at - below,
            high: at + above,
            p,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::interval::wilson;

    /// Newcombe, "Interval estimation for the difference between independent proportions", 1998, table II, method 10:
    /// 56/70 - 48/80 is from 0.0524 to 0.3339, 9/10 - 3/10 from 0.1705 to 0.8090.
    #[test]
    fn differences_have_the_published_intervals() {
        let rate = |wins: f64, games: f64| {
            let (low, high) = wilson(wins, games);
            [wins / games, low, high]
        };
        let close = |found: Difference, low: f64, high: f64| {
            assert!(
                (found.low - low).abs() < 5e-5 && (found.high - high).abs() < 5e-5,
                "{found:?}"
            );
        };
        close(
            Difference::new(rate(56.0, 70.0), rate(48.0, 80.0)),
            0.0524,
            0.3339,
        );
        close(
            Difference::new(rate(9.0, 10.0), rate(3.0, 10.0)),
            0.1705,
            0.8090,
        );
    }

    proptest::proptest! {
        #[test]
        fn the_test_agrees_with_the_interval(one in 0.05f64..0.9, other in 0.05f64..0.9, width in 0.01f64..0.05) {
            let rate = |at: f64| [at, at - width, at + 1.5 * width];
            let found = Difference::new(rate(one), rate(other));
            let is_outside = found.low > 0.0 || found.high < 0.0;
            assert_eq!(is_outside, found.p < 0.05, "{found:?}");
            let turned = Difference::new(rate(other), rate(one));
            assert!((found.p - turned.p).abs() < 1e-12);
        }
    }
}
