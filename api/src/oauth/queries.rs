//! Queries of apps, grants, codes and refresh tokens.

use diesel::prelude::*;
use uuid::Uuid;

use crate::accounts::queries::{StoredToken, insert_token, parse_id};
use crate::accounts::service::now;
use crate::db::answers::{KeptRequest, keep_answer};
use crate::db::connection::AnyConnection;
use crate::db::schema::{
    accounts, app_grants, apps, authorization_codes, device_codes, refresh_tokens, tokens,
};
use crate::db::{Store, StoreError};
use crate::http::scope::Scopes;

/// A day in microseconds.
const DAY: i64 = 24 * 60 * 60 * 1_000_000;

/// How long a grant lasts after the app has received its last token.
pub const GRANT_LASTS: i64 = 60 * DAY;

/// The most grants of an app for one account. Another one ends the oldest.
const MOST_GRANTS: i64 = 20;

/// The most expired grants that are deleted at a time.
const EXPIRED_TOGETHER: i64 = 100;

/// An app. Times are microseconds since 1970.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredApp {
    /// UUIDv7.
    pub id: Uuid,
    /// The account that registered it.
    pub account: Uuid,
    /// Its name.
    pub name: String,
    /// The addresses to which a browser may return.
    pub redirect_uris: Vec<String>,
    /// Its home page.
    pub home_page: Option<String>,
    /// When it was registered.
    pub created_at: i64,
}

/// A row of `apps`.
#[derive(Queryable, Selectable, Insertable)]
#[diesel(table_name = apps)]
struct AppRow {
    id: String,
    account: String,
    name: String,
    redirect_uris: String,
    home_page: Option<String>,
    created_at: i64,
}

impl AppRow {
    fn app(self) -> Result<StoredApp, StoreError> {
        let uris = self.redirect_uris.split(' ').filter(|uri| !uri.is_empty());
        Ok(StoredApp {
            id: parse_id("app", &self.id)?,
            account: parse_id("account", &self.account)?,
            name: self.name,
            redirect_uris: uris.map(str::to_owned).collect(),
            home_page: self.home_page,
            created_at: self.created_at,
        })
    }
}

impl From<StoredApp> for AppRow {
    fn from(app: StoredApp) -> AppRow {
        AppRow {
            id: app.id.to_string(),
            account: app.account.to_string(),
            name: app.name,
            redirect_uris: app.redirect_uris.join(" "),
            home_page: app.home_page,
            created_at: app.created_at,
        }
    }
}

/// What an account has allowed to an app. Times are microseconds since 1970.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredGrant {
    /// UUIDv7.
    pub id: Uuid,
    /// The app.
    pub app: Uuid,
    /// The account.
    pub account: Uuid,
    /// The scopes.
    pub scopes: Scopes,
    /// When the account has allowed it.
    pub created_at: i64,
    /// When the app received its first token.
    pub connected_at: Option<i64>,
    /// When the app received its last token.
    pub used_at: Option<i64>,
    /// When it ends, unless the app receives another token before.
    pub expires_at: i64,
}

/// A row of `app_grants`.
#[derive(Queryable, Selectable, Insertable)]
#[diesel(table_name = app_grants)]
struct GrantRow {
    id: String,
    app: String,
    account: String,
    scopes: String,
    created_at: i64,
    connected_at: Option<i64>,
    used_at: Option<i64>,
    expires_at: i64,
}

impl GrantRow {
    fn grant(self) -> Result<StoredGrant, StoreError> {
        Ok(StoredGrant {
            id: parse_id("grant", &self.id)?,
            app: parse_id("app", &self.app)?,
            account: parse_id("account", &self.account)?,
            scopes: Scopes::read(&self.scopes),
            created_at: self.created_at,
            connected_at: self.connected_at,
            used_at: self.used_at,
            expires_at: self.expires_at,
        })
    }
}

