//! Effects on the wire.

use serde::{Deserialize, Serialize};

use crate::chips::{Gain, Payment};
use crate::ids::{Card, Nation, Region};
use crate::play::{Effect, Game};
use crate::words::{EndReason, Field, Personage, Piece, Resource, SpecialUnit, Unit};

/// One fact that followed from an action.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(tag = "type", rename_all = "snake_case")]
#[allow(missing_docs, reason = "each field is named by what it holds")]
pub enum EffectBody {
    /// A start city was put on the board.
    CityChosen { nation: String, region: String },
    /// A round began.
    RoundBegan { round: u32 },
    /// A nation took a coin at the start of a round.
    CoinTaken { nation: String },
    /// A nation took a chip because no coin was left.
    ChipTaken { nation: String, resource: Resource },
    /// A turn began.
    TurnBegan { nation: String, turn: u32 },
    /// A stone moved so many steps; 0 on a nation's first turn.
    StoneMoved {
        nation: String,
        field: Field,
        steps: u8,
    },
    /// Chips and coins went to the bank.
    Paid { nation: String, pay: Payment },
    /// A production field gave chips.
    Produced {
        nation: String,
        resource: Resource,
        count: u32,
    },
    /// A temple was built.
    TempleBuilt { nation: String, region: String },
    /// A town wall was built.
    WallBuilt { nation: String, region: String },
    /// A town wall went back to its owner's supply, by a conquest or an event card.
    WallDestroyed { nation: String, region: String },
    /// A nation got a town wall from the track.
    WallReceived { nation: String },
    /// A unit was set up.
    Armed {
        nation: String,
        region: String,
        unit: Piece,
    },
    /// Units went from the supply to the recruitment box.
    Recruited {
        nation: String,
        unit: Unit,
        count: u8,
    },
    /// A know-how was bought; `first` when no nation had it.
    Developed {
        nation: String,
        know_how: String,
        first: bool,
    },
    /// Chips were traded with the bank.
    Traded {
        nation: String,
        give: Payment,
        take: Gain,
    },
    /// Units crossed a border.
    Moved {
        nation: String,
        unit: Piece,
        count: u8,
        from: String,
        to: String,
    },
    /// Both nations lost so many units of one kind, special units included.
    BattleFought {
        nation: String,
        against: String,
        unit: Unit,
        count: u8,
        region: String,
    },
    /// A special unit fell in a battle and went back to its box.
    SpecialUnitFell {
        nation: String,
        unit: SpecialUnit,
        region: String,
    },
    /// A conquest was declared that the city's owner may answer.
    ConquestDeclared {
        nation: String,
        from: String,
        region: String,
        legions: u8,
        galleys: u8,
    },
    /// A city was saved by an event card.
    CitySaved { nation: String, region: String },
    /// A city was given up for its token.
    CityGivenUp { nation: String, region: String },
    /// A city was conquered; the numbers are the units that the conqueror lost.
    Conquered {
        nation: String,
        from: String,
        region: String,
        legions: u8,
        galleys: u8,
    },
    /// The owner of a conquered city lost its units there.
    DefendersLost {
        nation: String,
        region: String,
        legions: u8,
        galleys: u8,
    },
    /// A temple was destroyed; a neutral one has no owner.
    TempleDestroyed {
        nation: String,
        owner: Option<String>,
        region: String,
    },
    /// Units were lost for a temple that belonged to nobody.
    NeutralTempleTaken {
        nation: String,
        region: String,
        legions: u8,
        galleys: u8,
    },
    /// The Bellona card went to another nation.
    BellonaPassed { nation: String, to: String },
    /// A city was founded.
    Founded {
        nation: String,
        region: String,
        resource: Resource,
    },
    /// A personage was won; `extra` for all know-hows.
    PersonageWon {
        nation: String,
        personage: Personage,
        extra: bool,
    },
    /// A nation took an event card of the open row.
    CardTaken { nation: String, card: String },
    /// A card of the deck was laid into the open row.
    CardRevealed { card: String },
    /// The used cards became a new deck of so many cards.
    DeckShuffled { cards: u8 },
    /// A nation played an event card.
    CardPlayed { nation: String, card: String },
    /// An event card gave chips.
    ChipsGained {
        nation: String,
        resource: Resource,
        count: u32,
    },
    /// An event card gave coins.
    CoinsGained { nation: String, count: u8 },
    /// An event card took coins; they went to the bank.
    CoinsLost { nation: String, count: u8 },
    /// A turn ended.
    TurnEnded { nation: String },
    /// A nation left the game.
    Resigned { nation: String },
    /// The game is over.
    GameEnded { reason: EndReason },
}

