//! Makes a backup.

use std::path::{Path, PathBuf};

use diesel::prelude::*;
use jiff::Timestamp;
use records::SecretKey;

use crate::db::StoreError;
use crate::db::backup::error::BackupError;
use crate::db::backup::manifest::{
    BackupManifest, DatabaseBackend, FORM, KeyEntry, count_rows, digest, key_copy, manifest_file,
    read_log_and_key, write_private,
};
use crate::db::backup::postgres::{Exported, export};
use crate::db::backup::sqlite;
use crate::db::connection::{AnyConnection, VERSION, last_migration};
use crate::db::url::{DatabaseKind, DatabaseUrl};

/// What to back up, and where to.
#[derive(Clone, Copy, Debug)]
pub struct BackupRequest<'a> {
    /// The database.
    pub database: &'a DatabaseUrl,
    /// The file to create.
    pub file: &'a Path,
    /// The file of the signing key, if it is included.
    pub key: Option<&'a Path>,
    /// Whether a server makes it by its schedule.
    pub scheduled: bool,
}

/// Returns the name of a backup that is made at a time, for a folder of backups.
pub fn file_name(database: &DatabaseUrl, at: Timestamp) -> Result<String, BackupError> {
    let end = match database.kind().map_err(StoreError::from)? {
        DatabaseKind::Sqlite(_) => "db",
        DatabaseKind::Postgres(_) => "rows.gz",
    };
    Ok(format!(
        "tabularium-{}.{end}",
        at.strftime("%Y%m%dT%H%M%SZ")
    ))
}

/// Makes a backup while servers may run. After a failure there is none of its files.
pub fn create(request: BackupRequest<'_>) -> Result<BackupManifest, BackupError> {
    let file = request.file;
    let all = [file.to_owned(), manifest_file(file), key_copy(file)];
    if let Some(taken) = all.iter().find(|path| path.exists()) {
        let error = std::io::Error::from(std::io::ErrorKind::AlreadyExists);
        return Err(BackupError::file(taken)(error));
    }
    create_files(request).inspect_err(|_| remove(&all))
}

/// Removes files that may not exist.
pub fn remove(files: &[PathBuf]) {
    for file in files {
        let _ = std::fs::remove_file(file);
    }
}

fn create_files(request: BackupRequest<'_>) -> Result<BackupManifest, BackupError> {
    let created_at = Timestamp::now();
    let file = request.file;
    let (database, exported) = match request.database.kind().map_err(StoreError::from)? {
        DatabaseKind::Sqlite(database) => {
            sqlite::copy(database, file)?;
            (DatabaseBackend::Sqlite, describe(file)?)
        }
        DatabaseKind::Postgres(url) => (DatabaseBackend::Postgres, export(url, file)?),
    };
    let (bytes, sha256) = digest(file)?;
    let manifest = BackupManifest {
        form: FORM,
        program: VERSION.to_owned(),
        migration: exported.migration,
        created_at,
        scheduled: request.scheduled,
        database,
        bytes,
        sha256,
        position: exported.position,
        signing_key: exported.signing_key,
        key: request.key.map(|key| copy_key(key, file)).transpose()?,
        rows: exported.rows,
    };
    manifest.write(file)?;
    Ok(manifest)
}

/// Reads the numbers of a copied SQLite database.
fn describe(copy: &Path) -> Result<Exported, BackupError> {
    let connection = SqliteConnection::establish(&copy.display().to_string())?;
    let connection = &mut AnyConnection::Sqlite(connection);
    let migration = last_migration(connection).ok_or(StoreError::Schema)?;
    let (position, signing_key) = read_log_and_key(connection)?;
    Ok(Exported {
        migration,
        position,
        signing_key,
        rows: count_rows(connection)?,
    })
}

/// Copies the signing key beside a backup.
fn copy_key(key: &Path, file: &Path) -> Result<KeyEntry, BackupError> {
    let content = std::fs::read(key).map_err(BackupError::file(key))?;
    let mut seed = [0; 32];
    hex::decode_to_slice(content.trim_ascii(), &mut seed).map_err(|_| {
        BackupError::Unusable(format!("{} does not contain a signing key", key.display()))
    })?;
    let copy = key_copy(file);
    write_private(&copy, &content)?;
    let (_, sha256) = digest(&copy)?;
    let id = SecretKey::from_seed(&seed).public().id();
    Ok(KeyEntry { id, sha256 })
}
