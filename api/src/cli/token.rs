//! `tabularium token`: tokens of accounts, for who runs the office.

use anyhow::{Context, bail};
use jiff::tz::TimeZone;
use jiff::{Span, Timestamp};
use uuid::Uuid;

use crate::accounts::names;
use crate::accounts::queries::StoredAccount;
use crate::accounts::service::{check_handle, new_account, new_token};
use crate::cli::options::DatabaseOption;
use crate::db::Store;
use crate::db::time::time_text;
use crate::http::scope::{Scope, Scopes};

/// Make, list or revoke tokens of accounts, such as the first administrator's.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  \
    tabularium token create --handle archon --scopes admin --expires 30d\n  \
    tabularium token list --handle archon\n  \
    tabularium token revoke 01a1fb07-c348-76e6-85fa-0634b6096fc3")]
pub struct Token {
    #[command(subcommand)]
    what: TokenAction,
}

#[derive(Debug, clap::Subcommand)]
enum TokenAction {
    /// Make a token, and the account when nobody is called so; print it, this once.
    Create {
        #[command(flatten)]
        database: DatabaseOption,
        /// Whose it is.
        #[arg(long)]
        handle: String,
        /// TokenAction it may be used for.
        #[arg(long, value_enum, value_delimiter = ',', required = true)]
        scopes: Vec<Scope>,
        /// TokenAction it is for.
        #[arg(long, default_value = "operator", value_parser = names::normalized)]
        name: String,
        /// After how long it is good for nothing, such as 30d or 12h; never when left out.
        #[arg(long, value_parser = end)]
        expires: Option<Timestamp>,
    },
    /// List the tokens of an account that were not revoked, without their texts, which are kept nowhere.
    List {
        #[command(flatten)]
        database: DatabaseOption,
        /// Whose they are.
        #[arg(long)]
        handle: String,
    },
    /// Revoke a token and those created with it. A running service refuses them within 2 seconds.
    Revoke {
        #[command(flatten)]
        database: DatabaseOption,
        /// The token's id, as the list tells it.
        id: Uuid,
    },
}

impl Token {
    /// Makes, lists or revokes.
    pub fn run(self) -> anyhow::Result<()> {
        match self.what {
            TokenAction::Create {
                database,
                handle,
                scopes,
                name,
                expires,
            } => {
                let store = open(&database)?;
                let there = store.account_called(&handle)?;
                let account = match &there {
                    Some(account) => account.clone(),
                    None => fresh(&handle)?,
                };
                let scopes = Scopes::from_iter(scopes);
                let end = expires.map(|end| end.as_microsecond());
                let (stored, text) = new_token(account.id, &name, scopes, end)?;
                match there {
                    Some(_) => {
                        store.create_token(stored, usize::MAX, None)?;
                    }
                    None => store.create_account(account, stored, None)?,
                }
                println!("{text}");
            }
            TokenAction::List { database, handle } => {
                let store = open(&database)?;
                let account = store.account_called(&handle)?;
                let account = account.with_context(|| format!("nobody is called {handle:?}"))?;
                for token in store.tokens(account.id)? {
                    let told = |at: Option<i64>| at.map_or("never".to_owned(), time_text);
                    println!(
                        "{} {:?} {} since {}, used {}, expires {}",
                        token.id,
                        token.name,
                        token.scopes,
                        time_text(token.created_at),
                        told(token.last_used_at),
                        told(token.expires_at)
                    );
                }
            }
            TokenAction::Revoke { database, id } => {
                let now = Timestamp::now().as_microsecond();
                let revoked = open(&database)?.revoke_token(id, now)?;
                match revoked.len() {
                    0 => bail!("there is no token {id}, or it was revoked before"),
                    1 => println!("revoked {id}"),
                    all => println!("revoked {id} and {} created with it", all - 1),
                }
            }
        }
        Ok(())
    }
}

fn fresh(handle: &str) -> anyhow::Result<StoredAccount> {
    match check_handle(handle) {
        Ok(()) => Ok(new_account(handle)),
        Err(message) => bail!("nobody can be called {handle:?}: {message}"),
    }
}

/// The moment that lies so far ahead.
fn end(text: &str) -> Result<Timestamp, String> {
    let span: Span = text
        .parse()
        .map_err(|error: jiff::Error| error.to_string())?;
    let now = Timestamp::now();
    let end = now.to_zoned(TimeZone::UTC).checked_add(span);
    let end = end.map_err(|error| error.to_string())?.timestamp();
    match end > now {
        true => Ok(end),
        false => Err("it must lie ahead".to_owned()),
    }
}

fn open(database: &DatabaseOption) -> anyhow::Result<Store> {
    let url = &database.database;
    Store::open(url).with_context(|| format!("cannot open {url}"))
}
