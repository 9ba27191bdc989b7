//! Refusals: why an action is refused, and the rule that it breaks.

use std::fmt;

use crate::chips::Price;
use crate::content::RuleNumber;
use crate::ids::Nation;
use crate::words::{Resource, SpecialUnit, Unit};

/// A refused action: the reason, and the number of the broken rule. The state is unchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{reason} [{rule}]")]
pub struct Refusal {
    /// The reason.
    pub reason: Reason,
    /// The rule.
    pub rule: RuleNumber,
}

/// Why an action is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs, reason = "each variant is described by its message")]
pub enum Reason {
    #[error("the game is over")]
    GameOver,
    #[error("it is not this nation's turn to act")]
    NotYourTurn { acts: Nation },
    #[error("this nation has left the game")]
    HasResigned,
    #[error("a question must be answered first")]
    AnswerFirst,
    #[error("no question is open that this action answers")]
    NothingAsked,
    #[error("start cities are still being chosen")]
    ChooseCityFirst,
    #[error("start cities are not being chosen")]
    NoCityChoice,
    #[error("the stone must move first")]
    MoveStoneFirst,
    #[error("the stone has moved this turn")]
    StoneHasMoved,
    #[error("this action belongs to another field of the rondel")]
    WrongField,
    #[error("cities have been conquered or founded: the turn cannot go back to an earlier phase")]
    PhaseIsOver,
    #[error("{} in pay", Extra(*extra))]
    ExtraStepsCost { extra: u8 },
    #[error("the payment does not match the price: {price}")]
    WrongPayment { price: Price },
    #[error("the nation cannot pay {price}")]
    CannotPay { price: Price },
    #[error("the nation has no city there")]
    NoOwnCity,
    #[error("a temple stands there already")]
    HasTemple,
    #[error("the bank has no temple left")]
    NoTempleLeft,
    #[error("no {unit} is left in the supply")]
    NoUnitLeft { unit: Unit },
    #[error("only {} left in the supply", Units(*available, *unit))]
    TooFewLeft { unit: Unit, available: u8 },
    #[error("no more than {limit} new units may be set up there this turn")]
    ArmingLimit { limit: u8 },
    #[error("the region has no border that a {unit} can cross")]
    NoBorderFor { unit: Unit },
    #[error("the nation has this know-how already")]
    HasKnowHow,
    #[error("another know-how must be owned first")]
    NeedsKnowHow,
    #[error("the nation may not trade with the bank")]
    CannotTrade,
    #[error("a trade must be one of the lots that the nation may trade, and never takes coins")]
    WrongLot,
    #[error("no border that a {unit} can cross joins the two regions")]
    NoBorder { unit: Unit },
    #[error("at least one unit must take part")]
    NoUnits,
    #[error("{} can move", AtMost(*available, "such unit there"))]
    TooFewUnits { available: u8 },
    #[error("the other nation has no {unit} there to fight")]
    NoEnemy { unit: Unit },
    #[error("at most {most} can be lost there", most = Amount(*most, "pair"))]
    TooManyPairs { most: u8 },
    #[error("no foreign city and no neutral temple stands there")]
    NoForeignCity,
    #[error("the city's defence is {defence}: the conqueror must lose exactly so many units")]
    WrongLosses { defence: u8 },
    #[error("{} there can take part", AtMost(*available, unit.name()))]
    TooFewToConquer { unit: Unit, available: u8 },
    #[error("a nation's last city cannot be conquered")]
    LastCity,
    #[error("no city token is left")]
    NoToken,
    #[error("no free unit of the Bellona card is available")]
    NoFreeUnit,
    #[error("a city is given up only when no token is left")]
    TokenIsLeft,
    #[error("this city cannot be given up")]
    CannotGiveUp,
    #[error("no unit of the nation stands there")]
    NoUnitThere,
    #[error("the site is taken")]
    SiteTaken,
    #[error("a city there cannot produce {resource}")]
    WrongResource { resource: Resource },
    #[error("the site allows several resources: name one in resource")]
    ResourceNeeded,
    #[error("no city can stand there")]
    NoSite,
    #[error("this site cannot be chosen")]
    NotASite,
    #[error("this is not one of the possible choices")]
    NotAnOption,
    #[error("the edition or its variant has no such action")]
    NotPlayed,
    #[error("no {unit} has been in the recruitment box since the turn began")]
    NotInBox { unit: Unit },
    #[error("the nation has no {unit} that has been in its box since the turn began")]
    SpecialUnitNotInBox { unit: SpecialUnit },
    #[error("the {unit} is set up only in a city with temple")]
    NeedsTemple { unit: SpecialUnit },
    #[error("a town wall stands there already")]
    HasWall,
    #[error("the nation has no town wall in its supply")]
    NoWallLeft,
    #[error("no town wall stands there")]
    NoWallThere,
    #[error("the bank has no {resource} city token left")]
    NoTokenOf { resource: Resource },
    #[error("an event card has made this city safe for the rest of the turn")]
    CityIsSafe,
    #[error("the nation does not hold this card")]
    NotInHand,
    #[error("this card is not in the open row")]
    NotOpen,
    #[error("this card cannot be played at this point")]
    NotTheMoment,
    #[error("this card would have no effect")]
    NoEffect,
    #[error("this card needs a region")]
    RegionNeeded,
    #[error("this card needs a kind of unit")]
    UnitNeeded,
    #[error("this card needs no region")]
    RegionNotNeeded,
    #[error("this card needs no kind of unit")]
    UnitNotNeeded,
}

