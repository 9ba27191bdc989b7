//! The end of a game that people decide: by agreement or adjudication, with one rank for each seat.

use serde::{Deserialize, Deserializer, Serialize};

use crate::forms::{RankBody, ResultBody};
use crate::play::Game;
use crate::state::State;
use crate::words::EndReason;

/// An end that people decided.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(from = "Told", into = "Told")]
pub struct Decision {
    /// The result.
    pub result: ResultBody,
    /// What was noted with it. One that is declared needs none.
    pub note: Option<String>,
    /// Whether a record claimed it and no log carried it: whoever took the record in decided
    /// nothing.
    pub declared: bool,
}

/// The JSON of a decision. One that was made where the log was written always has `note`, be it
/// null; one without is declared, as imports wrote it before they wrote `declared`.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Told {
    reason: EndReason,
    ranks: Vec<RankBody>,
    #[serde(
        default,
        deserialize_with = "present",
        skip_serializing_if = "Option::is_none"
    )]
    note: Option<Option<String>>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    declared: bool,
}

fn present<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Option<String>>, D::Error> {
    Option::deserialize(from).map(Some)
}

impl From<Told> for Decision {
    fn from(told: Told) -> Decision {
        Decision {
            declared: told.declared || told.note.is_none(),
            result: ResultBody {
                reason: told.reason,
                ranks: told.ranks,
            },
            note: told.note.flatten(),
        }
    }
}

impl From<Decision> for Told {
    fn from(decision: Decision) -> Told {
        Told {
            reason: decision.result.reason,
            ranks: decision.result.ranks,
            note: match decision.note {
                None if decision.declared => None,
                note => Some(note),
            },
            declared: decision.declared,
        }
    }
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
