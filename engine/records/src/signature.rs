//! Signatures of records: Ed25519 (RFC 8032) over the game, the end of its log and its content.
//!
//! So a record can be checked with its log and without it. `openapi/record-format.md` defines the bytes.

use std::collections::BTreeMap;
use std::fmt::{self, Display, Formatter, Write};
use std::str::FromStr;

use ed25519_dalek::{Signer, SigningKey, VerifyingKey};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::Record;

/// The first line of the signed text of a record.
const SIGNATURE: &str = "tabularium-signature/1";

/// A text that is not a key or a list of keys.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum KeyError {
    /// It does not have the form of a key.
    #[error("a public key must be 64 hexadecimal digits")]
    Form,
    /// It has the form, but is not a point of the curve.
    #[error("{0} is not an Ed25519 public key")]
    Point(String),
    /// A list has a wrong id for a key.
    #[error("the list has the id {listed} for a key whose id is {found}")]
    Id {
        /// The id that follows from the key.
        found: String,
        /// The id in the list.
        listed: String,
    },
    /// Neither lines with keys nor the answer of `/v1/keys`.
    #[error("this is not a list of keys: {0}. Use the answer of /v1/keys, or one key a line")]
    List(String),
}

/// A public key; its text form is 64 hexadecimal digits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublicKey(VerifyingKey);

impl PublicKey {
    /// Returns its id: the first 16 hexadecimal digits of the SHA-256 of its 32 bytes.
    pub fn id(&self) -> String {
        hex::encode(&Sha256::digest(self.0.as_bytes())[..8])
    }

    /// Returns whether `signature`, 128 hexadecimal digits, is this key's signature of the message.
    pub fn verifies(&self, message: &str, signature: &str) -> bool {
        let mut bytes = [0; 64];
        hex::decode_to_slice(signature, &mut bytes).is_ok() && self.verifies_bytes(message, &bytes)
    }

    /// Returns whether `signature` is this key's signature of the message.
    pub(crate) fn verifies_bytes(&self, message: &str, signature: &[u8; 64]) -> bool {
        let signature = ed25519_dalek::Signature::from_bytes(signature);
        self.0.verify_strict(message.as_bytes(), &signature).is_ok()
    }

    /// Returns the 32 bytes of the key.
    pub(crate) fn bytes(&self) -> &[u8; 32] {
        self.0.as_bytes()
    }
}

impl Display for PublicKey {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        formatter.write_str(&hex::encode(self.0.as_bytes()))
    }
}

impl FromStr for PublicKey {
    type Err = KeyError;

    fn from_str(text: &str) -> Result<PublicKey, KeyError> {
        let mut bytes = [0; 32];
        hex::decode_to_slice(text, &mut bytes).map_err(|_| KeyError::Form)?;
        let key = VerifyingKey::from_bytes(&bytes);
        key.map(PublicKey)
            .map_err(|_| KeyError::Point(text.to_owned()))
    }
}

/// A key that signs. It is erased from memory when dropped and is never printed.
#[derive(Clone)]
pub struct SecretKey(SigningKey);

impl SecretKey {
    /// Returns the key for 32 random bytes [RFC 8032, section 5.1.5].
    pub fn from_seed(seed: &[u8; 32]) -> SecretKey {
        SecretKey(SigningKey::from_bytes(seed))
    }

    /// Returns the public key, which verifies its signatures.
    pub fn public(&self) -> PublicKey {
        PublicKey(self.0.verifying_key())
    }

    /// Returns the signature of a message: 128 hexadecimal digits, always the same.
    pub fn sign(&self, message: &str) -> String {
        hex::encode(self.sign_bytes(message))
    }

    /// Returns the 64 bytes of the signature of a message.
    pub(crate) fn sign_bytes(&self, message: &str) -> [u8; 64] {
        self.0.sign(message.as_bytes()).to_bytes()
    }
}

