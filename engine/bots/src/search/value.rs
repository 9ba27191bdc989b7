//! The evaluation of positions: the expected share of the win of each seat.
//!
//! It is a linear model of the nations' possessions and a network ([`super::network`]), trained on games of the search
//! itself (`examples/learn.rs`). The linear model came first: it was fitted to games of `greedy` and of the first search.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use engine::ids::MAX_NATIONS;
use engine::play::Game;
use engine::state::State;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::features::{FEATURES, FeatureVector, PLAIN, STAGE, measure_all};
use super::network::Network;

/// The share of the win of each seat; 0 beyond the last one. They sum up to 1.
pub type Shares = [f64; MAX_NATIONS];

/// The file with the weights.
const WEIGHTS: &str = include_str!("../../data/value.json");

/// The weights of all editions. Without weights, shares follow from points alone.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Value {
    /// The names of the features, in order: [`FEATURES`].
    features: Vec<String>,
    /// The weights of the linear model by edition: for each of the first [`PLAIN`] features, then for each times the
    /// stage of the game.
    pub linear: BTreeMap<String, Vec<f64>>,
    /// The network by edition. Editions without one have the linear model only.
    pub networks: BTreeMap<String, Network>,
}

impl Value {
    /// Returns the weights of the crate.
    pub fn embedded() -> &'static Value {
        static EMBEDDED: LazyLock<Value> = LazyLock::new(|| {
            Value::parse(WEIGHTS).unwrap_or_else(|error| {
                unreachable!("the tests check the form of data/value.json: {error}")
            })
        });
        &EMBEDDED
    }

    /// Parses a file of weights.
    ///
    /// # Errors
    /// If it is not such a file, or was made for other features or layers.
    pub fn parse(text: &str) -> Result<Value, String> {
        let value: Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
        if value.features != FEATURES {
            return Err("it was made for other features".to_owned());
        }
        match value
            .linear
            .values()
            .find(|weights| weights.len() != 2 * PLAIN)
        {
            Some(weights) => {
                let count = weights.len();
                Err(format!(
                    "a linear model has {} weights, not {count}",
                    2 * PLAIN
                ))
            }
            None => Ok(value),
        }
    }

    /// Returns the SHA-256 of the file of [`Value::embedded`] in hexadecimal.
    ///
    /// It identifies the weights behind a result of `search`.
    pub fn embedded_hash() -> String {
        hex::encode(Sha256::digest(WEIGHTS.as_bytes()))
    }

    /// Returns the expected share of the win of each seat.
    pub fn shares(&self, game: &Game, state: &State) -> Shares {
        if let Some(shares) = final_shares(game, state) {
            return shares;
        }
        let strengths = self.strengths(game, state);
        let most = strengths.into_iter().fold(f64::MIN, f64::max);
        let mut sums = [0.0; MAX_NATIONS];
        for nation in game.all_nations() {
            // A resigned nation can no longer win.
            if !state.nation(nation).resigned {
                let seat = usize::from(game.seat_of(nation));
                sums[seat] += exp(strengths[nation.index()] - most);
            }
        }
        let total: f64 = sums.iter().sum();
        match total > 0.0 {
            true => sums.map(|sum| sum / total),
            false => sums,
        }
    }

    /// The strength of each nation: the logarithm of its share of the win, up to a constant.
    fn strengths(&self, game: &Game, state: &State) -> [f64; MAX_NATIONS] {
        let edition = &game.ruleset.data.edition;
        let mut strengths = [f64::MIN; MAX_NATIONS];
        let (weights, network) = (self.linear.get(edition), self.networks.get(edition));
        if weights.is_none() && network.is_none() {
            // An operator's edition without weights: by points.
            for nation in game.all_nations() {
                let points = f64::from(game.points(state, nation));
                strengths[nation.index()] = 8.0 * points / f64::from(game.rules.goal);
            }
            return strengths;
        }
        let measured = &measure_all(game, state)[..game.nations.len()];
        for (strength, measured) in strengths.iter_mut().zip(measured) {
            *strength = weights.map_or(0.0, |weights| linear(weights, measured));
        }
        if let Some(network) = network {
            let layers = network.layers(measured).into_iter().take(measured.len());
            for (strength, layers) in strengths.iter_mut().zip(layers) {
                *strength += f64::from(layers.strength);
            }
        }
        strengths
    }
}

