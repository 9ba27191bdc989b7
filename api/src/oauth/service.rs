//! Registers apps, lets people allow them something, and issues, renews and revokes their tokens.

use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use reqwest::Url;
use sha2::{Digest, Sha256};
use uuid::Uuid;

use crate::accounts::model::AppName;
use crate::accounts::service::{Accounts, new_token, now};
use crate::accounts::token;
use crate::db::{Store, StoreError};
use crate::http::call::{Access, Call};
use crate::http::error::{ConflictKind, ServiceError};
use crate::http::scope::{Scope, Scopes};
use crate::http::secret::{fresh, hashed};
use crate::oauth::model::{
    AppBody, AppList, ConnectedApp, ConnectedAppList, DEVICE_GRANT, DeviceAnswer, NewApp,
    OAuthError, OAuthErrorCode, TokenAnswer,
};
use crate::oauth::parameters::Parameters;
use crate::oauth::queries::{
    Exchange, ExchangeFault, NewTokens, StoredApp, StoredCode, StoredDevice, StoredGrant,
};
use crate::oauth::{redirect_uris, user_codes};

/// A second in microseconds.
const SECOND: i64 = 1_000_000;

/// How long an access token is valid, in seconds.
const ACCESS_LASTS: i64 = 60 * 60;

/// How long a code is valid, in seconds.
const CODE_LASTS: i64 = 5 * 60;

/// How long the codes of a device are valid, in seconds.
const DEVICE_LASTS: i64 = 15 * 60;

/// How long a device waits between two requests, in seconds.
const INTERVAL: i64 = 5;

/// The most apps of an account.
const MAX_APPS: usize = 20;

/// The most redirect URIs of an app.
const MAX_URIS: usize = 10;

/// The characters of a challenge of PKCE: SHA-256 in base64url.
const CHALLENGE: usize = 43;

/// The answer to a request of an app: an error of the protocol is an answer too.
pub type Outcome<T> = Result<Result<T, OAuthError>, ServiceError>;

/// Returns from a function with an error of the protocol.
macro_rules! valid {
    ($result:expr) => {
        match $result {
            Ok(value) => value,
            Err(error) => return Ok(Err(error)),
        }
    };
}

/// The apps of the service, and what people have allowed to them.
#[derive(Debug)]
pub struct OAuth {
    store: Arc<Store>,
    accounts: Arc<Accounts>,
}

/// An app as a person sees it before the decision.
#[derive(Clone, Debug)]
pub struct AppIntroduction {
    /// The app.
    pub app: AppName,
    /// The handle of the account that registered it.
    pub owner: String,
    /// The scopes that it requests.
    pub scopes: Scopes,
}

/// A valid request for an authorization code.
#[derive(Clone, Debug)]
pub struct AuthorizationRequest {
    /// What the person sees.
    pub introduction: AppIntroduction,
    /// Where the browser returns.
    pub redirect_uri: String,
    state: Option<String>,
    challenge: String,
    issuer: String,
}

impl AuthorizationRequest {
    /// Returns the address to which the browser returns with parameters.
    fn answer(&self, parameters: &[(&str, &str)]) -> String {
        let state = self.state.as_deref();
        answer(&self.redirect_uri, parameters, state, &self.issuer)
    }

    /// Returns the address to which the browser returns if the person refuses.
    pub fn refusal(&self) -> String {
        let name = OAuthErrorCode::AccessDenied.name();
        self.answer(&[("error", name)])
    }
}

/// Returns a redirect URI with parameters, the state of the app and the issuer (RFC 9207).
fn answer(uri: &str, parameters: &[(&str, &str)], state: Option<&str>, issuer: &str) -> String {
    let state = state.map(|state| ("state", state));
    let all: Vec<(&str, &str)> = parameters
        .iter()
        .copied()
        .chain(state)
        .chain([("iss", issuer)])
        .collect();
    redirect_uris::with_parameters(uri, &all)
}

/// Why a request for an authorization code is not shown to the person.
#[derive(Debug)]
pub enum AuthorizationFault {
    /// The app or its redirect URI is wrong, so the browser must not go there.
    Page(ServiceError),
    /// The browser returns to this address, which names the error.
    Redirect(String),
}

impl From<StoreError> for AuthorizationFault {
    fn from(error: StoreError) -> AuthorizationFault {
        AuthorizationFault::Page(error.into())
    }
}

