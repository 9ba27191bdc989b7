//! Passwords, recovery codes and sessions in requests and responses.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::accounts::model::PlayerBody;
use crate::db::time::timestamp;
use crate::sessions::passwords::Password;
use crate::sessions::queries::StoredSession;

/// A sign-in.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"handle": "dido", "password": "a long walk by the sea"}))]
pub struct NewSession {
    /// The handle of the account; case does not matter.
    #[schema(max_length = 32)]
    pub handle: String,
    /// The password. With `recovery_code`, this becomes the new password: 10 to 256 characters.
    #[schema(value_type = String, format = Password, max_length = 1024)]
    pub password: Password,
    /// A recovery code of the account, if the password is forgotten. It can be used once.
    #[serde(default)]
    #[schema(max_length = 64)]
    pub recovery_code: Option<String>,
}

/// A session of a browser that is signed in.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct SessionBody {
    /// The id of the session.
    pub id: Uuid,
    /// The browser and the system, from the `User-Agent` of the sign-in.
    #[schema(example = "Firefox, Linux")]
    pub device: String,
    /// When the account signed in.
    pub created_at: Timestamp,
    /// The begin of the last day with a request, in UTC.
    pub last_seen_at: Timestamp,
    /// When the session ends if no request comes before.
    pub expires_at: Timestamp,
    /// Whether this session has sent the request.
    pub current: bool,
}

impl SessionBody {
    /// Describes a session. `current` is the id of the session that asks.
    pub fn new(session: StoredSession, current: Option<Uuid>) -> SessionBody {
        SessionBody {
            current: current == Some(session.id),
            id: session.id,
            device: session.device,
            created_at: timestamp(session.created_at),
            last_seen_at: timestamp(session.seen_at),
            expires_at: timestamp(session.expires_at),
        }
    }
}

/// A new session. Its cookie is in `Set-Cookie`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct StartedSession {
    /// The account.
    pub player: PlayerBody,
    /// The session.
    pub session: SessionBody,
}

/// The sessions of an account.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct SessionList {
    /// The sessions, the newest first.
    pub items: Vec<SessionBody>,
}

/// A new password.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"current": "a long walk by the sea", "password": "a longer walk by the sea"}))]
pub struct PasswordChange {
    /// The password so far. Omit it if the account has none.
    #[serde(default)]
    #[schema(value_type = Option<String>, format = Password, max_length = 1024)]
    pub current: Option<Password>,
    /// The new password: 10 to 256 characters, not a common one, and not the handle.
    #[schema(value_type = String, format = Password, max_length = 1024)]
    pub password: Password,
}

/// A request for new recovery codes.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"password": "a long walk by the sea"}))]
pub struct PasswordProof {
    /// The password of the account.
    #[schema(value_type = String, format = Password, max_length = 1024)]
    pub password: Password,
}

/// New recovery codes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct RecoveryCodes {
    /// The codes. They are shown only in this response. Earlier codes are no longer valid.
    #[schema(example = json!(["8q2m-x4d0-7ktz-r9we"]))]
    pub codes: Vec<String>,
}
