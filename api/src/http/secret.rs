//! Secrets: creates seeds and tokens, and hashes tokens. Only the SHA-256 of a token is stored.

use sha2::{Digest, Sha256};

/// Creates a secret of 32 random bytes, as 64 hexadecimal digits.
pub fn fresh() -> Result<String, getrandom::Error> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes)?;
    Ok(hex::encode(bytes))
}

/// Returns the SHA-256 of a text, as 64 hexadecimal digits.
pub fn hashed(text: &str) -> String {
    hex::encode(Sha256::digest(text.as_bytes()))
}
