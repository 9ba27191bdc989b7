//! Queries of passkeys and of ceremonies that have begun.

use diesel::prelude::*;
use uuid::Uuid;

use crate::accounts::queries::{StoredAccount, insert_account, parse_id};
use crate::accounts::service::now;
use crate::db::connection::AnyConnection;
use crate::db::schema::{passkey_ceremonies, passkeys};
use crate::db::writer::conflict;
use crate::db::{Store, StoreError};
use crate::sessions::queries::{StoredSession, exists, find_password, insert_session, store_codes};

/// The most passkeys of an account.
pub const MOST: usize = 20;

/// A passkey of an account. Times are microseconds since 1970.
#[derive(Clone, Debug)]
pub struct StoredPasskey {
    /// UUIDv7.
    pub id: Uuid,
    /// The account.
    pub account: Uuid,
    /// The id of the credential, in hexadecimal digits.
    pub credential: String,
    /// The public key with its counter and its state, as JSON.
    pub content: String,
    /// The label.
    pub name: String,
    /// Whether it is backed up.
    pub backed_up: bool,
    /// When it was created.
    pub created_at: i64,
    /// When it was last used to sign in.
    pub used_at: Option<i64>,
}

/// A row of `passkeys`.
#[derive(Queryable, Selectable, Insertable)]
#[diesel(table_name = passkeys)]
struct PasskeyRow {
    id: String,
    account: String,
    credential: String,
    content: String,
    name: String,
    backed_up: i64,
    created_at: i64,
    used_at: Option<i64>,
}

impl PasskeyRow {
    fn passkey(self) -> Result<StoredPasskey, StoreError> {
        Ok(StoredPasskey {
            id: parse_id("passkey", &self.id)?,
            account: parse_id("account", &self.account)?,
            credential: self.credential,
            content: self.content,
            name: self.name,
            backed_up: self.backed_up != 0,
            created_at: self.created_at,
            used_at: self.used_at,
        })
    }
}

/// Inserts a passkey.
///
/// # Errors
/// [`StoreError::Conflict`] if an account has the credential already, or the error of the database.
fn insert_passkey(
    connection: &mut AnyConnection,
    passkey: StoredPasskey,
) -> Result<(), StoreError> {
    let row = PasskeyRow {
        id: passkey.id.to_string(),
        account: passkey.account.to_string(),
        credential: passkey.credential,
        content: passkey.content,
        name: passkey.name,
        backed_up: i64::from(passkey.backed_up),
        created_at: passkey.created_at,
        used_at: passkey.used_at,
    };
    diesel::insert_into(passkeys::table)
        .values(row)
        .execute(connection)
        .map_err(conflict)?;
    Ok(())
}

impl Store {
    /// Stores a ceremony under the hash of its secret, and deletes those that have expired.
    pub(super) fn begin_ceremony(
        &self,
        hash: String,
        state: String,
        expires_at: i64,
    ) -> Result<(), StoreError> {
        self.write(move |connection| {
            let expired = passkey_ceremonies::expires_at.le(now());
            diesel::delete(passkey_ceremonies::table.filter(expired)).execute(connection)?;
            diesel::insert_into(passkey_ceremonies::table)
                .values((
                    passkey_ceremonies::hash.eq(hash),
                    passkey_ceremonies::state.eq(state),
                    passkey_ceremonies::expires_at.eq(expires_at),
                ))
                .execute(connection)?;
            Ok(())
        })
    }

    /// Takes a ceremony, so that it is used once on all nodes. `None` if there is none or it has expired.
    pub(super) fn take_ceremony(&self, hash: String) -> Result<Option<String>, StoreError> {
        self.write(move |connection| {
            let found: Option<String> = passkey_ceremonies::table
                .find(hash.clone())
                .filter(passkey_ceremonies::expires_at.gt(now()))
                .select(passkey_ceremonies::state)
                .first(connection)
                .optional()?;
            let deleted =
                diesel::delete(passkey_ceremonies::table.find(hash)).execute(connection)?;
            Ok(found.filter(|_| deleted == 1))
        })
    }

