//! The manifest of a backup, and the rows that both databases can count.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

use diesel::prelude::*;
use diesel::sql_types::BigInt;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::db::backup::error::BackupError;
use crate::db::connection::AnyConnection;
use crate::db::durable;
use crate::db::schema::{keys, log_end};

/// The form of the manifest and of the files that it describes.
pub const FORM: u32 = 1;

/// All tables, in an order in which their rows can be inserted: a row refers only to earlier tables.
pub const TABLES: [&str; 50] = [
    "games",
    "seats",
    "chats",
    "biddings",
    "messages",
    "annotations",
    "game_players",
    "events",
    "log_end",
    "invitation_codes",
    "idempotency_keys",
    "keys",
    "checkpoints",
    "tlog_leaves",
    "tlog_hashes",
    "tlog_head",
    "accounts",
    "apps",
    "app_grants",
    "authorization_codes",
    "refresh_tokens",
    "device_codes",
    "tokens",
    "passwords",
    "passkeys",
    "passkey_ceremonies",
    "recovery_codes",
    "sessions",
    "mail_addresses",
    "mail_tokens",
    "notice_choices",
    "push_key",
    "push_subscriptions",
    "notices",
    "leagues",
    "league_events",
    "league_games",
    "league_registrations",
    "ratings",
    "rating_changes",
    "ratings_shown",
    "webhooks",
    "deliveries",
    "administrator_acts",
    "reports",
    "work",
    "projections",
    "probe",
    "program",
    "nodes",
];

/// The database system of a backup.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DatabaseBackend {
    /// A SQLite file.
    Sqlite,
    /// PostgreSQL.
    Postgres,
}

/// A description of a backup, which is stored beside it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BackupManifest {
    /// See [`FORM`].
    pub form: u32,
    /// The version of the program that made it.
    pub program: String,
    /// The last migration of the database.
    pub migration: String,
    /// When it was begun.
    pub created_at: Timestamp,
    /// Whether a server made it by its schedule, so that it is deleted when there are enough newer ones.
    pub scheduled: bool,
    /// The kind of the database.
    pub database: DatabaseBackend,
    /// The size of the file in bytes.
    pub bytes: u64,
    /// The SHA-256 of the file, in hexadecimal digits.
    pub sha256: String,
    /// The position of the last event in the log of all games.
    pub position: i64,
    /// The id of the key that signs; `None` before the first start of a server.
    pub signing_key: Option<String>,
    /// The signing key in the backup; `None` if it is not included.
    pub key: Option<KeyEntry>,
    /// The number of rows of each table.
    pub rows: BTreeMap<String, u64>,
}

/// A signing key in a backup.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeyEntry {
    /// The id of the key.
    pub id: String,
    /// The SHA-256 of its file, in hexadecimal digits.
    pub sha256: String,
}

impl BackupManifest {
    /// Returns the number of rows of a table.
    pub fn rows(&self, table: &str) -> u64 {
        self.rows.get(table).copied().unwrap_or(0)
    }

    /// Reads the manifest of a backup.
    pub fn read(file: &Path) -> Result<BackupManifest, BackupError> {
        let path = manifest_file(file);
        let text = std::fs::read(&path).map_err(|error| match error.kind() {
            std::io::ErrorKind::NotFound => BackupError::NoManifest(file.display().to_string()),
            _ => BackupError::file(&path)(error),
        })?;
        let manifest: BackupManifest = serde_json::from_slice(&text).map_err(|error| {
            BackupError::Unusable(format!("{} is damaged: {error}", path.display()))
        })?;
        match manifest.form {
            FORM => Ok(manifest),
            form => Err(BackupError::Unusable(format!(
                "{} has the form {form}, which this version of the program cannot read: restore it with version {} or \
                 a later one",
                path.display(),
                manifest.program
            ))),
        }
    }

    /// Writes the manifest of a backup.
    pub fn write(&self, file: &Path) -> Result<(), BackupError> {
        let mut text = serde_json::to_vec_pretty(self)
            .map_err(|error| BackupError::Unusable(error.to_string()))?;
        text.push(b'\n');
        write_private(&manifest_file(file), &text)
    }
}

