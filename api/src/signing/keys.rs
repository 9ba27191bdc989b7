//! The server's signing key: a file with the 32 bytes of an Ed25519 seed as hexadecimal digits.
//!
//! The key is created at the first start and never shown. Its public part is stored in the database for good.

use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};

use records::{PublicKey, SecretKey};
use tempfile::TempPath;

use crate::db::url::{DatabaseKind, DatabaseUrl};
use crate::db::{Store, StoreError, durable};
use crate::signing::queries::KeyRow;

/// The key file if none is named and the database is not a file.
const DEFAULT: &str = "tabularium.key";

/// Why no signing key is available.
#[derive(Debug, thiserror::Error)]
pub enum SigningKeyError {
    /// The file cannot be read or created.
    #[error("cannot use the key file {}: {source}", path.display())]
    File {
        /// The path.
        path: PathBuf,
        /// The error of the operating system.
        source: std::io::Error,
    },
    /// The file does not contain a key.
    #[error("{} does not contain a key: 64 hexadecimal digits are expected; restore the file from a backup", path.display())]
    NoKey {
        /// The path.
        path: PathBuf,
    },
    /// The key is retired.
    #[error("the key {id} in {} is retired: create a new one with `tabularium keys rotate`", path.display())]
    Retired {
        /// The path.
        path: PathBuf,
        /// The id of the key.
        id: String,
    },
    /// The system does not provide random bytes.
    #[error("cannot generate a key, because the system provides no random bytes: {0}")]
    Random(getrandom::Error),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The present signing key and its file.
#[derive(Debug)]
pub struct SigningKey {
    path: PathBuf,
    key: RwLock<Arc<SecretKey>>,
}

/// Returns the key file of a database.
/// It is the named one, or `FILE.key` beside a SQLite file, or `tabularium.key` in the working directory.
pub fn key_file(database: &DatabaseUrl, named: Option<&Path>) -> PathBuf {
    match (named, database.kind()) {
        (Some(named), _) => named.to_owned(),
        (None, Ok(DatabaseKind::Sqlite(file))) => PathBuf::from(format!("{file}.key")),
        (None, _) => PathBuf::from(DEFAULT),
    }
}

impl SigningKey {
    /// Reads the key file, or creates it if it is missing, and stores the public key in the database.
    pub fn open(store: &Store, path: &Path) -> Result<SigningKey, SigningKeyError> {
        let key = match read(path)? {
            Some(key) => key,
            None => create(path)?,
        };
        register(store, path, &key)?;
        let key = Arc::new(key);
        store.sign_with(key.clone());
        Ok(SigningKey {
            path: path.to_owned(),
            key: RwLock::new(key),
        })
    }

    /// Returns the present key.
    pub fn key(&self) -> Arc<SecretKey> {
        // The key is replaced as a whole, so a panic elsewhere cannot leave half of one.
        let key = self.key.read().unwrap_or_else(PoisonError::into_inner);
        key.clone()
    }

