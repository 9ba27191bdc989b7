//! The result of a game, by the rules or by decision of people.

use serde::{Deserialize, Serialize};

use crate::play::Game;
use crate::state::State;
use crate::words::EndReason;

/// The result of a game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct ResultBody {
    /// Why the game ended.
    pub reason: EndReason,
    /// The seats, best first. Equal seats share a rank.
    pub ranks: Vec<RankBody>,
}

/// The rank of a seat in the result.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct RankBody {
    /// The seat, from 0.
    pub seat: u8,
    /// Its nations.
    pub nations: Vec<String>,
    /// The rank, from 1. Equal seats share a rank.
    pub rank: u8,
    /// Points of its best nation.
    pub points: u32,
    /// Its share of the win: 1/k for each of k winners, else 0.
    pub share: f64,
}

/// Why people cannot have decided a result.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DecisionError {
    /// The reason belongs to the rules.
    #[error("people can end a game by adjudication or agreement, but not by {0}")]
    Reason(EndReason),
    /// A seat is missing, repeated or unknown.
    #[error("every seat must have exactly one rank")]
    Seats,
    /// A rank is out of range, or no seat has rank 1.
    #[error("ranks must be from 1 to {most}, and at least one seat must have rank 1")]
    Ranks {
        /// The number of seats.
        most: u8,
    },
    /// Nations, points, shares or their order do not follow from position and ranks.
    #[error("nations, points, shares or their order do not match the position and the ranks")]
    Figures,
}

impl Game {
    /// Returns the result if the game is over.
    pub fn result_body(&self, state: &State) -> Option<ResultBody> {
        let outcome = state.outcome?;
        let ranks = (0..self.seats()).map(|seat| (seat as u8, outcome.ranks[seat]));
        Some(self.rank_seats(state, outcome.reason, ranks))
    }

    /// Returns a result with these ranks by seat, as for an adjudication.
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

    /// Returns the result if people end a game with these ranks by seat.
    ///
    /// # Errors
    /// If the reason is not adjudication or agreement, a seat does not have exactly one rank, a rank is not between 1
    /// and the number of seats, or no seat has rank 1.
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

    /// Checks that people can end a game in this state with exactly this result.
    ///
    /// # Errors
    /// Those of [`Game::decide`]; also if nations, points or shares do not match the state and ranks.
    pub fn check_decision(&self, state: &State, result: &ResultBody) -> Result<(), DecisionError> {
        let ranks = result.ranks.iter().map(|body| (body.seat, body.rank));
        match self.decide(state, result.reason, ranks)? == *result {
            true => Ok(()),
            false => Err(DecisionError::Figures),
        }
    }
}