impl From<StoredGrant> for GrantRow {
    fn from(grant: StoredGrant) -> GrantRow {
        GrantRow {
            id: grant.id.to_string(),
            app: grant.app.to_string(),
            account: grant.account.to_string(),
            scopes: grant.scopes.to_string(),
            created_at: grant.created_at,
            connected_at: grant.connected_at,
            used_at: grant.used_at,
            expires_at: grant.expires_at,
        }
    }
}

/// A code that an app exchanges for tokens.
#[derive(Clone, Debug, Queryable, Selectable, Insertable)]
#[diesel(table_name = authorization_codes)]
pub struct StoredCode {
    /// SHA-256 of the code.
    pub hash: String,
    /// The grant.
    pub app_grant: String,
    /// The address to which the browser returns.
    pub redirect_uri: String,
    /// The challenge of PKCE.
    pub challenge: String,
    /// When it expires.
    pub expires_at: i64,
    /// When it was exchanged.
    pub used_at: Option<i64>,
}

/// A row of `refresh_tokens`.
#[derive(Queryable, Selectable, Insertable)]
#[diesel(table_name = refresh_tokens)]
struct RefreshRow {
    hash: String,
    app_grant: String,
    created_at: i64,
    used_at: Option<i64>,
}

/// The request of a device. The codes are hashes.
#[derive(Clone, Debug, Queryable, Selectable, Insertable)]
#[diesel(table_name = device_codes)]
pub struct StoredDevice {
    /// SHA-256 of the code of the device.
    pub hash: String,
    /// The hash of the code that a person enters.
    pub user_code: String,
    /// The app.
    pub app: String,
    /// The requested scopes.
    pub scopes: String,
    /// When it was created.
    pub created_at: i64,
    /// When the codes expire.
    pub expires_at: i64,
    /// When the device has asked last.
    pub polled_at: Option<i64>,
    /// When a person has refused.
    pub denied_at: Option<i64>,
    /// What a person has allowed.
    pub app_grant: Option<String>,
}

/// New tokens, of which only the account and the scopes are not known before the grant is read.
#[derive(Clone, Debug)]
pub struct NewTokens {
    /// The access token, for any account.
    pub access: StoredToken,
    /// SHA-256 of the refresh token.
    pub refresh: String,
    /// The scopes of the access token; `None` for all that are allowed.
    pub scopes: Option<Scopes>,
}

/// Why a code or token is not exchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExchangeFault {
    /// It does not exist, or is of another app.
    Unknown,
    /// It was exchanged before.
    Used,
    /// It has expired.
    Expired,
    /// The codes of the device have expired.
    DeviceExpired,
    /// The redirect URI is another one.
    RedirectUri,
    /// The verifier of PKCE is wrong.
    Verifier,
    /// The account is deleted or suspended.
    Account,
    /// A scope was not allowed.
    Scope,
    /// The person has refused.
    Denied,
    /// The person has not decided yet.
    Pending,
    /// The person has not decided yet, and the device asks too often.
    TooOften,
}

/// What an exchange has done.
#[derive(Clone, Debug)]
pub struct Exchange {
    /// The scopes of the new access token, or why there is none.
    pub outcome: Result<Scopes, ExchangeFault>,
    /// The hashes of tokens that have ended.
    pub ended: Vec<String>,
}

impl Exchange {
    fn refused(fault: ExchangeFault) -> Exchange {
        Exchange {
            outcome: Err(fault),
            ended: Vec::new(),
        }
    }
}

/// Deletes what an account has allowed, and its apps with all that others have allowed to them.
pub fn remove_apps_of(connection: &mut AnyConnection, account: &str) -> Result<(), StoreError> {
    let own: Vec<String> = app_grants::table
        .filter(app_grants::account.eq(account.to_owned()))
        .select(app_grants::id)
        .load(connection)?;
    delete_grants(connection, own)?;
    let registered: Vec<String> = apps::table
        .filter(apps::account.eq(account.to_owned()))
        .select(apps::id)
        .load(connection)?;
    for app in registered {
        delete_app(connection, app)?;
    }
    Ok(())
}

