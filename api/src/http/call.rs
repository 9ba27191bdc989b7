//! The caller of a request, its terms, and what is stored for a repetition.

use std::sync::Arc;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::db::Store;
use crate::db::answers::KeptAnswer;
use crate::http::error::ServiceError;
use crate::http::scope::Scopes;
use crate::http::secret::hashed;

/// Who calls, and on what terms.
#[derive(Clone, Debug, Default)]
pub struct Call {
    /// SHA-256 of the bearer token, which is valid.
    pub token: Option<String>,
    /// Whose the token is, when it is one of an account and not of a game, and what it may be used for.
    pub access: Option<Arc<Access>>,
    /// The address that counts as one caller, as far as it is known: all that tells callers without a token
    /// apart, and to what is charged what the office does for them.
    pub address: Option<String>,
    /// The events of which one must be the last; any when `None`.
    pub if_match: Option<Vec<u64>>,
    /// How a repetition of the request is known.
    pub idempotency: Option<Idempotency>,
}

/// How a repetition of a request is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Idempotency {
    /// The caller's key.
    pub key: String,
    /// What the key is good for: method and path.
    pub scope: String,
    /// SHA-256 of what is asked.
    pub request: String,
}

/// What the repetition of a request receives.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Repetition<T> {
    /// The same answer again.
    Answer(T),
    /// Where to find what the request has created. Its answer held a secret, which is never stored.
    Location(String),
}

impl Idempotency {
    /// By what the answer is found again.
    pub fn stored_key(&self) -> String {
        hashed(&format!("{}\n{}", self.scope, self.key))
    }
}

/// Whose a token is, and what it may be used for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Access {
    /// The account.
    pub account: Uuid,
    /// The token.
    pub token: Uuid,
    /// What it may be used for.
    pub scopes: Scopes,
    /// From when on it is good for nothing, in microseconds since 1970.
    pub expires_at: Option<i64>,
    /// Why it is good for nothing, if it is not for its age.
    pub(crate) refused: Option<&'static str>,
}

impl Call {
    /// What `work` on a game that stands at `seq` comes to, if that is where the caller saw it.
    /// Whoever may not do it is told that first (RFC 9110, section 13.2.1).
    pub fn guarded<T>(
        &self,
        seq: u64,
        work: impl FnOnce() -> Result<T, ServiceError>,
    ) -> Result<T, ServiceError> {
        let stale = self
            .if_match
            .as_ref()
            .is_some_and(|wanted| !wanted.contains(&seq));
        match work() {
            Err(
                error @ (ServiceError::Unauthenticated(_)
                | ServiceError::Forbidden(_)
                | ServiceError::Scope(_)),
            ) => Err(error),
            _ if stale => Err(ServiceError::Stale { seq }),
            outcome => outcome,
        }
    }

    /// What is stored for a repetition of a request whose answer holds no secret.
    pub fn keep<T: Serialize>(&self, answer: &T) -> Result<Option<KeptAnswer>, ServiceError> {
        self.keep_repetition(&Repetition::Answer(answer))
    }

    /// What is stored for a repetition of a request whose answer holds a secret: the path of what it created.
    pub fn keep_location(&self, path: String) -> Result<Option<KeptAnswer>, ServiceError> {
        self.keep_repetition(&Repetition::<()>::Location(path))
    }

    fn keep_repetition<T: Serialize>(
        &self,
        repetition: &Repetition<T>,
    ) -> Result<Option<KeptAnswer>, ServiceError> {
        let Some(idempotency) = &self.idempotency else {
            return Ok(None);
        };
        let answer = serde_json::to_string(repetition).map_err(|error| ServiceError::Damaged {
            id: "of an answer".to_owned(),
            message: error.to_string(),
        })?;
        Ok(Some(KeptAnswer {
            caller: self.caller(),
            key: idempotency.stored_key(),
            request: idempotency.request.clone(),
            answer,
            created_at: jiff::Timestamp::now().as_microsecond(),
        }))
    }

    /// The answer that was given to this request before, if it was.
    ///
    /// # Errors
    /// [`ServiceError::AlreadyDone`] when that answer held a secret; [`ServiceError::IdempotencyConflict`] when the key was
    /// used for another request; when the store fails.
    pub fn kept<T: DeserializeOwned>(&self, store: &Store) -> Result<Option<T>, ServiceError> {
        let Some(idempotency) = &self.idempotency else {
            return Ok(None);
        };
        let Some(kept) = store.kept_answer(&self.caller(), &idempotency.stored_key())? else {
            return Ok(None);
        };
        if kept.request != idempotency.request {
            return Err(ServiceError::IdempotencyConflict);
        }
        match serde_json::from_str(&kept.answer) {
            Ok(Repetition::Answer(answer)) => Ok(Some(answer)),
            Ok(Repetition::Location(location)) => Err(ServiceError::AlreadyDone { location }),
            Err(error) => Err(ServiceError::Damaged {
                id: "of an idempotency key".to_owned(),
                message: error.to_string(),
            }),
        }
    }

    /// Whose idempotency keys the caller's are: the token's, else the address's.
    pub fn caller(&self) -> String {
        self.token.clone().unwrap_or_else(|| self.charged_to())
    }

    /// To whom it is charged what the caller lets the office do: to the address, for anybody can get more
    /// tokens.
    pub fn charged_to(&self) -> String {
        let address = self.address.as_deref();
        address.map_or_else(String::new, |address| hashed(&format!("address {address}")))
    }
}
