//! Conditional logit of the winner of a game.
//!
//! See McFadden, "Conditional logit analysis of qualitative choice behavior", 1974.
//!
//! The probability that a seat wins is proportional to `exp` of the sum of its nations' effects and its player's
//! skill. Nations, places in the seat order and openings have effects with a weak normal prior ([`PRIOR`]). Players
//! have a skill with a normal distribution, whose spread maximizes the likelihood of the games (Laplace's
//! approximation). Several winners share a response.
//!
//! Standard errors come from the curvature of the posterior. They are scaled by the variance of win shares, because
//! a shared win varies less than a win: by the estimated dispersion if there are no skills (quasi-likelihood;
//! McCullagh and Nelder, "Generalized linear models", 1989). The errors of skills are not scaled, because their
//! prior is the variance between players. A sandwich estimator over players would be unreliable for few players;
//! over games it would estimate a matrix where one number suffices.

use super::interval::{CONFIDENCE, student_p_value, student_quantile};
use super::linear::{Cholesky, Symmetric};

/// The standard deviation of effects in their prior, in log odds.
pub const PRIOR: f64 = 2.0;

/// The values of the spread of skill that are tried, in log odds.
const SPREADS: [f64; 13] = [
    0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.65, 0.8, 1.0, 1.25, 1.6, 2.0, 2.5,
];

/// The most steps of Newton's method; about five are usual.
const STEPS: usize = 50;

/// A seat of a game.
#[derive(Clone, Debug, PartialEq)]
pub struct StrengthSeat {
    /// Its share of the win.
    pub share: f64,
    /// The index of its player's skill, which follows the effects; `None` if the skill is unknown.
    pub player: Option<usize>,
    /// The number of its nations.
    pub nations: usize,
    /// The indexes of the effects of its nations, with repetitions.
    pub effects: Vec<usize>,
}

/// An estimate with its 95% interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EffectEstimate {
    /// The estimate.
    pub value: f64,
    /// Its standard error.
    pub error: f64,
    /// Lower end of the interval.
    pub low: f64,
    /// Upper end of the interval.
    pub high: f64,
}

/// The fitted model: effects and skills.
#[derive(Clone, Debug)]
pub struct Strength<'a> {
    games: &'a [Vec<StrengthSeat>],
    /// The effects, then the skills of players, in log odds.
    found: Vec<f64>,
    /// The inverse of the variance of each in its prior.
    prior: Vec<f64>,
    curvature: Cholesky,
    /// The win probability of each seat of each game if all players were equally strong.
    equal_chances: Vec<Vec<f64>>,
    spread: f64,
    dispersion: f64,
    freedom: f64,
    quantile: f64,
}

/// A step on the way to the most likely effects.
struct FitPoint {
    /// The logarithm of the posterior density, except for a constant.
    density: f64,
    slope: Vec<f64>,
    curvature: Symmetric,
}

