//! `tabularium restore`: restores a backup.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use programs::DataOption;

use crate::cli::options::{DatabaseOption, KeyOption};
use crate::cli::verify::Verify;
use crate::datasets::service::Datasets;
use crate::db::backup::manifest::DatabaseBackend;
use crate::db::backup::{
    BackupManifest, check, find, import, is_empty, remove_imported, restore_key, unpack,
};
use crate::db::durable;
use crate::db::url::{DatabaseKind, DatabaseUrl};
use crate::signing::keys::read_public_key;
use crate::statistics::facts_folder;

/// Restore a backup to a place where nothing is.
///
/// The checksums of the backup are compared, then every hash chain and signature is verified before the database is
/// put in its place. The command says what is missing, and what to do. Nothing is overwritten.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  \
    tabularium restore --from /var/backups/tabularium --to sqlite:restored.db\n  \
    tabularium restore --from backup.rows.gz --to postgres://me@localhost/empty")]
pub struct Restore {
    /// The file of the backup, or a folder, of which the newest backup is restored.
    #[arg(long, value_name = "FILE|FOLDER")]
    from: PathBuf,
    /// The new database: sqlite:FILE, or the URL of an empty PostgreSQL database.
    #[arg(long, value_name = "DATABASE")]
    to: DatabaseUrl,
    /// Restore even if the verification finds damage.
    #[arg(long)]
    accept_damage: bool,
    #[command(flatten)]
    data: DataOption,
    #[command(flatten)]
    key: KeyOption,
}

impl Restore {
    /// Restores the backup and reports to standard error.
    pub fn run(&self) -> anyhow::Result<()> {
        let (file, manifest) = find(&self.from)?;
        check(&file, &manifest)?;
        let database = DatabaseOption {
            database: self.to.clone(),
        };
        let key = self.key.file(&database);
        let has_key = self.check_key(&key, &manifest)?;
        match (self.to.kind()?, manifest.database) {
            (DatabaseKind::Sqlite(to), DatabaseBackend::Sqlite) => {
                self.restore_file(&file, &manifest, Path::new(to))?;
            }
            (DatabaseKind::Postgres(url), DatabaseBackend::Postgres) => {
                self.restore_rows(&file, &manifest, url)?;
            }
            (_, DatabaseBackend::Sqlite) => {
                bail!("the backup is of a SQLite database: give --to sqlite:FILE")
            }
            (_, DatabaseBackend::Postgres) => {
                bail!("the backup is of a PostgreSQL database: give --to postgres://…")
            }
        }
        if manifest.key.is_some() && !has_key {
            restore_key(&file, &key)?;
        }
        eprintln!(
            "restored {} games, {} accounts and {} leagues of {} to {}",
            manifest.rows("games"),
            manifest.rows("accounts"),
            manifest.rows("leagues"),
            manifest.created_at,
            self.to
        );
        self.report_missing(&manifest, &key);
        Ok(())
    }

    /// Returns whether the file of the signing key already has the key of the backup.
    fn check_key(&self, path: &Path, manifest: &BackupManifest) -> anyhow::Result<bool> {
        let present = read_public_key(path)?.map(|key| key.id());
        match (&present, &manifest.key) {
            (Some(present), Some(key)) if *present != key.id => bail!(
                "{} has another key, {present}, than the backup, {}: nothing is overwritten; give another file with --key",
                path.display(),
                key.id
            ),
            _ => Ok(present.is_some()),
        }
    }

    fn restore_file(
        &self,
        file: &Path,
        manifest: &BackupManifest,
        to: &Path,
    ) -> anyhow::Result<()> {
        for end in ["", "-wal", "-shm", "-journal"] {
            let mut path = to.as_os_str().to_owned();
            path.push(end);
            if Path::new(&path).exists() {
                bail!(
                    "{} exists, and nothing is overwritten: give the path of a new file",
                    path.display()
                );
            }
        }
        let unpacked = unpack(file, manifest, to)?;
        self.verify(&format!("sqlite:{}", unpacked.display()).into())?;
        durable::create(unpacked, to).with_context(|| format!("cannot create {}", to.display()))
    }

    fn restore_rows(
        &self,
        file: &Path,
        manifest: &BackupManifest,
        url: &str,
    ) -> anyhow::Result<()> {
        if !is_empty(url)? {
            bail!(
                "the database has tables already, and nothing is overwritten: create an empty one with createdb"
            );
        }
        import(url, file, manifest)?;
        if let Err(error) = self.verify(&self.to) {
            remove_imported(url)?;
            return Err(error);
        }
        Ok(())
    }

    /// Verifies all hash chains and signatures.
    fn verify(&self, database: &DatabaseUrl) -> anyhow::Result<()> {
        match Verify::of_database(database.clone(), self.data.clone()).run() {
            Err(error) if self.accept_damage => {
                eprintln!("restored in spite of damage: {error:#}");
                Ok(())
            }
            Err(error) => Err(error).context(
                "the backup is damaged, so it was not restored: use another one, or restore it with --accept-damage",
            ),
            Ok(()) => Ok(()),
        }
    }

    fn report_missing(&self, manifest: &BackupManifest, key: &Path) {
        let present = read_public_key(key).ok().flatten().map(|key| key.id());
        match (&manifest.signing_key, present) {
            (Some(id), None) => eprintln!(
                "missing: the signing key {id}. Copy its file to {} before the first start. If it is lost, the first \
                 start creates a new key: existing signatures stay valid, and new records are signed with the new key",
                key.display()
            ),
            (Some(id), Some(present)) if *id != present => eprintln!(
                "missing: the signing key {id}; {} has the key {present}, which signs from now on",
                key.display()
            ),
            (_, Some(present)) => eprintln!("the signing key {present} is in {}", key.display()),
            (None, None) => {}
        }
        let facts = facts_folder(&self.to, None);
        eprintln!(
            "missing: the facts of statistics, which are in no backup. The server computes them from the games after \
             its start"
        );
        eprintln!(
            "missing: published datasets, which are files: copy them to {} from your own copy, if you published any",
            Datasets::beside(&facts).folder().display()
        );
        if manifest.rows("work") + manifest.rows("deliveries") > 0 {
            eprintln!(
                "work that was pending at the time of the backup, such as bots' turns and webhook deliveries, is done \
                 when the database is served"
            );
        }
    }
}
