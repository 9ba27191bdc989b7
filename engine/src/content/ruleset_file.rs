//! The shape of a ruleset's file.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::CardsData;
use super::file::first_version;
use crate::chips::{Gain, Price};
use crate::content::{Change, Provenance};
use crate::words::{Field, Personage, Resource, SpecialUnit};

/// Counts of what the bank holds at the start.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct BankData {
    /// Coins in the game.
    pub coins: u8,
    /// Temples in the game.
    pub temples: u8,
    /// Personages in the game, by kind.
    pub personages: BTreeMap<Personage, u8>,
    /// City tokens by what the city produces, where all nations share them [D2].
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub cities: BTreeMap<Resource, u8>,
}

/// Counts of what each nation may have on the board at most.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct SupplyData {
    /// Legions.
    pub legions: u8,
    /// Galleys.
    pub galleys: u8,
    /// City tokens; without limit when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub cities: Option<u8>,
}

/// A number for a city without and one with temple.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct ByTemple {
    /// Without temple.
    pub plain: u8,
    /// With temple.
    pub temple: u8,
}

/// The rondel.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct RondelData {
    /// The fields, clockwise.
    pub fields: Vec<Field>,
    /// How many steps cost nothing.
    pub free_steps: u8,
}

/// Prices in chips; a coin pays for any one chip.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct PriceData {
    /// For a temple.
    pub temple: Price,
    /// For a legion or galley.
    pub unit: Price,
    /// For founding a city.
    pub city: Price,
}

/// A know-how: price, what it needs, what it does.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct KnowHowData {
    /// Name used on the wire.
    pub id: String,
    /// The know-how that a nation must have before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub requires: Option<String>,
    /// Price in gold for the first nation.
    pub first: u8,
    /// Price in gold for later nations.
    pub later: u8,
    /// Maneuvers of a legion; the highest owned counts.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub legion_maneuvers: u8,
    /// Maneuvers of a galley; the highest owned counts.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub galley_maneuvers: u8,
    /// Chips more in each production; the highest owned counts.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub production: u8,
    /// Defence of each own city; the highest owned counts.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub defence: u8,
    /// The lots that its owner may trade with the bank [B21].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub trade: Option<Lot>,
}

/// One trade with the bank.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Lot {
    /// Chips or coins given.
    pub give: u8,
    /// Chips taken.
    pub take: u8,
}

/// Numbers of units.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct UnitCounts {
    /// Legions.
    pub legions: u8,
    /// Galleys.
    pub galleys: u8,
}

/// Recruitment boxes, from which units are set up and to which they return [D3] [D17].
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct RecruitmentData {
    /// What begins in the box.
    pub start: UnitCounts,
    /// Price of moving a legion from the supply to the box.
    pub legion: Price,
    /// Price of moving a galley from the supply to the box.
    pub galley: Price,
}

/// Town walls [D15] [D33].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct WallsData {
    /// Price of one.
    pub price: Price,
    /// What one adds to the defence of its city.
    pub defence: u8,
    /// For each town wall of a nation, the points at which it gets it.
    pub track: Vec<u8>,
}

/// The special units [D50].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct SpecialUnitsData {
    /// Price of setting one up.
    pub price: Price,
    /// When they fight.
    #[serde(default, skip_serializing_if = "is_default")]
    pub battle: SpecialBattlePolicy,
    /// Which one a nation has.
    pub units: BTreeMap<String, SpecialUnit>,
}

/// When special units fight the hostile units of their kind that they meet [D50].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum SpecialBattlePolicy {
    /// Also where one of the two is armed or placed by a card.
    #[default]
    Always,
    /// Only where one of the two arrives by moving.
    WhenMoving,
}

/// How turns are numbered [A34].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum TurnNumberPolicy {
    /// A turn whose nation resigns before it begins, while others choose their chips, gives its
    /// number on to the turn of the next nation.
    #[default]
    HandedOn,
    /// Every turn has a number of its own.
    Unique,
}

/// How battles come about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum BattlePolicy {
    /// A nation demands them [A25].
    #[default]
    OnDemand,
    /// Units of a kind of two nations cancel out wherever they meet [D25].
    Automatic,
}

