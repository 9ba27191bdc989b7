//! Problems: the one table of error codes, and how errors become `application/problem+json`.

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
use crate::http::error::ServiceError;

/// Where the types of problems are described.
const TYPES: &str = "https://tabularium.dev/problems/";

/// What is wrong with damaged data, and what to do.
pub const DAMAGED: &str = "what is stored of this is damaged, so it is not shown; trying again does not help, and \
    everything else goes on. Tell the operator: `tabularium verify` names what is damaged, and a backup has it whole";

/// The media type of problems.
pub const MEDIA_TYPE: &str = "application/problem+json";

/// What asks for a token (RFC 6750, section 3).
const CHALLENGE: &str = "Bearer realm=\"tabularium\"";

macro_rules! codes {
    ($($(#[$doc:meta])* $variant:ident $status:literal $title:literal),+ $(,)?) => {
        /// What kind of problem it is.
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

            /// A title for people.
            pub const fn title(self) -> &'static str {
                match self { $(Code::$variant => $title),+ }
            }
        }
    };
}

codes! {
    /// The body is no JSON.
    MalformedJson 400 "The body is not JSON",
    /// The request has no token, or an invalid one.
    Unauthenticated 401 "A valid token is needed",
    /// The token does not allow this.
    Forbidden 403 "The token does not allow this",
    /// Nothing is there.
    NotFound 404 "Not found",
    /// The resource has other methods.
    MethodNotAllowed 405 "The method is not allowed here",
    /// None of the accepted media types can be had.
    NotAcceptable 406 "No acceptable media type",
    /// Somebody else must act.
    NotYourTurn 409 "It is somebody else's turn",
    /// The game is over.
    GameOver 409 "The game is over",
    /// It does not fit where the game stands.
    Conflict 409 "It does not fit where the game stands",
    /// A repetition of a request whose answer held a secret: `location` is the path of what the request created.
    AlreadyDone 409 "The request was carried out before",
    /// An undo would change nothing.
    NothingToUndo 409 "Nothing would be taken back",
    /// The caller looked at an older game or league.
    StaleView 412 "What was seen has gone on",
    /// The body is too large.
    TooLarge 413 "The body is too large",
    /// The body is of another media type.
    UnsupportedMediaType 415 "The body's media type is not supported",
    /// A value in body, query or header cannot be.
    InvalidBody 422 "The request cannot be understood",
    /// The rules do not allow it.
    IllegalAction 422 "The rules do not allow this",
    /// An action stands behind one that draws an event card.
    CardDrawn 422 "A request ends where a card is drawn",
    /// The idempotency key was used for another request.
    IdempotencyConflict 422 "The Idempotency-Key was used for another request",
    /// Too many requests.
    RateLimited 429 "Too many requests",
    /// A fault of the service.
    Internal 500 "The service has a fault",
    /// What is stored of the game cannot be read or does not follow from its log; everything else goes on. Trying again
    /// does not help: tell the operator.
    Damaged 500 "The stored game is damaged",
    /// The service cannot answer for now.
    Unavailable 503 "The service cannot answer for now",
    /// The clock of this node is wrong, so nothing is written.
    ClockWrong 503 "The clock of the service is wrong",
    /// The service has too much to do.
    Overloaded 503 "The service has too much to do",
}

impl Code {
    /// The name on the wire.
    pub fn name(self) -> String {
        // A unit variant always serializes as its name.
        let value = serde_json::to_value(self).unwrap_or_default();
        value.as_str().unwrap_or_default().to_owned()
    }
}

/// One thing that is wrong with a request.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct FieldError {
    /// The field of the request to blame, as a path such as `seats[0].player`; or the name of a query parameter.
    pub field: String,
    /// The same as a JSON Pointer into the body (RFC 6901), such as `/seats/0/player`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub pointer: Option<String>,
    /// What is wrong with it, and what is expected.
    pub detail: String,
}

impl FieldError {
    /// What is wrong at a JSON Pointer.
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

/// An error as RFC 9457 wants it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema, thiserror::Error)]
#[error("{}: {detail}", code.name())]
pub struct Problem {
    /// A URL that names the kind of problem.
    pub r#type: String,
    /// The kind of problem in words.
    pub title: String,
    /// The HTTP status.
    pub status: u16,
    /// What is wrong this time.
    pub detail: String,
    /// The path that was asked for.
    pub instance: String,
    /// The kind of problem as a name that does not change.
    pub code: Code,
    /// The number of the rule that was offended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub rule: Option<String>,
    /// Where that rule can be read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub rule_url: Option<String>,
    /// The field of the request to blame, as a path.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub field: Option<String>,
    /// Everything that is wrong with a body, query, setup or position; the first is also `field` and
    /// `detail`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub errors: Vec<FieldError>,
    /// Who must act.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub pending: Option<Vec<QuestionForm>>,
    /// The last event of the game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub seq: Option<u64>,
    /// Of a list of actions: how many of them come before the state of which `pending` tells. None of them is
    /// kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub applied: Option<usize>,
    /// The path of what the same request created before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub location: Option<String>,
    /// The most bytes that a body may have.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub limit: Option<u64>,
    /// Headers of the answer beside those that follow from the code.
    #[serde(skip)]
    pub headers: Vec<(HeaderName, HeaderValue)>,
}

impl Problem {
    /// A problem of a kind.
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

