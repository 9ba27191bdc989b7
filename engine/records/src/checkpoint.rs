//! Checkpoints: what the log of all games held at a moment, signed, so that whoever keeps a copy of the
//! log can show that nothing was altered or dropped since; and in the same way the log of all leagues.
//! `openapi/record-format.md` tells the bytes.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::signature::message;
use crate::{PublicKeys, SecretKey};

/// The first line of what is signed of a checkpoint.
const CHECKPOINT: &str = "tabularium-checkpoint/1";

/// The first line of what is signed of leagues in a checkpoint.
const LEAGUES: &str = "tabularium-checkpoint-leagues/1";

/// What an office vouches for of the log of all games up to a position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Checkpoint {
    /// From 1 without gaps.
    pub number: u64,
    /// When it was made: RFC 3339, UTC.
    pub at: String,
    /// The last event that it covers, by its place in the log of all games. Places go from 1 without
    /// gaps, so this is also how many events it covers.
    pub position: u64,
    /// How many games it covers.
    pub games: u64,
    /// SHA-256 of a line for each game, `id seq hash`, in the order of their first events; 64
    /// hexadecimal digits.
    pub root: String,
    /// SHA-256 of what was signed of the checkpoint before, 64 hexadecimal digits; null for the first.
    pub previous: Option<String>,
    /// The id of the key, 16 hexadecimal digits.
    pub key: String,
    /// The Ed25519 signature, 128 hexadecimal digits.
    pub value: String,
    /// What it covers of the log of all leagues; absent from one that covers none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub leagues: Option<CoveredLeagues>,
}

/// What a checkpoint covers of the log of all leagues.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct CoveredLeagues {
    /// The last event that it covers, by its place in the log of all leagues. Places go from 1 without
    /// gaps, so this is also how many events it covers.
    pub position: u64,
    /// How many leagues it covers.
    pub leagues: u64,
    /// SHA-256 of a line for each league, `id seq hash`, in the order of their first events; 64
    /// hexadecimal digits.
    pub root: String,
    /// The Ed25519 signature, by the key of the checkpoint, 128 hexadecimal digits.
    pub value: String,
}

/// Why a checkpoint shows nothing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CheckpointError {
    /// The key is not known.
    #[error("checkpoint {number}: signed with the unknown key {key}")]
    UnknownKey {
        /// The checkpoint.
        number: u64,
        /// The key it names.
        key: String,
    },
    /// The signature is not of this checkpoint.
    #[error("checkpoint {number}: it is not what was signed with the key {key}")]
    Signature {
        /// The checkpoint.
        number: u64,
        /// The key it names.
        key: String,
    },
    /// The signature of leagues is not of this checkpoint.
    #[error(
        "checkpoint {number}: what it says of leagues is not what was signed with the key {key}"
    )]
    Leagues {
        /// The checkpoint.
        number: u64,
        /// The key it names.
        key: String,
    },
    /// It does not follow from the one before.
    #[error("checkpoint {number}: it does not follow from the checkpoint before")]
    Chain {
        /// The checkpoint.
        number: u64,
    },
}

impl Checkpoint {
    /// Names the checkpoint before, and signs.
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

    /// SHA-256 of what is signed, 64 hexadecimal digits: what the next checkpoint names.
    pub fn hash(&self) -> String {
        hex::encode(Sha256::digest(self.message()))
    }

    /// Checks signature and place behind the checkpoint before.
    ///
    /// # Errors
    /// When the key is not known, the signature is another's, or it does not follow from `previous`
    /// (`None` for the first).
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

    /// Checks the signatures alone, as of a checkpoint that is kept without those before it.
    ///
    /// # Errors
    /// When the key is not known, or a signature is another's.
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

    /// The signature of leagues is one of its own, bound to the checkpoint by its hash, so that who knows nothing of
    /// leagues checks all else as ever.
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

/// The root of a checkpoint in the making: SHA-256 of a line `ID SEQ HASH`, ended by a line feed, for
/// each game or league that has begun at the checkpoint's position, in the order of their first events:
/// its last event up to that position and its chained hash.
#[derive(Clone, Debug, Default)]
pub struct Root {
    hash: Sha256,
    count: u64,
}

impl Root {
    /// Takes in the next game or league.
    pub fn add(&mut self, id: &str, seq: u64, hash: &str) {
        self.hash.update(format!("{id} {seq} {hash}\n"));
        self.count += 1;
    }

    /// How many were taken in, and the root, 64 hexadecimal digits.
    pub fn finish(self) -> (u64, String) {
        (self.count, hex::encode(self.hash.finalize()))
    }
}
