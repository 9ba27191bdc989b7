//! Rules, and their numbers in each edition.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use crate::content::RulesetFile;

/// The number of a rule in the digest of its edition, such as `A27`.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct RuleNumber([u8; 4]);

impl RuleNumber {
    pub(super) fn parse(text: &str) -> Option<RuleNumber> {
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

/// A rule, independent of its number, which each edition's file defines ([`RulesetFile::rules`]).
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
    /// The know-how that another one requires.
    KnowHow,
    /// The price of know-how.
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
    /// Combinations of variants.
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
    /// The goal of the game.
    Goal,
    /// Temples without owner.
    NeutralTemple,
    /// The Bellona card and its free unit.
    Bellona,
    /// Event cards that must be taken.
    CardsDue,
    /// Founders choose what any city produces.
    FreeCityTypes,
}

/// Numbers of rules that are missing in files of the first version, by edition.
static NUMBERS: LazyLock<BTreeMap<String, BTreeMap<String, String>>> = LazyLock::new(|| {
    let json = include_str!("../../data/rules/numbers.json");
    serde_json::from_str(json).expect("embedded data are tested")
});

impl Rule {
    /// The rule that applies instead in editions without this one; `None` if every edition has it.
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

    /// Returns the number of the rule in an edition's file.
    pub(super) fn number_in(self, data: &RulesetFile) -> Option<RuleNumber> {
        let name = self.to_string();
        let later = || NUMBERS.get(&data.edition)?.get(&name);
        match data.rules.get(&name).or_else(later) {
            Some(number) => RuleNumber::parse(number),
            None => self.instead()?.number_in(data),
        }
    }
}
