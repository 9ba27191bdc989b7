//! The JSON forms of actions, effects, states and results: names in place of interned numbers.

mod naming;
mod notation;
mod position;
mod position_cards;
mod state;
mod view;

use serde::{Deserialize, Serialize};

pub use naming::UnknownName;
pub use notation::NotationError;
pub use position::SetupError;
pub use state::{
    BankBody, BattleBody, CardChoiceBody, CardsBody, CityBody, FortressBody, NationBody,
    RegionBody, SpecialUnitBody, StateBody, SupplyBody, TurnStateBody, UnitsBody, UnitsLeftBody,
};
pub use view::digest_text;

use crate::play::{Game, Pending, PendingKind};
use crate::state::State;
use crate::words::{EndReason, Unit};

/// Who must act, and why.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct PendingBody {
    /// The nation that must act.
    pub nation: String,
    /// Its seat, from 0.
    pub seat: u8,
    /// What for.
    pub kind: PendingKindBody,
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

/// Why somebody must act.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum PendingKindBody {
    /// It is the nation's turn.
    Turn,
    /// Units have entered: how many pairs are lost?
    BattleAnswer,
    /// No coin is left: which chip?
    ChipChoice,
    /// All know-hows are owned: which personage?
    PersonageChoice,
    /// Which start city?
    CityChoice,
    /// A city was lost or personages were won: which event card?
    CardChoice,
    /// A conquest was declared: is an event card played against it?
    FortressAnswer,
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
    pub fn pending_body(&self, state: &State) -> Vec<PendingBody> {
        let body = |Pending { nation, kind }| {
            let mut body = PendingBody {
                nation: self.nation_name(nation).to_owned(),
                seat: self.seat_of(nation),
                kind: PendingKindBody::Turn,
                region: None,
                unit: None,
                against: None,
                most: None,
                options: None,
                due: None,
                offered: None,
            };
            match kind {
                PendingKind::Turn => {}
                PendingKind::CityChoice => body.kind = PendingKindBody::CityChoice,
                PendingKind::ChipChoice => body.kind = PendingKindBody::ChipChoice,
                PendingKind::BattleAnswer {
                    region,
                    unit,
                    against,
                    most,
                } => {
                    body.kind = PendingKindBody::BattleAnswer;
                    body.region = Some(self.board.name(region).to_owned());
                    body.unit = Some(unit);
                    body.against = Some(self.nation_name(against).to_owned());
                    body.most = Some(most);
                }
                PendingKind::PersonageChoice { options } => {
                    body.kind = PendingKindBody::PersonageChoice;
                    let open = options.iter().map(|kind| kind.name().to_owned());
                    body.options = Some(open.collect());
                }
                PendingKind::CardChoice { options, due } => {
                    body.kind = PendingKindBody::CardChoice;
                    let open = options
                        .iter()
                        .map(|card| self.ruleset.card_name(card).to_owned());
                    body.options = Some(open.collect());
                    body.due = Some(due);
                }
                PendingKind::FortressAnswer {
                    region,
                    against,
                    lost: [legions, galleys],
                } => {
                    body.kind = PendingKindBody::FortressAnswer;
                    body.region = Some(self.board.name(region).to_owned());
                    body.against = Some(self.nation_name(against).to_owned());
                    body.offered = Some(UnitsBody { legions, galleys });
                }
            }
            body
        };
        self.pending(state).map(body).into_iter().collect()
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
