//! The arithmetic of ratings: the Bayesian approximation by Weng and Lin.
//! It rates games of several players with ties.
//!
//! It uses the Bradley-Terry model with full pairing, in which each player is compared with each other one (R. C. Weng
//! and C.-J. Lin, "A Bayesian Approximation Method for Online Ranking", JMLR 12, 2011, algorithm 1). It differs from
//! the paper in three points, which keep the uncertainty right at tables of two to six (`tabularium ratings forecast
//! --simulate` measures it):
//!
//! - A pair of players at a table of k counts as 3 / (k + 1) of a game ([`pair_weight`]).
//! - Uncertain strengths move the forecast of a pair toward even odds by MacKay's approximation ([`Belief::scale`]).
//! - The variance shrinks by all information that the pairs contain. The paper uses only a part of it, which hides the
//!   dependence of pairs in small tables, but not in large ones.
//!
//! A step returns whole millionths. The libraries of two systems may differ in the last bit of an exponential; rounded
//! to a millionth, which is some hundred million such bits, the results are equal.

use std::cmp::Ordering;
use std::f64::consts::PI;

/// An estimate of a player's strength, in millionths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Skill {
    /// The mean of the strength.
    pub rating: i64,
    /// The standard deviation of the strength.
    pub uncertainty: i64,
}

impl Skill {
    /// Returns a lower bound of the strength: the mean minus three standard deviations.
    pub fn ordinal(self) -> i64 {
        self.rating - 3 * self.uncertainty
    }
}

/// The version of the algorithm. Raise it with every change of the results of a step or of what counts.
///
/// Ratings of a lower version are recomputed.
pub const ALGORITHM: i64 = 5;

/// A player before the first game: mu and sigma.
pub const NEW: Skill = Skill {
    rating: 25_000_000,
    uncertainty: 8_333_333,
};

/// The difference of ratings that multiplies the odds by e: the square root of 2 times beta.
///
/// It equals sigma, so the strengths of new players have an expected standard deviation of 1 in log-odds.
pub const SCALE: f64 = 25.0 / 3.0;

/// Tau: the square root of the variance that is added before each game.
/// A player's strength may have changed since the last game.
const TAU: f64 = 25.0 / 300.0;

/// Kappa: the smallest fraction of the variance that remains after a game.
const KAPPA: f64 = 0.000_001;

const UNIT: f64 = 1_000_000.0;

/// Converts millionths into a number.
pub fn number(millionths: i64) -> f64 {
    millionths as f64 / UNIT
}

/// Converts a number into millionths.
pub fn millionths(number: f64) -> i64 {
    (number * UNIT).round() as i64
}

/// The logistic function: the probability with these log-odds.
pub fn logistic(log_odds: f64) -> f64 {
    1.0 / (1.0 + (-log_odds).exp())
}

/// The score of the first of two places: 1 if it is better, 0.5 for a tie.
pub fn score(one: u32, other: u32) -> f64 {
    match one.cmp(&other) {
        Ordering::Less => 1.0,
        Ordering::Equal => 0.5,
        Ordering::Greater => 0.0,
    }
}

/// The distribution of a player's strength before the next game.
#[derive(Clone, Copy)]
struct Belief {
    mean: f64,
    variance: f64,
}

impl From<Skill> for Belief {
    fn from(skill: Skill) -> Belief {
        let uncertainty = number(skill.uncertainty);
        Belief {
            mean: number(skill.rating),
            variance: uncertainty.mul_add(uncertainty, TAU * TAU),
        }
    }
}

impl Belief {
    /// The difference of strengths that multiplies the odds against another player by e.
    ///
    /// The mean of a logistic function over a normal distribution is nearly a flatter logistic function (D. J. C.
    /// MacKay, "The Evidence Framework Applied to Classification Networks", Neural Computation 4, 1992).
    fn scale(self, other: Belief) -> f64 {
        (PI / 8.0)
            .mul_add(self.variance + other.variance, SCALE * SCALE)
            .sqrt()
    }

    /// The log-odds that this player places before another one.
    fn log_odds(self, other: Belief) -> f64 {
        (self.mean - other.mean) / self.scale(other)
    }
}

/// The weight of each pair at a table, relative to a game of two.
///
/// The scores of a player against the others at a table depend on each other: a good game beats many opponents
/// together. Between equal players all rankings of k are equally likely. Then a player's score against the k - 1 others
/// has the variance (k² - 1) / 12, which is (k + 1) / 3 times that of k - 1 separate games.
fn pair_weight(players: usize) -> f64 {
    3.0 / (players as f64 + 1.0)
}

/// Returns the ratings of players after a game, from their ratings before it and their places.
///
/// A lower place is better; equal places are ties.
pub fn step(players: &[(Skill, u32)]) -> Vec<Skill> {
    let weight = pair_weight(players.len());
    let after = |(seat, (skill, place)): (usize, &(Skill, u32))| {
        let own = Belief::from(*skill);
        let (mut surprise, mut information) = (0.0, 0.0);
        for (other_seat, (other, other_place)) in players.iter().enumerate() {
            if other_seat == seat {
                continue;
            }
            let other = Belief::from(*other);
            let scale = own.scale(other);
            let chance = logistic(own.log_odds(other));
            surprise += weight * (score(*place, *other_place) - chance) / scale;
            information += weight * chance * (1.0 - chance) / (scale * scale);
        }
        let left = (1.0 - own.variance * information).max(KAPPA);
        Skill {
            rating: millionths(own.variance.mul_add(surprise, own.mean)),
            uncertainty: millionths((own.variance * left).sqrt()),
        }
    };
    players.iter().enumerate().map(after).collect()
}

