//! What holds in every state: nothing is lost or made, and cached values are what they stand for.

use engine::board::regions;
use engine::{Effect, Field, Game, Nation, Personage, Phase, Region, Resource, State, Unit};

/// Checks a state from scratch.
pub fn check_state(game: &Game, state: &State) {
    let nations: Vec<Nation> = game.all_nations().collect();
    let rules = &game.rules;

    // The bank and the nations together always have the same.
    let held = nations.iter().map(|n| state.nation(*n).holdings.coins);
    assert_eq!(
        u16::from(state.bank.coins) + held.sum::<u16>(),
        u16::from(rules.coins)
    );
    assert_eq!(
        u32::from(state.bank.temples)
            + state.temples.count_ones()
            + state.neutral_temples.count_ones(),
        u32::from(rules.temples)
    );
    for kind in Personage::ALL {
        let held = nations
            .iter()
            .map(|n| state.nation(*n).personages[kind.index()]);
        let all = state.bank.personages[kind.index()] + held.sum::<u8>();
        assert_eq!(all, rules.personages[kind.index()]);
    }

    // Each city has one owner and one resource, which its site allows; temples stand in cities.
    let mut owned = 0;
    for nation in &nations {
        let cities = state.nation(*nation).cities;
        assert_eq!(owned & cities, 0, "two nations own a city");
        assert!(cities.count_ones() <= u32::from(rules.cities));
        assert!(cities != 0 || state.phase == Phase::Setup || state.round == 0);
        owned |= cities;
    }
    let mut producing = 0;
    for resource in Resource::ALL {
        let cities = state.produces[resource.index()];
        assert_eq!(producing & cities, 0, "a city produces two resources");
        let mut sites = regions(cities).map(|region| game.site(region));
        assert!(sites.all(|site| site.allows(*resource)));
        producing |= cities;
    }
    assert_eq!(producing, owned);
    assert_eq!(state.cities(), owned);
    assert_eq!(state.temples & !owned, 0);

    // Neutral temples only ever fall, one defence for all, and stand where no city does.
    let at_start = game.board.neutral_temples(nations.len() as u8);
    assert_eq!(state.neutral_temples & !at_start, 0);
    assert_eq!(state.neutral_temples & (owned | game.board.siteless()), 0);
    for region in regions(state.neutral_temples) {
        assert_eq!(game.defence(state, region), rules.neutral_temple_defence);
    }

    // Units: within the supply, where they can stand, and as the caches say.
    for nation in &nations {
        for unit in Unit::ALL {
            let mut stands = 0;
            let mut on_board = 0;
            for region in (0..game.board.len() as u8).map(Region) {
                let count = state.units(region, *nation, *unit);
                on_board += count;
                if count > 0 {
                    stands |= region.bit();
                    assert!(game.board.holds(region, *unit));
                }
            }
            let cached = state.nation(*nation);
            assert_eq!(cached.stands[unit.index()], stands);
            assert_eq!(cached.on_board[unit.index()], on_board);
            assert!(on_board <= rules.units[unit.index()]);
            let supply = game.units_in_supply(state, *nation, *unit);
            assert_eq!(supply + on_board, rules.units[unit.index()]);
        }
    }
    for region in regions(owned) {
        let owner = state.owner(region).expect("it is owned");
        let units = Unit::ALL
            .iter()
            .map(|unit| state.units(region, owner, *unit));
        let basic = if state.has_temple(region) { 3 } else { 1 };
        let bonus = game.abilities(state, owner).defence;
        let won: u8 = state.nation(owner).personages.iter().sum();
        let behind = match rules.weak_nation {
            Some(weak) if won <= weak.personages => weak.defence,
            _ => 0,
        };
        assert_eq!(
            game.defence(state, region),
            basic + units.sum::<u8>() + bonus + behind
        );
    }

    // What belongs to the turn.
    let turn = &state.turn_state;
    let maneuvers = turn.field.is_some_and(|field| field.is_maneuver());
    for region in (0..game.board.len() as u8).map(Region) {
        for unit in Unit::ALL {
            let left: u8 = turn.left[region.index()][unit.index()].iter().sum();
            assert!(left <= state.units(region, state.to_move, *unit));
            assert!(left == 0 || maneuvers);
        }
    }
    assert_eq!(turn.developed & !state.nation(state.to_move).know_how, 0);
    assert!(!turn.free_unit || turn.field == Some(Field::Arming));
    assert_eq!(state.bellona.is_some(), rules.bellona);
    if state.outcome.is_none() && state.phase != Phase::Setup {
        let holder = state.bellona.map(|holder| state.nation(holder).resigned);
        assert_ne!(holder, Some(true), "Bellona is with a nation that has left");
        assert!(!state.nation(state.to_move).resigned);
        assert_eq!(state.phase == Phase::Stone, turn.field.is_none());
    }
}

