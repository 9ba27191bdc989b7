//! The words of the game: an enum for each closed set of names.
//!
//! The names are the same in JSON, in the notation and in the columns of the statistics, and never change.

use serde::{Deserialize, Serialize};
use strum::{Display, EnumString, IntoStaticStr, VariantArray};

/// Declares an enum whose names are its variants in `snake_case`.
/// The names are used in JSON, notation, `Display` and `FromStr`.
macro_rules! words {
    ($(#[$doc:meta])* $name:ident { $($(#[$variant_doc:meta])* $variant:ident),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(
            Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
            Display, EnumString, IntoStaticStr, VariantArray,
        )]
        #[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
        #[serde(rename_all = "snake_case")]
        #[strum(serialize_all = "snake_case")]
        #[repr(u8)]
        pub enum $name { $($(#[$variant_doc])* $variant),+ }

        impl $name {
            /// Every value, in the order of the discriminants.
            pub const ALL: &'static [$name] = <$name as VariantArray>::VARIANTS;

            /// The number of values.
            pub const COUNT: usize = Self::ALL.len();

            /// The index in [`Self::ALL`], for arrays.
            pub const fn index(self) -> usize {
                self as usize
            }

            /// The name used on the wire and in the notation.
            pub fn name(self) -> &'static str {
                self.into()
            }
        }
    };
}

words! {
    /// What a city produces.
    Resource {
        /// White.
        Marble,
        /// Blue.
        Iron,
        /// Yellow.
        Gold,
    }
}

words! {
    /// A kind of military unit.
    Unit {
        /// Moves over land borders.
        Legion,
        /// Moves over sea borders.
        Galley,
    }
}

words! {
    /// A special unit [D50].
    SpecialUnit {
        /// Moves and fights like a legion.
        Commander,
        /// Moves and fights like a galley.
        Admiral,
    }
}

words! {
    /// A unit or special unit, which can be set up and moved.
    Piece {
        /// A legion.
        Legion,
        /// A galley.
        Galley,
        /// A special unit that moves like a legion [D50].
        Commander,
        /// A special unit that moves like a galley [D50].
        Admiral,
    }
}

words! {
    /// A field of the rondel, in clockwise order [A12].
    Field {
        /// Produces iron.
        Iron,
        /// Builds temples.
        Temple,
        /// Produces gold.
        Gold,
        /// The maneuver field after gold.
        #[serde(rename = "maneuver_1")]
        #[strum(serialize = "maneuver_1")]
        Maneuver1,
        /// Sets up units.
        Arming,
        /// Produces marble.
        Marble,
        /// Develops know-how.
        KnowHow,
        /// The maneuver field after know-how.
        #[serde(rename = "maneuver_2")]
        #[strum(serialize = "maneuver_2")]
        Maneuver2,
    }
}

words! {
    /// A kind of personage. The number of personages decides the game.
    Personage {
        /// For cities owned.
        King,
        /// For new know-how.
        Scholar,
        /// For destroyed temples.
        General,
        /// For temples owned.
        Citizen,
        /// For regions with a galley.
        Navigator,
    }
}

words! {
    /// The part of a turn. Phases only move forward within a turn.
    Phase {
        /// Start cities are being chosen; rounds and turns are 0.
        Setup,
        /// Before the stone moves, also while chips are chosen at the start of a round.
        Stone,
        /// From the stone's move until the first conquest or founding.
        Action,
        /// From the first conquest until the first founding.
        Conquest,
        /// From the first founding to the end of the turn.
        Found,
        /// A personage or event cards are being chosen at the end of the turn, or the game is over.
        End,
    }
}

words! {
    /// The reason why a game is over.
    EndReason {
        /// A nation had the number of points to win at the end of its turn [A32].
        Goal,
        /// A temple was destroyed when no personage was left [A33].
        TempleDestroyed,
        /// Only one player was left [A34].
        Resignation,
        /// The last allowed round was over [A34].
        RoundLimit,
        /// The players agreed [A34].
        Agreement,
        /// The organizer decided [A34].
        Adjudication,
    }
}

impl EndReason {
    /// Whether it is a decision of people rather than of the rules.
    pub const fn is_decision(self) -> bool {
        matches!(self, EndReason::Adjudication | EndReason::Agreement)
    }
}

impl Field {
    /// The resource that the field produces, if any.
    pub const fn resource(self) -> Option<Resource> {
        match self {
            Field::Iron => Some(Resource::Iron),
            Field::Gold => Some(Resource::Gold),
            Field::Marble => Some(Resource::Marble),
            _ => None,
        }
    }

    /// Whether units may march, fight and conquer.
    pub const fn is_maneuver(self) -> bool {
        matches!(self, Field::Maneuver1 | Field::Maneuver2)
    }
}

impl Resource {
    /// The letter that stands for a chip of this kind in the notation.
    pub const fn letter(self) -> char {
        match self {
            Resource::Marble => 'm',
            Resource::Iron => 'i',
            Resource::Gold => 'g',
        }
    }
}

impl Unit {
    /// The letter that stands for a unit of this kind in the notation.
    pub const fn letter(self) -> char {
        match self {
            Unit::Legion => 'L',
            Unit::Galley => 'G',
        }
    }
}

impl SpecialUnit {
    /// The kind of unit that it moves and fights like.
    pub const fn kind(self) -> Unit {
        match self {
            SpecialUnit::Commander => Unit::Legion,
            SpecialUnit::Admiral => Unit::Galley,
        }
    }
}

impl Piece {
    /// The kind of unit that it moves and fights like.
    pub const fn kind(self) -> Unit {
        match self {
            Piece::Legion | Piece::Commander => Unit::Legion,
            Piece::Galley | Piece::Admiral => Unit::Galley,
        }
    }

    /// Which special unit it is, if it is one.
    pub const fn special(self) -> Option<SpecialUnit> {
        match self {
            Piece::Legion | Piece::Galley => None,
            Piece::Commander => Some(SpecialUnit::Commander),
            Piece::Admiral => Some(SpecialUnit::Admiral),
        }
    }

    /// The letter that stands for it in the notation.
    pub const fn letter(self) -> char {
        match self {
            Piece::Legion => 'L',
            Piece::Galley => 'G',
            Piece::Commander => 'C',
            Piece::Admiral => 'A',
        }
    }
}

impl From<Unit> for Piece {
    fn from(unit: Unit) -> Piece {
        match unit {
            Unit::Legion => Piece::Legion,
            Unit::Galley => Piece::Galley,
        }
    }
}

impl From<SpecialUnit> for Piece {
    fn from(special: SpecialUnit) -> Piece {
        match special {
            SpecialUnit::Commander => Piece::Commander,
            SpecialUnit::Admiral => Piece::Admiral,
        }
    }
}
