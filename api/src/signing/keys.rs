//! The office's key: a file beside the database with the 32 bytes that an Ed25519 key follows from, as
//! hexadecimal digits. It is made at the first start and never told; its public part is noted in the
//! database, where it stays for ever.

use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};

use records::{PublicKey, SecretKey};

use crate::db::url::{DatabaseKind, DatabaseUrl};
use crate::db::{Store, StoreError};
use crate::signing::queries::KeyRow;

/// Where the key is when no file is named and the database is none beside which it could be.
const DEFAULT: &str = "tabularium.key";

/// Why there is no key to sign with.
#[derive(Debug, thiserror::Error)]
pub enum SigningKeyError {
    /// The file cannot be read or made.
    #[error("cannot use the key file {}: {source}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The file holds something else.
    #[error("{} holds no key: 64 hexadecimal digits are expected", path.display())]
    NoKey {
        /// The file.
        path: PathBuf,
    },
    /// The key has been given up.
    #[error("the key {id} in {} is retired; `tabularium keys rotate` makes a new one", path.display())]
    Retired {
        /// The file.
        path: PathBuf,
        /// The key.
        id: String,
    },
    /// The system gives no random bytes.
    #[error("no random bytes for a key: {0}")]
    Random(getrandom::Error),
    /// The store fails.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The hand that signs.
#[derive(Debug)]
pub struct SigningKey {
    path: PathBuf,
    key: RwLock<Arc<SecretKey>>,
}

/// The key file of a database: the one that is named, else `FILE.key` beside a file of SQLite, else
/// `tabularium.key` in the working directory.
pub fn key_file(database: &DatabaseUrl, named: Option<&Path>) -> PathBuf {
    match (named, database.place()) {
        (Some(named), _) => named.to_owned(),
        (None, Ok(DatabaseKind::Sqlite(file))) => PathBuf::from(format!("{file}.key")),
        (None, _) => PathBuf::from(DEFAULT),
    }
}

impl SigningKey {
    /// Takes the key of a file, makes it when there is none, and notes its public part.
    pub fn open(store: &Store, path: &Path) -> Result<SigningKey, SigningKeyError> {
        let key = match read(path)? {
            Some(key) => key,
            None => make(path)?,
        };
        note(store, path, &key)?;
        let key = Arc::new(key);
        store.sign_with(key.clone());
        Ok(SigningKey {
            path: path.to_owned(),
            key: RwLock::new(key),
        })
    }

    /// The key that signs.
    pub fn key(&self) -> Arc<SecretKey> {
        // It is replaced as a whole, so a panic elsewhere cannot have left half of one.
        let key = self.key.read().unwrap_or_else(PoisonError::into_inner);
        key.clone()
    }

