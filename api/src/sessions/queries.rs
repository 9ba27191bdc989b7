//! Queries of passwords, recovery codes and sessions.

use diesel::prelude::*;
use uuid::Uuid;

use crate::accounts::queries::{AccountRow, StoredAccount, insert_account, parse_id};
use crate::accounts::service::now;
use crate::db::connection::AnyConnection;
use crate::db::schema::{accounts, passwords, recovery_codes, sessions};
use crate::db::{Store, StoreError};
use crate::http::call::Access;

/// A day in microseconds.
const DAY: i64 = 24 * 60 * 60 * 1_000_000;

/// How long a session lasts after the last day with a request.
const LASTS: i64 = 30 * DAY;

/// The most sessions of an account. Another one ends the oldest.
const MOST: i64 = 50;

/// A browser that is signed in. Times are microseconds since 1970.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredSession {
    /// UUIDv7.
    pub id: Uuid,
    /// The account.
    pub account: Uuid,
    /// SHA-256 of the cookie.
    pub hash: String,
    /// The browser and the system.
    pub device: String,
    /// When the account signed in.
    pub created_at: i64,
    /// The begin of the last day with a request.
    pub seen_at: i64,
    /// When it expires.
    pub expires_at: i64,
}

/// A row of `sessions`.
#[derive(Queryable, Selectable, Insertable)]
#[diesel(table_name = sessions)]
struct SessionRow {
    id: String,
    account: String,
    hash: String,
    device: String,
    created_at: i64,
    seen_at: i64,
    expires_at: i64,
}

impl StoredSession {
    /// Creates a session that begins now.
    pub fn new(account: Uuid, hash: String, device: String) -> StoredSession {
        let now = now();
        let today = now - now % DAY;
        StoredSession {
            id: Uuid::now_v7(),
            account,
            hash,
            device,
            created_at: now,
            seen_at: today,
            expires_at: today + DAY + LASTS,
        }
    }
}

impl SessionRow {
    fn session(self) -> Result<StoredSession, StoreError> {
        Ok(StoredSession {
            id: parse_id("session", &self.id)?,
            account: parse_id("account", &self.account)?,
            hash: self.hash,
            device: self.device,
            created_at: self.created_at,
            seen_at: self.seen_at,
            expires_at: self.expires_at,
        })
    }
}

impl From<StoredSession> for SessionRow {
    fn from(session: StoredSession) -> SessionRow {
        SessionRow {
            id: session.id.to_string(),
            account: session.account.to_string(),
            hash: session.hash,
            device: session.device,
            created_at: session.created_at,
            seen_at: session.seen_at,
            expires_at: session.expires_at,
        }
    }
}

/// What a sign-up or a change of the password stores. The texts are hashes.
#[derive(Clone, Debug)]
pub struct NewSecrets {
    /// The hash of the password.
    pub password: String,
    /// The hashes of the recovery codes; `None` leaves those that exist.
    pub codes: Option<Vec<String>>,
}

/// Returns the access of a session by the hash of its cookie, and extends the session once a day.
pub fn find_session(store: &Store, hash: &str) -> Result<Option<Access>, StoreError> {
    let connection = &mut *store.connection()?;
    let found: Option<(SessionRow, AccountRow)> = sessions::table
        .inner_join(accounts::table.on(accounts::id.eq(sessions::account)))
        .filter(sessions::hash.eq(hash.to_owned()))
        .first(connection)
        .optional()?;
    let Some((session, account)) = found else {
        return Ok(None);
    };
    let (session, account) = (session.session()?, account.account()?);
    let now = now();
    let today = now - now % DAY;
    if session.seen_at < today && session.expires_at > now {
        store.write_later(move |connection| {
            let own = sessions::table.find(session.id.to_string());
            diesel::update(own.filter(sessions::seen_at.lt(today)))
                .set((
                    sessions::seen_at.eq(today),
                    sessions::expires_at.eq(today + DAY + LASTS),
                ))
                .execute(connection)?;
            Ok(())
        });
    }
    Ok(Some(Access::from_session(
        session.id,
        session.expires_at,
        account,
    )))
}

/// Deletes the password, the recovery codes and the sessions of an account.
pub fn remove_sign_in_of(connection: &mut AnyConnection, account: &str) -> Result<(), StoreError> {
    let account = account.to_owned();
    diesel::delete(passwords::table.find(account.clone())).execute(connection)?;
    let codes = recovery_codes::table.filter(recovery_codes::account.eq(account.clone()));
    diesel::delete(codes).execute(connection)?;
    diesel::delete(sessions::table.filter(sessions::account.eq(account))).execute(connection)?;
    Ok(())
}