/// Deletes the access tokens of the apps that an account has registered. A suspension also refuses new ones.
pub fn stop_apps_of(connection: &mut AnyConnection, account: &str) -> Result<(), StoreError> {
    let of_apps: Vec<String> = app_grants::table
        .inner_join(apps::table.on(apps::id.eq(app_grants::app)))
        .filter(apps::account.eq(account.to_owned()))
        .select(app_grants::id)
        .load(connection)?;
    for grants in of_apps.chunks(EXPIRED_TOGETHER as usize) {
        let tokens = tokens::table.filter(tokens::app_grant.eq_any(grants.to_vec()));
        diesel::delete(tokens).execute(connection)?;
    }
    Ok(())
}

/// Deletes grants with everything that they allow. Returns the hashes of their tokens.
fn delete_grants(
    connection: &mut AnyConnection,
    grants: Vec<String>,
) -> Result<Vec<String>, StoreError> {
    let mut ended = Vec::new();
    for some in grants.chunks(EXPIRED_TOGETHER as usize) {
        let some = some.to_vec();
        let of_grants = tokens::table.filter(tokens::app_grant.eq_any(some.clone()));
        let hashes: Vec<String> = of_grants.select(tokens::hash).load(connection)?;
        ended.extend(hashes);
        let of_grants = tokens::table.filter(tokens::app_grant.eq_any(some.clone()));
        diesel::delete(of_grants).execute(connection)?;
        let codes = authorization_codes::app_grant.eq_any(some.clone());
        diesel::delete(authorization_codes::table.filter(codes)).execute(connection)?;
        let refresh = refresh_tokens::app_grant.eq_any(some.clone());
        diesel::delete(refresh_tokens::table.filter(refresh)).execute(connection)?;
        let devices = device_codes::app_grant.eq_any(some.clone());
        diesel::delete(device_codes::table.filter(devices)).execute(connection)?;
        diesel::delete(app_grants::table.filter(app_grants::id.eq_any(some)))
            .execute(connection)?;
    }
    Ok(ended)
}

/// Deletes an app with everything that people have allowed to it. Returns the hashes of its tokens.
fn delete_app(connection: &mut AnyConnection, app: String) -> Result<Vec<String>, StoreError> {
    let grants: Vec<String> = app_grants::table
        .filter(app_grants::app.eq(app.clone()))
        .select(app_grants::id)
        .load(connection)?;
    let ended = delete_grants(connection, grants)?;
    let devices = device_codes::table.filter(device_codes::app.eq(app.clone()));
    diesel::delete(devices).execute(connection)?;
    diesel::delete(apps::table.find(app)).execute(connection)?;
    Ok(ended)
}

/// Returns true if an account is neither deleted nor suspended.
fn is_active(connection: &mut AnyConnection, account: &str) -> QueryResult<bool> {
    let found: i64 = accounts::table
        .filter(accounts::id.eq(account.to_owned()))
        .filter(accounts::deleted_at.is_null())
        .filter(accounts::suspended_at.is_null())
        .count()
        .get_result(connection)?;
    Ok(found > 0)
}

