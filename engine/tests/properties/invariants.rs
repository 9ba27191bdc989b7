//! Invariants of every state: pieces are conserved, and cached values are right.

use engine::chips::Payment;
use engine::ids::{Card, Nation, Region, Regions};
use engine::play::{Effect, Game};
use engine::state::{SpecialPlace, State};
use engine::words::{Field, Personage, Phase, Resource, Unit};

/// Checks a state from scratch.
pub fn check_state(game: &Game, state: &State) {
    let nations: Vec<Nation> = game.all_nations().collect();
    let rules = &game.rules;

    // The bank and the nations together always have the same.
    let held = nations.iter().map(|n| state.nation(*n).holdings.coins);
    assert_eq!(
        u16::from(state.bank.coins) + held.sum::<u16>(),
        u16::from(rules.data.bank.coins)
    );
    assert_eq!(
        u32::from(state.bank.temples) + state.temples.len() + state.neutral_temples.len(),
        u32::from(rules.data.bank.temples)
    );
    for kind in Personage::ALL {
        let held = nations
            .iter()
            .map(|n| state.nation(*n).personages[kind.index()]);
        let all = state.bank.personages[kind.index()] + held.sum::<u8>();
        assert_eq!(all, rules.personages[kind.index()]);
    }

    // Each city has one owner and one resource, which its site allows; temples stand in cities.
    let mut owned = Regions::EMPTY;
    for nation in &nations {
        let cities = state.nation(*nation).cities;
        assert!((owned & cities).is_empty(), "two nations own a city");
        assert!(cities.len() <= u32::from(rules.cities));
        assert!(!cities.is_empty() || state.phase == Phase::Setup || state.round == 0);
        owned |= cities;
    }
    let mut producing = Regions::EMPTY;
    for resource in Resource::ALL {
        let cities = state.produces[resource.index()];
        assert!(
            (producing & cities).is_empty(),
            "a city produces two resources"
        );
        let mut sites = cities.iter().map(|region| game.site(region));
        assert!(sites.all(|site| site.allows(*resource)));
        producing |= cities;
    }
    assert_eq!(producing, owned);
    assert_eq!(state.cities(), owned);
    assert!((state.temples - owned).is_empty());

    // Neutral temples are only ever removed, have the same defence, and are never at a city.
    let at_start = game.board.neutral_temples(nations.len() as u8);
    assert!((state.neutral_temples - at_start).is_empty());
    assert!((state.neutral_temples & (owned | game.board.siteless())).is_empty());
    for region in state.neutral_temples {
        assert_eq!(
            game.defence(state, region),
            rules.data.neutral_temple_defence
        );
    }

    // Units are within the supply, in regions that can hold them, and match the caches.
    for nation in &nations {
        for unit in Unit::ALL {
            let mut stands = Regions::EMPTY;
            let mut on_board = 0;
            for region in (0..game.board.len() as u8).map(Region) {
                let count = state.units(region, *nation, *unit);
                on_board += count;
                if count > 0 {
                    stands.insert(region);
                    assert!(game.board.holds(region, *unit));
                }
            }
            let cached = state.nation(*nation);
            assert_eq!(cached.stands[unit.index()], stands);
            assert_eq!(cached.on_board[unit.index()], on_board);
            assert!(on_board <= rules.units[unit.index()]);
            let supply = game.units_in_supply(state, *nation, *unit);
            let boxed = cached.boxed[unit.index()];
            assert_eq!(supply + on_board + boxed, rules.units[unit.index()]);
            assert!(boxed == 0 || rules.data.recruitment.is_some());
        }
    }
    check_box_and_cards(game, state);
    for region in owned {
        let owner = state.owner(region).expect("it is owned");
        let units = Unit::ALL
            .iter()
            .map(|unit| state.units(region, owner, *unit));
        let basic = if state.has_temple(region) { 3 } else { 1 };
        let bonus = game.abilities(state, owner).defence;
        let won: u8 = state.nation(owner).personages.iter().sum();
        let behind = match rules.data.weak_nation {
            Some(weak) if won <= weak.personages => weak.defence,
            _ => 0,
        };
        let wall = u8::from(state.has_wall(region));
        let stands = |nation| u8::from(state.special_stands(nation).contains(region));
        let attacker = match state.to_move == owner {
            true => 0,
            false => stands(state.to_move),
        };
        assert_eq!(
            game.defence(state, region) + attacker,
            basic + units.sum::<u8>() + bonus + behind + wall + stands(owner)
        );
    }

    // The state of the turn.
    let turn = &state.turn_state;
    let maneuvers = turn.field.is_some_and(|field| field.is_maneuver());
    for region in (0..game.board.len() as u8).map(Region) {
        for unit in Unit::ALL {
            let left: u8 = turn.maneuvers_left[region.index()][unit.index()]
                .iter()
                .sum();
            assert!(left <= state.units(region, state.to_move, *unit));
            assert!(left == 0 || maneuvers);
        }
    }
    assert!((turn.developed - state.nation(state.to_move).know_how).is_empty());
    assert!(!turn.free_unit || turn.field == Some(Field::Arming));
    assert_eq!(state.bellona.is_some(), rules.data.bellona);
    if state.outcome.is_none() && state.phase != Phase::Setup {
        let holder = state.bellona.map(|holder| state.nation(holder).resigned);
        assert_ne!(holder, Some(true), "Bellona is with a nation that has left");
        assert!(!state.nation(state.to_move).resigned);
        assert_eq!(state.phase == Phase::Stone, turn.field.is_none());
    }
}

