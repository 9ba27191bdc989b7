//! `tabularium checkpoint`: signs the current logs of all games and leagues.

use std::sync::Arc;

use anyhow::Context;
use programs::DataOption;

use crate::cli::options::{DatabaseOption, KeyOption};
use crate::db::Store;
use crate::signing::keys::SigningKey;
use crate::signing::service::Signing;

/// Sign the current logs of all games and leagues; `serve` does it once a day.
///
/// Prints the newest checkpoint as JSON. If nothing was added since the last checkpoint, no new one is created.
///
/// Example: tabularium checkpoint --database sqlite:tabularium.db
#[derive(Debug, clap::Args)]
pub struct CheckpointCommand {
    #[command(flatten)]
    database: DatabaseOption,
    #[command(flatten)]
    data: DataOption,
    #[command(flatten)]
    key: KeyOption,
}

impl CheckpointCommand {
    /// Creates the checkpoint and prints the newest one.
    pub fn run(&self) -> anyhow::Result<()> {
        let url = &self.database.database;
        let store = Store::open(url).with_context(|| format!("cannot open {url}"))?;
        let key = SigningKey::open(&store, &self.key.file(&self.database))?;
        let signing = Signing::new(Arc::new(store), Some(key));
        if signing.make_checkpoint()?.is_none() {
            eprintln!("nothing was added since the last checkpoint");
        }
        let newest = signing.checkpoint(None)?;
        println!("{}", serde_json::to_string_pretty(&newest)?);
        Ok(())
    }
}
