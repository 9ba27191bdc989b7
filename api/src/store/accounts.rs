//! Accounts and their tokens.

use std::collections::BTreeSet;
use std::fmt;

use diesel::prelude::*;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use super::append::keep_answer;
use super::connection::AnyConnection;
use super::game::KeptAnswer;
use super::schema::{accounts, tokens};
use super::writer::conflict;
use super::{Store, StoreError};

/// What a token may be used for.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Serialize,
    Deserialize,
    ToSchema,
    clap::ValueEnum,
)]
#[serde(rename_all = "snake_case")]
pub enum Scope {
    /// To see what is the account's own.
    Read,
    /// To play seats, and to change what the account is called.
    Play,
    /// To create games and to do what their organizer may.
    Organize,
    /// Everything, and in any game what its organizer may.
    Admin,
}

impl Scope {
    /// Every scope.
    pub const ALL: [Scope; 4] = [Scope::Read, Scope::Play, Scope::Organize, Scope::Admin];

    /// The name on the wire and in the database.
    pub fn name(self) -> &'static str {
        match self {
            Scope::Read => "read",
            Scope::Play => "play",
            Scope::Organize => "organize",
            Scope::Admin => "admin",
        }
    }
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The scopes of a token. The text form has their names with a space between (RFC 6749, section 3.3).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scopes(BTreeSet<Scope>);

impl Scopes {
    /// Whether a token with these may be used for what needs a scope.
    pub fn allow(&self, scope: Scope) -> bool {
        self.0.contains(&scope) || self.0.contains(&Scope::Admin)
    }

    /// The first of others that these do not allow.
    pub fn lack(&self, others: &Scopes) -> Option<Scope> {
        others.0.iter().copied().find(|scope| !self.allow(*scope))
    }

    /// Each of them.
    pub fn iter(&self) -> impl Iterator<Item = Scope> {
        self.0.iter().copied()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Those that a text names; what names none is passed over.
    fn read(text: &str) -> Scopes {
        let named = |name: &str| Scope::ALL.into_iter().find(|scope| scope.name() == name);
        text.split(' ').filter_map(named).collect()
    }
}

impl FromIterator<Scope> for Scopes {
    fn from_iter<I: IntoIterator<Item = Scope>>(scopes: I) -> Scopes {
        Scopes(scopes.into_iter().collect())
    }
}

impl fmt::Display for Scopes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = self.0.iter().map(|scope| scope.name()).collect();
        f.write_str(&names.join(" "))
    }
}

/// An account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredAccount {
    /// UUIDv7.
    pub id: Uuid,
    /// What it is called; no two are called the same but for capital letters.
    pub handle: String,
    /// Microseconds since 1970.
    pub created_at: i64,
    /// Since when nobody is behind it.
    pub deleted_at: Option<i64>,
}

/// A token of an account. Times are microseconds since 1970.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredToken {
    /// UUIDv7.
    pub id: Uuid,
    /// Whose it is.
    pub account: Uuid,
    /// SHA-256 of it.
    pub hash: String,
    /// What it is for, in its owner's words.
    pub name: String,
    /// What it may be used for.
    pub scopes: Scopes,
    /// When it was made.
    pub created_at: i64,
    /// From when on it is good for nothing.
    pub expires_at: Option<i64>,
    /// When it was used, to about an hour.
    pub last_used_at: Option<i64>,
    /// Since when it is good for nothing.
    pub revoked_at: Option<i64>,
}

/// A row of `accounts`.
#[derive(Queryable, Selectable, Insertable)]
#[diesel(table_name = accounts)]
struct AccountRow {
    id: String,
    handle: String,
    handle_key: String,
    created_at: i64,
    deleted_at: Option<i64>,
}

/// A row of `tokens`.
#[derive(Queryable, Selectable, Insertable)]
#[diesel(table_name = tokens)]
struct TokenRow {
    id: String,
    account: String,
    hash: String,
    name: String,
    scopes: String,
    created_at: i64,
    expires_at: Option<i64>,
    last_used_at: Option<i64>,
    revoked_at: Option<i64>,
}

/// By what a handle is found, however it is written.
fn handle_key(handle: &str) -> String {
    handle.to_lowercase()
}

fn read_id(what: &str, id: &str) -> Result<Uuid, StoreError> {
    id.parse()
        .map_err(|error: uuid::Error| StoreError::Damaged {
            id: format!("of no id: the {what} {id:?}"),
            message: error.to_string(),
        })
}