/// Returns the log-odds that the first player places before the other. A tie counts as half of each.
pub fn log_odds(one: Skill, other: Skill) -> f64 {
    Belief::from(one).log_odds(Belief::from(other))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn skill(rating: i64, uncertainty: i64) -> Skill {
        Skill {
            rating,
            uncertainty,
        }
    }

    /// Computed by hand, with the variance v of both players and c² = (25/3)² + 2 v π/8.
    /// The winner gains v/2c, and the variance of both shrinks by v²/4c². Two players are one pair, which has full
    /// weight.
    #[test]
    fn a_first_game_of_two_follows_from_the_formula() {
        let variance = number(NEW.uncertainty).powi(2) + (25.0_f64 / 300.0).powi(2);
        let c = ((25.0_f64 / 3.0).powi(2) + 2.0 * variance * PI / 8.0).sqrt();
        let gained = variance / (2.0 * c);
        let left = (variance * (1.0 - variance / (4.0 * c * c))).sqrt();
        let after = step(&[(NEW, 1), (NEW, 2)]);
        assert_eq!(
            after,
            [
                skill(millionths(25.0 + gained), millionths(left)),
                skill(millionths(25.0 - gained), millionths(left))
            ]
        );
        assert_eq!(after[0], skill(28118567, 7728255), "{after:?}");
    }

    /// By hand: at a table of five, a pair counts as half a game of two, and each player is in four pairs.
    #[test]
    fn a_table_of_five_changes_its_winner_as_two_games() {
        let two = step(&[(NEW, 1), (NEW, 2)])[0];
        let five = step(&[(NEW, 1), (NEW, 2), (NEW, 3), (NEW, 4), (NEW, 5)]);
        let gained = five[0].rating - NEW.rating;
        assert!(
            (gained - 2 * (two.rating - NEW.rating)).abs() <= 1,
            "{five:?}"
        );
        assert_eq!(five[2].rating, NEW.rating);
        let variance = |skill: Skill| number(skill.uncertainty).powi(2);
        let before = variance(NEW) + TAU * TAU;
        let shrinks = [two, five[0]].map(|skill| before - variance(skill));
        assert!((shrinks[1] - 2.0 * shrinks[0]).abs() < 1e-4, "{shrinks:?}");
    }

    #[test]
    fn a_tie_of_equal_players_changes_only_the_uncertainty() {
        for after in step(&[(NEW, 60), (NEW, 60), (NEW, 60)]) {
            assert_eq!(after.rating, NEW.rating);
            assert!(after.uncertainty < NEW.uncertainty, "{after:?}");
        }
    }

    #[test]
    fn the_higher_rating_is_the_favourite() {
        let (strong, weak) = (skill(30_000_000, 2_000_000), skill(20_000_000, 2_000_000));
        assert!(log_odds(strong, weak) > 1.0);
        assert_eq!(log_odds(strong, weak), -log_odds(weak, strong));
        assert_eq!(log_odds(NEW, NEW), 0.0);
        // An upset changes ratings more than an expected result.
        let surprise = step(&[(weak, 1), (strong, 2)])[0].rating - weak.rating;
        let expected = step(&[(strong, 1), (weak, 2)])[0].rating - strong.rating;
        assert!(surprise > 3 * expected, "{surprise} {expected}");
    }

    /// By hand: between certain ratings, a sigma of 25/3 multiplies the odds by e.
    #[test]
    fn certain_ratings_follow_the_scale() {
        let (strong, weak) = (skill(33_333_333, 0), skill(25_000_000, 0));
        assert!((log_odds(strong, weak) - 1.0).abs() < 1e-4);
        // With uncertain ratings, the forecast is nearer to even odds.
        let (strong, weak) = (skill(33_333_333, 8_333_333), skill(25_000_000, 8_333_333));
        let flatter = 1.0 / (1.0 + PI / 4.0).sqrt();
        assert!((log_odds(strong, weak) - flatter).abs() < 1e-4);
    }

    #[test]
    fn millionths_convert_to_numbers_and_back() {
        for value in [
            0,
            1,
            -1,
            25_000_000,
            8_333_333,
            -123_456_789,
            i64::from(i32::MAX),
        ] {
            assert_eq!(millionths(number(value)), value);
        }
    }

    proptest! {
        /// The order of the seats does not change the result, except in the last millionth.
        #[test]
        fn the_order_of_seats_changes_nothing(
            players in proptest::collection::vec((0_i64..50_000_000, 100_000_i64..8_333_333, 1_u32..4), 2..7),
            turned in 0_usize..6,
        ) {
            let players: Vec<(Skill, u32)> = (players.into_iter())
                .map(|(rating, uncertainty, place)| (skill(rating, uncertainty), place))
                .collect();
            let turned = turned % players.len();
            let mut other = players.clone();
            other.rotate_left(turned);
            let mut after = step(&players);
            after.rotate_left(turned);
            for (one, other) in after.iter().zip(step(&other)) {
                prop_assert!((one.rating - other.rating).abs() <= 1);
                prop_assert!((one.uncertainty - other.uncertainty).abs() <= 1);
                prop_assert!(one.uncertainty > 0);
            }
        }
    }
}