fn no_random(error: getrandom::Error) -> StoreError {
    StoreError::Unavailable(error.to_string())
}

fn name_of(app: &StoredApp) -> AppName {
    AppName {
        id: app.id,
        name: app.name.clone(),
        home_page: app.home_page.clone(),
    }
}

/// Returns a grant that the app must use within some seconds.
fn new_grant(app: Uuid, account: Uuid, scopes: Scopes, seconds: i64) -> StoredGrant {
    let now = now();
    StoredGrant {
        id: Uuid::now_v7(),
        app,
        account,
        scopes,
        created_at: now,
        connected_at: None,
        used_at: None,
        expires_at: now + seconds * SECOND,
    }
}

/// Returns the account of a browser that is signed in. A token cannot allow an app more than it may itself.
fn person(call: &Call) -> Result<&Access, ServiceError> {
    let access = call.any_account()?;
    match access.is_session {
        true => Ok(access),
        false => Err(ServiceError::Forbidden(
            "only a person in a browser can allow an app something: sign in".to_owned(),
        )),
    }
}

/// The parts of a valid request for a code that are not of the app.
fn read_request(parameters: &Parameters) -> Result<(Scopes, String), OAuthError> {
    parameters.check_unique()?;
    if parameters.needed("response_type")? != "code" {
        return Err(OAuthError::new(
            OAuthErrorCode::UnsupportedResponseType,
            "response_type must be code",
        ));
    }
    let challenge = parameters.needed("code_challenge")?;
    let invalid = |description: &str| OAuthError::new(OAuthErrorCode::InvalidRequest, description);
    if parameters.get("code_challenge_method") != Some("S256") {
        return Err(invalid("code_challenge_method must be S256"));
    }
    let is_digest = challenge.len() == CHALLENGE && challenge.bytes().all(is_of_base64url);
    if !is_digest {
        return Err(invalid(
            "code_challenge must be the SHA-256 of the verifier in base64url without padding",
        ));
    }
    Ok((parameters.scopes_or_read()?, challenge.to_owned()))
}

fn is_of_base64url(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_')
}

/// Returns the challenge of a verifier (RFC 7636, section 4.1).
fn challenge_of(verifier: &str) -> Result<String, OAuthError> {
    let is_unreserved = |byte: u8| is_of_base64url(byte) || matches!(byte, b'.' | b'~');
    if !(43..=128).contains(&verifier.len()) || !verifier.bytes().all(is_unreserved) {
        let description = "code_verifier must have 43 to 128 characters of A-Z a-z 0-9 - . _ ~";
        return Err(OAuthError::new(OAuthErrorCode::InvalidRequest, description));
    }
    Ok(URL_SAFE_NO_PAD.encode(Sha256::digest(verifier.as_bytes())))
}

/// Creates tokens of an app. Returns their rows and their texts.
fn new_tokens(
    app: &StoredApp,
    scopes: Option<Scopes>,
) -> Result<(NewTokens, String, String), StoreError> {
    let end = Some(now() + ACCESS_LASTS * SECOND);
    let (access, text) = new_token(Uuid::nil(), &app.name, Scopes::default(), end)?;
    let refresh = token::generate()?;
    let new = NewTokens {
        access,
        refresh: hashed(&refresh),
        scopes,
    };
    Ok((new, text, refresh))
}

impl ExchangeFault {
    fn error(self) -> OAuthError {
        let (code, description) = match self {
            ExchangeFault::Unknown => (
                OAuthErrorCode::InvalidGrant,
                "the code or token is unknown, was revoked, or belongs to another app",
            ),
            ExchangeFault::Used => (
                OAuthErrorCode::InvalidGrant,
                "the code or token was used before, so all tokens of this connection are revoked: start again",
            ),
            ExchangeFault::Expired => (
                OAuthErrorCode::InvalidGrant,
                "the code or token has expired: start again",
            ),
            ExchangeFault::DeviceExpired => (
                OAuthErrorCode::ExpiredToken,
                "the codes have expired: request new ones",
            ),
            ExchangeFault::RedirectUri => (
                OAuthErrorCode::InvalidGrant,
                "redirect_uri differs from the one of the authorization request",
            ),
            ExchangeFault::Verifier => (
                OAuthErrorCode::InvalidGrant,
                "code_verifier does not belong to the code_challenge",
            ),
            ExchangeFault::Account => (
                OAuthErrorCode::InvalidGrant,
                "the account is deleted or suspended",
            ),
            ExchangeFault::Scope => (
                OAuthErrorCode::InvalidScope,
                "a scope is requested that was not allowed",
            ),
            ExchangeFault::Denied => (OAuthErrorCode::AccessDenied, "the person has refused"),
            ExchangeFault::Pending => (
                OAuthErrorCode::AuthorizationPending,
                "the person has not decided yet: ask again after the interval",
            ),
            ExchangeFault::TooOften => (
                OAuthErrorCode::SlowDown,
                "the device asks too often: wait 5 seconds longer between two requests",
            ),
        };
        OAuthError::new(code, description)
    }
}

