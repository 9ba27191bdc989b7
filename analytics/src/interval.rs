//! Intervals for rates of wins that are shared, of nations that sit in the same games, and of persons
//! that play more than one.
//!
//! A rate is a sum of shares by the number of nations in games. How far it varies is estimated from
//! what each game adds to the sum, as nations of one game win what the others do not, and from what
//! each person adds beyond that, as the games of one person have the person's skill in common
//! (Cameron, Gelbach and Miller, "Robust inference with multiway clustering", 2011). The score interval
//! of Wilson is then taken with as many games as would vary so much if they were independent wins and
//! losses (Korn and Graubard, "Confidence intervals for proportions with small expected number of
//! positive counts estimated from survey data", 1998), and with the quantile of Student's t for the
//! number of games and persons.

use statrs::distribution::{ContinuousCDF, Normal, StudentsT};

/// The confidence of the intervals.
pub const CONFIDENCE: f64 = 0.95;

/// How many games the binomial variance counts for beside the one that is estimated, so that games
/// that all went alike leave an interval.
const PRIOR_GAMES: f64 = 1.0;

/// What was added up of nations in games: how many, their wins, and the sums of squares and products
/// of these over some units.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Squares {
    /// Sum of the squares of how many nations.
    pub nn: f64,
    /// Sum of how many times wins.
    pub nw: f64,
    /// Sum of the squares of wins.
    pub ww: f64,
}

impl Squares {
    /// The sum of the squares of what units have won beyond a rate.
    fn beyond(self, rate: f64) -> f64 {
        (self.ww - 2.0 * rate * self.nw + rate * rate * self.nn).max(0.0)
    }
}

/// What a rate is made of.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Evidence {
    /// Games.
    pub games: f64,
    /// Nations in these games.
    pub nation_games: f64,
    /// The sum of their shares of wins.
    pub wins: f64,
    /// Over games.
    pub by_game: Squares,
    /// Over the seats of persons.
    pub by_seat: Squares,
    /// Over persons.
    pub by_person: Squares,
    /// Nations in games that persons played.
    pub of_persons: f64,
}

impl Evidence {
    /// Independent wins and losses: so many wins of so many games.
    pub fn independent(wins: f64, games: f64) -> Evidence {
        Evidence {
            games,
            nation_games: games,
            wins,
            by_game: Squares {
                nn: games,
                nw: wins,
                ww: wins,
            },
            ..Evidence::default()
        }
    }

    /// The rate.
    pub fn rate(&self) -> f64 {
        self.wins / self.nation_games
    }

    /// How many times more (or less) the sum of wins varies than that of independent wins and losses
    /// at this rate, and the degrees of freedom of that.
    fn effect(&self, rate: f64) -> (f64, f64) {
        let of_games = self.by_game.beyond(rate);
        // Persons that play the same number of games would be this many.
        let even = self.of_persons * self.of_persons / self.by_person.nn.max(f64::MIN_POSITIVE);
        let of_persons = match even > 1.5 {
            true => {
                let together = self.by_person.beyond(rate) * even / (even - 1.0);
                (together - self.by_seat.beyond(rate)).max(0.0)
            }
            // One person's rate is that person's.
            false => 0.0,
        };
        let varies = of_games + of_persons;
        let one = rate * (1.0 - rate);
        if one <= 0.0 || varies <= 0.0 {
            let prior = PRIOR_GAMES / (self.nation_games + PRIOR_GAMES);
            let effect = if one > 0.0 { prior } else { 1.0 };
            return (effect, (self.games - 1.0).max(1.0));
        }
        let games = (self.games - 1.0).max(1.0);
        let persons = (even - 1.0).max(1.0);
        let freedom =
            varies * varies / (of_games * of_games / games + of_persons * of_persons / persons);
        let effect = (varies + PRIOR_GAMES * one) / ((self.nation_games + PRIOR_GAMES) * one);
        (effect, freedom)
    }

    /// The interval of the rate with [`CONFIDENCE`]; from 0 to 1 when there are no games. It is
    /// never of no width.
    pub fn interval(&self) -> (f64, f64) {
        if self.nation_games <= 0.0 {
            return (0.0, 1.0);
        }
        let (effect, freedom) = self.effect(self.rate());
        let quantile = student_quantile(freedom, 0.5 + CONFIDENCE / 2.0);
        score_interval(self.rate(), self.nation_games / effect, quantile)
    }

    /// How likely a rate that is as far from `expected`, or farther, is when that is the true one.
    pub fn p_value(&self, expected: f64) -> f64 {
        if self.nation_games <= 0.0 || expected <= 0.0 || expected >= 1.0 {
            return 1.0;
        }
        let (effect, freedom) = self.effect(expected);
        let varies = effect * expected * (1.0 - expected) / self.nation_games;
        student_p_value(freedom, (self.rate() - expected) / varies.sqrt())
    }
}

/// How likely a number of Student's distribution is as far from 0 as this one, or farther.
pub(crate) fn student_p_value(freedom: f64, number: f64) -> f64 {
    let beyond = number.abs();
    2.0 * (1.0 - student(freedom).map_or_else(|| normal().cdf(beyond), |t| t.cdf(beyond)))
}

fn normal() -> Normal {
    Normal::standard()
}

/// Student's distribution; `None` where it is the normal one, or has no degrees of freedom.
fn student(freedom: f64) -> Option<StudentsT> {
    StudentsT::new(0.0, 1.0, freedom)
        .ok()
        .filter(|_| freedom < 1e4)
}

