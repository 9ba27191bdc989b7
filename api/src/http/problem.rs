//! Problems: the table of error codes, and the conversion of errors into `application/problem+json`.

use actix_web::http::StatusCode;
use actix_web::http::header::{
    CONTENT_TYPE, HeaderName, HeaderValue, LOCATION, RETRY_AFTER, WWW_AUTHENTICATE,
};
use actix_web::{HttpResponse, ResponseError};
use engine::content::rule_text;
use engine::forms::QuestionForm;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::db::StoreError;
use crate::http::error::{ConflictKind, ServiceError};

/// The prefix of the types of problems.
const TYPES: &str = "https://tabularium.dev/problems/";

/// The detail of the problem for damaged data.
pub const DAMAGED: &str = "the stored data are damaged, so they cannot be shown. Retrying does not help; the rest \
    of the service works. Report this to the operator: `tabularium verify` lists what is damaged, and a backup may have \
    a good copy";

/// The media type of problems.
pub const MEDIA_TYPE: &str = "application/problem+json";

/// The challenge that asks for a token (RFC 6750, section 3).
const CHALLENGE: &str = "Bearer realm=\"tabularium\"";

macro_rules! codes {
    ($($(#[$doc:meta])* $variant:ident $status:literal $title:literal),+ $(,)?) => {
        /// The kind of a problem.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
        #[serde(rename_all = "snake_case")]
        pub enum Code { $($(#[$doc])* $variant),+ }

        impl Code {
            /// Every code.
            pub const ALL: &[Code] = &[$(Code::$variant),+];

            /// The HTTP status.
            pub const fn status(self) -> u16 {
                match self { $(Code::$variant => $status),+ }
            }

            /// A short title for people.
            pub const fn title(self) -> &'static str {
                match self { $(Code::$variant => $title),+ }
            }
        }
    };
}

codes! {
    /// The body is not JSON.
    MalformedJson 400 "The body is not JSON",
    /// The request has no token, or the token is unknown, expired or revoked.
    Unauthenticated 401 "A valid token is needed",
    /// The token does not allow this.
    Forbidden 403 "The token does not allow this",
    /// There is no account with this handle and password or recovery code.
    WrongPassword 403 "The handle or the password is wrong",
    /// The passkey belongs to no account, or its ceremony cannot be finished.
    WrongPasskey 403 "The passkey is not accepted",
    /// An administrator has suspended the account of the token.
    AccountSuspended 403 "The account is suspended",
    /// An administrator has hidden the texts of the game, which its record contains.
    TextsHidden 403 "The texts of the game are hidden",
    /// The resource does not exist, or the caller may not see it.
    NotFound 404 "Not found",
    /// The path exists, but not with this method; `Allow` lists its methods.
    MethodNotAllowed 405 "The method is not allowed here",
    /// The resource is not available in a media type that the request accepts.
    NotAcceptable 406 "No acceptable media type",
    /// Another seat must act.
    NotYourTurn 409 "It is not your turn",
    /// The game is over.
    GameOver 409 "The game is over",
    /// Another account has the handle, or one that looks like it.
    HandleTaken 409 "The handle is taken",
    /// Another player has the seat, or it is reserved for one.
    SeatTaken 409 "The seat is taken",
    /// The account has or is offered another seat of the game.
    AlreadySeated 409 "The account already has a seat",
    /// Every seat of the game is taken or reserved.
    NoFreeSeat 409 "The game has no free seat",
    /// The seat has resigned.
    SeatResigned 409 "The seat has resigned",
    /// The game or the season has not started.
    NotStarted 409 "It has not started",
    /// The game or the season has started.
    AlreadyStarted 409 "It has already started",
    /// The game is not over.
    NotFinished 409 "The game is not over",
    /// The organizer has turned the chat of the game off.
    ChatOff 409 "The chat is off",
    /// Another player must bid first.
    NotYourBid 409 "Another player must bid",
    /// Another player has requested another undo.
    UndoPending 409 "Another undo request is pending",
    /// A player that never agrees to this undo, such as a bot, must agree.
    UndoRefused 409 "The undo is not possible",
    /// A limit of an account, game or league is reached.
    LimitReached 409 "A limit is reached",
    /// The organizers of a league organize the game.
    OrganizedByLeague 409 "A league organizes this game",
    /// A league would have no organizer.
    LastOrganizer 409 "A league needs an organizer",
    /// The account is already an organizer of the league.
    AlreadyOrganizer 409 "The account is already an organizer",
    /// The account is already a member of the league.
    AlreadyMember 409 "The account is already a member",
    /// The account is already invited to the league.
    AlreadyInvited 409 "The account is already invited",
    /// The member has left the league.
    AlreadyLeft 409 "The member has already left",
    /// The game of the table is not running.
    TableNotRunning 409 "The game of the table is not running",
    /// The table is already void.
    TableVoid 409 "The table is already void",
    /// The result of the game counts at another table.
    AlreadyCounted 409 "The result already counts",
    /// An administrator has closed the league, so it cannot be changed.
    LeagueClosed 409 "The league is closed",
    /// The league is archived, so it cannot be changed.
    LeagueArchived 409 "The league is archived",
    /// The league has members or tables, so it cannot be deleted.
    LeagueNotEmpty 409 "The league is not empty",
    /// The season is closed, so no table can be added.
    SeasonClosed 409 "The season is closed",
    /// The account has already asked to join the league.
    AlreadyRequested 409 "The account has already asked to join",
    /// The report or the dispute is already answered.
    AlreadyAnswered 409 "Already answered",
    /// The account has reported the same already, and the report is open.
    AlreadyReported 409 "Already reported",
    /// Browsers have no passkeys for the public URL of the server, or it has none.
    PasskeysUnavailable 409 "Passkeys are not available",
    /// The account could not sign in without this passkey.
    LastSignIn 409 "It is the only way to sign in",
    /// The webhook is disabled.
    WebhookDisabled 409 "The webhook is disabled",
    /// Another game has the id of the record.
    IdTaken 409 "Another game has this id",
    /// Other requests change the same data at the same time.
    ConcurrentChange 409 "Another request was first",
    /// A repetition of a request whose answer contained a secret.
    /// `location` is the path of the created resource.
    AlreadyDone 409 "The request was already carried out",
    /// An undo would change nothing.
    NothingToUndo 409 "There is nothing to undo",
    /// The request names an older version of the game or league. Read it again.
    StaleView 412 "The version is out of date",
    /// The body is too large.
    TooLarge 413 "The body is too large",
    /// The body has an unsupported media type or encoding.
    UnsupportedMediaType 415 "The body's media type is not supported",
    /// Values in the body are invalid or missing; `errors` lists all of them.
    InvalidBody 422 "The body is invalid",
    /// Parameters of the query are invalid or unknown; `errors` lists all of them.
    InvalidParameter 422 "A parameter is invalid",
    /// The value of a header is invalid; `field` is its name.
    InvalidHeader 422 "A header is invalid",
    /// The rules do not allow the action; `rule` is the number of the rule.
    IllegalAction 422 "The rules do not allow this",
    /// An action follows one that draws an event card. Send it in a new request.
    CardDrawn 422 "A drawn event card ends the request",
    /// The idempotency key was used for another request.
    IdempotencyConflict 422 "The Idempotency-Key was used for another request",
    /// Too many requests; `Retry-After` is the number of seconds to wait.
    RateLimited 429 "Too many requests",
    /// A fault of the service, which has been logged.
    Internal 500 "Internal error",
    /// The stored data cannot be read or do not replay. Retrying does not help: report it to the operator.
    Damaged 500 "The stored game is damaged",
    /// The service is temporarily unavailable. Retry later.
    Unavailable 503 "The service is temporarily unavailable",
    /// The clock of the server is wrong, so it writes nothing. Retry later.
    ClockWrong 503 "The clock of the server is wrong",
    /// The service is overloaded; `Retry-After` is the number of seconds to wait.
    Overloaded 503 "The service is overloaded",
}

impl Code {
    /// The name in JSON.
    pub fn name(self) -> String {
        // A unit variant always serializes as its name.
        let value = serde_json::to_value(self).unwrap_or_default();
        value.as_str().unwrap_or_default().to_owned()
    }
}

/// One error in a request.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct FieldError {
    /// The invalid field, as a path such as `seats[0].player`; or the name of a query parameter.
    pub field: String,
    /// The same field as a JSON Pointer into the body (RFC 6901), such as `/seats/0/player`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub pointer: Option<String>,
    /// What is wrong with the field, and what is expected.
    pub detail: String,
}

impl FieldError {
    /// Creates an error for a JSON Pointer.
    pub fn at(pointer: String, detail: String) -> FieldError {
        let mut field = String::new();
        for name in pointer.split('/').skip(1) {
            let name = name.replace("~1", "/").replace("~0", "~");
            match name.parse::<usize>() {
                Ok(index) => field += &format!("[{index}]"),
                Err(_) if field.is_empty() => field = name,
                Err(_) => field += &format!(".{name}"),
            }
        }
        FieldError {
            field,
            pointer: Some(pointer),
            detail,
        }
    }
}

/// An error, as a problem detail of RFC 9457.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema, thiserror::Error)]
#[error("{}: {detail}", code.name())]
pub struct Problem {
    /// A URI that identifies the kind of problem.
    pub r#type: String,
    /// The kind of problem in words.
    pub title: String,
    /// The HTTP status.
    pub status: u16,
    /// What is wrong with this request, and what to do.
    pub detail: String,
    /// The path of the request.
    pub instance: String,
    /// The kind of problem as a name that does not change.
    pub code: Code,
    /// The number of the rule that forbids the action.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub rule: Option<String>,
    /// The path of the text of that rule.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub rule_url: Option<String>,
    /// The invalid field of the request, as a path such as `seats[0].player`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub field: Option<String>,
    /// All errors of a body, query, setup or position. The first is also in `field` and `detail`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub errors: Vec<FieldError>,
    /// The decisions that are open, with the seats that must act.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub pending: Option<Vec<QuestionForm>>,
    /// The sequence number of the last event of the game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub seq: Option<u64>,
    /// For a list of actions: how many of them are applied in the state that `pending` describes.
    /// None of them is kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub applied: Option<usize>,
    /// The path of the resource that the same request created before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub location: Option<String>,
    /// The maximum size of the body, in bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub limit: Option<u64>,
    /// Additional headers of the answer.
    #[serde(skip)]
    pub headers: Vec<(HeaderName, HeaderValue)>,
}

impl Problem {
    /// Creates a problem of a kind.
    pub fn new(code: Code, detail: impl Into<String>) -> Problem {
        Problem {
            r#type: format!("{TYPES}{}", code.name().replace('_', "-")),
            title: code.title().to_owned(),
            status: code.status(),
            detail: detail.into(),
            instance: String::new(),
            code,
            rule: None,
            rule_url: None,
            field: None,
            errors: Vec::new(),
            pending: None,
            seq: None,
            applied: None,
            location: None,
            limit: None,
            headers: Vec::new(),
        }
    }

    /// The problem of a fault of the service, whose cause the caller has logged.
    pub fn internal() -> Problem {
        let detail = "the service failed and has logged the error: retry later, or report it to the operator";
        Problem::new(Code::Internal, detail)
    }

    /// Creates a problem with `Retry-After`, in seconds.
    pub fn again(code: Code, detail: impl Into<String>, seconds: u64) -> Problem {
        Problem {
            headers: vec![(RETRY_AFTER, HeaderValue::from(seconds))],
            ..Problem::new(code, detail)
        }
    }

    /// A token that lacks a scope (RFC 6750, section 3.1).
    fn insufficient_scope(scope: &str, detail: String) -> Problem {
        let challenge = format!("Bearer error=\"insufficient_scope\", scope=\"{scope}\"");
        let challenge = HeaderValue::from_str(&challenge);
        let challenge = challenge.unwrap_or(HeaderValue::from_static(CHALLENGE));
        Problem {
            headers: vec![(WWW_AUTHENTICATE, challenge)],
            ..Problem::new(Code::Forbidden, detail)
        }
    }

    /// A bearer token that is invalid (RFC 6750, section 3.1).
    pub fn invalid_token(detail: impl Into<String>) -> Problem {
        let challenge = HeaderValue::from_static("Bearer error=\"invalid_token\"");
        Problem {
            headers: vec![(WWW_AUTHENTICATE, challenge)],
            ..Problem::new(Code::Unauthenticated, detail)
        }
    }

    /// An invalid value in the body.
    pub fn invalid(field: impl Into<String>, detail: impl Into<String>) -> Problem {
        let problem = Problem::new(Code::InvalidBody, detail).of_field(field);
        let pointer = problem.field.as_deref().map(pointer_to);
        problem.with_error(pointer)
    }

    /// An invalid parameter of the query.
    pub fn invalid_parameter(name: impl Into<String>, detail: impl Into<String>) -> Problem {
        let problem = Problem::new(Code::InvalidParameter, detail).of_field(name);
        problem.with_error(None)
    }

    /// An invalid value of a header.
    pub fn invalid_header(name: impl Into<String>, detail: impl Into<String>) -> Problem {
        Problem::new(Code::InvalidHeader, detail).of_field(name)
    }

    fn of_field(self, field: impl Into<String>) -> Problem {
        let field = Some(field.into()).filter(|field| !field.is_empty());
        Problem { field, ..self }
    }

    /// Lists the field as the only error.
    fn with_error(mut self, pointer: Option<String>) -> Problem {
        let detail = self.detail.clone();
        let error = self.field.clone().map(|field| FieldError {
            field,
            pointer,
            detail,
        });
        self.errors.extend(error);
        self
    }

    /// Fails if there are errors in the body or query, with all of them.
    ///
    /// # Errors
    /// 422 if there are any.
    pub fn if_any(code: Code, errors: Vec<FieldError>) -> Result<(), Problem> {
        let Some(first) = errors.first() else {
            return Ok(());
        };
        Err(Problem {
            errors: errors.clone(),
            ..Problem::new(code, &first.detail).of_field(&first.field)
        })
    }

    /// Adds the number of the rule and the path of its text.
    fn by_rule(self, edition: &str, rule: Option<String>) -> Problem {
        // A rule without a text has no page, such as one of an operator's own ruleset.
        let rule_url = rule
            .as_ref()
            .filter(|rule| rule_text(edition, rule).is_some())
            .map(|rule| format!("/v1/editions/{edition}/rules/{rule}"));
        Problem {
            rule,
            rule_url,
            ..self
        }
    }

    /// Converts an error of the framework. Server errors are logged, and the problem omits their cause.
    pub fn from_framework(error: &actix_web::Error) -> Problem {
        if let Some(problem) = error.as_error::<Problem>() {
            return problem.clone();
        }
        let status = error.as_response_error().status_code();
        let code = match status {
            StatusCode::PAYLOAD_TOO_LARGE => Code::TooLarge,
            StatusCode::UNSUPPORTED_MEDIA_TYPE => Code::UnsupportedMediaType,
            StatusCode::NOT_FOUND => Code::NotFound,
            StatusCode::NOT_ACCEPTABLE => Code::NotAcceptable,
            status if status.is_client_error() => Code::MalformedJson,
            _ => {
                tracing::error!(%error, "a request failed");
                return Problem::internal();
            }
        };
        Problem::new(code, error.to_string())
    }
}

/// Returns the JSON Pointer of a member of the value at `pointer` (RFC 6901).
pub fn member(pointer: &str, name: &str) -> String {
    let name = name.replace('~', "~0").replace('/', "~1");
    format!("{pointer}/{name}")
}

/// Returns the JSON Pointer of a field such as `seats[0].player`.
fn pointer_to(field: &str) -> String {
    let names = field.split(['.', '[', ']']).filter(|name| !name.is_empty());
    names.fold(String::new(), |pointer, name| member(&pointer, name))
}

impl From<ConflictKind> for Code {
    fn from(kind: ConflictKind) -> Code {
        match kind {
            ConflictKind::HandleTaken => Code::HandleTaken,
            ConflictKind::SeatTaken => Code::SeatTaken,
            ConflictKind::AlreadySeated => Code::AlreadySeated,
            ConflictKind::NoFreeSeat => Code::NoFreeSeat,
            ConflictKind::SeatResigned => Code::SeatResigned,
            ConflictKind::NotStarted => Code::NotStarted,
            ConflictKind::AlreadyStarted => Code::AlreadyStarted,
            ConflictKind::NotFinished => Code::NotFinished,
            ConflictKind::ChatOff => Code::ChatOff,
            ConflictKind::NotYourBid => Code::NotYourBid,
            ConflictKind::UndoPending => Code::UndoPending,
            ConflictKind::UndoRefused => Code::UndoRefused,
            ConflictKind::LimitReached => Code::LimitReached,
            ConflictKind::OrganizedByLeague => Code::OrganizedByLeague,
            ConflictKind::LastOrganizer => Code::LastOrganizer,
            ConflictKind::AlreadyOrganizer => Code::AlreadyOrganizer,
            ConflictKind::AlreadyMember => Code::AlreadyMember,
            ConflictKind::AlreadyInvited => Code::AlreadyInvited,
            ConflictKind::AlreadyLeft => Code::AlreadyLeft,
            ConflictKind::TableNotRunning => Code::TableNotRunning,
            ConflictKind::TableVoid => Code::TableVoid,
            ConflictKind::AlreadyCounted => Code::AlreadyCounted,
            ConflictKind::LeagueClosed => Code::LeagueClosed,
            ConflictKind::LeagueArchived => Code::LeagueArchived,
            ConflictKind::LeagueNotEmpty => Code::LeagueNotEmpty,
            ConflictKind::SeasonClosed => Code::SeasonClosed,
            ConflictKind::AlreadyRequested => Code::AlreadyRequested,
            ConflictKind::AlreadyAnswered => Code::AlreadyAnswered,
            ConflictKind::AlreadyReported => Code::AlreadyReported,
            ConflictKind::PasskeysUnavailable => Code::PasskeysUnavailable,
            ConflictKind::LastSignIn => Code::LastSignIn,
            ConflictKind::WebhookDisabled => Code::WebhookDisabled,
            ConflictKind::IdTaken => Code::IdTaken,
            ConflictKind::ConcurrentChange => Code::ConcurrentChange,
        }
    }
}

impl From<ServiceError> for Problem {
    fn from(error: ServiceError) -> Problem {
        let detail = error.to_string();
        match error {
            ServiceError::NotFound(_) => Problem::new(Code::NotFound, detail),
            ServiceError::Setup { error, edition } => {
                let first = error.first();
                let errors = error.faults().map(|fault| FieldError {
                    field: fault.field.clone(),
                    pointer: Some(pointer_to(&fault.field)),
                    detail: fault.message.clone(),
                });
                let problem = Problem {
                    errors: errors.collect(),
                    ..Problem::invalid(&first.field, &first.message)
                };
                problem.by_rule(&edition, first.rule.clone())
            }
            ServiceError::Invalid { field, .. } => Problem::invalid(field, detail),
            ServiceError::InvalidParameter { name, .. } => Problem::invalid_parameter(name, detail),
            ServiceError::Illegal {
                illegal,
                edition,
                field,
                pending,
                seq,
                applied,
            } => Problem {
                field,
                pending: Some(pending),
                seq: Some(seq),
                applied,
                ..Problem::new(Code::IllegalAction, illegal.reason.to_string())
                    .by_rule(&edition, Some(illegal.rule.to_string()))
            },
            ServiceError::CardDrawn {
                field,
                pending,
                seq,
            } => Problem {
                field: Some(field),
                pending: Some(pending),
                seq: Some(seq),
                ..Problem::new(Code::CardDrawn, detail)
            },
            ServiceError::NotYourTurn {
                field,
                pending,
                seq,
                applied,
            } => Problem {
                field,
                applied,
                pending: Some(pending),
                seq: Some(seq),
                ..Problem::new(Code::NotYourTurn, detail)
            },
            ServiceError::GameOver { seq, field } => Problem {
                field,
                seq: Some(seq),
                ..Problem::new(Code::GameOver, detail)
            },
            ServiceError::NothingToUndo { seq } => Problem {
                seq: Some(seq),
                ..Problem::new(Code::NothingToUndo, detail)
            },
            ServiceError::Stale { seq } => Problem {
                seq: Some(seq),
                ..Problem::new(Code::StaleView, detail)
            },
            ServiceError::Conflict(kind, _) => Problem::new(kind.into(), detail),
            ServiceError::Store(StoreError::Conflict) => {
                Problem::new(Code::ConcurrentChange, detail)
            }
            ServiceError::TooMany(_) => Problem::again(Code::RateLimited, detail, 10),
            ServiceError::IdempotencyConflict => Problem::new(Code::IdempotencyConflict, detail),
            ServiceError::AlreadyDone { location } => Problem {
                headers: (HeaderValue::from_str(&location).ok())
                    .map(|path| (LOCATION, path))
                    .into_iter()
                    .collect(),
                location: Some(location),
                ..Problem::new(Code::AlreadyDone, detail)
            },
            ServiceError::Unauthenticated(_) => Problem::new(Code::Unauthenticated, detail),
            ServiceError::InvalidToken(_) => Problem::invalid_token(detail),
            ServiceError::WrongPassword(_) => Problem::new(Code::WrongPassword, detail),
            ServiceError::WrongPasskey(_) => Problem::new(Code::WrongPasskey, detail),
            ServiceError::Suspended => Problem::new(Code::AccountSuspended, detail),
            ServiceError::TextsHidden => Problem::new(Code::TextsHidden, detail),
            ServiceError::Forbidden(_) => Problem::new(Code::Forbidden, detail),
            ServiceError::Scope(scope) => Problem::insufficient_scope(scope.name(), detail),
            ServiceError::Store(StoreError::Gone) => Problem::new(Code::Unavailable, detail),
            ServiceError::Store(StoreError::Clock(_)) => {
                Problem::again(Code::ClockWrong, detail, 5)
            }
            ServiceError::Store(error) => {
                tracing::error!(%error, "the store failed");
                Problem::new(
                    Code::Unavailable,
                    "the database does not answer; retry later",
                )
            }
            ServiceError::Damaged { .. } => {
                tracing::error!(%detail, "stored data are damaged");
                Problem::new(Code::Damaged, DAMAGED)
            }
        }
    }
}

impl ResponseError for Problem {
    fn status_code(&self) -> StatusCode {
        StatusCode::from_u16(self.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
    }

    fn error_response(&self) -> HttpResponse {
        let mut response = HttpResponse::build(self.status_code()).json(self);
        // The error pages show the problem in their own form.
        response.extensions_mut().insert(self.clone());
        let headers = response.headers_mut();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static(MEDIA_TYPE));
        match self.code {
            Code::Unauthenticated => {
                headers.insert(WWW_AUTHENTICATE, HeaderValue::from_static(CHALLENGE));
            }
            Code::Unavailable | Code::Overloaded => {
                headers.insert(RETRY_AFTER, HeaderValue::from_static("1"));
            }
            _ => {}
        }
        for (name, value) in &self.headers {
            headers.insert(name.clone(), value.clone());
        }
        response
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_on_errors_has_every_code() {
        let page = include_str!("../../docs/errors.md");
        let rows: Vec<&str> = page.lines().collect();
        for code in Code::ALL {
            let (status, name) = (
                format!("| {} |", code.status()),
                format!("`{}`", code.name()),
            );
            let is_own = |row: &&str| row.starts_with(&status) && row.contains(&name);
            assert!(rows.iter().any(is_own), "{status} {name}");
        }
    }
}
