//! `publish`: writes facts as a dataset to cite and download; `erratum`: adds a correction to one.

use std::path::PathBuf;

use analytics::FactsStore;
use analytics::dataset::{self, Publication};
use analytics::question::AsOf;
use jiff::SignedDuration;

/// Facts that lag behind by more than this cause a warning.
const LAG: SignedDuration = SignedDuration::from_mins(2);

const EXAMPLE: &str = "Examples:
  tabularium-analytics publish --facts facts --to datasets --name antike-2026-11
  tabularium-analytics publish --facts tabularium.db.facts --to tabularium.db.datasets \\
      --name league-3 --as-of 120000 --title \"Third season\" --license CC0-1.0";

/// Publish facts as a dataset: Parquet, dictionary, checksums and a Data Package
///
/// The folder of the dataset appears only when it is complete, and never changes. Measures read it like any folder
/// of facts. The server lists the datasets in its folder at /v1/datasets.
#[derive(clap::Args)]
#[command(after_help = EXAMPLE)]
pub struct PublishCommand {
    /// Folder of facts
    #[arg(long, value_name = "DIR")]
    facts: PathBuf,
    /// Folder of datasets; the new dataset becomes a folder in it
    #[arg(long, value_name = "DIR")]
    to: PathBuf,
    /// Name of the dataset: lower-case letters, digits, points and hyphens
    #[arg(long)]
    name: String,
    /// Title, in a few words
    #[arg(long, default_value = "Games of Antike")]
    title: String,
    /// Description: what a reader must know
    #[arg(
        long,
        default_value = "What happened in finished games, as tables of facts."
    )]
    description: String,
    /// License, as an SPDX identifier
    #[arg(long, default_value = "CC-BY-4.0")]
    license: String,
    /// Publish only games recorded up to this offset in the log or this time; the default is all
    #[arg(long)]
    as_of: Option<AsOf>,
}

/// Runs the command.
///
/// # Errors
/// If the facts cannot be read or the dataset cannot be written.
pub fn run(arguments: &PublishCommand) -> anyhow::Result<()> {
    let published = dataset::publish(&Publication {
        facts: &FactsStore::new(&arguments.facts),
        to: &arguments.to,
        name: &arguments.name,
        title: &arguments.title,
        description: &arguments.description,
        license: &arguments.license,
        as_of: arguments.as_of,
    })?;
    // The server updates the time once a minute.
    let whole = published.complete_until;
    let lag = published.created.duration_since(whole);
    if arguments.as_of.is_none() && lag > LAG {
        eprintln!(
            "warning: games recorded after {whole} are not included, because the server had not added them yet"
        );
    }
    let bytes: u64 = published.resources.iter().map(|file| file.size).sum();
    println!(
        "{} games up to {} in {} files of {bytes} bytes, data {}: {}",
        published.games,
        published.log_position,
        published.resources.len(),
        published.version,
        arguments.to.join(&arguments.name).display(),
    );
    Ok(())
}

/// Add a correction to the description of a published dataset
///
/// The files of the dataset do not change: the text is added to its datapackage.json.
#[derive(clap::Args)]
pub struct AddErratum {
    /// Folder of the dataset
    #[arg(long, value_name = "DIR")]
    dataset: PathBuf,
    /// What is wrong, and what readers should do
    text: String,
}

/// Runs the command.
///
/// # Errors
/// If there is no dataset in the folder, or if its description cannot be written.
pub fn add(arguments: &AddErratum) -> anyhow::Result<()> {
    let dataset = dataset::add_erratum(&arguments.dataset, &arguments.text)?;
    println!("{} errata in {}", dataset.errata.len(), dataset.name);
    Ok(())
}