/// When nations get coins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum CoinPolicy {
    /// One each at the start of a round [A9].
    #[default]
    EachRound,
    /// One with each production [B14].
    Production,
}

/// From when a know-how works.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum KnowHowPolicy {
    /// At once.
    #[default]
    AtOnce,
    /// From the end of the turn in which it was developed [B20].
    EndOfTurn,
}

/// How the nation that starts is found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum FirstNationPolicy {
    /// The board's data name it [A8].
    #[default]
    Board,
    /// It is drawn [B5].
    Random,
}

/// The defence bonus of a nation that is behind [B27].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct WeakNation {
    /// The most personages it has.
    pub personages: u8,
    /// What is added to the defence of its cities.
    pub defence: u8,
}

fn is_false(value: &bool) -> bool {
    !value
}

fn is_true(value: &bool) -> bool {
    *value
}

fn yes() -> bool {
    true
}

pub(super) fn one() -> u8 {
    1
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

pub(super) fn is_one(number: &u8) -> bool {
    *number == 1
}

fn is_zero(number: &u8) -> bool {
    *number == 0
}

/// Trading with the bank.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct TradeData {
    /// Who may trade.
    pub with: TradePolicy,
    /// Chips or coins given in one lot.
    pub give: u8,
    /// Chips taken for one lot.
    pub take: u8,
}

/// Who may trade with the bank.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum TradePolicy {
    /// A nation with every know-how.
    AllKnowHow,
}

/// How start cities are picked instead of being given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum StartPick {
    /// One of the nation's three [A43].
    OneOfOwn,
    /// Three free sites of the board, one of each resource [A42].
    FreeSites,
}

/// What a variant changes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct VariantData {
    /// The rule that describes it.
    pub rule: String,
    /// Numbers of nations it is for; any when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub nations: Option<Vec<u8>>,
    /// Goals by number of nations, in place of the edition's.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub goal: BTreeMap<u8, u8>,
    /// Points of a personage, in place of the edition's.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub points: BTreeMap<Personage, u8>,
    /// Whether all know-hows win a personage, in place of the edition's answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub extra_personage: Option<bool>,
    /// How many times the units and tokens of a nation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub supply_factor: Option<u8>,
    /// How start cities are picked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub start_pick: Option<StartPick>,
    /// How many there are of a personage, in place of the edition's.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub personages: BTreeMap<Personage, u8>,
    /// What the first nation with all know-hows wins [B41].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub first_with_all_know_how: Option<Personage>,
    /// Whether founders choose what any city produces [B42].
    #[serde(default, skip_serializing_if = "is_false")]
    pub free_city_types: bool,
    /// The special units that take part [D50].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub special_units: Option<SpecialUnitsData>,
    /// Variants it does not go with.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub excludes: Vec<String>,
}