    /// Returns the passkeys of an account, the oldest first.
    pub(super) fn passkeys(&self, account: Uuid) -> Result<Vec<StoredPasskey>, StoreError> {
        let connection = &mut *self.connection()?;
        let rows: Vec<PasskeyRow> = passkeys::table
            .filter(passkeys::account.eq(account.to_string()))
            .order(passkeys::id)
            .load(connection)?;
        rows.into_iter().map(PasskeyRow::passkey).collect()
    }

    /// Returns the passkey with a credential.
    pub(super) fn passkey(&self, credential: String) -> Result<Option<StoredPasskey>, StoreError> {
        let connection = &mut *self.connection()?;
        let row: Option<PasskeyRow> = passkeys::table
            .filter(passkeys::credential.eq(credential))
            .first(connection)
            .optional()?;
        row.map(PasskeyRow::passkey).transpose()
    }

    /// Stores a new account with its passkey and recovery codes, and starts its first session.
    ///
    /// # Errors
    /// [`StoreError::Conflict`] if another account has the handle or the passkey, or the error of the database.
    pub(super) fn sign_up_with_passkey(
        &self,
        account: StoredAccount,
        passkey: StoredPasskey,
        codes: Vec<String>,
        session: StoredSession,
    ) -> Result<(), StoreError> {
        self.write(move |connection| {
            let id = account.id;
            insert_account(connection, account)?;
            insert_passkey(connection, passkey)?;
            store_codes(connection, id, codes)?;
            insert_session(connection, session)
        })
    }

    /// Starts a session and stores the changed state of the passkey.
    /// Returns false if the passkey was removed or used in another way meanwhile.
    pub(super) fn start_session_with_passkey(
        &self,
        session: StoredSession,
        used: StoredPasskey,
        previous: String,
    ) -> Result<bool, StoreError> {
        self.write(move |connection| {
            let own = passkeys::table.find(used.id.to_string());
            let changed = diesel::update(own.filter(passkeys::content.eq(previous)))
                .set((
                    passkeys::content.eq(used.content),
                    passkeys::backed_up.eq(i64::from(used.backed_up)),
                    passkeys::used_at.eq(Some(session.created_at)),
                ))
                .execute(connection)?;
            if changed == 0 || !exists(connection, session.account)? {
                return Ok(false);
            }
            insert_session(connection, session)?;
            Ok(true)
        })
    }

    /// Adds a passkey to an account. Returns false if the account is deleted or has too many.
    ///
    /// # Errors
    /// [`StoreError::Conflict`] if an account has the passkey already, or the error of the database.
    pub(super) fn add_passkey(&self, passkey: StoredPasskey) -> Result<bool, StoreError> {
        self.write(move |connection| {
            let own = passkeys::account.eq(passkey.account.to_string());
            let count: i64 = passkeys::table.filter(own).count().get_result(connection)?;
            let is_full = usize::try_from(count).is_ok_and(|count| count >= MOST);
            if is_full || !exists(connection, passkey.account)? {
                return Ok(false);
            }
            insert_passkey(connection, passkey)?;
            Ok(true)
        })
    }

    /// Renames a passkey of an account. Returns false if there is none.
    pub(super) fn rename_passkey(
        &self,
        account: Uuid,
        id: Uuid,
        name: String,
    ) -> Result<bool, StoreError> {
        self.write(move |connection| {
            let own = passkeys::table.find(id.to_string());
            let own = own.filter(passkeys::account.eq(account.to_string()));
            let changed = diesel::update(own)
                .set(passkeys::name.eq(name))
                .execute(connection)?;
            Ok(changed == 1)
        })
    }

    /// Removes a passkey of an account, unless the account could not sign in without it.
    /// Returns true if it is removed, false if it is the last way to sign in; `None` if there is no such passkey.
    pub(super) fn remove_passkey(
        &self,
        account: Uuid,
        id: Uuid,
    ) -> Result<Option<bool>, StoreError> {
        self.write(move |connection| {
            let ids: Vec<String> = passkeys::table
                .filter(passkeys::account.eq(account.to_string()))
                .select(passkeys::id)
                .load(connection)?;
            if !ids.contains(&id.to_string()) {
                return Ok(None);
            }
            if ids.len() == 1 && find_password(connection, account)?.is_none() {
                return Ok(Some(false));
            }
            diesel::delete(passkeys::table.find(id.to_string())).execute(connection)?;
            Ok(Some(true))
        })
    }
}
