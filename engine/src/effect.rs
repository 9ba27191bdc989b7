//! Effects: the facts that followed from an action. They are derived, never an input.

use crate::board::Region;
use crate::chips::Pay;
use crate::ruleset::KnowHow;
use crate::state::Nation;
use crate::vocabulary::{EndReason, Field, Personage, Resource, Unit};

/// One fact, in the compact form; [`crate::wire::EffectBody`] is the form on the wire.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "each field is named by what it holds")]
pub enum Effect {
    /// A start city was put on the board.
    CityChosen { nation: Nation, region: Region },
    /// A round began.
    RoundBegan { round: u32 },
    /// A nation took a coin: at the start of a round, or with its production.
    CoinTaken { nation: Nation },
    /// A nation took a chip because no coin was left.
    ChipTaken { nation: Nation, resource: Resource },
    /// A turn began.
    TurnBegan { nation: Nation, turn: u32 },
    /// A stone moved so many steps; 0 on a nation's first turn.
    StoneMoved {
        nation: Nation,
        field: Field,
        steps: u8,
    },
    /// Chips and coins went to the bank.
    Paid { nation: Nation, pay: Pay },
    /// A production field gave chips.
    Produced {
        nation: Nation,
        resource: Resource,
        count: u32,
    },
    /// A temple was built.
    TempleBuilt { nation: Nation, region: Region },
    /// A unit was set up.
    Armed {
        nation: Nation,
        region: Region,
        unit: Unit,
    },
    /// A know-how was bought; `first` when no nation had it.
    Developed {
        nation: Nation,
        know_how: KnowHow,
        first: bool,
    },
    /// Chips were traded with the bank.
    Traded {
        nation: Nation,
        give: Pay,
        take: Pay,
    },
    /// Units crossed a border.
    Moved {
        nation: Nation,
        unit: Unit,
        count: u8,
        from: Region,
        to: Region,
    },
    /// Both nations lost so many units of one kind.
    BattleFought {
        nation: Nation,
        against: Nation,
        unit: Unit,
        count: u8,
        region: Region,
    },
    /// A city was given up for its token.
    CityGivenUp { nation: Nation, region: Region },
    /// A city was conquered; the numbers are the units that the conqueror lost.
    Conquered {
        nation: Nation,
        from: Nation,
        region: Region,
        legions: u8,
        galleys: u8,
    },
    /// The owner of a conquered city lost its units there.
    DefendersLost {
        nation: Nation,
        region: Region,
        legions: u8,
        galleys: u8,
    },
    /// A temple was destroyed; a neutral one has no owner.
    TempleDestroyed {
        nation: Nation,
        owner: Option<Nation>,
        region: Region,
    },
    /// Units were lost for a temple that belonged to nobody.
    NeutralTempleTaken {
        nation: Nation,
        region: Region,
        legions: u8,
        galleys: u8,
    },
    /// The Bellona card went to another nation.
    BellonaPassed { nation: Nation, to: Nation },
    /// A city was founded.
    Founded {
        nation: Nation,
        region: Region,
        resource: Resource,
    },
    /// A personage was won; `extra` for all know-hows.
    PersonageWon {
        nation: Nation,
        personage: Personage,
        extra: bool,
    },
    /// A turn ended.
    TurnEnded { nation: Nation },
    /// A nation left the game.
    Resigned { nation: Nation },
    /// The game is over; the ranks are in the state's outcome.
    GameEnded { reason: EndReason },
}