impl Store {
    /// Returns the hash of an account's password.
    pub(super) fn password(&self, account: Uuid) -> Result<Option<String>, StoreError> {
        let connection = &mut *self.connection()?;
        Ok(find_password(connection, account)?)
    }

    /// Returns how many recovery codes an account has left.
    pub(super) fn recovery_codes(&self, account: Uuid) -> Result<i64, StoreError> {
        let connection = &mut *self.connection()?;
        let own = recovery_codes::table.filter(recovery_codes::account.eq(account.to_string()));
        let lasting = own.filter(recovery_codes::expires_at.is_null());
        Ok(lasting.count().get_result(connection)?)
    }

    /// Stores a new account with its password and recovery codes, and starts its first session.
    ///
    /// # Errors
    /// [`StoreError::Conflict`] if another account has the handle, or the error of the database.
    pub(super) fn sign_up(
        &self,
        account: StoredAccount,
        secrets: NewSecrets,
        session: StoredSession,
    ) -> Result<(), StoreError> {
        self.write(move |connection| {
            let (id, at) = (account.id, account.created_at);
            insert_account(connection, account)?;
            store_secrets(connection, id, secrets, at)?;
            insert_session(connection, session)
        })
    }

    /// Starts a session if the account still has the password with this hash. Returns false if not.
    pub(super) fn start_session(
        &self,
        session: StoredSession,
        password: String,
    ) -> Result<bool, StoreError> {
        self.write(move |connection| {
            let current = find_password(connection, session.account)?;
            if current != Some(password) {
                return Ok(false);
            }
            insert_session(connection, session)?;
            Ok(true)
        })
    }

    /// Uses a recovery code: replaces the password, ends all sessions of the account and starts one.
    /// Returns the hashes of the ended sessions; `None` if the account has no such code.
    pub(super) fn recover(
        &self,
        code: String,
        password: String,
        session: StoredSession,
    ) -> Result<Option<Vec<String>>, StoreError> {
        self.write(move |connection| {
            let account = session.account;
            let valid = recovery_codes::expires_at
                .is_null()
                .or(recovery_codes::expires_at.gt(session.created_at));
            let code = recovery_codes::table
                .find((account.to_string(), code))
                .filter(valid);
            if diesel::delete(code).execute(connection)? == 0 {
                return Ok(None);
            }
            let secrets = NewSecrets {
                password,
                codes: None,
            };
            store_secrets(connection, account, secrets, session.created_at)?;
            let ended = end_sessions(connection, account, None)?;
            insert_session(connection, session)?;
            Ok(Some(ended))
        })
    }

    /// Replaces the password of an account if it still has the previous one, and ends all sessions but one.
    /// Returns the hashes of the ended sessions; `None` if the password has changed meanwhile.
    pub(super) fn change_password(
        &self,
        account: Uuid,
        previous: Option<String>,
        password: String,
        keep: Option<Uuid>,
    ) -> Result<Option<Vec<String>>, StoreError> {
        self.write(move |connection| {
            if !exists(connection, account)? || find_password(connection, account)? != previous {
                return Ok(None);
            }
            let secrets = NewSecrets {
                password,
                codes: None,
            };
            store_secrets(connection, account, secrets, now())?;
            Ok(Some(end_sessions(connection, account, keep)?))
        })
    }

    /// Replaces the recovery codes of an account if it still has the password with this hash.
    pub(super) fn replace_recovery_codes(
        &self,
        account: Uuid,
        password: String,
        codes: Vec<String>,
    ) -> Result<bool, StoreError> {
        self.write(move |connection| {
            if find_password(connection, account)? != Some(password) {
                return Ok(false);
            }
            store_codes(connection, account, codes)?;
            Ok(true)
        })
    }

    /// Stores the hash of a mailed code, which replaces a forgotten password once, until a time.
    pub(crate) fn add_mailed_code(
        &self,
        account: Uuid,
        hash: String,
        expires_at: i64,
    ) -> Result<(), StoreError> {
        self.write(move |connection| {
            let own = recovery_codes::account.eq(account.to_string());
            let mailed = recovery_codes::table.filter(own);
            diesel::delete(mailed.filter(recovery_codes::expires_at.is_not_null()))
                .execute(connection)?;
            diesel::insert_into(recovery_codes::table)
                .values((
                    recovery_codes::account.eq(account.to_string()),
                    recovery_codes::hash.eq(hash),
                    recovery_codes::expires_at.eq(Some(expires_at)),
                ))
                .execute(connection)?;
            Ok(())
        })
    }

