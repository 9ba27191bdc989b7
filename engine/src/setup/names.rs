//! Limits on names and seeds.

/// The longest name of an account, a league, a person or a bot, in bytes.
const LONGEST_NAME: usize = 64;

/// The longest seed, in bytes.
const LONGEST_SEED: usize = 200;

/// Checks that a name can be stored and shown: not empty, not too long, without control characters.
///
/// # Errors
/// The limits, as text.
pub fn check_name(name: &str) -> Result<(), String> {
    check(name, 1, LONGEST_NAME)
}

/// Checks a seed like [`check_name`] does a name; a seed may be longer.
///
/// # Errors
/// The limits, as text.
pub fn check_seed(seed: &str) -> Result<(), String> {
    check(seed, 1, LONGEST_SEED)
}

fn check(text: &str, least: usize, most: usize) -> Result<(), String> {
    let is_good = (least..=most).contains(&text.len()) && !text.chars().any(char::is_control);
    match is_good {
        true => Ok(()),
        false => Err(format!(
            "must have {least} to {most} bytes and no control characters"
        )),
    }
}
