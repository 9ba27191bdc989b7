//! `tabularium rebuild`: recomputes ratings, lists or facts from the logs.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use anyhow::{Context, anyhow};
use programs::DataOption;

use crate::cli::options::DatabaseOption;
use crate::db::Store;
use crate::db::projections::rebuild;
use crate::services::Services;
use crate::statistics::{Statistics, check_free, facts_folder};

/// Recompute ratings, lists or facts from the first game on.
///
/// Example: tabularium rebuild ratings --database sqlite:tabularium.db
#[derive(Debug, clap::Args)]
pub struct Rebuild {
    /// The data to recompute.
    #[arg(value_enum)]
    what: RebuiltProjection,
    #[command(flatten)]
    database: DatabaseOption,
    #[command(flatten)]
    data: DataOption,
    /// The folder of the facts. By default FILE.facts next to an SQLite database, else tabularium.facts.
    #[arg(long, env = "TABULARIUM_FACTS", value_name = "DIR")]
    facts: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum RebuiltProjection {
    /// The ratings of players. A server may run; it publishes the new ratings when they are complete.
    Ratings,
    /// The columns by which finished games are listed and searched. A server may run.
    Lists,
    /// The facts behind the statistics. No server may run.
    Facts,
}

impl RebuiltProjection {
    fn name(self) -> &'static str {
        match self {
            RebuiltProjection::Ratings => "ratings",
            RebuiltProjection::Lists => "lists",
            RebuiltProjection::Facts => "facts",
        }
    }
}

impl Rebuild {
    /// Recomputes the data.
    pub fn run(&self) -> anyhow::Result<()> {
        let url = &self.database.database;
        let store = Store::open(url).with_context(|| format!("cannot open {url}"))?;
        let library = Arc::new(self.data.library()?);
        let services = Services::open(Arc::new(store), library.clone(), None);
        let mut all = services.projections();
        if self.what == RebuiltProjection::Facts {
            let folder = facts_folder(url, self.facts.as_deref());
            check_free(&folder)?;
            let (_, facts) = Statistics::open(
                services.games,
                services.leagues.log.clone(),
                library,
                &folder,
            )?;
            all.push(facts);
        }
        let name = self.what.name();
        let found = all.into_iter().find(|projection| projection.name() == name);
        let mut projection =
            found.ok_or_else(|| anyhow!("the projection {name} does not exist"))?;
        let begun = Instant::now();
        rebuild(&mut *projection)?;
        eprintln!("{name}: rebuilt in {:.2} s", begun.elapsed().as_secs_f64());
        Ok(())
    }
}
