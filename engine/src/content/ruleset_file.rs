//! The form of a ruleset's file.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::CardsData;
use super::file::first_version;
use crate::chips::{Gain, Price};
use crate::content::{Change, Provenance};
use crate::words::{Field, Personage, Resource, SpecialUnit};

/// The contents of the bank at the start.
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
    /// City tokens by resource, where all nations share them [D2].
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub cities: BTreeMap<Resource, u8>,
}

/// The most pieces of each nation on the board.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct SupplyData {
    /// Legions.
    pub legions: u8,
    /// Galleys.
    pub galleys: u8,
    /// City tokens; unlimited if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub cities: Option<u8>,
}

/// A number for a city without a temple and one for a city with a temple.
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
    /// Number of steps that cost nothing.
    pub free_steps: u8,
}

/// Prices in chips. A coin can replace any chip.
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

/// A know-how: its price, requirement and effects.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct KnowHowData {
    /// Name on the wire.
    pub id: String,
    /// The know-how that a nation must have first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub requires: Option<String>,
    /// Price in gold for the first nation that buys it.
    pub first: u8,
    /// Price in gold for later nations.
    pub later: u8,
    /// Maneuvers of a legion; the highest number among a nation's know-hows counts.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub legion_maneuvers: u8,
    /// Maneuvers of a galley; the highest number counts.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub galley_maneuvers: u8,
    /// Additional chips in each production; the highest number counts.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub production: u8,
    /// Defence of each own city; the highest number counts.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub defence: u8,
    /// The trades with the bank that it allows [B21].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub trade: Option<Lot>,
}

/// One trade with the bank.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Lot {
    /// Number of chips or coins given.
    pub give: u8,
    /// Number of chips taken.
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

/// Recruitment boxes: units are set up from them and return to them [D3] [D17].
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct RecruitmentData {
    /// Units in the box at the start.
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
    /// How much it adds to the defence of its city.
    pub defence: u8,
    /// For each town wall of a nation, the points at which the nation receives it.
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
    /// The special unit of each nation.
    pub units: BTreeMap<String, SpecialUnit>,
}

/// When special units fight hostile units of their kind that they meet [D50].
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
    /// A turn whose nation resigns before it begins gives its number to the next turn.
    /// This happens while others choose chips.
    #[default]
    HandedOn,
    /// Every turn has its own number.
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
    /// Units of one kind of two nations cancel out wherever they meet [D25].
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

/// When a know-how takes effect.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum KnowHowPolicy {
    /// Immediately.
    #[default]
    AtOnce,
    /// From the end of the turn in which it was developed [B20].
    EndOfTurn,
}

/// How the nation that starts is determined.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum FirstNationPolicy {
    /// By the board's data [A8].
    #[default]
    Board,
    /// At random [B5].
    Random,
}

/// The defence bonus of a nation that is behind [B27].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct WeakNation {
    /// The number of personages up to which a nation is weak.
    pub personages: u8,
    /// How much is added to the defence of its cities.
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
    /// The nations that may trade.
    pub with: TradePolicy,
    /// Chips or coins given in one lot.
    pub give: u8,
    /// Chips taken for one lot.
    pub take: u8,
}

/// The nations that may trade with the bank.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum TradePolicy {
    /// A nation with every know-how.
    AllKnowHow,
}

/// How start cities are picked, in games where they are not given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum StartPick {
    /// One of the nation's three [A43].
    OneOfOwn,
    /// Three free sites of the board, one of each resource [A42].
    FreeSites,
}

