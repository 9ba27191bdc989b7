//! Accounts and their tokens, as requests and answers have them.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::accounts::names;
use crate::http::scope::Scope;

/// A player of this office: somebody with an account.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct PlayerBody {
    /// By what logs, records and statistics name the account.
    #[schema(example = "0190b5a8-7c1e-7a3b-9d52-3f6a1c0e4b77")]
    pub id: Uuid,
    /// What the account is called now; of a deleted one a name that nobody chose.
    #[schema(example = "dido")]
    pub handle: String,
    /// When the account was made.
    pub created_at: Timestamp,
    /// When it was deleted; null while somebody is behind it.
    pub deleted_at: Option<Timestamp>,
}

/// A new account.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"handle": "dido"}))]
pub struct NewPlayer {
    /// What it is called: letters and digits of ASCII, `_` and `-`. Nobody else may be called so, in capital
    /// letters or small ones.
    #[schema(min_length = 3, max_length = 32, pattern = "^[A-Za-z0-9_-]+$")]
    pub handle: String,
}

/// A token of an account, without its text.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct TokenBody {
    /// By what it is known.
    pub id: Uuid,
    /// What it is for, in its owner's words.
    #[schema(example = "my bot")]
    pub name: String,
    /// What it may be used for.
    pub scopes: Vec<Scope>,
    /// When it was made.
    pub created_at: Timestamp,
    /// From when on it is good for nothing; null for never.
    pub expires_at: Option<Timestamp>,
    /// When it was last used, to about an hour; null for never.
    pub last_used_at: Option<Timestamp>,
    /// The id of the token with which it was created: revoking that one revokes it too. Null for the account's first
    /// token and for those that the operator creates.
    pub parent: Option<Uuid>,
}

/// A page of players.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct PlayerPage {
    /// The players, by handle.
    pub items: Vec<PlayerBody>,
    /// The `cursor` of the next page; null on the last.
    pub next: Option<String>,
}

/// The tokens of an account.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct TokenList {
    /// Those that were not revoked, the oldest first.
    pub items: Vec<TokenBody>,
}

/// What is to change of the caller's account.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"handle": "elissa"}))]
pub struct PlayerChange {
    /// What it is called from now on, as in a registration.
    #[schema(min_length = 3, max_length = 32, pattern = "^[A-Za-z0-9_-]+$")]
    pub handle: String,
}

/// A new token.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"name": "my bot", "scopes": ["read", "play"]}))]
pub struct NewToken {
    /// What it is for.
    #[serde(deserialize_with = "names::read")]
    #[schema(min_length = 1, max_length = 64)]
    pub name: String,
    /// What it may be used for: no more than the token that is sent.
    #[schema(min_items = 1, max_items = 4)]
    pub scopes: Vec<Scope>,
    /// From when on it is good for nothing: no later than the token that is sent, and as that when left out.
    #[serde(default)]
    pub expires_at: Option<Timestamp>,
}

/// A token just made.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Issued {
    /// The bearer token, shown here only.
    pub token: String,
    /// What is known of it.
    pub about: TokenBody,
}

/// An account just made.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Registered {
    /// The account.
    pub player: PlayerBody,
    /// Its bearer token, shown here only.
    pub token: String,
    /// What is known of the token.
    pub about: TokenBody,
}

/// The caller's account.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Me {
    /// The account.
    pub player: PlayerBody,
    /// The token that was sent.
    pub token: TokenBody,
}
