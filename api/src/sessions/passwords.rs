//! Passwords: which are allowed, and their hashes with Argon2id.

use std::collections::HashSet;
use std::fmt;
use std::sync::LazyLock;

use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher, PasswordVerifier};
use argon2::{Algorithm, Argon2, Params, Version};
use icu_normalizer::ComposingNormalizerBorrowed;
use serde::{Deserialize, Deserializer};

use crate::db::StoreError;
use crate::http::error::ServiceError;
use crate::http::secret::fresh;

/// The fewest characters of a password.
pub const SHORTEST: usize = 10;

/// The most characters of a password.
pub const LONGEST: usize = 256;

/// The most common passwords that are long enough, in small letters, one a line.
static COMMON: LazyLock<HashSet<&str>> =
    LazyLock::new(|| include_str!("common_passwords.txt").lines().collect());

/// A hash that no password has.
/// Checked for a handle without a password, so that the answer takes the same time.
static NO_PASSWORD: LazyLock<Option<String>> = LazyLock::new(|| {
    let password = Password(fresh().ok()?);
    password.hash().ok()
});

/// A password, normalized. It is never shown, logged or stored.
#[derive(Clone, PartialEq, Eq)]
pub struct Password(String);

impl fmt::Debug for Password {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Password")
    }
}

impl<'de> Deserialize<'de> for Password {
    fn deserialize<D: Deserializer<'de>>(reader: D) -> Result<Password, D::Error> {
        String::deserialize(reader).map(|text| Password::new(&text))
    }
}

/// The parameters that OWASP recommends: Argon2id, 19 MiB, 2 passes, 1 lane.
fn argon2() -> Result<Argon2<'static>, argon2::Error> {
    let parameters = Params::new(19 * 1024, 2, 1, None)?;
    Ok(Argon2::new(Algorithm::Argon2id, Version::V0x13, parameters))
}

impl Password {
    /// Normalizes a password (NFC), because keyboards write the same letter in different ways.
    pub fn new(text: &str) -> Password {
        // A text that is much too long is refused, so its end does not matter.
        let text: String = text.chars().take(4 * LONGEST).collect();
        Password(
            ComposingNormalizerBorrowed::new_nfc()
                .normalize(&text)
                .into_owned(),
        )
    }

    /// Checks whether the password is allowed for an account.
    ///
    /// # Errors
    /// [`ServiceError::Invalid`] if it is too short, too long, too common or contains little but the handle.
    pub fn check(&self, handle: &str) -> Result<(), ServiceError> {
        let refuse = |message: String| Err(ServiceError::invalid("password", message));
        let length = self.0.chars().count();
        if length < SHORTEST {
            return refuse(format!(
                "the password has {length} characters: use at least {SHORTEST}"
            ));
        }
        if length > LONGEST {
            return refuse(format!(
                "the password is too long: use at most {LONGEST} characters"
            ));
        }
        let small = self.0.to_lowercase();
        let without_handle = small.replace(&handle.to_lowercase(), "");
        if without_handle.chars().count() < SHORTEST / 2 {
            return refuse(
                "the password is little more than the handle: choose another".to_owned(),
            );
        }
        match COMMON.contains(small.as_str()) {
            true => refuse("this is one of the most common passwords: choose another".to_owned()),
            false => Ok(()),
        }
    }

    /// Hashes the password with a random salt.
    /// Takes 19 MiB and much time: call it on a thread that may block.
    ///
    /// # Errors
    /// If the system has no random numbers or too little memory.
    pub fn hash(&self) -> Result<String, StoreError> {
        let hash = argon2().map_err(|error| StoreError::Unavailable(error.to_string()))?;
        let hash = hash.hash_password(self.0.as_bytes());
        let hash = hash.map_err(|error| StoreError::Unavailable(error.to_string()))?;
        Ok(hash.to_string())
    }

    /// Returns true if the password has a hash. Without a hash it takes the same time and returns false.
    pub fn verify(&self, hash: Option<&str>) -> bool {
        let text = hash.or(NO_PASSWORD.as_deref()).unwrap_or_default();
        let parsed = PasswordHash::new(text);
        let fits = parsed.is_ok_and(|parsed| {
            // The parameters are those of the hash.
            let verified = Argon2::default().verify_password(self.0.as_bytes(), &parsed);
            verified.is_ok()
        });
        fits && hash.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hash_has_the_recommended_parameters_and_fits_its_password_only() {
        let password = Password::new("elephants at Zama");
        let hash = password.hash().unwrap();
        assert!(
            hash.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"),
            "{hash}"
        );
        assert_ne!(hash, password.hash().unwrap());
        assert!(password.verify(Some(&hash)));
        assert!(!Password::new("elephants at zama").verify(Some(&hash)));
        assert!(!password.verify(None));
        assert!(!password.verify(Some("damaged")));
        assert_eq!(format!("{password:?}"), "Password");
        // The same letter, written in two ways.
        let composed = Password::new("Amélie 1234").hash().unwrap();
        assert!(Password::new("Ame\u{301}lie 1234").verify(Some(&composed)));
    }

    #[test]
    fn weak_passwords_are_refused() {
        let allowed = |text: &str| Password::new(text).check("Hannibal").is_ok();
        for weak in [
            "",
            "short one",
            "qwertyuiop",
            "PASSWORD123",
            "hannibal12",
            "HannibalHannibal",
            &"x".repeat(257),
            &"x".repeat(100_000),
        ] {
            assert!(!allowed(weak), "{weak:?}");
        }
        for good in [
            "elephants!",
            "          ",
            "ἐλέφαντες!",
            &"x".repeat(256),
            "hannibal and Maharbal",
        ] {
            assert!(allowed(good), "{good:?}");
        }
    }
}
