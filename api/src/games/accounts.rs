//! Accounts: who registers, and what a token of theirs may.

use std::sync::Arc;

use bots::Spec;
use uuid::Uuid;

use super::bodies::{Me, NewPlayer, PlayerBody, Registered, TokenBody};
use super::{Call, GameError, Games, hashed, token};
use crate::store::{Scope, Scopes, StoreError, StoredAccount, StoredToken, timestamp};

/// How often it is written that a token was used, in microseconds: an hour.
const USE_NOTED: i64 = 60 * 60 * 1_000_000;

/// The name of the token that a registration shows.
const FIRST_TOKEN: &str = "registration";

/// What the first token of an account may be used for.
const FIRST_SCOPES: [Scope; 3] = [Scope::Read, Scope::Play, Scope::Organize];

/// How the handles of deleted accounts begin.
const DELETED: &str = "deleted-";

/// Who may make an account.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Registration {
    /// Anybody.
    #[default]
    Open,
    /// Who has a token with the scope `admin`.
    Closed,
}

/// Who may come in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::Args)]
pub struct Admission {
    /// Who may make an account: anybody, or only who has a token with the scope `admin`.
    #[arg(long, env = "TABULARIUM_REGISTRATION", value_enum, default_value_t)]
    pub registration: Registration,
    /// Whether a seat can be claimed without an account.
    #[arg(long, env = "TABULARIUM_GUESTS", value_name = "BOOL", default_value_t = true,
        action = clap::ArgAction::Set)]
    pub guests: bool,
}

impl Default for Admission {
    fn default() -> Admission {
        Admission {
            registration: Registration::Open,
            guests: true,
        }
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
    refused: Option<&'static str>,
}

impl Access {
    /// What a stored token is good for.
    fn of(token: &StoredToken, account: &StoredAccount) -> Access {
        let refused = match (token.revoked_at, account.deleted_at) {
            (_, Some(_)) => Some("the account of this token is deleted"),
            (Some(_), None) => Some("this token was revoked"),
            (None, None) => None,
        };
        Access {
            account: account.id,
            token: token.id,
            scopes: token.scopes.clone(),
            expires_at: token.expires_at,
            refused,
        }
    }

    /// The token may be used now.
    fn check(&self, now: i64) -> Result<(), GameError> {
        let expired = self.expires_at.is_some_and(|at| at <= now);
        let refused = self.refused.or(expired.then_some("this token has expired"));
        refused.map_or(Ok(()), |why| Err(GameError::Unauthenticated(why)))
    }

    /// The token may be used for what needs a scope.
    ///
    /// # Errors
    /// [`GameError::Scope`] when it may not.
    pub fn needs(&self, scope: Scope) -> Result<(), GameError> {
        match self.scopes.allow(scope) {
            true => Ok(()),
            false => Err(GameError::Scope(scope)),
        }
    }
}

impl Call {
    /// The caller's account, for what needs a scope.
    ///
    /// # Errors
    /// 401 when no account calls, 403 when its token may not be used for this.
    pub fn account(&self, scope: Scope) -> Result<&Access, GameError> {
        let access = self.access.as_deref();
        let access = access.ok_or(match self.token {
            None => GameError::Unauthenticated("a bearer token of an account is needed"),
            Some(_) => GameError::Unauthenticated("this token is not one of an account"),
        })?;
        access.needs(scope)?;
        Ok(access)
    }
}

/// Whether somebody may be called so, in which the handles of deleted accounts are not asked for.
///
/// # Errors
/// What is needed.
pub fn check_handle(handle: &str) -> Result<(), &'static str> {
    let is_good = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    let small = handle.to_lowercase();
    let long_enough = (3..=32).contains(&handle.len());
    if !long_enough || !handle.chars().all(is_good) {
        return Err("3 to 32 letters and digits of ASCII, `_` and `-` are needed");
    }
    if Uuid::try_parse(handle).is_ok() {
        return Err("a handle must not look like an id");
    }
    if small.parse::<Spec>().is_ok() {
        return Err("a bot is called so");
    }
    match small.starts_with(DELETED) {
        true => Err("deleted accounts are called so"),
        false => Ok(()),
    }
}

fn now() -> i64 {
    jiff::Timestamp::now().as_microsecond()
}

/// A token of an account as it is stored, and its text.
///
/// # Errors
/// When the system has no source of chance.
pub fn new_token(
    account: Uuid,
    name: &str,
    scopes: Scopes,
    expires_at: Option<i64>,
) -> Result<(StoredToken, String), StoreError> {
    let text = token::fresh()?;
    let stored = StoredToken {
        id: Uuid::now_v7(),
        account,
        hash: hashed(&text),
        name: name.to_owned(),
        scopes,
        created_at: now(),
        expires_at,
        last_used_at: None,
        revoked_at: None,
    };
    Ok((stored, text))
}

/// An account as it is stored, that nobody has a token of.
pub fn new_account(handle: &str) -> StoredAccount {
    StoredAccount {
        id: Uuid::now_v7(),
        handle: handle.to_owned(),
        created_at: now(),
        deleted_at: None,
    }
}

