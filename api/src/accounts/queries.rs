//! Accounts and their tokens.

use std::collections::{BTreeSet, HashMap};

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Text};
use uuid::Uuid;

use crate::db::answers::{KeptAnswer, keep_answer};
use crate::db::connection::AnyConnection;
use crate::db::schema::{accounts, game_players, games, seats, tokens};
use crate::db::versions::next_version;
use crate::db::writer::conflict;
use crate::db::{Store, StoreError};
use crate::http::scope::Scopes;

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

/// Deletes what a feature keeps of the account with an id.
pub type DeleteOf = fn(&mut AnyConnection, &str) -> Result<(), StoreError>;

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
    /// The token with which it was created.
    pub parent: Option<Uuid>,
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

/// Revokes the token `$2` and its descendants at the time `$1`.
const REVOKE: &str = "\
    UPDATE tokens SET revoked_at = $1 WHERE revoked_at IS NULL AND id IN ( \
        WITH RECURSIVE family (id) AS ( \
            SELECT id FROM tokens WHERE id = $2 \
            UNION SELECT tokens.id FROM tokens JOIN family ON tokens.parent = family.id) \
        SELECT id FROM family) \
    RETURNING hash";

/// The hash of a token that was just revoked.
#[derive(QueryableByName)]
struct Revoked {
    #[diesel(sql_type = Text)]
    hash: String,
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
    parent: Option<String>,
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
            parent: token.parent.map(|parent| parent.to_string()),
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
            parent: (self.parent.as_deref())
                .map(|parent| read_id("token", parent))
                .transpose()?,
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
    pub(crate) fn account_by_id(&self, id: Uuid) -> Result<Option<StoredAccount>, StoreError> {
        let connection = &mut *self.connection()?;
        let found: Option<AccountRow> = accounts::table
            .find(id.to_string())
            .first(connection)
            .optional()?;
        found.map(AccountRow::account).transpose()
    }

    /// The account with a handle, in capital letters or small ones.
    pub(crate) fn account_called(&self, handle: &str) -> Result<Option<StoredAccount>, StoreError> {
        let connection = &mut *self.connection()?;
        let found: Option<AccountRow> = accounts::table
            .filter(accounts::handle_key.eq(handle_key(handle)))
            .first(connection)
            .optional()?;
        found.map(AccountRow::account).transpose()
    }

