//! A copy of a file of SQLite, made while others read and write it.

use std::fs::File;
use std::path::Path;

use diesel::prelude::*;
use diesel::sql_types::Text;

/// Why there is no copy.
#[derive(Debug, thiserror::Error)]
pub enum BackupError {
    /// There is nothing to copy, or the copy cannot be written.
    #[error("{path}: {source}")]
    File {
        /// The file.
        path: String,
        /// Why.
        source: std::io::Error,
    },
    /// There is no folder that the copy could be in.
    #[error("{0} names no file")]
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

/// Copies a file of SQLite (or what a `file:` URI of it names) with everything that is committed, also what is still in its write-ahead
/// log, and returns the size of the copy in bytes. The copy is one file, whole and on disk, or is
/// not there; it is for its owner only.
pub fn backup(database: &str, copy: &Path) -> Result<u64, BackupError> {
    if !database.starts_with("file:") {
        // SQLite would make a database that is not there.
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
        // SQLite leaves it to the system when the copy is written.
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
