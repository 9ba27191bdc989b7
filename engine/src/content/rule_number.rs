//! Numbers of rules, and the subjects that rulesets give numbers for.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A rule's number in the digest of its edition, such as `A27`.
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
}

impl Topic {
    /// Whether an edition may be without it; what offends against it offends against the order of
    /// the turn there.
    pub(super) const fn is_optional(self) -> bool {
        matches!(
            self,
            Topic::Walls
                | Topic::Recruiting
                | Topic::Cards
                | Topic::CardChoice
                | Topic::Fortress
                | Topic::SpecialUnits
        )
    }
}
