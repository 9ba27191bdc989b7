//! States as JSON: the server sends a [`View`] and accepts a [`Position`].

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_with::{As, DisplayFromStr, Same};

use crate::words::{Field, Personage, Phase, Resource, SpecialUnit, Unit};

/// A state of a game: everything that the rules depend on, and what follows from it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct View {
    /// The round, from 1; 0 in set-up.
    pub round: u32,
    /// The turn, from 1 through the game; 0 in set-up.
    pub turn: u32,
    /// The nation whose turn it is.
    pub to_move: String,
    /// The phase of the turn.
    pub phase: Phase,
    /// Points to win.
    pub goal: u8,
    /// The nation with the Bellona card; null in editions without it.
    pub bellona: Option<String>,
    /// The state's digest, 16 hexadecimal digits.
    pub digest: String,
    /// The contents of the bank.
    pub bank: BankBody,
    /// The nations by name.
    pub nations: BTreeMap<String, NationBody>,
    /// The regions with a city, a neutral temple or units, by id.
    /// Special units are listed with their nation.
    pub regions: BTreeMap<String, RegionBody>,
    /// The owners of each know-how that has any.
    /// Where know-hows take effect at the end of the turn, those developed in the current turn are only in
    /// `turn_state.developed`.
    pub know_how: BTreeMap<String, Vec<String>>,
    /// The event cards; null in editions without them.
    pub cards: Option<CardsBody>,
    /// The state of the turn.
    pub turn_state: TurnStateBody,
    /// Words drawn from the game's source of chance.
    pub drawn: u32,
}

/// A position to start from: a view, or one written by hand.
///
/// Values that follow from others can be omitted, and so can empty ones: bank, supplies, chips and coins,
/// personages, stones, know-hows, turn number. If present, they must be right; only `goal`, `digest` and the
/// top-level `know_how` are ignored.
/// `know_how` are not looked at.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Position {
    /// The round, from 1; 0 in set-up. 1 if omitted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub round: Option<u32>,
    /// The turn, from 1 through the game; 0 in set-up.
    /// If omitted, it is counted from the round and the nation to move, as if no nation had resigned.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turn: Option<u32>,
    /// The nation whose turn it is.
    pub to_move: String,
    /// The phase of the turn; before the stone moves if omitted.
    #[serde(default = "stone_phase")]
    pub phase: Phase,
    /// Points to win. Ignored.
    #[serde(default)]
    pub goal: u8,
    /// The nation with the Bellona card; null in editions without it.
    #[serde(default)]
    pub bellona: Option<String>,
    /// The state's digest. Ignored.
    #[serde(default)]
    pub digest: String,
    /// The contents of the bank: everything that the nations do not have.
    #[serde(default)]
    pub bank: BankPosition,
    /// All nations of the game, by name.
    pub nations: BTreeMap<String, NationBody>,
    /// The regions with a city, a neutral temple or units, by id.
    /// Special units are listed with their nation.
    pub regions: BTreeMap<String, RegionBody>,
    /// The owners of each know-how. Ignored: each nation's own `know_how` counts.
    #[serde(default)]
    pub know_how: BTreeMap<String, Vec<String>>,
    /// The event cards; null in editions without them.
    #[serde(default)]
    pub cards: Option<CardsBody>,
    /// The state of the turn.
    #[serde(default)]
    pub turn_state: TurnStateBody,
    /// Words drawn from the game's source of chance.
    #[serde(default)]
    pub drawn: u32,
}

fn stone_phase() -> Phase {
    Phase::Stone
}

/// A view is also a position.
impl From<View> for Position {
    fn from(view: View) -> Position {
        Position {
            round: Some(view.round),
            turn: Some(view.turn),
            to_move: view.to_move,
            phase: view.phase,
            goal: view.goal,
            bellona: view.bellona,
            digest: view.digest,
            bank: BankPosition {
                coins: Some(view.bank.coins),
                temples: Some(view.bank.temples),
                personages: view.bank.personages,
                cities: view.bank.cities,
            },
            nations: view.nations,
            regions: view.regions,
            know_how: view.know_how,
            cards: view.cards,
            turn_state: view.turn_state,
            drawn: view.drawn,
        }
    }
}

