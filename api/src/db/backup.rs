//! Copies a SQLite file while other connections read and write it.

use std::fs::File;
use std::path::Path;

use diesel::prelude::*;
use diesel::sql_types::Text;

/// Why a backup failed.
#[derive(Debug, thiserror::Error)]
pub enum BackupError {
    /// The database file cannot be read, or the copy cannot be written.
    #[error("{path}: {source}")]
    File {
        /// The path.
        path: String,
        /// The error of the operating system.
        source: std::io::Error,
    },
    /// The path of the copy has no file name.
    #[error("the path of the copy, {0:?}, has no file name: give the path of a new file")]
    NoFile(String),
    /// The database cannot be opened.
    #[error("cannot open the database: {0}")]
    Open(#[from] ConnectionError),
    /// The database cannot be read, or the copy cannot be written.
    #[error("cannot copy the database: {0}")]
    Copy(#[from] diesel::result::Error),
}

impl BackupError {
    fn file(path: &Path) -> impl FnOnce(std::io::Error) -> BackupError {
        let path = path.display().to_string();
        move |source| BackupError::File { path, source }
    }
}

/// Copies a SQLite database and returns the size of the copy in bytes.
/// `database` is a path or a `file:` URI. The copy contains everything committed, including the write-ahead log. It
/// is one complete file on disk that only its owner can read; on failure there is no file.
pub fn backup(database: &str, copy: &Path) -> Result<u64, BackupError> {
    if !database.starts_with("file:") {
        // SQLite would create a missing database.
        File::open(database).map_err(BackupError::file(Path::new(database)))?;
    }
    let folder = match copy.parent() {
        Some(folder) if folder.as_os_str().is_empty() => Path::new("."),
        Some(folder) => folder,
        None => return Err(BackupError::NoFile(copy.display().to_string())),
    };
    if copy.exists() {
        let taken = std::io::Error::from(std::io::ErrorKind::AlreadyExists);
        return Err(BackupError::file(copy)(taken));
    }
    let beside = tempfile::Builder::new()
        .prefix(".backup")
        .tempfile_in(folder)
        .map_err(BackupError::file(folder))?;
    let mut connection = SqliteConnection::establish(database)?;
    diesel::sql_query("VACUUM INTO ?")
        .bind::<Text, _>(beside.path().to_string_lossy())
        .execute(&mut connection)?;
    let size = || -> std::io::Result<u64> {
        // SQLite does not wait until the copy is on disk.
        beside.as_file().sync_all()?;
        Ok(beside.as_file().metadata()?.len())
    };
    let size = size().map_err(BackupError::file(copy))?;
    beside
        .persist_noclobber(copy)
        .map_err(|error| BackupError::file(copy)(error.error))?;
    File::open(folder)
        .and_then(|folder| folder.sync_all())
        .map_err(BackupError::file(folder))?;
    Ok(size)
}
