//! Leaves of the log, and the proof that a record has one.

use std::fmt::{self, Display, Formatter};
use std::str::FromStr;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::tlog::{NoteError, TreeHash, TreeHead, leaf_hash, root_from_inclusion};
use crate::{Checkpoint, LeagueSignature, PublicKeys, Record, Signature};

/// The first line of a leaf.
const LEAF: &str = "tabularium-leaf/1";

/// What a leaf is about.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, strum::Display, strum::EnumString,
)]
#[strum(serialize_all = "snake_case")]
pub enum LeafKind {
    /// The record of a finished game.
    Game,
    /// The log of a league up to an event.
    League,
    /// The logs of all games and leagues up to a moment.
    Checkpoint,
}

/// A statement of the server about a game, a league or all logs. It has only hashes, so it names nobody.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Leaf {
    /// What it is about.
    pub kind: LeafKind,
    /// SHA-256 of a line with the kind and the id, 64 hexadecimal digits.
    pub subject: String,
    /// The last event of the log of the game or league, or the number of the checkpoint.
    pub seq: u64,
    /// SHA-256 of what the server has signed, 64 hexadecimal digits.
    pub hash: String,
}

impl Leaf {
    /// Returns the leaf of a finished game with a signed record.
    pub fn of_game(id: &str, signature: &Signature) -> Leaf {
        let line = format!("game {id} {signature}");
        Leaf::new(LeafKind::Game, id, signature.seq, hash_line(&line))
    }

    /// Returns the leaf of a league's log up to the signed event.
    pub fn of_league(id: &str, signature: &LeagueSignature) -> Leaf {
        let LeagueSignature {
            seq, hash, places, ..
        } = signature;
        let line = format!("league {id} {seq} {hash} {places}");
        Leaf::new(LeafKind::League, id, *seq, hash_line(&line))
    }

    /// Returns the leaf of a checkpoint of all logs.
    pub fn of_checkpoint(checkpoint: &Checkpoint) -> Leaf {
        let number = checkpoint.number;
        Leaf::new(
            LeafKind::Checkpoint,
            &number.to_string(),
            number,
            checkpoint.hash(),
        )
    }

    fn new(kind: LeafKind, id: &str, seq: u64, hash: String) -> Leaf {
        Leaf {
            kind,
            subject: hash_line(&format!("{kind} {id}")),
            seq,
            hash,
        }
    }

    /// Returns whether it is about the game or league with this id, or the checkpoint with this number.
    pub fn is_about(&self, id: &str) -> bool {
        self.subject == hash_line(&format!("{} {id}", self.kind))
    }

    /// Returns its hash in the tree.
    pub fn tree_hash(&self) -> TreeHash {
        leaf_hash(self.to_string().as_bytes())
    }
}

fn hash_line(line: &str) -> String {
    hex::encode(Sha256::digest(format!("{line}\n")))
}

impl Display for Leaf {
    /// The bytes of the leaf.
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        let Leaf {
            kind,
            subject,
            seq,
            hash,
        } = self;
        write!(
            formatter,
            "{LEAF}\nkind {kind}\nsubject {subject}\nseq {seq}\nhash {hash}\n"
        )
    }
}

impl FromStr for Leaf {
    type Err = String;

    fn from_str(text: &str) -> Result<Leaf, String> {
        let mut lines = text.lines().skip(1);
        let mut value = |name: &str| lines.next()?.strip_prefix(name)?.strip_prefix(' ');
        let mut read = || {
            Some(Leaf {
                kind: value("kind")?.parse().ok()?,
                subject: value("subject")?.to_owned(),
                seq: value("seq")?.parse().ok()?,
                hash: value("hash")?.to_owned(),
            })
        };
        let leaf = read().filter(|leaf| leaf.to_string() == text);
        leaf.ok_or_else(|| format!("{text:?} is not a leaf of a log"))
    }
}

/// The proof that a leaf is in a log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct InclusionProof {
    /// The id of the game.
    pub game: String,
    /// The leaf, as lines.
    pub leaf: String,
    /// The index of the leaf in the log, from 0.
    pub index: u64,
    /// The hashes of the siblings from the leaf to the root (RFC 6962, 2.1.1), in base64.
    pub hashes: Vec<String>,
    /// The signed checkpoint of the log, as `/tlog/checkpoint` returns it.
    pub checkpoint: String,
}

/// Why a proof of inclusion proves nothing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ProofError {
    /// The checkpoint is not signed.
    #[error(transparent)]
    Note(#[from] NoteError),
    /// The record has no signature.
    #[error("the record is unsigned, so no leaf is about it")]
    Unsigned,
    /// The proof is about another record.
    #[error("the leaf is not that of this record")]
    Leaf,
    /// The hashes do not lead to the root.
    #[error(
        "the hashes do not lead from leaf {index} to the root of the checkpoint with {size} leaves"
    )]
    Root {
        /// The index of the leaf.
        index: u64,
        /// The number of leaves.
        size: u64,
    },
}

impl InclusionProof {
    /// Creates the proof of a game's leaf.
    pub fn new(
        game: &str,
        leaf: &str,
        index: u64,
        hashes: &[TreeHash],
        checkpoint: String,
    ) -> InclusionProof {
        InclusionProof {
            game: game.to_owned(),
            leaf: leaf.to_owned(),
            index,
            hashes: hashes.iter().map(|hash| STANDARD.encode(hash)).collect(),
            checkpoint,
        }
    }

    /// Checks that the record is in the log whose checkpoint a known key has signed. Returns the head of the log.
    /// The signature of the record is checked by [`Record::check_signature`].
    ///
    /// # Errors
    /// If the checkpoint is not signed, the leaf is not that of the record, or the hashes do not lead to the root.
    pub fn check(&self, record: &Record, keys: &PublicKeys) -> Result<TreeHead, ProofError> {
        let head = TreeHead::verify(&self.checkpoint, keys)?;
        let signature = record.signature.as_ref().ok_or(ProofError::Unsigned)?;
        let leaf = Leaf::of_game(&record.id, signature);
        if self.game != record.id || leaf.to_string() != self.leaf {
            return Err(ProofError::Leaf);
        }
        let decode = |text: &String| STANDARD.decode(text).ok()?.try_into().ok();
        let hashes: Option<Vec<TreeHash>> = self.hashes.iter().map(decode).collect();
        let root = hashes.and_then(|hashes| {
            root_from_inclusion(leaf.tree_hash(), self.index, head.size, &hashes)
        });
        match root == Some(head.root) {
            true => Ok(head),
            false => Err(ProofError::Root {
                index: self.index,
                size: head.size,
            }),
        }
    }
}
