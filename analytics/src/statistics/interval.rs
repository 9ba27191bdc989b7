//! Intervals and tests for win rates with shared wins and several games of a player.
//!
//! A rate is a sum of shares divided by the number of nations in games. Its variance has two parts:
//!
//! - What each game adds to the sum, because nations of one game win at the expense of each other (Cameron, Gelbach
//!   and Miller, "Robust inference with multiway clustering", 2011).
//! - What the skill of players adds ([`SkillVariance`]). This part is zero for a row in which each player has the
//!   same fraction of games as in all games.
//!
//! The interval is that of Clopper and Pearson with mid-p, for the number of independent games with the same
//! variance (Korn and Graubard, "Confidence intervals for proportions with small expected number of positive counts
//! estimated from survey data", 1998). It uses the quantile of Student's t for the number of games and players. The
//! test is the same comparison: the interval excludes a rate if and only if its p-value is below 0.05.

use statrs::distribution::{ContinuousCDF, Normal, StudentsT};
use statrs::function::beta::beta_reg;

/// The confidence of the intervals.
pub const CONFIDENCE: f64 = 0.95;

/// The weight of the binomial variance, in games, beside the estimated variance.
/// It keeps the interval wider than zero if all games have the same result.
const PRIOR_GAMES: f64 = 1.0;

/// Sums of squares and products of the numbers of nations and wins, over games or seats.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Squares {
    /// The sum of squares of the number of nations.
    pub nn: f64,
    /// The sum of products of the number of nations and the wins.
    pub nw: f64,
    /// The sum of squares of the wins.
    pub ww: f64,
}

impl Squares {
    /// Returns the sum of squared differences between wins and their expectation at a rate.
    pub(crate) fn excess_squares(self, rate: f64) -> f64 {
        (self.ww - 2.0 * rate * self.nw + rate * rate * self.nn).max(0.0)
    }
}

/// The sums of a player, in a row and in all games to which the row belongs.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PersonSums {
    /// Nations in games of the row.
    pub in_row: f64,
    /// Nations in all games.
    pub nations: f64,
    /// Wins in all games.
    pub wins: f64,
    /// Squares over the seats of all games.
    pub by_seat: Squares,
}

/// The variance that the skill of players adds to a sum of wins.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SkillVariance {
    /// The variance.
    pub variance: f64,
    /// The equivalent number of players with equally many games.
    pub players: f64,
}

impl SkillVariance {
    /// Computes the variance of a row among other games.
    /// The weight of a player is the difference between the player's games in the row and those expected from all
    /// games. The square of a skill is estimated from pairs of different seats, so chance does not add to it.
    pub fn for_row(players: impl Iterator<Item = PersonSums> + Clone) -> SkillVariance {
        let mut all = PersonSums::default();
        let mut squared = 0.0;
        for own in players.clone() {
            all.in_row += own.in_row;
            all.nations += own.nations;
            all.wins += own.wins;
            squared += own.in_row * own.in_row;
        }
        if all.in_row <= 0.0 {
            return SkillVariance::default();
        }
        let (part, rate) = (all.in_row / all.nations, all.wins / all.nations);
        let variance: f64 = players
            .map(|own| {
                let pairs = own.nations * own.nations - own.by_seat.nn;
                let beyond = own.wins - rate * own.nations;
                let skill = match pairs > 0.0 {
                    true => (beyond * beyond - own.by_seat.excess_squares(rate)) / pairs,
                    false => 0.0,
                };
                let imbalance = own.in_row - part * own.nations;
                imbalance * imbalance * skill
            })
            .sum();
        SkillVariance {
            variance: variance.max(0.0),
            players: all.in_row * all.in_row / squared,
        }
    }

    /// Computes the variance for a sample of players, each with an individual mean.
    /// `nations` is the number of games; the sums are over players and over their seats.
    pub fn for_sample(
        nations: f64,
        by_person: Squares,
        by_seat: Squares,
        rate: f64,
    ) -> SkillVariance {
        let players = nations * nations / by_person.nn.max(f64::MIN_POSITIVE);
        // A single player has no variance between players.
        let variance = match players > 1.5 {
            true => {
                by_person.excess_squares(rate) * players / (players - 1.0)
                    - by_seat.excess_squares(rate)
            }
            false => 0.0,
        };
        SkillVariance {
            variance: variance.max(0.0),
            players,
        }
    }
}

/// The data behind a rate.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Evidence {
    /// Games.
    pub games: f64,
    /// Nations in these games.
    pub nation_games: f64,
    /// The sum of their shares of wins.
    pub wins: f64,
    /// Squares over games.
    pub by_game: Squares,
    /// The variance that the skill of players adds.
    pub skill: SkillVariance,
}

impl Evidence {
    /// Returns the data of independent games with this number of wins.
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