impl<'a> Strength<'a> {
    /// Fits the model to games. In each game a share greater than zero must be won.
    pub fn fit(games: &'a [Vec<StrengthSeat>], effects: usize, players: usize) -> Strength<'a> {
        let middle = SPREADS.len() / 2;
        let mut best = Trial::new(games, effects, players, middle, None);
        // The likelihood has one peak: search upwards from the middle, or else downwards.
        let ups = middle + 1..SPREADS.len();
        let downs = (0..middle).rev();
        for way in [ups.collect::<Vec<usize>>(), downs.collect()] {
            // The skill of a single player cannot be estimated.
            if players < 2 || best.index != middle {
                break;
            }
            for next in way {
                let trial = Trial::new(games, effects, players, next, Some(&best.found));
                if trial.evidence <= best.evidence {
                    break;
                }
                best = trial;
            }
        }
        let Trial {
            index,
            found,
            prior,
            curvature,
            ..
        } = best;
        // The number of parameters that are estimated from the games.
        let known = (0..found.len()).map(|index| {
            let mut unit = vec![0.0; found.len()];
            unit[index] = 1.0;
            prior[index] * curvature.solve(&unit)[index]
        });
        let estimated = found.len() as f64 - known.sum::<f64>();
        let (mut squares, mut varies, mut free) = (0.0, 0.0, -estimated);
        let mut shared = 0.0;
        for game in games {
            let won = total_share(game);
            for (seat, chance) in game.iter().zip(win_probabilities(game, &found)) {
                let share = seat.share / won;
                squares += (share - chance) * (share - chance);
                shared += share * share;
                varies += chance * (1.0 - chance);
            }
            free += game.len() as f64 - 1.0;
        }
        let freedom = free.max(1.0);
        // A lower bound: shares that go to seats independently vary by their squares. Games with only expected
        // results would otherwise seem too certain.
        let least = shared / games.len().max(1) as f64;
        let dispersion = match varies > 0.0 {
            true => least.max(squares / varies * ((free + estimated) / freedom)),
            false => 1.0,
        };
        let equal_chances = games
            .iter()
            .map(|game| win_probabilities(game, &found[..effects]));
        Strength {
            games,
            equal_chances: equal_chances.collect(),
            found,
            prior,
            curvature,
            spread: if players > 1 { SPREADS[index] } else { 0.0 },
            dispersion,
            freedom,
            quantile: student_quantile(freedom, 0.5 + CONFIDENCE / 2.0),
        }
    }

    /// Returns the most likely spread of skill, in log odds; 0 with fewer than two players.
    pub fn spread(&self) -> f64 {
        self.spread
    }

    /// Returns the variance of shares divided by that of wins and losses.
    pub fn dispersion(&self) -> f64 {
        self.dispersion
    }

    /// Returns a weighted sum of effects in log odds, such as an effect less the mean of its kind.
    pub fn effect(&self, sum: &[(usize, f64)]) -> EffectEstimate {
        let mut direction = vec![0.0; self.found.len()];
        for (effect, part) in sum {
            direction[*effect] += part;
        }
        let value = product(&direction, &self.found);
        let error = self.error(&direction);
        let half = self.quantile * error;
        EffectEstimate {
            value,
            error,
            low: value - half,
            high: value + half,
        }
    }

    /// Returns the mean win rate of nations with an effect if all players were equally strong.
    /// Without games, the estimate is unknown.
    pub fn equal_rate(&self, effect: usize) -> EffectEstimate {
        let mut direction = vec![0.0; self.found.len()];
        let (mut sum, mut nations) = (0.0, 0.0);
        for (game, chances) in self.games.iter().zip(&self.equal_chances) {
            for (seat, chance) in game.iter().zip(chances) {
                let own = seat.effects.iter().filter(|own| **own == effect);
                let own = own.count() as f64;
                if own == 0.0 {
                    continue;
                }
                let part = own / seat.nations as f64 * chance;
                sum += part;
                nations += own;
                for (other, chance) in game.iter().zip(chances) {
                    for own in &other.effects {
                        direction[*own] -= part * chance;
                    }
                }
                for own in &seat.effects {
                    direction[*own] += part;
                }
            }
        }
        if nations == 0.0 {
            let (value, error, low, high) = (0.5, f64::INFINITY, 0.0, 1.0);
            return EffectEstimate {
                value,
                error,
                low,
                high,
            };
        }
        direction.iter_mut().for_each(|number| *number /= nations);
        let value = sum / nations;
        let error = self.error(&direction);
        // In log odds, so that the interval stays between 0 and 1.
        let odds = (value / (1.0 - value)).ln();
        let half = self.quantile * error / (value * (1.0 - value));
        let rate = |odds: f64| 1.0 / (1.0 + (-odds).exp());
        EffectEstimate {
            value,
            error,
            low: rate(odds - half),
            high: rate(odds + half),
        }
    }

    /// Returns the two-sided p-value of an effect.
    pub fn p_value(&self, effect: &EffectEstimate) -> f64 {
        match effect.error > 0.0 {
            true => student_p_value(self.freedom, effect.value / effect.error),
            false => 1.0,
        }
    }

    fn error(&self, direction: &[f64]) -> f64 {
        let solved = self.curvature.solve(direction);
        let squares = solved.iter().zip(&self.prior);
        let of_prior: f64 = squares.map(|(number, prior)| prior * number * number).sum();
        let of_games = product(direction, &solved) - of_prior;
        (self.dispersion * of_games.max(0.0) + of_prior).sqrt()
    }
}

/// The fit for one spread of skill.
struct Trial {
    /// The index of the spread in [`SPREADS`].
    index: usize,
    found: Vec<f64>,
    prior: Vec<f64>,
    curvature: Cholesky,
    /// The logarithm of the likelihood of the games, except for a constant.
    evidence: f64,
}

impl Trial {
    fn new(
        games: &[Vec<StrengthSeat>],
        effects: usize,
        players: usize,
        index: usize,
        from: Option<&[f64]>,
    ) -> Trial {
        let spread = SPREADS[index];
        let mut prior = vec![1.0 / (PRIOR * PRIOR); effects];
        prior.resize(effects + players, 1.0 / (spread * spread));
        let mut found = from.map_or_else(|| vec![0.0; prior.len()], <[f64]>::to_vec);
        let mut point = point(games, &found, &prior);
        let mut curvature = Cholesky::decompose(point.curvature);
        for _ in 0..STEPS {
            let step = curvature.solve(&point.slope);
            if step.iter().all(|number| number.abs() < 1e-7) {
                break;
            }
            let mut part = 1.0;
            loop {
                let moved = found.iter().zip(&step);
                let moved: Vec<f64> = moved.map(|(number, step)| number + part * step).collect();
                let next = self::point(games, &moved, &prior);
                part /= 2.0;
                // The density has one peak, so a step that is short enough increases it.
                if next.density >= point.density || part < 1e-3 {
                    (found, point) = (moved, next);
                    break;
                }
            }
            curvature = Cholesky::decompose(point.curvature);
        }
        let skills = players as f64;
        Trial {
            evidence: point.density - curvature.log_determinant() / 2.0 - skills * spread.ln(),
            index,
            found,
            prior,
            curvature,
        }
    }
}

/// Returns the sum of the seats' shares.
fn total_share(game: &[StrengthSeat]) -> f64 {
    game.iter().map(|seat| seat.share).sum()
}

/// Returns the win probability of each seat for these parameters.
fn win_probabilities(game: &[StrengthSeat], numbers: &[f64]) -> Vec<f64> {
    let strength = |seat: &StrengthSeat| -> f64 {
        let own = seat.effects.iter().chain(&seat.player);
        // Without skills, all players are equally strong.
        own.filter_map(|number| numbers.get(*number)).sum()
    };
    let strengths: Vec<f64> = game.iter().map(strength).collect();
    let most = strengths.iter().copied().fold(f64::MIN, f64::max);
    let odds: Vec<f64> = strengths
        .iter()
        .map(|strength| (strength - most).exp())
        .collect();
    let all: f64 = odds.iter().sum();
    odds.iter().map(|odds| odds / all).collect()
}

fn point(games: &[Vec<StrengthSeat>], numbers: &[f64], prior: &[f64]) -> FitPoint {
    let weighted = numbers.iter().zip(prior);
    let mut slope: Vec<f64> = weighted.map(|(number, prior)| -number * prior).collect();
    let mut density = product(numbers, &slope) / 2.0;
    let mut curvature = Symmetric::diagonal(prior);
    for game in games {
        let won = total_share(game);
        let chances = win_probabilities(game, numbers);
        let features: Vec<Vec<usize>> = game.iter().map(features).collect();
        for ((seat, own), chance) in game.iter().zip(&features).zip(&chances) {
            let share = seat.share / won;
            if share > 0.0 {
                density += share * chance.ln();
            }
            for feature in own {
                slope[*feature] += share - chance;
            }
            for (others, other) in features.iter().zip(&chances) {
                let same = std::ptr::eq(own, others);
                let both = if same {
                    chance - chance * chance
                } else {
                    -chance * other
                };
                for row in own {
                    for column in others {
                        curvature.add(*row, *column, both);
                    }
                }
            }
        }
    }
    FitPoint {
        density,
        slope,
        curvature,
    }
}

fn features(seat: &StrengthSeat) -> Vec<usize> {
    seat.effects.iter().copied().chain(seat.player).collect()
}

fn product(one: &[f64], other: &[f64]) -> f64 {
    one.iter().zip(other).map(|(one, other)| one * other).sum()
}
