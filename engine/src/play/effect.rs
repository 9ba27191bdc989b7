//! Effects: the facts that followed from an action. They are derived, never an input.

use serde::{Deserialize, Serialize};

use crate::chips::{Gain, Payment};
use crate::play::naming::named;
use crate::words::{EndReason, Field, Personage, Piece, Resource, SpecialUnit, Unit};

named! {
/// One fact that followed from an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(tag = "type", rename_all = "snake_case")]
#[allow(missing_docs, reason = "each field is named by what it holds")]
pub enum Effect<N: Naming = Numbers> {
    /// A start city was put on the board.
    CityChosen { nation: N::Nation, region: N::Region },
    /// A round began.
    RoundBegan { round: u32 },
    /// A nation took a coin: at the start of a round, or with its production.
    CoinTaken { nation: N::Nation },
    /// A nation took a chip because no coin was left.
    ChipTaken { nation: N::Nation, resource: Resource },
    /// A turn began.
    TurnBegan { nation: N::Nation, turn: u32 },
    /// A stone moved so many steps; 0 on a nation's first turn.
    StoneMoved {
        nation: N::Nation,
        field: Field,
        steps: u8,
    },
    /// Chips and coins went to the bank.
    Paid { nation: N::Nation, pay: Payment },
    /// A production field gave chips.
    Produced {
        nation: N::Nation,
        resource: Resource,
        count: u32,
    },
    /// A temple was built.
    TempleBuilt { nation: N::Nation, region: N::Region },
    /// A town wall was built.
    WallBuilt { nation: N::Nation, region: N::Region },
    /// A town wall went back to its owner's supply, by a conquest or an event card.
    WallDestroyed { nation: N::Nation, region: N::Region },
    /// A nation got a town wall from the track.
    WallReceived { nation: N::Nation },
    /// A unit was set up.
    Armed {
        nation: N::Nation,
        region: N::Region,
        unit: Piece,
    },
    /// Units went from the supply to the recruitment box.
    Recruited {
        nation: N::Nation,
        unit: Unit,
        count: u8,
    },
    /// A know-how was bought; `first` when no nation had it.
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
    /// Both nations lost so many units of one kind, special units included.
    BattleFought {
        nation: N::Nation,
        against: N::Nation,
        unit: Unit,
        count: u8,
        region: N::Region,
    },
    /// A special unit fell in a battle and went back to its box.
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
    /// Units were lost for a temple that belonged to nobody.
    NeutralTempleTaken {
        nation: N::Nation,
        region: N::Region,
        legions: u8,
        galleys: u8,
    },
    /// The Bellona card went to another nation.
    BellonaPassed { nation: N::Nation, to: N::Nation },
    /// A city was founded.
    Founded {
        nation: N::Nation,
        region: N::Region,
        resource: Resource,
    },
    /// A personage was won; `extra` for all know-hows.
    PersonageWon {
        nation: N::Nation,
        personage: Personage,
        extra: bool,
    },
    /// A nation took an event card of the open row.
    CardTaken { nation: N::Nation, card: N::Card },
    /// A card of the deck was laid into the open row.
    CardRevealed { card: N::Card },
    /// The used cards became a new deck of so many cards.
    DeckShuffled { cards: u8 },
    /// A nation played an event card.
    CardPlayed { nation: N::Nation, card: N::Card },
    /// An event card gave chips.
    ChipsGained {
        nation: N::Nation,
        resource: Resource,
        count: u32,
    },
    /// An event card gave coins.
    CoinsGained { nation: N::Nation, count: u8 },
    /// An event card took coins; they went to the bank.
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
    /// Whether a card of the deck came to light: from then on its order is known to that card.
    pub fn is_draw(&self) -> bool {
        matches!(
            self,
            Effect::CardRevealed { .. } | Effect::DeckShuffled { .. }
        )
    }
}
