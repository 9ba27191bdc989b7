//! Rulesets: the numbers and policies of an edition, and what its variants change.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use serde::{Deserialize, Serialize};
use strum::VariantArray as _;

use crate::chips::Pay;
use crate::content::{ContentHash, LoadError, Provenance, is_word};
use crate::state::MAX_NATIONS;
use crate::vocabulary::{Field, Personage, Unit};

/// The most know-hows an edition may have: sets of them are 16-bit masks.
pub const MAX_KNOW_HOW: usize = 16;

/// A rule's number in the digest of its edition, such as `A27`.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct RuleNumber([u8; 4]);

impl RuleNumber {
    fn parse(text: &str) -> Option<RuleNumber> {
        let bytes = text.as_bytes();
        let valid = (2..=4).contains(&bytes.len())
            && bytes[0].is_ascii_uppercase()
            && bytes[1..].iter().all(u8::is_ascii_digit);
        valid.then(|| {
            let mut number = [0; 4];
            number[..bytes.len()].copy_from_slice(bytes);
            RuleNumber(number)
        })
    }
}

impl fmt::Display for RuleNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for byte in self.0.iter().filter(|byte| **byte != 0) {
            write!(f, "{}", char::from(*byte))?;
        }
        Ok(())
    }
}

impl fmt::Debug for RuleNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{self}]")
    }
}

/// A subject of the rules; each edition's data gives the number of the rule that treats it.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    strum::Display,
    strum::VariantArray,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Topic {
    /// Paying with chips and coins.
    Payment,
    /// Which nations take part.
    Participants,
    /// Which nation starts.
    FirstNation,
    /// The coin at the start of a round.
    RoundCoin,
    /// Moving on the rondel.
    Rondel,
    /// Building temples.
    Temple,
    /// Setting up units.
    Arming,
    /// Where units of a kind can be set up.
    ArmingBorders,
    /// Which know-how needs which.
    KnowHow,
    /// What know-how costs.
    KnowHowPrice,
    /// The personage for all know-hows.
    ExtraPersonage,
    /// Trading with the bank.
    Trade,
    /// Moving units.
    Maneuver,
    /// Battles.
    Battle,
    /// Conquering cities.
    Conquest,
    /// The last city and the last token.
    LastCity,
    /// Founding cities.
    Founding,
    /// The order of a turn.
    Turn,
    /// Leaving the game.
    Resignation,
    /// Four nations for two players.
    TwoPlayers,
    /// Start cities on free sites.
    FreeStartSites,
    /// One start city only.
    StartCity,
    /// Which variants go together.
    Variants,
}

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
    /// City tokens.
    pub cities: u8,
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
    pub temple: Pay,
    /// For a legion or galley.
    pub unit: Pay,
    /// For founding a city.
    pub city: Pay,
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