impl OAuth {
    /// Creates the service.
    pub fn new(store: Arc<Store>, accounts: Arc<Accounts>) -> OAuth {
        OAuth { store, accounts }
    }

    fn forget(&self, ended: &[String]) {
        for hash in ended {
            self.accounts.forget_holder(hash);
        }
    }

    /// Registers an app of the caller's account.
    pub fn create_app(&self, call: &Call, new: &NewApp) -> Result<AppBody, ServiceError> {
        let access = call.account_without_app(Scope::Account)?;
        if let Some(kept) = call.stored_answer(&self.store)? {
            return Ok(kept);
        }
        if new.redirect_uris.len() > MAX_URIS {
            let message = format!("an app has at most {MAX_URIS} redirect URIs");
            return Err(ServiceError::invalid("redirect_uris", message));
        }
        for (index, uri) in new.redirect_uris.iter().enumerate() {
            redirect_uris::check(uri).map_err(|message| {
                ServiceError::invalid(format!("redirect_uris[{index}]"), message)
            })?;
        }
        if let Some(page) = &new.home_page {
            let url = Url::parse(page).ok();
            let is_web = url.is_some_and(|url| ["https", "http"].contains(&url.scheme()));
            if !is_web || page.len() > redirect_uris::LONGEST {
                let message = "this is no address of a page, such as https://app.example.org";
                return Err(ServiceError::invalid("home_page", message));
            }
        }
        let app = StoredApp {
            id: Uuid::now_v7(),
            account: access.account,
            name: new.name.clone(),
            redirect_uris: new.redirect_uris.clone(),
            home_page: new.home_page.clone(),
            created_at: now(),
        };
        let body = AppBody::from(app.clone());
        match (self.store).create_app(app, MAX_APPS, call.keep(&body)?) {
            Ok(true) => Ok(body),
            Ok(false) => Err(ServiceError::conflict(
                ConflictKind::LimitReached,
                format!("the account has {MAX_APPS} apps, the most allowed: delete one first"),
            )),
            Err(StoreError::Conflict) => match call.stored_answer(&self.store)? {
                Some(kept) => Ok(kept),
                None => Err(StoreError::Conflict.into()),
            },
            Err(error) => Err(error.into()),
        }
    }

    /// Lists the apps that the caller's account has registered.
    pub fn apps(&self, call: &Call) -> Result<AppList, ServiceError> {
        let access = call.account_without_app(Scope::Read)?;
        let apps = self.store.apps(access.account)?;
        Ok(AppList {
            items: apps.into_iter().map(AppBody::from).collect(),
        })
    }

    /// Deletes an app of the caller's account. All tokens that people have allowed it end.
    pub fn delete_app(&self, call: &Call, id: Uuid) -> Result<(), ServiceError> {
        let access = call.account_without_app(Scope::Account)?;
        let ended = self.store.delete_app(access.account, id)?;
        let ended = ended.ok_or_else(|| ServiceError::NotFound(format!("app {id}")))?;
        self.forget(&ended);
        Ok(())
    }

    /// Lists the apps that may use the caller's account. An app sees itself only.
    pub fn connected_apps(&self, call: &Call) -> Result<ConnectedAppList, ServiceError> {
        let access = call.account(Scope::Read)?;
        let grants = self.store.connected_apps(access.account)?;
        let shown = grants
            .into_iter()
            .filter(|(grant, _)| access.app_grant.is_none_or(|own| own == grant.id));
        Ok(ConnectedAppList {
            items: shown
                .map(|(grant, app)| ConnectedApp::new(grant, name_of(&app)))
                .collect(),
        })
    }

