//! The features of a nation in a position, from which the evaluation predicts who wins.
//!
//! The first [`PLAIN`] are those of the linear model; the network sees all of them.

use engine::ids::{KnowHow, MAX_NATIONS, Nation, Region, Regions};
use engine::play::Game;
use engine::state::{SpecialPlace, State};
use engine::words::{Field, Personage, Resource, Unit};

use crate::Temperament;
use crate::greedy::evaluation::{Evaluation, units_near};

/// The names of the features, each scaled to about 1 for a high value.
pub const FEATURES: [&str; 90] = [
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
    // The network's only.
    "lead",
    "one_short",
    "two_short",
    "kings",
    "scholars",
    "generals",
    "citizens",
    "navigators",
    "kings_left",
    "scholars_left",
    "generals_left",
    "citizens_left",
    "navigators_left",
    "promise_iron",
    "promise_temple",
    "promise_gold",
    "promise_maneuver_1",
    "promise_arming",
    "promise_marble",
    "promise_know_how",
    "promise_maneuver_2",
    "stone_iron",
    "stone_temple",
    "stone_gold",
    "stone_maneuver_1",
    "stone_arming",
    "stone_marble",
    "stone_know_how",
    "stone_maneuver_2",
    "know_how_1",
    "know_how_2",
    "know_how_3",
    "know_how_4",
    "know_how_5",
    "know_how_6",
    "know_how_7",
    "know_how_8",
    "temple_sites",
    "temples_affordable",
    "scarcest_chip",
    "free_sites_near",
    "others_near",
    "near_others",
    "greatest_threat",
    "greatest_chance",
    "temples_left",
    "two_nations",
    "three_nations",
    "four_nations",
    "five_nations",
    "six_nations",
    "round",
    "stage",
    "always",
];

/// The number of features of the linear model.
pub const PLAIN: usize = 36;

/// The features of one nation.
pub type FeatureVector = [f64; FEATURES.len()];

/// The index of the stage of the game, from 0 to 1: the leader's progress to the goal.
pub const STAGE: usize = FEATURES.len() - 2;

/// Returns the features of every nation, by [`Nation`].
pub fn measure_all(game: &Game, state: &State) -> [FeatureVector; MAX_NATIONS] {
    let goal = f64::from(game.rules.goal.max(1));
    let points = |nation| f64::from(game.points(state, nation)) / goal;
    let stage = game.all_nations().map(points).fold(0.0, f64::max);
    let mut all = [[0.0; FEATURES.len()]; MAX_NATIONS];
    for nation in game.all_nations() {
        all[nation.index()] = measure(game, state, nation, stage);
    }
    all
}

/// Returns the features of a nation. `stage` is the leader's progress to the goal, from 0 to 1.
fn measure(game: &Game, state: &State, nation: Nation, stage: f64) -> FeatureVector {
    let view = Evaluation {
        game,
        nation,
        weights: Temperament::Growth.weights(),
    };
    let promises = by_field(|field| f64::from(view.promise(state, field)) / 1000.0);
    let owned = state.nation(nation);
    let know_hows: [f64; 8] =
        std::array::from_fn(|index| one_if(owned.know_how.contains(KnowHow(index as u8))));
    let counts: [f64; 5] = std::array::from_fn(|index| one_if(game.nations.len() == index + 2));
    let parts: [&[f64]; 10] = [
        &plain(&view, state, &promises),
        &lead(game, state, nation),
        &owned.personages.map(|won| f64::from(won) / 4.0),
        &state
            .bank
            .personages
            .map(|left| f64::from(left.min(9)) / 6.0),
        &promises,
        &by_field(|field| one_if(owned.stone == Some(field))),
        &know_hows,
        &means(game, state, nation),
        &surroundings(game, state, nation),
        &[f64::from(state.bank.temples.min(20)) / 10.0],
    ];
    let of_game = [f64::from(state.round.min(60)) / 30.0, stage, 1.0];
    let all = parts.into_iter().flatten().chain(&counts).chain(&of_game);
    let mut measured = [0.0; FEATURES.len()];
    for (place, feature) in measured.iter_mut().zip(all) {
        *place = *feature;
    }
    measured
}

fn one_if(holds: bool) -> f64 {
    f64::from(u8::from(holds))
}

fn by_field(feature: impl Fn(Field) -> f64) -> [f64; Field::COUNT] {
    std::array::from_fn(|index| feature(Field::ALL[index]))
}

/// The lead over the best other nation, and whether at most one or two points are missing.
fn lead(game: &Game, state: &State, nation: Nation) -> [f64; 3] {
    let points = |nation| f64::from(game.points(state, nation));
    let others = game.all_nations().filter(|other| *other != nation);
    let goal = f64::from(game.rules.goal.max(1));
    let missing = goal - points(nation);
    let best = others.map(points).fold(0.0, f64::max);
    [
        (points(nation) - best) / goal,
        one_if(missing <= 1.0),
        one_if(missing <= 2.0),
    ]
}

