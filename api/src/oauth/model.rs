//! Apps, connected apps, and the answers of OAuth.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::accounts::model::AppName;
use crate::accounts::names;
use crate::db::time::timestamp;
use crate::http::scope::Scope;
use crate::oauth::queries::{StoredApp, StoredGrant};

/// A new app.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"name": "Turn Watcher", "redirect_uris": ["https://watcher.example.org/callback"],
    "home_page": "https://watcher.example.org"}))]
pub struct NewApp {
    /// The name that people see when they allow something, 1 to 64 characters.
    #[serde(deserialize_with = "names::read")]
    #[schema(min_length = 1, max_length = 64)]
    pub name: String,
    /// The addresses to which a browser may return with a code. An app that uses only the device flow needs none.
    ///
    /// `https`, `http` for the reader's own machine, or the scheme of a native app, such as `org.example.app:/callback`.
    #[serde(default)]
    #[schema(max_items = 10)]
    pub redirect_uris: Vec<String>,
    /// The address of its home page.
    #[serde(default)]
    #[schema(max_length = 500)]
    pub home_page: Option<String>,
}

/// An app that the caller's account has registered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct AppBody {
    /// The id of the app, which is its `client_id`.
    pub id: Uuid,
    /// The name that people see.
    #[schema(example = "Turn Watcher")]
    pub name: String,
    /// The addresses to which a browser may return.
    #[schema(example = json!(["https://watcher.example.org/callback"]))]
    pub redirect_uris: Vec<String>,
    /// The address of its home page; null if it has none.
    pub home_page: Option<String>,
    /// When it was registered.
    pub created_at: Timestamp,
}

impl From<StoredApp> for AppBody {
    fn from(app: StoredApp) -> AppBody {
        AppBody {
            id: app.id,
            name: app.name,
            redirect_uris: app.redirect_uris,
            home_page: app.home_page,
            created_at: timestamp(app.created_at),
        }
    }
}

/// The apps that the caller's account has registered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct AppList {
    /// The apps, the oldest first.
    pub items: Vec<AppBody>,
}

/// An app that may use the caller's account.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ConnectedApp {
    /// The id of the connection. An app can have several, such as one on each device.
    pub id: Uuid,
    /// The app.
    pub app: AppName,
    /// What the account has allowed.
    pub scopes: Vec<Scope>,
    /// When the app received its first token.
    pub connected_at: Timestamp,
    /// When the app received its last token.
    pub last_used_at: Timestamp,
    /// When the connection ends if the app receives no token before.
    pub expires_at: Timestamp,
}

impl ConnectedApp {
    /// Describes a grant of an app that has received a token.
    pub fn new(grant: StoredGrant, app: AppName) -> ConnectedApp {
        let connected = grant.connected_at.unwrap_or(grant.created_at);
        ConnectedApp {
            id: grant.id,
            app,
            scopes: grant.scopes.iter().collect(),
            connected_at: timestamp(connected),
            last_used_at: timestamp(grant.used_at.unwrap_or(connected)),
            expires_at: timestamp(grant.expires_at),
        }
    }
}

/// The apps that may use the caller's account.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ConnectedAppList {
    /// The connections, the oldest first.
    pub items: Vec<ConnectedApp>,
}

/// New tokens of an app (RFC 6749, section 5.1).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct TokenAnswer {
    /// The bearer token for the API.
    pub access_token: String,
    /// Always `Bearer`.
    #[schema(example = "Bearer")]
    pub token_type: String,
    /// Seconds until the access token expires.
    #[schema(example = 3600)]
    pub expires_in: i64,
    /// The token for the next access token. It can be used once.
    pub refresh_token: String,
    /// The scopes of the access token, separated by spaces.
    #[schema(example = "read play")]
    pub scope: String,
}

/// The codes of a device (RFC 8628, section 3.2).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct DeviceAnswer {
    /// The code by which the device asks for its tokens.
    pub device_code: String,
    /// The code that the person enters. Capitals, spaces and hyphens make no difference.
    #[schema(example = "WDJB-MJHT")]
    pub user_code: String,
    /// The address of the page on which the person enters it.
    pub verification_uri: String,
    /// The address of the page with the code, such as for a QR code.
    pub verification_uri_complete: String,
    /// Seconds until the codes expire.
    #[schema(example = 900)]
    pub expires_in: i64,
    /// Seconds to wait between two requests for the tokens.
    #[schema(example = 5)]
    pub interval: i64,
}

/// What this authorization server offers (RFC 8414).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ServerMetadata {
    /// The address of the server, which is `iss` in answers to authorization requests.
    pub issuer: String,
    /// The page on which a person allows something.
    pub authorization_endpoint: String,
    /// Where codes and refresh tokens are exchanged for tokens.
    pub token_endpoint: String,
    /// Where tokens are revoked (RFC 7009).
    pub revocation_endpoint: String,
    /// Where a device requests its codes (RFC 8628).
    pub device_authorization_endpoint: String,
    /// The scopes that an app can request.
    pub scopes_supported: Vec<Scope>,
    /// The response types.
    pub response_types_supported: Vec<String>,
    /// The response modes.
    pub response_modes_supported: Vec<String>,
    /// The grant types.
    pub grant_types_supported: Vec<String>,
    /// How apps authenticate: not at all, because they are public clients.
    pub token_endpoint_auth_methods_supported: Vec<String>,
    /// How apps authenticate when they revoke a token.
    pub revocation_endpoint_auth_methods_supported: Vec<String>,
    /// The methods of PKCE.
    pub code_challenge_methods_supported: Vec<String>,
    /// Whether answers to authorization requests have `iss` (RFC 9207).
    pub authorization_response_iss_parameter_supported: bool,
    /// A guide for writers of apps.
    pub service_documentation: String,
    /// The languages of the pages.
    pub ui_locales_supported: Vec<String>,
}

