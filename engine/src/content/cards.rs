//! Event cards as data: names, numbers of copies, and effects from a small vocabulary [D43].

use serde::{Deserialize, Serialize};

use super::ruleset_file::is_one;
use crate::ids::Card;
use crate::words::{Resource, Unit};

/// The event cards of an edition [D40].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct CardsData {
    /// The number of open cards.
    pub open: u8,
    /// Cards taken by a nation that lost cities in a turn, however many [D28].
    pub for_lost_cities: u8,
    /// Cards taken by the opponent of a nation for each personage that it wins [D31].
    pub for_personage: u8,
    /// The deck before it is shuffled: in this order, with copies of a card together.
    pub deck: Vec<CardData>,
}

/// A kind of event card.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct CardData {
    /// Name on the wire.
    pub id: String,
    /// Name as printed.
    pub name: String,
    /// The number of copies.
    pub copies: u8,
    /// The effect.
    pub effect: CardEffect,
}

/// The effect of an event card, which also decides when it can be played [D41].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum CardEffect {
    /// On the know-how field: chips for each know-how of the opponent.
    ChipsForKnowHow {
        /// The kind of chips.
        resource: Resource,
        /// The number of chips for each.
        each: u8,
    },
    /// At any time of the turn: the opponent loses its coins divided by `divisor`, rounded down.
    LoseCoins {
        /// The divisor of the coins.
        divisor: u8,
    },
    /// At any time of the turn: a town wall on the board returns to its owner's supply.
    /// Needs `region`.
    DestroyWall {},
    /// Against a declared conquest: raises the defence of the city.
    Defend {
        /// How much is added.
        defence: u8,
    },
    /// On a maneuver field, before the first conquest: units of a kind cross more borders.
    ExtraBorders {
        /// The kind of unit, and the special unit that moves like it.
        unit: Unit,
        /// The number of additional borders.
        borders: u8,
    },
    /// On the temple field: the next temple of the turn costs less.
    CheaperTemple {
        /// The reduction in marble.
        marble: u8,
    },
    /// On a production field: additional chips of the resource produced.
    ExtraProduction {
        /// The number of chips.
        chips: u8,
    },
    /// At any time of the turn: a unit moves from the recruitment box to an own city.
    /// It is free of charge and outside the limit. Needs `region` and `unit`.
    PlaceUnit {},
    /// At any time of the turn: units move from the supply to the recruitment box. Needs `unit`.
    Recruit {
        /// The number if legions are chosen.
        legions: u8,
        /// The number if galleys are chosen.
        galleys: u8,
    },
    /// At any time of the turn: coins from the bank, as many as it has.
    TakeCoins {
        /// The number of coins.
        coins: u8,
    },
    /// From the stone's move on: the next cities that would cost coins for neighbours cost none.
    FreeNeighbours {
        /// The number of such cities.
        #[serde(default = "super::ruleset_file::one", skip_serializing_if = "is_one")]
        cities: u8,
    },
}

impl CardEffect {
    /// Whether it is played against a declared conquest.
    pub const fn defends(self) -> bool {
        matches!(self, CardEffect::Defend { .. })
    }

    /// Whether it can be played before the stone moves.
    pub const fn any_time(self) -> bool {
        matches!(
            self,
            CardEffect::LoseCoins { .. }
                | CardEffect::DestroyWall {}
                | CardEffect::PlaceUnit {}
                | CardEffect::Recruit { .. }
                | CardEffect::TakeCoins { .. }
        )
    }

    /// Whether playing it names a region.
    pub(crate) const fn needs_region(self) -> bool {
        matches!(self, CardEffect::DestroyWall {} | CardEffect::PlaceUnit {})
    }

    /// Whether playing it names a kind of unit.
    pub(crate) const fn needs_unit(self) -> bool {
        matches!(self, CardEffect::Recruit { .. } | CardEffect::PlaceUnit {})
    }

    /// Whether one of its numbers is 0, so that it does nothing.
    pub(super) const fn has_zero(self) -> bool {
        match self {
            CardEffect::ChipsForKnowHow { each, .. } => each == 0,
            CardEffect::LoseCoins { divisor } => divisor == 0,
            CardEffect::Defend { defence } => defence == 0,
            CardEffect::ExtraBorders { borders, .. } => borders == 0,
            CardEffect::CheaperTemple { marble } => marble == 0,
            CardEffect::ExtraProduction { chips } => chips == 0,
            CardEffect::Recruit { legions, galleys } => legions == 0 && galleys == 0,
            CardEffect::TakeCoins { coins } => coins == 0,
            CardEffect::FreeNeighbours { cities } => cities == 0,
            CardEffect::DestroyWall {} | CardEffect::PlaceUnit {} => false,
        }
    }
}

impl CardsData {
    /// The additional borders for units of a kind if all such cards are played in one turn.
    pub(crate) fn most_extra_borders(&self, kind: Unit) -> u32 {
        let borders = |card: &CardData| match card.effect {
            CardEffect::ExtraBorders { unit, borders } if unit == kind => {
                u32::from(borders) * u32::from(card.copies)
            }
            _ => 0,
        };
        self.deck.iter().map(borders).sum()
    }

    /// The whole deck before it is shuffled.
    pub fn layout(&self) -> Vec<Card> {
        let kinds = self.deck.iter().zip(0..);
        kinds
            .flat_map(|(card, index)| (0..card.copies).map(move |_| Card(index)))
            .collect()
    }
}
