//! Options that several commands share.

use std::path::PathBuf;

use crate::db::url::DatabaseUrl;
use crate::signing::keys::key_file;

/// Selects the database.
#[derive(Clone, Debug, clap::Args)]
pub struct DatabaseOption {
    /// The database: sqlite:FILE or postgres://USER:PASSWORD@HOST/NAME.
    #[arg(
        long,
        env = "DATABASE_URL",
        default_value = "sqlite:tabularium.db",
        hide_env_values = true
    )]
    pub database: DatabaseUrl,
}

/// Selects the signing key.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct KeyOption {
    /// The file of the signing key, which is created if missing.
    /// By default FILE.key next to an SQLite database, else tabularium.key.
    #[arg(long, env = "TABULARIUM_KEY", value_name = "FILE")]
    pub key: Option<PathBuf>,
}

impl KeyOption {
    /// Returns the file of the signing key for a database.
    pub fn file(&self, database: &DatabaseOption) -> PathBuf {
        key_file(&database.database, self.key.as_deref())
    }
}