    /// Disconnects an app from the caller's account. An app may disconnect itself.
    pub fn disconnect(&self, call: &Call, id: Uuid) -> Result<(), ServiceError> {
        let access = call.any_account()?;
        if access.app_grant != Some(id) {
            call.account_without_app(Scope::Account)?;
        }
        let ended = self.store.end_grant(access.account, id)?;
        let ended = ended.ok_or_else(|| ServiceError::NotFound(format!("connection {id}")))?;
        self.forget(&ended);
        Ok(())
    }

    /// Checks a request for an authorization code.
    ///
    /// # Errors
    /// See [`AuthorizationFault`].
    pub fn read_authorization(
        &self,
        parameters: &Parameters,
        issuer: &str,
    ) -> Result<AuthorizationRequest, AuthorizationFault> {
        let refused = |name: &str, message: &str| {
            AuthorizationFault::Page(ServiceError::invalid_parameter(name, message))
        };
        for name in ["client_id", "redirect_uri"] {
            if parameters.is_repeated(name) {
                return Err(refused(name, "it is given twice: give it once"));
            }
        }
        let found = match parameters.client_id() {
            Ok(id) => self.store.app(id)?,
            Err(_) => None,
        };
        let unknown = || {
            refused(
                "client_id",
                "no app has this client_id: ask the maker of the app",
            )
        };
        let (app, owner) = found.ok_or_else(unknown)?;
        let redirect_uri = match (parameters.get("redirect_uri"), &app.redirect_uris[..]) {
            (None, [only]) => only.clone(),
            (Some(uri), all) if all.iter().any(|own| redirect_uris::matches(own, uri)) => {
                uri.to_owned()
            }
            _ => {
                let message = "the app has not registered this address: ask the maker of the app";
                return Err(refused("redirect_uri", message));
            }
        };
        let state = parameters.get("state");
        let (scopes, challenge) = read_request(parameters).map_err(|error| {
            let parameters = [
                ("error", error.error.name()),
                ("error_description", error.error_description.as_str()),
            ];
            AuthorizationFault::Redirect(answer(&redirect_uri, &parameters, state, issuer))
        })?;
        Ok(AuthorizationRequest {
            introduction: AppIntroduction {
                app: name_of(&app),
                owner,
                scopes,
            },
            redirect_uri,
            state: state.map(str::to_owned),
            challenge,
            issuer: issuer.to_owned(),
        })
    }

    /// Allows an app what it requests. Returns the address to which the browser returns with a code.
    pub fn allow(
        &self,
        call: &Call,
        request: &AuthorizationRequest,
    ) -> Result<String, ServiceError> {
        let access = person(call)?;
        let code = fresh().map_err(no_random)?;
        let AppIntroduction { app, scopes, .. } = &request.introduction;
        let grant = new_grant(app.id, access.account, scopes.clone(), CODE_LASTS);
        let stored = StoredCode {
            hash: hashed(&code),
            app_grant: grant.id.to_string(),
            redirect_uri: request.redirect_uri.clone(),
            challenge: request.challenge.clone(),
            expires_at: grant.expires_at,
            used_at: None,
        };
        let ended = self.store.create_grant(grant, stored)?;
        self.forget(&ended);
        Ok(request.answer(&[("code", &code)]))
    }

    fn client(&self, parameters: &Parameters) -> Outcome<StoredApp> {
        valid!(parameters.check_unique());
        let id = valid!(parameters.client_id());
        let found = self.store.app(id)?;
        Ok(found
            .map(|(app, _)| app)
            .ok_or_else(OAuthError::unknown_client))
    }

    /// Exchanges a code, a refresh token or the code of a device for tokens.
    pub fn exchange(&self, parameters: &Parameters) -> Outcome<TokenAnswer> {
        let app = valid!(self.client(parameters)?);
        let grant_type = valid!(parameters.needed("grant_type"));
        let scopes = match grant_type {
            "refresh_token" => valid!(parameters.scopes()),
            _ => None,
        };
        let (new, access_token, refresh_token) = new_tokens(&app, scopes)?;
        let Exchange { outcome, ended } = match grant_type {
            "authorization_code" => {
                let code = hashed(valid!(parameters.needed("code")));
                let challenge = valid!(challenge_of(valid!(parameters.needed("code_verifier"))));
                let redirect_uri = parameters.get("redirect_uri").map(str::to_owned);
                (self.store).exchange_code(code, app.id, (redirect_uri, challenge), new)?
            }
            "refresh_token" => {
                let token = hashed(valid!(parameters.needed("refresh_token")));
                self.store.exchange_refresh_token(token, app.id, new)?
            }
            DEVICE_GRANT => {
                let code = hashed(valid!(parameters.needed("device_code")));
                (self.store).exchange_device_code(code, app.id, INTERVAL * SECOND, new)?
            }
            _ => {
                return Ok(Err(OAuthError::new(
                    OAuthErrorCode::UnsupportedGrantType,
                    "grant_type must be authorization_code, refresh_token or that of the device flow",
                )));
            }
        };
        self.forget(&ended);
        Ok(match outcome {
            Ok(scopes) => Ok(TokenAnswer {
                access_token,
                token_type: "Bearer".to_owned(),
                expires_in: ACCESS_LASTS,
                refresh_token,
                scope: scopes.to_string(),
            }),
            Err(fault) => Err(fault.error()),
        })
    }

