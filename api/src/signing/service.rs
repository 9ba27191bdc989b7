//! The key that signs, and all keys that have signed.

use std::sync::Arc;

use records::{PublicKeys, SecretKey};

use crate::db::{Store, StoreError};
use crate::http::error::ServiceError;
use crate::signing::keys::{SigningKey, SigningKeyError};
use crate::signing::queries::KeyRow;

/// Signs records and checkpoints.
#[derive(Debug)]
pub struct Signing {
    pub(crate) store: Arc<Store>,
    /// `None` if games are only read.
    key: Option<SigningKey>,
}

impl Signing {
    /// Creates the service. Without a key nothing is signed.
    pub fn new(store: Arc<Store>, key: Option<SigningKey>) -> Signing {
        Signing { store, key }
    }

    /// Returns the key that signs.
    pub fn key(&self) -> Option<Arc<SecretKey>> {
        self.key.as_ref().map(SigningKey::key)
    }

    /// Reads the key file again, which the operator may have rotated.
    ///
    /// # Errors
    /// Those of [`SigningKey::reload`].
    pub fn reload_key(&self) -> Result<(), SigningKeyError> {
        let reload = |key: &SigningKey| key.reload(&self.store);
        self.key.as_ref().map_or(Ok(()), reload)
    }

    /// Returns all keys that have signed here, as stored.
    pub fn key_rows(&self) -> Result<Vec<KeyRow>, StoreError> {
        self.store.keys()
    }

    /// Returns all public keys that have signed here.
    pub fn public_keys(&self) -> Result<PublicKeys, ServiceError> {
        public_keys(&self.store)
    }
}

/// Returns the public keys that have signed the content of a store.
pub fn public_keys(store: &Store) -> Result<PublicKeys, ServiceError> {
    let mut keys = PublicKeys::default();
    for row in store.keys()? {
        let key = row.public_key.parse();
        keys.add(
            key.map_err(|error: records::KeyError| ServiceError::Damaged {
                id: format!("(no id: the public key {})", row.id),
                message: error.to_string(),
            })?,
        );
    }
    Ok(keys)
}
