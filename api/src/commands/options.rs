//! Options that several commands share.

use std::path::PathBuf;

use engine::content::{Library, LoadError};

use crate::database_url::DatabaseUrl;
use crate::office::key_file;
use crate::server::library;

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

/// Which boards and rulesets.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct DataOption {
    /// A folder with boards/*.json and rulesets/*.json of your own.
    #[arg(long, env = "TABULARIUM_DATA")]
    pub data: Option<PathBuf>,
}

impl DataOption {
    /// The boards and rulesets of the engine and of the folder.
    ///
    /// # Errors
    /// When a file of the folder cannot be used.
    pub fn library(&self) -> Result<Library, LoadError> {
        library(self.data.as_ref())
    }
}