    /// Returns the rate.
    pub fn rate(&self) -> f64 {
        self.wins / self.nation_games
    }

    /// Returns the design effect, and its degrees of freedom.
    /// The design effect is the variance of the sum of wins, divided by that of independent games at this rate.
    fn effect(&self) -> (f64, f64) {
        let rate = self.rate();
        let of_games = self.by_game.excess_squares(rate);
        let of_skill = self.skill.variance;
        let varies = of_games + of_skill;
        let one = rate * (1.0 - rate);
        if one <= 0.0 || varies <= 0.0 {
            let prior = PRIOR_GAMES / (self.nation_games + PRIOR_GAMES);
            let effect = if one > 0.0 { prior } else { 1.0 };
            return (effect, (self.games - 1.0).max(1.0));
        }
        let games = (self.games - 1.0).max(1.0);
        let players = (self.skill.players - 1.0).max(1.0);
        let freedom =
            varies * varies / (of_games * of_games / games + of_skill * of_skill / players);
        let effect = (varies + PRIOR_GAMES * one) / ((self.nation_games + PRIOR_GAMES) * one);
        (effect, freedom)
    }

    /// Returns the number of independent games with the same variance.
    pub fn independent_games(&self) -> f64 {
        self.nation_games / self.effect().0
    }

    /// Returns that number, reduced for the uncertainty of the variance.
    fn effective_games(&self) -> f64 {
        let (effect, freedom) = self.effect();
        let quantile = student_quantile(freedom, 0.5 + CONFIDENCE / 2.0);
        self.nation_games / effect * (normal_quantile() / quantile).powi(2)
    }

    /// Returns the interval of the rate with [`CONFIDENCE`]; from 0 to 1 without games.
    /// Its width is never zero.
    pub fn interval(&self) -> (f64, f64) {
        self.interval_against(Others::None)
    }

    /// Returns the p-value of the rate if `expected` is the true rate.
    pub fn p_value(&self, expected: f64) -> f64 {
        self.p_value_against(expected, Others::None)
    }

    /// Returns the number of independent games with the variance of the difference between this rate and that of others.
    fn games_against(&self, others: Others) -> f64 {
        let own = self.effective_games();
        match others {
            Others::None => own,
            // The others win what these do not, so the difference varies as this rate does, only more.
            Others::OfTheseGames(nations) => own / (1.0 + self.nation_games / nations).powi(2),
            // The variance of theirs is at least that of independent games.
            Others::OfOtherGames(nations) => own / (1.0 + own * self.effect().0.max(1.0) / nations),
        }
    }

    /// Returns the interval for a comparison with the rate of others, which varies too.
    pub fn interval_against(&self, others: Others) -> (f64, f64) {
        match self.nation_games > 0.0 && others.nations() > 0.0 {
            true => mid_p_interval(self.rate(), self.games_against(others)),
            false => (0.0, 1.0),
        }
    }

    /// Returns the p-value for a comparison with the rate of others.
    /// See [`Evidence::interval_against`].
    pub fn p_value_against(&self, expected: f64, others: Others) -> f64 {
        let is_empty = self.nation_games <= 0.0 || others.nations() <= 0.0;
        if is_empty || expected <= 0.0 || expected >= 1.0 {
            return 1.0;
        }
        let above = mid_p(self.rate(), self.games_against(others), expected);
        (2.0 * above.min(1.0 - above)).min(1.0)
    }
}

/// Whose rate is expected, with their number of nations in games.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Others {
    /// The expected rate follows from the rules.
    None,
    /// Other nations of the same games, of which one wins.
    OfTheseGames(f64),
    /// Nations of other games.
    OfOtherGames(f64),
}

impl Others {
    /// Returns their number of nations in games; infinite if the expected rate follows from the rules.
    pub fn nations(self) -> f64 {
        match self {
            Others::None => f64::INFINITY,
            Others::OfTheseGames(nations) | Others::OfOtherGames(nations) => nations,
        }
    }
}

/// With more wins and more losses than this, mid-p uses the normal distribution.
const MANY: f64 = 500.0;

/// Returns P(a higher rate) + P(an equal rate) / 2 if `truth` is the true rate.
/// The number of games can be fractional.
fn mid_p(rate: f64, games: f64, truth: f64) -> f64 {
    let (wins, losses) = (rate * games, (1.0 - rate) * games);
    if wins.min(losses) > MANY {
        let error = (truth * (1.0 - truth) / games).sqrt();
        return normal().cdf((truth - rate) / error);
    }
    let no_less = if rate > 0.0 {
        beta_reg(wins, losses + 1.0, truth)
    } else {
        1.0
    };
    let more = if rate < 1.0 {
        beta_reg(wins + 1.0, losses, truth)
    } else {
        0.0
    };
    (no_less + more) / 2.0
}

