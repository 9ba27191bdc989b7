//! Accounts: registration, handles, and what tokens allow.

use std::fmt;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use bots::{BOTS, Spec};
use moka::sync::Cache;
use uuid::Uuid;

use crate::accounts::model::{
    AppName, CreatedToken, Me, NewPlayer, NewToken, PlayerBody, PlayerChange, PlayerPage,
    RegisteredPlayer, TokenBody, TokenList,
};
use crate::accounts::names::handle_skeleton;
use crate::accounts::queries::{DeleteOf, StoredAccount, StoredToken, parse_id};
use crate::accounts::scope_check::{Holder, OWNERS_SCOPES};
use crate::accounts::token;
use crate::db::answers::KeptRequest;
use crate::db::connection::AnyConnection;
use crate::db::time::timestamp;
use crate::db::{Store, StoreError};
use crate::http::call::{Access, Call};
use crate::http::error::{ConflictKind, ServiceError};
use crate::http::page::cut;
use crate::http::scope::{Scope, Scopes};
use crate::http::secret::hashed;

/// How often the use of a token is recorded, in microseconds: once an hour.
const USE_INTERVAL: i64 = 60 * 60 * 1_000_000;

/// The most tokens whose holders are cached.
const CACHED_TOKENS: u64 = 20_000;

/// How long a holder is cached. After this time every node refuses a revoked token.
const CACHE_TIME: Duration = Duration::from_secs(2);

/// The name of the token that a registration returns.
const FIRST_TOKEN: &str = "registration";

/// The most tokens of an account, without the revoked ones.
const MAX_TOKENS: usize = 100;

/// The prefix of the handles of deleted accounts.
const DELETED: &str = "deleted-";

/// Who may create an account.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Registration {
    /// Everyone.
    #[default]
    Open,
    /// Only the holder of a token with the scope `admin`.
    Closed,
}

/// Who may register and who may play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::Args)]
pub struct Admission {
    /// Who may create an account: everyone, or only the holder of a token with the scope `admin`.
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

fn is_handle_char(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || matches!(letter, '_' | '-')
}

/// Checks whether a handle is allowed. Whether it is free is not checked.
pub fn check_handle(handle: &str) -> Result<(), &'static str> {
    let (small, skeleton) = (handle.to_lowercase(), handle_skeleton(handle));
    let has_good_length = (3..=32).contains(&handle.len());
    if !has_good_length || !handle.chars().all(is_handle_char) {
        return Err("a handle has 3 to 32 characters: ASCII letters, digits, `_` and `-`");
    }
    if Uuid::try_parse(handle).is_ok() {
        return Err(
            "a handle must not have the form of a UUID, because players are also found by id",
        );
    }
    let looks_like_bot = || BOTS.iter().any(|bot| handle_skeleton(bot.name) == skeleton);
    if small.parse::<Spec>().is_ok() || looks_like_bot() {
        return Err("this is the name of a bot, or looks like one: choose another handle");
    }
    match skeleton.starts_with(DELETED) {
        true => {
            Err("handles that start with `deleted-`, or look so, are reserved for deleted accounts")
        }
        false => Ok(()),
    }
}

pub(crate) fn now() -> i64 {
    jiff::Timestamp::now().as_microsecond()
}

/// Creates a token of an account, without a parent. Returns its row and its text.
pub fn new_token(
    account: Uuid,
    name: &str,
    scopes: Scopes,
    expires_at: Option<i64>,
) -> Result<(StoredToken, String), StoreError> {
    let text = token::generate()?;
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
        parent: None,
        app_grant: None,
    };
    Ok((stored, text))
}

/// Creates the row of an account without tokens.
pub fn new_account(handle: &str) -> StoredAccount {
    StoredAccount {
        id: Uuid::now_v7(),
        handle: handle.to_owned(),
        created_at: now(),
        deleted_at: None,
        suspended_at: None,
        bot: false,
        hides_strengths: false,
    }
}

