//! Recovery codes, which replace a forgotten password. Only their hashes are stored.

use crate::http::secret::hashed;

/// The number of codes of an account.
pub const CODES: usize = 10;

/// The number of characters of a code, each worth 5 bits.
const LENGTH: usize = 16;

/// The digits of Crockford's base 32, which has no letters that look alike.
const DIGITS: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";

/// Generates the codes of an account, such as `8q2m-x4d0-7ktz-r9we`.
///
/// # Errors
/// If the system has no random numbers.
pub fn generate() -> Result<Vec<String>, getrandom::Error> {
    let mut bytes = [0; CODES * LENGTH];
    getrandom::fill(&mut bytes)?;
    let code = |bytes: &[u8]| {
        let groups = bytes.chunks(4).map(|group| {
            let digits = group
                .iter()
                .map(|byte| char::from(DIGITS[usize::from(byte % 32)]));
            digits.collect::<String>()
        });
        groups.collect::<Vec<_>>().join("-")
    };
    Ok(bytes.chunks(LENGTH).map(code).collect())
}

/// Returns the hash of a code.
/// Capitals, spaces and hyphens make no difference, and look-alike letters are digits.
pub fn hash(code: &str) -> String {
    let digits = code
        .chars()
        .filter(char::is_ascii_alphanumeric)
        .take(4 * LENGTH);
    let digits: String = digits
        .map(|digit| match digit.to_ascii_lowercase() {
            'o' => '0',
            'i' | 'l' => '1',
            digit => digit,
        })
        .collect();
    hashed(&format!("recovery code {digits}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_differ_and_are_read_as_people_write_them() {
        let codes = generate().unwrap();
        assert_eq!(codes.len(), CODES);
        assert!(codes.iter().all(|code| code.len() == 19), "{codes:?}");
        let hashes: std::collections::BTreeSet<String> =
            codes.iter().map(|code| hash(code)).collect();
        assert_eq!(hashes.len(), CODES);
        assert_eq!(hash("8q2m-x4d0-71tz-r9we"), hash(" 8Q2MX4DO 7lTZ R9WE"));
        assert_ne!(hash("8q2m-x4d0-71tz-r9we"), hash("8q2m-x4d0-71tz-r9wf"));
    }
}