/// A number with its noun: `1 pair`, `2 pairs`.
struct Amount<'a>(u8, &'a str);

impl fmt::Display for Amount<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Amount(count, noun) = self;
        let plural = if *count == 1 { "" } else { "s" };
        write!(f, "{count} {noun}{plural}")
    }
}

/// A number of remaining units: `1 legion is`, `2 legions are`.
struct Units(u8, Unit);

impl fmt::Display for Units {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let verb = if self.0 == 1 { "is" } else { "are" };
        write!(f, "{} {verb}", Amount(self.0, self.1.name()))
    }
}

/// The most that there are: `no legion`, `only 1 legion`.
struct AtMost<'a>(u8, &'a str);

impl fmt::Display for AtMost<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            0 => write!(f, "no {}", self.1),
            // For `such unit there`, the plural is within the noun.
            count => match self.1.strip_suffix(" there") {
                Some(noun) => write!(f, "only {} there", Amount(count, noun)),
                None => write!(f, "only {}", Amount(count, self.1)),
            },
        }
    }
}

/// The price of fields of the rondel beyond the free ones.
struct Extra(u8);

impl fmt::Display for Extra {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            1 => f.write_str("1 field beyond the free ones costs 1 chip or coin: name it"),
            extra => write!(
                f,
                "{extra} fields beyond the free ones cost {extra} chips or coins: name them"
            ),
        }
    }
}

impl Reason {
    /// The wrong field of the action's wire form, if it is one field.
    pub const fn field(&self) -> Option<&'static str> {
        match self {
            Reason::NotYourTurn { .. } | Reason::HasResigned => Some("nation"),
            Reason::ExtraStepsCost { .. }
            | Reason::WrongPayment { .. }
            | Reason::CannotPay { .. } => Some("pay"),
            Reason::NoOwnCity
            | Reason::HasTemple
            | Reason::ArmingLimit { .. }
            | Reason::NoForeignCity
            | Reason::LastCity
            | Reason::NoToken
            | Reason::NoUnitThere
            | Reason::SiteTaken
            | Reason::NoSite
            | Reason::NotASite
            | Reason::NeedsTemple { .. }
            | Reason::HasWall
            | Reason::NoWallThere
            | Reason::CityIsSafe
            | Reason::RegionNeeded
            | Reason::RegionNotNeeded => Some("region"),
            Reason::NoUnitLeft { .. }
            | Reason::NoBorderFor { .. }
            | Reason::NoEnemy { .. }
            | Reason::NotInBox { .. }
            | Reason::SpecialUnitNotInBox { .. }
            | Reason::UnitNeeded
            | Reason::UnitNotNeeded => Some("unit"),
            Reason::NotInHand | Reason::NotOpen | Reason::NotTheMoment | Reason::NoEffect => {
                Some("card")
            }
            Reason::NoFreeUnit => Some("free"),
            Reason::HasKnowHow | Reason::NeedsKnowHow => Some("know_how"),
            Reason::WrongLot => Some("give"),
            Reason::NoBorder { .. } => Some("to"),
            Reason::NoUnits
            | Reason::TooFewUnits { .. }
            | Reason::TooFewLeft { .. }
            | Reason::TooManyPairs { .. } => Some("count"),
            Reason::WrongLosses { .. } => Some("legions"),
            Reason::TooFewToConquer { unit, .. } => Some(match unit {
                Unit::Legion => "legions",
                Unit::Galley => "galleys",
            }),
            Reason::TokenIsLeft | Reason::CannotGiveUp => Some("give_up"),
            Reason::WrongResource { .. } | Reason::ResourceNeeded | Reason::NoTokenOf { .. } => {
                Some("resource")
            }
            Reason::NotAnOption => Some("personage"),
            Reason::GameOver
            | Reason::AnswerFirst
            | Reason::NothingAsked
            | Reason::StoneHasMoved
            | Reason::MoveStoneFirst
            | Reason::WrongField
            | Reason::ChooseCityFirst
            | Reason::NoCityChoice
            | Reason::PhaseIsOver
            | Reason::NoTempleLeft
            | Reason::NoWallLeft
            | Reason::NotPlayed
            | Reason::CannotTrade => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_agree_with_their_nouns() {
        let unit = Unit::Legion;
        let text = |reason: Reason| reason.to_string();
        let extra = |extra| text(Reason::ExtraStepsCost { extra });
        assert_eq!(
            extra(1),
            "1 field beyond the free ones costs 1 chip or coin: name it in pay"
        );
        assert_eq!(
            extra(2),
            "2 fields beyond the free ones cost 2 chips or coins: name them in pay"
        );
        let movers = |available| text(Reason::TooFewUnits { available });
        assert_eq!(movers(0), "no such unit there can move");
        assert_eq!(movers(1), "only 1 such unit there can move");
        assert_eq!(movers(2), "only 2 such units there can move");
        let conquerors = |available| text(Reason::TooFewToConquer { unit, available });
        assert_eq!(conquerors(0), "no legion there can take part");
        assert_eq!(conquerors(3), "only 3 legions there can take part");
        let left = |available| text(Reason::TooFewLeft { unit, available });
        assert_eq!(left(1), "only 1 legion is left in the supply");
        assert_eq!(left(2), "only 2 legions are left in the supply");
        assert_eq!(
            text(Reason::TooManyPairs { most: 1 }),
            "at most 1 pair can be lost there"
        );
    }
}
