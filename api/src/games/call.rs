//! Who calls, on what terms, and what may be kept for a repetition.

use std::sync::Arc;

use serde::Serialize;

use super::accounts::Access;
use super::error::GameError;
use super::secret::{self, hashed};
use super::table::Table;
use crate::store::{KeptAnswer, StoreError};

/// Who calls, and on what terms.
#[derive(Clone, Debug, Default)]
pub struct Call {
    /// SHA-256 of the bearer token.
    pub token: Option<String>,
    /// Whose the token is, when it is one of an account, and what it may be used for.
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

/// Who a caller is in a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Who created the game.
    Organizer,
    /// Who plays a seat.
    Seat(u8),
}

impl Idempotency {
    /// By what the answer is found again.
    pub fn stored_key(&self) -> String {
        hashed(&format!("{}\n{}", self.scope, self.key))
    }
}

impl Call {
    /// What `work` on a game that stands at `seq` comes to, if that is where the caller saw it.
    /// Whoever may not do it is told that first (RFC 9110, section 13.2.1).
    pub fn guarded<T>(
        &self,
        seq: u64,
        work: impl FnOnce() -> Result<T, GameError>,
    ) -> Result<T, GameError> {
        let stale = self
            .if_match
            .as_ref()
            .is_some_and(|wanted| !wanted.contains(&seq));
        match work() {
            Err(
                error @ (GameError::Unauthenticated(_)
                | GameError::Forbidden(_)
                | GameError::Scope(_)),
            ) => Err(error),
            _ if stale => Err(GameError::Stale { seq }),
            outcome => outcome,
        }
    }

    /// What is kept for a repetition.
    pub fn keep<T: Serialize>(&self, answer: &T) -> Result<Option<KeptAnswer>, GameError> {
        if self.idempotency.is_none() {
            return Ok(None);
        }
        let answer = serde_json::to_string(answer).map_err(|error| GameError::Damaged {
            id: "of an answer".to_owned(),
            message: error.to_string(),
        })?;
        self.keep_text(&answer)
    }

    /// What is kept for a repetition, of an answer that is written already.
    pub fn keep_text(&self, answer: &str) -> Result<Option<KeptAnswer>, GameError> {
        let Some(idempotency) = &self.idempotency else {
            return Ok(None);
        };
        Ok(Some(KeptAnswer {
            caller: self.caller(),
            key: idempotency.stored_key(),
            request: idempotency.request.clone(),
            answer: secret::sealed(&idempotency.key, answer)
                .map_err(|error| StoreError::Unavailable(error.to_string()))?,
            created_at: jiff::Timestamp::now().as_microsecond(),
        }))
    }

    /// Whose keys the caller's are: the token's, or without one the address's.
    pub fn caller(&self) -> String {
        match &self.token {
            Some(token) => token.clone(),
            None => self.charged_to(),
        }
    }

    /// To whom it is charged what the caller lets the office do: to the address, for anybody can make
    /// tokens up.
    pub fn charged_to(&self) -> String {
        let address = self.address.as_deref();
        address.map_or_else(String::new, |address| hashed(&format!("address {address}")))
    }

    /// Who the caller is in a game.
    pub fn role(&self, table: &Table) -> Result<Role, GameError> {
        let Some(token) = &self.token else {
            let message = "a bearer token of a seat or of the organizer is needed";
            return Err(GameError::Unauthenticated(message));
        };
        if table.stored.organizer.as_ref() == Some(token) {
            return Ok(Role::Organizer);
        }
        let seat = table.seats.iter().find(|s| s.token.as_ref() == Some(token));
        match seat {
            Some(seat) => Ok(Role::Seat(seat.number)),
            None => Err(GameError::Unauthenticated(
                "this token belongs to nobody at this table",
            )),
        }
    }

    /// The caller is the organizer.
    ///
    /// # Errors
    /// 401 when nobody knows the caller, 403 when it is somebody else's work.
    pub fn organizer(&self, table: &Table) -> Result<(), GameError> {
        match self.role(table)? {
            Role::Organizer => Ok(()),
            Role::Seat(_) => Err(GameError::Forbidden(
                "this is for the organizer of the game".to_owned(),
            )),
        }
    }

    /// The seat that the caller plays.
    ///
    /// # Errors
    /// Those of [`Call::organizer`].
    pub fn any_seat(&self, table: &Table) -> Result<u8, GameError> {
        match self.role(table)? {
            Role::Seat(seat) => Ok(seat),
            Role::Organizer => Err(GameError::Forbidden(
                "the organizer's token plays no seat".to_owned(),
            )),
        }
    }

    /// The caller plays this seat.
    ///
    /// # Errors
    /// 404 when there is no such seat, and those of [`Call::organizer`].
    pub fn own_seat(&self, table: &Table, number: u8) -> Result<(), GameError> {
        table.seat(number)?;
        match self.any_seat(table)? {
            own if own == number => Ok(()),
            own => Err(GameError::Forbidden(format!(
                "this token plays seat {own}, not seat {number}"
            ))),
        }
    }
}
