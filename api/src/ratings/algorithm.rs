//! The arithmetic: Weng and Lin's Bayesian approximation for games of several players with ties, in the model of
//! Bradley and Terry, each player compared with each other one (R. C. Weng and C.-J. Lin, "A Bayesian Approximation
//! Method for Online Ranking", JMLR 12, 2011, algorithm 1).
//!
//! A step gives whole numbers, in millionths. The libraries of two systems may differ in the last bit of an
//! exponential; rounded to a millionth, which is some hundred million such bits, they come to the same.

use std::cmp::Ordering;

use skillratings::MultiTeamOutcome;
use skillratings::weng_lin::{WengLinConfig, WengLinRating, expected_score, weng_lin_multi_team};

use crate::ratings::queries::Skill;

/// Counts up with every change of what a step comes to or of what counts. Ratings of a lower version are computed
/// anew.
pub const ALGORITHM: i64 = 4;

/// Whose first game it is.
pub const NEW: Skill = Skill {
    rating: 25_000_000,
    uncertainty: 8_333_333,
};

/// The variance that a game adds before it, for who plays may have become better or worse since: the square of
/// 25/300, as TrueSkill has it.
const DYNAMICS: f64 = (25.0 / 300.0) * (25.0 / 300.0);

/// How many points of a rating multiply the odds by e: the square root of 2 times beta.
pub const SCALE: f64 = std::f64::consts::SQRT_2 * 25.0 / 6.0;

const UNIT: f64 = 1_000_000.0;

/// Millionths as a number.
pub fn number(millionths: i64) -> f64 {
    millionths as f64 / UNIT
}

/// A number in millionths.
fn millionths(number: f64) -> i64 {
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

/// What is believed of a player before the next game.
fn belief(skill: Skill) -> WengLinRating {
    let uncertainty = number(skill.uncertainty);
    WengLinRating {
        rating: number(skill.rating),
        uncertainty: uncertainty.mul_add(uncertainty, DYNAMICS).sqrt(),
    }
}

/// What players are rated after a game, from what they were before and their places; a lower place is better,
/// equal ones are ties.
pub fn step(players: &[(Skill, u32)]) -> Vec<Skill> {
    let beliefs: Vec<[WengLinRating; 1]> = (players.iter())
        .map(|(skill, _)| [belief(*skill)])
        .collect();
    let placed: Vec<(&[WengLinRating], MultiTeamOutcome)> = beliefs
        .iter()
        .zip(players)
        .map(|(belief, (_, place))| (&belief[..], MultiTeamOutcome::new(*place as usize)))
        .collect();
    let after = weng_lin_multi_team(&placed, &WengLinConfig::new());
    let skill = |belief: WengLinRating| Skill {
        rating: millionths(belief.rating),
        uncertainty: millionths(belief.uncertainty),
    };
    after.into_iter().flatten().map(skill).collect()
}

/// The log-odds that the first of two comes before the other in their next game; a tie counts as half of each order.
pub fn log_odds(one: Skill, other: Skill) -> f64 {
    let chance = expected_score(&belief(one), &belief(other), &WengLinConfig::new()).0;
    (chance / (1.0 - chance)).ln()
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

    /// By hand from the paper: with mean 25, deviation s and c² = 2 (25/6)² + 2 s², the winner of two equal players
    /// gains s²/2c, and the variance of both shrinks by s⁵/4c³.
    #[test]
    fn a_first_game_of_two_comes_to_what_the_paper_says() {
        let s2 = number(NEW.uncertainty).powi(2) + DYNAMICS;
        let c = (2.0 * (25.0_f64 / 6.0).powi(2) + 2.0 * s2).sqrt();
        let gained = s2 / (2.0 * c);
        let left = (s2 * (1.0 - (s2.sqrt() / c).powi(3) / 4.0)).sqrt();
        let after = step(&[(NEW, 1), (NEW, 2)]);
        assert_eq!(
            after,
            [
                skill(millionths(25.0 + gained), millionths(left)),
                skill(millionths(25.0 - gained), millionths(left))
            ]
        );
        // The figures themselves, so that another release of the crate cannot come to others unseen.
        assert_eq!(after[0], skill(27_635_389, 8_065_901), "{after:?}");
    }

    #[test]
    fn equal_players_who_tie_stay_where_they_are_and_are_known_better() {
        for after in step(&[(NEW, 60), (NEW, 60), (NEW, 60)]) {
            assert_eq!(after.rating, NEW.rating);
            assert!(after.uncertainty < NEW.uncertainty, "{after:?}");
        }
    }

    #[test]
    fn who_is_rated_higher_is_expected_before() {
        let (strong, weak) = (skill(30_000_000, 2_000_000), skill(20_000_000, 2_000_000));
        assert!(log_odds(strong, weak) > 1.0);
        assert!((log_odds(strong, weak) + log_odds(weak, strong)).abs() < 1e-12);
        assert_eq!(log_odds(NEW, NEW), 0.0);
        // A surprise moves more than what was expected.
        let surprise = step(&[(weak, 1), (strong, 2)])[0].rating - weak.rating;
        let expected = step(&[(strong, 1), (weak, 2)])[0].rating - strong.rating;
        assert!(surprise > 3 * expected, "{surprise} {expected}");
    }

    #[test]
    fn millionths_are_numbers_and_back() {
        for told in [
            0,
            1,
            -1,
            25_000_000,
            8_333_333,
            -123_456_789,
            i64::from(i32::MAX),
        ] {
            assert_eq!(millionths(number(told)), told);
        }
    }

    proptest! {
        /// In whatever order they sit, players come to the same, to a millionth at each sum.
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
