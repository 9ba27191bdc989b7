//! `tabularium keys`: the keys that sign.

use anyhow::Context;

use crate::cli::options::{DatabaseOption, KeyOption};
use crate::db::Store;
use crate::db::time::time_text;
use crate::signing::keys::rotate;

/// List the keys that sign, or make a new one.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  \
    tabularium keys list\n  \
    tabularium keys rotate --database sqlite:tabularium.db")]
pub struct KeysCommand {
    #[command(subcommand)]
    what: KeysAction,
}

#[derive(Debug, clap::Subcommand)]
enum KeysAction {
    /// List the public keys that sign or have signed, the oldest first.
    List {
        #[command(flatten)]
        database: DatabaseOption,
    },
    /// Put a new key in the place of the one in the key file.
    ///
    /// The old one is gone; its public part stays listed, so what it has signed can be checked for
    /// ever. A running service takes the new key up within seconds.
    Rotate {
        #[command(flatten)]
        database: DatabaseOption,
        #[command(flatten)]
        key: KeyOption,
    },
}

impl KeysCommand {
    /// Lists or rotates.
    pub fn run(&self) -> anyhow::Result<()> {
        match &self.what {
            KeysAction::List { database } => {
                for row in open(database)?.keys()? {
                    let since = time_text(row.created_at);
                    let until = match row.retired_at {
                        Some(at) => format!("retired {}", time_text(at)),
                        None => "signs".to_owned(),
                    };
                    println!("{} {} since {since}, {until}", row.id, row.public_key);
                }
            }
            KeysAction::Rotate { database, key } => {
                let (old, new) = rotate(&open(database)?, &key.file(database))?;
                if let Some(old) = old {
                    println!("retired {} {old}", old.id());
                }
                println!("signs   {} {new}", new.id());
            }
        }
        Ok(())
    }
}

fn open(database: &DatabaseOption) -> anyhow::Result<Store> {
    let url = &database.database;
    Store::open(url).with_context(|| format!("cannot open {url}"))
}
