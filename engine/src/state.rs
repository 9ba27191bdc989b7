//! The state of a game: a plain value without heap, fast to clone, compare and hash.

use crate::board::{MAX_REGIONS, Region};
use crate::cards::Cards;
use crate::chips::Holdings;
use crate::ruleset::{MAX_CARD_KINDS, MAX_MANEUVERS};
use crate::vocabulary::{EndReason, Field, Personage, Phase, Resource, Unit};

/// The most nations in a game.
pub const MAX_NATIONS: usize = 6;

/// A nation of a game, as its place in turn order round the table. Names are in
/// [`crate::Game::nations`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Nation(pub u8);

impl Nation {
    /// Position in arrays by nation.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The set that holds this nation only.
    pub const fn bit(self) -> u8 {
        1 << self.0
    }
}

/// What the bank still has. Chips are without limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Bank {
    /// Coins.
    pub coins: u8,
    /// Temples.
    pub temples: u8,
    /// Personages by [`Personage`].
    pub personages: [u8; Personage::COUNT],
}

/// What a nation has, but for its units.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct NationState {
    /// Chips and coins.
    pub holdings: Holdings,
    /// Where the stone stands on the rondel; nowhere before the first turn.
    pub stone: Option<Field>,
    /// Know-hows owned, as a set.
    pub know_how: u16,
    /// Personages won by [`Personage`], the extra one included.
    pub personages: [u8; Personage::COUNT],
    /// The kind of personage won for all know-hows [A21].
    pub extra_personage: Option<Personage>,
    /// Whether the nation has left the game [A34].
    pub resigned: bool,
    /// Regions with a city of this nation.
    pub cities: u64,
    /// Regions where units of a kind stand, by [`Unit`].
    pub stands: [u64; Unit::COUNT],
    /// Units on the board by [`Unit`].
    pub on_board: [u8; Unit::COUNT],
    /// Units in the recruitment box by [`Unit`] [D3].
    pub boxed: [u8; Unit::COUNT],
    /// Where its special unit is, if it has one [D50].
    pub special: Option<SpecialPlace>,
    /// Event cards in hand, by kind [D40].
    pub hand: [u8; MAX_CARD_KINDS],
}

/// Where a special unit is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SpecialPlace {
    /// In the recruitment box.
    Boxed,
    /// On the board.
    At(Region),
}

/// Numbers of units by maneuvers left, from none to [`MAX_MANEUVERS`].
pub type ByManeuvers = [u8; MAX_MANEUVERS + 1];

/// What legality depends on within a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TurnState {
    /// The field the stone has moved to this turn.
    pub field: Option<Field>,
    /// The mover's units by region, kind and maneuvers left (1 at index 0); those with none left
    /// are not counted. All zero outside a maneuver.
    pub left: [[[u8; MAX_MANEUVERS]; Unit::COUNT]; MAX_REGIONS],
    /// Units set up this turn by region.
    pub armed: [u8; MAX_REGIONS],
    /// Know-hows bought this turn, as a set.
    pub developed: u16,
    /// Those of them that no nation had before, as a set.
    pub discovered: u16,
    /// Temples destroyed this turn.
    pub destroyed: u8,
    /// Cities conquered this turn, as a set of regions.
    pub conquered: u64,
    /// Whether the unit that the Bellona card gives may still be set up [B17].
    pub free_unit: bool,
    /// Units in the recruitment box that were there when the turn began, by [`Unit`] [D16].
    pub armable: [u8; Unit::COUNT],
    /// Whether the special unit has been in the box since the turn began [D50].
    pub special_armable: bool,
    /// Maneuvers that the special unit of the nation to move has left.
    pub special_left: u8,
    /// Borders that each unit may cross more this turn, by [`Unit`] [D43].
    pub extra_borders: [u8; Unit::COUNT],
    /// Marble that the next temple costs less [D43].
    pub cheaper_temple: u8,
    /// Next cities that cost no coins for their neighbours [D43].
    pub free_neighbours: u8,
    /// Cities that an event card has saved this turn, as a set of regions [D43].
    pub safe: u64,
}

impl TurnState {
    pub(crate) const NEW: TurnState = TurnState {
        field: None,
        left: [[[0; MAX_MANEUVERS]; Unit::COUNT]; MAX_REGIONS],
        armed: [0; MAX_REGIONS],
        developed: 0,
        discovered: 0,
        destroyed: 0,
        conquered: 0,
        free_unit: false,
        armable: [0; Unit::COUNT],
        special_armable: false,
        special_left: 0,
        extra_borders: [0; Unit::COUNT],
        cheaper_temple: 0,
        free_neighbours: 0,
        safe: 0,
    };
}

