//! Errors of backups.

use std::path::Path;

use diesel::ConnectionError;

use crate::db::StoreError;

/// Why a backup was not made or not restored.
#[derive(Debug, thiserror::Error)]
pub enum BackupError {
    /// A file cannot be read or written.
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
    /// The database cannot be used.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// There is no complete backup.
    #[error(
        "{0} has no manifest, so it is not a complete backup: a backup is a file with a manifest FILE.json beside it"
    )]
    NoManifest(String),
    /// The folder has no backup.
    #[error("the folder {0} contains no backup with a manifest")]
    EmptyFolder(String),
    /// The backup is damaged, or does not fit.
    #[error("{0}")]
    Unusable(String),
}

impl BackupError {
    /// Returns a function that names the file of an error.
    pub(super) fn file(path: &Path) -> impl FnOnce(std::io::Error) -> BackupError {
        let path = path.display().to_string();
        move |source| BackupError::File { path, source }
    }
}
