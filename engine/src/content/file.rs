//! The common parts of board and ruleset files: content hash, provenance, version history and faults.

use std::fmt;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// SHA-256 of a data file: 64 hexadecimal digits on the wire, as printed by `sha256sum`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ContentHash([u8; 32]);

impl ContentHash {
    /// The hash of a file's text.
    pub fn compute(text: &str) -> ContentHash {
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

/// The source of a data file's numbers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Provenance {
    /// How reliable they are.
    pub status: ProvenanceStatus,
    /// How they were found, and which questions remain.
    pub note: String,
}

/// How reliable the numbers of a data file are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum ProvenanceStatus {
    /// Read from the printed material.
    Verified,
    /// Inferred from indirect evidence.
    Reconstructed,
}

/// A difference of a data file from the version before it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Change {
    /// The difference.
    pub what: String,
    /// The reason.
    pub why: String,
    /// Where it was found, if known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub source: Option<String>,
}

/// The version of a data file without a version number.
pub(super) const fn first_version() -> u32 {
    1
}

/// Checks the version number, and that a version after the first lists its changes.
pub(super) fn check_history(version: u32, changes: &[Change]) -> Result<(), String> {
    match version {
        0 => Err("versions must count from 1".to_owned()),
        1 => Ok(()),
        _ if changes.is_empty() => Err(format!("version {version} must list its changes")),
        _ => Ok(()),
    }
}

/// A data file that cannot be used. The message contains the cause, so there is no `source`.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// Not JSON of the expected shape.
    #[error("not a valid data file: {0}")]
    Json(serde_json::Error),
    /// Contradictory content.
    #[error("{id}: {message}")]
    Content {
        /// The board or edition.
        id: String,
        /// The contradiction.
        message: String,
    },
}

/// Returns whether a name can be one word of the notation: lower case snake_case.
pub(crate) fn is_word(name: &str) -> bool {
    let part = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
    name.starts_with(|c: char| c.is_ascii_lowercase()) && name.chars().all(part)
}
