//! Sign-up, sign-in, passwords, recovery codes and sessions.

use std::fmt;
use std::sync::Arc;

use uuid::Uuid;

use crate::accounts::model::PlayerBody;
use crate::accounts::queries::StoredAccount;
use crate::accounts::service::{
    Accounts, Registration, check_handle, handle_is_taken, new_account,
};
use crate::db::{Store, StoreError};
use crate::http::call::{Access, Call};
use crate::http::error::ServiceError;
use crate::http::scope::Scope;
use crate::http::secret::{fresh, hashed};
use crate::sessions::model::{
    PasswordChange, RecoveryCodes, SessionBody, SessionList, StartedSession,
};
use crate::sessions::passwords::Password;
use crate::sessions::queries::{NewSecrets, StoredSession};
use crate::sessions::recovery;

/// The same for unknown handles, so that an answer does not show which handles exist.
const WRONG_SIGN_IN: &str = "the handle, the password or the recovery code is wrong: correct it, or wait if you tried often";

const WRONG_PROOF: &str = "the password of the account is missing or wrong: send it as `current` to change the password, \
     otherwise as `password`";

/// The sign-in of people. Each function that reads a password hashes it, so it takes much time.
#[derive(Debug)]
pub struct Sessions {
    pub(super) store: Arc<Store>,
    accounts: Arc<Accounts>,
}

/// A session that has started.
pub struct SignedIn {
    /// The value of the cookie.
    pub cookie: String,
    /// The account and the session.
    pub body: StartedSession,
}

impl fmt::Debug for SignedIn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.body.fmt(f)
    }
}

/// What an account has to sign in.
#[derive(Clone, Copy, Debug)]
pub struct SignInState {
    /// Whether it has a password.
    pub has_password: bool,
    /// How many recovery codes are left.
    pub recovery_codes: i64,
}

pub(super) fn no_random(error: getrandom::Error) -> StoreError {
    StoreError::Unavailable(error.to_string())
}

/// Returns the value of a new cookie and its session.
pub(super) fn new_session(
    account: Uuid,
    device: String,
) -> Result<(String, StoredSession), StoreError> {
    let cookie = fresh().map_err(no_random)?;
    let session = StoredSession::new(account, hashed(&cookie), device);
    Ok((cookie, session))
}

pub(super) fn new_codes() -> Result<(Vec<String>, Vec<String>), StoreError> {
    let codes = recovery::generate().map_err(no_random)?;
    let hashes = codes.iter().map(|code| recovery::hash(code)).collect();
    Ok((codes, hashes))
}

pub(super) fn started(cookie: String, account: StoredAccount, session: StoredSession) -> SignedIn {
    let current = Some(session.id);
    SignedIn {
        cookie,
        body: StartedSession {
            player: PlayerBody::from(account),
            session: SessionBody::new(session, current),
        },
    }
}

impl Sessions {
    /// Creates the service.
    pub fn new(store: Arc<Store>, accounts: Arc<Accounts>) -> Sessions {
        Sessions { store, accounts }
    }

    /// Returns true if everyone may sign up.
    pub fn is_open(&self) -> bool {
        self.accounts.admission.registration == Registration::Open
    }

    /// Creates an account with a password, and signs it in. The recovery codes are returned only here.
    pub fn sign_up(
        &self,
        handle: &str,
        password: &Password,
        device: String,
    ) -> Result<(SignedIn, RecoveryCodes), ServiceError> {
        if !self.is_open() {
            let message = "registration is closed on this server: ask its operator for an account";
            return Err(ServiceError::Forbidden(message.to_owned()));
        }
        check_handle(handle).map_err(|message| ServiceError::invalid("handle", message))?;
        password.check(handle)?;
        if self.store.account_called(handle)?.is_some() {
            return Err(handle_is_taken(handle));
        }
        let account = new_account(handle);
        let (codes, hashes) = new_codes()?;
        let secrets = NewSecrets {
            password: password.hash()?,
            codes: Some(hashes),
        };
        let (cookie, session) = new_session(account.id, device)?;
        match (self.store).sign_up(account.clone(), secrets, session.clone()) {
            Ok(()) => Ok((started(cookie, account, session), RecoveryCodes { codes })),
            Err(StoreError::Conflict) => Err(handle_is_taken(handle)),
            Err(error) => Err(error.into()),
        }
    }

    /// Finds an account that can sign in.
    fn find(&self, handle: &str) -> Result<Option<StoredAccount>, StoreError> {
        let found = self.store.account_called(handle)?;
        Ok(found.filter(|account| account.deleted_at.is_none()))
    }

    /// Signs in with a password.
    ///
    /// # Errors
    /// [`ServiceError::WrongPassword`] if there is no such account or the password is wrong;
    /// [`ServiceError::Suspended`]; or the error of the store.
    pub fn sign_in(
        &self,
        handle: &str,
        password: &Password,
        device: String,
    ) -> Result<SignedIn, ServiceError> {
        let account = self.find(handle)?;
        let hash = match &account {
            Some(account) => self.store.password(account.id)?,
            None => None,
        };
        let fits = password.verify(hash.as_deref());
        let (Some(account), Some(hash), true) = (account, hash, fits) else {
            return Err(ServiceError::WrongPassword(WRONG_SIGN_IN));
        };
        if account.suspended_at.is_some() {
            return Err(ServiceError::Suspended);
        }
        let (cookie, session) = new_session(account.id, device)?;
        match self.store.start_session(session.clone(), hash)? {
            true => Ok(started(cookie, account, session)),
            false => Err(ServiceError::WrongPassword(WRONG_SIGN_IN)),
        }
    }