/// Inserts a grant. Deletes expired ones and the oldest of the same app and account that are too many.
///
/// # Errors
/// [`StoreError::Conflict`] if the app or the account has gone; or the error of the database.
fn insert_grant(
    connection: &mut AnyConnection,
    grant: StoredGrant,
) -> Result<Vec<String>, StoreError> {
    let app: i64 = apps::table
        .filter(apps::id.eq(grant.app.to_string()))
        .count()
        .get_result(connection)?;
    if app == 0 || !is_active(connection, &grant.account.to_string())? {
        return Err(StoreError::Conflict);
    }
    let mut old: Vec<String> = app_grants::table
        .filter(app_grants::expires_at.le(grant.created_at))
        .limit(EXPIRED_TOGETHER)
        .select(app_grants::id)
        .load(connection)?;
    let oldest: Vec<String> = app_grants::table
        .filter(app_grants::account.eq(grant.account.to_string()))
        .filter(app_grants::app.eq(grant.app.to_string()))
        .order(app_grants::id.desc())
        .offset(MOST_GRANTS - 1)
        .limit(EXPIRED_TOGETHER)
        .select(app_grants::id)
        .load(connection)?;
    old.extend(oldest);
    let ended = delete_grants(connection, old)?;
    diesel::insert_into(app_grants::table)
        .values(GrantRow::from(grant))
        .execute(connection)?;
    Ok(ended)
}

fn find_grant(connection: &mut AnyConnection, id: &str) -> Result<StoredGrant, StoreError> {
    let row: GrantRow = app_grants::table.find(id.to_owned()).first(connection)?;
    row.grant()
}

/// Stores new tokens of a grant, and deletes its expired ones.
fn issue(
    connection: &mut AnyConnection,
    grant: &StoredGrant,
    new: NewTokens,
) -> Result<Exchange, StoreError> {
    if !is_active(connection, &grant.account.to_string())? {
        return Ok(Exchange::refused(ExchangeFault::Account));
    }
    let scopes = new.scopes.unwrap_or_else(|| grant.scopes.clone());
    let at = new.access.created_at;
    let id = grant.id.to_string();
    // Tokens that an expired one has created have expired too.
    let of_grant = tokens::table.filter(tokens::app_grant.eq(id.clone()));
    diesel::delete(of_grant.filter(tokens::expires_at.le(at))).execute(connection)?;
    let of_grant = refresh_tokens::table.filter(refresh_tokens::app_grant.eq(id.clone()));
    let unusable = refresh_tokens::created_at.le(at - GRANT_LASTS);
    diesel::delete(of_grant.filter(unusable)).execute(connection)?;
    diesel::update(app_grants::table.find(id.clone()))
        .set((
            app_grants::connected_at.eq(Some(grant.connected_at.unwrap_or(at))),
            app_grants::used_at.eq(Some(at)),
            app_grants::expires_at.eq(at + GRANT_LASTS),
        ))
        .execute(connection)?;
    let access = StoredToken {
        account: grant.account,
        scopes: scopes.clone(),
        app_grant: Some(grant.id),
        ..new.access
    };
    insert_token(connection, access, None)?;
    diesel::insert_into(refresh_tokens::table)
        .values(RefreshRow {
            hash: new.refresh,
            app_grant: id,
            created_at: at,
            used_at: None,
        })
        .execute(connection)?;
    Ok(Exchange {
        outcome: Ok(scopes),
        ended: Vec::new(),
    })
}

/// Ends a grant because one of its codes or tokens was exchanged twice.
fn end_reused(connection: &mut AnyConnection, grant: String) -> Result<Exchange, StoreError> {
    Ok(Exchange {
        outcome: Err(ExchangeFault::Used),
        ended: delete_grants(connection, vec![grant])?,
    })
}

impl Store {
    /// Stores an app. Returns false if its account has `most` apps already.
    pub(super) fn create_app(
        &self,
        app: StoredApp,
        most: usize,
        kept: Option<KeptRequest>,
    ) -> Result<bool, StoreError> {
        self.write(move |connection| {
            let others: i64 = apps::table
                .filter(apps::account.eq(app.account.to_string()))
                .count()
                .get_result(connection)?;
            if others as usize >= most {
                return Ok(false);
            }
            if !is_active(connection, &app.account.to_string())? {
                return Err(StoreError::Conflict);
            }
            diesel::insert_into(apps::table)
                .values(AppRow::from(app))
                .execute(connection)?;
            keep_answer(connection, kept)?;
            Ok(true)
        })
    }

