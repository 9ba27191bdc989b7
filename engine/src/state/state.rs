//! The state of a game: a plain value without heap, fast to clone, compare and hash.

use crate::chips::Holdings;
use crate::ids::{
    KnowHow, KnowHows, MAX_CARD_KINDS, MAX_MANEUVERS, MAX_NATIONS, MAX_REGIONS, Nation, Region,
    Regions,
};
use crate::state::{ByManeuvers, Cards, Question, TurnState};
use crate::words::{EndReason, Field, Personage, Phase, Resource, Unit};

/// The contents of the bank. Chips are without limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Bank {
    /// Coins.
    pub coins: u8,
    /// Temples.
    pub temples: u8,
    /// Personages by [`Personage`].
    pub personages: [u8; Personage::COUNT],
}

/// The possessions of a nation except its units on the board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct NationState {
    /// Chips and coins.
    pub holdings: Holdings,
    /// The field of its stone on the rondel; `None` before the first turn.
    pub stone: Option<Field>,
    /// Know-hows owned, as a set.
    pub know_how: KnowHows,
    /// Personages won by [`Personage`], the extra one included.
    pub personages: [u8; Personage::COUNT],
    /// The kind of personage won for all know-hows [A21].
    pub extra_personage: Option<Personage>,
    /// Whether the nation has left the game [A34].
    pub resigned: bool,
    /// Regions with a city of this nation.
    pub cities: Regions,
    /// Regions with its units, by [`Unit`].
    pub stands: [Regions; Unit::COUNT],
    /// Units on the board by [`Unit`].
    pub on_board: [u8; Unit::COUNT],
    /// Units in the recruitment box by [`Unit`] [D3].
    pub boxed: [u8; Unit::COUNT],
    /// The place of its special unit, if it has one [D50].
    pub special: Option<SpecialPlace>,
    /// Event cards in hand, by kind [D40].
    pub hand: [u8; MAX_CARD_KINDS],
}

/// The place of a special unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SpecialPlace {
    /// In the recruitment box.
    Boxed,
    /// On the board.
    At(Region),
}

/// The end of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Outcome {
    /// Why.
    pub reason: EndReason,
    /// The rank of each seat, from 1. Equal seats share a rank. 0 for seats that do not exist.
    pub ranks: [u8; MAX_NATIONS],
}

/// The state of a game.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct State {
    /// The round, from 1; 0 in set-up.
    pub round: u32,
    /// The turn, from 1 through the game; 0 in set-up.
    pub turn: u32,
    /// The nation whose turn it is.
    pub to_move: Nation,
    /// The phase of the turn.
    pub phase: Phase,
    /// The bank.
    pub bank: Bank,
    /// The nations in turn order. Entries beyond the last nation are empty.
    pub nations: [NationState; MAX_NATIONS],
    /// Units by region, nation and [`Unit`].
    pub units: [[[u8; Unit::COUNT]; MAX_NATIONS]; MAX_REGIONS],
    /// Regions with a city that produces a resource, by [`Resource`].
    pub produces: [Regions; Resource::COUNT],
    /// Regions with a temple.
    pub temples: Regions,
    /// Regions with a temple that has no owner [B3].
    pub neutral_temples: Regions,
    /// Regions with a town wall [D15].
    pub walls: Regions,
    /// The event cards that no nation holds [D40].
    pub cards: Cards,
    /// The holder of the Bellona card, if any; `None` in editions without it [B5].
    pub bellona: Option<Nation>,
    /// The state that is reset each turn.
    pub turn_state: TurnState,
    /// The question that must be answered first.
    pub question: Option<Question>,
    /// Words drawn from the game's source of chance.
    pub drawn: u32,
    /// The end of the game, once it is over.
    pub outcome: Option<Outcome>,
}

impl State {
    /// The state of a nation.
    pub const fn nation(&self, nation: Nation) -> &NationState {
        &self.nations[nation.index()]
    }