/// Returns the strength of a nation by a linear model.
pub fn linear(weights: &[f64], measured: &FeatureVector) -> f64 {
    let stage = measured[STAGE];
    let (early, late) = weights.split_at(PLAIN);
    let both = early.iter().zip(late).zip(measured);
    both.map(|((early, late), x)| (early + late * stage) * x)
        .sum()
}

/// Returns the shares of a game that is over.
pub fn final_shares(game: &Game, state: &State) -> Option<Shares> {
    let outcome = state.outcome?;
    let won = |seat: &usize| outcome.ranks[*seat] == 1;
    let winners = (0..game.seats()).filter(won).count().max(1);
    let mut shares = [0.0; MAX_NATIONS];
    for seat in (0..game.seats()).filter(won) {
        shares[seat] = 1.0 / winners as f64;
    }
    Some(shares)
}

/// What the last place is worth less than the first, in shares of the win.
///
/// It decides between plans that are otherwise equal, and for nations that can no longer win.
pub const PLACE: f64 = 0.02;

/// Returns the standing of each seat from 0 to 1: mostly its place, and a little its points.
pub fn standing(game: &Game, state: &State) -> Shares {
    let mut keys = [None; MAX_NATIONS];
    for nation in game.all_nations() {
        let owned = state.nation(nation);
        let points = game.points(state, nation);
        let temples = (owned.cities & state.temples).len();
        let key = (!owned.resigned, points, owned.cities.len(), temples);
        let seat = &mut keys[usize::from(game.seat_of(nation))];
        *seat = (*seat).max(Some(key));
    }
    let keys = &keys[..game.seats()];
    let others = keys.len().saturating_sub(1).max(1) as f64;
    let goal = f64::from(game.rules.goal.max(1));
    let mut all = [0.0; MAX_NATIONS];
    for (seat, key) in keys.iter().enumerate() {
        let place = match state.outcome {
            Some(outcome) => 1.0 - (f64::from(outcome.ranks[seat]) - 1.0) / others,
            None => {
                let below = keys.iter().filter(|other| *other < key).count();
                let equal = keys.iter().filter(|other| *other == key).count() - 1;
                (below as f64 + equal as f64 / 2.0) / others
            }
        };
        let points = key.map_or(0, |(_, points, ..)| points);
        all[seat] = 0.8 * place + 0.2 * (f64::from(points) / goal).min(1.0);
    }
    all
}

/// The exponential function for numbers up to 0, the same to the last bit on every machine.
///
/// It uses sums and products only. The function of the standard library differs between machines.
fn exp(x: f64) -> f64 {
    const LN_2: f64 = std::f64::consts::LN_2;
    if x < -700.0 {
        return 0.0;
    }
    let halvings = (x / LN_2).round();
    let rest = x - halvings * LN_2;
    let mut sum = 1.0;
    for n in (1..=14).rev() {
        sum = 1.0 + sum * rest / f64::from(n);
    }
    // From -1010 to 0: the exponent of a normal number.
    let exponent = (1023 + halvings as i64) as u64;
    sum * f64::from_bits(exponent << 52)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_exponential_function_is_the_librarys_to_many_digits() {
        for tenth in 0..4000 {
            let x = -f64::from(tenth) / 10.0;
            let (own, theirs) = (exp(x), x.exp());
            assert!(
                (own - theirs).abs() <= theirs * 1e-12,
                "{x}: {own} {theirs}"
            );
        }
        assert_eq!(exp(-1000.0), 0.0);
    }

    #[test]
    fn each_edition_has_weights() {
        let value = Value::parse(WEIGHTS).expect("the file of the crate");
        for edition in ["antike", "antike_ii", "antike_duellum"] {
            assert!(value.linear.contains_key(edition), "{edition}");
            assert!(value.networks.contains_key(edition), "{edition}");
        }
    }

    #[test]
    fn weights_for_other_features_are_refused() {
        let error = |text: &str| Value::parse(text).expect_err("not weights");
        assert!(error("{").contains("EOF"));
        let other = WEIGHTS.replace("\"worth\"", "\"wealth\"");
        assert_eq!(error(&other), "it was made for other features");
        let mut short = Value::embedded().clone();
        short.linear.insert("antike".to_owned(), vec![1.0]);
        let short = serde_json::to_string(&short).expect("JSON");
        assert_eq!(error(&short), "a linear model has 72 weights, not 1");
    }
}
