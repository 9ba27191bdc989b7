//! Passkeys in requests and responses.

use jiff::Timestamp;
use serde::{Deserialize, Deserializer, Serialize, de};
use serde_json::Value;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::accounts::model::PlayerBody;
use crate::accounts::names;
use crate::db::time::timestamp;
use crate::sessions::model::SessionBody;
use crate::sessions::passkey_queries::StoredPasskey;

/// What a passkey is used for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum CeremonyPurpose {
    /// Signs in with a passkey that the browser finds. No handle is needed.
    SignIn,
    /// Creates an account with a passkey.
    SignUp,
    /// Adds a passkey to the caller's account.
    Add,
}

/// The begin of a ceremony with a passkey.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"purpose": "sign_up", "handle": "dido"}))]
pub struct NewCeremony {
    /// What the passkey is used for.
    pub purpose: CeremonyPurpose,
    /// The handle of the new account. Only to sign up.
    #[serde(default)]
    #[schema(max_length = 32)]
    pub handle: Option<String>,
}

/// A ceremony that has begun. It can be finished once, within 5 minutes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct CeremonyBody {
    /// The secret name of the ceremony, to be sent with the credential.
    pub ceremony: String,
    /// The options for the browser. `publicKey` is read by `PublicKeyCredential.parseRequestOptionsFromJSON` to sign in,
    /// and otherwise by `parseCreationOptionsFromJSON`.
    #[schema(value_type = Object)]
    pub options: Value,
    /// When the ceremony expires.
    pub expires_at: Timestamp,
}

/// Deserializes a credential. An array in the place of an object would be read as one later.
///
/// # Errors
/// If a part of it is not an object.
fn read_credential<'de, D: Deserializer<'de>>(reader: D) -> Result<Value, D::Error> {
    let credential = Value::deserialize(reader)?;
    let extensions = credential.get("clientExtensionResults");
    match credential["response"].is_object() && extensions.is_none_or(Value::is_object) {
        true => Ok(credential),
        false => Err(de::Error::custom(
            "`response` and `clientExtensionResults` must be objects",
        )),
    }
}

/// The end of a ceremony.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CeremonyEnd {
    /// The `ceremony` of its begin.
    #[schema(max_length = 64)]
    pub ceremony: String,
    /// The credential, as `PublicKeyCredential.toJSON()` of the browser returns it.
    #[serde(deserialize_with = "read_credential")]
    #[schema(value_type = Object, additional_properties)]
    pub credential: Value,
}

/// A passkey to be added to an account.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewPasskey {
    /// The `ceremony` of its begin, with the purpose `add`.
    #[schema(max_length = 64)]
    pub ceremony: String,
    /// The credential, as `PublicKeyCredential.toJSON()` of the browser returns it.
    #[serde(deserialize_with = "read_credential")]
    #[schema(value_type = Object, additional_properties)]
    pub credential: Value,
    /// A label, such as the place where the passkey is kept: 1 to 64 characters.
    #[serde(deserialize_with = "names::read")]
    #[schema(min_length = 1, max_length = 64)]
    pub name: String,
}

/// A new label of a passkey.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"name": "my phone"}))]
pub struct PasskeyChange {
    /// The label, 1 to 64 characters.
    #[serde(deserialize_with = "names::read")]
    #[schema(min_length = 1, max_length = 64)]
    pub name: String,
}

/// A passkey of an account.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct PasskeyBody {
    /// The id of the passkey.
    pub id: Uuid,
    /// A label that the owner chose.
    #[schema(example = "my phone")]
    pub name: String,
    /// Whether the passkey is backed up, for example by a password manager on several devices.
    pub backed_up: bool,
    /// When the passkey was created.
    pub created_at: Timestamp,
    /// When it was last used to sign in; null if never.
    pub last_used_at: Option<Timestamp>,
}

impl From<StoredPasskey> for PasskeyBody {
    fn from(passkey: StoredPasskey) -> PasskeyBody {
        PasskeyBody {
            id: passkey.id,
            name: passkey.name,
            backed_up: passkey.backed_up,
            created_at: timestamp(passkey.created_at),
            last_used_at: passkey.used_at.map(timestamp),
        }
    }
}

/// The passkeys of an account.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct PasskeyList {
    /// The passkeys, the oldest first.
    pub items: Vec<PasskeyBody>,
}

/// A session that a passkey started. Its cookie is in `Set-Cookie`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct PasskeySession {
    /// The account.
    pub player: PlayerBody,
    /// The session.
    pub session: SessionBody,
    /// The recovery codes of a new account, shown only in this response; null after a sign-in.
    #[schema(example = json!(["8q2m-x4d0-7ktz-r9we"]))]
    pub recovery_codes: Option<Vec<String>>,
}
