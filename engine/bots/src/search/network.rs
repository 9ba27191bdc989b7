//! A small neural network over the nations of a position.
//!
//! The features of each nation pass through the same layer of [`HIDDEN`] units. A second layer sees the results of that
//! nation and the mean of the results of all others, so a nation is judged by those it plays against. The network
//! returns a number for each nation, which is added to its strength by the linear model.
//!
//! Results are the same to the last bit on every machine: there are only sums, products and comparisons, in a fixed
//! order.

use engine::ids::MAX_NATIONS;
use serde::{Deserialize, Serialize};

use super::features::{FEATURES, FeatureVector};

/// The number of units of the first layer.
pub const HIDDEN: usize = 24;
/// The number of units of the second layer.
pub const SECOND: usize = 16;
/// Where the parts of the weights begin.
///
/// They are: the first layer, by feature; the second layer for the nation itself, and for the others, by unit of the
/// first; the biases of the second layer; the weights of its units in the result. The first layer needs no biases,
/// because one feature is always 1.
pub const PARTS: [usize; 5] = [
    0,
    FEATURES.len() * HIDDEN,
    FEATURES.len() * HIDDEN + HIDDEN * SECOND,
    FEATURES.len() * HIDDEN + 2 * HIDDEN * SECOND,
    FEATURES.len() * HIDDEN + 2 * HIDDEN * SECOND + SECOND,
];
/// The number of weights of a network.
pub const NETWORK_WEIGHTS: usize = PARTS[4] + SECOND;
/// A weight of 1 in a file, which has whole numbers. Weights beyond 8 are cut off there.
const ONE: f32 = 4096.0;

/// The weights of a network, in the order of [`PARTS`].
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(try_from = "Vec<i16>", into = "Vec<i16>")]
pub struct Network(pub Vec<f32>);

/// The results of the layers for one nation. Later layers see negative results as 0.
#[derive(Clone, Copy, Debug, Default)]
pub struct Layers {
    /// The first layer.
    pub first: [f32; HIDDEN],
    /// The mean of the first layer of all other nations, with negative results as 0.
    pub others: [f32; HIDDEN],
    /// The second layer.
    pub second: [f32; SECOND],
    /// What is added to the strength of the nation.
    pub strength: f32,
}

impl TryFrom<Vec<i16>> for Network {
    type Error = String;

    fn try_from(whole: Vec<i16>) -> Result<Network, String> {
        let count = whole.len();
        if count != NETWORK_WEIGHTS {
            return Err(format!(
                "a network has {NETWORK_WEIGHTS} weights, not {count}"
            ));
        }
        let weights = whole.into_iter().map(|weight| f32::from(weight) / ONE);
        Ok(Network(weights.collect()))
    }
}

impl From<Network> for Vec<i16> {
    fn from(network: Network) -> Vec<i16> {
        let whole = network.0.into_iter().map(|weight| (weight * ONE).round());
        whole.map(|weight| weight as i16).collect()
    }
}

impl Network {
    /// Returns the layers of each nation; nothing beyond the last one.
    pub fn layers(&self, nations: &[FeatureVector]) -> [Layers; MAX_NATIONS] {
        let weights = &self.0;
        let mut layers = [Layers::default(); MAX_NATIONS];
        let mut sum = [0.0; HIDDEN];
        for (measured, layers) in nations.iter().zip(&mut layers) {
            let rows = weights[..PARTS[1]].chunks_exact(HIDDEN);
            // Sums of their own, which the compiler keeps in registers.
            let mut first = [0.0; HIDDEN];
            // Half of the features are 0.
            for (x, row) in measured.iter().zip(rows).filter(|(x, _)| **x != 0.0) {
                add_multiple(&mut first, row, *x as f32);
            }
            for (sum, first) in sum.iter_mut().zip(first) {
                *sum += first.max(0.0);
            }
            layers.first = first;
        }
        let others = nations.len().saturating_sub(1).max(1) as f32;
        for layers in layers.iter_mut().take(nations.len()) {
            let mut second = [0.0; SECOND];
            second.copy_from_slice(&weights[PARTS[3]..PARTS[4]]);
            for (unit, sum) in sum.iter().enumerate() {
                let own = layers.first[unit].max(0.0);
                layers.others[unit] = (sum - own) / others;
                let [for_own, for_others] = [1, 2].map(|part| {
                    let start = PARTS[part] + unit * SECOND;
                    &weights[start..start + SECOND]
                });
                add_multiple(&mut second, for_own, own);
                add_multiple(&mut second, for_others, layers.others[unit]);
            }
            for (second, weight) in second.iter().zip(&weights[PARTS[4]..]) {
                layers.strength += second.max(0.0) * weight;
            }
            layers.second = second;
        }
        layers
    }
}

/// Adds a multiple of a row of weights to the sums of a layer.
fn add_multiple(sums: &mut [f32], row: &[f32], times: f32) {
    for (sum, weight) in sums.iter_mut().zip(row) {
        *sum += weight * times;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A network of which the first unit of both layers sees the first feature, and the second layer also the others'.
    #[test]
    fn a_nation_is_judged_by_itself_and_the_mean_of_the_others() {
        let mut network = Network(vec![0.0; NETWORK_WEIGHTS]);
        network.0[PARTS[0]] = 2.0;
        network.0[PARTS[1]] = 1.0;
        network.0[PARTS[2]] = -0.5;
        network.0[PARTS[3]] = 0.25;
        network.0[PARTS[4]] = 3.0;
        let nation = |x| {
            let mut measured = [0.0; FEATURES.len()];
            measured[0] = x;
            measured
        };
        let layers = network.layers(&[nation(1.0), nation(2.0), nation(-1.0)]);
        // First layers 2, 4 and -2, which counts as 0; so the means of the others are 2, 1 and 3.
        let strengths = layers.map(|layers| layers.strength);
        assert_eq!(
            strengths[..3],
            [3.0 * (2.0 - 1.0 + 0.25), 3.0 * (4.0 - 0.5 + 0.25), 0.0]
        );
        assert_eq!(strengths[3..], [0.0; 3]);
    }

    #[test]
    fn files_have_whole_numbers() {
        let mut whole = vec![0_i16; NETWORK_WEIGHTS];
        whole[7] = -4096;
        let network = Network::try_from(whole.clone()).expect("the right length");
        assert_eq!(network.0[7], -1.0);
        assert_eq!(Vec::from(network), whole);
        assert!(Network::try_from(vec![0; 3]).is_err());
    }
}
