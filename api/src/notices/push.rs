//! Push messages to browsers: encrypted (RFC 8291), and signed by the server (VAPID, RFC 8292).

use std::fmt;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use p256::ecdsa::signature::Signer;
use p256::ecdsa::{Signature, SigningKey};
use reqwest::header::{AUTHORIZATION, CONTENT_ENCODING, CONTENT_TYPE};
use reqwest::{Client, Url};
use serde_json::json;

use crate::webhooks::address::check_form;

/// How long a push service keeps a message for a device that is offline, in seconds: a day.
const KEPT: u32 = 24 * 60 * 60;

/// How long a signature is valid, in seconds; RFC 8292 allows a day at most.
const VALID: i64 = 12 * 60 * 60;

/// The key that identifies the server to push services. All nodes have the same.
pub struct PushKey(SigningKey);

impl fmt::Debug for PushKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.public())
    }
}

impl PushKey {
    /// Reads a key from 64 hexadecimal digits; `None` if they are no key.
    pub fn read(secret: &str) -> Option<PushKey> {
        let bytes = hex::decode(secret).ok()?;
        SigningKey::from_slice(&bytes).ok().map(PushKey)
    }

    /// Returns the public key as browsers expect it: an uncompressed point in base64url.
    pub fn public(&self) -> String {
        let point = self.0.verifying_key().to_sec1_point(false);
        URL_SAFE_NO_PAD.encode(point.as_bytes())
    }

    /// Returns the header `Authorization` for a push service, at a time in seconds since 1970.
    fn authorization(&self, service: &Url, contact: &str, now: i64) -> String {
        let claims = json!({
            "aud": service.origin().ascii_serialization(),
            "exp": now + VALID,
            "sub": contact,
        });
        let encoded = |text: String| URL_SAFE_NO_PAD.encode(text);
        let header = json!({"typ": "JWT", "alg": "ES256"});
        let signed = format!(
            "{}.{}",
            encoded(header.to_string()),
            encoded(claims.to_string())
        );
        let signature: Signature = self.0.sign(signed.as_bytes());
        let signature = URL_SAFE_NO_PAD.encode(signature.to_bytes());
        format!("vapid t={signed}.{signature}, k={}", self.public())
    }
}

/// A browser that receives push messages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PushReceiver {
    /// The URL of its push service.
    pub endpoint: String,
    /// Its public key, in base64url.
    pub key: String,
    /// Its secret, in base64url.
    pub auth: String,
}

/// Why a push message was not accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PushFailure {
    /// The browser does not receive messages any more.
    Gone,
    /// Another attempt may help.
    Failed(String),
}

/// Decodes base64url, with or without padding.
fn decode(text: &str) -> Option<Vec<u8>> {
    URL_SAFE_NO_PAD.decode(text.trim_end_matches('=')).ok()
}

/// Checks keys of a browser by encrypting for it.
pub fn check_keys(key: &str, auth: &str) -> Result<(), &'static str> {
    let keys = decode(key).zip(decode(auth));
    match keys.is_some_and(|(key, auth)| ece::encrypt(&key, &auth, b"test").is_ok()) {
        true => Ok(()),
        false => Err(
            "these are not the keys of a push subscription: send them as the browser gives them",
        ),
    }
}

/// Sends a message to a browser. `contact` is the URL of this server.
pub async fn push(
    client: &Client,
    to_loopback: bool,
    key: &PushKey,
    (receiver, contact): (&PushReceiver, &str),
    (message, now): (&str, i64),
) -> Result<(), PushFailure> {
    let url = check_form(&receiver.endpoint, to_loopback).map_err(PushFailure::Failed)?;
    let keys = decode(&receiver.key).zip(decode(&receiver.auth));
    let (public, auth) = keys.ok_or(PushFailure::Gone)?;
    let body = ece::encrypt(&public, &auth, message.as_bytes());
    let body = body.map_err(|_| PushFailure::Gone)?;
    let sent = client
        .post(url.clone())
        .header(
            AUTHORIZATION,
            key.authorization(&url, contact, now.div_euclid(1_000_000)),
        )
        .header(CONTENT_TYPE, "application/octet-stream")
        .header(CONTENT_ENCODING, "aes128gcm")
        .header("ttl", KEPT)
        .header("urgency", "normal")
        .body(body)
        .send()
        .await;
    match sent.map(|answer| answer.status().as_u16()) {
        Ok(200..300) => Ok(()),
        // The key of the server has changed, or the browser has ended the subscription.
        Ok(401 | 403 | 404 | 410) => Err(PushFailure::Gone),
        Ok(status) => Err(PushFailure::Failed(format!(
            "the push service answered {status}"
        ))),
        Err(_) => Err(PushFailure::Failed(
            "the push service did not answer".to_owned(),
        )),
    }
}

#[cfg(test)]
mod tests {
    use p256::ecdsa::signature::Verifier;

    use super::*;

    #[test]
    fn the_key_signs_for_the_push_service() {
        assert!(PushKey::read(&"00".repeat(32)).is_none());
        assert!(PushKey::read("07").is_none());
        let key = PushKey::read(&"07".repeat(32)).unwrap();
        assert_eq!(key.public().len(), 87);
        let service = Url::parse("https://push.example.org:8443/a/b").unwrap();
        let header = key.authorization(&service, "https://games.example.org", 1_000);
        let token = header.strip_prefix("vapid t=").unwrap();
        let token = token.split(',').next().unwrap();
        let (signed, signature) = token.rsplit_once('.').unwrap();
        let signature = Signature::from_slice(&decode(signature).unwrap()).unwrap();
        let verified = key.0.verifying_key().verify(signed.as_bytes(), &signature);
        assert!(verified.is_ok());
        let claims = decode(signed.split('.').next_back().unwrap()).unwrap();
        let claims: serde_json::Value = serde_json::from_slice(&claims).unwrap();
        assert_eq!(claims["aud"], "https://push.example.org:8443");
        assert_eq!(claims["exp"], 1_000 + VALID);
        assert!(check_keys("BBBB", "AAAA").is_err());
    }
}
