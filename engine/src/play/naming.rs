//! Naming: references to regions, nations and so on are numbers inside and names outside.

use std::fmt::Debug;

use serde::{Deserialize, Serialize};

use crate::ids;

/// A way to name regions, nations, know-hows and kinds of event cards.
pub trait Naming {
    /// The reference to a region.
    type Region;
    /// The reference to a nation.
    type Nation;
    /// The reference to a know-how.
    type KnowHow;
    /// The reference to a kind of event card.
    type Card;
}

/// References by number within a game, as the rules use them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Numbers;

impl Naming for Numbers {
    type Region = ids::Region;
    type Nation = ids::Nation;
    type KnowHow = ids::KnowHow;
    type Card = ids::Card;
}

/// References by the names in the files of board and ruleset, as used outside the engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Names;

impl Naming for Names {
    type Region = String;
    type Nation = String;
    type KnowHow = String;
    type Card = String;
}

/// Converts references from one naming to another. `field` is the field to convert, such as `region`.
pub trait Renaming<From: Naming, To: Naming> {
    /// The error if a reference has no counterpart.
    type Error: Debug;

    /// Converts a region.
    ///
    /// # Errors
    /// If it has no counterpart.
    fn region(&self, field: &'static str, region: From::Region) -> Result<To::Region, Self::Error>;

    /// Converts a nation.
    ///
    /// # Errors
    /// If it has no counterpart.
    fn nation(&self, field: &'static str, nation: From::Nation) -> Result<To::Nation, Self::Error>;

    /// Converts a know-how.
    ///
    /// # Errors
    /// If it has no counterpart.
    fn know_how(
        &self,
        field: &'static str,
        know_how: From::KnowHow,
    ) -> Result<To::KnowHow, Self::Error>;

    /// Converts a kind of event card.
    ///
    /// # Errors
    /// If it has no counterpart.
    fn card(&self, field: &'static str, card: From::Card) -> Result<To::Card, Self::Error>;
}

/// Declares an enum that is generic over its naming, with the function that converts it.
///
/// Fields of type `N::Region`, `N::Nation`, `N::KnowHow`, `N::Card`, or an `Option` of one, follow the naming.
macro_rules! named {
    (
        $(#[$enum_meta:meta])*
        pub enum $name:ident<N: Naming = Numbers> {$(
            $(#[$variant_meta:meta])*
            $variant:ident $({$(
                $(#[$field_meta:meta])*
                $field:ident: $ty:ident $(:: $of:ident)? $(<$inner:ident $(:: $inner_of:ident)?>)?
            ),+ $(,)?})?
        ),+ $(,)?}
    ) => {
        $(#[$enum_meta])*
        pub enum $name<N: $crate::play::Naming = $crate::play::Numbers> {$(
            $(#[$variant_meta])*
            $variant $({$(
                $(#[$field_meta])*
                $(#[cfg_attr(
                    feature = "schema",
                    schema(value_type = String, extensions(("x-names" = json!(stringify!($of)))))
                )])?
                $($(#[cfg_attr(
                    feature = "schema",
                    schema(
                        value_type = Option<String>,
                        extensions(("x-names" = json!(stringify!($inner_of))))
                    )
                )])?)?
                $field: $ty $(:: $of)? $(<$inner $(:: $inner_of)?>)?
            ),+})?
        ),+}

        impl<N: $crate::play::Naming> $name<N> {
            /// Converts it to another naming.
            ///
            /// # Errors
            /// If one of its references has no counterpart.
            pub fn rename<M, R>(self, by: &R) -> Result<$name<M>, R::Error>
            where
                M: $crate::play::Naming,
                R: $crate::play::Renaming<N, M>,
            {
                Ok(match self {$(
                    $name::$variant $({ $($field),+ })? => $name::$variant $({$(
                        $field: $crate::play::naming::renamed!(
                            by, $field, $ty $(:: $of)? $(<$inner $(:: $inner_of)?>)?
                        )
                    ),+})?
                ),+})
            }
        }
    };
}

/// Converts one field of an enum declared by [`named`].
macro_rules! renamed {
    ($by:ident, $field:ident, N::Region) => {
        $by.region(stringify!($field), $field)?
    };
    ($by:ident, $field:ident, N::Nation) => {
        $by.nation(stringify!($field), $field)?
    };
    ($by:ident, $field:ident, N::KnowHow) => {
        $by.know_how(stringify!($field), $field)?
    };
    ($by:ident, $field:ident, N::Card) => {
        $by.card(stringify!($field), $field)?
    };
    ($by:ident, $field:ident, Option<N::$of:ident>) => {
        match $field {
            Some($field) => Some($crate::play::naming::renamed!($by, $field, N::$of)),
            None => None,
        }
    };
    ($by:ident, $field:ident, $($other:tt)+) => {
        $field
    };
}

pub(crate) use {named, renamed};
