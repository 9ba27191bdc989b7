//! What the search player thinks of a position: of one that is given, or of a game.

use std::time::{Duration, Instant};

use bots::search::value::Value;
use bots::{Analysis, Assessment, Budget, Candidate, Estimate, Seen};
use engine::chance::Chance;
use engine::play::{Action, Game, Names};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::games::Games;
use crate::games::stateless::Situation;
use crate::http::call::Call;
use crate::http::error::ServiceError;

/// How often a stream tells how far an analysis has come.
const TOLD_EVERY: Duration = Duration::from_millis(250);

/// A position of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct GamePosition {
    /// The game.
    pub id: Uuid,
    /// Behind which event; the last one when left out.
    #[serde(default)]
    pub seq: Option<u64>,
}

/// For how long to think: one of both.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AnalysisBudget {
    /// So many games played out; the same number gives the same analysis.
    #[serde(default)]
    #[schema(minimum = 1)]
    pub playouts: Option<u32>,
    /// So long. How far it gets depends on the machine and what else it does.
    #[serde(default)]
    #[schema(minimum = 1)]
    pub milliseconds: Option<u32>,
}

/// What is to be analysed, and for how long.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AnalysisRequest {
    /// A position and the rules it is played by; or `game`.
    #[serde(default)]
    pub situation: Option<Situation>,
    /// A position of a game; or `situation`.
    #[serde(default)]
    pub game: Option<GamePosition>,
    /// For how long; 50 playouts when left out.
    #[serde(default)]
    pub budget: Option<AnalysisBudget>,
    /// How many candidates are told at most; 5 when left out.
    #[serde(default)]
    #[schema(minimum = 1, maximum = 64)]
    pub candidates: Option<u8>,
    /// Where its chance comes from: the same seed and playouts give the same analysis.
    #[serde(default)]
    pub seed: String,
}

/// What part of the win a seat may expect, from 0 to 1.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ShareBody {
    /// The seat.
    pub seat: u8,
    /// Its nations, which win together.
    pub nations: Vec<String>,
    /// The mean of the playouts. The shares of all seats sum up to 1.
    pub share: f64,
    /// Where its 95 % interval begins. It follows from how much the playouts differ, and says how far the number
    /// may move as the analysis grows: not how right the evaluation is at which playouts end.
    pub low: f64,
    /// Where it ends.
    pub high: f64,
}

/// Something that is done in a line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct LineMove {
    /// The nation that acts.
    pub nation: String,
    /// The action in canonical form.
    pub action: Action<Names>,
    /// The same in notation.
    pub notation: String,
}

/// What may be done, mostly a whole turn.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct CandidateBody {
    /// In how many playouts it was tried.
    pub visits: u32,
    /// What each seat may expect of it, in table order.
    pub shares: Vec<ShareBody>,
    /// What is done up to the end of the turn, then what was tried most behind it. A line ends where a card is drawn.
    pub line: Vec<LineMove>,
    /// So many moves of the line belong to the turn.
    pub own: usize,
}

/// How far an analysis has come.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct AnalysisBody {
    /// Whether this is the end of it; in a stream, the last event.
    pub done: bool,
    /// Playouts so far.
    pub playouts: u32,
    /// The nation that decides.
    pub nation: String,
    /// Its seat.
    pub seat: u8,
    /// What was tried, most tried first: the first is what `search` would do.
    pub candidates: Vec<CandidateBody>,
    /// SHA-256 of the numbers by which playouts are valued.
    pub numbers: String,
}

impl ShareBody {
    /// The shares of all seats, in table order.
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
    fn of(game: &Game, candidate: &Candidate) -> CandidateBody {
        let told = candidate.line.iter().map(|one| LineMove {
            nation: game.nation_name(one.nation).to_owned(),
            action: one.action.named(game),
            notation: one.notation.clone(),
        });
        CandidateBody {
            visits: candidate.visits,
            shares: ShareBody::all(game, &candidate.shares),
            line: told.collect(),
            own: candidate.own,
        }
    }
}

/// An analysis that may begin.
#[derive(Debug)]
pub struct Subject {
    seen: Seen,
    budget: Budget,
    candidates: usize,
    seed: String,
}

impl AnalysisRequest {
    /// The budget, of so many playouts or milliseconds at most.
    fn budget(&self, most: u32) -> Result<Budget, ServiceError> {
        let given = self.budget.clone().unwrap_or(AnalysisBudget {
            playouts: Some(50),
            milliseconds: None,
        });
        let within = |field: &str, quantity: u32| match quantity {
            0 => Err(ServiceError::invalid(field, "it is 1 at least")),
            _ if quantity > most => {
                let message = format!("an analysis may take {most} at most");
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
                let message = "either playouts or milliseconds are needed";
                Err(ServiceError::invalid("budget", message))
            }
        }
    }
}

/// Takes up what is to be analysed, for at most so many playouts or milliseconds.
pub fn subject(
    games: &Games,
    call: &Call,
    asked: AnalysisRequest,
    most: u32,
) -> Result<Subject, ServiceError> {
    let budget = asked.budget(most)?;
    let candidates = asked.candidates.unwrap_or(5);
    if !(1..=64).contains(&candidates) {
        return Err(ServiceError::invalid("candidates", "it is from 1 to 64"));
    }
    let mut sight = Chance::new(&format!("{} sight", asked.seed));
    let (seen, seq) = match (asked.situation, asked.game) {
        (Some(situation), None) => {
            let (game, state) = situation.start(games.library())?;
            (Seen::new(&game, &state, &mut sight), 0)
        }
        (None, Some(GamePosition { id, seq })) => {
            let table = games.table(id)?;
            if !games.access.sees(call, &table)? {
                return Err(ServiceError::NotFound(format!("game {id}")));
            }
            if table.stored.rated && !table.status().is_over() {
                let message = "a rated game is not analysed while it runs";
                return Err(ServiceError::Forbidden(message.to_owned()));
            }
            let seq = seq.unwrap_or(table.seq());
            if seq > table.seq() {
                let what = format!("event {seq}; the last is {}", table.seq());
                return Err(ServiceError::NotFound(what));
            }
            let reading = games.logs.reading(id, seq + 1)?;
            (Seen::new(reading.game(), reading.state(), &mut sight), seq)
        }
        _ => {
            let message = "either a situation or a game is needed";
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
        seed: asked.seed,
    })
}

impl Subject {
    /// Thinks until the budget is used up and returns what came of it. Before that `tell` is given how far it has
    /// come, soon and then some times a second, if the answer `grows`; between it is given nothing. Nothing comes of it
    /// when `tell` says that nobody listens any more.
    pub fn analyse(
        &self,
        grows: bool,
        mut tell: impl FnMut(Option<AnalysisBody>) -> bool,
    ) -> Option<AnalysisBody> {
        let begun = Instant::now();
        let mut analysis = Analysis::new(&self.seen, &self.seed)?;
        let mut due = begun;
        loop {
            analysis.think(Budget::Playouts(1));
            let done = match self.budget {
                Budget::Playouts(most) => analysis.playouts() >= most,
                Budget::Time(time) => begun.elapsed() >= time,
            };
            if done {
                return Some(self.body(true, analysis.assess(self.candidates)));
            }
            let so_far = (grows && Instant::now() >= due).then(|| {
                due = Instant::now() + TOLD_EVERY;
                self.body(false, analysis.assess(self.candidates))
            });
            if !tell(so_far) {
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
                .map(|candidate| CandidateBody::of(game, candidate))
                .collect(),
            numbers: Value::embedded_hash(),
        }
    }
}
