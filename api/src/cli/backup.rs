//! `tabularium backup`: copies a database.

use std::path::{Path, PathBuf};

use jiff::Timestamp;

use crate::cli::options::{DatabaseOption, KeyOption};
use crate::db::backup::{BackupRequest, create, file_name, manifest_file};

/// Back up the database, while the server may run.
///
/// The backup is complete and on disk when the command ends: FILE, and its manifest FILE.json with the checksum of
/// FILE. Only their owner can read them. Nothing is overwritten. `tabularium restore` restores it; the backup of an
/// SQLite database can also be served as it is.
///
/// The signing key is included only on request: keep a copy of its file in another place.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  \
    tabularium backup --to /var/backups/tabularium\n  \
    tabularium backup --to before-upgrade.db --with-key --database sqlite:tabularium.db")]
pub struct Backup {
    /// The file to create, or an existing folder. In a folder, the file is named by the time.
    #[arg(long, value_name = "FILE|FOLDER")]
    to: PathBuf,
    /// Include the signing key as FILE.key. A reader of it can sign as this server.
    #[arg(long)]
    with_key: bool,
    #[command(flatten)]
    database: DatabaseOption,
    #[command(flatten)]
    key: KeyOption,
}

impl Backup {
    /// Makes the backup and reports to standard error.
    pub fn run(&self) -> anyhow::Result<()> {
        let database = &self.database.database;
        let file = match self.to.is_dir() {
            true => self.to.join(file_name(database, Timestamp::now())?),
            false => self.to.clone(),
        };
        let key = self.key.file(&self.database);
        let manifest = create(BackupRequest {
            database,
            file: &file,
            key: self.with_key.then_some(key.as_path()),
            scheduled: false,
        })?;
        eprintln!(
            "wrote {}, {} bytes: {} games, {} accounts, {} leagues",
            file.display(),
            manifest.bytes,
            manifest.rows("games"),
            manifest.rows("accounts"),
            manifest.rows("leagues")
        );
        eprintln!("wrote the manifest {}", manifest_file(&file).display());
        report_key(&key, manifest.key.is_some());
        Ok(())
    }
}

fn report_key(key: &Path, is_included: bool) {
    match is_included {
        true => eprintln!("the signing key is included: keep the backup secret"),
        false => eprintln!(
            "the signing key is not included: back up {} too, in another place",
            key.display()
        ),
    }
}
