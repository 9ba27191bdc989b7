//! Queries of accounts and their tokens.

use std::collections::{BTreeSet, HashMap};

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Text};
use uuid::Uuid;

use crate::accounts::names::handle_skeleton;
use crate::db::answers::{KeptRequest, keep_answer};
use crate::db::connection::AnyConnection;
use crate::db::schema::{
    accounts, administrator_acts, app_grants, apps, game_players, games, league_registrations,
    reports, seats, tokens,
};
use crate::db::versions::next_version;
use crate::db::writer::conflict;
use crate::db::{Store, StoreError};
use crate::http::scope::Scopes;

/// An account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredAccount {
    /// UUIDv7.
    pub id: Uuid,
    /// The handle. No two accounts have handles that differ only in case.
    pub handle: String,
    /// Microseconds since 1970.
    pub created_at: i64,
    /// When it was deleted; `None` if it exists.
    pub deleted_at: Option<i64>,
    /// When an administrator suspended it; `None` if it is not suspended.
    pub suspended_at: Option<i64>,
    /// Whether a program plays for it.
    pub bot: bool,
    /// Whether others do not see its strengths.
    pub hides_strengths: bool,
}

/// Deletes a feature's data of the account with an id.
pub type DeleteOf = fn(&mut AnyConnection, &str) -> Result<(), StoreError>;

/// A token of an account. Times are microseconds since 1970.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredToken {
    /// UUIDv7.
    pub id: Uuid,
    /// The account that owns it.
    pub account: Uuid,
    /// SHA-256 of the token.
    pub hash: String,
    /// A label that the owner chose.
    pub name: String,
    /// The scopes.
    pub scopes: Scopes,
    /// When it was created.
    pub created_at: i64,
    /// When it expires; `None` for never.
    pub expires_at: Option<i64>,
    /// When it was last used, accurate to an hour.
    pub last_used_at: Option<i64>,
    /// When it was revoked.
    pub revoked_at: Option<i64>,
    /// The token that created it.
    pub parent: Option<Uuid>,
    /// What allows an app to use it; `None` for tokens that are of no app.
    pub app_grant: Option<Uuid>,
}

/// A row of `accounts`.
#[derive(Queryable, Selectable, Insertable)]
#[diesel(table_name = accounts)]
pub(crate) struct AccountRow {
    id: String,
    handle: String,
    handle_key: String,
    skeleton: String,
    created_at: i64,
    deleted_at: Option<i64>,
    suspended_at: Option<i64>,
    bot: i64,
    hides_strengths: i64,
}

/// Revokes the token `$2` and its descendants at the time `$1`.
const REVOKE: &str = "\
    UPDATE tokens SET revoked_at = $1 WHERE revoked_at IS NULL AND id IN ( \
        WITH RECURSIVE family (id) AS ( \
            SELECT id FROM tokens WHERE id = $2 \
            UNION SELECT tokens.id FROM tokens JOIN family ON tokens.parent = family.id) \
        SELECT id FROM family) \
    RETURNING hash";

/// The hash of a revoked token.
#[derive(QueryableByName)]
struct RevokedHash {
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
    app_grant: Option<String>,
}

/// Returns the form of a handle by which it is found, regardless of case.
fn handle_key(handle: &str) -> String {
    handle.to_lowercase()
}

pub(crate) fn parse_id(column: &str, id: &str) -> Result<Uuid, StoreError> {
    id.parse()
        .map_err(|error: uuid::Error| StoreError::Damaged {
            id: format!("(no id: the stored {column} id {id:?} is not a UUID)"),
            message: error.to_string(),
        })
}

impl AccountRow {
    pub(crate) fn account(self) -> Result<StoredAccount, StoreError> {
        Ok(StoredAccount {
            id: parse_id("account", &self.id)?,
            handle: self.handle,
            created_at: self.created_at,
            deleted_at: self.deleted_at,
            suspended_at: self.suspended_at,
            bot: self.bot != 0,
            hides_strengths: self.hides_strengths != 0,
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
            app_grant: token.app_grant.map(|grant| grant.to_string()),
        }
    }
}

impl TokenRow {
    fn token(self) -> Result<StoredToken, StoreError> {
        Ok(StoredToken {
            id: parse_id("token", &self.id)?,
            account: parse_id("account", &self.account)?,
            hash: self.hash,
            name: self.name,
            scopes: Scopes::read(&self.scopes),
            created_at: self.created_at,
            expires_at: self.expires_at,
            last_used_at: self.last_used_at,
            revoked_at: self.revoked_at,
            parent: (self.parent.as_deref())
                .map(|parent| parse_id("token", parent))
                .transpose()?,
            app_grant: (self.app_grant.as_deref())
                .map(|grant| parse_id("grant", grant))
                .transpose()?,
        })
    }
}

impl Store {
    /// Stores a new account with its first token.
    ///
    /// # Errors
    /// [`StoreError::Conflict`] if another account has the handle, or one that looks like it, or if the idempotency key
    /// is in use; or the error of the database. Nothing is written then.
    pub fn create_account(
        &self,
        account: StoredAccount,
        token: StoredToken,
        answer: Option<KeptRequest>,
    ) -> Result<(), StoreError> {
        self.write(move |connection| {
            insert_account(connection, account)?;
            insert_token(connection, token, answer)
        })
    }