impl From<StoredAccount> for PlayerBody {
    fn from(account: StoredAccount) -> PlayerBody {
        PlayerBody {
            id: account.id,
            handle: account.handle,
            created_at: timestamp(account.created_at),
            deleted_at: account.deleted_at.map(timestamp),
            bot: account.bot,
            hides_strengths: account.hides_strengths,
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
            parent: token.parent,
        }
    }
}

/// Called before an account is deleted, with its call and access.
pub type BeforeDeletion = Box<dyn Fn(&Call, &Access) -> Result<(), ServiceError> + Send + Sync>;

/// Called with the stored ids of games that show a changed account.
pub type ChangedIn = Box<dyn Fn(&[String]) -> Result<(), ServiceError> + Send + Sync>;

/// Finds the access of a browser's session, by the SHA-256 of its cookie.
pub type FindSession = fn(&Store, &str) -> Result<Option<Access>, StoreError>;

/// The actions of other features when an account changes.
pub struct AccountHooks {
    /// Finds the sessions of browsers.
    pub find_session: FindSession,
    /// Checks that the account may be deleted, and leaves its games that have not started.
    pub before_deletion: BeforeDeletion,
    /// Deletes the features' data of the account, in the transaction that deletes it.
    pub delete_of: DeleteOf,
    /// Stops what the features do for the account, in the transaction that suspends it.
    pub suspend: DeleteOf,
    /// Reads the games again that show the account, by their stored ids.
    pub changed_in: ChangedIn,
}

impl fmt::Debug for AccountHooks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("AccountHooks")
    }
}

/// The accounts of the service and their tokens.
#[derive(Debug)]
pub struct Accounts {
    store: Arc<Store>,
    /// Who may register and who may play.
    pub admission: Admission,
    /// The holders of tokens, by hash; `None` for an unknown token.
    holders: Cache<String, Option<Holder>>,
    hooks: OnceLock<AccountHooks>,
}

impl Accounts {
    /// Creates the accounts of a store.
    pub fn new(store: Arc<Store>, admission: Admission) -> Accounts {
        Accounts {
            store,
            admission,
            holders: Cache::builder()
                .max_capacity(CACHED_TOKENS)
                .time_to_live(CACHE_TIME)
                .build(),
            hooks: OnceLock::new(),
        }
    }

    /// Sets the actions of other features. Only the first call has an effect.
    pub fn connect(&self, hooks: AccountHooks) {
        let _ = self.hooks.set(hooks);
    }

    fn changed_in(&self, games: &[String]) -> Result<(), ServiceError> {
        let hooks = self.hooks.get();
        hooks.map_or(Ok(()), |hooks| (hooks.changed_in)(games))
    }

    /// Removes a token from the cache, so that its next use reads it from the store.
    pub fn forget_holder(&self, hash: &str) {
        self.holders.invalidate(hash);
    }

    /// Returns the holder of a token, by its hash, if it is cached.
    /// `None` means that the store must be read.
    ///
    /// # Errors
    /// [`ServiceError::InvalidToken`] if the token is unknown, expired or revoked.
    pub fn holder_in_memory(&self, hash: &str) -> Result<Option<Holder>, ServiceError> {
        let found = self.holders.get(hash);
        found.map(|found| Holder::check(found, now())).transpose()
    }

    /// Reads the holder of a token, by its hash, and caches it for [`CACHE_TIME`].
    /// A revocation takes that long to reach other nodes.
    ///
    /// # Errors
    /// Those of [`Accounts::holder_in_memory`], or the error of the store.
    pub fn holder(&self, hash: &str) -> Result<Holder, ServiceError> {
        let token = self.store.token(hash)?;
        let holder = match &token {
            Some((token, account)) => Some(Holder::Account(Arc::new(Access::from_stored(
                token, account,
            )))),
            None => match self.session(hash)? {
                Some(access) => Some(Holder::Account(Arc::new(access))),
                None => self.store.is_game_token(hash)?.then_some(Holder::Game),
            },
        };
        self.holders.insert(hash.to_owned(), holder.clone());
        let holder = Holder::check(holder, now())?;
        if let Some((token, _)) = token {
            let now = now();
            if token.last_used_at.is_none_or(|at| at < now - USE_INTERVAL) {
                self.store.record_use(token.id, now, now - USE_INTERVAL);
            }
        }
        Ok(holder)
    }