/// Returns the rates at which [`mid_p`] equals half of 1 - [`CONFIDENCE`] on either side.
fn mid_p_interval(rate: f64, games: f64) -> (f64, f64) {
    let tail = (1.0 - CONFIDENCE) / 2.0;
    let low = match rate > 0.0 {
        true => root(0.0, rate, |truth| mid_p(rate, games, truth) - tail),
        false => 0.0,
    };
    let high = match rate < 1.0 {
        true => root(rate, 1.0, |truth| mid_p(rate, games, truth) - 1.0 + tail),
        false => 1.0,
    };
    (low, high)
}

/// Finds the zero of a growing function between `low` and `high` (Illinois variant of regula falsi).
pub(crate) fn root(mut low: f64, mut high: f64, function: impl Fn(f64) -> f64) -> f64 {
    let (mut at_low, mut at_high) = (function(low), function(high));
    let mut was_low = None;
    for _ in 0..200 {
        let middle = (low * at_high - high * at_low) / (at_high - at_low);
        let at_middle = function(middle);
        if at_middle.abs() < 1e-12 || high - low < 1e-12 {
            return middle;
        }
        let is_low = at_middle < 0.0;
        // The value at an end that does not move is halved, so that it moves in the next step.
        let half = if was_low == Some(is_low) { 0.5 } else { 1.0 };
        match is_low {
            true => (low, at_low, at_high) = (middle, at_middle, at_high * half),
            false => (high, at_high, at_low) = (middle, at_middle, at_low * half),
        }
        was_low = Some(is_low);
    }
    (low + high) / 2.0
}

/// Returns the two-sided p-value of Student's distribution.
pub(crate) fn student_p_value(freedom: f64, number: f64) -> f64 {
    let beyond = number.abs();
    2.0 * (1.0 - student(freedom).map_or_else(|| normal().cdf(beyond), |t| t.cdf(beyond)))
}

/// Returns the two-sided p-value of the normal distribution.
pub(crate) fn normal_p_value(number: f64) -> f64 {
    2.0 * normal().sf(number.abs())
}

fn normal() -> Normal {
    Normal::standard()
}

/// Returns Student's distribution; `None` if it is the normal one or has no degrees of freedom.
fn student(freedom: f64) -> Option<StudentsT> {
    StudentsT::new(0.0, 1.0, freedom)
        .ok()
        .filter(|_| freedom < 1e4)
}

/// Returns the quantile of Student's distribution.
pub(crate) fn student_quantile(freedom: f64, part: f64) -> f64 {
    student(freedom).map_or_else(
        || normal().inverse_cdf(part),
        |student| student.inverse_cdf(part),
    )
}

/// Returns the quantile of the normal distribution for [`CONFIDENCE`].
pub(crate) fn normal_quantile() -> f64 {
    normal().inverse_cdf(0.5 + CONFIDENCE / 2.0)
}

/// The power for which [`games_for_power`] is computed.
const POWER: f64 = 0.8;

/// Returns the number of independent games after which the interval of a rate has this half-width.
pub fn games_for_width(rate: f64, half: f64) -> f64 {
    (normal_quantile() / half).powi(2) * rate * (1.0 - rate)
}

/// Returns the number of independent games after which a test finds a difference from the expected rate with a
/// probability of 80%. Fleiss, "Statistical Methods for Rates and Proportions", 2nd edition, section 1.7.
/// It is infinite without a difference.
pub fn games_for_power(rate: f64, expected: f64) -> f64 {
    let of = |rate: f64| (rate * (1.0 - rate)).max(0.0).sqrt();
    let needed = normal_quantile() * of(expected) + normal().inverse_cdf(POWER) * of(rate);
    (needed / (rate - expected)).powi(2)
}

/// Returns Wilson's score interval; the number of games can be fractional.
fn score_interval(rate: f64, games: f64, z: f64) -> (f64, f64) {
    let z2 = z * z / games;
    let middle = rate + z2 / 2.0;
    let half = (z2 * (rate * (1.0 - rate) + z2 / 4.0)).sqrt();
    let low = (middle - half) / (1.0 + z2);
    let high = (middle + half) / (1.0 + z2);
    (low.max(0.0), high.min(1.0))
}

/// Returns Wilson's score interval with [`CONFIDENCE`]; from 0 to 1 without games.
pub fn wilson(wins: f64, games: f64) -> (f64, f64) {
    match games > 0.0 {
        true => score_interval(wins / games, games, normal_quantile()),
        false => (0.0, 1.0),
    }
}

