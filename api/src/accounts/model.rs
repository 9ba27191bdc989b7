//! Accounts and their tokens in requests and responses.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::accounts::names;
use crate::http::scope::Scope;

/// A player with an account on this server.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct PlayerBody {
    /// The id of the account in logs, records and statistics. It never changes.
    #[schema(example = "0190b5a8-7c1e-7a3b-9d52-3f6a1c0e4b77")]
    pub id: Uuid,
    /// The present handle. A deleted account has a handle that starts with `deleted-`.
    #[schema(example = "dido")]
    pub handle: String,
    /// When the account was created.
    pub created_at: Timestamp,
    /// When the account was deleted; null if it exists.
    pub deleted_at: Option<Timestamp>,
    /// Whether a program plays for this account, as its owner says.
    pub bot: bool,
    /// Whether others do not see the account's strengths, see `/v1/players/{player}/strengths`.
    pub hides_strengths: bool,
}

/// A new account.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"handle": "dido"}))]
pub struct NewPlayer {
    /// The handle: 3 to 32 ASCII letters, digits, `_` and `-`. It must be unique; case does not matter.
    #[schema(min_length = 3, max_length = 32, pattern = "^[A-Za-z0-9_-]+$")]
    pub handle: String,
    /// Whether a program will play for this account. Pages and the API mark it then.
    #[serde(default)]
    pub bot: bool,
}

/// A token of an account. The text of the token is not included.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct TokenBody {
    /// The id of the token.
    pub id: Uuid,
    /// A label that the owner chose.
    #[schema(example = "my bot")]
    pub name: String,
    /// What the token allows.
    pub scopes: Vec<Scope>,
    /// When the token was created.
    pub created_at: Timestamp,
    /// When the token expires; null for never.
    pub expires_at: Option<Timestamp>,
    /// When the token was last used, accurate to an hour; null if it was never used.
    pub last_used_at: Option<Timestamp>,
    /// The id of the token that created this one. Revoking that token revokes this one too.
    /// Null for the account's first token and for tokens that the operator created.
    pub parent: Option<Uuid>,
}

/// A page of players.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct PlayerPage {
    /// The players, in the order of their handles.
    pub items: Vec<PlayerBody>,
    /// The `cursor` of the next page; null on the last page.
    pub next: Option<String>,
}

/// The tokens of an account.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct TokenList {
    /// The tokens that are not revoked, the oldest first.
    pub items: Vec<TokenBody>,
}

/// A change of the caller's account. Omitted members keep their values; at least one is needed.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"handle": "elissa"}))]
pub struct PlayerChange {
    /// The new handle, under the same rules as for registration.
    #[serde(default)]
    #[schema(min_length = 3, max_length = 32, pattern = "^[A-Za-z0-9_-]+$")]
    pub handle: Option<String>,
    /// Whether a program plays for this account.
    #[serde(default)]
    pub bot: Option<bool>,
    /// Whether others do not see the account's strengths.
    #[serde(default)]
    pub hides_strengths: Option<bool>,
}

/// A new token.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"name": "my bot", "scopes": ["read", "play"]}))]
pub struct NewToken {
    /// A label for the token, 1 to 64 characters.
    #[serde(deserialize_with = "names::read")]
    #[schema(min_length = 1, max_length = 64)]
    pub name: String,
    /// What the token allows: at least one scope, and only scopes of the token that is sent.
    #[schema(min_items = 1, max_items = 4)]
    pub scopes: Vec<Scope>,
    /// When the token expires. It must be in the future and not later than the token that is sent.
    /// If omitted, it expires with the token that is sent.
    #[serde(default)]
    pub expires_at: Option<Timestamp>,
}

/// A new token.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct CreatedToken {
    /// The bearer token. It is shown only in this response.
    pub token: String,
    /// The properties of the token.
    pub about: TokenBody,
}

/// A new account.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct RegisteredPlayer {
    /// The account.
    pub player: PlayerBody,
    /// Its bearer token. It is shown only in this response.
    pub token: String,
    /// The properties of the token.
    pub about: TokenBody,
}

/// The caller's account.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Me {
    /// The account.
    pub player: PlayerBody,
    /// The token that was sent; null for a browser that is signed in.
    pub token: Option<TokenBody>,
    /// The id of the session of a browser that is signed in; null if a token was sent.
    pub session: Option<Uuid>,
    /// The app that received the token; null for a browser, and for a token that is of no app.
    pub app: Option<AppName>,
}

/// An app that asks people for tokens.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct AppName {
    /// The id of the app, which is its `client_id`.
    pub id: Uuid,
    /// The name that its owner chose. Two apps may have the same name.
    #[schema(example = "Turn Watcher")]
    pub name: String,
    /// The address of its home page; null if it has none.
    #[schema(example = "https://watcher.example.org")]
    pub home_page: Option<String>,
}
