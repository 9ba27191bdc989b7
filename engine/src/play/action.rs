//! Actions: one small decision of one nation.
//!
//! The rules use numbers, which keeps an action small. Its JSON form uses names instead; its text form is in
//! [`crate::forms`].

use serde::{Deserialize, Deserializer, Serialize};
use serde_with::{As, DefaultOnNull, skip_serializing_none};

use crate::chips::{Gain, Payment};
use crate::play::naming::named;
use crate::words::{Field, Personage, Piece, Resource, Unit};

named! {
/// One decision of a nation.
///
/// `pay` is always the whole payment. Without it, the payment is chips first, then coins for the rest.
#[skip_serializing_none]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, strum::IntoStaticStr)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
#[strum(serialize_all = "snake_case")]
pub enum Action<N: Naming = Numbers> {
    /// Moves on the rondel [A12].
    /// Each field beyond the free ones costs a chip or coin, which `pay` must contain.
    MoveStone {
        /// The target field.
        field: Field,
        /// The payment for fields beyond the free ones: chips and coins of any kind, one for each.
        #[serde(
            default,
            deserialize_with = "As::<DefaultOnNull>::deserialize",
            skip_serializing_if = "Payment::is_nothing"
        )]
        #[cfg_attr(feature = "schema", schema(value_type = Option<Payment>))]
        pay: Payment,
    },
    /// Builds a temple in an own city [A15].
    BuildTemple {
        /// The city's region.
        region: N::Region,
        /// The whole payment.
        pay: Option<Payment>,
    },
    /// Builds a town wall in an own city [D15].
    BuildWall {
        /// The city's region.
        region: N::Region,
        /// The whole payment.
        pay: Option<Payment>,
    },
    /// Sets up one unit in a region with an own city [A16].
    Arm {
        /// The region.
        region: N::Region,
        /// The kind of unit or special unit.
        unit: Piece,
        /// Whether it is the free unit of the Bellona card.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        free: bool,
        /// The whole payment.
        pay: Option<Payment>,
    },
    /// Buys a know-how [A18].
    Develop {
        /// Its name, as `/v1/editions` lists it.
        know_how: N::KnowHow,
        /// The whole payment.
        pay: Option<Payment>,
    },
    /// Moves units from the supply to the recruitment box [D17].
    Recruit {
        /// The kind of unit.
        unit: Unit,
        /// The number of units.
        count: u8,
        /// The whole payment.
        pay: Option<Payment>,
    },
    /// Moves units of one kind together, or a special unit, over one border [A24].
    March {
        /// The kind of unit or special unit.
        unit: Piece,
        /// The number of units; 1 for a special unit.
        count: u8,
        /// The region that the units leave.
        from: N::Region,
        /// The region that the units enter.
        to: N::Region,
        /// Move only units with this many maneuvers left. By default, those with the fewest move first.
        left: Option<u8>,
    },
    /// Fights units of another nation in the same region [A25].
    Battle {
        /// The kind of unit.
        unit: Unit,
        /// The number of pairs lost.
        count: u8,
        /// The region.
        region: N::Region,
        /// The other nation.
        against: N::Nation,
    },
    /// Answers units that have just entered [A25].
    AnswerBattle {
        /// The number of pairs lost; 0 lets the units pass.
        count: u8,
    },
    /// Conquers a city, losing exactly as many units as its defence [A27].
    Conquer {
        /// The city's region.
        region: N::Region,
        /// Legions lost.
        #[serde(default)]
        legions: u8,
        /// Galleys lost.
        #[serde(default)]
        galleys: u8,
        /// The own city given up if no token is left.
        give_up: Option<N::Region>,
    },
    /// Founds a city in a region with an own unit [A29].
    Found {
        /// The region.
        region: N::Region,
        /// The resource of the city; needed only if the site allows several.
        resource: Option<Resource>,
        /// The whole payment.
        pay: Option<Payment>,
    },
    /// Trades one lot with the bank [A22] [B21].
    Trade {
        /// Chips and coins given.
        give: Payment,
        /// Chips taken.
        take: Gain,
    },
    /// Chooses the chip received because no coin is left [A10] [B14].
    ChooseChip {
        /// The kind of chip.
        resource: Resource,
    },
    /// Chooses the personage for all know-hows [A21].
    ChoosePersonage {
        /// The kind of personage.
        personage: Personage,
    },
    /// Chooses a start city [A42] [A43].
    ChooseCity {
        /// The region.
        region: N::Region,
    },
    /// Takes an event card from the open row [D40].
    TakeCard {
        /// Its name, as `/v1/editions` lists it.
        card: N::Card,
    },
    /// Plays an event card [D41].
    PlayCard {
        /// Its name, as `/v1/editions` lists it.
        card: N::Card,
        /// The region, for cards that need one.
        region: Option<N::Region>,
        /// The kind of unit, for cards that need one.
        unit: Option<Unit>,
    },
    /// Plays no event card against a declared conquest [D43].
    #[serde(deserialize_with = "no_fields")]
    Pass,
    /// Ends the turn [A11].
    #[serde(deserialize_with = "no_fields")]
    EndTurn,
    /// Leaves the game with all nations of the player [A34].
    #[serde(deserialize_with = "no_fields")]
    Resign,
}
}

impl Action {
    /// The `type` of the action on the wire.
    pub fn type_name(&self) -> &'static str {
        self.into()
    }
}

/// Deserializes an action without fields; rejects any field.
fn no_fields<'de, D: Deserializer<'de>>(deserializer: D) -> Result<(), D::Error> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct NoFields {}
    NoFields::deserialize(deserializer).map(|NoFields {}| ())
}