fn one() -> u8 {
    1
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

fn is_one(number: &u8) -> bool {
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
    pub nations: Option<Vec<u8>>,
    /// Goals by number of nations, in place of the edition's.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub goal: BTreeMap<u8, u8>,
    /// Points of a personage, in place of the edition's.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub points: BTreeMap<Personage, u8>,
    /// Whether all know-hows win a personage, in place of the edition's answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub extra_personage: Option<bool>,
    /// How many times the units and tokens of a nation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub supply_factor: Option<u8>,
    /// How start cities are picked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start_pick: Option<StartPick>,
    /// How many there are of a personage, in place of the edition's.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub personages: BTreeMap<Personage, u8>,
    /// What the first nation with all know-hows wins [B41].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first_with_all_know_how: Option<Personage>,
    /// Whether founders choose what any city produces [B42].
    #[serde(default, skip_serializing_if = "is_false")]
    pub free_city_types: bool,
    /// Variants it does not go with.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub excludes: Vec<String>,
}

/// A ruleset's file, as published by `/v1/editions`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct RulesetData {
    /// Name used on the wire.
    pub edition: String,
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
    pub start: Pay,
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
    /// Maneuvers of a unit without know-how [A24].
    pub maneuvers: u8,
    /// The know-hows; a know-how stands after the one it requires [A18].
    pub know_how: Vec<KnowHowData>,
    /// Trading with the bank [A22]; editions in which single know-hows allow it have it there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trade: Option<TradeData>,
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

/// A ruleset, checked.
#[derive(Clone, Debug)]
pub struct Ruleset {
    /// The file's content.
    pub data: RulesetData,
    /// SHA-256 of the file.
    pub hash: ContentHash,
    rules: Vec<RuleNumber>,
    know_how: Vec<KnowHowRule>,
}

/// A know-how ready for play.
#[derive(Clone, Copy, Debug)]
pub struct KnowHowRule {
    /// The know-how that must be owned before.
    pub requires: Option<KnowHow>,
    /// Price in gold for the first nation.
    pub first: u8,
    /// Price in gold for later nations.
    pub later: u8,
}

/// A know-how, as its position in [`RulesetData::know_how`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct KnowHow(pub u8);

impl KnowHow {
    /// The set that holds this know-how only.
    pub const fn bit(self) -> u16 {
        1 << self.0
    }

    /// Position in arrays by know-how.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl TradeData {
    const fn lot(self) -> Lot {
        Lot {
            give: self.give,
            take: self.take,
        }
    }
}

impl Ruleset {
    /// Reads and checks a ruleset's file.
    ///
    /// # Errors
    /// When the text is not a ruleset, lacks a number for a personage or a rule for a subject, or
    /// contradicts itself.
    pub fn parse(json: &str) -> Result<Ruleset, LoadError> {
        let data: RulesetData = serde_json::from_str(json)?;
        let bad = |message: String| LoadError::Content {
            id: data.edition.clone(),
            message,
        };
        for (what, counts) in [("bank", &data.bank.personages), ("points", &data.points)] {
            if counts.len() != Personage::COUNT {
                return Err(bad(format!("{what} must count all five personages")));
            }
        }
        for personage in [Personage::King, Personage::Citizen, Personage::Navigator] {
            if data.personage_every.get(&personage).is_none_or(|n| *n == 0) {
                return Err(bad(format!("personage_every lacks {personage}")));
            }
        }
        if data.personage_every.len() != 3 {
            return Err(bad("only kings, citizens and navigators are counted".into()));
        }
        let fields: BTreeSet<Field> = data.rondel.fields.iter().copied().collect();
        if fields.len() != Field::COUNT || data.rondel.fields.len() != Field::COUNT {
            return Err(bad("the rondel must list each field once".into()));
        }
        if !(1..=MAX_MANEUVERS as u8).contains(&data.maneuvers) {
            return Err(bad(format!("maneuvers must be 1 to {MAX_MANEUVERS}")));
        }
        let lots = data.know_how.iter().filter_map(|know_how| know_how.trade);
        let lots = lots.chain(data.trade.map(|trade| trade.lot()));
        if lots.into_iter().any(|lot| lot.give == 0 || lot.take == 0) {
            return Err(bad("a trade gives and takes at least one".into()));
        }
        let double = data.variants.values().filter_map(|v| v.supply_factor).max();
        let factor = u32::from(double.unwrap_or(1));
        let units = factor * (u32::from(data.supply.legions) + u32::from(data.supply.galleys));
        let bonus = data.know_how.iter().map(|know_how| know_how.defence).max();
        let basic = data.defence.plain.max(data.defence.temple);
        let bonus = bonus.unwrap_or(0);
        let behind = data.weak_nation.map_or(0, |weak| weak.defence);
        // All units of a nation in one region.
        if units + u32::from(basic) + u32::from(bonus) + u32::from(behind) > 255 {
            return Err(bad("the defence of a city could be more than 255".into()));
        }
        if data.siteless_region_counts == 0 {
            return Err(bad("a region without site counts as one at least".into()));
        }
        if u32::from(data.supply.cities) * factor > 255 {
            return Err(bad("a nation has at most 255 city tokens".into()));
        }
        for price in [data.prices.temple, data.prices.unit, data.prices.city] {
            if price.total() > 255 {
                return Err(bad("a price is at most 255 chips".into()));
            }
        }
        let nations = MAX_NATIONS as u32;
        if u32::from(data.start.coins) * nations > u32::from(data.bank.coins) {
            return Err(bad("the bank has too few coins for the start".into()));
        }
        let rules = Topic::VARIANTS
            .iter()
            .map(|topic| {
                data.rules
                    .get(&topic.to_string())
                    .and_then(|number| RuleNumber::parse(number))
                    .ok_or_else(|| bad(format!("rules lacks a number for {topic}")))
            })
            .collect::<Result<Vec<_>, _>>()?;
        if data.know_how.is_empty() || data.know_how.len() > MAX_KNOW_HOW {
            return Err(bad(format!("an edition has 1 to {MAX_KNOW_HOW} know-hows")));
        }
        let mut know_how = Vec::new();
        for (index, entry) in data.know_how.iter().enumerate() {
            let earlier = &data.know_how[..index];
            let find = |id: &String| earlier.iter().position(|other| other.id == *id);
            if find(&entry.id).is_some() {
                return Err(bad(format!("know-how {} is listed twice", entry.id)));
            }
            if !is_word(&entry.id) {
                let message = format!("know-how {:?} is not lower case snake_case", entry.id);
                return Err(bad(message));
            }
            let most = MAX_MANEUVERS as u8;
            if entry.legion_maneuvers > most || entry.galley_maneuvers > most {
                return Err(bad(format!("{} gives too many maneuvers", entry.id)));
            }
            let requires = match &entry.requires {
                None => None,
                Some(id) => Some(KnowHow(
                    find(id).ok_or_else(|| bad(format!("{} must stand after {id}", entry.id)))?
                        as u8,
                )),
            };
            know_how.push(KnowHowRule {
                requires,
                first: entry.first,
                later: entry.later,
            });
        }
        for (name, variant) in &data.variants {
            if RuleNumber::parse(&variant.rule).is_none() {
                return Err(bad(format!("variant {name} has no rule number")));
            }
            for other in &variant.excludes {
                if !data.variants.contains_key(other) {
                    return Err(bad(format!("variant {name} excludes unknown {other}")));
                }
            }
        }
        Ok(Ruleset {
            hash: ContentHash::of(json),
            rules,
            know_how,
            data,
        })
    }

    /// The number of the rule that treats a subject.
    pub fn rule(&self, topic: Topic) -> RuleNumber {
        self.rules[topic as usize]
    }

    /// The know-hows.
    pub fn know_how(&self) -> &[KnowHowRule] {
        &self.know_how
    }

    /// The know-how with this name.
    pub fn know_how_by_name(&self, name: &str) -> Option<KnowHow> {
        let position = self.data.know_how.iter().position(|data| data.id == name)?;
        Some(KnowHow(position as u8))
    }

    /// The name of a know-how.
    pub fn know_how_name(&self, know_how: KnowHow) -> &str {
        &self.data.know_how[know_how.index()].id
    }
}

/// The most maneuvers a unit can have left.
pub const MAX_MANEUVERS: usize = 4;

/// What the know-hows of a nation do together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Abilities {
    /// Maneuvers by [`Unit`].
    pub maneuvers: [u8; Unit::COUNT],
    /// Chips more in each production.
    pub production: u8,
    /// Defence of each own city.
    pub defence: u8,
}