impl AccountRow {
    fn account(self) -> Result<StoredAccount, StoreError> {
        Ok(StoredAccount {
            id: read_id("account", &self.id)?,
            handle: self.handle,
            created_at: self.created_at,
            deleted_at: self.deleted_at,
        })
    }
}

impl From<StoredToken> for TokenRow {
    fn from(token: StoredToken) -> TokenRow {
        TokenRow {
            id: token.id.to_string(),
            account: token.account.to_string(),
            hash: token.hash,
            name: token.name,
            scopes: token.scopes.to_string(),
            created_at: token.created_at,
            expires_at: token.expires_at,
            last_used_at: token.last_used_at,
            revoked_at: token.revoked_at,
        }
    }
}

impl TokenRow {
    fn token(self) -> Result<StoredToken, StoreError> {
        Ok(StoredToken {
            id: read_id("token", &self.id)?,
            account: read_id("account", &self.account)?,
            hash: self.hash,
            name: self.name,
            scopes: Scopes::read(&self.scopes),
            created_at: self.created_at,
            expires_at: self.expires_at,
            last_used_at: self.last_used_at,
            revoked_at: self.revoked_at,
        })
    }
}

impl Store {
    /// Writes a new account with its first token.
    ///
    /// # Errors
    /// [`StoreError::Conflict`] when another has the handle, or the idempotency key is taken; when the
    /// database fails. Nothing is written then.
    pub fn create_account(
        &self,
        account: StoredAccount,
        token: StoredToken,
        answer: Option<KeptAnswer>,
    ) -> Result<(), StoreError> {
        self.write(move |connection| {
            let row = AccountRow {
                id: account.id.to_string(),
                handle_key: handle_key(&account.handle),
                handle: account.handle,
                created_at: account.created_at,
                deleted_at: account.deleted_at,
            };
            diesel::insert_into(accounts::table)
                .values(row)
                .execute(connection)
                .map_err(conflict)?;
            insert_token(connection, token, answer)
        })
    }

    /// The account with an id.
    ///
    /// # Errors
    /// When the database fails.
    pub fn account_by_id(&self, id: Uuid) -> Result<Option<StoredAccount>, StoreError> {
        let connection = &mut *self.connection()?;
        let found: Option<AccountRow> = accounts::table
            .find(id.to_string())
            .first(connection)
            .optional()?;
        found.map(AccountRow::account).transpose()
    }

    /// The account with a handle, in capital letters or small ones.
    ///
    /// # Errors
    /// When the database fails.
    pub fn account_called(&self, handle: &str) -> Result<Option<StoredAccount>, StoreError> {
        let connection = &mut *self.connection()?;
        let found: Option<AccountRow> = accounts::table
            .filter(accounts::handle_key.eq(handle_key(handle)))
            .first(connection)
            .optional()?;
        found.map(AccountRow::account).transpose()
    }

    /// The token with a hash, and whose it is.
    ///
    /// # Errors
    /// When the database fails.
    pub fn token(&self, hash: &str) -> Result<Option<(StoredToken, StoredAccount)>, StoreError> {
        let connection = &mut *self.connection()?;
        let found: Option<(TokenRow, AccountRow)> = tokens::table
            .inner_join(accounts::table.on(accounts::id.eq(tokens::account)))
            .filter(tokens::hash.eq(hash.to_owned()))
            .first(connection)
            .optional()?;
        found
            .map(|(token, account)| Ok((token.token()?, account.account()?)))
            .transpose()
    }

    /// Notes that a token was used, by and by: nobody waits for it. It is written when it was not written
    /// since `before`.
    pub fn note_use(&self, token: Uuid, now: i64, before: i64) {
        self.write_later(move |connection| {
            let stale = tokens::last_used_at
                .is_null()
                .or(tokens::last_used_at.lt(before));
            diesel::update(tokens::table.find(token.to_string()).filter(stale))
                .set(tokens::last_used_at.eq(now))
                .execute(connection)?;
            Ok(())
        });
    }
}

fn insert_token(
    connection: &mut AnyConnection,
    token: StoredToken,
    answer: Option<KeptAnswer>,
) -> Result<(), StoreError> {
    diesel::insert_into(tokens::table)
        .values(TokenRow::from(token))
        .execute(connection)?;
    match answer {
        Some(answer) => keep_answer(connection, answer),
        None => Ok(()),
    }
}
