//! The format of tokens: a prefix, random characters and a checksum.
//!
//! By the prefix, programs that search for leaked secrets find tokens. By the checksum, they and the service detect
//! texts that are not tokens.

use crate::db::StoreError;

/// The prefix of every token.
pub const PREFIX: &str = "tabularium_";

/// The number of random characters, each worth almost 6 bits.
const RANDOM: usize = 32;

/// The number of characters of the checksum: 62^6 is more than 2^32.
const CHECKSUM: usize = 6;

/// The digits of base 62, in their order.
const DIGITS: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// Generates a token: [`PREFIX`], 32 random base-62 characters, and 6 for the CRC-32 of these.
pub fn generate() -> Result<String, StoreError> {
    let mut token = PREFIX.to_owned();
    let mut bytes = [0; 2 * RANDOM];
    while token.len() < PREFIX.len() + RANDOM {
        let filled = getrandom::fill(&mut bytes);
        filled.map_err(|error| StoreError::Unavailable(error.to_string()))?;
        // 248 is the largest multiple of 62: bytes from it on would make some characters more likely.
        let even = bytes.iter().filter(|byte| **byte < 248);
        let characters = even.map(|byte| char::from(DIGITS[usize::from(*byte) % DIGITS.len()]));
        let missing = PREFIX.len() + RANDOM - token.len();
        token.extend(characters.take(missing));
    }
    let checksum = checksum(&token);
    Ok(token + &checksum)
}

/// Returns true if a text has the format of a token, so that the service may have issued it.
pub fn has_form(text: &str) -> bool {
    let whole = text.len() == PREFIX.len() + RANDOM + CHECKSUM && text.starts_with(PREFIX);
    let parts = text.split_at_checked(PREFIX.len() + RANDOM);
    whole && parts.is_some_and(|(start, end)| checksum(start) == end)
}

/// Returns the CRC-32 of a text (ISO 3309, as in zip and PNG) in base 62, padded with zeros.
fn checksum(text: &str) -> String {
    let mut rest = crc32fast::hash(text.as_bytes()) as usize;
    let mut digits = [b'0'; CHECKSUM];
    for digit in digits.iter_mut().rev() {
        *digit = DIGITS[rest % DIGITS.len()];
        rest /= DIGITS.len();
    }
    digits.into_iter().map(char::from).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_generated_token_has_the_format_and_no_other_text_does() {
        let token = generate().unwrap();
        assert_eq!(token.len(), 49);
        assert_ne!(token, generate().unwrap());
        assert!(has_form(&token));
        for index in PREFIX.len()..token.len() {
            let mut bytes = token.clone().into_bytes();
            bytes[index] = if bytes[index] == b'a' { b'b' } else { b'a' };
            assert!(!has_form(std::str::from_utf8(&bytes).unwrap()));
        }
        for other in [
            &token[..48],
            &format!("{token}0"),
            PREFIX,
            "tabularium_ä",
            "",
            "mine",
            &"0f".repeat(32),
        ] {
            assert!(!has_form(other), "{other}");
        }
    }

    #[test]
    fn the_checksum_is_the_standard_crc_32() {
        // The check value in every description of CRC-32.
        assert_eq!(crc32fast::hash(b"123456789"), 0xcbf4_3926);
        let digit = |c: u8| DIGITS.iter().position(|d| *d == c).unwrap();
        let read = |text: String| text.bytes().fold(0, |sum, c| sum * 62 + digit(c));
        assert_eq!(read(checksum("123456789")), 0xcbf4_3926);
        assert_eq!(checksum(""), "000000");
    }
}