impl From<StoredAccount> for PlayerBody {
    fn from(account: StoredAccount) -> PlayerBody {
        PlayerBody {
            id: account.id,
            handle: account.handle,
            created_at: timestamp(account.created_at),
            deleted_at: account.deleted_at.map(timestamp),
        }
    }
}

impl From<StoredToken> for TokenBody {
    fn from(token: StoredToken) -> TokenBody {
        TokenBody {
            id: token.id,
            name: token.name,
            scopes: token.scopes.iter().collect(),
            created_at: timestamp(token.created_at),
            expires_at: token.expires_at.map(timestamp),
            last_used_at: token.last_used_at.map(timestamp),
        }
    }
}

impl Games {
    /// Whose a token is, as far as that is known without waiting; `None` when the store must be asked.
    ///
    /// # Errors
    /// [`GameError::Unauthenticated`] when it is good for nothing.
    pub fn access_in_memory(&self, hash: &str) -> Result<Option<Option<Arc<Access>>>, GameError> {
        let found = self.access.get(hash);
        if let Some(Some(access)) = &found {
            access.check(now())?;
        }
        Ok(found)
    }

    /// Whose a token is; `None` when it is none of an account. What was found is known for some seconds, and
    /// so is what was done to it elsewhere.
    ///
    /// # Errors
    /// [`GameError::Unauthenticated`] when it is good for nothing; when the store fails.
    pub fn access(&self, hash: &str) -> Result<Option<Arc<Access>>, GameError> {
        let found = self.store.token(hash)?;
        let access = found.as_ref().map(|(token, account)| {
            let access = Access::of(token, account);
            (token, Arc::new(access))
        });
        let known = access.as_ref().map(|(_, access)| access.clone());
        self.access.insert(hash.to_owned(), known.clone());
        if let Some((token, access)) = access {
            let now = now();
            access.check(now)?;
            if token.last_used_at.is_none_or(|at| at < now - USE_NOTED) {
                self.store.note_use(token.id, now, now - USE_NOTED);
            }
        }
        Ok(known)
    }

    /// Makes an account with a token, which is shown this once.
    ///
    /// # Errors
    /// When registration is closed to the caller, nobody may be called so or somebody is, or the store
    /// fails.
    pub fn register(&self, call: &Call, new: &NewPlayer) -> Result<Registered, GameError> {
        if self.admission.registration == Registration::Closed {
            call.account(Scope::Admin)?;
        }
        if let Some(kept) = self.kept(call)? {
            return Ok(self.show_registered(call, kept));
        }
        check_handle(&new.handle).map_err(|message| GameError::invalid("handle", message))?;
        let account = new_account(&new.handle);
        let scopes = Scopes::from_iter(FIRST_SCOPES);
        let (stored, text) = new_token(account.id, FIRST_TOKEN, scopes, None)?;
        let registered = Registered {
            player: account.clone().into(),
            token: text,
            about: stored.clone().into(),
        };
        match (self.store).create_account(account, stored, call.keep(&registered)?) {
            Ok(()) => Ok(self.show_registered(call, registered)),
            Err(StoreError::Conflict) => match self.kept(call)? {
                Some(kept) => Ok(self.show_registered(call, kept)),
                None => Err(GameError::Conflict(format!(
                    "somebody is called {:?} already",
                    new.handle
                ))),
            },
            Err(error) => Err(error.into()),
        }
    }

    fn show_registered(&self, call: &Call, registered: Registered) -> Registered {
        let told = format!(
            "this request has made the account {}; its token was shown then. Send a bearer token of your \
             own choice with a registration to be able to repeat it",
            registered.player.id
        );
        self.show_once(call, &told);
        registered
    }

    /// The caller's account, and the token that it calls with.
    ///
    /// # Errors
    /// When no account calls, its token may not be used for this, or the store fails.
    pub fn me(&self, call: &Call) -> Result<Me, GameError> {
        let access = call.account(Scope::Read)?;
        self.own(call, access)
    }

    fn own(&self, call: &Call, access: &Access) -> Result<Me, GameError> {
        let hash = call.token.as_deref().unwrap_or_default();
        let found = self.store.token(hash)?;
        let (token, account) = found.ok_or_else(|| {
            let message = "its token is not there any more".to_owned();
            GameError::damaged(access.account, message)
        })?;
        Ok(Me {
            player: account.into(),
            token: token.into(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn handles_are_names_of_nobody_else() {
        for good in ["dido", "Hanno_II", "a-1", &"x".repeat(32)] {
            assert_eq!(check_handle(good), Ok(()), "{good}");
        }
        let id = Uuid::now_v7();
        for bad in [
            "",
            "ab",
            &"x".repeat(33),
            "a b",
            "Didó",
            "a.b",
            "guest:1",
            &id.simple().to_string(),
            "random",
            "Greedy",
            "deleted-1",
            "Deleted-x",
        ] {
            assert!(check_handle(bad).is_err(), "{bad}");
        }
    }
}
