//! `tabularium keys`: lists and replaces signing keys.

use anyhow::Context;

use crate::cli::options::{DatabaseOption, KeyOption};
use crate::db::Store;
use crate::db::time::time_text;
use crate::signing::keys::rotate;

/// List the signing keys, or replace the current one.
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
    /// List the public keys of all current and former signing keys, oldest first.
    List {
        #[command(flatten)]
        database: DatabaseOption,
    },
    /// Replace the signing key in the key file by a new one.
    ///
    /// The old private key is deleted. Its public key stays listed, so existing signatures can always be checked. A
    /// running server uses the new key within seconds.
    Rotate {
        #[command(flatten)]
        database: DatabaseOption,
        #[command(flatten)]
        key: KeyOption,
    },
}

impl KeysCommand {
    /// Lists or replaces the keys.
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