    /// Finds an account by its id.
    pub(crate) fn account_by_id(&self, id: Uuid) -> Result<Option<StoredAccount>, StoreError> {
        let connection = &mut *self.connection()?;
        let found: Option<AccountRow> = accounts::table
            .find(id.to_string())
            .first(connection)
            .optional()?;
        found.map(AccountRow::account).transpose()
    }

    /// Finds an account by its handle, regardless of case.
    pub(crate) fn account_called(&self, handle: &str) -> Result<Option<StoredAccount>, StoreError> {
        let connection = &mut *self.connection()?;
        let found: Option<AccountRow> = accounts::table
            .filter(accounts::handle_key.eq(handle_key(handle)))
            .first(connection)
            .optional()?;
        found.map(AccountRow::account).transpose()
    }

    /// Finds a token by its hash, with its account.
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

    /// Returns true if the hash is of the token of a seat or of a game's organizer.
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

    /// Records in the background that a token was used, unless a use was recorded since `before`.
    pub(super) fn record_use(&self, token: Uuid, now: i64, before: i64) {
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

    /// Lists accounts whose handle starts with a text, in the order of handles.
    /// Case does not matter. Deleted accounts are excluded. The list continues after the handle `behind`.
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
            // All characters of handles sort before `~`.
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

    /// Lists the tokens of an account that are not revoked, the oldest first: those of an app's grant, or of no app.
    pub(crate) fn tokens(
        &self,
        account: Uuid,
        app_grant: Option<Uuid>,
    ) -> Result<Vec<StoredToken>, StoreError> {
        let connection = &mut *self.connection()?;
        let own = tokens::table
            .filter(tokens::account.eq(account.to_string()))
            .filter(tokens::revoked_at.is_null())
            .order(tokens::id);
        let rows: Vec<TokenRow> = match app_grant {
            Some(grant) => own
                .filter(tokens::app_grant.eq(grant.to_string()))
                .load(connection)?,
            None => own.filter(tokens::app_grant.is_null()).load(connection)?,
        };
        rows.into_iter().map(TokenRow::token).collect()
    }

    /// Stores another token of an account.
    /// Returns false if the account, or the app that creates the token, has `most` tokens already.
    ///
    /// # Errors
    /// [`StoreError::Conflict`] if the parent is revoked or the idempotency key is in use, or the error of the
    /// database. Nothing is written then.
    pub(crate) fn create_token(
        &self,
        token: StoredToken,
        most: usize,
        answer: Option<KeptRequest>,
    ) -> Result<bool, StoreError> {
        self.write(move |connection| {
            let others = tokens::table
                .filter(tokens::account.eq(token.account.to_string()))
                .filter(tokens::revoked_at.is_null())
                .count();
            let others: i64 = match token.app_grant {
                Some(grant) => others
                    .filter(tokens::app_grant.eq(grant.to_string()))
                    .get_result(connection)?,
                None => others
                    .filter(tokens::app_grant.is_null())
                    .get_result(connection)?,
            };
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

    /// Revokes a token and all its descendants. Returns the hashes of the revoked tokens.
    pub(crate) fn revoke_token(&self, id: Uuid, now: i64) -> Result<Vec<String>, StoreError> {
        self.write(move |connection| {
            let revoked: Vec<RevokedHash> = diesel::sql_query(REVOKE)
                .bind::<BigInt, _>(now)
                .bind::<Text, _>(id.to_string())
                .load(connection)?;
            Ok(revoked.into_iter().map(|token| token.hash).collect())
        })
    }

    /// Changes the handle of an account and raises the versions of the games that show it.
    /// Returns the stored ids of these games.
    ///
    /// # Errors
    /// [`StoreError::Conflict`] if another account has the handle or one that looks like it, or the error of the
    /// database. Nothing is written then.
    pub(super) fn rename_account(
        &self,
        id: Uuid,
        handle: &str,
        kept: Option<KeptRequest>,
    ) -> Result<Vec<String>, StoreError> {
        let handle = handle.to_owned();
        self.write(move |connection| {
            let account = accounts::table.find(id.to_string());
            diesel::update(account.filter(accounts::deleted_at.is_null()))
                .set((
                    accounts::handle_key.eq(handle_key(&handle)),
                    accounts::skeleton.eq(handle_skeleton(&handle)),
                    accounts::handle.eq(handle),
                ))
                .execute(connection)
                .map_err(conflict)?;
            keep_answer(connection, kept)?;
            raise_versions(connection, id)
        })
    }

    /// Marks an account as one for which a program plays, or as one of a person.
    pub(super) fn set_bot(&self, id: Uuid, bot: bool) -> Result<(), StoreError> {
        self.write(move |connection| {
            diesel::update(accounts::table.find(id.to_string()))
                .set(accounts::bot.eq(i64::from(bot)))
                .execute(connection)?;
            Ok(())
        })
    }

    /// Shows the strengths of an account to others, or hides them.
    pub(super) fn set_hides_strengths(&self, id: Uuid, hides: bool) -> Result<(), StoreError> {
        self.write(move |connection| {
            diesel::update(accounts::table.find(id.to_string()))
                .set(accounts::hides_strengths.eq(i64::from(hides)))
                .execute(connection)?;
            Ok(())
        })
    }

    /// Returns the id, the name and the home page of the app that has a grant.
    pub(super) fn app_of_grant(
        &self,
        grant: Uuid,
    ) -> Result<Option<(String, String, Option<String>)>, StoreError> {
        let connection = &mut *self.connection()?;
        let found = app_grants::table
            .inner_join(apps::table.on(apps::id.eq(app_grants::app)))
            .filter(app_grants::id.eq(grant.to_string()))
            .select((apps::id, apps::name, apps::home_page))
            .first(connection)
            .optional()?;
        Ok(found)
    }

    /// Suspends an account at a time, or lifts the suspension.
    /// `also` stops what other features do for a suspended account.
    pub(super) fn set_suspended(
        &self,
        id: Uuid,
        suspended_at: Option<i64>,
        (also, kept): (DeleteOf, KeptRequest),
    ) -> Result<(), StoreError> {
        self.write(move |connection| {
            let id = id.to_string();
            diesel::update(accounts::table.find(id.clone()))
                .set(accounts::suspended_at.eq(suspended_at))
                .execute(connection)?;
            if suspended_at.is_some() {
                also(connection, &id)?;
            }
            keep_answer(connection, kept)
        })
    }

    /// Deletes an account except its id, which logs and records contain.
    /// It gets the given handle, its tokens are revoked, and the seats reserved for it become free. `also` deletes
    /// the data of other features. Returns the stored ids of the games that show the account.
    pub(super) fn delete_account(
        &self,
        id: Uuid,
        handle: String,
        now: i64,
        (also, kept): (DeleteOf, Option<KeptRequest>),
    ) -> Result<Vec<String>, StoreError> {
        self.write(move |connection| {
            let raised = raise_versions(connection, id)?;
            let id = id.to_string();
            diesel::update(accounts::table.find(id.clone()))
                .set((
                    accounts::handle_key.eq(handle_key(&handle)),
                    accounts::skeleton.eq(handle_skeleton(&handle)),
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
            // What administrators did stays, without the handles. What the account has reported goes.
            diesel::update(administrator_acts::table.filter(administrator_acts::subject.eq(&id)))
                .set(administrator_acts::detail.eq(None::<String>))
                .execute(connection)?;
            diesel::delete(reports::table.filter(reports::account.eq(&id))).execute(connection)?;
            let answers = league_registrations::table.filter(league_registrations::account.eq(&id));
            diesel::delete(answers).execute(connection)?;
            keep_answer(connection, kept)?;
            diesel::update(seats::table.filter(seats::invited.eq(id)))
                .set(seats::invited.eq(None::<String>))
                .execute(connection)?;
            Ok(raised)
        })
    }
}

/// Raises the version of each game in which an account plays or has a reserved seat.
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

/// Returns the handles of accounts by id. Unknown ids are skipped.
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

/// Returns the ids of those accounts that are deleted.
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

/// Inserts an account.
///
/// # Errors
/// [`StoreError::Conflict`] if another account has the handle, or the error of the database.
pub(crate) fn insert_account(
    connection: &mut AnyConnection,
    account: StoredAccount,
) -> Result<(), StoreError> {
    let row = AccountRow {
        id: account.id.to_string(),
        handle_key: handle_key(&account.handle),
        skeleton: handle_skeleton(&account.handle),
        handle: account.handle,
        created_at: account.created_at,
        deleted_at: account.deleted_at,
        suspended_at: account.suspended_at,
        bot: i64::from(account.bot),
        hides_strengths: i64::from(account.hides_strengths),
    };
    diesel::insert_into(accounts::table)
        .values(row)
        .execute(connection)
        .map_err(conflict)?;
    Ok(())
}

pub(crate) fn insert_token(
    connection: &mut AnyConnection,
    token: StoredToken,
    answer: Option<KeptRequest>,
) -> Result<(), StoreError> {
    diesel::insert_into(tokens::table)
        .values(TokenRow::from(token))
        .execute(connection)?;
    keep_answer(connection, answer)
}