/// The ruleset of one game: the edition's numbers with the variants applied, in the form that the
/// turn engine uses.
#[derive(Clone, Debug)]
pub struct Rules {
    /// Coins in the game.
    pub coins: u8,
    /// Temples in the game.
    pub temples: u8,
    /// Personages in the game, by [`Personage`].
    pub personages: [u8; Personage::COUNT],
    /// Most units of a nation on the board, by [`Unit`].
    pub units: [u8; Unit::COUNT],
    /// Most cities of a nation.
    pub cities: u8,
    /// Chips and coins of a nation at the start.
    pub start: Pay,
    /// Points to win.
    pub goal: u8,
    /// Points by [`Personage`].
    pub points: [u8; Personage::COUNT],
    /// How many cities, temples or regions win one, by [`Personage`]; 0 for those won otherwise.
    pub every: [u8; Personage::COUNT],
    /// Whether all know-hows win a personage.
    pub extra_personage: bool,
    /// Place of each [`Field`] on the rondel.
    pub place: [u8; Field::COUNT],
    /// Steps on the rondel that cost nothing.
    pub free_steps: u8,
    /// Chips produced by a city.
    pub production: ByTemple,
    /// Units set up in a turn in a region.
    pub arming: ByTemple,
    /// Basic defence of a city.
    pub defence: ByTemple,
    /// Price of a temple.
    pub temple_price: Pay,
    /// Price of a unit.
    pub unit_price: Pay,
    /// Price of a city.
    pub city_price: Pay,
    /// The know-hows.
    pub know_how: Vec<KnowHowRule>,
    /// The set of all know-hows.
    pub all_know_how: u16,
    /// What each set of know-hows does, by mask.
    abilities: Vec<Abilities>,
    /// The lots that may be traded with the bank, each with the know-hows it needs, as a set.
    pub lots: Vec<(u16, Lot)>,
    /// When nations get coins.
    pub coin: CoinPolicy,
    /// From when a know-how works.
    pub know_how_effective: KnowHowPolicy,
    /// Whether the Bellona card is in the game.
    pub bellona: bool,
    /// Defence of a temple that belongs to nobody.
    pub neutral_temple_defence: u8,
    /// How many regions a region without site counts as for navigators.
    pub siteless_region_counts: u8,
    /// The defence bonus of a nation that is behind.
    pub weak_nation: Option<WeakNation>,
    /// Whether a nation that lacks one personage wins by destroying a temple.
    pub last_personage_by_temple: bool,
    /// Whether destroying a temple wins once all personages are out.
    pub temple_wins_when_personages_are_out: bool,
    /// What the first nation with all know-hows wins.
    pub first_with_all_know_how: Option<Personage>,
    /// Whether founders choose what any city produces.
    pub free_city_types: bool,
    /// Whether taking part in a conquest needs a maneuver.
    pub conquest_costs_maneuver: bool,
    /// Whether a conqueror without token may give up a city.
    pub give_up_city: bool,
    /// How start cities are picked, if they are.
    pub start_pick: Option<StartPick>,
    /// Numbers of the rules by [`Topic`].
    numbers: Vec<RuleNumber>,
}

