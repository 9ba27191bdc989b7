//! The caller of a request, its conditions, and the answers that are stored for repeated requests.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::db::Store;
use crate::db::answers::{KeptAnswer, KeptRequest, StoredAct};
use crate::http::error::ServiceError;
use crate::http::scope::{Scope, Scopes};
use crate::http::secret::hashed;

/// The caller of a request and the conditions that the request sets.
#[derive(Clone, Debug, Default)]
pub struct Call {
    /// SHA-256 of the bearer token or of the session's cookie, which is valid.
    pub token: Option<String>,
    /// The account and the scopes of the token; `None` for the token of a game.
    pub access: Option<Arc<Access>>,
    /// The network address that counts as one caller, if known.
    /// It identifies callers without a token and bears the quotas.
    pub address: Option<String>,
    /// The sequence numbers of `If-Match`, one of which must be the current one; `None` allows any.
    pub if_match: Option<Vec<u64>>,
    /// Identifies repetitions of the request.
    pub idempotency: Option<Idempotency>,
    /// The method and path of a request that may change something.
    pub operation: Option<String>,
    /// Whether the request is allowed only because its sender is an administrator.
    pub(crate) by_administrator: Arc<AtomicBool>,
}

/// The type of an administrator's act in the log of acts, if it is not one of moderation.
pub const REQUEST_ACT: &str = "request";

/// Identifies repetitions of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Idempotency {
    /// The caller's key.
    pub key: String,
    /// The method and path for which the key is valid.
    pub scope: String,
    /// SHA-256 of the query and the body.
    pub request: String,
}

/// The stored answer that a repeated request receives.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Repetition<T> {
    /// The same answer.
    Answer(T),
    /// The path of the created resource. The original answer contained a secret, which is never stored.
    Location(String),
}

impl Idempotency {
    /// The key under which the answer is stored.
    pub fn stored_key(&self) -> String {
        hashed(&format!("{}\n{}", self.scope, self.key))
    }
}

/// The account of a token or of a browser's session, and its scopes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Access {
    /// The account's id.
    pub account: Uuid,
    /// The account's handle, at most 2 seconds old.
    pub handle: String,
    /// The id of the token or of the session.
    pub token: Uuid,
    /// Whether this is the session of a browser that is signed in.
    pub is_session: bool,
    /// The scopes.
    pub scopes: Scopes,
    /// When it expires, in microseconds since 1970; `None` if it does not expire.
    pub expires_at: Option<i64>,
    /// What allows an app to use the token; `None` for tokens that are of no app.
    pub app_grant: Option<Uuid>,
    /// Why the token is refused, if not because it has expired.
    pub(crate) refused: Option<TokenRefusal>,
}

/// Why a token is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TokenRefusal {
    /// The account is deleted.
    Deleted,
    /// An administrator has suspended the account.
    Suspended,
    /// The token was revoked.
    Revoked,
}

impl Access {
    /// Returns the access of an account without a token, for what the service does for it.
    pub fn of_account(account: Uuid) -> Access {
        Access {
            account,
            handle: String::new(),
            token: Uuid::nil(),
            is_session: false,
            scopes: Scopes::default(),
            expires_at: None,
            app_grant: None,
            refused: None,
        }
    }
}

impl Call {
    /// Runs `work` on a game or league at `seq`, and fails if `If-Match` names other versions.
    ///
    /// A missing permission is reported before a stale version (RFC 9110, section 13.2.1).
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

    /// Returns true if the caller is an administrator, and notes that this is why the request is allowed.
    /// Check the caller's own rights first: what [`Call::keep`] returns then includes the act, for the log of acts.
    pub fn act_as_administrator(&self) -> bool {
        let access = self.access.as_deref();
        let is_administrator = access.is_some_and(|access| access.scopes.allow(Scope::Admin));
        if is_administrator {
            self.by_administrator.store(true, Ordering::Relaxed);
        }
        is_administrator
    }

    /// Returns the act of this request, if it is allowed only because its sender is an administrator.
    pub fn administrator_act(&self) -> Option<StoredAct> {
        let access = self.access.as_deref()?;
        let subject = self.operation.clone()?;
        self.by_administrator
            .load(Ordering::Relaxed)
            .then(|| StoredAct {
                id: Uuid::now_v7().to_string(),
                at: jiff::Timestamp::now().as_microsecond(),
                account: access.account.to_string(),
                kind: REQUEST_ACT.to_owned(),
                subject,
                detail: None,
                reason: None,
            })
    }

    /// Returns the entry to store for a request whose answer is not stored.
    pub fn keep_act(&self) -> Option<KeptRequest> {
        let act = Some(self.administrator_act()?);
        Some(KeptRequest { act, answer: None })
    }

    /// Returns the entry to store for a repetition of a request whose answer contains no secret.
    pub fn keep<T: Serialize>(&self, answer: &T) -> Result<Option<KeptRequest>, ServiceError> {
        self.keep_repetition(&Repetition::Answer(answer))
    }

    /// Returns the entry to store for a repetition of a request whose answer contains a secret.
    /// The entry is the path of the new resource.
    pub fn keep_location(&self, path: String) -> Result<Option<KeptRequest>, ServiceError> {
        self.keep_repetition(&Repetition::<()>::Location(path))
    }

    fn keep_repetition<T: Serialize>(
        &self,
        repetition: &Repetition<T>,
    ) -> Result<Option<KeptRequest>, ServiceError> {
        let Some(idempotency) = &self.idempotency else {
            return Ok(self.keep_act());
        };
        let answer = serde_json::to_string(repetition).map_err(|error| ServiceError::Damaged {
            id: "an answer".to_owned(),
            message: error.to_string(),
        })?;
        let answer = Some(KeptAnswer {
            caller: self.caller(),
            key: idempotency.stored_key(),
            request: idempotency.request.clone(),
            answer,
            created_at: jiff::Timestamp::now().as_microsecond(),
        });
        Ok(Some(KeptRequest {
            answer,
            act: self.administrator_act(),
        }))
    }

    /// Returns the stored answer, if this request was carried out before.
    ///
    /// # Errors
    /// [`ServiceError::AlreadyDone`] when that answer contained a secret; [`ServiceError::IdempotencyConflict`] when
    /// the key was used for another request; when the store fails.
    pub fn stored_answer<T: DeserializeOwned>(
        &self,
        store: &Store,
    ) -> Result<Option<T>, ServiceError> {
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
                id: "an idempotency key".to_owned(),
                message: error.to_string(),
            }),
        }
    }

    /// The owner of the caller's idempotency keys: the token, else the address.
    pub fn caller(&self) -> String {
        self.token.clone().unwrap_or_else(|| self.charged_to())
    }

    /// The owner of the caller's quotas: the address, because anyone can create more tokens.
    pub fn charged_to(&self) -> String {
        let address = self.address.as_deref();
        address.map_or_else(String::new, |address| hashed(&format!("address {address}")))
    }
}
