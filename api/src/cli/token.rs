//! `tabularium token`: manages tokens of accounts, for operators.

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

/// Create, list or revoke tokens of accounts, such as that of the first administrator.
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
    /// Create a token and print it; this is the only time. If the account does not exist, create it.
    Create {
        #[command(flatten)]
        database: DatabaseOption,
        /// The handle of the account.
        #[arg(long)]
        handle: String,
        /// The scopes of the token.
        #[arg(long, value_enum, value_delimiter = ',', required = true)]
        scopes: Vec<Scope>,
        /// A name for the token, to recognize it in the list.
        #[arg(long, default_value = "operator", value_parser = names::normalize)]
        name: String,
        /// The lifetime, such as 30d or 12h; without it, the token does not expire.
        #[arg(long, value_parser = end)]
        expires: Option<Timestamp>,
    },
    /// List the active tokens of an account, without their secret texts, which are not stored.
    List {
        #[command(flatten)]
        database: DatabaseOption,
        /// The handle of the account.
        #[arg(long)]
        handle: String,
    },
    /// Revoke a token and all tokens created with it. A running server refuses them within 2 seconds.
    Revoke {
        #[command(flatten)]
        database: DatabaseOption,
        /// The id of the token, from the list.
        id: Uuid,
    },
}

impl Token {
    /// Creates, lists or revokes tokens.
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
                let existing = store.account_called(&handle)?;
                let account = match &existing {
                    Some(account) => account.clone(),
                    None => create_account(&handle)?,
                };
                let scopes = Scopes::from_iter(scopes);
                let end = expires.map(|end| end.as_microsecond());
                let (stored, text) = new_token(account.id, &name, scopes, end)?;
                match existing {
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
                let account = account
                    .with_context(|| format!("there is no account with the handle {handle:?}"))?;
                for token in store.tokens(account.id, None)? {
                    let time = |at: Option<i64>| at.map_or("never".to_owned(), time_text);
                    println!(
                        "{} {:?} {} since {}, used {}, expires {}",
                        token.id,
                        token.name,
                        token.scopes,
                        time_text(token.created_at),
                        time(token.last_used_at),
                        time(token.expires_at)
                    );
                }
            }
            TokenAction::Revoke { database, id } => {
                let now = Timestamp::now().as_microsecond();
                let revoked = open(&database)?.revoke_token(id, now)?;
                match revoked.len() {
                    0 => bail!("there is no token {id}, or it is already revoked"),
                    1 => println!("revoked {id}"),
                    all => println!("revoked {id} and {} created with it", all - 1),
                }
            }
        }
        Ok(())
    }
}

fn create_account(handle: &str) -> anyhow::Result<StoredAccount> {
    match check_handle(handle) {
        Ok(()) => Ok(new_account(handle)),
        Err(message) => bail!("{handle:?} cannot be a handle: {message}"),
    }
}

/// Parses a lifetime, and returns its end.
fn end(text: &str) -> Result<Timestamp, String> {
    let invalid =
        |_: jiff::Error| format!("{text:?} is not a lifetime: use a form such as 30d or 12h");
    let span: Span = text.parse().map_err(invalid)?;
    let now = Timestamp::now();
    let end = now.to_zoned(TimeZone::UTC).checked_add(span);
    let end = end.map_err(invalid)?.timestamp();
    match end > now {
        true => Ok(end),
        false => Err("the lifetime must be positive".to_owned()),
    }
}

fn open(database: &DatabaseOption) -> anyhow::Result<Store> {
    let url = &database.database;
    Store::open(url).with_context(|| format!("cannot open {url}"))
}
