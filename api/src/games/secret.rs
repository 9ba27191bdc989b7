//! Secrets: seeds, and what is kept of tokens: only their SHA-256 is stored. What must be kept and may show one is
//! sealed.

use std::io::{Read, Write};

use chacha20poly1305::aead::Aead;
use chacha20poly1305::{ChaCha20Poly1305, KeyInit, Nonce};
use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;
use sha2::{Digest, Sha256};

/// Bytes of the nonce that stands before a sealed text (RFC 8439).
const NONCE: usize = 12;

/// What stands before a text that was made small; no text begins so.
const DEFLATED: u8 = 1;

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

/// A text, made small, that only the owner of a key can read again: ChaCha20-Poly1305 (RFC 8439) under the SHA-256
/// of the key behind a fixed word, with a random nonce before it.
pub fn sealed(key: &str, text: &str) -> Result<Vec<u8>, getrandom::Error> {
    let mut bytes = vec![0; NONCE];
    getrandom::fill(&mut bytes)?;
    let nonce = *Nonce::from_slice(&bytes);
    // Encrypting fails only beyond 256 GiB, far more than an answer has.
    let encrypted = cipher(key).encrypt(&nonce, deflated(text).as_slice());
    bytes.extend(encrypted.unwrap_or_default());
    Ok(bytes)
}

/// The text that was sealed with a key; nothing when it was sealed with another one or was altered.
pub fn unsealed(key: &str, sealed: &[u8]) -> Option<String> {
    let (nonce, encrypted) = sealed.split_at_checked(NONCE)?;
    let bytes = cipher(key)
        .decrypt(Nonce::from_slice(nonce), encrypted)
        .ok()?;
    let Some(small) = bytes.strip_prefix(&[DEFLATED]) else {
        return String::from_utf8(bytes).ok();
    };
    let mut text = String::new();
    DeflateDecoder::new(small).read_to_string(&mut text).ok()?;
    Some(text)
}

/// A text made small (RFC 1951) behind the byte that says so: answers repeat the same words.
fn deflated(text: &str) -> Vec<u8> {
    let mut encoder = DeflateEncoder::new(vec![DEFLATED], Compression::fast());
    match encoder
        .write_all(text.as_bytes())
        .and_then(|()| encoder.finish())
    {
        Ok(bytes) => bytes,
        // Writing to memory does not fail; what is not deflated is read as well.
        Err(_) => text.as_bytes().to_vec(),
    }
}

fn cipher(key: &str) -> ChaCha20Poly1305 {
    let digest = Sha256::new()
        .chain_update(b"tabularium-answer/1\n")
        .chain_update(key)
        .finalize();
    ChaCha20Poly1305::new(&digest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_key_opens_what_it_sealed() {
        let kept = sealed("key", "a token").unwrap();
        assert_eq!(unsealed("key", &kept).as_deref(), Some("a token"));
        assert_ne!(sealed("key", "a token").unwrap(), kept);
        assert!(!kept.windows(5).any(|part| part == b"token"));
        let long = "the same words ".repeat(1000);
        let small = sealed("key", &long).unwrap();
        assert!(small.len() < 1_000);
        assert_eq!(unsealed("key", &small), Some(long));
        assert_eq!(unsealed("other", &kept), None);
        assert_eq!(unsealed("key", &kept[..8]), None);
        let mut altered = kept;
        *altered.last_mut().unwrap() ^= 1;
        assert_eq!(unsealed("key", &altered), None);
    }
}