    /// Lists the sessions of an account that have not expired, the newest first.
    pub(super) fn sessions(&self, account: Uuid) -> Result<Vec<StoredSession>, StoreError> {
        let connection = &mut *self.connection()?;
        let rows: Vec<SessionRow> = sessions::table
            .filter(sessions::account.eq(account.to_string()))
            .filter(sessions::expires_at.gt(now()))
            .order(sessions::id.desc())
            .load(connection)?;
        rows.into_iter().map(SessionRow::session).collect()
    }

    /// Ends a session of an account. Returns its hash; `None` if there is no such session.
    pub(super) fn end_session(
        &self,
        account: Uuid,
        id: Uuid,
    ) -> Result<Option<String>, StoreError> {
        self.write(move |connection| {
            let own = sessions::account.eq(account.to_string());
            let session = sessions::table.find(id.to_string()).filter(own);
            let hash = session
                .select(sessions::hash)
                .first(connection)
                .optional()?;
            diesel::delete(
                sessions::table
                    .find(id.to_string())
                    .filter(sessions::account.eq(account.to_string())),
            )
            .execute(connection)?;
            Ok(hash)
        })
    }

    /// Ends all sessions of an account but one. Returns their hashes.
    pub(super) fn end_other_sessions(
        &self,
        account: Uuid,
        keep: Option<Uuid>,
    ) -> Result<Vec<String>, StoreError> {
        self.write(move |connection| Ok(end_sessions(connection, account, keep)?))
    }
}

fn exists(connection: &mut AnyConnection, account: Uuid) -> QueryResult<bool> {
    let found: i64 = accounts::table
        .find(account.to_string())
        .filter(accounts::deleted_at.is_null())
        .count()
        .get_result(connection)?;
    Ok(found > 0)
}

fn find_password(connection: &mut AnyConnection, account: Uuid) -> QueryResult<Option<String>> {
    let own = passwords::table.find(account.to_string());
    own.select(passwords::hash).first(connection).optional()
}

fn store_secrets(
    connection: &mut AnyConnection,
    account: Uuid,
    secrets: NewSecrets,
    now: i64,
) -> Result<(), StoreError> {
    diesel::delete(passwords::table.find(account.to_string())).execute(connection)?;
    diesel::insert_into(passwords::table)
        .values((
            passwords::account.eq(account.to_string()),
            passwords::hash.eq(secrets.password),
            passwords::changed_at.eq(now),
        ))
        .execute(connection)?;
    match secrets.codes {
        Some(codes) => store_codes(connection, account, codes),
        None => Ok(()),
    }
}

fn store_codes(
    connection: &mut AnyConnection,
    account: Uuid,
    codes: Vec<String>,
) -> Result<(), StoreError> {
    let own = recovery_codes::account.eq(account.to_string());
    diesel::delete(recovery_codes::table.filter(own)).execute(connection)?;
    for hash in codes {
        diesel::insert_into(recovery_codes::table)
            .values((
                recovery_codes::account.eq(account.to_string()),
                recovery_codes::hash.eq(hash),
            ))
            .execute(connection)?;
    }
    Ok(())
}

/// Inserts a session, and deletes all expired ones and the oldest of the account that are too many.
fn insert_session(
    connection: &mut AnyConnection,
    session: StoredSession,
) -> Result<(), StoreError> {
    let expired = sessions::expires_at.le(session.created_at);
    diesel::delete(sessions::table.filter(expired)).execute(connection)?;
    let oldest: Vec<String> = sessions::table
        .filter(sessions::account.eq(session.account.to_string()))
        .order(sessions::id.desc())
        .offset(MOST - 1)
        .limit(MOST)
        .select(sessions::id)
        .load(connection)?;
    diesel::delete(sessions::table.filter(sessions::id.eq_any(oldest))).execute(connection)?;
    diesel::insert_into(sessions::table)
        .values(SessionRow::from(session))
        .execute(connection)?;
    Ok(())
}

fn end_sessions(
    connection: &mut AnyConnection,
    account: Uuid,
    keep: Option<Uuid>,
) -> QueryResult<Vec<String>> {
    let keep = keep.map_or_else(String::new, |id| id.to_string());
    let own = sessions::account.eq(account.to_string());
    let ended = sessions::table
        .filter(own)
        .filter(sessions::id.ne(keep.clone()));
    let hashes: Vec<String> = ended.select(sessions::hash).load(connection)?;
    let own = sessions::account.eq(account.to_string());
    diesel::delete(sessions::table.filter(own).filter(sessions::id.ne(keep)))
        .execute(connection)?;
    Ok(hashes)
}
