//! The evaluation of positions: the expected share of the win of each seat.
//!
//! It is a linear model of the nations' possessions, fitted to games (`examples/fit.rs`).

use std::collections::BTreeMap;
use std::sync::LazyLock;

use engine::ids::{MAX_NATIONS, Nation, Regions};
use engine::play::Game;
use engine::state::{SpecialPlace, State};
use engine::words::{Field, Personage, Resource, Unit};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::Temperament;
use crate::greedy::evaluation::Evaluation;

/// The share of the win of each seat; 0 beyond the last one. They sum up to 1.
pub type Shares = [f64; MAX_NATIONS];

/// The file with the fitted weights.
const FITTED: &str = include_str!("../../data/value.json");

/// The features of a nation, each scaled to about 1 for a high value.
pub const FEATURES: [&str; 36] = [
    "worth",
    "points",
    "points_squared",
    "way_to_king",
    "way_to_citizen",
    "way_to_navigator",
    "scholar_in_reach",
    "temples_in_reach",
    "know_hows",
    "legion_maneuvers",
    "galley_maneuvers",
    "extra_production",
    "extra_defence",
    "marble",
    "iron",
    "gold",
    "coins",
    "marble_income",
    "iron_income",
    "gold_income",
    "cities",
    "temples",
    "legions",
    "galleys",
    "boxed",
    "temples_at_risk",
    "cities_at_risk",
    "sites_held",
    "promise",
    "promise_of_others",
    "turns_until_own",
    "hand",
    "walls",
    "special_unit",
    "units_at_home",
    "bellona",
];

/// The number of weights of an edition: for each feature, and for each times the leader's progress.
pub const WEIGHTS: usize = 2 * FEATURES.len();

/// The features of one nation, followed by the features times the leader's progress to the goal.
pub type FeatureVector = [f64; WEIGHTS];

/// The fitted weights of all editions.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Value {
    /// The names of the features, in order: [`FEATURES`].
    pub features: Vec<String>,
    /// The command that fitted the weights of an edition, from the previous file: for people.
    pub fitted: BTreeMap<String, String>,
    /// [`WEIGHTS`] weights by edition.
    pub weights: BTreeMap<String, Vec<f64>>,
}

