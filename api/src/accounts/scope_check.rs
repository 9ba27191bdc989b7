//! What the holder of a token may do: whether the token is valid, and whether its scopes suffice.

use std::sync::Arc;

use crate::accounts::queries::{StoredAccount, StoredToken};
use crate::http::call::{Access, Call};
use crate::http::error::ServiceError;
use crate::http::scope::Scope;

impl Access {
    /// What a stored token is good for.
    pub(crate) fn of(token: &StoredToken, account: &StoredAccount) -> Access {
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
    fn check(&self, now: i64) -> Result<(), ServiceError> {
        let expired = self.expires_at.is_some_and(|at| at <= now);
        let refused = self.refused.or(expired.then_some("this token has expired"));
        refused.map_or(Ok(()), |why| Err(ServiceError::InvalidToken(why)))
    }

    /// The token may be used for what needs a scope.
    ///
    /// # Errors
    /// [`ServiceError::Scope`] when it may not.
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
    /// The access of an account.
    pub fn access(self) -> Option<Arc<Access>> {
        match self {
            Holder::Account(access) => Some(access),
            Holder::Game => None,
        }
    }

    /// The token may be used now; [`None`] is the holder of a token that the service does not have.
    pub(crate) fn check(found: Option<Holder>, now: i64) -> Result<Holder, ServiceError> {
        const UNKNOWN: &str =
            "this token is unknown: it was never issued, or its seat has another player";
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
    /// The caller's account, for what needs a scope.
    ///
    /// # Errors
    /// 401 when the request has no token, 403 when its token is not of an account or may not be used for this.
    pub fn account(&self, scope: Scope) -> Result<&Access, ServiceError> {
        let access = self.any_account()?;
        access.needs(scope)?;
        Ok(access)
    }

    /// The caller's account, for what needs no scope of its own.
    pub(crate) fn any_account(&self) -> Result<&Access, ServiceError> {
        let access = self.access.as_deref();
        access.ok_or_else(|| match self.token {
            None => ServiceError::Unauthenticated("a bearer token of an account is needed"),
            Some(_) => {
                let message = "this is the token of a game; one of an account is needed";
                ServiceError::Forbidden(message.to_owned())
            }
        })
    }
}
