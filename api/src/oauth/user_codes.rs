//! The codes that a device shows and a person enters (RFC 8628, section 6.1).

use crate::http::secret::hashed;

/// The letters of codes: no vowels, so that no word appears, and none that looks like another.
const LETTERS: &[u8; 20] = b"BCDFGHJKLMNPQRSTVWXZ";

/// The number of letters of a code: 20^8 is more than 2^34.
const LENGTH: usize = 8;

/// Generates a code, such as `WDJB-MJHT`.
///
/// # Errors
/// If the system has no random numbers.
pub fn generate() -> Result<String, getrandom::Error> {
    let mut code = String::new();
    let mut bytes = [0; 4 * LENGTH];
    while code.len() < LENGTH {
        getrandom::fill(&mut bytes)?;
        // 240 is the largest multiple of 20: bytes from it on would make some letters more likely.
        let even = bytes.iter().filter(|byte| **byte < 240);
        let letters = even.map(|byte| char::from(LETTERS[usize::from(*byte) % LETTERS.len()]));
        code.extend(letters.take(LENGTH - code.len()));
    }
    Ok(shown(&code))
}

/// Returns the letters of a code as a person enters it: capitals, spaces and hyphens make no difference.
fn letters(entered: &str) -> String {
    let letters = entered.chars().filter(char::is_ascii_alphanumeric);
    letters
        .take(2 * LENGTH)
        .map(|letter| letter.to_ascii_uppercase())
        .collect()
}

/// Returns the form in which a code is shown.
pub fn shown(entered: &str) -> String {
    let letters = letters(entered);
    match letters.split_at_checked(LENGTH / 2) {
        Some((start, end)) if !end.is_empty() => format!("{start}-{end}"),
        _ => letters,
    }
}

/// Returns the hash of a code as a person enters it.
pub fn hash(entered: &str) -> String {
    hashed(&format!("user code {}", letters(entered)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_read_as_people_write_them() {
        let code = generate().unwrap();
        assert_eq!((code.len(), code.as_bytes()[4]), (9, b'-'), "{code}");
        assert_ne!(code, generate().unwrap());
        assert_eq!(hash("WDJB-MJHT"), hash(" wdjb mjht"));
        assert_ne!(hash("WDJB-MJHT"), hash("WDJB-MJHV"));
        assert_eq!(shown("wdjbmjht"), "WDJB-MJHT");
        assert_eq!(shown("wd"), "WD");
        assert_eq!(shown(""), "");
    }
}
