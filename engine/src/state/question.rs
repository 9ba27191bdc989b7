//! What is asked of whom: at any time at most one thing of one nation.

use crate::ids::{Nation, Nations, Personages, Region};
use crate::state::ByManeuvers;
use crate::words::Unit;

/// What one nation must answer before anything else happens. Its turn is such a question, and so is
/// the choice of a start city; the others interrupt a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, strum::EnumDiscriminants)]
#[strum_discriminants(name(QuestionKind), doc = "What is asked.")]
pub enum Question {
    /// What the nation to move does in its turn [A11].
    #[strum_discriminants(doc = "It is the nation's turn.")]
    Turn {
        /// The nation asked.
        asked: Nation,
    },
    /// The nation to move chooses a start city [A42] [A43].
    #[strum_discriminants(doc = "Which start city?")]
    StartCity {
        /// The nation asked.
        asked: Nation,
    },
    /// Nations choose a chip for lack of coins, one after another [A10] [B14].
    #[strum_discriminants(doc = "No coin is left: which chip?")]
    Chip {
        /// The nation asked.
        asked: Nation,
        /// Nations to be asked after it, as a set.
        rest: Nations,
    },
    /// A nation may demand battle of units that have just entered [A25].
    #[strum_discriminants(doc = "Units have entered: how many pairs are lost?")]
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
    #[strum_discriminants(doc = "All know-hows are owned: which personage?")]
    Personage {
        /// The nation asked.
        asked: Nation,
        /// The kinds it may choose, as a set.
        options: Personages,
    },
    /// A nation takes event cards of the open row [D42].
    #[strum_discriminants(doc = "A city was lost or personages were won: which event card?")]
    Cards {
        /// The nation asked.
        asked: Nation,
        /// How many it takes.
        due: u8,
    },
    /// A nation may play an event card against a declared conquest [D43].
    #[strum_discriminants(doc = "A conquest was declared: is an event card played against it?")]
    Fortress {
        /// The nation asked.
        asked: Nation,
        /// The city's region.
        region: Region,
        /// The units that the conqueror offers, by [`Unit`].
        lost: [u8; Unit::COUNT],
    },
}

impl Question {
    /// The nation asked.
    pub const fn asked(&self) -> Nation {
        match *self {
            Question::Turn { asked }
            | Question::StartCity { asked }
            | Question::Chip { asked, .. }
            | Question::Battle { asked, .. }
            | Question::Personage { asked, .. }
            | Question::Cards { asked, .. }
            | Question::Fortress { asked, .. } => asked,
        }
    }

    /// What is asked.
    pub fn kind(&self) -> QuestionKind {
        self.into()
    }
}