    /// Revokes a token of an app. A refresh token ends the whole connection. An unknown token is no error.
    pub fn revoke(&self, parameters: &Parameters) -> Outcome<()> {
        let app = valid!(self.client(parameters)?);
        let hash = hashed(valid!(parameters.needed("token")));
        let other_app = || OAuthError::invalid_grant("the token belongs to another app");
        if let Some(grant) = self.store.grant_of_refresh_token(&hash)? {
            if grant.app != app.id {
                return Ok(Err(other_app()));
            }
            let ended = self.store.end_grant(grant.account, grant.id)?;
            self.forget(&ended.unwrap_or_default());
        } else if let Some((token, owner)) = self.store.app_of_access_token(&hash)? {
            if owner != app.id {
                return Ok(Err(other_app()));
            }
            let ended = self.store.revoke_token(token, now())?;
            self.forget(&ended);
        }
        Ok(Ok(()))
    }

    /// Creates the codes of a device.
    pub fn start_device(&self, parameters: &Parameters, issuer: &str) -> Outcome<DeviceAnswer> {
        let app = valid!(self.client(parameters)?);
        let scopes = valid!(parameters.scopes_or_read());
        let device_code = fresh().map_err(no_random)?;
        let user_code = user_codes::generate().map_err(no_random)?;
        let now = now();
        self.store.create_device(StoredDevice {
            hash: hashed(&device_code),
            user_code: user_codes::hash(&user_code),
            app: app.id.to_string(),
            scopes: scopes.to_string(),
            created_at: now,
            expires_at: now + DEVICE_LASTS * SECOND,
            polled_at: None,
            denied_at: None,
            app_grant: None,
        })?;
        Ok(Ok(DeviceAnswer {
            verification_uri: format!("{issuer}/device"),
            verification_uri_complete: format!("{issuer}/device?user_code={user_code}"),
            device_code,
            user_code,
            expires_in: DEVICE_LASTS,
            interval: INTERVAL,
        }))
    }

    /// Returns the app of a device that waits for a decision; `None` if no device waits with this code.
    pub fn find_device(&self, user_code: &str) -> Result<Option<AppIntroduction>, ServiceError> {
        let Some(device) = self.store.waiting_device(&user_codes::hash(user_code))? else {
            return Ok(None);
        };
        let id = device.app.parse().unwrap_or_default();
        let found = self.store.app(id)?;
        Ok(found.map(|(app, owner)| AppIntroduction {
            app: name_of(&app),
            owner,
            scopes: Scopes::read(&device.scopes),
        }))
    }

    /// Allows or refuses what a device requests. Returns false if no device waits with this code.
    pub fn decide_device(
        &self,
        call: &Call,
        user_code: &str,
        allows: bool,
    ) -> Result<bool, ServiceError> {
        let access = person(call)?;
        let Some(asking) = self.find_device(user_code)? else {
            return Ok(false);
        };
        let grant =
            allows.then(|| new_grant(asking.app.id, access.account, asking.scopes, DEVICE_LASTS));
        let ended = (self.store).decide_device(user_codes::hash(user_code), grant)?;
        self.forget(ended.as_deref().unwrap_or_default());
        Ok(ended.is_some())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_challenge_is_that_of_the_example_in_rfc_7636() {
        let challenge = challenge_of("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk").unwrap();
        assert_eq!(challenge, "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM");
        for bad in [
            "",
            "short",
            &"x".repeat(129),
            &format!("{} ", "x".repeat(43)),
        ] {
            assert!(challenge_of(bad).is_err(), "{bad}");
        }
    }
}
