//! Questions: the one decision that the game waits for, and the nation that must make it.

use crate::ids::{Nation, Nations, Personages, Region};
use crate::state::ByManeuvers;
use crate::words::Unit;

/// The decision that one nation must make before anything else happens.
///
/// Its turn is such a question, and so is the choice of a start city. The others interrupt a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, strum::EnumDiscriminants)]
#[strum_discriminants(name(QuestionKind), doc = "What is asked.")]
pub enum Question {
    /// What the nation to move does in its turn [A11].
    #[strum_discriminants(doc = "It is the nation's turn.")]
    Turn {
        /// The nation that must answer.
        asked: Nation,
    },
    /// The nation to move chooses a start city [A42] [A43].
    #[strum_discriminants(doc = "Which start city?")]
    StartCity {
        /// The nation that must answer.
        asked: Nation,
    },
    /// Nations choose a chip because no coin is left, one nation after another [A10] [B14].
    #[strum_discriminants(doc = "No coin is left: which chip?")]
    Chip {
        /// The nation that must answer.
        asked: Nation,
        /// The nations that must answer after it.
        rest: Nations,
    },
    /// A nation may demand battle of units that have just entered [A25].
    #[strum_discriminants(doc = "Units have entered: how many pairs are lost?")]
    Battle {
        /// The nation that must answer.
        asked: Nation,
        /// The nations that must answer after it.
        rest: Nations,
        /// The region.
        region: Region,
        /// The kind of unit that has entered.
        unit: Unit,
        /// The number of units that have entered, by maneuvers left.
        entered: ByManeuvers,
    },
    /// The nation to move chooses the personage for all know-hows [A21].
    #[strum_discriminants(doc = "All know-hows are owned: which personage?")]
    Personage {
        /// The nation that must answer.
        asked: Nation,
        /// The kinds that it may choose.
        options: Personages,
    },
    /// A nation takes event cards of the open row [D42].
    #[strum_discriminants(doc = "A city was lost or personages were won: which event card?")]
    Cards {
        /// The nation that must answer.
        asked: Nation,
        /// How many cards it takes.
        due: u8,
    },
    /// A nation may play an event card against a declared conquest [D43].
    #[strum_discriminants(doc = "A conquest was declared: is an event card played against it?")]
    Fortress {
        /// The nation that must answer.
        asked: Nation,
        /// The city's region.
        region: Region,
        /// The units that the conqueror offers, by [`Unit`].
        lost: [u8; Unit::COUNT],
    },
}

impl Question {
    /// The nation that must answer.
    pub const fn nation(&self) -> Nation {
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

    /// The kind of question.
    pub fn kind(&self) -> QuestionKind {
        self.into()
    }
}
