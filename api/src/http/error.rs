//! The errors of the services, independent of HTTP.

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

/// Why the current state does not allow a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConflictKind {
    /// Another account has the handle, or one that looks like it.
    HandleTaken,
    /// Another player has the seat, or it is reserved for one.
    SeatTaken,
    /// The account has or is offered another seat of the game.
    AlreadySeated,
    /// Every seat of the game is taken or reserved.
    NoFreeSeat,
    /// The seat has resigned.
    SeatResigned,
    /// The game or the season has not started.
    NotStarted,
    /// The game has started.
    AlreadyStarted,
    /// The game is not over.
    NotFinished,
    /// The organizer has turned the chat of the game off.
    ChatOff,
    /// Another player must bid first.
    NotYourBid,
    /// Another player has requested another undo.
    UndoPending,
    /// A player that never agrees to this undo, such as a bot, must agree.
    UndoRefused,
    /// A limit of an account, game or league is reached.
    LimitReached,
    /// The organizers of a league organize the game.
    OrganizedByLeague,
    /// A league would have no organizer.
    LastOrganizer,
    /// The account is already an organizer of the league.
    AlreadyOrganizer,
    /// The account is already a member of the league.
    AlreadyMember,
    /// The account is already invited to the league.
    AlreadyInvited,
    /// The member has left the league.
    AlreadyLeft,
    /// The game of the table is not running.
    TableNotRunning,
    /// The table is already void.
    TableVoid,
    /// The result of the game counts at another table.
    AlreadyCounted,
    /// An administrator has closed the league.
    LeagueClosed,
    /// The league is archived.
    LeagueArchived,
    /// The league has members or tables.
    LeagueNotEmpty,
    /// The season is closed.
    SeasonClosed,
    /// The account has asked to join the league.
    AlreadyRequested,
    /// The report or dispute is already answered.
    AlreadyAnswered,
    /// The caller has reported the same subject already.
    AlreadyReported,
    /// The webhook is disabled.
    WebhookDisabled,
    /// Another game has the id of the record.
    IdTaken,
    /// Browsers have no passkeys for the URL of the server.
    PasskeysUnavailable,
    /// The account could not sign in any more.
    LastSignIn,
    /// Other requests change the same data at the same time.
    ConcurrentChange,
}