impl EffectBody {
    /// The wire form of an effect.
    pub fn from_effect(game: &Game, effect: &Effect) -> EffectBody {
        let name = |nation: Nation| game.nation_name(nation).to_owned();
        let place = |region: Region| game.board.name(region).to_owned();
        let card_name = |card: Card| game.ruleset.card_name(card).to_owned();
        match *effect {
            Effect::CityChosen { nation, region } => EffectBody::CityChosen {
                nation: name(nation),
                region: place(region),
            },
            Effect::RoundBegan { round } => EffectBody::RoundBegan { round },
            Effect::CoinTaken { nation } => EffectBody::CoinTaken {
                nation: name(nation),
            },
            Effect::ChipTaken { nation, resource } => EffectBody::ChipTaken {
                nation: name(nation),
                resource,
            },
            Effect::TurnBegan { nation, turn } => EffectBody::TurnBegan {
                nation: name(nation),
                turn,
            },
            Effect::StoneMoved {
                nation,
                field,
                steps,
            } => EffectBody::StoneMoved {
                nation: name(nation),
                field,
                steps,
            },
            Effect::Paid { nation, pay } => EffectBody::Paid {
                nation: name(nation),
                pay,
            },
            Effect::Produced {
                nation,
                resource,
                count,
            } => EffectBody::Produced {
                nation: name(nation),
                resource,
                count,
            },
            Effect::TempleBuilt { nation, region } => EffectBody::TempleBuilt {
                nation: name(nation),
                region: place(region),
            },
            Effect::WallBuilt { nation, region } => EffectBody::WallBuilt {
                nation: name(nation),
                region: place(region),
            },
            Effect::WallDestroyed { nation, region } => EffectBody::WallDestroyed {
                nation: name(nation),
                region: place(region),
            },
            Effect::WallReceived { nation } => EffectBody::WallReceived {
                nation: name(nation),
            },
            Effect::Armed {
                nation,
                region,
                unit,
            } => EffectBody::Armed {
                nation: name(nation),
                region: place(region),
                unit,
            },
            Effect::Recruited {
                nation,
                unit,
                count,
            } => EffectBody::Recruited {
                nation: name(nation),
                unit,
                count,
            },
            Effect::Developed {
                nation,
                know_how,
                first,
            } => EffectBody::Developed {
                nation: name(nation),
                know_how: game.ruleset.know_how_name(know_how).to_owned(),
                first,
            },
            Effect::Traded { nation, give, take } => EffectBody::Traded {
                nation: name(nation),
                give,
                take,
            },
            Effect::Moved {
                nation,
                unit,
                count,
                from,
                to,
            } => EffectBody::Moved {
                nation: name(nation),
                unit,
                count,
                from: place(from),
                to: place(to),
            },
            Effect::BattleFought {
                nation,
                against,
                unit,
                count,
                region,
            } => EffectBody::BattleFought {
                nation: name(nation),
                against: name(against),
                unit,
                count,
                region: place(region),
            },
            Effect::SpecialUnitFell {
                nation,
                unit,
                region,
            } => EffectBody::SpecialUnitFell {
                nation: name(nation),
                unit,
                region: place(region),
            },
            Effect::ConquestDeclared {
                nation,
                from,
                region,
                legions,
                galleys,
            } => EffectBody::ConquestDeclared {
                nation: name(nation),
                from: name(from),
                region: place(region),
                legions,
                galleys,
            },
            Effect::CitySaved { nation, region } => EffectBody::CitySaved {
                nation: name(nation),
                region: place(region),
            },
            Effect::CityGivenUp { nation, region } => EffectBody::CityGivenUp {
                nation: name(nation),
                region: place(region),
            },
            Effect::Conquered {
                nation,
                from,
                region,
                legions,
                galleys,
            } => EffectBody::Conquered {
                nation: name(nation),
                from: name(from),
                region: place(region),
                legions,
                galleys,
            },
            Effect::DefendersLost {
                nation,
                region,
                legions,
                galleys,
            } => EffectBody::DefendersLost {
                nation: name(nation),
                region: place(region),
                legions,
                galleys,
            },
            Effect::TempleDestroyed {
                nation,
                owner,
                region,
            } => EffectBody::TempleDestroyed {
                nation: name(nation),
                owner: owner.map(name),
                region: place(region),
            },
            Effect::NeutralTempleTaken {
                nation,
                region,
                legions,
                galleys,
            } => EffectBody::NeutralTempleTaken {
                nation: name(nation),
                region: place(region),
                legions,
                galleys,
            },
            Effect::BellonaPassed { nation, to } => EffectBody::BellonaPassed {
                nation: name(nation),
                to: name(to),
            },
            Effect::Founded {
                nation,
                region,
                resource,
            } => EffectBody::Founded {
                nation: name(nation),
                region: place(region),
                resource,
            },
            Effect::PersonageWon {
                nation,
                personage,
                extra,
            } => EffectBody::PersonageWon {
                nation: name(nation),
                personage,
                extra,
            },
            Effect::CardTaken { nation, card } => EffectBody::CardTaken {
                nation: name(nation),
                card: card_name(card),
            },
            Effect::CardRevealed { card } => EffectBody::CardRevealed {
                card: card_name(card),
            },
            Effect::DeckShuffled { cards } => EffectBody::DeckShuffled { cards },
            Effect::CardPlayed { nation, card } => EffectBody::CardPlayed {
                nation: name(nation),
                card: card_name(card),
            },
            Effect::ChipsGained {
                nation,
                resource,
                count,
            } => EffectBody::ChipsGained {
                nation: name(nation),
                resource,
                count,
            },
            Effect::CoinsGained { nation, count } => EffectBody::CoinsGained {
                nation: name(nation),
                count,
            },
            Effect::CoinsLost { nation, count } => EffectBody::CoinsLost {
                nation: name(nation),
                count,
            },
            Effect::TurnEnded { nation } => EffectBody::TurnEnded {
                nation: name(nation),
            },
            Effect::Resigned { nation } => EffectBody::Resigned {
                nation: name(nation),
            },
            Effect::GameEnded { reason } => EffectBody::GameEnded { reason },
        }
    }
}