/// The changes of a variant.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct VariantData {
    /// The rule that describes it.
    pub rule: String,
    /// The numbers of nations that can play it; any if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub nations: Option<Vec<u8>>,
    /// Goals by number of nations, in place of the edition's.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub goal: BTreeMap<u8, u8>,
    /// Points of a personage, in place of the edition's.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub points: BTreeMap<Personage, u8>,
    /// Whether all know-hows win a personage, in place of the edition's rule.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub extra_personage: Option<bool>,
    /// The factor for the units and tokens of a nation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub supply_factor: Option<u8>,
    /// How start cities are picked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub start_pick: Option<StartPick>,
    /// Number of each personage, in place of the edition's.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub personages: BTreeMap<Personage, u8>,
    /// The personage for the first nation with all know-hows [B41].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub first_with_all_know_how: Option<Personage>,
    /// Whether founders choose the resource of any city [B42].
    #[serde(default, skip_serializing_if = "is_false")]
    pub free_city_types: bool,
    /// The special units that take part [D50].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub special_units: Option<SpecialUnitsData>,
    /// Variants that cannot be combined with it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub excludes: Vec<String>,
}

/// A ruleset's file, as published by `/v1/editions`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct RulesetFile {
    /// Name on the wire.
    pub edition: String,
    /// The version of the edition's rules, counted from 1; 1 if absent.
    #[serde(default = "first_version")]
    pub version: u32,
    /// The differences from the version before, with reasons.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<Change>,
    /// Name for people.
    pub name: String,
    /// The sources of the numbers.
    pub provenance: Provenance,
    /// JSON pointers to the numbers that no available printed text contains.
    pub assumed: Vec<String>,
    /// The bank at the start [A1].
    pub bank: BankData,
    /// Each nation's material [A2].
    pub supply: SupplyData,
    /// Each nation's chips and coins at the start [A7].
    pub start: Gain,
    /// Coins that each nation except the starting one gets at the start [D4].
    #[serde(default, skip_serializing_if = "is_zero")]
    pub compensation_coins: u8,
    /// Points to win by number of nations [A32].
    pub goal: BTreeMap<u8, u8>,
    /// Points of a personage.
    pub points: BTreeMap<Personage, u8>,
    /// How many cities win a king, temples a citizen, and regions with a galley a navigator [A30].
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
    /// Additional coins for a temple, for each temple in an adjacent region [D15].
    #[serde(default, skip_serializing_if = "is_zero")]
    pub adjacent_temple_coins: u8,
    /// Additional coins for a city, for each adjacent city with the same resource [D29].
    #[serde(default, skip_serializing_if = "is_zero")]
    pub adjacent_city_coins: u8,
    /// Maneuvers of a unit without know-how [A24].
    pub maneuvers: u8,
    /// The know-hows. Each comes after the one that it requires [A18].
    pub know_how: Vec<KnowHowData>,
    /// Trading with the bank [A22]. Editions in which single know-hows allow it define it there.
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
    /// Whether units need a maneuver to take part in a conquest [A24].
    pub conquest_costs_maneuver: bool,
    /// Whether a conqueror without a token may give up another city [A28].
    pub give_up_city: bool,
    /// When nations get coins.
    #[serde(default, skip_serializing_if = "is_default")]
    pub coin: CoinPolicy,
    /// When a know-how takes effect.
    #[serde(default, skip_serializing_if = "is_default")]
    pub know_how_effective: KnowHowPolicy,
    /// How turns are numbered.
    #[serde(default, skip_serializing_if = "is_default")]
    pub turn_numbers: TurnNumberPolicy,
    /// How the nation that starts is determined.
    #[serde(default, skip_serializing_if = "is_default")]
    pub first_nation: FirstNationPolicy,
    /// Whether the Bellona card is in the game [B17].
    #[serde(default, skip_serializing_if = "is_false")]
    pub bellona: bool,
    /// Defence of a temple without owner [B28].
    #[serde(default, skip_serializing_if = "is_zero")]
    pub neutral_temple_defence: u8,
    /// How many regions a region without a site counts as, for navigators [B30].
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub siteless_region_counts: u8,
    /// The defence bonus of a nation that is behind [B27].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub weak_nation: Option<WeakNation>,
    /// Whether a nation that needs one more personage wins by destroying a temple [B32].
    #[serde(default, skip_serializing_if = "is_false")]
    pub last_personage_by_temple: bool,
    /// Whether destroying a temple wins once no personage is left [A33].
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
    pub const fn get(self, temple: bool) -> u8 {
        if temple { self.temple } else { self.plain }
    }
}