    /// Finds an app whose owner is not suspended, with the handle of its owner.
    pub(super) fn app(&self, id: Uuid) -> Result<Option<(StoredApp, String)>, StoreError> {
        let connection = &mut *self.connection()?;
        let found: Option<(AppRow, String)> = apps::table
            .inner_join(accounts::table.on(accounts::id.eq(apps::account)))
            .filter(apps::id.eq(id.to_string()))
            .filter(accounts::suspended_at.is_null())
            .select((AppRow::as_select(), accounts::handle))
            .first(connection)
            .optional()?;
        found
            .map(|(app, handle)| Ok((app.app()?, handle)))
            .transpose()
    }

    /// Lists the apps that an account has registered, the oldest first.
    pub(super) fn apps(&self, account: Uuid) -> Result<Vec<StoredApp>, StoreError> {
        let connection = &mut *self.connection()?;
        let rows: Vec<AppRow> = apps::table
            .filter(apps::account.eq(account.to_string()))
            .order(apps::id)
            .load(connection)?;
        rows.into_iter().map(AppRow::app).collect()
    }

    /// Deletes an app of an account with everything that people have allowed to it.
    /// Returns the hashes of its tokens; `None` if the account has no such app.
    pub(super) fn delete_app(
        &self,
        account: Uuid,
        id: Uuid,
    ) -> Result<Option<Vec<String>>, StoreError> {
        self.write(move |connection| {
            let own: i64 = apps::table
                .filter(apps::id.eq(id.to_string()))
                .filter(apps::account.eq(account.to_string()))
                .count()
                .get_result(connection)?;
            match own {
                0 => Ok(None),
                _ => delete_app(connection, id.to_string()).map(Some),
            }
        })
    }

    /// Lists the grants of an account whose apps have received a token, with their apps, the oldest first.
    pub(super) fn connected_apps(
        &self,
        account: Uuid,
    ) -> Result<Vec<(StoredGrant, StoredApp)>, StoreError> {
        let connection = &mut *self.connection()?;
        let rows: Vec<(GrantRow, AppRow)> = app_grants::table
            .inner_join(apps::table.on(apps::id.eq(app_grants::app)))
            .filter(app_grants::account.eq(account.to_string()))
            .filter(app_grants::connected_at.is_not_null())
            .filter(app_grants::expires_at.gt(now()))
            .order(app_grants::id)
            .select((GrantRow::as_select(), AppRow::as_select()))
            .load(connection)?;
        rows.into_iter()
            .map(|(grant, app)| Ok((grant.grant()?, app.app()?)))
            .collect()
    }

    /// Ends a grant of an account. Returns the hashes of its tokens; `None` if the account has no such grant.
    pub(super) fn end_grant(
        &self,
        account: Uuid,
        id: Uuid,
    ) -> Result<Option<Vec<String>>, StoreError> {
        self.write(move |connection| {
            let own: i64 = app_grants::table
                .filter(app_grants::id.eq(id.to_string()))
                .filter(app_grants::account.eq(account.to_string()))
                .count()
                .get_result(connection)?;
            match own {
                0 => Ok(None),
                _ => delete_grants(connection, vec![id.to_string()]).map(Some),
            }
        })
    }

    /// Stores a grant and the code by which the app receives its first token.
    /// Returns the hashes of tokens that have ended.
    ///
    /// # Errors
    /// [`StoreError::Conflict`] if the app or the account has gone; or the error of the database.
    pub(super) fn create_grant(
        &self,
        grant: StoredGrant,
        code: StoredCode,
    ) -> Result<Vec<String>, StoreError> {
        self.write(move |connection| {
            let ended = insert_grant(connection, grant)?;
            diesel::insert_into(authorization_codes::table)
                .values(code)
                .execute(connection)?;
            Ok(ended)
        })
    }

