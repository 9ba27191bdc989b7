//! Actions on the wire.

use serde::{Deserialize, Serialize};

use crate::chips::{Gain, Payment};
use crate::ids::{Card, Region};
use crate::play::{Action, Game};
use crate::words::{Field, Personage, Piece, Resource, Unit};

/// One decision, as it is posted. `pay` is always the whole payment; left out it means chips first,
/// coins for what lacks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum ActionBody {
    /// Moves on the rondel. Fields beyond the free ones cost a chip or coin each, which `pay` must
    /// name.
    MoveStone {
        /// Where to.
        field: Field,
        /// What is paid for fields beyond the free ones.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pay: Option<Payment>,
    },
    /// Builds a temple in an own city.
    BuildTemple {
        /// The city's region.
        region: String,
        /// The whole payment.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pay: Option<Payment>,
    },
    /// Builds a town wall in an own city.
    BuildWall {
        /// The city's region.
        region: String,
        /// The whole payment.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pay: Option<Payment>,
    },
    /// Sets up one unit in a region with an own city.
    Arm {
        /// The region.
        region: String,
        /// Which.
        unit: Piece,
        /// Whether it is the unit that the Bellona card gives for nothing.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        free: bool,
        /// The whole payment.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pay: Option<Payment>,
    },
    /// Buys a know-how.
    Develop {
        /// Its name, as `/v1/editions` lists it.
        know_how: String,
        /// The whole payment.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pay: Option<Payment>,
    },
    /// Moves units from the supply to the recruitment box.
    Recruit {
        /// Which kind.
        unit: Unit,
        /// How many.
        count: u8,
        /// The whole payment.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pay: Option<Payment>,
    },
    /// Moves units of one kind together, or a special unit, over one border.
    March {
        /// Which.
        unit: Piece,
        /// How many; 1 of a special unit.
        count: u8,
        /// From which region.
        from: String,
        /// To which region.
        to: String,
        /// Only units with so many maneuvers left; by default those with the fewest go first.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        left: Option<u8>,
    },
    /// Fights units of another nation in the same region.
    Battle {
        /// Which kind.
        unit: Unit,
        /// How many pairs are lost.
        count: u8,
        /// Where.
        region: String,
        /// The other nation.
        against: String,
    },
    /// Answers units that have just entered.
    AnswerBattle {
        /// How many pairs are lost; 0 lets them pass.
        count: u8,
    },
    /// Conquers a city, for exactly as many units as its defence.
    Conquer {
        /// The city's region.
        region: String,
        /// Legions lost.
        #[serde(default)]
        legions: u8,
        /// Galleys lost.
        #[serde(default)]
        galleys: u8,
        /// The own city given up when no token is left.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        give_up: Option<String>,
    },
    /// Founds a city where a unit stands.
    Found {
        /// The region.
        region: String,
        /// What it produces; needed only where the site leaves a choice.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        resource: Option<Resource>,
        /// The whole payment.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pay: Option<Payment>,
    },
    /// Trades one lot with the bank.
    Trade {
        /// Chips and coins given.
        give: Payment,
        /// Chips taken.
        take: Gain,
    },
    /// Chooses the chip taken for lack of coins.
    ChooseChip {
        /// Which.
        resource: Resource,
    },
    /// Chooses the personage for all know-hows.
    ChoosePersonage {
        /// Which.
        personage: Personage,
    },
    /// Chooses a start city.
    ChooseCity {
        /// The region.
        region: String,
    },
    /// Takes an event card of the open row.
    TakeCard {
        /// Its name, as `/v1/editions` lists it.
        card: String,
    },
    /// Plays an event card.
    PlayCard {
        /// Its name, as `/v1/editions` lists it.
        card: String,
        /// Where, for cards that need it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        region: Option<String>,
        /// Which kind of unit, for cards that need it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        unit: Option<Unit>,
    },
    /// Plays no event card against a declared conquest.
    Pass {},
    /// Ends the turn.
    EndTurn {},
    /// Leaves the game with all nations of the player.
    Resign {},
}

/// A name in a wire form that the game does not have.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct WireError {
    /// The field, such as `region`.
    pub field: &'static str,
    /// What is wrong.
    pub message: String,
}

