//! How actions and effects name what a game numbers: by numbers inside, by names outside.

use std::fmt::Debug;

use serde::{Deserialize, Serialize};

use crate::ids;

/// A way to name regions, nations, know-hows and kinds of event cards.
pub trait Naming {
    /// What names a region.
    type Region;
    /// What names a nation.
    type Nation;
    /// What names a know-how.
    type KnowHow;
    /// What names a kind of event card.
    type Card;
}

/// By their numbers in a game, as the rules use them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Numbers;

impl Naming for Numbers {
    type Region = ids::Region;
    type Nation = ids::Nation;
    type KnowHow = ids::KnowHow;
    type Card = ids::Card;
}

/// By their names in the files of board and ruleset, as everybody outside uses them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Names;

impl Naming for Names {
    type Region = String;
    type Nation = String;
    type KnowHow = String;
    type Card = String;
}

/// The way from one naming to another. `field` is the field that is renamed, such as `region`.
pub trait Renaming<From: Naming, To: Naming> {
    /// Why something has no name there.
    type Error: Debug;

    /// Renames a region.
    ///
    /// # Errors
    /// When there is none.
    fn region(&self, field: &'static str, region: From::Region) -> Result<To::Region, Self::Error>;

    /// Renames a nation.
    ///
    /// # Errors
    /// When there is none.
    fn nation(&self, field: &'static str, nation: From::Nation) -> Result<To::Nation, Self::Error>;

    /// Renames a know-how.
    ///
    /// # Errors
    /// When there is none.
    fn know_how(
        &self,
        field: &'static str,
        know_how: From::KnowHow,
    ) -> Result<To::KnowHow, Self::Error>;

    /// Renames a kind of event card.
    ///
    /// # Errors
    /// When there is none.
    fn card(&self, field: &'static str, card: From::Card) -> Result<To::Card, Self::Error>;
}

/// Declares an enum whose fields of type `N::Region`, `N::Nation`, `N::KnowHow`, `N::Card` or an
/// `Option` of one are named as `N` says, and the function that renames them.
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
            /// The same in another naming.
            ///
            /// # Errors
            /// When something that it names has no name there.
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

/// Renames one field of an enum declared by [`named`].
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
