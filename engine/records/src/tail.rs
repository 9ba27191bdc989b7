//! Signatures of league logs.
//!
//! A signature covers the last event and the positions of all events in the log of all leagues.
//! `openapi/record-format.md` defines the bytes.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::signature::message;
use crate::{PublicKeys, SecretKey};

/// The first line of the signed text.
const LEAGUE_LOG: &str = "tabularium-league-log/1";

/// The first line that the hash of the first event's places is chained to.
const PLACES: &str = "tabularium-league-places/1";

/// The server's signature of a league's log up to its last event.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct LeagueSignature {
    /// The id of the key, 16 hexadecimal digits.
    pub key: String,
    /// The last event of the log.
    pub seq: u64,
    /// The chained hash of that event, 64 hexadecimal digits.
    pub hash: String,
    /// The chained hash of the places of all events, 64 hexadecimal digits.
    pub places: String,
    /// The Ed25519 signature, 128 hexadecimal digits.
    pub value: String,
}

/// Why a signature does not prove a league's log.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LeagueSignatureError {
    /// The key is unknown.
    #[error("its log is signed with the unknown key {0}")]
    UnknownKey(String),
    /// The last event differs, or the signature is not the key's.
    #[error("its log is not the one signed with the key {0}")]
    Log(String),
    /// The last event is the signed one, but the positions differ.
    #[error("the positions of its events are not those signed with the key {0}")]
    Places(String),
}

impl LeagueSignature {
    /// Signs the log of a league.
    ///
    /// `seq` and `hash` are those of the last event, `places` is the result of [`chained_places`] over all events.
    pub fn sign(
        league: &str,
        seq: u64,
        hash: &str,
        places: &str,
        key: &SecretKey,
    ) -> LeagueSignature {
        let mut signature = LeagueSignature {
            key: key.public().id(),
            seq,
            hash: hash.to_owned(),
            places: places.to_owned(),
            value: String::new(),
        };
        signature.value = key.sign(&signature.message(league));
        signature
    }

    /// Checks the signature against a log that ends with the event `seq`.
    ///
    /// # Errors
    /// If the key is unknown, or another log was signed.
    pub fn check(
        &self,
        league: &str,
        seq: u64,
        hash: &str,
        places: &str,
        keys: &PublicKeys,
    ) -> Result<(), LeagueSignatureError> {
        let key = self.key.clone();
        let Some(known) = keys.get(&key) else {
            return Err(LeagueSignatureError::UnknownKey(key));
        };
        let is_signed = known.verifies(&self.message(league), &self.value);
        if !is_signed || self.seq != seq || self.hash != hash {
            return Err(LeagueSignatureError::Log(key));
        }
        match self.places == places {
            true => Ok(()),
            false => Err(LeagueSignatureError::Places(key)),
        }
    }

    fn message(&self, league: &str) -> String {
        message(
            LEAGUE_LOG,
            &[
                ("key", &self.key),
                ("league", league),
                ("seq", &self.seq.to_string()),
                ("hash", &self.hash),
                ("places", &self.places),
            ],
        )
    }
}

/// Returns the chained hash of the positions of a league's events up to one.
///
/// It is the SHA-256 of three lines: the hash of the event before (`None` for event 0), the event's `position` in the
/// log of all leagues, and its `log_position`.
pub fn chained_places(previous: Option<&str>, position: u64, log_position: u64) -> String {
    let previous = previous.unwrap_or(PLACES);
    let lines = format!("{previous}\n{position}\n{log_position}\n");
    hex::encode(Sha256::digest(lines))
}
