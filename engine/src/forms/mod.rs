//! Text and JSON of actions, effects, states and results: names in place of numbers.
//!
//! What is printed is read back without loss: an action from its notation and JSON, a state from its
//! [`View`] by way of a [`Position`], which is checked in full, with all faults told at once. A view
//! of a game that goes on never tells the order of the event deck.

mod naming;
mod notation;
mod position;
mod state;
mod view;

use serde::{Deserialize, Serialize};

pub use naming::UnknownName;
pub use notation::NotationError;
pub use position::{Fault, SetupError};
pub use state::{
    BankBody, BankPosition, BattleBody, CardChoiceBody, CardsBody, CityBody, FortressBody,
    NationBody, Position, RegionBody, SpecialUnitBody, SupplyBody, TurnStateBody, UnitsBody,
    UnitsLeftBody, View,
};
pub use view::digest_text;

use crate::play::Game;
use crate::state::{Question, QuestionKind, State};
use crate::words::{EndReason, Unit};

/// Who must act, and why.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct QuestionForm {
    /// The nation that must act.
    pub nation: String,
    /// Its seat, from 0.
    pub seat: u8,
    /// What for.
    pub kind: QuestionKind,
    /// Where units have entered, for a battle answer; which city, for a fortress answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub region: Option<String>,
    /// Which kind has entered, for a battle answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unit: Option<Unit>,
    /// Whose units have entered, for a battle answer; who conquers, for a fortress answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub against: Option<String>,
    /// How many pairs can be lost at most, for a battle answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub most: Option<u8>,
    /// What can be chosen, for a personage or card choice.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub options: Option<Vec<String>>,
    /// How many cards are taken, this one included, for a card choice.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub due: Option<u8>,
    /// The units that the conqueror offers, for a fortress answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub offered: Option<UnitsBody>,
}

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct ResultBody {
    /// Why.
    pub reason: EndReason,
    /// The seats, best first; equal ones share a rank.
    pub ranks: Vec<RankBody>,
}

/// A seat's place in the result.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct RankBody {
    /// The seat, from 0.
    pub seat: u8,
    /// Its nations.
    pub nations: Vec<String>,
    /// From 1; equal seats share a rank.
    pub rank: u8,
    /// Points of its best nation.
    pub points: u32,
    /// Its part of the win: 1/k for each of k winners, else 0.
    pub share: f64,
}

impl Game {
    /// Who must act, for the wire; nobody when the game is over.
    pub fn questions(&self, state: &State) -> Vec<QuestionForm> {
        let form = |question| self.question_form(state, question);
        self.question(state).map(form).into_iter().collect()
    }

    fn question_form(&self, state: &State, question: Question) -> QuestionForm {
        let asked = question.asked();
        let mut form = QuestionForm {
            nation: self.nation_name(asked).to_owned(),
            seat: self.seat_of(asked),
            kind: question.kind(),
            region: None,
            unit: None,
            against: None,
            most: None,
            options: None,
            due: None,
            offered: None,
        };
        match question {
            Question::Turn { .. } | Question::StartCity { .. } | Question::Chip { .. } => {}
            Question::Battle { region, unit, .. } => {
                form.region = Some(self.board.name(region).to_owned());
                form.unit = Some(unit);
                form.against = Some(self.nation_name(state.to_move).to_owned());
                form.most = Some(self.most_pairs(state, region, unit, asked));
            }
            Question::Personage { options, .. } => {
                let names = options.iter().map(|kind| kind.name().to_owned());
                form.options = Some(names.collect());
            }
            Question::Cards { due, .. } => {
                let open = state.cards.open.kinds().into_iter();
                let names = open.map(|card| self.ruleset.card_name(card).to_owned());
                form.options = Some(names.collect());
                form.due = Some(due);
            }
            Question::Fortress { region, lost, .. } => {
                form.region = Some(self.board.name(region).to_owned());
                form.against = Some(self.nation_name(state.to_move).to_owned());
                form.offered = Some(UnitsBody::of(lost));
            }
        }
        form
    }

    /// How the game ended, if it has.
    pub fn result_body(&self, state: &State) -> Option<ResultBody> {
        let outcome = state.outcome?;
        let ranks = (0..self.seats()).map(|seat| (seat as u8, outcome.ranks[seat]));
        Some(self.rank_seats(state, outcome.reason, ranks))
    }

    /// A result with these ranks by seat, as an adjudication gives them.
    pub fn rank_seats(
        &self,
        state: &State,
        reason: EndReason,
        ranks: impl Iterator<Item = (u8, u8)>,
    ) -> ResultBody {
        let ranks: Vec<(u8, u8)> = ranks.collect();
        let winners = ranks.iter().filter(|(_, rank)| *rank == 1).count();
        let mut ranks: Vec<RankBody> = ranks
            .into_iter()
            .map(|(seat, rank)| {
                let points = self.nations_of(seat).map(|n| self.points(state, n)).max();
                RankBody {
                    seat,
                    nations: self
                        .nations_of(seat)
                        .map(|nation| self.nation_name(nation).to_owned())
                        .collect(),
                    rank,
                    points: points.unwrap_or(0),
                    share: if rank == 1 { 1.0 / winners as f64 } else { 0.0 },
                }
            })
            .collect();
        ranks.sort_by_key(|body| (body.rank, body.seat));
        ResultBody { reason, ranks }
    }
}
