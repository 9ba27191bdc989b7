//! Checkpoints: signed summaries of the logs of all games and of all leagues.
//!
//! A copy of a log is proof against later alteration if a checkpoint covers it. `openapi/record-format.md` defines
//! the bytes.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::signature::message;
use crate::{PublicKeys, SecretKey};

/// The first line of the signed text of a checkpoint.
const CHECKPOINT: &str = "tabularium-checkpoint/1";

/// The first line of the signed text of its leagues.
const LEAGUES: &str = "tabularium-checkpoint-leagues/1";

/// A signed summary of the log of all games up to a position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Checkpoint {
    /// From 1 without gaps.
    pub number: u64,
    /// When it was written: RFC 3339, UTC.
    pub at: String,
    /// The position of the last event that it covers in the log of all games.
    /// Positions count from 1 without gaps, so this is also the number of events that it covers.
    pub position: u64,
    /// The number of games that it covers.
    pub games: u64,
    /// The root of the games: SHA-256 of a line for each game, 64 hexadecimal digits.
    /// The line is `id seq hash`, in the order of the games' first events.
    pub root: String,
    /// SHA-256 of the signed text of the previous checkpoint, 64 hexadecimal digits; null for the first.
    pub previous: Option<String>,
    /// The id of the key, 16 hexadecimal digits.
    pub key: String,
    /// The Ed25519 signature, 128 hexadecimal digits.
    pub value: String,
    /// The part for the log of all leagues; absent if it covers none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub leagues: Option<CoveredLeagues>,
}

/// The part of a checkpoint for the log of all leagues.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct CoveredLeagues {
    /// The position of the last event that it covers in the log of all leagues.
    /// Positions count from 1 without gaps, so this is also the number of events that it covers.
    pub position: u64,
    /// The number of leagues that it covers.
    pub leagues: u64,
    /// The root of the leagues: SHA-256 of a line for each league, 64 hexadecimal digits.
    /// The line is `id seq hash`, in the order of the leagues' first events.
    pub root: String,
    /// The Ed25519 signature, by the key of the checkpoint, 128 hexadecimal digits.
    pub value: String,
}

/// Why a checkpoint proves nothing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CheckpointError {
    /// The key is unknown.
    #[error(
        "checkpoint {number}: it is signed with the unknown key {key}; add the key if you trust it"
    )]
    UnknownKey {
        /// The checkpoint.
        number: u64,
        /// The key that it names.
        key: String,
    },
    /// The signature does not match.
    #[error("checkpoint {number}: its signature by the key {key} does not match its content")]
    Signature {
        /// The checkpoint.
        number: u64,
        /// The key that it names.
        key: String,
    },
    /// The signature of the part for leagues does not match.
    #[error(
        "checkpoint {number}: its signature of leagues by the key {key} does not match its content"
    )]
    Leagues {
        /// The checkpoint.
        number: u64,
        /// The key that it names.
        key: String,
    },
    /// It does not continue the previous checkpoint.
    #[error("checkpoint {number}: it does not continue the checkpoint before it")]
    Chain {
        /// The checkpoint.
        number: u64,
    },
}

impl Checkpoint {
    /// Returns it signed, with the hash of the previous checkpoint.
    pub fn signed(mut self, previous: Option<&Checkpoint>, key: &SecretKey) -> Checkpoint {
        self.previous = previous.map(Checkpoint::hash);
        self.key = key.public().id();
        self.value = key.sign(&self.message());
        if let Some(leagues) = self.leagues.take() {
            let value = key.sign(&self.league_message(&leagues));
            self.leagues = Some(CoveredLeagues { value, ..leagues });
        }
        self
    }

    /// Returns the SHA-256 of the signed text, which the next checkpoint names, as 64 hexadecimal digits.
    pub fn hash(&self) -> String {
        hex::encode(Sha256::digest(self.message()))
    }

    /// Checks the signatures, and that it continues `previous` (`None` for the first).
    ///
    /// # Errors
    /// If the key is unknown, a signature does not match, or it does not continue `previous`.
    pub fn check(
        &self,
        previous: Option<&Checkpoint>,
        keys: &PublicKeys,
    ) -> Result<(), CheckpointError> {
        self.check_signature(keys)?;
        let (before, position) = previous.map_or((0, 0), |one| (one.number, one.position));
        let covered = |one: &Checkpoint| one.leagues.as_ref().map(|leagues| leagues.position);
        let follows = self.number == before + 1
            && self.position >= position
            && covered(self).is_none_or(|position| Some(position) >= previous.and_then(covered))
            && self.previous == previous.map(Checkpoint::hash);
        match follows {
            true => Ok(()),
            false => Err(CheckpointError::Chain {
                number: self.number,
            }),
        }
    }

    /// Checks the signatures alone, for a checkpoint whose predecessors are not at hand.
    ///
    /// # Errors
    /// If the key is unknown or a signature does not match.
    pub fn check_signature(&self, keys: &PublicKeys) -> Result<(), CheckpointError> {
        let (number, key) = (self.number, self.key.clone());
        let Some(known) = keys.get(&self.key) else {
            return Err(CheckpointError::UnknownKey { number, key });
        };
        if !known.verifies(&self.message(), &self.value) {
            return Err(CheckpointError::Signature { number, key });
        }
        let signed = |leagues: &CoveredLeagues| {
            known.verifies(&self.league_message(leagues), &leagues.value)
        };
        match self.leagues.as_ref().is_none_or(signed) {
            true => Ok(()),
            false => Err(CheckpointError::Leagues { number, key }),
        }
    }

    /// Returns the signed text of the part for leagues.
    ///
    /// It has a signature of its own, bound to the checkpoint by its hash, so that programs without leagues can still
    /// check the rest.
    fn league_message(&self, leagues: &CoveredLeagues) -> String {
        message(
            LEAGUES,
            &[
                ("key", &self.key),
                ("checkpoint", &self.hash()),
                ("position", &leagues.position.to_string()),
                ("leagues", &leagues.leagues.to_string()),
                ("root", &leagues.root),
            ],
        )
    }

    fn message(&self) -> String {
        message(
            CHECKPOINT,
            &[
                ("key", &self.key),
                ("number", &self.number.to_string()),
                ("at", &self.at),
                ("position", &self.position.to_string()),
                ("games", &self.games.to_string()),
                ("root", &self.root),
                ("previous", self.previous.as_deref().unwrap_or("-")),
            ],
        )
    }
}

/// Computes the root of a checkpoint.
///
/// The root is the SHA-256 of a line `ID SEQ HASH`, ended by a line feed, for each game or league that has begun by
/// the checkpoint's position, in the order of their first events. The line has its last event up to that position
/// and the chained hash of that event.
#[derive(Clone, Debug, Default)]
pub struct Root {
    hash: Sha256,
    count: u64,
}

impl Root {
    /// Adds the next game or league.
    pub fn add(&mut self, id: &str, seq: u64, hash: &str) {
        self.hash.update(format!("{id} {seq} {hash}\n"));
        self.count += 1;
    }

    /// Returns how many were added, and the root as 64 hexadecimal digits.
    pub fn finish(self) -> (u64, String) {
        (self.count, hex::encode(self.hash.finalize()))
    }
}
