//! Rulesets: the numbers and policies of an edition, and what its variants change.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::LazyLock;

use serde::{Deserialize, Serialize};
use strum::VariantArray as _;

use crate::content::{BattlePolicy, ContentHash, LoadError, RulesetData, UnitCounts, is_word};
use crate::ids::{Card, KnowHow, MAX_KNOW_HOW, MAX_MANEUVERS, MAX_NATIONS, MAX_REGIONS};
use crate::words::{Field, Personage, Resource, Unit};

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

/// A rule, whatever number it has in the digest of an edition: the edition's file gives that
/// ([`RulesetData::rules`]).
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
pub enum Rule {
    /// Paying with chips and coins.
    Payment,
    /// Which nations take part.
    Participants,
    /// Which nation starts.
    FirstNation,
    /// The coin at the start of a round, or with a production.
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
    /// Town walls.
    Walls,
    /// Moving units from the supply to the recruitment box.
    Recruiting,
    /// Playing event cards.
    Cards,
    /// Taking event cards.
    CardChoice,
    /// Answering a declared conquest.
    Fortress,
    /// Special units.
    SpecialUnits,
    /// When the game is won.
    Goal,
    /// Temples that belong to nobody.
    NeutralTemple,
    /// The Bellona card and its free unit.
    Bellona,
    /// Event cards that must be taken.
    CardsDue,
    /// Founders choose what any city produces.
    FreeCityTypes,
}

/// Numbers of rules that files of the first version do not give, by edition.
static NUMBERS: LazyLock<BTreeMap<String, BTreeMap<String, String>>> = LazyLock::new(|| {
    let json = include_str!("../../data/rules/numbers.json");
    serde_json::from_str(json).expect("embedded data are tested")
});

impl Rule {
    /// The rule that is broken instead in editions without this one; none where every edition has it.
    const fn instead(self) -> Option<Rule> {
        match self {
            Rule::NeutralTemple => Some(Rule::Conquest),
            Rule::Bellona => Some(Rule::Arming),
            Rule::CardsDue => Some(Rule::CardChoice),
            Rule::FreeCityTypes => Some(Rule::Founding),
            Rule::Goal
            | Rule::Walls
            | Rule::Recruiting
            | Rule::Cards
            | Rule::CardChoice
            | Rule::Fortress
            | Rule::SpecialUnits => Some(Rule::Turn),
            _ => None,
        }
    }

    /// The number of the rule in an edition's file.
    fn number_in(self, data: &RulesetData) -> Option<RuleNumber> {
        let name = self.to_string();
        let later = || NUMBERS.get(&data.edition)?.get(&name);
        match data.rules.get(&name).or_else(later) {
            Some(number) => RuleNumber::parse(number),
            None => self.instead()?.number_in(data),
        }
    }
}

