//! Simulates games of players with known strengths, to check ratings against them.

use std::f64::consts::TAU;
use std::ops::RangeInclusive;

use engine::chance::Chance;
use rayon::prelude::*;

use crate::ratings::forecast::{Comparison, PairForecasts, compare, first_compared};
use crate::ratings::ranked_game::{RankedGame, pairs, rate};
use analytics::ratings::algorithm::{NEW, SCALE, number, step};

/// A normal distribution has 95% of its values within so many standard deviations of the mean.
const WITHIN: f64 = 1.96;

/// Groups of players who play games within their group.
#[derive(Clone, Debug)]
pub struct Simulation {
    /// The number of players of a group.
    pub players: usize,
    /// The number of games of a group.
    pub games: usize,
    /// The number of groups.
    pub groups: usize,
    /// The standard deviation of strengths, in log-odds.
    pub spread: f64,
    /// The same seed gives the same games.
    pub seed: String,
}

/// Forecasts of simulated games, and the fit of ratings to the known strengths.
#[derive(Clone, Debug, Default)]
pub struct SimulatedForecasts {
    /// The forecasts of each method.
    pub comparison: Comparison,
    /// Forecasts by the known strengths, which are the best possible.
    pub truth: PairForecasts,
    /// The number of players with at least one game.
    pub rated: usize,
    /// The number of these players whose strength is within 1.96 uncertainties of the rating.
    pub within: usize,
}

impl SimulatedForecasts {
    /// The share of these players whose strength is within 1.96 uncertainties of the rating.
    pub fn share_within(&self) -> f64 {
        self.within as f64 / self.rated.max(1) as f64
    }

    fn extend(mut self, other: SimulatedForecasts) -> SimulatedForecasts {
        self.comparison.extend(other.comparison);
        self.truth.extend(other.truth);
        self.rated += other.rated;
        self.within += other.within;
        self
    }
}

/// Players with known strengths, and their games.
struct Group {
    strengths: Vec<f64>,
    games: Vec<RankedGame>,
}

impl Simulation {
    /// Simulates games at tables of these sizes, each equally likely.
    pub fn run(&self, tables: &RangeInclusive<u32>) -> SimulatedForecasts {
        let groups: Vec<SimulatedForecasts> = (0..self.groups)
            .into_par_iter()
            .map(|number| self.group(tables, number).forecasts())
            .collect();
        let none = SimulatedForecasts::default();
        groups.into_iter().fold(none, SimulatedForecasts::extend)
    }

    fn group(&self, tables: &RangeInclusive<u32>, number: usize) -> Group {
        let mut chance = Chance::new(&format!("{} {tables:?} {number}", self.seed));
        let mut strengths: Vec<f64> = (0..self.players)
            .map(|_| self.spread * normal(&mut chance))
            .collect();
        // Results depend only on differences of strengths, so the mean is set to 0, which corresponds to a rating of
        // 25.
        let mean = strengths.iter().sum::<f64>() / self.players as f64;
        strengths.iter_mut().for_each(|strength| *strength -= mean);
        let sizes = tables.end() - tables.start() + 1;
        let mut players: Vec<usize> = (0..self.players).collect();
        let games = (0..self.games)
            .map(|_| {
                let size = tables.start() + chance.below(sizes);
                chance.shuffle(&mut players);
                let seats = players.iter().take(size as usize);
                ranked(seats.copied(), &strengths, &mut chance)
            })
            .collect();
        Group { strengths, games }
    }
}

/// Returns a uniform random number between 0 and 1.
fn uniform(chance: &mut Chance) -> f64 {
    (f64::from(chance.below(u32::MAX)) + 0.5) / f64::from(u32::MAX)
}

/// Returns a random number from the standard normal distribution (Box and Muller).
fn normal(chance: &mut Chance) -> f64 {
    let radius = (-2.0 * uniform(chance).ln()).sqrt();
    radius * (TAU * uniform(chance)).cos()
}

