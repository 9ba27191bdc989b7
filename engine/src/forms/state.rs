//! States as JSON: [`View`] is what is told, [`Position`] what may be given.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_with::{As, DisplayFromStr, Same};

use crate::words::{Field, Personage, Phase, Resource, SpecialUnit, Unit};

/// Where a game stands: everything that the rules go on from, and what follows from it.
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
    /// Where the turn stands.
    pub phase: Phase,
    /// Points to win.
    pub goal: u8,
    /// Who holds the Bellona card; null in editions without it.
    pub bellona: Option<String>,
    /// The state's digest, 16 hexadecimal digits.
    pub digest: String,
    /// What the bank has left.
    pub bank: BankBody,
    /// The nations by name.
    pub nations: BTreeMap<String, NationBody>,
    /// The regions where a city, a neutral temple or units stand, by id. Special units are told with
    /// their nation.
    pub regions: BTreeMap<String, RegionBody>,
    /// Who owns each know-how that anybody owns. Where know-hows are owned from the end of the
    /// turn, what was developed in this one is told by `turn_state.developed` alone.
    pub know_how: BTreeMap<String, Vec<String>>,
    /// The event cards; null in editions without them.
    pub cards: Option<CardsBody>,
    /// What belongs to the turn.
    pub turn_state: TurnStateBody,
    /// Words drawn from the game's source of chance.
    pub drawn: u32,
}

/// A position to start from, as a view tells it or as somebody writes it. What follows from the rest
/// may be left out, and what is nothing: bank, supplies, chips and coins, personages, stones,
/// know-hows, turn number. What is given must be what follows; `goal`, `digest` and the top-level
/// `know_how` are not looked at.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Position {
    /// The round, from 1; 0 in set-up. The first when left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub round: Option<u32>,
    /// The turn, from 1 through the game; 0 in set-up. When left out it is counted from the round
    /// and the nation to move, as if nobody had left the game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turn: Option<u32>,
    /// The nation whose turn it is.
    pub to_move: String,
    /// Where the turn stands; before the stone moves when left out.
    #[serde(default = "stone_phase")]
    pub phase: Phase,
    /// Points to win. Not looked at.
    #[serde(default)]
    pub goal: u8,
    /// Who holds the Bellona card; null in editions without it.
    #[serde(default)]
    pub bellona: Option<String>,
    /// The state's digest. Not looked at.
    #[serde(default)]
    pub digest: String,
    /// What the bank has left: what the nations lack of all there is.
    #[serde(default)]
    pub bank: BankPosition,
    /// The nations by name: all that take part.
    pub nations: BTreeMap<String, NationBody>,
    /// The regions where a city, a neutral temple or units stand, by id. Special units are told with
    /// their nation.
    pub regions: BTreeMap<String, RegionBody>,
    /// Who owns each know-how. Not looked at: each nation's own `know_how` says it.
    #[serde(default)]
    pub know_how: BTreeMap<String, Vec<String>>,
    /// The event cards; null in editions without them.
    #[serde(default)]
    pub cards: Option<CardsBody>,
    /// What belongs to the turn.
    #[serde(default)]
    pub turn_state: TurnStateBody,
    /// Words drawn from the game's source of chance.
    #[serde(default)]
    pub drawn: u32,
}

fn stone_phase() -> Phase {
    Phase::Stone
}

/// A view is a position as it is.
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

/// What the bank has left, as far as somebody says it.
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

/// What the bank has left.
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
    /// How many cards the deck has. Derived.
    #[serde(default)]
    pub deck: u8,
    /// The used cards in the order of discarding.
    #[serde(default)]
    pub used: Vec<String>,
    /// How many times the used cards have become a new deck.
    #[serde(default)]
    pub reshuffles: u8,
    /// The deck, the last card drawn first. Views of games leave it out; in a position it may be
    /// given, and is shuffled from the seed when it is not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub order: Option<Vec<String>>,
}

/// A special unit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct SpecialUnitBody {
    /// Which one. Derived.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unit: Option<SpecialUnit>,
    /// Where it stands; null while it is in the recruitment box.
    #[serde(default)]
    pub region: Option<String>,
}

/// What a nation has.
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
    /// Where its stone stands on the rondel; null before its first turn.
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
    /// What is in its recruitment box, in editions that have one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recruitment_box: Option<UnitsBody>,
    /// Its special unit, with the variant that has them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub special_unit: Option<SpecialUnitBody>,
    /// Town walls in its supply, in editions that have them. Derived.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub walls: Option<u8>,
    /// The event cards in its hand, in editions that have them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cards: Option<Vec<String>>,
    /// What it can still put on the board, or into its recruitment box. Derived.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub supply: Option<SupplyBody>,
}

/// What a nation can still put on the board.
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

/// What stands in a region.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct RegionBody {
    /// The city, if there is one.
    #[serde(default)]
    pub city: Option<CityBody>,
    /// Whether a temple stands there that belongs to nobody.
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
    /// What it produces.
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

/// What belongs to a turn.
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
    /// Those of them that no nation had before.
    pub discovered: Vec<String>,
    /// Temples destroyed this turn.
    pub destroyed: u8,
    /// Cities conquered this turn.
    pub conquered: Vec<String>,
    /// Whether the unit that the Bellona card gives may still be set up.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub free_unit: bool,
    /// The battle question that is being asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub battle: Option<BattleBody>,
    /// Nations that must still choose a chip for lack of coins, the one asked first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub chip_choices: Vec<String>,
    /// The personages among which the nation to move must choose.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub personage_choices: Vec<Personage>,
    /// The units in the recruitment box that were there when the turn began; all that are in it
    /// when left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub armable: Option<UnitsBody>,
    /// Whether the special unit has been in the box since the turn began; whether it is in the box
    /// when left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub special_armable: Option<bool>,
    /// Maneuvers that the special unit of the nation to move has left.
    #[serde(skip_serializing_if = "is_zero")]
    pub special_left: u8,
    /// Borders that each unit may cross more this turn, by event cards.
    #[serde(skip_serializing_if = "UnitsBody::is_empty")]
    pub extra_borders: UnitsBody,
    /// Marble that the next temple costs less, by event cards.
    #[serde(skip_serializing_if = "is_zero")]
    pub cheaper_temple: u8,
    /// Next cities that cost no coins for their neighbours, by event cards.
    #[serde(skip_serializing_if = "is_zero")]
    pub free_neighbours: u8,
    /// Cities that an event card has saved this turn.
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
    /// The nation asked.
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
    /// The nation asked.
    pub asked: String,
    /// How many it takes.
    pub due: u8,
}

// The names of JSON's members are text: read as text, numbers also fit where serde has buffered what it
// reads (untagged, flattened).

/// Units with maneuvers left: for each number of maneuvers left, how many units.
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
    /// Where.
    pub region: String,
    /// Which kind has entered.
    pub unit: Unit,
    /// The units that have entered and are left, by maneuvers left.
    #[serde(with = "As::<BTreeMap<DisplayFromStr, Same>>")]
    pub entered: BTreeMap<u8, u8>,
    /// Nations that may still demand battle, the one asked first.
    pub asked: Vec<String>,
}

impl UnitsBody {
    fn is_empty(&self) -> bool {
        *self == UnitsBody::default()
    }

    pub(super) fn of([legions, galleys]: [u8; Unit::COUNT]) -> UnitsBody {
        UnitsBody { legions, galleys }
    }
}
