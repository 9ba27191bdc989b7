//! Questions that interrupt a turn.

use crate::ids::{Nation, Nations, Personages, Region};
use crate::state::ByManeuvers;
use crate::words::Unit;

/// A question that must be answered before anything else happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Question {
    /// Nations choose a chip for lack of coins, one after another [A10] [B14].
    Chip {
        /// The nation asked.
        asked: Nation,
        /// Nations to be asked after it, as a set.
        rest: Nations,
    },
    /// A nation may demand battle of units that have just entered [A25].
    Battle {
        /// The nation asked.
        asked: Nation,
        /// Nations to be asked after it, as a set.
        rest: Nations,
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
        options: Personages,
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
