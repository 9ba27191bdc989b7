//! Text and JSON of actions, effects, states and results: names in place of numbers.
//!
//! What is printed is read back without loss: an action from its notation and JSON, a state from its [`View`] by way
//! of a [`Position`], which is checked in full; it returns all faults at once.
//!
//! [`View::from_state`] does not contain the order of the event deck. [`View::with_deck`] does: it is for positions of
//! one's own and for games that are over.

mod naming;
mod notation;
mod position;
mod result;
mod state;
mod view;

use serde::{Deserialize, Serialize};

pub use naming::UnknownName;
pub use notation::NotationError;
pub use position::{PositionFault, SetupError};
pub use result::{DecisionError, RankBody, ResultBody};
pub use state::{
    BankBody, BankPosition, BattleBody, CardChoiceBody, CardsBody, CityBody, FortressBody,
    NationBody, Position, RegionBody, SpecialUnitBody, SupplyBody, TurnStateBody, UnitsBody,
    UnitsLeftBody, View,
};
pub use view::digest_text;

use crate::play::Game;
use crate::state::{Question, State};
use crate::words::Unit;

/// Who must act, and why.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = Question))]
pub struct QuestionForm {
    /// The nation that must act.
    pub nation: String,
    /// Its seat, from 0.
    pub seat: u8,
    /// What for.
    #[serde(flatten)]
    pub asked: Asked,
}

/// What somebody is asked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Asked {
    /// The turn.
    Turn,
    /// Which region of several is the start city.
    CityChoice,
    /// Which chip is taken for lack of coins.
    ChipChoice,
    /// Whether units that have entered are fought.
    BattleAnswer {
        /// Where they have entered.
        region: String,
        /// Which kind.
        unit: Unit,
        /// Whose they are.
        against: String,
        /// How many pairs can be lost at most.
        most: u8,
    },
    /// Which personage all know-hows give.
    PersonageChoice {
        /// What can be chosen.
        options: Vec<String>,
    },
    /// Which event card of the open row is taken.
    CardChoice {
        /// What can be chosen.
        options: Vec<String>,
        /// How many cards are taken, this one included.
        due: u8,
    },
    /// Whether an event card is played against a declared conquest.
    FortressAnswer {
        /// Which city.
        region: String,
        /// Who conquers.
        against: String,
        /// The units that the conqueror offers.
        offered: UnitsBody,
    },
}

impl Game {
    /// Who must act, for the wire; nobody when the game is over.
    pub fn questions(&self, state: &State) -> Vec<QuestionForm> {
        let form = |question| self.question_form(state, question);
        self.question(state).map(form).into_iter().collect()
    }

    fn question_form(&self, state: &State, question: Question) -> QuestionForm {
        let nation = question.asked();
        let opponent = || self.nation_name(state.to_move).to_owned();
        let asked = match question {
            Question::Turn { .. } => Asked::Turn,
            Question::StartCity { .. } => Asked::CityChoice,
            Question::Chip { .. } => Asked::ChipChoice,
            Question::Battle { region, unit, .. } => Asked::BattleAnswer {
                region: self.board.name(region).to_owned(),
                unit,
                against: opponent(),
                most: self.most_pairs(state, region, unit, nation),
            },
            Question::Personage { options, .. } => Asked::PersonageChoice {
                options: options.iter().map(|kind| kind.name().to_owned()).collect(),
            },
            Question::Cards { due, .. } => {
                let open = state.cards.open.kinds().into_iter();
                let names = open.map(|card| self.ruleset.card_name(card).to_owned());
                Asked::CardChoice {
                    options: names.collect(),
                    due,
                }
            }
            Question::Fortress { region, lost, .. } => Asked::FortressAnswer {
                region: self.board.name(region).to_owned(),
                against: opponent(),
                offered: UnitsBody::of(lost),
            },
        };
        QuestionForm {
            nation: self.nation_name(nation).to_owned(),
            seat: self.seat_of(nation),
            asked,
        }
    }
}