/// What each nation has, to be booked on from effects.
#[derive(Debug, PartialEq)]
pub struct Tally {
    chips: Vec<[i64; 3]>,
    coins: Vec<i64>,
    units: Vec<[i64; 2]>,
    cities: Vec<i64>,
    personages: Vec<[i64; 5]>,
}

impl Tally {
    pub fn of(game: &Game, state: &State) -> Tally {
        let nations = || game.all_nations().map(|nation| state.nation(nation));
        Tally {
            chips: nations().map(|n| n.holdings.chips.map(i64::from)).collect(),
            coins: nations().map(|n| n.holdings.coins.into()).collect(),
            units: nations().map(|n| n.on_board.map(i64::from)).collect(),
            cities: nations().map(|n| n.cities.count_ones().into()).collect(),
            personages: nations().map(|n| n.personages.map(i64::from)).collect(),
        }
    }

    fn give(&mut self, nation: Nation, pay: engine::Pay, sign: i64) {
        for (held, given) in self.chips[nation.index()].iter_mut().zip(pay.chips()) {
            *held += sign * i64::from(given);
        }
        self.coins[nation.index()] += sign * i64::from(pay.coins);
    }

    fn lose(&mut self, nation: Nation, legions: u8, galleys: u8) {
        self.units[nation.index()][0] -= i64::from(legions);
        self.units[nation.index()][1] -= i64::from(galleys);
    }

    /// Changes what the fact says has changed.
    pub fn book(&mut self, effect: &Effect) {
        match *effect {
            Effect::CityChosen { nation, .. } | Effect::Founded { nation, .. } => {
                self.cities[nation.index()] += 1;
            }
            Effect::CoinTaken { nation } => self.coins[nation.index()] += 1,
            Effect::ChipTaken { nation, resource } => {
                self.give(nation, engine::Pay::of(resource, 1), 1);
            }
            Effect::Paid { nation, pay } => self.give(nation, pay, -1),
            Effect::Produced {
                nation,
                resource,
                count,
            } => self.chips[nation.index()][resource.index()] += i64::from(count),
            Effect::Traded { nation, give, take } => {
                self.give(nation, give, -1);
                self.give(nation, take, 1);
            }
            Effect::Armed { nation, unit, .. } => self.units[nation.index()][unit.index()] += 1,
            Effect::BattleFought {
                nation,
                against,
                unit,
                count,
                ..
            } => {
                for side in [nation, against] {
                    self.units[side.index()][unit.index()] -= i64::from(count);
                }
            }
            Effect::CityGivenUp { nation, .. } => self.cities[nation.index()] -= 1,
            Effect::Conquered {
                nation,
                from,
                legions,
                galleys,
                ..
            } => {
                self.cities[nation.index()] += 1;
                self.cities[from.index()] -= 1;
                self.lose(nation, legions, galleys);
            }
            Effect::DefendersLost {
                nation,
                legions,
                galleys,
                ..
            } => self.lose(nation, legions, galleys),
            Effect::NeutralTempleTaken {
                nation,
                legions,
                galleys,
                ..
            } => self.lose(nation, legions, galleys),
            Effect::PersonageWon {
                nation, personage, ..
            } => self.personages[nation.index()][personage.index()] += 1,
            Effect::RoundBegan { .. }
            | Effect::TurnBegan { .. }
            | Effect::StoneMoved { .. }
            | Effect::TempleBuilt { .. }
            | Effect::Developed { .. }
            | Effect::Moved { .. }
            | Effect::TempleDestroyed { .. }
            | Effect::BellonaPassed { .. }
            | Effect::TurnEnded { .. }
            | Effect::Resigned { .. }
            | Effect::GameEnded { .. } => {}
        }
    }
}