/// Checks recruitment boxes, town walls, city tokens and event cards.
fn check_box_and_cards(game: &Game, state: &State) {
    let nations = || game.all_nations();
    let turn = &state.turn_state;
    assert!(
        (state.walls - state.cities()).is_empty(),
        "a wall without a city"
    );
    for nation in nations() {
        let built = (state.nation(nation).cities & state.walls).len() as u8;
        let received = game.walls_received(state, nation);
        assert_eq!(built + game.walls_in_supply(state, nation), received);
        let special = state.nation(nation).special;
        assert_eq!(
            special.is_some(),
            game.special_units[nation.index()].is_some()
        );
        if let (Some(SpecialPlace::At(region)), Some(unit)) =
            (special, game.special_units[nation.index()])
        {
            assert!(game.board.holds(region, unit.kind()));
        }
    }
    for resource in Resource::ALL {
        let placed = state.produces[resource.index()].len();
        assert!(placed <= u32::from(game.rules.tokens[resource.index()]));
    }
    let mover = state.nation(state.to_move);
    for unit in Unit::ALL {
        assert!(turn.armable[unit.index()] <= mover.boxed[unit.index()]);
    }
    assert!(!turn.special_armable || mover.special == Some(SpecialPlace::Boxed));
    assert!((turn.safe - (state.cities() - mover.cities)).is_empty());
    let Some(data) = &game.rules.data.cards else {
        return;
    };
    // Units of a kind of two nations never stand together where they fight.
    for region in (0..game.board.len() as u8).map(Region) {
        for unit in Unit::ALL {
            assert!(!game.would_have_fought(state, region, *unit));
        }
    }
    // Each card is in the deck, the row, the used cards or a hand.
    let cards = &state.cards;
    let piles = [&cards.deck, &cards.open, &cards.used];
    let mut all: Vec<Card> = piles
        .iter()
        .flat_map(|pile| pile.cards().to_vec())
        .collect();
    for nation in nations() {
        for (card, count) in (0..).map(Card).zip(state.nation(nation).hand) {
            all.extend((0..count).map(|_| card));
        }
    }
    all.sort_unstable();
    assert_eq!(all, data.layout());
    let more = !cards.deck.is_empty() || !cards.used.is_empty();
    assert!(cards.open.len() == data.open || (cards.open.len() < data.open && !more));
}