/// The contents of the bank, as far as given.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields, default)]
pub struct BankPosition {
    /// Coins.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub coins: Option<u8>,
    /// Temples.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub temples: Option<u8>,
    /// Personages by kind.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub personages: BTreeMap<Personage, u8>,
    /// City tokens by what the city produces, in editions where all nations share them.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub cities: BTreeMap<Resource, u8>,
}

/// The contents of the bank.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct BankBody {
    /// Coins.
    pub coins: u8,
    /// Temples.
    pub temples: u8,
    /// Personages by kind.
    pub personages: BTreeMap<Personage, u8>,
    /// City tokens by what the city produces, in editions where all nations share them. Derived.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub cities: BTreeMap<Resource, u8>,
}

/// The event cards that no nation holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct CardsBody {
    /// The open row.
    pub open: Vec<String>,
    /// The number of cards in the deck. Derived.
    #[serde(default)]
    pub deck: u8,
    /// The used cards in the order of discarding.
    #[serde(default)]
    pub used: Vec<String>,
    /// How many times the used cards were shuffled into a new deck.
    #[serde(default)]
    pub reshuffles: u8,
    /// The deck, the last card drawn first.
    /// Views of games omit it. In a position it can be given; otherwise it is shuffled from the seed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub order: Option<Vec<String>>,
}

/// A special unit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct SpecialUnitBody {
    /// The special unit. Derived.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unit: Option<SpecialUnit>,
    /// Its region; null while it is in the recruitment box.
    #[serde(default)]
    pub region: Option<String>,
}

/// The possessions of a nation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct NationBody {
    /// Marble chips.
    #[serde(default)]
    pub marble: u32,
    /// Iron chips.
    #[serde(default)]
    pub iron: u32,
    /// Gold chips.
    #[serde(default)]
    pub gold: u32,
    /// Coins.
    #[serde(default)]
    pub coins: u16,
    /// The field of its stone on the rondel; null before its first turn.
    #[serde(default)]
    pub stone: Option<Field>,
    /// Its know-hows.
    #[serde(default)]
    pub know_how: Vec<String>,
    /// Its personages by kind, the extra one included.
    #[serde(default)]
    pub personages: BTreeMap<Personage, u8>,
    /// The kind of personage won for all know-hows.
    #[serde(default)]
    pub extra_personage: Option<Personage>,
    /// Whether it has left the game.
    #[serde(default)]
    pub resigned: bool,
    /// The contents of its recruitment box, in editions that have one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recruitment_box: Option<UnitsBody>,
    /// Its special unit, in the variant with special units.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub special_unit: Option<SpecialUnitBody>,
    /// Town walls in its supply, in editions that have them. Derived.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub walls: Option<u8>,
    /// The event cards in its hand, in editions that have them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cards: Option<Vec<String>>,
    /// The pieces that it can still put on the board or into its recruitment box. Derived.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub supply: Option<SupplyBody>,
}

/// The pieces that a nation can still put on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct SupplyBody {
    /// Legions.
    pub legions: u8,
    /// Galleys.
    pub galleys: u8,
    /// City tokens, in editions where each nation has its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cities: Option<u8>,
}

/// The contents of a region.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct RegionBody {
    /// The city, if there is one.
    #[serde(default)]
    pub city: Option<CityBody>,
    /// Whether it has a temple without owner.
    #[serde(default)]
    pub neutral_temple: bool,
    /// Units by nation.
    #[serde(default)]
    pub units: BTreeMap<String, UnitsBody>,
}

/// A city.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct CityBody {
    /// Its owner.
    pub nation: String,
    /// The resource that it produces.
    pub resource: Resource,
    /// Whether it has a temple.
    #[serde(default)]
    pub temple: bool,
    /// Whether it has a town wall; always false in editions without them.
    #[serde(default)]
    pub wall: bool,
}

/// Units of a nation in a region.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct UnitsBody {
    /// Legions.
    #[serde(default)]
    pub legions: u8,
    /// Galleys.
    #[serde(default)]
    pub galleys: u8,
}