/// Returns the manifest's file of a backup.
pub fn manifest_file(file: &Path) -> PathBuf {
    file.with_added_extension("json")
}

/// Returns the file of the signing key of a backup.
pub fn key_copy(file: &Path) -> PathBuf {
    file.with_added_extension("key")
}

/// Returns the complete backups of a folder, the oldest first.
pub fn complete_backups(folder: &Path) -> Result<Vec<(PathBuf, BackupManifest)>, BackupError> {
    let entries = std::fs::read_dir(folder).map_err(BackupError::file(folder))?;
    let manifests = entries.filter_map(|entry| {
        let path = entry.ok()?.path();
        let file = path.with_extension("");
        (path.extension()? == "json").then_some(file)
    });
    // Other JSON files, and manifests of other forms, are not backups for this program.
    let complete = manifests.filter_map(|file| {
        let manifest = BackupManifest::read(&file).ok()?;
        file.exists().then_some((file, manifest))
    });
    let mut complete: Vec<(PathBuf, BackupManifest)> = complete.collect();
    complete.sort_by_key(|(_, manifest)| manifest.created_at);
    Ok(complete)
}

/// Writes a new file that only its owner can read, and waits until it is on disk.
pub fn write_private(path: &Path, content: &[u8]) -> Result<(), BackupError> {
    let write = || -> std::io::Result<()> {
        let folder = durable::folder_of(path).unwrap_or(Path::new("."));
        let mut file = tempfile::NamedTempFile::new_in(folder)?;
        file.write_all(content)?;
        durable::create(file.into_temp_path(), path)
    };
    write().map_err(BackupError::file(path))
}

/// Returns the size and the SHA-256 of a file.
pub fn digest(path: &Path) -> Result<(u64, String), BackupError> {
    let read = || -> std::io::Result<(u64, String)> {
        let mut hash = Sha256::new();
        let size = std::io::copy(&mut File::open(path)?, &mut hash)?;
        Ok((size, hex::encode(hash.finalize())))
    };
    read().map_err(BackupError::file(path))
}

#[derive(QueryableByName)]
struct RowCount {
    #[diesel(sql_type = BigInt)]
    count: i64,
}

/// Counts the rows of each table.
pub fn count_rows(connection: &mut AnyConnection) -> QueryResult<BTreeMap<String, u64>> {
    let count = |table: &str| {
        let query = diesel::sql_query(format!("SELECT count(*) AS count FROM {table}"));
        let RowCount { count } = query.get_result(connection)?;
        Ok((table.to_owned(), u64::try_from(count).unwrap_or(0)))
    };
    TABLES.into_iter().map(count).collect()
}

/// Returns the last position of the log of all games, and the id of the newest key that signs.
pub fn read_log_and_key(connection: &mut AnyConnection) -> QueryResult<(i64, Option<String>)> {
    let position = log_end::table.find(1).select(log_end::position);
    let key = keys::table
        .filter(keys::retired_at.is_null())
        .order(keys::created_at.desc())
        .select(keys::id);
    Ok((
        position.first(connection)?,
        key.first(connection).optional()?,
    ))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use diesel::sql_types::Text;

    use super::*;
    use crate::db::connection::migrate;

    #[derive(QueryableByName)]
    struct Name {
        #[diesel(sql_type = Text)]
        name: String,
    }

    #[test]
    fn a_backup_has_every_table() {
        let mut connection =
            AnyConnection::Sqlite(SqliteConnection::establish(":memory:").unwrap());
        migrate(&mut connection).unwrap();
        let all = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_\\_%' ESCAPE '\\' \
                   AND name NOT LIKE 'sqlite%'";
        let names: Vec<Name> = diesel::sql_query(all).load(&mut connection).unwrap();
        let names: BTreeSet<&str> = names.iter().map(|row| row.name.as_str()).collect();
        assert_eq!(names, TABLES.into_iter().collect());
        assert_eq!(count_rows(&mut connection).unwrap()["log_end"], 1);
    }
}
