//! Restores a backup into a place where nothing is.

use std::fs::File;
use std::path::{Path, PathBuf};

use diesel::connection::SimpleConnection;
use diesel::prelude::*;
use tempfile::TempPath;

use crate::db::backup::error::BackupError;
use crate::db::backup::manifest::{
    BackupManifest, complete_backups, count_rows, digest, key_copy, write_private,
};
use crate::db::backup::postgres;
use crate::db::connection::{
    AnyConnection, VERSION, is_newer, last_migration, migrate, migrate_until, remove_schema,
};
use crate::db::durable;

/// Forgets what belongs to the nodes that ran when the backup was made.
const FORGET_NODES: &str =
    "DELETE FROM nodes; UPDATE work SET owner = NULL, leased_until = 0 WHERE owner IS NOT NULL";

/// Finds a backup: the file itself, or the newest one of a folder.
pub fn find(from: &Path) -> Result<(PathBuf, BackupManifest), BackupError> {
    if from.is_dir() {
        let newest = complete_backups(from)?.pop();
        return newest.ok_or_else(|| BackupError::EmptyFolder(from.display().to_string()));
    }
    File::open(from).map_err(BackupError::file(from))?;
    Ok((from.to_owned(), BackupManifest::read(from)?))
}

/// Compares the files of a backup with its manifest, and the version of its program with this one.
pub fn check(file: &Path, manifest: &BackupManifest) -> Result<(), BackupError> {
    if is_newer(&manifest.program) {
        return Err(BackupError::Unusable(format!(
            "the backup was made by version {}, and this is version {VERSION}: restore it with version {} or a later one",
            manifest.program, manifest.program
        )));
    }
    let differs = |path: &Path| {
        BackupError::Unusable(format!(
            "{} is not the file that the manifest describes: its checksum differs, so it was damaged or changed; \
             use another backup",
            path.display()
        ))
    };
    if digest(file)? != (manifest.bytes, manifest.sha256.clone()) {
        return Err(differs(file));
    }
    let key_path = key_copy(file);
    match &manifest.key {
        Some(key) if digest(&key_path)?.1 != key.sha256 => Err(differs(&key_path)),
        _ => Ok(()),
    }
}

/// Compares the rows of a restored database with the manifest.
fn check_rows(
    connection: &mut AnyConnection,
    manifest: &BackupManifest,
) -> Result<(), BackupError> {
    let restored = count_rows(connection)?;
    let differing =
        (manifest.rows.iter()).find(|(table, rows)| restored.get(*table) != Some(*rows));
    match differing {
        None => Ok(()),
        Some((table, rows)) => Err(BackupError::Unusable(format!(
            "the table {table} has {} rows, and the manifest lists {rows}: the backup is damaged",
            restored.get(table).unwrap_or(&0)
        ))),
    }
}

/// Copies the SQLite database of a backup to a temporary file beside `to`.
/// The copy is migrated to the schema of this program.
pub fn unpack(file: &Path, manifest: &BackupManifest, to: &Path) -> Result<TempPath, BackupError> {
    let folder =
        durable::folder_of(to).ok_or_else(|| BackupError::NoFile(to.display().to_string()))?;
    let beside = tempfile::NamedTempFile::new_in(folder).map_err(BackupError::file(folder))?;
    let mut opened = File::open(file).map_err(BackupError::file(file))?;
    std::io::copy(&mut opened, &mut beside.as_file()).map_err(BackupError::file(to))?;
    let beside = beside.into_temp_path();
    let connection = SqliteConnection::establish(&beside.display().to_string())?;
    let mut connection = AnyConnection::Sqlite(connection);
    check_rows(&mut connection, manifest)?;
    migrate(&mut connection)?;
    connection.batch_execute(FORGET_NODES)?;
    Ok(beside)
}

/// Returns true if a PostgreSQL database has no schema of the program.
pub fn is_empty(url: &str) -> Result<bool, BackupError> {
    Ok(last_migration(&mut postgres::connect(url)?).is_none())
}

/// Creates the schema in an empty PostgreSQL database and inserts the rows of a backup.
/// After a failure the database is empty again.
pub fn import(url: &str, file: &Path, manifest: &BackupManifest) -> Result<(), BackupError> {
    let connection = &mut postgres::connect(url)?;
    let mut insert = || -> Result<(), BackupError> {
        migrate_until(connection, &manifest.migration)?;
        postgres::import(connection, file)?;
        check_rows(connection, manifest)?;
        migrate(connection)?;
        connection.batch_execute(FORGET_NODES)?;
        Ok(())
    };
    let inserted = insert();
    if inserted.is_err() {
        remove_imported(url)?;
    }
    inserted
}

/// Removes all tables from a PostgreSQL database into which a backup was imported.
pub fn remove_imported(url: &str) -> Result<(), BackupError> {
    Ok(remove_schema(&mut postgres::connect(url)?)?)
}

/// Copies the signing key of a backup to its place.
pub fn restore_key(file: &Path, to: &Path) -> Result<(), BackupError> {
    let path = key_copy(file);
    let content = std::fs::read(&path).map_err(BackupError::file(&path))?;
    write_private(to, &content)
}