    /// Reads the key file again, which the operator may have rotated.
    ///
    /// # Errors
    /// Those of [`SigningKey::open`]. The present key stays in use then.
    pub fn reload(&self, store: &Store) -> Result<(), SigningKeyError> {
        let Some(key) = read(&self.path)? else {
            return Ok(());
        };
        if key.public() != self.key().public() {
            register(store, &self.path, &key)?;
            tracing::info!(key = key.public().id(), "using the rotated signing key");
            let key = Arc::new(key);
            store.sign_with(key.clone());
            *self.key.write().unwrap_or_else(PoisonError::into_inner) = key;
        }
        Ok(())
    }
}

/// Replaces the key in a file by a new one.
/// Only the public part of the old key remains, in the database. Returns the old public key, if there was one, and the
/// new one.
pub fn rotate(
    store: &Store,
    path: &Path,
) -> Result<(Option<PublicKey>, PublicKey), SigningKeyError> {
    let old = read(path)?;
    let (seed, new) = generate()?;
    // Registered before it signs, so that all its signatures can be checked.
    register(store, path, &new)?;
    write_temporary(path, &seed)
        .and_then(|temporary| durable::replace(temporary, path))
        .map_err(|source| file_error(path, source))?;
    let old = old.map(|key| key.public());
    if let Some(old) = &old {
        let now = jiff::Timestamp::now().as_microsecond();
        store.retire_key(&old.id(), now)?;
    }
    Ok((old, new.public()))
}

/// Reads the public part of the key in a file. Returns `None` if there is no file.
pub fn read_public_key(path: &Path) -> Result<Option<PublicKey>, SigningKeyError> {
    Ok(read(path)?.map(|key| key.public()))
}

fn file_error(path: &Path, source: std::io::Error) -> SigningKeyError {
    SigningKeyError::File {
        path: path.to_owned(),
        source,
    }
}

/// Reads the key of a file. Returns `None` if there is no file.
fn read(path: &Path) -> Result<Option<SecretKey>, SigningKeyError> {
    let text = match std::fs::read(path) {
        Ok(text) => text,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(file_error(path, error)),
    };
    let mut seed = [0; 32];
    hex::decode_to_slice(text.trim_ascii(), &mut seed).map_err(|_| SigningKeyError::NoKey {
        path: path.to_owned(),
    })?;
    Ok(Some(SecretKey::from_seed(&seed)))
}

/// Creates a key and its file. If another process creates the file at the same time, its key is used.
fn create(path: &Path) -> Result<SecretKey, SigningKeyError> {
    let (seed, key) = generate()?;
    let temporary = write_temporary(path, &seed).map_err(|source| file_error(path, source))?;
    match durable::create(temporary, path) {
        Ok(()) => {
            tracing::info!(key = key.public().id(), file = %path.display(), "created a signing key");
            Ok(key)
        }
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {
            read(path)?.ok_or_else(|| file_error(path, ErrorKind::NotFound.into()))
        }
        Err(error) => Err(file_error(path, error)),
    }
}

fn generate() -> Result<([u8; 32], SecretKey), SigningKeyError> {
    let mut seed = [0; 32];
    getrandom::fill(&mut seed).map_err(SigningKeyError::Random)?;
    Ok((seed, SecretKey::from_seed(&seed)))
}

/// Writes a seed to a temporary file in the folder of `path` that only its owner can read.
fn write_temporary(path: &Path, seed: &[u8; 32]) -> std::io::Result<TempPath> {
    let folder = durable::folder_of(path).unwrap_or(Path::new("."));
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    writeln!(file, "{}", hex::encode(seed))?;
    Ok(file.into_temp_path())
}

/// Stores the public key in the database. Returns an error if it is retired.
fn register(store: &Store, path: &Path, key: &SecretKey) -> Result<(), SigningKeyError> {
    let public = key.public();
    let kept = store.register_key(&KeyRow {
        id: public.id(),
        public_key: public.to_string(),
        created_at: jiff::Timestamp::now().as_microsecond(),
        retired_at: None,
    })?;
    match kept.retired_at {
        None => Ok(()),
        Some(_) => Err(SigningKeyError::Retired {
            path: path.to_owned(),
            id: public.id(),
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn store(folder: &Path) -> Store {
        let file = folder.join("test.db");
        Store::open(&format!("sqlite:{}", file.display()).into()).unwrap()
    }

    #[test]
    fn the_key_is_created_once_and_only_its_owner_can_read_it() {
        let folder = tempfile::tempdir().unwrap();
        let (store, path) = (store(folder.path()), folder.path().join("key"));
        let first = SigningKey::open(&store, &path).unwrap().key().public();
        assert_eq!(
            SigningKey::open(&store, &path).unwrap().key().public(),
            first
        );
        assert_eq!(store.keys().unwrap().len(), 1);
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let mode = std::fs::metadata(&path).unwrap().permissions().mode();
            assert_eq!(mode & 0o777, 0o600);
        }
        assert_eq!(
            std::fs::read_dir(folder.path())
                .unwrap()
                .filter(|entry| {
                    entry
                        .as_ref()
                        .unwrap()
                        .file_name()
                        .to_string_lossy()
                        .starts_with(".tmp")
                })
                .count(),
            0
        );
    }

    #[test]
    fn processes_that_create_the_key_at_the_same_time_get_the_same() {
        let folder = tempfile::tempdir().unwrap();
        let (store, path) = (store(folder.path()), folder.path().join("key"));
        let open = || SigningKey::open(&store, &path).unwrap().key().public().id();
        let ids: Vec<String> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..8).map(|_| scope.spawn(open)).collect();
            threads.into_iter().map(|one| one.join().unwrap()).collect()
        });
        assert!(ids.iter().all(|id| *id == ids[0]), "{ids:?}");
        assert_eq!(store.keys().unwrap().len(), 1);
    }

    #[test]
    fn a_rotated_key_is_used_and_the_old_one_is_listed_as_retired() {
        let folder = tempfile::tempdir().unwrap();
        let (store, path) = (store(folder.path()), folder.path().join("key"));
        let signing = SigningKey::open(&store, &path).unwrap();
        let before = std::fs::read(&path).unwrap();
        let (old, new) = rotate(&store, &path).unwrap();
        assert_eq!(old, Some(signing.key().public()));
        signing.reload(&store).unwrap();
        assert_eq!(signing.key().public(), new);
        let retired = |key: &KeyRow| key.retired_at.is_some();
        let keys = store.keys().unwrap();
        assert_eq!(keys.iter().map(retired).collect::<Vec<_>>(), [true, false]);
        // The operator restores the old file.
        std::fs::write(&path, before).unwrap();
        let error = SigningKey::open(&store, &path).unwrap_err().to_string();
        assert!(error.contains("keys rotate"), "{error}");
        signing.reload(&store).unwrap_err();
        assert_eq!(signing.key().public(), new);
    }

    #[test]
    fn a_file_without_a_key_is_reported_and_not_changed() {
        let folder = tempfile::tempdir().unwrap();
        let (store, path) = (store(folder.path()), folder.path().join("key"));
        for text in ["", "secret", &"0".repeat(63), &"x".repeat(64)] {
            std::fs::write(&path, text).unwrap();
            let error = SigningKey::open(&store, &path).unwrap_err().to_string();
            assert!(error.contains("does not contain a key"), "{error}");
            assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
        }
        let error = SigningKey::open(&store, folder.path()).unwrap_err();
        assert!(matches!(error, SigningKeyError::File { .. }));
    }

    #[test]
    fn the_key_file_is_beside_the_database_unless_it_is_named() {
        let file = |database: &str, named| key_file(&database.into(), named).display().to_string();
        assert_eq!(file("sqlite:a/b.db", None), "a/b.db.key");
        assert_eq!(file("postgres://host/name", None), "tabularium.key");
        assert_eq!(file("sqlite:b.db", Some(Path::new("c"))), "c");
    }
}