/// A question that must be answered before anything else happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Question {
    /// Nations choose a chip for lack of coins, one after another [A10] [B14].
    Chip {
        /// The nation asked.
        asked: Nation,
        /// Nations to be asked after it, as a set.
        rest: u8,
    },
    /// A nation may demand battle of units that have just entered [A25].
    Battle {
        /// The nation asked.
        asked: Nation,
        /// Nations to be asked after it, as a set.
        rest: u8,
        /// Where.
        region: Region,
        /// Which kind has entered.
        unit: Unit,
        /// The units that have entered, by maneuvers left.
        entered: ByManeuvers,
    },
    /// The nation to move chooses the personage for all know-hows [A21].
    Personage {
        /// The kinds it may choose, as a set.
        options: u8,
    },
    /// A nation takes event cards of the open row [D42].
    Cards {
        /// The nation asked.
        asked: Nation,
        /// How many it takes.
        due: u8,
    },
    /// A nation may play an event card against a declared conquest [D43].
    Fortress {
        /// The nation asked.
        asked: Nation,
        /// The city's region.
        region: Region,
        /// The units that the conqueror offers, by [`Unit`].
        lost: [u8; Unit::COUNT],
    },
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Outcome {
    /// Why.
    pub reason: EndReason,
    /// The rank of each seat from 1; equal ones share the rank. 0 beyond the last seat.
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
    /// Where the turn stands.
    pub phase: Phase,
    /// The bank.
    pub bank: Bank,
    /// The nations in turn order; those beyond the last one are empty.
    pub nations: [NationState; MAX_NATIONS],
    /// Units by region, nation and [`Unit`].
    pub units: [[[u8; Unit::COUNT]; MAX_NATIONS]; MAX_REGIONS],
    /// Regions with a city that produces a resource, by [`Resource`].
    pub produces: [u64; Resource::COUNT],
    /// Regions with a temple.
    pub temples: u64,
    /// Regions with a temple that belongs to nobody [B3].
    pub neutral_temples: u64,
    /// Regions with a town wall [D15].
    pub walls: u64,
    /// The event cards that no nation holds [D40].
    pub cards: Cards,
    /// Who holds the Bellona card; nobody in editions without it [B5].
    pub bellona: Option<Nation>,
    /// What belongs to the turn.
    pub turn_state: TurnState,
    /// What must be answered first.
    pub question: Option<Question>,
    /// Words drawn from the game's source of chance.
    pub drawn: u32,
    /// How the game ended.
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

    /// Units of a nation of a kind in a region.
    pub const fn units(&self, region: Region, nation: Nation, unit: Unit) -> u8 {
        self.units[region.index()][nation.index()][unit.index()]
    }

    /// All regions with a city.
    pub fn cities(&self) -> u64 {
        self.produces.iter().fold(0, |all, set| all | set)
    }

    /// The nation whose city stands in a region.
    pub fn owner(&self, region: Region) -> Option<Nation> {
        let owns = |nation: &NationState| nation.cities & region.bit() != 0;
        let index = self.nations.iter().position(owns)?;
        Some(Nation(index as u8))
    }

    /// What the city in a region produces.
    pub fn resource(&self, region: Region) -> Option<Resource> {
        let mut all = Resource::ALL.iter().copied();
        all.find(|resource| self.produces[resource.index()] & region.bit() != 0)
    }

    /// Whether a temple stands in a region.
    pub const fn has_temple(&self, region: Region) -> bool {
        self.temples & region.bit() != 0
    }

    /// Whether a town wall stands in a region.
    pub const fn has_wall(&self, region: Region) -> bool {
        self.walls & region.bit() != 0
    }

    /// The region in which the special unit of a nation stands, as a set.
    pub fn special_stands(&self, nation: Nation) -> u64 {
        match self.nation(nation).special {
            Some(SpecialPlace::At(region)) => region.bit(),
            _ => 0,
        }
    }

    /// Whether any nation has the know-how of this set.
    pub fn known(&self, know_how: u16) -> bool {
        self.nations.iter().any(|n| n.know_how & know_how != 0)
    }

    /// The mover's units of a kind in a region by maneuvers left, those with none left included.
    pub fn by_maneuvers(&self, region: Region, unit: Unit) -> ByManeuvers {
        let left = &self.turn_state.left[region.index()][unit.index()];
        let fresh: u8 = left.iter().sum();
        let mut counts = [0; MAX_MANEUVERS + 1];
        counts[0] = self.units(region, self.to_move, unit) - fresh;
        counts[1..].copy_from_slice(left);
        counts
    }

    /// Puts units on the board.
    pub(crate) fn add_units(&mut self, region: Region, nation: Nation, unit: Unit, count: u8) {
        self.units[region.index()][nation.index()][unit.index()] += count;
        let state = self.nation_mut(nation);
        state.on_board[unit.index()] += count;
        if count > 0 {
            state.stands[unit.index()] |= region.bit();
        }
    }

    /// Takes units off the board; they must be there.
    pub(crate) fn remove_units(&mut self, region: Region, nation: Nation, unit: Unit, count: u8) {
        let there = &mut self.units[region.index()][nation.index()][unit.index()];
        *there -= count;
        let gone = *there == 0;
        let state = self.nation_mut(nation);
        state.on_board[unit.index()] -= count;
        if gone {
            state.stands[unit.index()] &= !region.bit();
        }
    }

    /// Puts a city on the board.
    pub(crate) fn add_city(&mut self, region: Region, nation: Nation, resource: Resource) {
        self.produces[resource.index()] |= region.bit();
        self.nation_mut(nation).cities |= region.bit();
    }

    /// Takes a city off the board, with its temple, which goes back to the bank, and its town wall.
    pub(crate) fn remove_city(&mut self, region: Region, nation: Nation) {
        for set in &mut self.produces {
            *set &= !region.bit();
        }
        self.nation_mut(nation).cities &= !region.bit();
        self.walls &= !region.bit();
        self.remove_temple(region);
    }

    /// Gives a temple back to the bank, if one stands there. Says whether one did.
    pub(crate) fn remove_temple(&mut self, region: Region) -> bool {
        let stood = self.has_temple(region);
        self.temples &= !region.bit();
        self.bank.temples += u8::from(stood);
        stood
    }
}
