//! What names and seeds may hold.

/// The longest name of an account, a league, a person or a bot, in bytes.
const LONGEST_NAME: usize = 64;

/// The longest seed, in bytes.
const LONGEST_SEED: usize = 200;

/// Whether a name can be stored and shown: not empty, not too long, without control characters.
///
/// # Errors
/// What is needed.
pub fn check_name(name: &str) -> Result<(), String> {
    check(name, 1, LONGEST_NAME)
}

/// As [`check_name`] for a seed, which may be longer.
///
/// # Errors
/// What is needed.
pub fn check_seed(seed: &str) -> Result<(), String> {
    check(seed, 1, LONGEST_SEED)
}

fn check(text: &str, least: usize, most: usize) -> Result<(), String> {
    let is_good = (least..=most).contains(&text.len()) && !text.chars().any(char::is_control);
    match is_good {
        true => Ok(()),
        false => Err(format!(
            "{least} to {most} bytes without control characters are needed"
        )),
    }
}