impl fmt::Debug for SecretKey {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        write!(formatter, "SecretKey({})", self.public().id())
    }
}

/// Public keys, by id.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PublicKeys(BTreeMap<String, PublicKey>);

impl PublicKeys {
    /// Adds a key.
    pub fn add(&mut self, key: PublicKey) {
        self.0.insert(key.id(), key);
    }

    /// The key with this id.
    pub fn get(&self, id: &str) -> Option<&PublicKey> {
        self.0.get(id)
    }

    /// Returns all keys, by id.
    pub fn iter(&self) -> impl Iterator<Item = &PublicKey> {
        self.0.values()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl FromStr for PublicKeys {
    type Err = KeyError;

    /// Parses the answer of `/v1/keys`, or lines with a key each.
    /// Skips empty lines and lines that begin with `#`.
    fn from_str(text: &str) -> Result<PublicKeys, KeyError> {
        #[derive(Deserialize)]
        struct ListedKey {
            id: String,
            public_key: String,
        }
        #[derive(Deserialize)]
        struct List {
            items: Vec<ListedKey>,
        }
        let mut keys = PublicKeys::default();
        if text.trim_start().starts_with('{') {
            let list: List =
                serde_json::from_str(text).map_err(|error| KeyError::List(error.to_string()))?;
            for listed in list.items {
                let key: PublicKey = listed.public_key.parse()?;
                if key.id() != listed.id {
                    return Err(KeyError::Id {
                        found: key.id(),
                        listed: listed.id,
                    });
                }
                keys.add(key);
            }
        } else {
            let lines = text.lines().map(str::trim);
            for line in lines.filter(|line| !line.is_empty() && !line.starts_with('#')) {
                keys.add(line.parse()?);
            }
        }
        match keys.is_empty() {
            true => Err(KeyError::List("it contains no key".to_owned())),
            false => Ok(keys),
        }
    }
}

/// A server's signature of a finished game's record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Signature {
    /// The id of the key: the first 16 hexadecimal digits of the SHA-256 of its 32 bytes.
    pub key: String,
    /// The last event of the game's log.
    pub seq: u64,
    /// The chained hash of that event, 64 hexadecimal digits.
    pub hash: String,
    /// The Ed25519 signature, 128 hexadecimal digits.
    pub value: String,
}

impl Display for Signature {
    /// One line, as the text form of a record has it: key, event, hash and value.
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        let Signature {
            key,
            seq,
            hash,
            value,
        } = self;
        write!(formatter, "{key} {seq} {hash} {value}")
    }
}

impl FromStr for Signature {
    type Err = String;

    fn from_str(text: &str) -> Result<Signature, String> {
        let words: Vec<&str> = text.split(' ').collect();
        let read = match words[..] {
            [key, seq, hash, value] => seq.parse().ok().map(|seq| Signature {
                key: key.to_owned(),
                seq,
                hash: hash.to_owned(),
                value: value.to_owned(),
            }),
            _ => None,
        };
        read.ok_or_else(|| format!("the header Signature is {text:?}; expected KEY SEQ HASH VALUE"))
    }
}

/// The result of checking a record's signature.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SignatureStatus {
    /// The record has no signature.
    Unsigned,
    /// Signed with the known key of this id.
    Valid(String),
    /// Signed with an unknown key of this id, so nothing is proved.
    UnknownKey(String),
    /// The signature by the known key of this id does not match.
    Invalid {
        /// The id of the key.
        key: String,
        /// What does not match.
        reason: &'static str,
    },
}

