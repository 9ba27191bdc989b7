//! Effects: the facts that followed from an action. They are derived, never an input.

use crate::chips::{Gain, Payment};
use crate::ids::{Card, KnowHow, Nation, Region};
use crate::words::{EndReason, Field, Personage, Piece, Resource, SpecialUnit, Unit};

/// One fact, in the compact form; [`crate::forms::EffectBody`] is the form on the wire.
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
    Paid { nation: Nation, pay: Payment },
    /// A production field gave chips.
    Produced {
        nation: Nation,
        resource: Resource,
        count: u32,
    },
    /// A temple was built.
    TempleBuilt { nation: Nation, region: Region },
    /// A town wall was built.
    WallBuilt { nation: Nation, region: Region },
    /// A town wall went back to its owner's supply, by a conquest or an event card.
    WallDestroyed { nation: Nation, region: Region },
    /// A nation got a town wall from the track.
    WallReceived { nation: Nation },
    /// A unit was set up.
    Armed {
        nation: Nation,
        region: Region,
        unit: Piece,
    },
    /// Units went from the supply to the recruitment box.
    Recruited {
        nation: Nation,
        unit: Unit,
        count: u8,
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
        give: Payment,
        take: Gain,
    },
    /// Units crossed a border.
    Moved {
        nation: Nation,
        unit: Piece,
        count: u8,
        from: Region,
        to: Region,
    },
    /// Both nations lost so many units of one kind, special units included.
    BattleFought {
        nation: Nation,
        against: Nation,
        unit: Unit,
        count: u8,
        region: Region,
    },
    /// A special unit fell in a battle and went back to its box.
    SpecialUnitFell {
        nation: Nation,
        unit: SpecialUnit,
        region: Region,
    },
    /// A conquest was declared that its owner may answer.
    ConquestDeclared {
        nation: Nation,
        from: Nation,
        region: Region,
        legions: u8,
        galleys: u8,
    },
    /// A city was saved by an event card.
    CitySaved { nation: Nation, region: Region },
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
    /// A nation took an event card of the open row.
    CardTaken { nation: Nation, card: Card },
    /// A card of the deck was laid into the open row.
    CardRevealed { card: Card },
    /// The used cards became a new deck of so many cards.
    DeckShuffled { cards: u8 },
    /// A nation played an event card.
    CardPlayed { nation: Nation, card: Card },
    /// An event card gave chips.
    ChipsGained {
        nation: Nation,
        resource: Resource,
        count: u32,
    },
    /// An event card gave coins.
    CoinsGained { nation: Nation, count: u8 },
    /// An event card took coins; they went to the bank.
    CoinsLost { nation: Nation, count: u8 },
    /// A turn ended.
    TurnEnded { nation: Nation },
    /// A nation left the game.
    Resigned { nation: Nation },
    /// The game is over; the ranks are in the state's outcome.
    GameEnded { reason: EndReason },
}