    pub(crate) const fn nation_mut(&mut self, nation: Nation) -> &mut NationState {
        &mut self.nations[nation.index()]
    }

    /// The number of units of a nation and kind in a region.
    pub const fn units(&self, region: Region, nation: Nation, unit: Unit) -> u8 {
        self.units[region.index()][nation.index()][unit.index()]
    }

    /// All regions with a city.
    pub fn cities(&self) -> Regions {
        let [marble, iron, gold] = self.produces;
        marble | iron | gold
    }

    /// The owner of the city in a region.
    pub fn owner(&self, region: Region) -> Option<Nation> {
        let owns = |nation: &NationState| nation.cities.contains(region);
        let index = self.nations.iter().position(owns)?;
        Some(Nation(index as u8))
    }

    /// The resource that the city in a region produces.
    pub fn resource(&self, region: Region) -> Option<Resource> {
        let mut all = Resource::ALL.iter().copied();
        all.find(|resource| self.produces[resource.index()].contains(region))
    }

    /// Whether a region has a temple.
    pub const fn has_temple(&self, region: Region) -> bool {
        self.temples.contains(region)
    }

    /// Whether a region has a town wall.
    pub const fn has_wall(&self, region: Region) -> bool {
        self.walls.contains(region)
    }

    /// The region of a nation's special unit, as a set.
    pub fn special_stands(&self, nation: Nation) -> Regions {
        match self.nation(nation).special {
            Some(SpecialPlace::At(region)) => Regions::only(region),
            _ => Regions::EMPTY,
        }
    }

    /// Whether any nation has a know-how.
    pub fn is_known(&self, know_how: KnowHow) -> bool {
        self.nations.iter().any(|n| n.know_how.contains(know_how))
    }

    /// The mover's units of a kind in a region by maneuvers left, including none left.
    pub(crate) fn by_maneuvers(&self, region: Region, unit: Unit) -> ByManeuvers {
        let left = &self.turn_state.maneuvers_left[region.index()][unit.index()];
        let fresh: u8 = left.iter().sum();
        let mut counts = [0; MAX_MANEUVERS + 1];
        counts[0] = self.units(region, self.to_move, unit) - fresh;
        counts[1..].copy_from_slice(left);
        counts
    }

    /// Adds units to the board.
    pub(crate) fn add_units(&mut self, region: Region, nation: Nation, unit: Unit, count: u8) {
        self.units[region.index()][nation.index()][unit.index()] += count;
        let state = self.nation_mut(nation);
        state.on_board[unit.index()] += count;
        if count > 0 {
            state.stands[unit.index()].insert(region);
        }
    }

    /// Removes units from the board; they must be there.
    pub(crate) fn remove_units(&mut self, region: Region, nation: Nation, unit: Unit, count: u8) {
        let there = &mut self.units[region.index()][nation.index()][unit.index()];
        *there -= count;
        let gone = *there == 0;
        let state = self.nation_mut(nation);
        state.on_board[unit.index()] -= count;
        if gone {
            state.stands[unit.index()].remove(region);
        }
    }

    /// Adds a city to the board.
    pub(crate) fn add_city(&mut self, region: Region, nation: Nation, resource: Resource) {
        self.produces[resource.index()].insert(region);
        self.nation_mut(nation).cities.insert(region);
    }

    /// Removes a city with its temple, which returns to the bank, and its town wall.
    pub(crate) fn remove_city(&mut self, region: Region, nation: Nation) {
        for set in &mut self.produces {
            set.remove(region);
        }
        self.nation_mut(nation).cities.remove(region);
        self.walls.remove(region);
        self.remove_temple(region);
    }

    /// Returns a temple to the bank, if the region has one. Returns whether it had.
    pub(crate) fn remove_temple(&mut self, region: Region) -> bool {
        let stood = self.has_temple(region);
        self.temples.remove(region);
        self.bank.temples += u8::from(stood);
        stood
    }
}
