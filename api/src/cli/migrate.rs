//! `tabularium migrate`: updates the schema of a database.

use crate::cli::options::DatabaseOption;
use crate::db as store;

/// Update the schema of a database; `serve` does it too.
///
/// Example: tabularium migrate --database sqlite:tabularium.db
#[derive(Debug, clap::Args)]
pub struct Migrate {
    #[command(flatten)]
    database: DatabaseOption,
}

impl Migrate {
    /// Migrates and prints the applied migrations.
    pub fn run(self) -> anyhow::Result<()> {
        let versions = store::migrate(&self.database.database)?;
        for version in &versions {
            println!("migrated {version}");
        }
        if versions.is_empty() {
            println!("up to date");
        }
        Ok(())
    }
}
