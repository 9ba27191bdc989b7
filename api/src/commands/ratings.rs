//! `tabularium ratings`: computing ratings anew, and how good they are.

use std::sync::Arc;
use std::time::Instant;

use anyhow::Context;
use engine::content::Library;

use super::options::DatabaseOption;
use super::stored;
use crate::games::{Games, KINDS};
use crate::store::Store;

/// Compute ratings anew, or tell how well they foretell games.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  \
    tabularium ratings recompute --database sqlite:tabularium.db\n  \
    tabularium ratings forecast --database sqlite:tabularium.db")]
pub struct Ratings {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, clap::Subcommand)]
enum What {
    /// Compute all ratings anew from the first game on. It comes to the same, to the last digit; the service may
    /// run meanwhile, and shows those of before until it is done.
    Recompute {
        #[command(flatten)]
        database: DatabaseOption,
    },
    /// Tell how well ratings foretell who comes before whom in the second half of all rated games, each foretold
    /// from those before it, beside Elo's ratings and a coin: the mean of -ln of the probability that was given to
    /// what happened. Changes nothing.
    Forecast {
        #[command(flatten)]
        database: DatabaseOption,
    },
}

impl Ratings {
    /// Computes.
    pub fn run(&self) -> anyhow::Result<()> {
        match &self.what {
            What::Recompute { database } => {
                let url = &database.database;
                let store = Store::open(url).with_context(|| format!("cannot open {url}"))?;
                let library = Arc::new(Library::embedded().clone());
                let games = Games::open(Arc::new(store), library, None);
                let begun = Instant::now();
                let rated = games.recompute_ratings()?;
                eprintln!("{rated} games in {:.2} s", begun.elapsed().as_secs_f64());
            }
            What::Forecast { database } => {
                let games = stored::open(&database.database, Library::embedded())?;
                println!("kind     games   pairs  ratings  elo     coin");
                for kind in KINDS {
                    let (loss, games) = games.forecast(kind)?;
                    let [ratings, elo, coin] = loss.means();
                    println!(
                        "{:<8} {games:<7} {:<6} {ratings:.4}   {elo:.4}  {coin:.4}",
                        kind.name(),
                        loss.pairs
                    );
                }
            }
        }
        Ok(())
    }
}