impl Rules {
    /// The rules for a number of nations with some variants of the ruleset; nothing when there is
    /// no goal for that number.
    pub(crate) fn new(ruleset: &Ruleset, nations: u8, variants: &[&VariantData]) -> Option<Rules> {
        let data = &ruleset.data;
        let goal = variants
            .iter()
            .find_map(|variant| variant.goal.get(&nations))
            .or_else(|| data.goal.get(&nations))?;
        let mut points = data.points.clone();
        for variant in variants {
            points.extend(variant.points.iter().map(|(kind, points)| (*kind, *points)));
        }
        let by_personage = |counts: &BTreeMap<Personage, u8>| {
            let mut array = [0; Personage::COUNT];
            for (personage, count) in counts {
                array[personage.index()] = *count;
            }
            array
        };
        let factor = variants.iter().find_map(|variant| variant.supply_factor);
        let factor = factor.unwrap_or(1);
        let mut place = [0; Field::COUNT];
        for (index, field) in data.rondel.fields.iter().enumerate() {
            place[field.index()] = index as u8;
        }
        let all_know_how = ((1u32 << data.know_how.len()) - 1) as u16;
        let mut personages = data.bank.personages.clone();
        for variant in variants {
            personages.extend(variant.personages.iter().map(|(kind, n)| (*kind, *n)));
        }
        let by_know_how = data.know_how.iter().enumerate();
        let lots = by_know_how
            .filter_map(|(index, know_how)| Some((1 << index, know_how.trade?)))
            .chain(data.trade.map(|trade| match trade.with {
                TradePolicy::AllKnowHow => (all_know_how, trade.lot()),
            }))
            .collect();
        let abilities = (0..1u32 << data.know_how.len())
            .map(|set| abilities(data, set))
            .collect();
        Some(Rules {
            coins: data.bank.coins,
            temples: data.bank.temples,
            personages: by_personage(&personages),
            units: [data.supply.legions * factor, data.supply.galleys * factor],
            cities: data.supply.cities * factor,
            start: data.start,
            goal: *goal,
            points: by_personage(&points),
            every: by_personage(&data.personage_every),
            extra_personage: variants
                .iter()
                .find_map(|variant| variant.extra_personage)
                .unwrap_or(data.extra_personage),
            place,
            free_steps: data.rondel.free_steps,
            production: data.production,
            arming: data.arming,
            defence: data.defence,
            temple_price: data.prices.temple,
            unit_price: data.prices.unit,
            city_price: data.prices.city,
            know_how: ruleset.know_how.clone(),
            all_know_how,
            abilities,
            lots,
            coin: data.coin,
            know_how_effective: data.know_how_effective,
            bellona: data.bellona,
            neutral_temple_defence: data.neutral_temple_defence,
            siteless_region_counts: data.siteless_region_counts,
            weak_nation: data.weak_nation,
            last_personage_by_temple: data.last_personage_by_temple,
            temple_wins_when_personages_are_out: data.temple_wins_when_personages_are_out,
            first_with_all_know_how: variants
                .iter()
                .find_map(|variant| variant.first_with_all_know_how),
            free_city_types: variants.iter().any(|variant| variant.free_city_types),
            conquest_costs_maneuver: data.conquest_costs_maneuver,
            give_up_city: data.give_up_city,
            start_pick: variants.iter().find_map(|variant| variant.start_pick),
            numbers: ruleset.rules.clone(),
        })
    }

    /// The number of the rule that treats a subject.
    pub fn rule(&self, topic: Topic) -> RuleNumber {
        self.numbers[topic as usize]
    }

    /// What a set of know-hows does [A23].
    pub fn abilities(&self, know_how: u16) -> Abilities {
        self.abilities[usize::from(know_how)]
    }
}

impl ByTemple {
    /// The number for a city with or without temple.
    pub const fn of(self, temple: bool) -> u8 {
        if temple { self.temple } else { self.plain }
    }
}

fn abilities(data: &RulesetData, set: u32) -> Abilities {
    let mut abilities = Abilities {
        maneuvers: [data.maneuvers; Unit::COUNT],
        production: 0,
        defence: 0,
    };
    let raise = |number: &mut u8, by: u8| *number = (*number).max(by);
    for (index, know_how) in data.know_how.iter().enumerate() {
        if set & (1 << index) != 0 {
            raise(
                &mut abilities.maneuvers[Unit::Legion.index()],
                know_how.legion_maneuvers,
            );
            raise(
                &mut abilities.maneuvers[Unit::Galley.index()],
                know_how.galley_maneuvers,
            );
            raise(&mut abilities.production, know_how.production);
            raise(&mut abilities.defence, know_how.defence);
        }
    }
    abilities
}
