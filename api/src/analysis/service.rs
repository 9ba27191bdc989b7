//! Analyses positions: given ones, and those of games.

use std::time::{Duration, Instant};

use bots::search::value::Value;
use bots::{Analysis, Assessment, Budget, Candidate, Estimate, Observation, TurnReason};
use engine::chance::Chance;
use engine::play::{Action, Game, Names};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::games::Games;
use crate::games::stateless::Situation;
use crate::http::call::Call;
use crate::http::error::ServiceError;

/// The interval between events of a stream.
const EVENT_INTERVAL: Duration = Duration::from_millis(250);

/// A position of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct GamePosition {
    /// The id of the game.
    pub id: Uuid,
    /// The sequence number of the event after which the position is analysed; the last event by default.
    #[serde(default)]
    pub seq: Option<u64>,
}

/// The budget of an analysis: playouts or milliseconds.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AnalysisBudget {
    /// The number of playouts. The same number gives the same analysis.
    #[serde(default)]
    #[schema(minimum = 1)]
    pub playouts: Option<u32>,
    /// The time in milliseconds. The result depends on the machine and its load.
    #[serde(default)]
    #[schema(minimum = 1)]
    pub milliseconds: Option<u32>,
}

/// A position to analyse, with a budget.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AnalysisRequest {
    /// A position with its rules. Give either `situation` or `game`.
    #[serde(default)]
    pub situation: Option<Situation>,
    /// A position of a game. Give either `situation` or `game`.
    #[serde(default)]
    pub game: Option<GamePosition>,
    /// The budget; 50 playouts by default.
    #[serde(default)]
    pub budget: Option<AnalysisBudget>,
    /// The maximum number of candidates in the answer, from 1 to 64; 5 by default.
    #[serde(default)]
    #[schema(minimum = 1, maximum = 64)]
    pub candidates: Option<u8>,
    /// The seed of random choices. The same seed and number of playouts give the same analysis.
    #[serde(default)]
    pub seed: String,
}

/// The expected share of the win for a seat, from 0 to 1.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ShareBody {
    /// The number of the seat.
    pub seat: u8,
    /// The nations of the seat, which win together.
    pub nations: Vec<String>,
    /// The mean of the playouts. The shares of all seats add up to 1.
    pub share: f64,
    /// The lower end of the interval.
    /// In 90 % of positions, an analysis with ten times as many playouts and another seed gives a share within it. It
    /// does not include errors of the evaluation.
    pub low: f64,
    /// The upper end of the interval.
    pub high: f64,
}

/// A move in a line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct LineMove {
    /// The nation that acts.
    pub nation: String,
    /// The action in canonical form.
    pub action: Action<Names>,
    /// The action in notation.
    pub notation: String,
}

/// A candidate: mostly a whole turn.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct CandidateBody {
    /// The number of playouts that tried the candidate.
    pub visits: u32,
    /// The expected shares of all seats, in table order.
    pub shares: Vec<ShareBody>,
    /// The moves to the end of the turn, then the most visited continuation.
    /// A line ends where a card is drawn.
    pub line: Vec<LineMove>,
    /// The number of moves of the line that belong to the turn.
    pub own: usize,
    /// What the turn achieves for the nation that decides: at most three things, the most important first.
    pub reasons: Vec<TurnReason>,
}

/// An analysis, or its state so far.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct AnalysisBody {
    /// Whether the analysis is complete; in a stream, true for the last event.
    pub done: bool,
    /// The number of playouts so far.
    pub playouts: u32,
    /// The nation that must decide.
    pub nation: String,
    /// The seat of that nation.
    pub seat: u8,
    /// The candidates, most visited first: the first is what `search` would choose.
    pub candidates: Vec<CandidateBody>,
    /// The SHA-256 of the evaluation's parameters.
    pub numbers: String,
}

impl ShareBody {
    /// Returns the shares of all seats, in table order.
    pub fn all(game: &Game, shares: &[Estimate]) -> Vec<ShareBody> {
        let seats = (0..).zip(shares);
        let share = |(seat, estimate): (u8, &Estimate)| ShareBody {
            seat,
            nations: game
                .nations_of(seat)
                .map(|nation| game.nation_name(nation).to_owned())
                .collect(),
            share: estimate.share,
            low: estimate.low,
            high: estimate.high,
        };
        seats.map(share).collect()
    }
}

impl CandidateBody {
    fn new(game: &Game, candidate: &Candidate) -> CandidateBody {
        let line = candidate.line.iter().map(|one| LineMove {
            nation: game.nation_name(one.nation).to_owned(),
            action: one.action.named(game),
            notation: one.notation.clone(),
        });
        CandidateBody {
            visits: candidate.visits,
            shares: ShareBody::all(game, &candidate.shares),
            line: line.collect(),
            own: candidate.own,
            reasons: candidate.reasons.clone(),
        }
    }
}