    /// Takes the key anew from its file, which the operator may have rotated.
    ///
    /// # Errors
    /// As [`SigningKey::open`]; the key stays as it was.
    pub fn reload(&self, store: &Store) -> Result<(), SigningKeyError> {
        let Some(key) = read(&self.path)? else {
            return Ok(());
        };
        if key.public() != self.key().public() {
            note(store, &self.path, &key)?;
            tracing::info!(key = key.public().id(), "the key was rotated");
            let key = Arc::new(key);
            store.sign_with(key.clone());
            *self.key.write().unwrap_or_else(PoisonError::into_inner) = key;
        }
        Ok(())
    }
}

/// Puts a new key in the place of a file's, of which nothing is kept but the public part. Returns the
/// old one, if there was one, and the new one.
pub fn rotate(
    store: &Store,
    path: &Path,
) -> Result<(Option<PublicKey>, PublicKey), SigningKeyError> {
    let old = read(path)?;
    let (seed, new) = fresh()?;
    // First it is known, so that whatever it signs can be checked.
    note(store, path, &new)?;
    let written = written(path, &seed).map_err(|source| failed(path, source))?;
    let persisted = written.persist(path);
    persisted.map_err(|error| failed(path, error.error))?;
    let old = old.map(|key| key.public());
    if let Some(old) = &old {
        let now = jiff::Timestamp::now().as_microsecond();
        store.retire_key(&old.id(), now)?;
    }
    Ok((old, new.public()))
}

fn failed(path: &Path, source: std::io::Error) -> SigningKeyError {
    SigningKeyError::File {
        path: path.to_owned(),
        source,
    }
}

/// The key of a file; `None` when there is no file.
fn read(path: &Path) -> Result<Option<SecretKey>, SigningKeyError> {
    let text = match std::fs::read(path) {
        Ok(text) => text,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(failed(path, error)),
    };
    let mut seed = [0; 32];
    hex::decode_to_slice(text.trim_ascii(), &mut seed).map_err(|_| SigningKeyError::NoKey {
        path: path.to_owned(),
    })?;
    Ok(Some(SecretKey::from_seed(&seed)))
}

/// Makes a key and its file; when another process is making it at the same time, both take the file
/// that was there first.
fn make(path: &Path) -> Result<SecretKey, SigningKeyError> {
    let (seed, key) = fresh()?;
    let written = written(path, &seed).map_err(|source| failed(path, source))?;
    match written.persist_noclobber(path) {
        Ok(_) => {
            tracing::info!(key = key.public().id(), file = %path.display(), "made a key");
            Ok(key)
        }
        Err(error) if error.error.kind() == ErrorKind::AlreadyExists => {
            read(path)?.ok_or_else(|| failed(path, ErrorKind::NotFound.into()))
        }
        Err(error) => Err(failed(path, error.error)),
    }
}

fn fresh() -> Result<([u8; 32], SecretKey), SigningKeyError> {
    let mut seed = [0; 32];
    getrandom::fill(&mut seed).map_err(SigningKeyError::Random)?;
    Ok((seed, SecretKey::from_seed(&seed)))
}

/// A file with a seed, on disk beside the place where it shall be; only its owner may read it.
fn written(path: &Path, seed: &[u8; 32]) -> std::io::Result<tempfile::NamedTempFile> {
    let folder = path.parent().filter(|folder| *folder != Path::new(""));
    let mut file = tempfile::NamedTempFile::new_in(folder.unwrap_or(Path::new(".")))?;
    writeln!(file, "{}", hex::encode(seed))?;
    file.as_file().sync_all()?;
    Ok(file)
}

fn note(store: &Store, path: &Path, key: &SecretKey) -> Result<(), SigningKeyError> {
    let public = key.public();
    let kept = store.note_key(&KeyRow {
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
    fn the_key_is_made_once_for_its_owner_only() {
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
    fn many_that_make_the_key_at_once_have_the_same() {
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
    fn a_rotated_key_is_taken_up_and_the_old_one_stays_listed_and_signs_no_more() {
        let folder = tempfile::tempdir().unwrap();
        let (store, path) = (store(folder.path()), folder.path().join("key"));
        let office = SigningKey::open(&store, &path).unwrap();
        let before = std::fs::read(&path).unwrap();
        let (old, new) = rotate(&store, &path).unwrap();
        assert_eq!(old, Some(office.key().public()));
        office.reload(&store).unwrap();
        assert_eq!(office.key().public(), new);
        let retired = |key: &KeyRow| key.retired_at.is_some();
        let keys = store.keys().unwrap();
        assert_eq!(keys.iter().map(retired).collect::<Vec<_>>(), [true, false]);
        // Somebody puts the old file back.
        std::fs::write(&path, before).unwrap();
        let error = SigningKey::open(&store, &path).unwrap_err().to_string();
        assert!(error.contains("keys rotate"), "{error}");
        office.reload(&store).unwrap_err();
        assert_eq!(office.key().public(), new);
    }

    #[test]
    fn a_file_that_is_no_key_is_told_and_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let (store, path) = (store(folder.path()), folder.path().join("key"));
        for text in ["", "secret", &"0".repeat(63), &"x".repeat(64)] {
            std::fs::write(&path, text).unwrap();
            let error = SigningKey::open(&store, &path).unwrap_err().to_string();
            assert!(error.contains("holds no key"), "{error}");
            assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
        }
        let error = SigningKey::open(&store, folder.path()).unwrap_err();
        assert!(matches!(error, SigningKeyError::File { .. }));
    }

    #[test]
    fn the_file_lies_beside_the_database_unless_it_is_named() {
        let file = |database: &str, named| key_file(&database.into(), named).display().to_string();
        assert_eq!(file("sqlite:a/b.db", None), "a/b.db.key");
        assert_eq!(file("postgres://host/name", None), "tabularium.key");
        assert_eq!(file("sqlite:b.db", Some(Path::new("c"))), "c");
    }
}
