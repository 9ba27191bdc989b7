//! `tabularium migrate`: brings a database's schema up to date.

use crate::store;

/// Bring a database's schema up to date; `serve` does it too.
///
/// Example: tabularium migrate --database sqlite:tabularium.db
#[derive(Debug, clap::Args)]
pub struct Migrate {
    /// Where the data are: sqlite:FILE or postgres://USER:PASSWORD@HOST/NAME.
    #[arg(
        long,
        env = "DATABASE_URL",
        default_value = "sqlite:tabularium.db",
        hide_env_values = true
    )]
    database: String,
}

impl Migrate {
    /// Migrates and prints what was run.
    ///
    /// # Errors
    /// When the database cannot be opened or migrated.
    pub fn run(self) -> anyhow::Result<()> {
        let versions = store::migrate(&self.database)?;
        for version in &versions {
            println!("migrated {version}");
        }
        if versions.is_empty() {
            println!("up to date");
        }
        Ok(())
    }
}