/// Why a service did not carry out a request.
#[derive(Debug, thiserror::Error)]
pub enum ServiceError {
    /// The game, seat, event or other resource does not exist.
    #[error("there is no {0}")]
    NotFound(String),
    /// The setup does not start a game.
    #[error("{error}")]
    Setup {
        /// What is wrong with the setup.
        error: SetupError,
        /// The edition whose rules the game would use.
        edition: String,
    },
    /// A value in the body is invalid.
    #[error("{message}")]
    Invalid {
        /// The field, as a path.
        field: String,
        /// What is wrong, and what is expected.
        message: String,
    },
    /// A parameter of the query is invalid.
    #[error("{message}")]
    InvalidParameter {
        /// The name of the parameter.
        name: String,
        /// What is wrong, and what is expected.
        message: String,
    },
    /// The rules do not allow the action.
    #[error("{illegal}")]
    Illegal {
        /// The rule and the reason.
        illegal: Refusal,
        /// The edition of the game, whose rules explain the refusal.
        edition: String,
        /// The field of the request that caused the error.
        field: Option<String>,
        /// The decisions that are open.
        pending: Vec<QuestionForm>,
        /// The last event of the game.
        seq: u64,
        /// For a list of actions: how many of them are applied in the state that `pending` describes.
        applied: Option<usize>,
    },
    /// An action follows one that draws an event card.
    #[error(
        "an earlier action of this request draws an event card: send this action in a new request"
    )]
    CardDrawn {
        /// The action after the draw, as a path.
        field: String,
        /// The decisions that were open before the request.
        pending: Vec<QuestionForm>,
        /// The last event of the game.
        seq: u64,
    },
    /// Another seat must act.
    #[error("another seat must act: `pending` lists it")]
    NotYourTurn {
        /// The action of the request that caused the error, if it is one of a list.
        field: Option<String>,
        /// The decisions that are open.
        pending: Vec<QuestionForm>,
        /// The last event of the game.
        seq: u64,
        /// For a list of actions: how many of them are applied in the state that `pending` describes.
        applied: Option<usize>,
    },
    /// The game is over.
    #[error("the game is over")]
    GameOver {
        /// The last event of the game.
        seq: u64,
        /// The action of the request that caused the error, if an earlier one of the list ends the game.
        field: Option<String>,
    },
    /// An undo would change nothing.
    #[error(
        "there is nothing to undo: no action in force follows that event, or you have not acted yet"
    )]
    NothingToUndo {
        /// The last event of the game.
        seq: u64,
    },
    /// The request names an older version of the game or league.
    #[error(
        "the game or league has changed and its last event is {seq}: read it again, then decide"
    )]
    Stale {
        /// The current sequence number.
        seq: u64,
    },
    /// The current state does not allow the request.
    #[error("{1}")]
    Conflict(ConflictKind, String),
    /// A limit on running things is reached; the caller can retry when one of them has ended.
    #[error("{0}")]
    TooMany(String),
    /// The idempotency key was used for another request.
    #[error(
        "this Idempotency-Key was used for another request: send a new key with each new request"
    )]
    IdempotencyConflict,
    /// A repetition of a request whose answer contained a secret.
    #[error(
        "this request was already carried out: `location` is what it created. Its answer contained a secret, which is \
         shown only once"
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
    /// There is no account with this handle and password or recovery code.
    #[error("{0}")]
    WrongPassword(&'static str),
    /// The passkey belongs to no account, or its ceremony cannot be finished.
    #[error("{0}")]
    WrongPasskey(&'static str),
    /// An administrator has suspended the account of the token.
    #[error("an administrator has suspended this account: ask the operator of the server")]
    Suspended,
    /// An administrator has hidden the texts of the game.
    #[error(
        "an administrator has hidden the texts of this game, which its record contains: read its state and events"
    )]
    TextsHidden,
    /// The token does not allow this.
    #[error("{0}")]
    Forbidden(String),
    /// The token lacks a scope.
    #[error("this token lacks the scope `{0}`")]
    Scope(Scope),
    /// The store failed.
    #[error(transparent)]
    Store(StoreError),
    /// Stored data cannot be read or do not replay.
    #[error("the stored data of {id} are damaged: {message}")]
    Damaged {
        /// The id of the game, or a name for other data.
        id: String,
        /// What is wrong.
        message: String,
    },
}

impl From<StoreError> for ServiceError {
    fn from(error: StoreError) -> ServiceError {
        match error {
            StoreError::Damaged { id, message } => ServiceError::Damaged { id, message },
            StoreError::ManyNames(_) => ServiceError::invalid_parameter("name", error),
            StoreError::Cursor => ServiceError::invalid_parameter("cursor", error),
            other => ServiceError::Store(other),
        }
    }
}

impl ServiceError {
    /// The error for a game that is over.
    pub fn over(seq: u64) -> ServiceError {
        ServiceError::GameOver { seq, field: None }
    }

    /// The error for a stored game that cannot be read.
    pub fn damaged(id: Uuid, message: impl ToString) -> ServiceError {
        ServiceError::Damaged {
            id: id.to_string(),
            message: message.to_string(),
        }
    }

    /// The error for an invalid value of a field.
    pub fn invalid(field: impl Into<String>, message: impl ToString) -> ServiceError {
        ServiceError::Invalid {
            field: field.into(),
            message: message.to_string(),
        }
    }

    /// The error for an invalid parameter of the query.
    pub fn invalid_parameter(name: impl Into<String>, message: impl ToString) -> ServiceError {
        ServiceError::InvalidParameter {
            name: name.into(),
            message: message.to_string(),
        }
    }

    /// The error for a state that does not allow the request.
    pub fn conflict(kind: ConflictKind, message: impl Into<String>) -> ServiceError {
        ServiceError::Conflict(kind, message.into())
    }

    /// The error for a name in an action that the game does not have.
    pub fn name(path: &str, error: &UnknownName) -> ServiceError {
        ServiceError::invalid(format!("{path}{}", error.field), &error.message)
    }
}
