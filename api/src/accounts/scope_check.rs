//! Checks whether a token is valid and whether its scopes suffice.

use std::sync::Arc;

use uuid::Uuid;

use crate::accounts::queries::{StoredAccount, StoredToken};
use crate::http::call::{Access, Call, TokenRefusal};
use crate::http::error::ServiceError;
use crate::http::scope::{Scope, Scopes};

/// The scopes of an account's owner: of its first token and of its sessions.
pub(crate) const OWNERS_SCOPES: [Scope; 4] =
    [Scope::Read, Scope::Play, Scope::Organize, Scope::Account];

impl Access {
    /// Returns what a stored token allows.
    pub(crate) fn from_stored(token: &StoredToken, account: &StoredAccount) -> Access {
        let refused = match (account.deleted_at, token.revoked_at, account.suspended_at) {
            (Some(_), ..) => Some(TokenRefusal::Deleted),
            (None, Some(_), _) => Some(TokenRefusal::Revoked),
            (None, None, Some(_)) => Some(TokenRefusal::Suspended),
            (None, None, None) => None,
        };
        Access {
            account: account.id,
            handle: account.handle.clone(),
            token: token.id,
            is_session: false,
            scopes: token.scopes.clone(),
            expires_at: token.expires_at,
            app_grant: token.app_grant,
            refused,
        }
    }

    /// Returns what a browser's session allows: everything that the owner of the account may do.
    pub(crate) fn from_session(id: Uuid, expires_at: i64, account: StoredAccount) -> Access {
        let refused = match (account.deleted_at, account.suspended_at) {
            (Some(_), _) => Some(TokenRefusal::Deleted),
            (None, Some(_)) => Some(TokenRefusal::Suspended),
            (None, None) => None,
        };
        Access {
            account: account.id,
            handle: account.handle,
            token: id,
            is_session: true,
            scopes: Scopes::from_iter(OWNERS_SCOPES),
            expires_at: Some(expires_at),
            app_grant: None,
            refused,
        }
    }

    /// Checks that the token is valid at a time.
    fn check(&self, now: i64) -> Result<(), ServiceError> {
        let expired = self.expires_at.is_some_and(|at| at <= now);
        let invalid = |why| Err(ServiceError::InvalidToken(why));
        match self.refused {
            Some(TokenRefusal::Deleted) => {
                invalid("the account of this token is deleted: register another account")
            }
            Some(TokenRefusal::Revoked) => invalid("this token was revoked: create another one"),
            _ if expired && self.is_session => invalid("the session has expired: sign in again"),
            _ if expired => invalid("this token has expired: create another one"),
            Some(TokenRefusal::Suspended) => Err(ServiceError::Suspended),
            None => Ok(()),
        }
    }

    /// Checks that the token has a scope.
    ///
    /// # Errors
    /// [`ServiceError::Scope`] if it does not have the scope.
    pub fn needs(&self, scope: Scope) -> Result<(), ServiceError> {
        match self.scopes.allow(scope) {
            true => Ok(()),
            false => Err(ServiceError::Scope(scope)),
        }
    }
}

/// The holder of a token that the service has issued.
#[derive(Clone, Debug)]
pub enum Holder {
    /// An account.
    Account(Arc<Access>),
    /// A seat or the organizer of a game.
    Game,
}

impl Holder {
    /// Returns the access of an account; `None` for the token of a game.
    pub fn access(self) -> Option<Arc<Access>> {
        match self {
            Holder::Account(access) => Some(access),
            Holder::Game => None,
        }
    }

    /// Checks that the token is valid at a time. `None` stands for a token that the service does not have.
    pub(crate) fn check(found: Option<Holder>, now: i64) -> Result<Holder, ServiceError> {
        const UNKNOWN: &str = "this token is unknown: it was never issued here, its app was disconnected, or its seat has another player since";
        match found {
            Some(Holder::Account(access)) => {
                access.check(now)?;
                Ok(Holder::Account(access))
            }
            Some(Holder::Game) => Ok(Holder::Game),
            None => Err(ServiceError::InvalidToken(UNKNOWN)),
        }
    }
}

impl Call {
    /// Returns the caller's account if its token has a scope.
    ///
    /// # Errors
    /// 401 if the request has no token; 403 if its token is of a game or lacks the scope.
    pub fn account(&self, scope: Scope) -> Result<&Access, ServiceError> {
        let access = self.any_account()?;
        access.needs(scope)?;
        if scope == Scope::Admin {
            self.act_as_administrator();
        }
        Ok(access)
    }

    /// Returns the caller's account if its token has a scope and is not of an app.
    /// For what an app cannot do with any scope, such as changing how a person signs in.
    ///
    /// # Errors
    /// As for [`Call::account`]; 403 if an app sends the request.
    pub fn account_without_app(&self, scope: Scope) -> Result<&Access, ServiceError> {
        let access = self.any_account()?;
        if access.app_grant.is_some() {
            let message = "apps cannot do this: sign in at this server, or send a token that you created yourself";
            return Err(ServiceError::Forbidden(message.to_owned()));
        }
        access.needs(scope)?;
        Ok(access)
    }

    /// Returns the caller's account, for requests that need no particular scope.
    pub(crate) fn any_account(&self) -> Result<&Access, ServiceError> {
        let access = self.access.as_deref();
        access.ok_or_else(|| match self.token {
            None => ServiceError::Unauthenticated("send the bearer token of an account"),
            Some(_) => {
                let message = "this is the token of a game: send the token of an account";
                ServiceError::Forbidden(message.to_owned())
            }
        })
    }
}