impl Record {
    /// Returns the SHA-256 of the record's content as 64 hexadecimal digits.
    ///
    /// The content is the JSON form without `events`, `signature` and the `share`s of the result, which follow from the
    /// ranks. It is written with sorted names and without spaces: the canonical form of RFC 8785, in which fractions
    /// then do not occur.
    ///
    /// # Errors
    /// Never for a record that was parsed from JSON.
    pub fn content_hash(&self) -> Result<String, serde_json::Error> {
        let bare = Record {
            events: None,
            signature: None,
            ..self.clone()
        };
        let mut value = serde_json::to_value(bare)?;
        let ranks = value.pointer_mut("/result/ranks");
        for rank in ranks.and_then(Value::as_array_mut).into_iter().flatten() {
            rank.as_object_mut().map(|rank| rank.remove("share"));
        }
        let mut text = String::new();
        write_canonical(&value, &mut text);
        Ok(hex::encode(Sha256::digest(text)))
    }

    /// Signs the record, whose log ends with the event `seq` with the chained hash `hash`.
    ///
    /// # Errors
    /// Those of [`Record::content_hash`].
    pub fn sign(
        &self,
        key: &SecretKey,
        seq: u64,
        hash: &str,
    ) -> Result<Signature, serde_json::Error> {
        let mut signature = Signature {
            key: key.public().id(),
            seq,
            hash: hash.to_owned(),
            value: String::new(),
        };
        signature.value = key.sign(&self.signed_message(&signature)?);
        Ok(signature)
    }

    /// Checks the record's signature, and that the log, if present, ends with the signed event.
    ///
    /// It does not check the hash chain of the log; see [`Record::verify`].
    ///
    /// # Errors
    /// Those of [`Record::content_hash`].
    pub fn check_signature(&self, keys: &PublicKeys) -> Result<SignatureStatus, serde_json::Error> {
        let Some(signature) = &self.signature else {
            return Ok(SignatureStatus::Unsigned);
        };
        let id = signature.key.clone();
        let Some(key) = keys.get(&id) else {
            return Ok(SignatureStatus::UnknownKey(id));
        };
        let invalid = |reason| {
            Ok(SignatureStatus::Invalid {
                key: id.clone(),
                reason,
            })
        };
        let last = self.events.as_ref().map(|events| events.last());
        let is_signed = |last: Option<&crate::EventRow>| {
            last.is_some_and(|row| row.seq == signature.seq && row.hash == signature.hash)
        };
        if last.is_some_and(|last| !is_signed(last)) {
            return invalid("the log does not end with the signed event");
        }
        if !key.verifies(&self.signed_message(signature)?, &signature.value) {
            return invalid("the record is not the signed one");
        }
        Ok(SignatureStatus::Valid(id))
    }

    fn signed_message(&self, signature: &Signature) -> Result<String, serde_json::Error> {
        Ok(message(
            SIGNATURE,
            &[
                ("key", &signature.key),
                ("game", &self.id),
                ("seq", &signature.seq.to_string()),
                ("hash", &signature.hash),
                ("record", &self.content_hash()?),
            ],
        ))
    }
}

/// Returns a text to sign: its kind, then names and values, each line ended by a line feed.
pub(super) fn message(kind: &str, lines: &[(&str, &str)]) -> String {
    let mut text = format!("{kind}\n");
    for (name, value) in lines {
        // Writing to a text never fails.
        let _ = writeln!(text, "{name} {value}");
    }
    text
}

/// Writes JSON with sorted names and without spaces, independent of the map's order.
fn write_canonical(value: &Value, text: &mut String) {
    match value {
        Value::Object(fields) => {
            let mut fields: Vec<_> = fields.iter().collect();
            fields.sort_unstable_by_key(|(name, _)| *name);
            let mut sign = '{';
            for (name, value) in &fields {
                text.push(sign);
                let _ = write!(text, "{}:", Value::from(name.as_str()));
                write_canonical(value, text);
                sign = ',';
            }
            text.push_str(if fields.is_empty() { "{}" } else { "}" });
        }
        Value::Array(items) => {
            let mut sign = '[';
            for item in items {
                text.push(sign);
                write_canonical(item, text);
                sign = ',';
            }
            text.push_str(if items.is_empty() { "[]" } else { "]" });
        }
        plain => {
            let _ = write!(text, "{plain}");
        }
    }
}