/// Returns the false discovery rate if a p-value and all smaller ones are called significant.
/// Benjamini and Hochberg, "Controlling the false discovery rate", 1995.
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

    /// Newcombe, Statistics in Medicine 17 (1998), table I, method 3.
    /// It is Wilson's score interval without continuity correction.
    #[test]
    fn wilson_gives_the_published_intervals() {
        assert_close(wilson(81.0, 263.0), 0.2553, 0.3662);
        assert_close(wilson(15.0, 148.0), 0.0624, 0.1605);
        assert_close(wilson(0.0, 20.0), 0.0, 0.1611);
        assert_close(wilson(1.0, 29.0), 0.0061, 0.1718);
    }

    /// Benjamini and Hochberg (1995), the example of section 3.1.
    /// The four smallest of 15 p-values are rejected at 0.05.
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
        assert!((low - wilson_low).abs() < 3e-3 && (high - wilson_high).abs() < 3e-3);
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
    fn a_rate_of_few_other_nations_proves_little() {
        // Three nations of each of 64 games: the rate varies not at all, but that of one other nation does.
        let shared = Evidence {
            games: 64.0,
            by_game: Squares {
                nn: 576.0,
                nw: 192.0,
                ww: 64.0,
            },
            ..Evidence::independent(64.0, 192.0)
        };
        assert!(shared.p_value_against(0.6, Others::OfTheseGames(1.0)) > 0.3);
        assert!(shared.p_value_against(0.6, Others::OfTheseGames(1_000.0)) < 1e-9);
        let (low, high) = shared.interval_against(Others::OfTheseGames(1.0));
        assert!(low < 0.05 && 0.8 < high, "{low} to {high}");
    }

    /// Five players with 20 games each, by their wins and their games in the row.
    fn players(wins: [f64; 5], in_row: [f64; 5]) -> SkillVariance {
        let own = wins
            .into_iter()
            .zip(in_row)
            .map(|(wins, in_row)| PersonSums {
                in_row,
                nations: 20.0,
                wins,
                by_seat: Squares {
                    nn: 20.0,
                    nw: wins,
                    ww: wins,
                },
            });
        SkillVariance::for_row(own)
    }

    #[test]
    fn players_of_different_skill_widen_a_row_that_they_have_unequal_parts_of() {
        let skills = [18.0, 14.0, 10.0, 6.0, 2.0];
        assert_eq!(players(skills, [5.0; 5]).variance, 0.0);
        let habits = players(skills, [20.0, 0.0, 0.0, 0.0, 5.0]);
        assert!(habits.variance > 20.0, "{habits:?}");
        assert!((habits.players - 625.0 / 425.0).abs() < 1e-12);
        assert_eq!(players([10.0; 5], [20.0, 0.0, 0.0, 0.0, 5.0]).variance, 0.0);
        let alone = Evidence::independent(8.0, 25.0);
        let width = |evidence: Evidence| {
            let (low, high) = evidence.interval();
            high - low
        };
        let together = Evidence {
            skill: habits,
            ..alone
        };
        assert!(width(together) > 1.5 * width(alone));
    }

    /// The binomial distribution with mid-p: a p-value below 0.05 means a rate outside of the interval.
    #[test]
    fn the_test_agrees_with_the_interval() {
        for games in [10, 20, 30, 60, 100, 3_000] {
            for wins in [0, 1, games / 7, games / 4, games / 2, games] {
                let row = Evidence::independent(f64::from(wins), f64::from(games));
                let (low, high) = row.interval();
                for part in 1..200 {
                    let expected = f64::from(part) / 200.0;
                    let inside = low <= expected && expected <= high;
                    assert_eq!(inside, row.p_value(expected) >= 0.05, "{row:?} {expected}");
                }
            }
        }
    }

    /// Fagerland, Lydersen and Laake, "Statistical Analysis of Contingency Tables", 2017.
    /// Both ends solve the equation of the interval of Clopper and Pearson with mid-p.
    #[test]
    fn mid_p_counts_an_equal_rate_half() {
        // 2 of 10 at 1/2: P(X > 2) + P(X = 2) / 2 = (968 + 22.5) / 1024.
        assert!((mid_p(0.2, 10.0, 0.5) - 990.5 / 1024.0).abs() < 1e-12);
        let (low, high) = mid_p_interval(0.0, 10.0);
        assert_eq!(low, 0.0);
        assert!((high - (1.0 - 0.05f64.powf(0.1))).abs() < 1e-9);
        assert_eq!(mid_p_interval(1.0, 10.0).1, 1.0);
        // Where the normal distribution takes over, the difference due to skewness is far below the shown precision.
        let (few, many) = (mid_p_interval(0.25, 1_999.0), mid_p_interval(0.25, 2_001.0));
        assert!((few.0 - many.0).abs() < 3e-4 && (few.1 - many.1).abs() < 3e-4);
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
    fn without_games_the_interval_is_from_0_to_1() {
        assert_eq!(wilson(0.0, 0.0), (0.0, 1.0));
        assert_eq!(Evidence::default().interval(), (0.0, 1.0));
        assert_eq!(Evidence::default().p_value(0.25), 1.0);
    }
}