/// The possessions of each nation, updated by effects.
#[derive(Debug, PartialEq)]
pub struct Tally {
    chips: Vec<[i64; 3]>,
    coins: Vec<i64>,
    units: Vec<[i64; 2]>,
    boxed: Vec<[i64; 2]>,
    walls: Vec<i64>,
    cards: Vec<i64>,
    in_use: bool,
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
            boxed: nations().map(|n| n.boxed.map(i64::from)).collect(),
            walls: nations()
                .map(|n| (n.cities & state.walls).len().into())
                .collect(),
            cards: nations()
                .map(|n| n.hand.iter().map(|count| i64::from(*count)).sum())
                .collect(),
            in_use: game.rules.data.recruitment.is_some(),
            cities: nations().map(|n| n.cities.len().into()).collect(),
            personages: nations().map(|n| n.personages.map(i64::from)).collect(),
        }
    }

    fn give(&mut self, nation: Nation, pay: engine::chips::Payment, sign: i64) {
        for (held, given) in self.chips[nation.index()].iter_mut().zip(pay.chips()) {
            *held += sign * i64::from(given);
        }
        self.coins[nation.index()] += sign * i64::from(pay.coins);
    }

    fn lose(&mut self, nation: Nation, legions: u8, galleys: u8) {
        for (index, count) in [legions, galleys].into_iter().enumerate() {
            self.return_units(nation, index, i64::from(count));
        }
    }

    /// Moves units from the board to the box, or to the supply where there is no box.
    fn return_units(&mut self, nation: Nation, unit: usize, count: i64) {
        self.units[nation.index()][unit] -= count;
        if self.in_use {
            self.boxed[nation.index()][unit] += count;
        }
    }

    /// Applies the changes of an effect.
    pub fn book(&mut self, effect: &Effect) {
        match *effect {
            Effect::CityChosen { nation, .. } | Effect::Founded { nation, .. } => {
                self.cities[nation.index()] += 1;
            }
            Effect::CoinTaken { nation } => self.coins[nation.index()] += 1,
            Effect::ChipTaken { nation, resource } => {
                self.give(nation, Payment::only(resource, 1), 1);
            }
            Effect::Paid { nation, pay } => self.give(nation, pay, -1),
            Effect::Produced {
                nation,
                resource,
                count,
            } => self.chips[nation.index()][resource.index()] += i64::from(count),
            Effect::Traded { nation, give, take } => {
                self.give(nation, give, -1);
                self.give(nation, Payment::from_parts(take.chips(), take.coins), 1);
            }
            Effect::Armed { nation, unit, .. } => {
                if unit.special().is_none() {
                    self.return_units(nation, unit.kind().index(), -1);
                }
            }
            Effect::Recruited {
                nation,
                unit,
                count,
            } => self.boxed[nation.index()][unit.index()] += i64::from(count),
            Effect::SpecialUnitFell { nation, unit, .. } => {
                self.return_units(nation, unit.kind().index(), -1);
            }
            Effect::WallBuilt { nation, .. } => self.walls[nation.index()] += 1,
            Effect::WallDestroyed { nation, .. } => self.walls[nation.index()] -= 1,
            Effect::CardTaken { nation, .. } => self.cards[nation.index()] += 1,
            Effect::CardPlayed { nation, .. } => self.cards[nation.index()] -= 1,
            Effect::ChipsGained {
                nation,
                resource,
                count,
            } => self.chips[nation.index()][resource.index()] += i64::from(count),
            Effect::CoinsGained { nation, count } => {
                self.coins[nation.index()] += i64::from(count);
            }
            Effect::CoinsLost { nation, count } => {
                self.coins[nation.index()] -= i64::from(count);
            }
            Effect::BattleFought {
                nation,
                against,
                unit,
                count,
                ..
            } => {
                for side in [nation, against] {
                    self.return_units(side, unit.index(), i64::from(count));
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
            | Effect::WallReceived { .. }
            | Effect::ConquestDeclared { .. }
            | Effect::CitySaved { .. }
            | Effect::CardRevealed { .. }
            | Effect::DeckShuffled { .. }
            | Effect::TurnEnded { .. }
            | Effect::Resigned { .. }
            | Effect::GameEnded { .. } => {}
        }
    }
}
