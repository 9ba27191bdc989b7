//! Secrets: seeds, and what is kept of tokens: only their SHA-256 is stored.

use sha2::{Digest, Sha256};

/// A fresh secret of 32 random bytes, 64 hexadecimal digits.
pub fn fresh() -> Result<String, getrandom::Error> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes)?;
    Ok(hex::encode(bytes))
}

/// SHA-256 of a text, 64 hexadecimal digits: how tokens are stored.
pub fn hashed(text: &str) -> String {
    hex::encode(Sha256::digest(text.as_bytes()))
}