/// A ruleset's file, as published by `/v1/editions`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct RulesetFile {
    /// Name used on the wire.
    pub edition: String,
    /// Which version of the edition's rules it is, counted from 1; the first when absent.
    #[serde(default = "first_version")]
    pub version: u32,
    /// What is different from the version before, and why.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<Change>,
    /// Name for people.
    pub name: String,
    /// Where the numbers come from.
    pub provenance: Provenance,
    /// JSON pointers to the numbers that are printed in no text at hand.
    pub assumed: Vec<String>,
    /// The bank at the start [A1].
    pub bank: BankData,
    /// Each nation's material [A2].
    pub supply: SupplyData,
    /// Each nation's chips and coins at the start [A7].
    pub start: Gain,
    /// Coins that each nation but the starting one gets at the start [D4].
    #[serde(default, skip_serializing_if = "is_zero")]
    pub compensation_coins: u8,
    /// Points to win by number of nations [A32].
    pub goal: BTreeMap<u8, u8>,
    /// Points of a personage.
    pub points: BTreeMap<Personage, u8>,
    /// How many cities win a king, temples a citizen, regions with a galley a navigator [A30].
    pub personage_every: BTreeMap<Personage, u8>,
    /// Whether all know-hows win a personage [A21].
    pub extra_personage: bool,
    /// The rondel [A12].
    pub rondel: RondelData,
    /// Chips produced by a city [A14].
    pub production: ByTemple,
    /// Units that may be set up in a turn in a region with an own city [A16].
    pub arming: ByTemple,
    /// Basic defence of a city [A27].
    pub defence: ByTemple,
    /// Prices.
    pub prices: PriceData,
    /// Coins that a temple costs more for each temple in an adjacent region [D15].
    #[serde(default, skip_serializing_if = "is_zero")]
    pub adjacent_temple_coins: u8,
    /// Coins that a city costs more for each adjacent city that produces the same [D29].
    #[serde(default, skip_serializing_if = "is_zero")]
    pub adjacent_city_coins: u8,
    /// Maneuvers of a unit without know-how [A24].
    pub maneuvers: u8,
    /// The know-hows; a know-how stands after the one it requires [A18].
    pub know_how: Vec<KnowHowData>,
    /// Trading with the bank [A22]; editions in which single know-hows allow it have it there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub trade: Option<TradeData>,
    /// Recruitment boxes, in editions that have them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub recruitment: Option<RecruitmentData>,
    /// Town walls, in editions that have them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub walls: Option<WallsData>,
    /// How battles come about.
    #[serde(default, skip_serializing_if = "is_default")]
    pub battle: BattlePolicy,
    /// Event cards, in editions that have them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub cards: Option<CardsData>,
    /// Whether taking part in a conquest needs a maneuver [A24].
    pub conquest_costs_maneuver: bool,
    /// Whether a conqueror without token may give up a city [A28].
    pub give_up_city: bool,
    /// When nations get coins.
    #[serde(default, skip_serializing_if = "is_default")]
    pub coin: CoinPolicy,
    /// From when a know-how works.
    #[serde(default, skip_serializing_if = "is_default")]
    pub know_how_effective: KnowHowPolicy,
    /// How turns are numbered.
    #[serde(default, skip_serializing_if = "is_default")]
    pub turn_numbers: TurnNumberPolicy,
    /// How the nation that starts is found.
    #[serde(default, skip_serializing_if = "is_default")]
    pub first_nation: FirstNationPolicy,
    /// Whether the Bellona card is in the game [B17].
    #[serde(default, skip_serializing_if = "is_false")]
    pub bellona: bool,
    /// Defence of a temple that belongs to nobody [B28].
    #[serde(default, skip_serializing_if = "is_zero")]
    pub neutral_temple_defence: u8,
    /// How many regions a region without site counts as for navigators [B30].
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub siteless_region_counts: u8,
    /// The defence bonus of a nation that is behind [B27].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub weak_nation: Option<WeakNation>,
    /// Whether a nation that lacks one personage wins by destroying a temple [B32].
    #[serde(default, skip_serializing_if = "is_false")]
    pub last_personage_by_temple: bool,
    /// Whether destroying a temple wins once all personages are out [A33].
    #[serde(default = "yes", skip_serializing_if = "is_true")]
    pub temple_wins_when_personages_are_out: bool,
    /// The variants by name.
    pub variants: BTreeMap<String, VariantData>,
    /// The number of the rule for each subject.
    pub rules: BTreeMap<String, String>,
}

impl BattlePolicy {
    /// Whether units cancel out wherever they meet [D25].
    pub const fn is_automatic(self) -> bool {
        match self {
            BattlePolicy::OnDemand => false,
            BattlePolicy::Automatic => true,
        }
    }
}

impl CoinPolicy {
    /// Whether each nation gets a coin at the start of a round [A9].
    pub(crate) const fn is_paid_each_round(self) -> bool {
        match self {
            CoinPolicy::EachRound => true,
            CoinPolicy::Production => false,
        }
    }

    /// Whether a nation gets a coin with each production [B14].
    pub const fn is_paid_by_production(self) -> bool {
        match self {
            CoinPolicy::EachRound => false,
            CoinPolicy::Production => true,
        }
    }
}

impl TradeData {
    pub(super) const fn lot(self) -> Lot {
        Lot {
            give: self.give,
            take: self.take,
        }
    }
}

impl ByTemple {
    /// The number for a city with or without temple.
    pub const fn of(self, temple: bool) -> u8 {
        if temple { self.temple } else { self.plain }
    }
}
