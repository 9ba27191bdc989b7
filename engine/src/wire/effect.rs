//! Effects on the wire.

use serde::{Deserialize, Serialize};

use crate::board::Region;
use crate::chips::Pay;
use crate::effect::Effect;
use crate::game::Game;
use crate::state::Nation;
use crate::vocabulary::{EndReason, Field, Personage, Resource, Unit};

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
    Paid { nation: String, pay: Pay },
    /// A production field gave chips.
    Produced {
        nation: String,
        resource: Resource,
        count: u32,
    },
    /// A temple was built.
    TempleBuilt { nation: String, region: String },
    /// A unit was set up.
    Armed {
        nation: String,
        region: String,
        unit: Unit,
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
        give: Pay,
        take: Pay,
    },
    /// Units crossed a border.
    Moved {
        nation: String,
        unit: Unit,
        count: u8,
        from: String,
        to: String,
    },
    /// Both nations lost so many units of one kind.
    BattleFought {
        nation: String,
        against: String,
        unit: Unit,
        count: u8,
        region: String,
    },
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
            Effect::Armed {
                nation,
                region,
                unit,
            } => EffectBody::Armed {
                nation: name(nation),
                region: place(region),
                unit,
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
