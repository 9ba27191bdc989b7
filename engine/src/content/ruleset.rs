//! A loaded ruleset: its checked file, with lookups by name and number.

use strum::VariantArray as _;

use super::checks;
use crate::content::{ContentHash, LoadError, Rule, RuleNumber, RulesetFile};
use crate::ids::{Card, KnowHow};

/// A ruleset, checked.
#[derive(Clone, Debug)]
pub struct Ruleset {
    /// The file's content.
    pub data: RulesetFile,
    /// SHA-256 of the file.
    pub hash: ContentHash,
    pub(super) rules: Vec<RuleNumber>,
    pub(super) know_how: Vec<KnowHowRule>,
}

/// A know-how in the form used while playing.
#[derive(Clone, Copy, Debug)]
pub struct KnowHowRule {
    /// The know-how that must be owned first.
    pub requires: Option<KnowHow>,
    /// Price in gold for the first nation that buys it.
    pub first: u8,
    /// Price in gold for later nations.
    pub later: u8,
}

impl Ruleset {
    /// Parses and checks a ruleset's file.
    ///
    /// # Errors
    /// If the text is not a ruleset, lacks a number for a personage or a rule for a subject, or contradicts itself.
    pub fn parse(json: &str) -> Result<Ruleset, LoadError> {
        let data: RulesetFile = serde_json::from_str(json).map_err(LoadError::Json)?;
        let bad = |message: String| LoadError::Content {
            id: data.edition.clone(),
            message,
        };
        checks::check(&data).map_err(bad)?;
        let numbers = Rule::VARIANTS.iter().map(|rule| number(&data, *rule));
        Ok(Ruleset {
            hash: ContentHash::compute(json),
            rules: numbers.collect::<Result<_, _>>().map_err(bad)?,
            know_how: know_how(&data).map_err(bad)?,
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

/// Returns the number of a rule in an edition.
fn number(data: &RulesetFile, rule: Rule) -> Result<RuleNumber, String> {
    let number = rule.number_in(data);
    number.ok_or_else(|| format!("rules must have a number for {rule}"))
}

/// Returns the know-hows. Each must come after the one that it requires.
fn know_how(data: &RulesetFile) -> Result<Vec<KnowHowRule>, String> {
    let rule = |(index, entry): (usize, &super::KnowHowData)| {
        let earlier = &data.know_how[..index];
        let find = |id: &String| {
            let index = earlier.iter().position(|other| other.id == *id);
            index.ok_or_else(|| {
                format!(
                    "know-how {} must come after {id}, which it requires",
                    entry.id
                )
            })
        };
        let requires = entry.requires.as_ref().map(find).transpose()?;
        Ok(KnowHowRule {
            // A checked ruleset has few enough for a `u8`.
            requires: requires.map(|index| KnowHow(index as u8)),
            first: entry.first,
            later: entry.later,
        })
    };
    data.know_how.iter().enumerate().map(rule).collect()
}