/// The state of a turn.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields, default)]
pub struct TurnStateBody {
    /// The field the stone has moved to this turn.
    pub field: Option<Field>,
    /// In a maneuver: the mover's units that have maneuvers left, by region.
    pub units: BTreeMap<String, UnitsLeftBody>,
    /// Units set up this turn, by region.
    pub armed: BTreeMap<String, u8>,
    /// Know-hows bought this turn.
    pub developed: Vec<String>,
    /// The know-hows bought this turn that no nation had before.
    pub discovered: Vec<String>,
    /// Temples destroyed this turn.
    pub destroyed: u8,
    /// Cities conquered this turn.
    pub conquered: Vec<String>,
    /// Whether the free unit of the Bellona card may still be set up.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub free_unit: bool,
    /// The battle question, if open.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub battle: Option<BattleBody>,
    /// Nations that must still choose a chip because no coin is left, in order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub chip_choices: Vec<String>,
    /// The personages that the nation to move can choose from.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub personage_choices: Vec<Personage>,
    /// The units in the recruitment box that were there when the turn began.
    /// If omitted, all units in it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub armable: Option<UnitsBody>,
    /// Whether the special unit has been in the box since the turn began.
    /// If omitted, whether it is in the box.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub special_armable: Option<bool>,
    /// Maneuvers left for the special unit of the nation to move.
    #[serde(skip_serializing_if = "is_zero")]
    pub special_left: u8,
    /// How many more borders each unit may cross this turn, by event cards.
    #[serde(skip_serializing_if = "UnitsBody::is_empty")]
    pub extra_borders: UnitsBody,
    /// How much less marble the next temple costs, by event cards.
    #[serde(skip_serializing_if = "is_zero")]
    pub cheaper_temple: u8,
    /// How many further cities cost no coins for their neighbours, by event cards.
    #[serde(skip_serializing_if = "is_zero")]
    pub free_neighbours: u8,
    /// Regions of cities that an event card has saved this turn.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub safe: Vec<String>,
    /// The declared conquest that an event card may be played against.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fortress: Option<FortressBody>,
    /// The event cards that must be taken.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub card_choice: Option<CardChoiceBody>,
}

fn is_zero(number: &u8) -> bool {
    *number == 0
}

/// A declared conquest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct FortressBody {
    /// The city's region.
    pub region: String,
    /// The nation that must answer.
    pub asked: String,
    /// Legions that the conqueror offers.
    #[serde(default)]
    pub legions: u8,
    /// Galleys that the conqueror offers.
    #[serde(default)]
    pub galleys: u8,
}

/// Event cards that must be taken.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct CardChoiceBody {
    /// The nation that must answer.
    pub asked: String,
    /// How many cards it takes.
    pub due: u8,
}

// The names of JSON members are text. Reading them as text also works where serde has buffered its input
// (untagged, flattened).

/// The number of units for each number of maneuvers left.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields, default)]
pub struct UnitsLeftBody {
    /// Legions.
    #[serde(
        with = "As::<BTreeMap<DisplayFromStr, Same>>",
        skip_serializing_if = "BTreeMap::is_empty"
    )]
    pub legions: BTreeMap<u8, u8>,
    /// Galleys.
    #[serde(
        with = "As::<BTreeMap<DisplayFromStr, Same>>",
        skip_serializing_if = "BTreeMap::is_empty"
    )]
    pub galleys: BTreeMap<u8, u8>,
}

/// A battle question.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct BattleBody {
    /// The region.
    pub region: String,
    /// The kind of unit that has entered.
    pub unit: Unit,
    /// The entered units that remain, by maneuvers left.
    #[serde(with = "As::<BTreeMap<DisplayFromStr, Same>>")]
    pub entered: BTreeMap<u8, u8>,
    /// Nations that may still demand battle, in order.
    pub asked: Vec<String>,
}

impl UnitsBody {
    fn is_empty(&self) -> bool {
        *self == UnitsBody::default()
    }

    pub(super) fn from_counts([legions, galleys]: [u8; Unit::COUNT]) -> UnitsBody {
        UnitsBody { legions, galleys }
    }
}
