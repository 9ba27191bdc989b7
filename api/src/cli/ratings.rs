//! `tabularium ratings`: how good ratings are.

use engine::content::Library;

use crate::cli::options::DatabaseOption;
use crate::cli::stored;
use crate::games::counts::KINDS;

/// Tell how well ratings foretell games.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example: tabularium ratings forecast --database sqlite:tabularium.db")]
pub struct RatingsCommand {
    #[command(subcommand)]
    what: RatingsAction,
}

#[derive(Debug, clap::Subcommand)]
enum RatingsAction {
    /// Tell how well ratings foretell who comes before whom in the second half of all rated games, each foretold
    /// from those before it, beside Elo's ratings and a coin: the mean of -ln of the probability that was given to
    /// what happened. Changes nothing.
    Forecast {
        #[command(flatten)]
        database: DatabaseOption,
    },
}

impl RatingsCommand {
    /// Computes.
    pub fn run(&self) -> anyhow::Result<()> {
        match &self.what {
            RatingsAction::Forecast { database } => {
                let ratings = stored::open(&database.database, Library::embedded())?.ratings;
                println!("kind     games   pairs  ratings  elo     coin");
                for kind in KINDS {
                    let (loss, games) = ratings.forecast(kind)?;
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