/// Draws a game from the Plackett-Luce model.
///
/// Players are placed in the order of exponential times with the rates exp(strength).
fn ranked(
    players: impl Iterator<Item = usize>,
    strengths: &[f64],
    chance: &mut Chance,
) -> RankedGame {
    let mut times: Vec<(usize, f64)> = players
        .map(|player| (player, -uniform(chance).ln() / strengths[player].exp()))
        .collect();
    times.sort_by(|one, other| one.1.total_cmp(&other.1));
    (times.into_iter().zip(1..))
        .map(|((player, _), place)| (player, place))
        .collect()
}

impl Group {
    fn forecasts(&self) -> SimulatedForecasts {
        let (rated, within) = self.coverage();
        let mut truth = PairForecasts::default();
        for game in &self.games[first_compared(&self.games)..] {
            for (one, other, score) in pairs(game) {
                truth.push(self.strengths[one] - self.strengths[other], score);
            }
        }
        SimulatedForecasts {
            comparison: compare(&self.games, self.strengths.len()),
            truth,
            rated,
            within,
        }
    }

    /// Returns the number of players with a game, and of those with a strength near the rating.
    fn coverage(&self) -> (usize, usize) {
        let mut skills = vec![NEW; self.strengths.len()];
        for game in &self.games {
            rate(game, &mut skills, step);
        }
        let rated = skills.iter().zip(&self.strengths);
        let rated = rated.filter(|(skill, _)| **skill != NEW);
        let is_near = rated.map(|(skill, strength)| {
            let expected = number(NEW.rating) + SCALE * strength;
            (number(skill.rating) - expected).abs() <= WITHIN * number(skill.uncertainty)
        });
        is_near.fold((0, 0), |(rated, within), is_near| {
            (rated + 1, within + usize::from(is_near))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn simulation() -> Simulation {
        Simulation {
            players: 20,
            games: 120,
            groups: 60,
            spread: 1.0,
            seed: "calibration".to_owned(),
        }
    }

    #[test]
    fn ratings_are_calibrated_at_tables_of_any_size() {
        for tables in [2..=2, 3..=3, 4..=4, 5..=5, 6..=6, 2..=6] {
            let found = simulation().run(&tables);
            assert_eq!(found.rated, 1_200, "{tables:?}");
            let share = found.share_within();
            assert!((0.93..0.98).contains(&share), "{tables:?}: {share}");
            let slope = found.comparison.ratings.slope().unwrap();
            assert!((0.9..1.1).contains(&slope), "{tables:?}: {slope}");
            let loss = found.comparison.ratings.loss().unwrap();
            assert!(
                loss < found.comparison.elo.loss().unwrap(),
                "{tables:?}: {loss}"
            );
            assert!(loss > found.truth.loss().unwrap(), "{tables:?}: {loss}");
            let slope = found.truth.slope().unwrap();
            assert!((0.9..1.1).contains(&slope), "{tables:?}: {slope}");
        }
    }

    #[test]
    fn the_same_seed_gives_the_same_games() {
        let simulation = Simulation {
            groups: 2,
            ..simulation()
        };
        let run = || simulation.run(&(4..=4)).comparison;
        assert_eq!(run(), run());
        let other = Simulation {
            seed: "other".to_owned(),
            ..simulation.clone()
        };
        assert_ne!(other.run(&(4..=4)).comparison, run());
    }

    #[test]
    fn simulated_strengths_have_the_spread_and_mean_0() {
        let simulation = Simulation {
            players: 1_000,
            games: 1,
            spread: 0.5,
            ..simulation()
        };
        let strengths = simulation.group(&(2..=6), 0).strengths;
        let mean = strengths.iter().sum::<f64>() / 1_000.0;
        assert!(mean.abs() < 1e-9, "{mean}");
        let variance = strengths
            .iter()
            .map(|strength| strength * strength)
            .sum::<f64>()
            / 1_000.0;
        assert!((0.45..0.55).contains(&variance.sqrt()), "{variance}");
    }
}
