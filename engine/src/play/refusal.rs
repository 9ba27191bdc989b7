//! Why an action is refused.

use crate::chips::Payment;
use crate::content::{RuleNumber, Topic};
use crate::ids::Nation;
use crate::words::{Resource, SpecialUnit, Unit};

/// A refused action: the reason and the number of the rule that it offends. The state is as it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{reason} [{rule}]")]
pub struct Illegal {
    /// Why.
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
    #[error("nothing has been asked that this answers")]
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
    #[error("cities have been conquered or founded; an earlier phase cannot be taken up again")]
    PhaseIsOver,
    #[error("{extra} fields beyond the free ones cost {extra} chips or coins: give them in pay")]
    ExtraStepsCost { extra: u8 },
    #[error("the payment does not match the price: {price}")]
    WrongPayment { price: Payment },
    #[error("the nation cannot pay {price}")]
    CannotPay { price: Payment },
    #[error("the nation has no city there")]
    NoOwnCity,
    #[error("a temple stands there already")]
    HasTemple,
    #[error("the bank has no temple left")]
    NoTempleLeft,
    #[error("no {unit} is left in the supply")]
    NoUnitLeft { unit: Unit },
    #[error("only {available} {unit} units are left in the supply")]
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
    #[error("one trade is one lot of those the nation may trade, and coins are never taken")]
    WrongLot,
    #[error("no border that a {unit} can cross joins the two regions")]
    NoBorder { unit: Unit },
    #[error("at least one unit must take part")]
    NoUnits,
    #[error("only {available} such units there can move")]
    TooFewUnits { available: u8 },
    #[error("the other nation has no {unit} there to fight")]
    NoEnemy { unit: Unit },
    #[error("at most {most} pairs can be lost there")]
    TooManyPairs { most: u8 },
    #[error("no foreign city and no neutral temple stands there")]
    NoForeignCity,
    #[error("the city's defence is {defence}: exactly so many units are lost")]
    WrongLosses { defence: u8 },
    #[error("only {available} {unit} units there can take part")]
    TooFewToConquer { unit: Unit, available: u8 },
    #[error("a nation's last city cannot be conquered")]
    LastCity,
    #[error("no city token is left")]
    NoToken,
    #[error("no free unit is due")]
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
    #[error("the site leaves the choice of what it produces: name it")]
    ResourceNeeded,
    #[error("no city can stand there")]
    NoSite,
    #[error("this site cannot be chosen")]
    NotASite,
    #[error("this is not one of the options")]
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
    #[error("this card does not lie open")]
    NotOpen,
    #[error("this card cannot be played at this point")]
    NotTheMoment,
    #[error("this card can do nothing now")]
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

impl Reason {
    /// The subject of the rules that the action offends, where the reason alone tells it.
    pub(crate) const fn topic(&self) -> Topic {
        match self {
            Reason::GameOver
            | Reason::NotYourTurn { .. }
            | Reason::AnswerFirst
            | Reason::NothingAsked
            | Reason::StoneHasMoved
            | Reason::MoveStoneFirst
            | Reason::WrongField
            | Reason::ChooseCityFirst
            | Reason::NoCityChoice
            | Reason::NotPlayed => Topic::Turn,
            Reason::HasResigned => Topic::Resignation,
            Reason::PhaseIsOver
            | Reason::NoBorder { .. }
            | Reason::NoUnits
            | Reason::TooFewUnits { .. } => Topic::Maneuver,
            Reason::ExtraStepsCost { .. } => Topic::Rondel,
            Reason::WrongPayment { .. } | Reason::CannotPay { .. } => Topic::Payment,
            Reason::NoOwnCity
            | Reason::NoUnitLeft { .. }
            | Reason::TooFewLeft { .. }
            | Reason::ArmingLimit { .. }
            | Reason::NoFreeUnit
            | Reason::NotInBox { .. } => Topic::Arming,
            Reason::SpecialUnitNotInBox { .. } | Reason::NeedsTemple { .. } => Topic::SpecialUnits,
            Reason::HasWall | Reason::NoWallLeft => Topic::Walls,
            Reason::NotOpen => Topic::CardChoice,
            Reason::CityIsSafe => Topic::Fortress,
            Reason::NotInHand
            | Reason::NotTheMoment
            | Reason::NoEffect
            | Reason::NoWallThere
            | Reason::RegionNeeded
            | Reason::UnitNeeded
            | Reason::RegionNotNeeded
            | Reason::UnitNotNeeded => Topic::Cards,
            Reason::HasTemple | Reason::NoTempleLeft => Topic::Temple,
            Reason::NoBorderFor { .. } => Topic::ArmingBorders,
            Reason::HasKnowHow | Reason::NeedsKnowHow => Topic::KnowHow,
            Reason::CannotTrade | Reason::WrongLot => Topic::Trade,
            Reason::NoEnemy { .. } | Reason::TooManyPairs { .. } => Topic::Battle,
            Reason::NoForeignCity | Reason::WrongLosses { .. } | Reason::TooFewToConquer { .. } => {
                Topic::Conquest
            }
            Reason::LastCity | Reason::NoToken | Reason::TokenIsLeft | Reason::CannotGiveUp => {
                Topic::LastCity
            }
            Reason::NoUnitThere
            | Reason::SiteTaken
            | Reason::NoSite
            | Reason::WrongResource { .. }
            | Reason::ResourceNeeded
            | Reason::NoTokenOf { .. } => Topic::Founding,
            Reason::NotASite => Topic::StartCity,
            Reason::NotAnOption => Topic::ExtraPersonage,
        }
    }

    /// The field of the action's wire form that is to blame, if one is.
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
