//! `tabularium backup`: a copy of a file of SQLite.

use std::path::PathBuf;

use anyhow::bail;

use crate::cli::options::{DatabaseOption, KeyOption};
use crate::db::backup;
use crate::db::url::DatabaseKind;

/// Copy the database into a file, while the service runs.
///
/// The copy is a database like any other, whole and on disk when the command is done. A file that
/// is there already is not touched. The key that signs is not in it: keep a copy of that file too,
/// in another place.
///
/// Example: tabularium backup 2026-11-21.db --database sqlite:tabularium.db
#[derive(Debug, clap::Args)]
pub struct Backup {
    /// The file to make.
    file: PathBuf,
    #[command(flatten)]
    database: DatabaseOption,
    #[command(flatten)]
    key: KeyOption,
}

impl Backup {
    /// Makes the copy and reports to standard error.
    pub fn run(&self) -> anyhow::Result<()> {
        let DatabaseKind::Sqlite(database) = self.database.database.place()? else {
            bail!("PostgreSQL is backed up by its own tools, such as pg_dump");
        };
        let size = backup::backup(database, &self.file)?;
        eprintln!("wrote {}, {size} bytes", self.file.display());
        let key = self.key.file(&self.database);
        eprintln!(
            "the key that signs is not in it: copy {} too, to another place",
            key.display()
        );
        Ok(())
    }
}
