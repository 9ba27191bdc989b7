//! Intervals for rates.

use statrs::distribution::{ContinuousCDF, Normal};

/// The confidence of the intervals.
pub const CONFIDENCE: f64 = 0.95;

/// Wilson's score interval for a rate, with [`CONFIDENCE`]: `wins` out of `games`. The whole range
/// from 0 to 1 when there are no games.
///
/// `wins` may be a sum of shares between 0 and 1. Such a share varies less than a win or a loss
/// with the same mean (its square is at most itself, so its variance is at most p(1 - p)); the
/// interval is then at least as wide as it need be. The same goes for nations of one game counted
/// together: what one wins the others do not, so their sum varies less than independent games.
pub fn wilson(wins: f64, games: f64) -> (f64, f64) {
    if games <= 0.0 {
        return (0.0, 1.0);
    }
    let z = Normal::standard().inverse_cdf(0.5 + CONFIDENCE / 2.0);
    let rate = wins / games;
    let z2 = z * z / games;
    let middle = rate + z2 / 2.0;
    let half = (z2 * (rate * (1.0 - rate) + z2 / 4.0)).sqrt();
    let low = (middle - half) / (1.0 + z2);
    let high = (middle + half) / (1.0 + z2);
    (low.max(0.0), high.min(1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn assert_close(found: (f64, f64), low: f64, high: f64) {
        assert!((found.0 - low).abs() < 5e-5, "{found:?}, not {low}");
        assert!((found.1 - high).abs() < 5e-5, "{found:?}, not {high}");
    }

    /// Newcombe, Statistics in Medicine 17 (1998), table I, method 3: Wilson's score interval
    /// without continuity correction.
    #[test]
    fn wilson_gives_the_published_intervals() {
        assert_close(wilson(81.0, 263.0), 0.2553, 0.3662);
        assert_close(wilson(15.0, 148.0), 0.0624, 0.1605);
        assert_close(wilson(0.0, 20.0), 0.0, 0.1611);
        assert_close(wilson(1.0, 29.0), 0.0061, 0.1718);
    }

    #[test]
    fn wilson_mirrors_wins_and_losses() {
        let (low, high) = wilson(7.5, 40.0);
        let (other_low, other_high) = wilson(32.5, 40.0);
        assert!((low + other_high - 1.0).abs() < 1e-12);
        assert!((high + other_low - 1.0).abs() < 1e-12);
    }

    proptest::proptest! {
        #[test]
        fn wilson_holds_the_rate_and_narrows(games in 1u32..10_000, part in 0.0f64..=1.0) {
            let (games, wins) = (f64::from(games), f64::from(games) * part);
            let (low, high) = wilson(wins, games);
            assert!(0.0 <= low && low <= part + 1e-12 && part <= high + 1e-12 && high <= 1.0);
            let (more_low, more_high) = wilson(wins * 2.0, games * 2.0);
            assert!(more_high - more_low < high - low);
        }
    }

    #[test]
    fn wilson_covers_everything_without_games() {
        assert_eq!(wilson(0.0, 0.0), (0.0, 1.0));
    }
}