    /// A problem that may be gone after so many seconds.
    pub fn again(code: Code, detail: impl Into<String>, seconds: u64) -> Problem {
        Problem {
            headers: vec![(RETRY_AFTER, HeaderValue::from(seconds))],
            ..Problem::new(code, detail)
        }
    }

    /// A token that may not be used for what needs a scope (RFC 6750, section 3.1).
    fn insufficient_scope(scope: &str, detail: String) -> Problem {
        let challenge = format!("Bearer error=\"insufficient_scope\", scope=\"{scope}\"");
        let challenge = HeaderValue::from_str(&challenge);
        let challenge = challenge.unwrap_or(HeaderValue::from_static(CHALLENGE));
        Problem {
            headers: vec![(WWW_AUTHENTICATE, challenge)],
            ..Problem::new(Code::Forbidden, detail)
        }
    }

    /// A bearer that is no valid token (RFC 6750, section 3.1).
    pub fn invalid_token(detail: impl Into<String>) -> Problem {
        let challenge = HeaderValue::from_static("Bearer error=\"invalid_token\"");
        Problem {
            headers: vec![(WWW_AUTHENTICATE, challenge)],
            ..Problem::new(Code::Unauthenticated, detail)
        }
    }

    /// A value that cannot be, and its field.
    pub fn invalid(field: impl Into<String>, detail: impl Into<String>) -> Problem {
        let field = Some(field.into()).filter(|field| !field.is_empty());
        Problem {
            field,
            ..Problem::new(Code::InvalidBody, detail)
        }
    }

    /// Everything that is wrong with a request.
    ///
    /// # Errors
    /// 422 when that is anything.
    pub fn if_any(errors: Vec<FieldError>) -> Result<(), Problem> {
        let Some(first) = errors.first() else {
            return Ok(());
        };
        Err(Problem {
            errors: errors.clone(),
            ..Problem::invalid(&first.field, &first.detail)
        })
    }

    /// Names the rule of an edition that was offended, and where it can be read.
    fn by_rule(self, edition: &str, rule: Option<String>) -> Problem {
        // What no digest tells, as an operator's ruleset may cite it, has no page.
        let told = rule
            .as_ref()
            .filter(|rule| rule_text(edition, rule).is_some());
        let rule_url = told.map(|rule| format!("/v1/editions/{edition}/rules/{rule}"));
        Problem {
            rule,
            rule_url,
            ..self
        }
    }

    /// The problem that any error of the framework is. What is not the client's doing is logged and
    /// told without its inside.
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
                return Problem::new(Code::Internal, "the fault has been logged");
            }
        };
        Problem::new(code, error.to_string())
    }
}

/// The JSON Pointer to a member of what a pointer names (RFC 6901).
pub fn member(pointer: &str, name: &str) -> String {
    let name = name.replace('~', "~0").replace('/', "~1");
    format!("{pointer}/{name}")
}

/// The JSON Pointer to a field that is named as a path, such as `seats[0].player`.
fn pointer_to(field: &str) -> String {
    let names = field.split(['.', '[', ']']).filter(|name| !name.is_empty());
    names.fold(String::new(), |pointer, name| member(&pointer, name))
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
            ServiceError::Conflict(_) | ServiceError::Store(StoreError::Conflict) => {
                Problem::new(Code::Conflict, detail)
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
            ServiceError::Forbidden(_) => Problem::new(Code::Forbidden, detail),
            ServiceError::Scope(scope) => Problem::insufficient_scope(scope.name(), detail),
            ServiceError::Store(StoreError::Gone) => Problem::new(Code::Unavailable, detail),
            ServiceError::Store(StoreError::Clock(_)) => {
                Problem::again(Code::ClockWrong, detail, 5)
            }
            ServiceError::Store(error) => {
                tracing::error!(%error, "the store failed");
                Problem::new(Code::Unavailable, "the database does not answer")
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
        // Pages tell it in their own way.
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