    /// Exchanges a code for tokens.
    pub(super) fn exchange_code(
        &self,
        code: String,
        app: Uuid,
        (redirect_uri, challenge): (Option<String>, String),
        new: NewTokens,
    ) -> Result<Exchange, StoreError> {
        self.write(move |connection| {
            let found: Option<StoredCode> = authorization_codes::table
                .find(code.clone())
                .first(connection)
                .optional()?;
            let Some(stored) = found else {
                return Ok(Exchange::refused(ExchangeFault::Unknown));
            };
            let grant = find_grant(connection, &stored.app_grant)?;
            let fault = if grant.app != app {
                Some(ExchangeFault::Unknown)
            } else if stored.used_at.is_some() {
                return end_reused(connection, stored.app_grant);
            } else if stored.expires_at <= new.access.created_at {
                Some(ExchangeFault::Expired)
            } else if redirect_uri.is_some_and(|uri| uri != stored.redirect_uri) {
                Some(ExchangeFault::RedirectUri)
            } else {
                (stored.challenge != challenge).then_some(ExchangeFault::Verifier)
            };
            if let Some(fault) = fault {
                return Ok(Exchange::refused(fault));
            }
            diesel::update(authorization_codes::table.find(code))
                .set(authorization_codes::used_at.eq(Some(new.access.created_at)))
                .execute(connection)?;
            issue(connection, &grant, new)
        })
    }

    /// Exchanges a refresh token for new tokens.
    pub(super) fn exchange_refresh_token(
        &self,
        token: String,
        app: Uuid,
        new: NewTokens,
    ) -> Result<Exchange, StoreError> {
        self.write(move |connection| {
            let found: Option<RefreshRow> = refresh_tokens::table
                .find(token.clone())
                .first(connection)
                .optional()?;
            let Some(stored) = found else {
                return Ok(Exchange::refused(ExchangeFault::Unknown));
            };
            let grant = find_grant(connection, &stored.app_grant)?;
            let wanted = new.scopes.as_ref();
            let fault = if grant.app != app {
                Some(ExchangeFault::Unknown)
            } else if stored.used_at.is_some() {
                return end_reused(connection, stored.app_grant);
            } else if grant.expires_at <= new.access.created_at {
                Some(ExchangeFault::Expired)
            } else {
                let lacks = wanted.is_some_and(|wanted| grant.scopes.lack(wanted).is_some());
                lacks.then_some(ExchangeFault::Scope)
            };
            if let Some(fault) = fault {
                return Ok(Exchange::refused(fault));
            }
            if !is_active(connection, &grant.account.to_string())? {
                return Ok(Exchange::refused(ExchangeFault::Account));
            }
            diesel::update(refresh_tokens::table.find(token))
                .set(refresh_tokens::used_at.eq(Some(new.access.created_at)))
                .execute(connection)?;
            issue(connection, &grant, new)
        })
    }

    /// Stores the request of a device, and deletes expired ones.
    pub(super) fn create_device(&self, device: StoredDevice) -> Result<(), StoreError> {
        self.write(move |connection| {
            let expired = device_codes::expires_at.le(device.created_at - DAY);
            diesel::delete(device_codes::table.filter(expired)).execute(connection)?;
            diesel::insert_into(device_codes::table)
                .values(device)
                .execute(connection)?;
            Ok(())
        })
    }

    /// Finds the request of a device that waits for a decision, by the hash of the code that a person enters.
    pub(super) fn waiting_device(
        &self,
        user_code: &str,
    ) -> Result<Option<StoredDevice>, StoreError> {
        let connection = &mut *self.connection()?;
        Ok(find_waiting(connection, user_code)?)
    }

