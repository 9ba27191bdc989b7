//! Copies a SQLite file while other connections read and write it.

use std::fs::File;
use std::path::Path;

use diesel::prelude::*;
use diesel::sql_types::Text;

use crate::db::backup::error::BackupError;
use crate::db::backup::manifest::folder_of;

/// Copies a SQLite database and returns the size of the copy in bytes.
/// The copy contains everything committed, including the write-ahead log. It is one complete file on disk that only its
/// owner can read; on failure there is no file.
pub(crate) fn copy(database: &str, copy: &Path) -> Result<u64, BackupError> {
    // SQLite would create a missing database. The file is not opened, because closing it would release the locks of all
    // connections of this process.
    std::fs::metadata(database).map_err(BackupError::file(Path::new(database)))?;
    let folder = folder_of(copy).ok_or_else(|| BackupError::NoFile(copy.display().to_string()))?;
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
