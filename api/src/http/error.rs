//! The errors of the services, apart from HTTP.

use engine::forms::{QuestionForm, SetupError, UnknownName};
use engine::play::Refusal;
use uuid::Uuid;

use crate::db::StoreError;
use crate::db::projections::ProjectionError;
use crate::http::scope::Scope;

impl From<ServiceError> for ProjectionError {
    fn from(error: ServiceError) -> ProjectionError {
        ProjectionError::new(error)
    }
}

/// Why a service did not do what a request asked for.
#[derive(Debug, thiserror::Error)]
pub enum ServiceError {
    /// No such game, seat or event.
    #[error("there is no {0}")]
    NotFound(String),
    /// The setup does not start a game.
    #[error("{error}")]
    Setup {
        /// Why.
        error: SetupError,
        /// The edition whose rules it was to be played by.
        edition: String,
    },
    /// A value in the request cannot be.
    #[error("{message}")]
    Invalid {
        /// The field, as a path.
        field: String,
        /// What is wrong.
        message: String,
    },
    /// The rules do not allow the action.
    #[error("{illegal}")]
    Illegal {
        /// Why.
        illegal: Refusal,
        /// The edition that is played, where the rule can be looked up.
        edition: String,
        /// The field of the request to blame.
        field: Option<String>,
        /// Who must act.
        pending: Vec<QuestionForm>,
        /// Where the game stands.
        seq: u64,
        /// Of a list, how many of its actions come before the state of which `pending` tells.
        applied: Option<usize>,
    },
    /// An action behind one that draws an event card.
    #[error("an event card is drawn before this: act on what it shows in a request of its own")]
    CardDrawn {
        /// The action behind the draw, as a path.
        field: String,
        /// Who must act before any action of the request.
        pending: Vec<QuestionForm>,
        /// Where the game stands.
        seq: u64,
    },
    /// Somebody else must act.
    #[error("it is not this nation's turn to act")]
    NotYourTurn {
        /// The action of the request to blame, where it is one of a list.
        field: Option<String>,
        /// Who must act.
        pending: Vec<QuestionForm>,
        /// Where the game stands.
        seq: u64,
        /// Of a list, how many of its actions come before the state of which `pending` tells.
        applied: Option<usize>,
    },
    /// The game is over.
    #[error("the game is over")]
    GameOver {
        /// Where it ended.
        seq: u64,
        /// The action of the request to blame, where one before it in a list ends the game.
        field: Option<String>,
    },
    /// No action would be taken back.
    #[error(
        "nothing would be taken back: no action that counts stands behind that event, or you have not acted yet"
    )]
    NothingToUndo {
        /// Where the game stands.
        seq: u64,
    },
    /// The caller looked at an older game or league.
    #[error("it has gone on to {seq}")]
    Stale {
        /// Where it stands.
        seq: u64,
    },
    /// What is asked does not fit where the game stands.
    #[error("{0}")]
    Conflict(String),
    /// There is as much of something as there may be; some of it will be over.
    #[error("{0}")]
    TooMany(String),
    /// The idempotency key was used for another request.
    #[error("this Idempotency-Key was used for another request")]
    IdempotencyConflict,
    /// A repetition of a request whose answer held a secret.
    #[error(
        "this request was carried out before: see `location`. Its answer held a secret, which is shown only once"
    )]
    AlreadyDone {
        /// The path of what the request created.
        location: String,
    },
    /// The request needs a token and has none.
    #[error("{0}")]
    Unauthenticated(&'static str),
    /// The token of the request is unknown, expired or revoked.
    #[error("{0}")]
    InvalidToken(&'static str),
    /// The token does not allow this.
    #[error("{0}")]
    Forbidden(String),
    /// The token may not be used for this.
    #[error("this token lacks the scope `{0}`")]
    Scope(Scope),
    /// The store failed.
    #[error(transparent)]
    Store(StoreError),
    /// Stored data do not replay.
    #[error("game {id} does not replay: {message}")]
    Damaged {
        /// The game.
        id: String,
        /// What is wrong.
        message: String,
    },
}

impl From<StoreError> for ServiceError {
    fn from(error: StoreError) -> ServiceError {
        match error {
            StoreError::Damaged { id, message } => ServiceError::Damaged { id, message },
            StoreError::ManyNames(_) => ServiceError::invalid("name", error),
            StoreError::Cursor => ServiceError::invalid("cursor", error),
            other => ServiceError::Store(other),
        }
    }
}

impl ServiceError {
    /// A game that is over.
    pub fn over(seq: u64) -> ServiceError {
        ServiceError::GameOver { seq, field: None }
    }

    /// A stored game that cannot be read.
    pub fn damaged(id: Uuid, message: impl ToString) -> ServiceError {
        ServiceError::Damaged {
            id: id.to_string(),
            message: message.to_string(),
        }
    }

    /// A value in the request that cannot be.
    pub fn invalid(field: impl Into<String>, message: impl ToString) -> ServiceError {
        ServiceError::Invalid {
            field: field.into(),
            message: message.to_string(),
        }
    }

    /// A name in an action that the game does not have.
    pub fn name(path: &str, error: &UnknownName) -> ServiceError {
        ServiceError::invalid(format!("{path}{}", error.field), &error.message)
    }
}