/// A ruleset, checked.
#[derive(Clone, Debug)]
pub struct Ruleset {
    /// The file's content.
    pub data: RulesetData,
    /// SHA-256 of the file.
    pub hash: ContentHash,
    pub(super) rules: Vec<RuleNumber>,
    pub(super) know_how: Vec<KnowHowRule>,
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

impl Ruleset {
    /// Reads and checks a ruleset's file.
    ///
    /// # Errors
    /// When the text is not a ruleset, lacks a number for a personage or a rule for a subject, or
    /// contradicts itself.
    pub fn parse(json: &str) -> Result<Ruleset, LoadError> {
        let data: RulesetData = serde_json::from_str(json).map_err(LoadError::Json)?;
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
        if data.rondel.free_steps == 0 {
            // A nation without chips has to move on as well.
            return Err(bad("at least one step must be free".into()));
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
        let wall = data.walls.as_ref().map_or(0, |walls| walls.defence);
        // One for a special unit.
        let more = [basic, bonus, behind, wall, 1].map(u32::from);
        if units + more.iter().sum::<u32>() > 255 {
            return Err(bad("the defence of a city could be more than 255".into()));
        }
        if data.siteless_region_counts == 0 {
            return Err(bad("a region without site counts as one at least".into()));
        }
        if u32::from(data.supply.cities.unwrap_or(0)) * factor > 255 {
            return Err(bad("a nation has at most 255 city tokens".into()));
        }
        let recruitment = data.recruitment.iter().flat_map(|r| [r.legion, r.galley]);
        let walls = data.walls.iter().map(|walls| walls.price);
        let special = data
            .variants
            .values()
            .filter_map(|v| Some(v.special_units.as_ref()?.price));
        let prices = [data.prices.temple, data.prices.unit, data.prices.city];
        let prices = prices.into_iter().chain(recruitment).chain(walls);
        // Every region may be adjacent.
        let neighbours = data.adjacent_temple_coins.max(data.adjacent_city_coins);
        let neighbours = u32::from(neighbours) * MAX_REGIONS as u32;
        for price in prices.chain(special) {
            if price.total() + neighbours > 255 {
                return Err(bad("a price is at most 255 chips".into()));
            }
        }
        let nations = MAX_NATIONS as u32;
        let coins = u32::from(data.start.coins) + u32::from(data.compensation_coins);
        if coins * nations > u32::from(data.bank.coins) {
            return Err(bad("the bank has too few coins for the start".into()));
        }
        // Each nation starts with a city of each resource, or picks them.
        let most_nations = data.goal.keys().max().copied().unwrap_or(0);
        if let Some((resource, _)) = (data.bank.cities.iter()).find(|(_, n)| **n < most_nations) {
            return Err(bad(format!("too few {resource} city tokens for the start")));
        }
        let few = |cities: u8| usize::from(cities) < Resource::COUNT;
        if data.supply.cities.is_some_and(few) {
            return Err(bad("a nation has too few city tokens for the start".into()));
        }
        if let Some(recruitment) = data.recruitment {
            let UnitCounts { legions, galleys } = recruitment.start;
            if legions > data.supply.legions || galleys > data.supply.galleys {
                return Err(bad("more units begin in the box than there are".into()));
            }
            let most = u32::from(data.supply.legions.max(data.supply.galleys)) * factor;
            let prices = [recruitment.legion, recruitment.galley];
            if prices.iter().any(|price| price.total() * most > 255) {
                return Err(bad("a price of all units is at most 255 chips".into()));
            }
        }
        if data.defence.plain.min(data.defence.temple) == 0 {
            // A special unit lowers it by 1, and nobody conquers without being there.
            return Err(bad("a city has a defence of at least 1".into()));
        }
        let has_special = data.variants.values().any(|v| v.special_units.is_some());
        if has_special && data.battle != BattlePolicy::Automatic {
            return Err(bad("special units need automatic battles".into()));
        }
        if let Some(cards) = &data.cards {
            if let Some(fault) = cards.fault().or_else(|| cards.misfit(&data)) {
                return Err(bad(fault));
            }
            for unit in Unit::ALL {
                let by_know_how = data.know_how.iter().map(|know_how| match unit {
                    Unit::Legion => know_how.legion_maneuvers,
                    Unit::Galley => know_how.galley_maneuvers,
                });
                let most = by_know_how.max().unwrap_or(0).max(data.maneuvers);
                if u32::from(most) + cards.most_extra_borders(*unit) > MAX_MANEUVERS as u32 {
                    return Err(bad(format!(
                        "with its cards a {unit} could cross more than {MAX_MANEUVERS} borders"
                    )));
                }
            }
        }
        let rules = Rule::VARIANTS
            .iter()
            .map(|rule| {
                let number = rule.number_in(&data);
                number.ok_or_else(|| bad(format!("rules lacks a number for {rule}")))
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

    /// The number of a rule in this edition.
    pub fn number(&self, rule: Rule) -> RuleNumber {
        self.rules[rule as usize]
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

    /// The event card with this name.
    pub fn card_by_name(&self, name: &str) -> Option<Card> {
        let deck = &self.data.cards.as_ref()?.deck;
        let position = deck.iter().position(|data| data.id == name)?;
        Some(Card(position as u8))
    }

    /// The name of an event card of this edition.
    pub fn card_name(&self, card: Card) -> &str {
        let deck = self.data.cards.as_ref().map(|cards| &cards.deck);
        let data = deck.and_then(|deck| deck.get(card.index()));
        data.map_or("", |data| &data.id)
    }

    /// The name of a know-how.
    pub fn know_how_name(&self, know_how: KnowHow) -> &str {
        &self.data.know_how[know_how.index()].id
    }
}