    /// The token with a hash, and whose it is.
    pub(super) fn token(
        &self,
        hash: &str,
    ) -> Result<Option<(StoredToken, StoredAccount)>, StoreError> {
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

    /// Whether a seat or the organizer of a game holds the token with a hash.
    pub(super) fn is_game_token(&self, hash: &str) -> Result<bool, StoreError> {
        let connection = &mut *self.connection()?;
        let seat: Option<i64> = seats::table
            .filter(seats::token.eq(hash.to_owned()))
            .select(seats::seat)
            .first(connection)
            .optional()?;
        if seat.is_some() {
            return Ok(true);
        }
        let game: Option<String> = games::table
            .filter(games::organizer.eq(hash.to_owned()))
            .select(games::id)
            .first(connection)
            .optional()?;
        Ok(game.is_some())
    }

    /// Notes that a token was used, by and by: nobody waits for it. It is written when it was not written
    /// since `before`.
    pub(super) fn note_use(&self, token: Uuid, now: i64, before: i64) {
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

    /// Accounts whose handle begins so, in capital letters or small ones, by handle and behind one; none that is
    /// deleted.
    pub(super) fn accounts(
        &self,
        begin: &str,
        behind: Option<&str>,
        limit: usize,
    ) -> Result<Vec<StoredAccount>, StoreError> {
        let connection = &mut *self.connection()?;
        let begin = handle_key(begin);
        let mut query = accounts::table.into_boxed();
        query = query.filter(accounts::deleted_at.is_null());
        if !begin.is_empty() {
            // All characters of handles stand before this one.
            let end = format!("{begin}~");
            query = query.filter(accounts::handle_key.ge(begin));
            query = query.filter(accounts::handle_key.lt(end));
        }
        if let Some(behind) = behind {
            query = query.filter(accounts::handle_key.gt(handle_key(behind)));
        }
        let query = query.order(accounts::handle_key).limit(limit as i64);
        let rows: Vec<AccountRow> = query.load(connection)?;
        rows.into_iter().map(AccountRow::account).collect()
    }

    /// The tokens of an account that were not revoked, the oldest first.
    pub(crate) fn tokens(&self, account: Uuid) -> Result<Vec<StoredToken>, StoreError> {
        let connection = &mut *self.connection()?;
        let rows: Vec<TokenRow> = tokens::table
            .filter(tokens::account.eq(account.to_string()))
            .filter(tokens::revoked_at.is_null())
            .order(tokens::id)
            .load(connection)?;
        rows.into_iter().map(TokenRow::token).collect()
    }

    /// Writes another token of an account, unless it has as many as it may.
    ///
    /// # Errors
    /// [`StoreError::Conflict`] when the parent is revoked or the idempotency key is taken; when the database fails.
    /// Nothing is written then.
    pub(crate) fn create_token(
        &self,
        token: StoredToken,
        most: usize,
        answer: Option<KeptAnswer>,
    ) -> Result<bool, StoreError> {
        self.write(move |connection| {
            let others: i64 = tokens::table
                .filter(tokens::account.eq(token.account.to_string()))
                .filter(tokens::revoked_at.is_null())
                .count()
                .get_result(connection)?;
            if others as usize >= most {
                return Ok(false);
            }
            if let Some(parent) = token.parent {
                let valid: i64 = tokens::table
                    .find(parent.to_string())
                    .filter(tokens::revoked_at.is_null())
                    .count()
                    .get_result(connection)?;
                if valid == 0 {
                    return Err(StoreError::Conflict);
                }
            }
            insert_token(connection, token, answer)?;
            Ok(true)
        })
    }

    /// Revokes a token and, transitively, those created with it. Returns the hashes of the tokens that it has revoked.
    pub(crate) fn revoke_token(&self, id: Uuid, now: i64) -> Result<Vec<String>, StoreError> {
        self.write(move |connection| {
            let revoked: Vec<Revoked> = diesel::sql_query(REVOKE)
                .bind::<BigInt, _>(now)
                .bind::<Text, _>(id.to_string())
                .load(connection)?;
            Ok(revoked.into_iter().map(|token| token.hash).collect())
        })
    }

    /// Gives an account another handle, and the games that show it a version of now. Returns their ids, as they
    /// are stored.
    ///
    /// # Errors
    /// [`StoreError::Conflict`] when another has the handle; when the database fails. Nothing is written then.
    pub(super) fn rename_account(&self, id: Uuid, handle: &str) -> Result<Vec<String>, StoreError> {
        let handle = handle.to_owned();
        self.write(move |connection| {
            let there = accounts::table.find(id.to_string());
            diesel::update(there.filter(accounts::deleted_at.is_null()))
                .set((
                    accounts::handle_key.eq(handle_key(&handle)),
                    accounts::handle.eq(handle),
                ))
                .execute(connection)
                .map_err(conflict)?;
            raise_versions(connection, id)
        })
    }

    /// Leaves of an account its id and a handle that nobody chose: its tokens are good for nothing, the seats that
    /// are kept for it are free. `also` deletes what other features keep of it. Returns the ids of the games that show
    /// it, as they are stored.
    pub(super) fn delete_account(
        &self,
        id: Uuid,
        handle: String,
        now: i64,
        also: DeleteOf,
    ) -> Result<Vec<String>, StoreError> {
        self.write(move |connection| {
            let raised = raise_versions(connection, id)?;
            let id = id.to_string();
            diesel::update(accounts::table.find(id.clone()))
                .set((
                    accounts::handle_key.eq(handle_key(&handle)),
                    accounts::handle.eq(handle),
                    accounts::deleted_at.eq(now),
                ))
                .execute(connection)
                .map_err(conflict)?;
            let own = tokens::table.filter(tokens::account.eq(id.clone()));
            diesel::update(own.filter(tokens::revoked_at.is_null()))
                .set(tokens::revoked_at.eq(now))
                .execute(connection)?;
            also(connection, &id)?;
            diesel::update(seats::table.filter(seats::invited.eq(id)))
                .set(seats::invited.eq(None::<String>))
                .execute(connection)?;
            Ok(raised)
        })
    }
}

/// Gives each game at whose table an account sits, or in which a seat is kept for it, a version of now.
fn raise_versions(
    connection: &mut AnyConnection,
    account: Uuid,
) -> Result<Vec<String>, StoreError> {
    let account = account.to_string();
    let mut found: BTreeSet<String> = (game_players::table)
        .inner_join(games::table.on(games::number.eq(game_players::game)))
        .filter(game_players::player.eq(account.clone()))
        .select(games::id)
        .load::<String>(connection)?
        .into_iter()
        .collect();
    let kept: Vec<String> = seats::table
        .filter(seats::invited.eq(account))
        .select(seats::game_id)
        .load(connection)?;
    found.extend(kept);
    for game in &found {
        let version = next_version(connection)?;
        diesel::update(games::table.find(game.clone()))
            .set(games::version.eq(version))
            .execute(connection)?;
    }
    Ok(found.into_iter().collect())
}

/// The handles of accounts, by id; none of those that are not there.
pub(crate) fn handles(
    connection: &mut AnyConnection,
    ids: &[String],
) -> Result<HashMap<String, String>, StoreError> {
    let mut handles = HashMap::with_capacity(ids.len());
    for some in ids.chunks(IDS) {
        let found: Vec<(String, String)> = accounts::table
            .filter(accounts::id.eq_any(some.to_vec()))
            .select((accounts::id, accounts::handle))
            .load(connection)?;
        handles.extend(found);
    }
    Ok(handles)
}

/// Those of some accounts that are deleted, by id.
pub(crate) fn deleted(
    connection: &mut AnyConnection,
    ids: &[String],
) -> Result<BTreeSet<String>, StoreError> {
    let mut deleted = BTreeSet::new();
    for some in ids.chunks(IDS) {
        let found: Vec<String> = accounts::table
            .filter(accounts::id.eq_any(some.to_vec()))
            .filter(accounts::deleted_at.is_not_null())
            .select(accounts::id)
            .load(connection)?;
        deleted.extend(found);
    }
    Ok(deleted)
}

/// The most ids in one query.
const IDS: usize = 1_000;

fn insert_token(
    connection: &mut AnyConnection,
    token: StoredToken,
    answer: Option<KeptAnswer>,
) -> Result<(), StoreError> {
    diesel::insert_into(tokens::table)
        .values(TokenRow::from(token))
        .execute(connection)?;
    keep_answer(connection, answer)
}
