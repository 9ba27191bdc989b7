//! `publish`: facts as a dataset that others can cite and download; `erratum`: what was found to be wrong in one.

use std::path::PathBuf;

use analytics::Store;
use analytics::dataset::{self, Publication};
use analytics::question::AsOf;
use jiff::SignedDuration;

/// How far behind facts may be before somebody is told.
const LAG: SignedDuration = SignedDuration::from_mins(2);

const EXAMPLE: &str = "Examples:
  tabularium-analytics publish --facts facts --to datasets --name antike-2026-11
  tabularium-analytics publish --facts tabularium.db.facts --to tabularium.db.datasets \\
      --name league-3 --as-of 120000 --title \"Third season\" --license CC0-1.0";

/// Publish facts as a dataset: Parquet, dictionary, checksums and a Data Package
///
/// Its folder appears as a whole, answers measures like any folder of facts, and never changes. The service hands
/// out the datasets in its folder at /v1/datasets.
#[derive(clap::Args)]
#[command(after_help = EXAMPLE)]
pub struct Arguments {
    /// The folder of facts
    #[arg(long, value_name = "DIR")]
    facts: PathBuf,
    /// The folder of datasets, in which this one gets a folder by its name
    #[arg(long, value_name = "DIR")]
    to: PathBuf,
    /// Its name: small letters, digits, points and hyphens
    #[arg(long)]
    name: String,
    /// What it is, in a few words
    #[arg(long, default_value = "Games of Antike")]
    title: String,
    /// What a reader has to know of it
    #[arg(
        long,
        default_value = "What happened in finished games, as tables of facts."
    )]
    description: String,
    /// The terms of use, by their identifier in SPDX
    #[arg(long, default_value = "CC-BY-4.0")]
    license: String,
    /// Up to which place in the log or which time; all of the facts when left out
    #[arg(long)]
    as_of: Option<AsOf>,
}

/// Runs the command.
///
/// # Errors
/// When the facts cannot be read or the dataset cannot be written.
pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let published = dataset::publish(&Publication {
        facts: &Store::new(&arguments.facts),
        to: &arguments.to,
        name: &arguments.name,
        title: &arguments.title,
        description: &arguments.description,
        license: &arguments.license,
        as_of: arguments.as_of,
    })?;
    // The service writes once a minute.
    let whole = published.whole_until;
    let lag = published.created.duration_since(whole);
    if arguments.as_of.is_none() && lag > LAG {
        eprintln!(
            "games that were recorded after {whole} are not in it: the service had not gathered them"
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

/// Tell what was found to be wrong in a published dataset
///
/// Its files stay as they are: the text goes into its datapackage.json, where everybody finds it.
#[derive(clap::Args)]
pub struct AddErratum {
    /// The folder of the dataset
    #[arg(long, value_name = "DIR")]
    dataset: PathBuf,
    /// What is wrong, and what to do about it
    text: String,
}

/// Runs the command.
///
/// # Errors
/// When there is no dataset, or its description cannot be written.
pub fn tell(arguments: &AddErratum) -> anyhow::Result<()> {
    let told = dataset::add_erratum(&arguments.dataset, &arguments.text)?;
    println!("{} errata of {}", told.errata.len(), told.name);
    Ok(())
}