/// A prepared analysis.
#[derive(Debug)]
pub struct Subject {
    seen: Observation,
    budget: Budget,
    candidates: usize,
    seed: String,
}

impl AnalysisRequest {
    /// Returns the budget, with at most `most` playouts or milliseconds.
    fn budget(&self, most: u32) -> Result<Budget, ServiceError> {
        let given = self.budget.clone().unwrap_or(AnalysisBudget {
            playouts: Some(50),
            milliseconds: None,
        });
        let within = |field: &str, quantity: u32| match quantity {
            0 => Err(ServiceError::invalid(
                field,
                "the budget must be at least 1",
            )),
            _ if quantity > most => {
                let message = format!("the budget of an analysis is at most {most} on this server");
                Err(ServiceError::invalid(field, message))
            }
            quantity => Ok(quantity),
        };
        match (given.playouts, given.milliseconds) {
            (Some(playouts), None) => within("budget.playouts", playouts).map(Budget::Playouts),
            (None, Some(time)) => {
                let time = within("budget.milliseconds", time)?;
                Ok(Budget::Time(Duration::from_millis(time.into())))
            }
            _ => {
                let message = "give either `playouts` or `milliseconds`";
                Err(ServiceError::invalid("budget", message))
            }
        }
    }
}

/// Prepares an analysis with at most `most` playouts or milliseconds.
pub fn subject(
    games: &Games,
    call: &Call,
    request: AnalysisRequest,
    most: u32,
) -> Result<Subject, ServiceError> {
    let budget = request.budget(most)?;
    let candidates = request.candidates.unwrap_or(5);
    if !(1..=64).contains(&candidates) {
        return Err(ServiceError::invalid(
            "candidates",
            "the number of candidates must be from 1 to 64",
        ));
    }
    let mut sight = Chance::new(&format!("{} sight", request.seed));
    let (seen, seq) = match (request.situation, request.game) {
        (Some(situation), None) => {
            let (game, state) = situation.start(games.library())?;
            (Observation::new(&game, &state, &mut sight), 0)
        }
        (None, Some(GamePosition { id, seq })) => {
            let table = games.table(id)?;
            if !games.access.sees(call, &table)? {
                return Err(ServiceError::NotFound(format!("game {id}")));
            }
            if table.stored.rated && !table.status().is_over() {
                let message = "a rated game cannot be analysed while it is running";
                return Err(ServiceError::Forbidden(message.to_owned()));
            }
            let seq = seq.unwrap_or(table.seq());
            if seq > table.seq() {
                let what = format!("event {seq}; the last is {}", table.seq());
                return Err(ServiceError::NotFound(what));
            }
            let reading = games.logs.reading(id, seq + 1)?;
            (
                Observation::new(reading.game(), reading.state(), &mut sight),
                seq,
            )
        }
        _ => {
            let message = "give either `situation` or `game`";
            return Err(ServiceError::invalid("situation", message));
        }
    };
    if seen.nation().is_none() {
        return Err(ServiceError::over(seq));
    }
    Ok(Subject {
        seen,
        budget,
        candidates: candidates.into(),
        seed: request.seed,
    })
}

impl Subject {
    /// Runs the analysis until the budget is used up, and returns the result.
    ///
    /// `report` is called after each playout: with the analysis so far, soon and then some times per second, if the
    /// answer `grows`; otherwise with `None`. If it returns false, the analysis stops without a result.
    pub fn analyse(
        &self,
        grows: bool,
        mut report: impl FnMut(Option<AnalysisBody>) -> bool,
    ) -> Option<AnalysisBody> {
        let begun = Instant::now();
        let mut analysis = Analysis::new(&self.seen, &self.seed)?;
        let mut next_report = begun;
        loop {
            analysis.think(Budget::Playouts(1));
            let done = match self.budget {
                Budget::Playouts(most) => analysis.playouts() >= most,
                Budget::Time(time) => begun.elapsed() >= time,
            };
            if done {
                return Some(self.body(true, analysis.assess(self.candidates)));
            }
            let so_far = (grows && Instant::now() >= next_report).then(|| {
                next_report = Instant::now() + EVENT_INTERVAL;
                self.body(false, analysis.assess(self.candidates))
            });
            if !report(so_far) {
                return None;
            }
        }
    }

    fn body(&self, done: bool, assessed: Assessment) -> AnalysisBody {
        let game = self.seen.game();
        let candidates = assessed.candidates.iter();
        AnalysisBody {
            done,
            playouts: assessed.playouts,
            nation: game.nation_name(assessed.nation).to_owned(),
            seat: game.seat_of(assessed.nation),
            candidates: candidates
                .map(|candidate| CandidateBody::new(game, candidate))
                .collect(),
            numbers: Value::embedded_hash(),
        }
    }
}
