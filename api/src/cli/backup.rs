//! `tabularium backup`: copies an SQLite database.

use std::path::PathBuf;

use anyhow::bail;

use crate::cli::options::{DatabaseOption, KeyOption};
use crate::db::backup;
use crate::db::url::DatabaseKind;

/// Copy the database into a file, while the server may run.
///
/// The copy is a complete database. It is on disk when the command ends. An existing file is not overwritten. The
/// signing key is not in the copy: back up its file too, in another place.
///
/// Example: tabularium backup 2026-11-21.db --database sqlite:tabularium.db
#[derive(Debug, clap::Args)]
pub struct Backup {
    /// The file to create.
    file: PathBuf,
    #[command(flatten)]
    database: DatabaseOption,
    #[command(flatten)]
    key: KeyOption,
}

impl Backup {
    /// Creates the copy and reports to standard error.
    pub fn run(&self) -> anyhow::Result<()> {
        let DatabaseKind::Sqlite(database) = self.database.database.kind()? else {
            bail!(
                "this command copies SQLite databases only: back up PostgreSQL with its own tools, such as pg_dump"
            );
        };
        let size = backup::backup(database, &self.file)?;
        eprintln!("wrote {}, {size} bytes", self.file.display());
        let key = self.key.file(&self.database);
        eprintln!(
            "the signing key is not in the copy: back up {} too, in another place",
            key.display()
        );
        Ok(())
    }
}