    fn session(&self, hash: &str) -> Result<Option<Access>, StoreError> {
        match self.hooks.get() {
            Some(hooks) => (hooks.find_session)(&self.store, hash),
            None => Ok(None),
        }
    }

    /// Creates an account with its first token, whose text is returned only here.
    pub fn register(&self, call: &Call, new: &NewPlayer) -> Result<RegisteredPlayer, ServiceError> {
        if self.admission.registration == Registration::Closed {
            call.account(Scope::Admin)?;
        }
        if let Some(kept) = call.stored_answer(&self.store)? {
            return Ok(kept);
        }
        check_handle(&new.handle).map_err(|message| ServiceError::invalid("handle", message))?;
        let account = StoredAccount {
            bot: new.bot,
            ..new_account(&new.handle)
        };
        let scopes = Scopes::from_iter(OWNERS_SCOPES);
        let (stored, text) = new_token(account.id, FIRST_TOKEN, scopes, None)?;
        let registered = RegisteredPlayer {
            player: account.clone().into(),
            token: text,
            about: stored.clone().into(),
        };
        let kept = call.keep_location(format!("/v1/players/{}", account.id))?;
        match (self.store).create_account(account, stored, kept) {
            Ok(()) => Ok(registered),
            Err(StoreError::Conflict) => match call.stored_answer(&self.store)? {
                Some(kept) => Ok(kept),
                None => Err(handle_is_taken(&new.handle)),
            },
            Err(error) => Err(error.into()),
        }
    }

    /// Returns the caller's account and the token that was sent. Any token of an account suffices.
    pub fn me(&self, call: &Call) -> Result<Me, ServiceError> {
        let access = call.any_account()?;
        self.load_me(call, access)
    }

    fn load_me(&self, call: &Call, access: &Access) -> Result<Me, ServiceError> {
        if access.is_session {
            let account = self.store.account_by_id(access.account)?;
            let gone = ServiceError::InvalidToken("the session has ended: sign in again");
            return Ok(Me {
                player: account.ok_or(gone)?.into(),
                token: None,
                session: Some(access.token),
                app: None,
            });
        }
        let hash = call.token.as_deref().unwrap_or_default();
        let found = self.store.token(hash)?;
        let (token, account) = found.ok_or_else(|| {
            let message = "the token that was sent is missing in the database".to_owned();
            ServiceError::damaged(access.account, message)
        })?;
        Ok(Me {
            player: account.into(),
            app: self.app(access)?,
            token: Some(token.into()),
            session: None,
        })
    }

    /// Returns the app that has the token.
    fn app(&self, access: &Access) -> Result<Option<AppName>, ServiceError> {
        let found = match access.app_grant {
            Some(grant) => self.store.app_of_grant(grant)?,
            None => None,
        };
        found
            .map(|(id, name, home_page)| {
                let id = parse_id("app", &id)?;
                Ok(AppName {
                    id,
                    name,
                    home_page,
                })
            })
            .transpose()
    }

    /// Finds an account by its id or its handle.
    pub fn account_named(&self, named: &str) -> Result<Option<StoredAccount>, ServiceError> {
        Ok(match Uuid::try_parse(named) {
            Ok(id) => self.store.account_by_id(id)?,
            Err(_) if named.chars().all(is_handle_char) => self.store.account_called(named)?,
            Err(_) => None,
        })
    }

    /// Returns the player with an id or a handle, also a deleted one.
    pub fn player(&self, named: &str) -> Result<PlayerBody, ServiceError> {
        let found = self.account_named(named)?;
        let missing = || ServiceError::NotFound(format!("player {named:?}"));
        Ok(found.ok_or_else(missing)?.into())
    }

    /// Lists players whose handles start with a text, in the order of handles, after the handle `behind`.
    pub fn players(
        &self,
        begin: &str,
        behind: Option<&str>,
        limit: usize,
    ) -> Result<PlayerPage, ServiceError> {
        let found = self.store.accounts(begin, behind, limit + 1)?;
        let (found, next) = cut(found, limit, |account| account.handle.clone());
        Ok(PlayerPage {
            items: found.into_iter().map(PlayerBody::from).collect(),
            next,
        })
    }