    /// Stores what a person has decided about a device: a grant, or none.
    /// Returns the hashes of tokens that have ended; `None` if no device waits with this code.
    pub(super) fn decide_device(
        &self,
        user_code: String,
        grant: Option<StoredGrant>,
    ) -> Result<Option<Vec<String>>, StoreError> {
        self.write(move |connection| {
            let Some(device) = find_waiting(connection, &user_code)? else {
                return Ok(None);
            };
            let id = grant.as_ref().map(|grant| grant.id.to_string());
            let ended = match grant {
                Some(grant) => insert_grant(connection, grant)?,
                None => Vec::new(),
            };
            let denied_at = id.is_none().then(now);
            diesel::update(device_codes::table.find(device.hash))
                .set((
                    device_codes::app_grant.eq(id),
                    device_codes::denied_at.eq(denied_at),
                ))
                .execute(connection)?;
            Ok(Some(ended))
        })
    }

    /// Exchanges the code of a device for tokens. A device may ask once in `interval` microseconds.
    pub(super) fn exchange_device_code(
        &self,
        code: String,
        app: Uuid,
        interval: i64,
        new: NewTokens,
    ) -> Result<Exchange, StoreError> {
        self.write(move |connection| {
            let own = device_codes::table.find(code.clone());
            let found: Option<StoredDevice> = own.first(connection).optional()?;
            let known = found.filter(|device| device.app == app.to_string());
            let Some(device) = known else {
                return Ok(Exchange::refused(ExchangeFault::Unknown));
            };
            let at = new.access.created_at;
            if device.denied_at.is_some() {
                diesel::delete(device_codes::table.find(code)).execute(connection)?;
                return Ok(Exchange::refused(ExchangeFault::Denied));
            }
            if device.expires_at <= at {
                return Ok(Exchange::refused(ExchangeFault::DeviceExpired));
            }
            let Some(grant) = device.app_grant else {
                diesel::update(device_codes::table.find(code))
                    .set(device_codes::polled_at.eq(Some(at)))
                    .execute(connection)?;
                let early = device.polled_at.is_some_and(|last| at < last + interval);
                return Ok(Exchange::refused(match early {
                    true => ExchangeFault::TooOften,
                    false => ExchangeFault::Pending,
                }));
            };
            let grant = find_grant(connection, &grant)?;
            diesel::delete(device_codes::table.find(code)).execute(connection)?;
            issue(connection, &grant, new)
        })
    }

    /// Returns the app and the grant of a refresh token, by its hash.
    pub(super) fn grant_of_refresh_token(
        &self,
        hash: &str,
    ) -> Result<Option<StoredGrant>, StoreError> {
        let connection = &mut *self.connection()?;
        let found: Option<GrantRow> = refresh_tokens::table
            .inner_join(app_grants::table.on(app_grants::id.eq(refresh_tokens::app_grant)))
            .filter(refresh_tokens::hash.eq(hash.to_owned()))
            .select(GrantRow::as_select())
            .first(connection)
            .optional()?;
        found.map(GrantRow::grant).transpose()
    }

    /// Returns the id and the app of an app's access token, by its hash.
    pub(super) fn app_of_access_token(
        &self,
        hash: &str,
    ) -> Result<Option<(Uuid, Uuid)>, StoreError> {
        let connection = &mut *self.connection()?;
        let found: Option<(String, String)> = tokens::table
            .inner_join(app_grants::table.on(tokens::app_grant.eq(app_grants::id.nullable())))
            .filter(tokens::hash.eq(hash.to_owned()))
            .select((tokens::id, app_grants::app))
            .first(connection)
            .optional()?;
        found
            .map(|(token, app)| Ok((parse_id("token", &token)?, parse_id("app", &app)?)))
            .transpose()
    }
}

/// Finds the request of a device that waits for a decision.
fn find_waiting(
    connection: &mut AnyConnection,
    user_code: &str,
) -> QueryResult<Option<StoredDevice>> {
    device_codes::table
        .filter(device_codes::user_code.eq(user_code.to_owned()))
        .filter(device_codes::expires_at.gt(now()))
        .filter(device_codes::denied_at.is_null())
        .filter(device_codes::app_grant.is_null())
        .first(connection)
        .optional()
}
