//! The part of a state that is reset each turn.

use crate::ids::{KnowHows, MAX_MANEUVERS, MAX_REGIONS, Regions};
use crate::words::{Field, Unit};

/// Numbers of units by maneuvers left, from none to [`MAX_MANEUVERS`].
pub type ByManeuvers = [u8; MAX_MANEUVERS + 1];

/// The part of the state that decides which actions are legal within a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TurnState {
    /// The field the stone has moved to this turn.
    pub field: Option<Field>,
    /// The mover's units by region, kind and maneuvers left (1 at index 0).
    /// Units with none left are not counted. All zero outside a maneuver.
    pub maneuvers_left: [[[u8; MAX_MANEUVERS]; Unit::COUNT]; MAX_REGIONS],
    /// Units set up this turn by region.
    pub armed: [u8; MAX_REGIONS],
    /// Know-hows bought this turn.
    pub developed: KnowHows,
    /// The know-hows bought this turn that no nation had before.
    pub(crate) discovered: KnowHows,
    /// Number of temples destroyed this turn.
    pub destroyed: u8,
    /// Regions of cities conquered this turn.
    pub(crate) conquered: Regions,
    /// Whether the free unit of the Bellona card may still be set up [B17].
    pub free_unit: bool,
    /// Units in the recruitment box that were already there when the turn began, by [`Unit`] [D16].
    pub armable: [u8; Unit::COUNT],
    /// Whether the special unit has been in the box since the turn began [D50].
    pub special_armable: bool,
    /// Maneuvers left for the special unit of the nation to move.
    pub special_left: u8,
    /// How many more borders each unit may cross this turn, by [`Unit`] [D43].
    pub(crate) extra_borders: [u8; Unit::COUNT],
    /// How much less marble the next temple costs [D43].
    pub(crate) cheaper_temple: u8,
    /// How many further cities cost no coins for their neighbours [D43].
    pub(crate) free_neighbours: u8,
    /// Regions of cities that an event card has saved this turn [D43].
    pub safe: Regions,
}

impl TurnState {
    pub(crate) const NEW: TurnState = TurnState {
        field: None,
        maneuvers_left: [[[0; MAX_MANEUVERS]; Unit::COUNT]; MAX_REGIONS],
        armed: [0; MAX_REGIONS],
        developed: KnowHows::EMPTY,
        discovered: KnowHows::EMPTY,
        destroyed: 0,
        conquered: Regions::EMPTY,
        free_unit: false,
        armable: [0; Unit::COUNT],
        special_armable: false,
        special_left: 0,
        extra_borders: [0; Unit::COUNT],
        cheaper_temple: 0,
        free_neighbours: 0,
        safe: Regions::EMPTY,
    };
}
