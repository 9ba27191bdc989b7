//! Options that several commands share.

use std::path::PathBuf;

use crate::db::url::DatabaseUrl;
use crate::signing::keys::key_file;

/// Which database.
#[derive(Clone, Debug, clap::Args)]
pub struct DatabaseOption {
    /// Where the data are: sqlite:FILE or postgres://USER:PASSWORD@HOST/NAME.
    #[arg(
        long,
        env = "DATABASE_URL",
        default_value = "sqlite:tabularium.db",
        hide_env_values = true
    )]
    pub database: DatabaseUrl,
}

/// Which key signs.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct KeyOption {
    /// The file of the key that signs, made when it is missing; FILE.key beside a database of SQLite,
    /// else tabularium.key, when left out.
    #[arg(long, env = "TABULARIUM_KEY", value_name = "FILE")]
    pub key: Option<PathBuf>,
}

impl KeyOption {
    /// The file of the key that signs what is in a database.
    pub fn file(&self, database: &DatabaseOption) -> PathBuf {
        key_file(&database.database, self.key.as_deref())
    }
}
