//! Signed notes, and the head of the log as a note (c2sp.org/signed-note, c2sp.org/tlog-checkpoint).

use std::fmt::{self, Display, Formatter};
use std::str::FromStr;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256};

use crate::tlog::TreeHash;
use crate::{PublicKey, PublicKeys, SecretKey};

/// The type of Ed25519 signatures of notes.
const ED25519: u8 = 1;

/// The most signatures of a note that are read.
const MOST_SIGNATURES: usize = 64;

/// Why a note or a head proves nothing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoteError {
    /// It does not have the form of a signed note.
    #[error("this is not a signed note")]
    Form,
    /// The note is not the head of a log.
    #[error("the note is not a checkpoint of a log: it needs the lines ORIGIN, SIZE and ROOT")]
    Head,
    /// No known key has signed.
    #[error("no known key has signed the checkpoint of {0}")]
    UnknownKey(String),
    /// The signature by a known key is wrong.
    #[error("the signature by the key {0} does not match the checkpoint")]
    Signature(String),
}

/// A signature line of a note.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoteSignature {
    /// The name of the key.
    pub name: String,
    /// The id of the key.
    pub key: [u8; 4],
    /// The signature itself.
    pub signature: Vec<u8>,
}

/// A text with signatures.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignedNote {
    /// The text, with its last line feed.
    pub text: String,
    /// The signatures.
    pub signatures: Vec<NoteSignature>,
}

impl Display for SignedNote {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        writeln!(formatter, "{}", self.text)?;
        for one in &self.signatures {
            let bytes = [&one.key[..], &one.signature].concat();
            writeln!(formatter, "— {} {}", one.name, STANDARD.encode(bytes))?;
        }
        Ok(())
    }
}

impl FromStr for SignedNote {
    type Err = NoteError;

    fn from_str(note: &str) -> Result<SignedNote, NoteError> {
        let is_control = |character: char| character < ' ' && character != '\n';
        let (text, lines) = note.rsplit_once("\n\n").ok_or(NoteError::Form)?;
        let lines = lines.strip_suffix('\n').ok_or(NoteError::Form)?;
        if note.contains(is_control) || text.is_empty() {
            return Err(NoteError::Form);
        }
        let read = |line: &str| {
            let (name, value) = line.strip_prefix("— ")?.split_once(' ')?;
            let bytes = STANDARD.decode(value).ok()?;
            let (key, signature) = bytes.split_first_chunk::<4>()?;
            let is_name =
                !name.is_empty() && !name.contains(|c: char| c.is_whitespace() || c == '+');
            (is_name && !signature.is_empty()).then(|| NoteSignature {
                name: name.to_owned(),
                key: *key,
                signature: signature.to_vec(),
            })
        };
        let signatures: Option<Vec<_>> = lines.split('\n').map(read).collect();
        let signatures = signatures.filter(|all| all.len() <= MOST_SIGNATURES);
        Ok(SignedNote {
            text: format!("{text}\n"),
            signatures: signatures.ok_or(NoteError::Form)?,
        })
    }
}

impl PublicKey {
    /// Returns the id by which notes name this key under a name.
    pub fn note_key(&self, name: &str) -> [u8; 4] {
        let hash: TreeHash = Sha256::new()
            .chain_update(name)
            .chain_update([b'\n', ED25519])
            .chain_update(self.bytes())
            .finalize()
            .into();
        [hash[0], hash[1], hash[2], hash[3]]
    }

    /// Returns the key in the form in which witnesses and other programs are configured: `NAME+ID+KEY`.
    pub fn verifier_key(&self, name: &str) -> String {
        let key = [&[ED25519], &self.bytes()[..]].concat();
        let id = hex::encode(self.note_key(name));
        format!("{name}+{id}+{}", STANDARD.encode(key))
    }
}

/// The head of a log: its name, the number of its leaves and their root.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TreeHead {
    /// The name of the log.
    pub origin: String,
    /// The number of leaves.
    pub size: u64,
    /// The root of the leaves.
    pub root: TreeHash,
}

impl TreeHead {
    /// Returns the signed note with this head. The key's name is that of the log.
    pub fn sign(&self, key: &SecretKey) -> SignedNote {
        let text = self.to_string();
        let signature = NoteSignature {
            name: self.origin.clone(),
            key: key.public().note_key(&self.origin),
            signature: key.sign_bytes(&text).to_vec(),
        };
        SignedNote {
            text,
            signatures: vec![signature],
        }
    }

    /// Reads a signed head and checks its signature with the known keys. Signatures of others are ignored.
    ///
    /// # Errors
    /// If the text has another form, no known key has signed it, or the signature of one is wrong.
    pub fn verify(note: &str, keys: &PublicKeys) -> Result<TreeHead, NoteError> {
        let note: SignedNote = note.parse()?;
        let head: TreeHead = note.text.parse()?;
        let mut is_signed = false;
        for one in note.signatures.iter().filter(|one| one.name == head.origin) {
            let known = keys
                .iter()
                .find(|key| key.note_key(&head.origin) == one.key);
            let Some(known) = known else {
                continue;
            };
            let signature: Option<&[u8; 64]> = one.signature.as_slice().try_into().ok();
            if !signature.is_some_and(|value| known.verifies_bytes(&note.text, value)) {
                return Err(NoteError::Signature(known.id()));
            }
            is_signed = true;
        }
        match is_signed {
            true => Ok(head),
            false => Err(NoteError::UnknownKey(head.origin)),
        }
    }
}

impl Display for TreeHead {
    /// The text of the note.
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        let root = STANDARD.encode(self.root);
        write!(formatter, "{}\n{}\n{root}\n", self.origin, self.size)
    }
}

impl FromStr for TreeHead {
    type Err = NoteError;

    fn from_str(text: &str) -> Result<TreeHead, NoteError> {
        let mut lines = text.lines();
        let mut next = || lines.next().filter(|line| !line.is_empty());
        let (origin, size, root) = (next(), next(), next());
        let size: Option<u64> = size.and_then(|text| text.parse().ok());
        let root = root.and_then(|text| STANDARD.decode(text).ok()?.try_into().ok());
        let head = || {
            Some(TreeHead {
                origin: origin?.to_owned(),
                size: size?,
                root: root?,
            })
        };
        // There is one text for a head, except for lines of extensions, which are signed and ignored.
        head()
            .filter(|head| text.starts_with(&head.to_string()))
            .ok_or(NoteError::Head)
    }
}
