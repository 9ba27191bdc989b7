//! What boards and rulesets have in common as files: a content hash, a provenance, and what can be
//! wrong with them.

use std::fmt;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// SHA-256 of a data file, 64 hexadecimal digits on the wire: what `sha256sum` prints.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ContentHash([u8; 32]);

impl ContentHash {
    /// The hash of a file's text.
    pub fn of(text: &str) -> ContentHash {
        ContentHash(Sha256::digest(text.as_bytes()).into())
    }
}

impl fmt::Display for ContentHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&hex::encode(self.0))
    }
}

impl fmt::Debug for ContentHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// Where the numbers of a data file come from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Provenance {
    /// How far they can be relied on.
    pub status: ProvenanceStatus,
    /// How they were found, and what remains open.
    pub note: String,
}

/// How far the numbers of a data file can be relied on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum ProvenanceStatus {
    /// Read off the printed material.
    Verified,
    /// Put together from indirect evidence.
    Reconstructed,
}

/// A difference of a data file from the version before it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Change {
    /// What is different.
    pub what: String,
    /// Why.
    pub why: String,
    /// Where it was found, if it was found somewhere.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub source: Option<String>,
}

/// The version of a data file that names none.
pub(super) const fn first_version() -> u32 {
    1
}

/// Whether a version has a number, and tells what changed if there is one before it.
pub(super) fn check_history(version: u32, changes: &[Change]) -> Result<(), String> {
    match version {
        0 => Err("versions are counted from 1".to_owned()),
        1 => Ok(()),
        _ if changes.is_empty() => Err(format!("version {version} must say its changes")),
        _ => Ok(()),
    }
}

/// A data file that cannot be used. The text tells the cause too, so that there is no `source`.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// Not JSON of the expected shape.
    #[error("not a valid data file: {0}")]
    Json(serde_json::Error),
    /// Well-formed, but contradicts itself.
    #[error("{id}: {message}")]
    Content {
        /// The board or edition.
        id: String,
        /// What is wrong.
        message: String,
    },
}

/// Whether a name of a data file can stand in the notation as one word: lower case snake_case.
pub(crate) fn is_word(name: &str) -> bool {
    let part = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
    name.starts_with(|c: char| c.is_ascii_lowercase()) && name.chars().all(part)
}