/// The quantile of Student's distribution.
pub(crate) fn student_quantile(freedom: f64, part: f64) -> f64 {
    student(freedom).map_or_else(
        || normal().inverse_cdf(part),
        |student| student.inverse_cdf(part),
    )
}

/// The quantile of the normal distribution for [`CONFIDENCE`].
pub(crate) fn normal_quantile() -> f64 {
    normal().inverse_cdf(0.5 + CONFIDENCE / 2.0)
}

/// Wilson's score interval for a rate of so many independent games, whole or not.
fn score_interval(rate: f64, games: f64, z: f64) -> (f64, f64) {
    let z2 = z * z / games;
    let middle = rate + z2 / 2.0;
    let half = (z2 * (rate * (1.0 - rate) + z2 / 4.0)).sqrt();
    let low = (middle - half) / (1.0 + z2);
    let high = (middle + half) / (1.0 + z2);
    (low.max(0.0), high.min(1.0))
}

/// Wilson's score interval for a rate, with [`CONFIDENCE`]: `wins` out of `games` that are
/// independent. The whole range from 0 to 1 when there are no games.
pub fn wilson(wins: f64, games: f64) -> (f64, f64) {
    match games > 0.0 {
        true => score_interval(wins / games, games, normal_quantile()),
        false => (0.0, 1.0),
    }
}

/// What part of the rows with such a `p_value` or a smaller one would be there by chance alone:
/// Benjamini and Hochberg's q, "Controlling the false discovery rate", 1995.
pub fn q_values(p_values: &[f64]) -> Vec<f64> {
    let count = p_values.len() as f64;
    let mut order: Vec<usize> = (0..p_values.len()).collect();
    order.sort_by(|a, b| p_values[*a].total_cmp(&p_values[*b]));
    let mut q = vec![1.0; p_values.len()];
    let mut least: f64 = 1.0;
    for (rank, index) in order.into_iter().enumerate().rev() {
        least = least.min(p_values[index] * count / (rank as f64 + 1.0));
        q[index] = least;
    }
    q
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

    /// Benjamini and Hochberg (1995), the example of section 3.1: 15 p-values, of which the four
    /// smallest are rejected at 0.05.
    #[test]
    fn q_values_reject_what_the_published_example_rejects() {
        let p = [
            0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.3240, 0.4262,
            0.5719, 0.6528, 0.7590, 1.0,
        ];
        let q = q_values(&p);
        assert_eq!(q.iter().filter(|q| **q <= 0.05).count(), 4);
        assert!((q[3] - 0.035_625).abs() < 1e-12, "{q:?}");
        assert!(q.is_sorted());
        assert!(q_values(&[]).is_empty());
    }

    #[test]
    fn independent_games_have_an_interval_like_wilsons() {
        let (low, high) = Evidence::independent(81.0, 263.0).interval();
        let (wilson_low, wilson_high) = wilson(81.0, 263.0);
        assert!((low - wilson_low).abs() < 1e-3 && (high - wilson_high).abs() < 1e-3);
        assert!(low < wilson_low && high > wilson_high, "t is wider");
    }

    #[test]
    fn shared_wins_vary_less_and_never_not_at_all() {
        let shared = Evidence {
            by_game: Squares {
                nn: 40.0,
                nw: 10.0,
                ww: 2.5,
            },
            ..Evidence::independent(10.0, 40.0)
        };
        let (low, high) = shared.interval();
        let (wilson_low, wilson_high) = wilson(10.0, 40.0);
        assert!(low < 0.25 && 0.25 < high);
        assert!(high - low < (wilson_high - wilson_low) / 4.0);
    }

    #[test]
    fn games_of_few_persons_tell_less() {
        let alone = Evidence::independent(50.0, 100.0);
        let of = |each: [f64; 5]| Evidence {
            by_seat: alone.by_game,
            by_person: Squares {
                nn: 5.0 * 400.0,
                nw: each.iter().map(|wins| 20.0 * wins).sum(),
                ww: each.iter().map(|wins| wins * wins).sum(),
            },
            of_persons: 100.0,
            ..alone
        };
        let width = |evidence: Evidence| {
            let (low, high) = evidence.interval();
            high - low
        };
        assert!(width(of([20.0, 15.0, 10.0, 5.0, 0.0])) > 2.0 * width(alone));
        assert_eq!(width(of([10.0; 5])), width(alone));
    }

    proptest::proptest! {
        #[test]
        fn intervals_hold_the_rate_and_narrow(games in 1u32..10_000, part in 0.0f64..=1.0) {
            let (games, wins) = (f64::from(games), f64::from(games) * part);
            for (low, high) in [wilson(wins, games), Evidence::independent(wins, games).interval()] {
                assert!(0.0 <= low && low <= part + 1e-12 && part <= high + 1e-12 && high <= 1.0);
                assert!(high > low);
            }
            let width = |(low, high): (f64, f64)| high - low;
            assert!(width(wilson(wins * 2.0, games * 2.0)) < width(wilson(wins, games)));
        }
    }

    #[test]
    fn no_games_tell_nothing() {
        assert_eq!(wilson(0.0, 0.0), (0.0, 1.0));
        assert_eq!(Evidence::default().interval(), (0.0, 1.0));
        assert_eq!(Evidence::default().p_value(0.25), 1.0);
    }
}