impl Value {
    /// Returns the weights of the crate.
    pub fn embedded() -> &'static Value {
        static EMBEDDED: LazyLock<Value> = LazyLock::new(|| {
            let value: Value = serde_json::from_str(FITTED).unwrap_or_else(|error| {
                unreachable!("the tests check the form of data/value.json: {error}")
            });
            assert_eq!(
                value.features, FEATURES,
                "data/value.json has other features"
            );
            value
        });
        &EMBEDDED
    }

    /// Returns the SHA-256 of the file of [`Value::embedded`] in hexadecimal.
    ///
    /// It identifies the weights behind a result of `search`.
    pub fn embedded_hash() -> String {
        hex::encode(Sha256::digest(FITTED.as_bytes()))
    }

    /// Returns the expected share of the win of each seat.
    pub fn shares(&self, game: &Game, state: &State) -> Shares {
        if let Some(shares) = final_shares(game, state) {
            return shares;
        }
        let mut sums = [0.0; MAX_NATIONS];
        let weights = self.weights.get(&game.ruleset.data.edition);
        let mut strengths = [0.0; MAX_NATIONS];
        let mut most = f64::MIN;
        for nation in game.all_nations() {
            let strength = match weights {
                Some(weights) => {
                    let measured = measure(game, state, nation);
                    weights.iter().zip(measured).map(|(w, x)| w * x).sum()
                }
                // An operator's edition without weights: by points.
                None => 8.0 * f64::from(game.points(state, nation)) / f64::from(game.rules.goal),
            };
            strengths[nation.index()] = strength;
            most = f64::max(most, strength);
        }
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

/// Returns the features of a nation.
pub fn measure(game: &Game, state: &State, nation: Nation) -> FeatureVector {
    let goal = f64::from(game.rules.goal.max(1));
    let points = |nation| f64::from(game.points(state, nation)) / goal;
    let stage = game.all_nations().map(points).fold(0.0, f64::max);
    let plain = plain(game, state, nation, points(nation));
    let mut measured = [0.0; WEIGHTS];
    for (index, x) in plain.into_iter().enumerate() {
        measured[index] = x;
        measured[index + FEATURES.len()] = x * stage;
    }
    measured
}

fn plain(game: &Game, state: &State, nation: Nation, points: f64) -> [f64; FEATURES.len()] {
    let view = Evaluation {
        game,
        nation,
        weights: Temperament::Growth.weights(),
    };
    let rules = &game.rules;
    let owned = state.nation(nation);
    let abilities = rules.abilities(owned.know_how);
    let [marble, iron, gold] = owned
        .holdings
        .chips
        .map(|count| f64::from(count.min(20)) / 10.0);
    let coins = f64::from(owned.holdings.coins.min(20)) / 10.0;
    let income = Resource::ALL
        .iter()
        .map(|resource| f64::from(game.production(state, nation, *resource)) / 10.0);
    let [marble_income, iron_income, gold_income] = {
        let mut all = [0.0; Resource::COUNT];
        for (place, one) in all.iter_mut().zip(income) {
            *place = one;
        }
        all
    };
    let way = |kind: Personage| {
        let every = f64::from(rules.personage_every[kind.index()]);
        if every == 0.0 || state.bank.personages[kind.index()] == 0 {
            return 0.0;
        }
        let extra = owned.extra_personage == Some(kind);
        let counted = f64::from(owned.personages[kind.index()] - u8::from(extra));
        let earned = f64::from(game.achievements(state, nation, kind));
        ((earned - counted * every) / every).clamp(-1.0, 1.0)
    };
    let at_risk = |set: Regions| {
        let at_risk = set.iter().filter(|region| view.threatened(state, *region));
        at_risk.count() as f64
    };
    let stands = owned.stands[0] | owned.stands[1];
    let sites_held =
        (stands - (game.board.siteless() | state.cities() | state.neutral_temples)).len();
    let at_home: u32 = (stands & owned.cities)
        .iter()
        .flat_map(|region| Unit::ALL.iter().map(move |unit| (region, *unit)))
        .map(|(region, unit)| u32::from(state.units(region, nation, unit)))
        .sum();
    let promises = |fields_are_free: bool| {
        let fields = Field::ALL.iter().copied().filter(|field| {
            (game.steps(state, nation, *field) <= rules.data.rondel.free_steps) == fields_are_free
        });
        let best = fields.map(|field| view.promise(state, field)).max();
        f64::from(best.unwrap_or(0)) / 1000.0
    };
    let count = game.nations.len() as u8;
    let until_own = (nation.0 + count - state.to_move.0) % count;
    let [legions, galleys] = owned.on_board.map(|units| f64::from(units) / 10.0);
    let worth = f64::from(view.evaluate(state).clamp(-20_000, 20_000))
        / (1000.0 * f64::from(rules.goal.max(1)));
    [
        worth,
        points,
        points * points,
        way(Personage::King),
        way(Personage::Citizen),
        way(Personage::Navigator),
        scholar_in_reach(&view, state),
        temples_in_reach(game, state, nation),
        f64::from(owned.know_how.len()) / f64::from(rules.all_know_how.len().max(1)),
        f64::from(abilities.maneuvers[0]) - 1.0,
        f64::from(abilities.maneuvers[1]) - 1.0,
        f64::from(abilities.production) / 2.0,
        f64::from(abilities.defence) / 2.0,
        marble,
        iron,
        gold,
        coins,
        marble_income,
        iron_income,
        gold_income,
        f64::from(owned.cities.len()) / 10.0,
        f64::from((owned.cities & state.temples).len()) / 5.0,
        legions,
        galleys,
        f64::from(owned.boxed[0] + owned.boxed[1]) / 10.0,
        at_risk(owned.cities & state.temples) / 3.0,
        at_risk(owned.cities - state.temples) / 5.0,
        f64::from(sites_held) / 5.0,
        promises(true),
        promises(false),
        f64::from(until_own) / f64::from(count),
        f64::from(view.hand(state)) / 1000.0,
        f64::from((owned.cities & state.walls).len()) / 5.0,
        f64::from(u8::from(matches!(owned.special, Some(SpecialPlace::At(_))))),
        f64::from(at_home) / 10.0,
        f64::from(u8::from(state.bellona == Some(nation))),
    ]
}

/// How much of the price of the cheapest new know-how the nation can pay, at most all.
fn scholar_in_reach(view: &Evaluation<'_>, state: &State) -> f64 {
    if state.bank.personages[Personage::Scholar.index()] == 0 {
        return 0.0;
    }
    let held = &state.nation(view.nation).holdings;
    let rich = f64::from(held.chips[Resource::Gold.index()].min(100)) + f64::from(held.coins);
    let new = view
        .open_know_how(state)
        .filter(|know_how| !state.is_known(*know_how));
    let part = |know_how| {
        let price = view.game.know_how_price(state, know_how).total();
        (rich / f64::from(price.max(1))).min(1.0)
    };
    new.map(part).fold(0.0, f64::max)
}

/// Temples of others that the nation could conquer with its units around them.
fn temples_in_reach(game: &Game, state: &State, nation: Nation) -> f64 {
    if state.bank.personages[Personage::General.index()] == 0 {
        return 0.0;
    }
    let others = state.temples - state.nation(nation).cities;
    let in_reach = others.iter().filter(|region| {
        let near = |unit: &Unit| -> u32 {
            let near = game.board.neighbours(*region, *unit) | Regions::only(*region);
            (near & state.nation(nation).stands[unit.index()])
                .iter()
                .map(|at| u32::from(state.units(at, nation, *unit)))
                .sum()
        };
        Unit::ALL.iter().map(near).sum::<u32>() >= u32::from(game.defence(state, *region))
    });
    (in_reach.count() as f64 / 2.0).min(1.5)
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
    fn the_embedded_weights_match_the_features() {
        let value = Value::embedded();
        assert_eq!(value.features, FEATURES);
        for edition in ["antike", "antike_ii", "antike_duellum"] {
            assert_eq!(value.weights[edition].len(), WEIGHTS, "{edition}");
        }
    }
}