impl ServerMetadata {
    /// Describes the server at an address.
    pub fn new(issuer: &str, scopes: &[Scope]) -> ServerMetadata {
        let at = |path: &str| format!("{issuer}{path}");
        let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
        ServerMetadata {
            issuer: issuer.to_owned(),
            authorization_endpoint: at("/oauth/authorize"),
            token_endpoint: at("/oauth/token"),
            revocation_endpoint: at("/oauth/revoke"),
            device_authorization_endpoint: at("/oauth/device"),
            scopes_supported: scopes.to_vec(),
            response_types_supported: words(&["code"]),
            response_modes_supported: words(&["query"]),
            grant_types_supported: words(&["authorization_code", "refresh_token", DEVICE_GRANT]),
            token_endpoint_auth_methods_supported: words(&["none"]),
            revocation_endpoint_auth_methods_supported: words(&["none"]),
            code_challenge_methods_supported: words(&["S256"]),
            authorization_response_iss_parameter_supported: true,
            service_documentation: at("/docs/apps-and-oauth"),
            ui_locales_supported: words(&["en", "de"]),
        }
    }
}

/// The grant type of the device flow.
pub const DEVICE_GRANT: &str = "urn:ietf:params:oauth:grant-type:device_code";

/// A request for tokens, as a form.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct TokenForm {
    /// `authorization_code`, `refresh_token` or `urn:ietf:params:oauth:grant-type:device_code`.
    pub grant_type: String,
    /// The id of the app.
    pub client_id: String,
    /// The code, for `authorization_code`.
    pub code: Option<String>,
    /// The verifier of PKCE, for `authorization_code`.
    pub code_verifier: Option<String>,
    /// The address to which the browser returned; may be omitted.
    pub redirect_uri: Option<String>,
    /// The refresh token, for `refresh_token`.
    pub refresh_token: Option<String>,
    /// Fewer scopes than were allowed, for `refresh_token`.
    pub scope: Option<String>,
    /// The code of the device, for the device flow.
    pub device_code: Option<String>,
}

/// A request of a device for codes, as a form.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct DeviceForm {
    /// The id of the app.
    pub client_id: String,
    /// The scopes, separated by spaces; `read` if omitted.
    pub scope: Option<String>,
}

/// A request to revoke a token, as a form.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct RevocationForm {
    /// The id of the app.
    pub client_id: String,
    /// The access token or the refresh token.
    pub token: String,
    /// Ignored: the server finds tokens of both kinds.
    pub token_type_hint: Option<String>,
}

/// The kind of an error of OAuth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum OAuthErrorCode {
    /// A parameter is missing, malformed or given twice.
    InvalidRequest,
    /// There is no app with this `client_id`.
    InvalidClient,
    /// The code, the refresh token or the device code is invalid, expired, used, or of another app.
    InvalidGrant,
    /// The grant type is unknown.
    UnsupportedGrantType,
    /// The response type is not `code`.
    UnsupportedResponseType,
    /// A scope is unknown, or was not allowed.
    InvalidScope,
    /// The person has refused.
    AccessDenied,
    /// The person has not decided yet.
    AuthorizationPending,
    /// The person has not decided yet, and the device asks too often.
    SlowDown,
    /// The codes of the device have expired.
    ExpiredToken,
}

/// An error of OAuth (RFC 6749, section 5.2).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct OAuthError {
    /// The kind of the error.
    pub error: OAuthErrorCode,
    /// What is wrong, and what to do.
    pub error_description: String,
}

impl OAuthErrorCode {
    /// The name in answers.
    pub fn name(self) -> &'static str {
        match self {
            OAuthErrorCode::InvalidRequest => "invalid_request",
            OAuthErrorCode::InvalidClient => "invalid_client",
            OAuthErrorCode::InvalidGrant => "invalid_grant",
            OAuthErrorCode::UnsupportedGrantType => "unsupported_grant_type",
            OAuthErrorCode::UnsupportedResponseType => "unsupported_response_type",
            OAuthErrorCode::InvalidScope => "invalid_scope",
            OAuthErrorCode::AccessDenied => "access_denied",
            OAuthErrorCode::AuthorizationPending => "authorization_pending",
            OAuthErrorCode::SlowDown => "slow_down",
            OAuthErrorCode::ExpiredToken => "expired_token",
        }
    }
}

impl OAuthError {
    /// Creates an error.
    pub fn new(error: OAuthErrorCode, description: impl Into<String>) -> OAuthError {
        // Descriptions have printable ASCII without `"` and `\` (RFC 6749, section 5.2).
        let description = description.into();
        let description = description.chars().map(|one| match one {
            ' ' | '!' | '#'..='[' | ']'..='~' => one,
            _ => '\'',
        });
        OAuthError {
            error,
            error_description: description.collect(),
        }
    }

    /// The error for a `client_id` of no app.
    pub fn unknown_client() -> OAuthError {
        OAuthError::new(
            OAuthErrorCode::InvalidClient,
            "no app has this client_id, or its owner is suspended",
        )
    }

    /// The error for a code or token that cannot be exchanged.
    pub fn invalid_grant(description: &str) -> OAuthError {
        OAuthError::new(OAuthErrorCode::InvalidGrant, description)
    }
}
