//! How a game ended, by the rules or by people.

use serde::{Deserialize, Serialize};

use crate::play::Game;
use crate::state::State;
use crate::words::EndReason;

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

/// Ranks or a reason that people cannot decide.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DecisionError {
    /// The reason is one of the rules.
    #[error("people end a game by adjudication or agreement, not by {0}")]
    Reason(EndReason),
    /// A seat is missing, there twice, or none of the game.
    #[error("every seat has one rank")]
    Seats,
    /// A rank is out of range, or nobody is first.
    #[error("ranks go from 1 to {most}, and somebody is first")]
    Ranks {
        /// The number of seats.
        most: u8,
    },
    /// Nations, points, shares or their order are not those of the position and the ranks.
    #[error("its nations, points, shares or their order are not those of the position")]
    Figures,
}

impl Game {
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

    /// The result when people end a game with these ranks by seat.
    ///
    /// # Errors
    /// When the reason is not adjudication or agreement, a seat does not have exactly one rank, a
    /// rank is not between 1 and the number of seats, or nobody is first.
    pub fn decide(
        &self,
        state: &State,
        reason: EndReason,
        ranks: impl IntoIterator<Item = (u8, u8)>,
    ) -> Result<ResultBody, DecisionError> {
        if !reason.is_decision() {
            return Err(DecisionError::Reason(reason));
        }
        let mut ranks: Vec<(u8, u8)> = ranks.into_iter().collect();
        ranks.sort_unstable();
        // A game has at most six seats.
        let most = self.seats() as u8;
        if !ranks.iter().map(|(seat, _)| *seat).eq(0..most) {
            return Err(DecisionError::Seats);
        }
        let in_range = ranks.iter().all(|(_, rank)| (1..=most).contains(rank));
        if !in_range || ranks.iter().all(|(_, rank)| *rank != 1) {
            return Err(DecisionError::Ranks { most });
        }
        Ok(self.rank_seats(state, reason, ranks.into_iter()))
    }

    /// Whether people can have ended a game in this state with just this result.
    ///
    /// # Errors
    /// As [`Game::decide`]; when nations, points or shares are not those of the state and ranks.
    pub fn check_decision(&self, state: &State, result: &ResultBody) -> Result<(), DecisionError> {
        let ranks = result.ranks.iter().map(|body| (body.seat, body.rank));
        match self.decide(state, result.reason, ranks)? == *result {
            true => Ok(()),
            false => Err(DecisionError::Figures),
        }
    }
}
