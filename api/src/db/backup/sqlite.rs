//! Copies a SQLite file while other connections read and write it.

use std::path::Path;

use diesel::prelude::*;
use diesel::sql_types::Text;

use crate::db::backup::error::BackupError;
use crate::db::durable;

/// Copies a SQLite database and returns the size of the copy in bytes.
/// The copy contains everything committed, including the write-ahead log. It is one complete file on disk that only its
/// owner can read; on failure there is no file.
pub(crate) fn copy(database: &str, copy: &Path) -> Result<u64, BackupError> {
    // SQLite would create a missing database. The file is not opened, because closing it would release the locks of all
    // connections of this process.
    std::fs::metadata(database).map_err(BackupError::file(Path::new(database)))?;
    let folder =
        durable::folder_of(copy).ok_or_else(|| BackupError::NoFile(copy.display().to_string()))?;
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
    let size = beside.as_file().metadata();
    let size = size.map_err(BackupError::file(copy))?.len();
    durable::create(beside.into_temp_path(), copy).map_err(BackupError::file(copy))?;
    Ok(size)
}