    /// Changes the caller's account. Its games show a new handle immediately.
    pub fn change(&self, call: &Call, change: &PlayerChange) -> Result<Me, ServiceError> {
        let access = call.account(Scope::Account)?;
        if *change == PlayerChange::default() {
            let message = "nothing changes: give handle, bot or hides_strengths";
            return Err(ServiceError::invalid("handle", message));
        }
        if let Some(handle) = &change.handle {
            check_handle(handle).map_err(|message| ServiceError::invalid("handle", message))?;
            self.rename_account(access.account, handle, None)?;
        }
        if let Some(bot) = change.bot {
            self.store.set_bot(access.account, bot)?;
        }
        if let Some(hides) = change.hides_strengths {
            self.store.set_hides_strengths(access.account, hides)?;
        }
        // Pages show the handle of the holder.
        if let Some(hash) = &call.token {
            self.holders.invalidate(hash);
        }
        self.load_me(call, access)
    }

    /// Changes the handle of an account, which is allowed and checked to be well-formed.
    fn rename_account(
        &self,
        account: Uuid,
        handle: &str,
        kept: Option<KeptRequest>,
    ) -> Result<(), ServiceError> {
        match self.store.rename_account(account, handle, kept) {
            Ok(games) => self.changed_in(&games),
            Err(StoreError::Conflict) => Err(handle_is_taken(handle)),
            Err(error) => Err(error.into()),
        }
    }

    /// Changes the handle of an account for an administrator.
    pub fn moderate_handle(
        &self,
        account: Uuid,
        handle: &str,
        kept: KeptRequest,
    ) -> Result<(), ServiceError> {
        check_handle(handle).map_err(|message| ServiceError::invalid("handle", message))?;
        self.rename_account(account, handle, Some(kept))
    }

    /// Suspends an account for an administrator, or lifts the suspension.
    /// Every node applies it within [`CACHE_TIME`].
    pub fn suspend(
        &self,
        account: Uuid,
        suspended: bool,
        kept: KeptRequest,
    ) -> Result<(), ServiceError> {
        let hooks = self.hooks.get();
        let also = hooks.map_or(change_nothing as DeleteOf, |hooks| hooks.suspend);
        (self.store).set_suspended(account, suspended.then(now), (also, kept))?;
        self.holders.invalidate_all();
        Ok(())
    }

    /// Deletes the caller's account except its id.
    /// It leaves games that have not started, and its tokens are revoked.
    pub fn delete(&self, call: &Call) -> Result<(), ServiceError> {
        self.delete_account(call, call.account(Scope::Account)?, None)
    }

    /// Deletes an account for an administrator, as [`Accounts::delete`] does.
    pub fn delete_for_administrator(
        &self,
        account: Uuid,
        kept: KeptRequest,
    ) -> Result<(), ServiceError> {
        let access = Access::of_account(account);
        // Games ask for a token first, then for its account.
        let call = Call {
            token: Some(String::new()),
            ..Call::default()
        };
        self.delete_account(&call, &access, Some(kept))
    }

    fn delete_account(
        &self,
        call: &Call,
        access: &Access,
        kept: Option<KeptRequest>,
    ) -> Result<(), ServiceError> {
        let account = access.account;
        let hooks = self.hooks.get();
        if let Some(hooks) = hooks {
            (hooks.before_deletion)(call, access)?;
        }
        let delete_of = hooks.map_or(change_nothing as DeleteOf, |hooks| hooks.delete_of);
        // The last digits of a UUIDv7 are random. The first ones would reveal when the account was created.
        let id = account.simple().to_string();
        let handle = format!("{DELETED}{}", &id[id.len() - 12..]);
        let games = (self.store).delete_account(account, handle, now(), (delete_of, kept))?;
        self.holders.invalidate_all();
        self.changed_in(&games)
    }

