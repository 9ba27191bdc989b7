//! Small numbers for regions, nations, know-hows and event cards, and sets of them as bit masks.
//!
//! Limits keep both small. Content beyond a limit is rejected when it is loaded.

use std::marker::PhantomData;

use crate::words::Personage;

/// The most regions a board may have.
pub const MAX_REGIONS: usize = 64;

/// The most nations in a game.
pub const MAX_NATIONS: usize = 6;

/// The most know-hows an edition may have.
pub(crate) const MAX_KNOW_HOW: usize = 16;

/// The most kinds of event cards in a deck.
pub const MAX_CARD_KINDS: usize = 24;

/// The most event cards in a deck.
pub(crate) const MAX_CARDS: usize = 48;

/// The most maneuvers a unit can have left.
pub(crate) const MAX_MANEUVERS: usize = 4;

/// Declares a type for the numbers of one kind of thing.
macro_rules! id {
    ($(#[$doc:meta])* $id:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $id(pub u8);

        impl $id {
            /// The index in arrays.
            pub const fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl SetMember for $id {
            #[inline]
            fn from_index(index: u8) -> $id {
                $id(index)
            }
        }
    };
}

/// Declares a set type: a mask with one bit for each number.
macro_rules! set {
    ($(#[$doc:meta])* $set:ident($mask:ty) of $id:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $set($mask);

        impl $set {
            /// The empty set.
            pub const EMPTY: $set = $set(0);

            /// The set with one member.
            pub const fn only(id: $id) -> $set {
                $set(1 << id.index())
            }

            /// The set with this mask: bit 0 stands for number 0.
            pub const fn from_bits(bits: $mask) -> $set {
                $set(bits)
            }

            /// The mask of the set.
            pub const fn bits(self) -> $mask {
                self.0
            }

            /// Whether it is empty.
            pub const fn is_empty(self) -> bool {
                self.0 == 0
            }

            /// The number of members.
            pub const fn len(self) -> u32 {
                self.0.count_ones()
            }

            /// Whether `id` is a member.
            pub const fn contains(self, id: $id) -> bool {
                self.0 & $set::only(id).0 != 0
            }

            /// Whether all members of `other` are members.
            pub const fn contains_all(self, other: $set) -> bool {
                self.0 & other.0 == other.0
            }

            /// Adds a member.
            pub const fn insert(&mut self, id: $id) {
                self.0 |= $set::only(id).0;
            }

            /// Removes a member.
            pub const fn remove(&mut self, id: $id) {
                self.0 &= !$set::only(id).0;
            }

            /// The members in ascending order.
            pub fn iter(self) -> impl Iterator<Item = $id> + Clone + use<> {
                self.into_iter()
            }
        }

        impl std::ops::BitOr for $set {
            type Output = $set;
            fn bitor(self, other: $set) -> $set {
                $set(self.0 | other.0)
            }
        }

        impl std::ops::BitOrAssign for $set {
            fn bitor_assign(&mut self, other: $set) {
                self.0 |= other.0;
            }
        }

        impl std::ops::BitAnd for $set {
            type Output = $set;
            fn bitand(self, other: $set) -> $set {
                $set(self.0 & other.0)
            }
        }

        /// The difference.
        impl std::ops::Sub for $set {
            type Output = $set;
            fn sub(self, other: $set) -> $set {
                $set(self.0 & !other.0)
            }
        }

        impl std::ops::SubAssign for $set {
            fn sub_assign(&mut self, other: $set) {
                self.0 &= !other.0;
            }
        }

        impl FromIterator<$id> for $set {
            fn from_iter<I: IntoIterator<Item = $id>>(ids: I) -> $set {
                let ids = ids.into_iter();
                ids.fold($set::EMPTY, |set, id| set | $set::only(id))
            }
        }

        impl IntoIterator for $set {
            type Item = $id;
            type IntoIter = Members<$id>;
            fn into_iter(self) -> Members<$id> {
                Members {
                    mask: u64::from(self.0),
                    kind: PhantomData,
                }
            }
        }
    };
}

/// A possible member of a set.
pub trait SetMember: Copy {
    /// Returns the member with this index.
    fn from_index(index: u8) -> Self;
}

/// The members of a set, in ascending order.
#[derive(Clone, Copy, Debug)]
pub struct Members<T> {
    mask: u64,
    kind: PhantomData<T>,
}

impl<T: SetMember> Iterator for Members<T> {
    type Item = T;

    #[inline]
    fn next(&mut self) -> Option<T> {
        if self.mask == 0 {
            return None;
        }
        let index = self.mask.trailing_zeros() as u8;
        self.mask &= self.mask - 1;
        Some(T::from_index(index))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.mask.count_ones() as usize;
        (left, Some(left))
    }
}

impl<T: SetMember> ExactSizeIterator for Members<T> {}

id! {
    /// A region of a board, numbered by its position in the board's file.
    Region
}

set! {
    /// A set of regions.
    Regions(u64) of Region
}

id! {
    /// A nation of a game, numbered in turn order.
    Nation
}

set! {
    /// A set of nations.
    Nations(u8) of Nation
}

id! {
    /// A know-how, numbered by its position in the edition's file.
    KnowHow
}

set! {
    /// A set of know-hows.
    KnowHows(u16) of KnowHow
}

id! {
    /// A kind of event card, numbered by its position in the edition's deck.
    Card
}

set! {
    /// A set of kinds of event cards.
    CardKinds(u32) of Card
}

set! {
    /// A set of kinds of personages.
    Personages(u8) of Personage
}

impl SetMember for Personage {
    #[inline]
    fn from_index(index: u8) -> Personage {
        Personage::ALL[usize::from(index)]
    }
}