/// The cities without temple, the temples that the nation could pay and build, and its scarcest chip.
fn means(game: &Game, state: &State, nation: Nation) -> [f64; 3] {
    let owned = state.nation(nation);
    let sites = (owned.cities - state.temples).len();
    let chips = owned.holdings.chips.map(|count| count.min(40));
    let marble = chips[Resource::Marble.index()] + u32::from(owned.holdings.coins.min(10));
    let affordable = marble / game.rules.data.prices.temple.total().max(1);
    let temples = affordable.min(sites).min(u32::from(state.bank.temples));
    let scarcest = chips.into_iter().min().unwrap_or(0);
    [
        f64::from(sites) / 10.0,
        f64::from(temples) / 3.0,
        f64::from(scarcest) / 5.0,
    ]
}

/// The free sites in or next to regions with the nation's units; the units of others at its cities, and its own at
/// theirs; and by how much the strongest of them exceed the defence of a temple, on either side.
fn surroundings(game: &Game, state: &State, nation: Nation) -> [f64; 5] {
    let owned = state.nation(nation);
    let free = game.board.all() - (game.board.siteless() | state.cities() | state.neutral_temples);
    let reaches = |region: &Region| units_near(game, state, *region, nation) > 0;
    // The sum of strengths at some cities, and by how much one exceeds the defence of a temple.
    let at_cities = |cities: Regions, attacker: Nation| {
        let (mut sum, mut excess) = (0, -6.0);
        for region in cities {
            let strength = units_near(game, state, region, attacker);
            sum += strength;
            if state.has_temple(region) && strength > 0 {
                let defence = f64::from(game.defence(state, region));
                excess = f64::max(excess, f64::from(strength) - defence);
            }
        }
        (sum, excess)
    };
    let others = game.all_nations().filter(|other| *other != nation);
    let threats = others.map(|other| at_cities(owned.cities, other));
    let (others_near, threat) = threats.fold((0, -6.0), |(sum, most), (strength, excess)| {
        (sum + strength, f64::max(most, excess))
    });
    let (near_others, chance) = at_cities(state.cities() - owned.cities, nation);
    [
        free.iter().filter(reaches).count() as f64 / 5.0,
        f64::from(others_near.min(40)) / 20.0,
        f64::from(near_others.min(40)) / 20.0,
        threat.min(6.0) / 6.0,
        chance.min(6.0) / 6.0,
    ]
}

fn plain(view: &Evaluation<'_>, state: &State, promise: &[f64; Field::COUNT]) -> [f64; PLAIN] {
    let (game, nation) = (view.game, view.nation);
    let points = f64::from(game.points(state, nation)) / f64::from(game.rules.goal.max(1));
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
        let fields = Field::ALL.iter().zip(promise).filter(|(field, _)| {
            (game.steps(state, nation, **field) <= rules.data.rondel.free_steps) == fields_are_free
        });
        fields.map(|(_, promise)| *promise).fold(0.0, f64::max)
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
        scholar_in_reach(view, state),
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
        units_near(game, state, *region, nation) >= u32::from(game.defence(state, *region))
    });
    (in_reach.count() as f64 / 2.0).min(1.5)
}

#[cfg(test)]
mod tests {
    use engine::content::Library;
    use engine::setup::{Setup, SetupSeat};

    use super::*;

    #[test]
    fn features_stand_under_their_names() {
        let of = |name: &str| {
            let index = FEATURES.iter().position(|one| *one == name);
            index.expect("a feature")
        };
        for (edition, board, nations) in [
            ("antike", "antike-east", 4),
            ("antike_ii", "antike-ii-orient", 5),
            ("antike_duellum", "duellum-rome-carthage", 2),
        ] {
            let setup = Setup {
                edition: edition.to_owned(),
                board: board.to_owned(),
                seats: vec![SetupSeat::bot("greedy"); nations],
                seed: "features".to_owned(),
                ..Setup::default()
            };
            let (game, state) = setup.start(Library::embedded()).expect("a game");
            let measured = &measure_all(&game, &state)[..nations];
            for (index, nation) in measured.iter().enumerate() {
                let owned = &state.nations[index];
                assert_eq!(nation[of("cities")], f64::from(owned.cities.len()) / 10.0);
                assert_eq!(nation[of("lead")], 0.0);
                let kings = state.bank.personages[Personage::King.index()];
                assert_eq!(nation[of("kings_left")], f64::from(kings.min(9)) / 6.0);
                let sites = f64::from((owned.cities - state.temples).len()) / 10.0;
                assert_eq!(nation[of("temple_sites")], sites);
                assert_eq!(nation[of("four_nations")], one_if(nations == 4));
                assert_eq!(nation[STAGE], nation[of("stage")]);
                assert_eq!(nation[of("always")], 1.0);
            }
        }
    }
}
