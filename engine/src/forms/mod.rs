//! Text and JSON of actions, effects, states and results, with names in place of numbers.
//!
//! Everything printed can be read back without loss: an action from its notation and JSON, a state from its [`View`]
//! through a [`Position`]. A position is checked completely, and all faults are returned at once.
//!
//! [`View::from_state`] does not contain the order of the event deck. [`View::with_deck`] does: it is for one's own
//! positions and for games that are over.

mod naming;
mod notation;
mod position;
mod result;
mod state;
mod view;

use serde::{Deserialize, Serialize};

pub use naming::UnknownName;
pub use notation::NotationError;
pub(crate) use position::MOST;
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

/// The open question of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = Question))]
pub struct QuestionForm {
    /// The nation that must act.
    pub nation: String,
    /// Its seat, from 0.
    pub seat: u8,
    /// The question with its options.
    #[serde(flatten)]
    pub asked: QuestionDetails,
}

/// A question with its options.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum QuestionDetails {
    /// The nation's turn.
    Turn,
    /// Which region becomes the start city.
    CityChoice,
    /// Which chip the nation takes because no coin is left.
    ChipChoice,
    /// Whether to fight units that have entered.
    BattleAnswer {
        /// The region that they have entered.
        region: String,
        /// The kind of unit.
        unit: Unit,
        /// Their nation.
        against: String,
        /// The most pairs that can be lost.
        most: u8,
    },
    /// Which personage the nation receives for all know-hows.
    PersonageChoice {
        /// The possible choices.
        options: Vec<String>,
    },
    /// Which event card of the open row the nation takes.
    CardChoice {
        /// The possible choices.
        options: Vec<String>,
        /// How many cards it still takes, including this one.
        due: u8,
    },
    /// Whether the nation plays an event card against a declared conquest.
    FortressAnswer {
        /// The region of the city.
        region: String,
        /// The conquering nation.
        against: String,
        /// The units that the conqueror offers.
        offered: UnitsBody,
    },
}

impl Game {
    /// Returns the open question, with names; empty if the game is over.
    pub fn questions(&self, state: &State) -> Vec<QuestionForm> {
        let form = |question| self.question_form(state, question);
        self.question(state).map(form).into_iter().collect()
    }

    fn question_form(&self, state: &State, question: Question) -> QuestionForm {
        let nation = question.nation();
        let opponent = || self.nation_name(state.to_move).to_owned();
        let asked = match question {
            Question::Turn { .. } => QuestionDetails::Turn,
            Question::StartCity { .. } => QuestionDetails::CityChoice,
            Question::Chip { .. } => QuestionDetails::ChipChoice,
            Question::Battle { region, unit, .. } => QuestionDetails::BattleAnswer {
                region: self.board.name(region).to_owned(),
                unit,
                against: opponent(),
                most: self.most_pairs(state, region, unit, nation),
            },
            Question::Personage { options, .. } => QuestionDetails::PersonageChoice {
                options: options.iter().map(|kind| kind.name().to_owned()).collect(),
            },
            Question::Cards { due, .. } => {
                let open = state.cards.open.kinds().into_iter();
                let names = open.map(|card| self.ruleset.card_name(card).to_owned());
                QuestionDetails::CardChoice {
                    options: names.collect(),
                    due,
                }
            }
            Question::Fortress { region, lost, .. } => QuestionDetails::FortressAnswer {
                region: self.board.name(region).to_owned(),
                against: opponent(),
                offered: UnitsBody::from_counts(lost),
            },
        };
        QuestionForm {
            nation: self.nation_name(nation).to_owned(),
            seat: self.seat_of(nation),
            asked,
        }
    }
}
