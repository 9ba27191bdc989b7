//! Effects: the facts that follow from an action. They are output only, never input.

use serde::{Deserialize, Serialize};

use crate::chips::{Gain, Payment};
use crate::play::naming::named;
use crate::words::{EndReason, Field, Personage, Piece, Resource, SpecialUnit, Unit};

named! {
/// One fact that follows from an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(tag = "type", rename_all = "snake_case")]
#[allow(missing_docs, reason = "each field is named by what it holds")]
pub enum Effect<N: Naming = Numbers> {
    /// A start city was put on the board.
    CityChosen { nation: N::Nation, region: N::Region },
    /// A round began.
    RoundBegan { round: u32 },
    /// A nation received a coin: at the start of a round, or with its production.
    CoinTaken { nation: N::Nation },
    /// A nation received a chip because no coin was left.
    ChipTaken { nation: N::Nation, resource: Resource },
    /// A turn began.
    TurnBegan { nation: N::Nation, turn: u32 },
    /// A stone moved this many steps; 0 on a nation's first turn.
    StoneMoved {
        nation: N::Nation,
        field: Field,
        steps: u8,
    },
    /// Chips and coins were paid to the bank.
    Paid { nation: N::Nation, pay: Payment },
    /// A production field produced chips.
    Produced {
        nation: N::Nation,
        resource: Resource,
        count: u32,
    },
    /// A temple was built.
    TempleBuilt { nation: N::Nation, region: N::Region },
    /// A town wall was built.
    WallBuilt { nation: N::Nation, region: N::Region },
    /// A town wall returned to its owner's supply, by a conquest or an event card.
    WallDestroyed { nation: N::Nation, region: N::Region },
    /// A nation received a town wall from the track.
    WallReceived { nation: N::Nation },
    /// A unit was set up.
    Armed {
        nation: N::Nation,
        region: N::Region,
        unit: Piece,
    },
    /// Units moved from the supply to the recruitment box.
    Recruited {
        nation: N::Nation,
        unit: Unit,
        count: u8,
    },
    /// A know-how was bought; `first` if no nation had it before.
    Developed {
        nation: N::Nation,
        know_how: N::KnowHow,
        first: bool,
    },
    /// Chips were traded with the bank.
    Traded {
        nation: N::Nation,
        give: Payment,
        take: Gain,
    },
    /// Units crossed a border.
    Moved {
        nation: N::Nation,
        unit: Piece,
        count: u8,
        from: N::Region,
        to: N::Region,
    },
    /// Both nations lost this many units of one kind, including special units.
    BattleFought {
        nation: N::Nation,
        against: N::Nation,
        unit: Unit,
        count: u8,
        region: N::Region,
    },
    /// A special unit was lost in a battle and returned to its box.
    SpecialUnitFell {
        nation: N::Nation,
        unit: SpecialUnit,
        region: N::Region,
    },
    /// A conquest was declared that its owner may answer.
    ConquestDeclared {
        nation: N::Nation,
        from: N::Nation,
        region: N::Region,
        legions: u8,
        galleys: u8,
    },
    /// A city was saved by an event card.
    CitySaved { nation: N::Nation, region: N::Region },
    /// A city was given up for its token.
    CityGivenUp { nation: N::Nation, region: N::Region },
    /// A city was conquered; the numbers are the units that the conqueror lost.
    Conquered {
        nation: N::Nation,
        from: N::Nation,
        region: N::Region,
        legions: u8,
        galleys: u8,
    },
    /// The owner of a conquered city lost its units there.
    DefendersLost {
        nation: N::Nation,
        region: N::Region,
        legions: u8,
        galleys: u8,
    },
    /// A temple was destroyed; a neutral one has no owner.
    TempleDestroyed {
        nation: N::Nation,
        owner: Option<N::Nation>,
        region: N::Region,
    },
    /// Units were lost to destroy a temple without owner.
    NeutralTempleTaken {
        nation: N::Nation,
        region: N::Region,
        legions: u8,
        galleys: u8,
    },
    /// The Bellona card passed to another nation.
    BellonaPassed { nation: N::Nation, to: N::Nation },
    /// A city was founded.
    Founded {
        nation: N::Nation,
        region: N::Region,
        resource: Resource,
    },
    /// A personage was won; `extra` if for all know-hows.
    PersonageWon {
        nation: N::Nation,
        personage: Personage,
        extra: bool,
    },
    /// A nation took an event card from the open row.
    CardTaken { nation: N::Nation, card: N::Card },
    /// A card of the deck was placed in the open row.
    CardRevealed { card: N::Card },
    /// The used cards became a new deck with this many cards.
    DeckShuffled { cards: u8 },
    /// A nation played an event card.
    CardPlayed { nation: N::Nation, card: N::Card },
    /// An event card brought chips.
    ChipsGained {
        nation: N::Nation,
        resource: Resource,
        count: u32,
    },
    /// An event card brought coins.
    CoinsGained { nation: N::Nation, count: u8 },
    /// An event card took coins, which returned to the bank.
    CoinsLost { nation: N::Nation, count: u8 },
    /// A turn ended.
    TurnEnded { nation: N::Nation },
    /// A nation left the game.
    Resigned { nation: N::Nation },
    /// The game is over; the ranks are in the state's outcome.
    GameEnded { reason: EndReason },
}
}

impl Effect {
    /// Whether it reveals a card of the deck. From then on the order is known up to that card.
    pub fn is_draw(&self) -> bool {
        matches!(
            self,
            Effect::CardRevealed { .. } | Effect::DeckShuffled { .. }
        )
    }
}