    /// Lists the tokens of the caller's account, the oldest first. An app sees only its own.
    pub fn tokens(&self, call: &Call) -> Result<TokenList, ServiceError> {
        let access = call.account(Scope::Read)?;
        let tokens = self.store.tokens(access.account, access.app_grant)?;
        Ok(TokenList {
            items: tokens.into_iter().map(TokenBody::from).collect(),
        })
    }

    /// Creates another token of the caller's account, whose text is returned only here.
    /// It has only scopes of the token that is sent, and does not outlive it.
    pub fn create_token(&self, call: &Call, new: &NewToken) -> Result<CreatedToken, ServiceError> {
        let access = call.any_account()?;
        let scopes: Scopes = new.scopes.iter().copied().collect();
        if let Some(scope) = access.scopes.lack(&scopes) {
            return Err(ServiceError::Scope(scope));
        }
        if let Some(kept) = call.stored_answer(&self.store)? {
            return Ok(kept);
        }
        if scopes.is_empty() {
            return Err(ServiceError::invalid(
                "scopes",
                "the list is empty: give at least one scope",
            ));
        }
        let end = new.expires_at.map(|end| end.as_microsecond());
        // A token outlives the session that creates it, but not a token that does.
        let last = access.expires_at.filter(|_| !access.is_session);
        let end = end.or(last);
        if end.is_some_and(|end| end <= now()) {
            return Err(ServiceError::invalid(
                "expires_at",
                "the time is in the past: give a time in the future",
            ));
        }
        if let Some(last) = last
            && end.is_none_or(|end| end > last)
        {
            let message = "the time is after the expiry of the token that is sent, which a new token cannot outlive";
            return Err(ServiceError::invalid("expires_at", message));
        }
        let (mut stored, text) = new_token(access.account, &new.name, scopes, end)?;
        stored.parent = Some(access.token).filter(|_| !access.is_session);
        stored.app_grant = access.app_grant;
        let issued = CreatedToken {
            token: text,
            about: stored.clone().into(),
        };
        let kept = call.keep_location("/v1/tokens".to_owned())?;
        match self.store.create_token(stored, MAX_TOKENS, kept) {
            Ok(true) => Ok(issued),
            Ok(false) => Err(ServiceError::conflict(
                ConflictKind::LimitReached,
                format!("the account has {MAX_TOKENS} tokens, the most allowed: revoke one first"),
            )),
            Err(StoreError::Conflict) => match call.stored_answer(&self.store)? {
                Some(kept) => Ok(kept),
                None => {
                    // The token of this call was revoked meanwhile, maybe by another node.
                    self.holder(call.token.as_deref().unwrap_or_default())?;
                    Err(StoreError::Conflict.into())
                }
            },
            Err(error) => Err(error.into()),
        }
    }

    /// Revokes a token of the caller's account and all its descendants. Any token may revoke itself.
    /// Revoking another one needs the scope `account` and every scope of that other token. An app can revoke only its
    /// own.
    pub fn revoke_token(&self, call: &Call, id: Uuid) -> Result<(), ServiceError> {
        let access = call.any_account()?;
        let tokens = self.store.tokens(access.account, access.app_grant)?;
        let missing = || ServiceError::NotFound(format!("token {id}"));
        let token = tokens.iter().find(|token| token.id == id);
        if id != access.token {
            access.needs(Scope::Account)?;
            let token = token.ok_or_else(missing)?;
            if let Some(scope) = access.scopes.lack(&token.scopes) {
                return Err(ServiceError::Scope(scope));
            }
        }
        let revoked = self.store.revoke_token(id, now())?;
        for hash in &revoked {
            self.holders.invalidate(hash);
        }
        match revoked.is_empty() {
            false => Ok(()),
            true => Err(missing()),
        }
    }
}

fn change_nothing(_: &mut AnyConnection, _: &str) -> Result<(), StoreError> {
    Ok(())
}

pub(crate) fn handle_is_taken(handle: &str) -> ServiceError {
    ServiceError::conflict(
        ConflictKind::HandleTaken,
        format!("the handle {handle:?} is taken, or looks like one that is: choose another one"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reserved_and_malformed_handles_are_refused() {
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
            "de1eted-x",
            "rand0m",
        ] {
            assert!(check_handle(bad).is_err(), "{bad}");
        }
    }
}