    /// Signs in with a recovery code, which is used up, and a new password. All other sessions end.
    ///
    /// # Errors
    /// [`ServiceError::WrongPassword`] if there is no such account or code; [`ServiceError::Invalid`] if the new
    /// password is not allowed; or the error of the store.
    pub fn recover(
        &self,
        handle: &str,
        code: &str,
        password: &Password,
        device: String,
    ) -> Result<SignedIn, ServiceError> {
        password.check(handle)?;
        // Hashed in any case, so that the time does not show whether the account exists.
        let new_password = password.hash()?;
        let account = self.find(handle)?;
        let (cookie, session) =
            new_session(account.as_ref().map_or(Uuid::nil(), |own| own.id), device)?;
        let ended = self
            .store
            .recover(recovery::hash(code), new_password, session.clone())?;
        let (Some(account), Some(ended)) = (account, ended) else {
            return Err(ServiceError::WrongPassword(WRONG_SIGN_IN));
        };
        self.forget(&ended);
        Ok(started(cookie, account, session))
    }

    fn forget(&self, ended: &[String]) {
        for hash in ended {
            self.accounts.forget_holder(hash);
        }
    }

    /// Returns what the caller's account has to sign in.
    pub fn state(&self, call: &Call) -> Result<SignInState, ServiceError> {
        let account = call.account_without_app(Scope::Read)?.account;
        Ok(SignInState {
            has_password: self.store.password(account)?.is_some(),
            recovery_codes: self.store.recovery_codes(account)?,
        })
    }

    /// Changes the password of the caller's account. All sessions but the caller's own end.
    pub fn change_password(
        &self,
        call: &Call,
        change: &PasswordChange,
    ) -> Result<(), ServiceError> {
        let access = call.account_without_app(Scope::Account)?;
        let previous = self.store.password(access.account)?;
        change.password.check(&access.handle)?;
        if previous.is_some() {
            let current = change.current.as_ref();
            if !current.is_some_and(|current| current.verify(previous.as_deref())) {
                return Err(ServiceError::WrongPassword(WRONG_PROOF));
            }
        }
        let password = change.password.hash()?;
        let keep = own_session(access);
        let ended = (self.store).change_password(access.account, previous, password, keep)?;
        // Another request has changed the password meanwhile.
        let ended = ended.ok_or(ServiceError::WrongPassword(WRONG_PROOF))?;
        self.forget(&ended);
        Ok(())
    }

    /// Replaces the recovery codes of the caller's account. The codes are returned only here.
    pub fn new_recovery_codes(
        &self,
        call: &Call,
        password: &Password,
    ) -> Result<RecoveryCodes, ServiceError> {
        let access = call.account_without_app(Scope::Account)?;
        let hash = self.store.password(access.account)?;
        if !password.verify(hash.as_deref()) {
            return Err(ServiceError::WrongPassword(WRONG_PROOF));
        }
        let (codes, hashes) = new_codes()?;
        let hash = hash.unwrap_or_default();
        match (self.store).replace_recovery_codes(access.account, hash, hashes)? {
            true => Ok(RecoveryCodes { codes }),
            false => Err(ServiceError::WrongPassword(WRONG_PROOF)),
        }
    }

    /// Checks the password of the caller's account. An account without a password needs none.
    pub fn prove(&self, call: &Call, password: Option<&Password>) -> Result<(), ServiceError> {
        let access = call.account_without_app(Scope::Account)?;
        let hash = self.store.password(access.account)?;
        let fits = |password: &Password| password.verify(hash.as_deref());
        match hash.is_none() || password.is_some_and(fits) {
            true => Ok(()),
            false => Err(ServiceError::WrongPassword(WRONG_PROOF)),
        }
    }

    /// Lists the sessions of the caller's account.
    pub fn list(&self, call: &Call) -> Result<SessionList, ServiceError> {
        let access = call.account_without_app(Scope::Read)?;
        let current = own_session(access);
        let sessions = self.store.sessions(access.account)?.into_iter();
        Ok(SessionList {
            items: sessions
                .map(|session| SessionBody::new(session, current))
                .collect(),
        })
    }

    /// Ends a session of the caller's account.
    /// A session may end itself; for another one, the scope `account` is needed.
    pub fn end(&self, call: &Call, id: Uuid) -> Result<(), ServiceError> {
        let access = call.any_account()?;
        if own_session(access) != Some(id) {
            call.account_without_app(Scope::Account)?;
        }
        let ended = self.store.end_session(access.account, id)?;
        let ended = ended.ok_or_else(|| ServiceError::NotFound(format!("session {id}")))?;
        self.forget(&[ended]);
        Ok(())
    }

    /// Ends all sessions of the caller's account except its own.
    pub fn end_others(&self, call: &Call) -> Result<(), ServiceError> {
        let access = call.account_without_app(Scope::Account)?;
        let keep = own_session(access);
        let ended = self.store.end_other_sessions(access.account, keep)?;
        self.forget(&ended);
        Ok(())
    }
}

/// The id of the session that sends a request.
fn own_session(access: &Access) -> Option<Uuid> {
    access.is_session.then_some(access.token)
}