impl ActionBody {
    /// The compact form.
    ///
    /// # Errors
    /// When a region, nation, know-how or event card is none of this game's.
    pub fn to_action(&self, game: &Game) -> Result<Action, WireError> {
        let region = |field: &'static str, name: &String| -> Result<Region, WireError> {
            game.board.region(name).ok_or_else(|| WireError {
                field,
                message: format!("the board has no region {name:?}"),
            })
        };
        let card = |name: &String| -> Result<Card, WireError> {
            game.ruleset.card_by_name(name).ok_or_else(|| WireError {
                field: "card",
                message: format!("the edition has no event card {name:?}"),
            })
        };
        Ok(match self {
            ActionBody::MoveStone { field, pay } => Action::MoveStone {
                field: *field,
                pay: pay.unwrap_or(Payment::NOTHING),
            },
            ActionBody::BuildTemple { region: at, pay } => Action::BuildTemple {
                region: region("region", at)?,
                pay: *pay,
            },
            ActionBody::BuildWall { region: at, pay } => Action::BuildWall {
                region: region("region", at)?,
                pay: *pay,
            },
            ActionBody::Arm {
                region: at,
                unit,
                free,
                pay,
            } => Action::Arm {
                region: region("region", at)?,
                unit: *unit,
                free: *free,
                pay: *pay,
            },
            ActionBody::Develop { know_how, pay } => Action::Develop {
                know_how: game
                    .ruleset
                    .know_how_by_name(know_how)
                    .ok_or_else(|| WireError {
                        field: "know_how",
                        message: format!("the edition has no know-how {know_how:?}"),
                    })?,
                pay: *pay,
            },
            ActionBody::Recruit { unit, count, pay } => Action::Recruit {
                unit: *unit,
                count: *count,
                pay: *pay,
            },
            ActionBody::March {
                unit,
                count,
                from,
                to,
                left,
            } => Action::March {
                unit: *unit,
                count: *count,
                from: region("from", from)?,
                to: region("to", to)?,
                left: *left,
            },
            ActionBody::Battle {
                unit,
                count,
                region: at,
                against,
            } => Action::Battle {
                unit: *unit,
                count: *count,
                region: region("region", at)?,
                against: game.nation_by_name(against).ok_or_else(|| WireError {
                    field: "against",
                    message: format!("no nation {against:?} plays"),
                })?,
            },
            ActionBody::AnswerBattle { count } => Action::AnswerBattle { count: *count },
            ActionBody::Conquer {
                region: at,
                legions,
                galleys,
                give_up,
            } => Action::Conquer {
                region: region("region", at)?,
                legions: *legions,
                galleys: *galleys,
                give_up: match give_up {
                    None => None,
                    Some(city) => Some(region("give_up", city)?),
                },
            },
            ActionBody::Found {
                region: at,
                resource,
                pay,
            } => Action::Found {
                region: region("region", at)?,
                resource: *resource,
                pay: *pay,
            },
            ActionBody::Trade { give, take } => Action::Trade {
                give: *give,
                take: *take,
            },
            ActionBody::ChooseChip { resource } => Action::ChooseChip {
                resource: *resource,
            },
            ActionBody::ChoosePersonage { personage } => Action::ChoosePersonage {
                personage: *personage,
            },
            ActionBody::ChooseCity { region: at } => Action::ChooseCity {
                region: region("region", at)?,
            },
            ActionBody::TakeCard { card: name } => Action::TakeCard { card: card(name)? },
            ActionBody::PlayCard {
                card: name,
                region: at,
                unit,
            } => Action::PlayCard {
                card: card(name)?,
                region: match at {
                    None => None,
                    Some(at) => Some(region("region", at)?),
                },
                unit: *unit,
            },
            ActionBody::Pass {} => Action::Pass,
            ActionBody::EndTurn {} => Action::EndTurn,
            ActionBody::Resign {} => Action::Resign,
        })
    }

    /// The wire form of an action.
    pub fn from_action(game: &Game, action: &Action) -> ActionBody {
        let region = |region: Region| game.board.name(region).to_owned();
        match *action {
            Action::MoveStone { field, pay } => ActionBody::MoveStone {
                field,
                pay: Some(pay).filter(|pay| *pay != Payment::NOTHING),
            },
            Action::BuildTemple { region: at, pay } => ActionBody::BuildTemple {
                region: region(at),
                pay,
            },
            Action::BuildWall { region: at, pay } => ActionBody::BuildWall {
                region: region(at),
                pay,
            },
            Action::Arm {
                region: at,
                unit,
                free,
                pay,
            } => ActionBody::Arm {
                region: region(at),
                unit,
                free,
                pay,
            },
            Action::Develop { know_how, pay } => ActionBody::Develop {
                know_how: game.ruleset.know_how_name(know_how).to_owned(),
                pay,
            },
            Action::Recruit { unit, count, pay } => ActionBody::Recruit { unit, count, pay },
            Action::March {
                unit,
                count,
                from,
                to,
                left,
            } => ActionBody::March {
                unit,
                count,
                from: region(from),
                to: region(to),
                left,
            },
            Action::Battle {
                unit,
                count,
                region: at,
                against,
            } => ActionBody::Battle {
                unit,
                count,
                region: region(at),
                against: game.nation_name(against).to_owned(),
            },
            Action::AnswerBattle { count } => ActionBody::AnswerBattle { count },
            Action::Conquer {
                region: at,
                legions,
                galleys,
                give_up,
            } => ActionBody::Conquer {
                region: region(at),
                legions,
                galleys,
                give_up: give_up.map(region),
            },
            Action::Found {
                region: at,
                resource,
                pay,
            } => ActionBody::Found {
                region: region(at),
                resource,
                pay,
            },
            Action::Trade { give, take } => ActionBody::Trade { give, take },
            Action::ChooseChip { resource } => ActionBody::ChooseChip { resource },
            Action::ChoosePersonage { personage } => ActionBody::ChoosePersonage { personage },
            Action::ChooseCity { region: at } => ActionBody::ChooseCity { region: region(at) },
            Action::TakeCard { card } => ActionBody::TakeCard {
                card: game.ruleset.card_name(card).to_owned(),
            },
            Action::PlayCard {
                card,
                region: at,
                unit,
            } => ActionBody::PlayCard {
                card: game.ruleset.card_name(card).to_owned(),
                region: at.map(region),
                unit,
            },
            Action::Pass => ActionBody::Pass {},
            Action::EndTurn => ActionBody::EndTurn {},
            Action::Resign => ActionBody::Resign {},
        }
    }
}
