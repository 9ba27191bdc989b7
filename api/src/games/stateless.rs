//! The engine without a game: applies actions to a position. Nothing is stored.

use engine::content::Library;
use engine::forms::{Position, QuestionForm, ResultBody, View};
use engine::play::{Action, Effect, Game, Names, Payments, Reason};
use engine::setup::{Player, Setup, SetupSeat};
use engine::state::State;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::games::bodies::{First, LegalActions};
use crate::games::named_action::NamedAction;
use crate::games::setup::start_new;
use crate::http::error::ServiceError;

/// A position and its rules.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Situation {
    /// The id of the edition.
    pub edition: String,
    /// The id of the board.
    pub board: String,
    /// The ids of the variants; none if omitted.
    #[serde(default)]
    pub variants: Vec<String>,
    /// The nations of each seat, in seat order.
    #[schema(min_items = 1)]
    pub seats: Vec<Vec<String>>,
    /// Who starts the rounds: the name of a nation or the number of a seat. If omitted, the rules decide.
    #[serde(default)]
    pub first: Option<First>,
    /// The number of the last round; no limit if omitted.
    #[serde(default)]
    #[schema(minimum = 1)]
    pub max_rounds: Option<u32>,
    /// The seed of randomness, if the rules use any.
    #[serde(default)]
    pub seed: String,
    /// The position; the edition's setup if omitted.
    #[serde(default)]
    pub position: Option<Box<Position>>,
}

/// An action that was applied.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ActionStep {
    /// The nation that acted.
    pub nation: String,
    /// The action in canonical form.
    pub action: Action<Names>,
    /// The action in notation.
    pub notation: String,
    /// The effects of the action, in order.
    pub effects: Vec<Effect<Names>>,
}

/// The result of applying actions to a position.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ApplyOutcome {
    /// The actions with their effects.
    pub steps: Vec<ActionStep>,
    /// The decisions that are needed next, each with its seat.
    pub pending: Vec<QuestionForm>,
    /// The result; null unless the game is over.
    pub result: Option<ResultBody>,
    /// The position after the actions.
    pub state: View,
}

impl Situation {
    pub(crate) fn start(&self, library: &Library) -> Result<(Game, State), ServiceError> {
        let setup = Setup {
            edition: self.edition.clone(),
            board: self.board.clone(),
            ruleset_hash: None,
            board_hash: None,
            variants: self.variants.clone(),
            seats: self
                .seats
                .iter()
                .map(|nations| SetupSeat {
                    nations: nations.clone(),
                    player: Player::Open,
                })
                .collect(),
            seed: self.seed.clone(),
            drawn: 0,
            first: None,
            max_rounds: self.max_rounds,
            pace: None,
            deck: None,
            reshuffles: Vec::new(),
            position: self.position.clone(),
        };
        let (_, game, state) = start_new(setup, self.first.as_ref(), library)?;
        Ok((game, state))
    }

    /// Applies actions in order. An action without a nation is that of the nation that must act.
    pub fn apply(
        &self,
        library: &Library,
        actions: &[NamedAction],
    ) -> Result<ApplyOutcome, ServiceError> {
        let (game, mut state) = self.start(library)?;
        let mut steps = Vec::with_capacity(actions.len());
        for (index, named) in actions.iter().enumerate() {
            let path = named.prefix();
            let unknown = |name: &str| {
                let message = format!("this position has no nation {name:?}");
                ServiceError::invalid(format!("{path}nation"), message)
            };
            let acts = game.question(&state).map(|question| question.nation());
            let nation = match &named.nation {
                Some(name) => game.nation_by_name(name).ok_or_else(|| unknown(name))?,
                None => acts.unwrap_or(state.to_move),
            };
            let action = named.action.clone().numbered(&game);
            let action = action.map_err(|error| ServiceError::name(&path, &error))?;
            let before = state.clone();
            let mut effects = Vec::new();
            game.apply(&mut state, nation, action, &mut effects)
                .map_err(|illegal| {
                    let pending = game.questions(&before);
                    let (seq, applied) = (index as u64, Some(index));
                    let field = match illegal.reason {
                        Reason::NotYourTurn { .. } => None,
                        ref reason => reason.field(),
                    };
                    let field = match field {
                        Some(field) => Some(format!("{path}{field}")),
                        None => Some(named.path.clone()),
                    };
                    match illegal.reason {
                        Reason::NotYourTurn { .. } => ServiceError::NotYourTurn {
                            field,
                            pending,
                            seq,
                            applied,
                        },
                        Reason::GameOver => ServiceError::GameOver { seq, field },
                        _ => ServiceError::Illegal {
                            illegal,
                            edition: self.edition.clone(),
                            field,
                            pending,
                            seq,
                            applied,
                        },
                    }
                })?;
            let action = game.canonical(&before, action);
            steps.push(ActionStep {
                nation: game.nation_name(nation).to_owned(),
                notation: game.print_by(&before, nation, &action),
                action: action.named(&game),
                effects: effects.iter().map(|effect| effect.named(&game)).collect(),
            });
        }
        Ok(ApplyOutcome {
            steps,
            pending: game.questions(&state),
            result: game.result_body(&state),
            state: View::from_state(&game, &state),
        })
    }

    /// Returns the legal actions; `seq` is 0.
    pub fn legal_actions(
        &self,
        library: &Library,
        payments: Payments,
    ) -> Result<LegalActions, ServiceError> {
        let (game, state) = self.start(library)?;
        let mut actions = Vec::new();
        game.legal_actions(&state, payments, &mut actions);
        let body = |action: &Action| action.named(&game);
        Ok(LegalActions {
            seq: 0,
            pending: game.questions(&state),
            actions: actions.iter().map(body).collect(),
        })
    }
}
