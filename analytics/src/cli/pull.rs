//! `pull`: a dataset that somebody has published, into a folder of facts.

use std::path::PathBuf;

use analytics::dataset::{PullProgress, pull};
use anyhow::Chain;
use indicatif::{ProgressBar, ProgressStyle};

const EXAMPLE: &str = "Example:
  tabularium-analytics pull --from https://example.org/v1/datasets/antike-2026-11 --to facts
  tabularium-analytics measure nations --facts facts --board antike-east --nations 4";

/// Pull a published dataset into a folder that answers the same measures
///
/// What is there already is not asked for again, and what was cut off goes on where it stopped. Every file is held
/// to the SHA-256 that the dataset tells.
#[derive(clap::Args)]
#[command(after_help = EXAMPLE)]
pub struct Arguments {
    /// The address of the dataset: of its folder, or of its datapackage.json
    #[arg(long, value_name = "URL")]
    from: String,
    /// The folder, made when it is not there
    #[arg(long, value_name = "DIR")]
    to: PathBuf,
}

/// Runs the command.
///
/// # Errors
/// When the dataset cannot be had as a whole.
pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let bar = ProgressBar::new(0);
    let template = "{wide_bar} {bytes}/{total_bytes} {elapsed}, {eta} left";
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    let tell = |progress: PullProgress<'_>| match progress {
        PullProgress::Begins { bytes, files } => {
            bar.set_length(bytes);
            if bar.is_hidden() {
                eprintln!("{files} files of {bytes} bytes to come");
            }
        }
        PullProgress::Bytes(count) => bar.inc(count),
        PullProgress::Again(count) => bar.set_position(bar.position().saturating_sub(count)),
        PullProgress::Pause { error, pause } => {
            let seconds = pause.as_secs_f64();
            let causes: Vec<String> = Chain::new(error).map(ToString::to_string).collect();
            let message = format!("{}; again in {seconds:.1} seconds", causes.join(": "));
            bar.suspend(|| eprintln!("{message}"));
        }
    };
    let pulled = pull(&arguments.from, &arguments.to, tell)?;
    bar.finish_and_clear();
    let dataset = &pulled.dataset;
    println!(
        "{}: {} games up to {}, data {}; {} files of {} bytes came, {} were there: {}",
        dataset.name,
        dataset.games,
        dataset.log_position,
        dataset.version,
        pulled.files,
        pulled.bytes,
        dataset.resources.len() - pulled.files,
        arguments.to.display(),
    );
    for erratum in &dataset.errata {
        println!("erratum of {}: {}", erratum.at, erratum.text);
    }
    Ok(())
}
