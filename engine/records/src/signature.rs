//! Signatures: by whom a record is vouched for. Ed25519 [RFC 8032] over a few lines of text that name
//! the game, the end of its log and the content of its record, so that a record can be checked with
//! its log and without it. `openapi/record-format.md` tells the bytes.

use std::collections::BTreeMap;
use std::fmt::{self, Display, Formatter, Write};
use std::str::FromStr;

use ed25519_dalek::{Signer, SigningKey, VerifyingKey};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::Record;

/// The first line of what is signed of a record.
const SIGNATURE: &str = "tabularium-signature/1";

/// A text that is no key or no list of keys.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum KeyError {
    /// It does not have the form of a key.
    #[error("a key is 64 hexadecimal digits")]
    Form,
    /// It has the form, but no point of the curve belongs to it.
    #[error("{0} is no Ed25519 public key")]
    Point(String),
    /// A list tells another id of a key than the one that follows from it.
    #[error("the key {found} is listed as {told}")]
    Id {
        /// As it follows from the key.
        found: String,
        /// As the list tells it.
        told: String,
    },
    /// Neither lines of keys nor what `/v1/keys` answers.
    #[error("no list of keys: {0}")]
    List(String),
}

/// A public key; its text form is 64 hexadecimal digits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublicKey(VerifyingKey);

impl PublicKey {
    /// By what signatures name the key: the first 16 hexadecimal digits of the SHA-256 of its 32 bytes.
    pub fn id(&self) -> String {
        hex::encode(&Sha256::digest(self.0.as_bytes())[..8])
    }

    /// Whether a signature of 128 hexadecimal digits over a message is this key's.
    pub fn verifies(&self, message: &str, signature: &str) -> bool {
        let mut bytes = [0; 64];
        if hex::decode_to_slice(signature, &mut bytes).is_err() {
            return false;
        }
        let signature = ed25519_dalek::Signature::from_bytes(&bytes);
        self.0.verify_strict(message.as_bytes(), &signature).is_ok()
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

/// A key that signs. It is wiped from memory when it is dropped, and no text form tells it.
#[derive(Clone)]
pub struct SecretKey(SigningKey);

impl SecretKey {
    /// The key that follows from 32 random bytes [RFC 8032, section 5.1.5].
    pub fn from_seed(seed: &[u8; 32]) -> SecretKey {
        SecretKey(SigningKey::from_bytes(seed))
    }

    /// What others check its signatures with.
    pub fn public(&self) -> PublicKey {
        PublicKey(self.0.verifying_key())
    }

    /// The signature of a message: 128 hexadecimal digits, always the same.
    pub fn sign(&self, message: &str) -> String {
        hex::encode(self.0.sign(message.as_bytes()).to_bytes())
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

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl FromStr for PublicKeys {
    type Err = KeyError;

    /// Reads what `/v1/keys` answers, or lines with a key each; lines that are empty or begin with
    /// `#` are passed over.
    fn from_str(text: &str) -> Result<PublicKeys, KeyError> {
        #[derive(Deserialize)]
        struct Listed {
            id: String,
            public_key: String,
        }
        #[derive(Deserialize)]
        struct List {
            items: Vec<Listed>,
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
                        told: listed.id,
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
            true => Err(KeyError::List("it holds no key".to_owned())),
            false => Ok(keys),
        }
    }
}

/// An office's signature of a finished game's record.
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
        read.ok_or_else(|| {
            format!("Signature {text:?} is not a key, an event, its hash and a value")
        })
    }
}

/// What is to be said of a record's signature.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Signed {
    /// It has none.
    No,
    /// It is signed with the known key of this id.
    By(String),
    /// It claims to be signed with a key of this id, which is not known: nothing is shown.
    ByUnknown(String),
    /// It is not what was signed with the known key of this id.
    Wrong {
        /// The id of the key.
        key: String,
        /// What does not fit.
        reason: &'static str,
    },
}

impl Record {
    /// SHA-256 of what the record says, 64 hexadecimal digits: of its JSON form without `events`,
    /// `signature` and the `share`s of the result, which follow from the ranks, written with sorted
    /// names and without spaces (the canonical form of RFC 8785, in which then no fractions occur).
    ///
    /// # Errors
    /// Never for a record that came in as JSON.
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

    /// Signs the record, whose log ends with the event `seq` of the chained hash `hash`.
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

    /// Checks the record's signature. That the log, where it is there, ends as the signature says is
    /// part of it; that the log's hashes follow from each other is not: see [`Record::verify`].
    ///
    /// # Errors
    /// Those of [`Record::content_hash`].
    pub fn check_signature(&self, keys: &PublicKeys) -> Result<Signed, serde_json::Error> {
        let Some(signature) = &self.signature else {
            return Ok(Signed::No);
        };
        let id = signature.key.clone();
        let Some(key) = keys.get(&id) else {
            return Ok(Signed::ByUnknown(id));
        };
        let wrong = |reason| {
            Ok(Signed::Wrong {
                key: id.clone(),
                reason,
            })
        };
        let last = self.events.as_ref().map(|events| events.last());
        let ends_so = |last: Option<&crate::EventRow>| {
            last.is_some_and(|row| row.seq == signature.seq && row.hash == signature.hash)
        };
        if last.is_some_and(|last| !ends_so(last)) {
            return wrong("the log does not end with the event that was signed");
        }
        if !key.verifies(&self.signed_message(signature)?, &signature.value) {
            return wrong("the record is not what was signed");
        }
        Ok(Signed::By(id))
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

/// A text to sign: its kind, then names and values, each line ended by a line feed.
pub(super) fn message(kind: &str, lines: &[(&str, &str)]) -> String {
    let mut text = format!("{kind}\n");
    for (name, value) in lines {
        // Writing to a text never fails.
        let _ = writeln!(text, "{name} {value}");
    }
    text
}

/// Writes JSON with sorted names and without spaces, whatever order a map keeps.
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
