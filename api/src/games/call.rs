//! Who calls, on what terms, and what may be kept for a repetition.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::accounts::Access;
use super::error::GameError;
use super::secret::hashed;
use super::table::Table;
use crate::store::{KeptAnswer, Scope};

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
pub(super) enum Repetition<T> {
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

    /// What is stored for a repetition of a request whose answer holds no secret.
    pub fn keep<T: Serialize>(&self, answer: &T) -> Result<Option<KeptAnswer>, GameError> {
        self.keep_repetition(&Repetition::Answer(answer))
    }

    /// What is stored for a repetition of a request whose answer holds a secret: the path of what it created.
    pub fn keep_location(&self, path: String) -> Result<Option<KeptAnswer>, GameError> {
        self.keep_repetition(&Repetition::<()>::Location(path))
    }

    fn keep_repetition<T: Serialize>(
        &self,
        repetition: &Repetition<T>,
    ) -> Result<Option<KeptAnswer>, GameError> {
        let Some(idempotency) = &self.idempotency else {
            return Ok(None);
        };
        let answer = serde_json::to_vec(repetition).map_err(|error| GameError::Damaged {
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

    /// The caller's token, when it is one of an account or belongs to the table.
    fn known(&self, table: &Table) -> Result<&str, GameError> {
        let Some(token) = self.token.as_deref() else {
            let message =
                "a bearer token is needed: of a player's account, of a seat or of the organizer";
            return Err(GameError::Unauthenticated(message));
        };
        match self.access.is_some() || table.has_token(token) {
            true => Ok(token),
            false => Err(GameError::Forbidden(
                "this token belongs to nobody at this table".to_owned(),
            )),
        }
    }

    /// The caller is the organizer: by the game's token, by the account that organizes it, or as an
    /// administrator.
    ///
    /// # Errors
    /// 401 when the request has no token, 403 when it is somebody else's work or the token is not for it.
    pub fn organizer(&self, table: &Table) -> Result<(), GameError> {
        let token = self.known(table)?;
        if table.stored.organizer.as_deref() == Some(token) {
            return Ok(());
        }
        match self.access.as_deref() {
            Some(access) if access.scopes.allow(Scope::Admin) => Ok(()),
            Some(access) if table.stored.organizer_account == Some(access.account) => {
                access.needs(Scope::Organize)
            }
            _ => Err(GameError::Forbidden(
                "this is for the organizer of the game".to_owned(),
            )),
        }
    }

    /// The seat that the caller plays: by the seat's token or by the account that sits there.
    ///
    /// # Errors
    /// Those of [`Call::organizer`].
    pub fn any_seat(&self, table: &Table) -> Result<u8, GameError> {
        let token = self.known(table)?;
        let mut seats = table.seats.iter();
        if let Some(seat) = seats.find(|seat| seat.token.as_deref() == Some(token)) {
            return Ok(seat.number);
        }
        let Some(access) = &self.access else {
            let message = "the organizer's token plays no seat";
            return Err(GameError::Forbidden(message.to_owned()));
        };
        let seat = table.seat_of(access.account).ok_or_else(|| {
            GameError::Forbidden("your account plays no seat of this game".to_owned())
        })?;
        access.needs(Scope::Play)?;
        Ok(seat)
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
                "you play seat {own}, not seat {number}"
            ))),
        }
    }
}
