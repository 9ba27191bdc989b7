//! Signatures of [Standard Webhooks](https://www.standardwebhooks.com) 1.0.
//! They are HMAC-SHA-256 over id, time and body.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hmac::{Hmac, Mac};
use sha2::Sha256;

use crate::db::StoreError;

/// The prefix of every secret.
const PREFIX: &str = "whsec_";

/// Creates a secret: `whsec_` and 32 random bytes in base64.
pub fn fresh_secret() -> Result<String, StoreError> {
    let mut bytes = [0; 32];
    let filled = getrandom::fill(&mut bytes);
    filled.map_err(|error| StoreError::Unavailable(error.to_string()))?;
    Ok(format!("{PREFIX}{}", STANDARD.encode(bytes)))
}

/// Returns the header `webhook-signature` of a body, sent with an id at a time in seconds since 1970.
///
/// It has a signature for each secret; invalid secrets are skipped.
pub fn sign(secrets: &[&str], id: &str, seconds: i64, body: &str) -> String {
    let signatures = secrets.iter().filter_map(|secret| {
        let key = STANDARD.decode(secret.strip_prefix(PREFIX)?).ok()?;
        let mut mac = Hmac::<Sha256>::new_from_slice(&key).ok()?;
        mac.update(format!("{id}.{seconds}.{body}").as_bytes());
        Some(format!(
            "v1,{}",
            STANDARD.encode(mac.finalize().into_bytes())
        ))
    });
    signatures.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example of the specification.
    #[test]
    fn a_signature_is_the_one_of_the_specification() {
        let secret = "whsec_plJ3nmyCDGBKInavdOK15jsl";
        let body = r#"{"event_type":"ping","data":{"success":true}}"#;
        let signed = |secrets: &[&str]| sign(secrets, "msg_loFOjxBNrRLzqYUf", 1_731_705_121, body);
        let expected = "v1,rAvfW3dJ/X/qxhsaXPOyyCGmRKsaKWcsNccKXlIktD0=";
        assert_eq!(signed(&[secret]), expected);
        let other = fresh_secret().unwrap();
        let both = signed(&[&other, secret]);
        assert!(both.starts_with("v1,") && both.ends_with(&format!(" {expected}")));
        assert_eq!(signed(&["no secret"]), "");
        assert_ne!(other, fresh_secret().unwrap());
    }
}
