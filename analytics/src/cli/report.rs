//! `report`: writes one HTML page about the games in facts.

use std::path::PathBuf;

use analytics::{FactsStore, Filters, NATIONS, ReportSource, report};
use anyhow::Context;
use programs::library;

const EXAMPLE: &str = "Examples:
  tabularium-analytics report --facts facts --out report.html
  tabularium-analytics report --facts facts --title 'Spring season 2026' --league spring-2026 \\
      --since 2026-03-01 --until 2026-06-01 --out report.html
  tabularium-analytics report --facts facts --bots only --halves first second --out balance.html";

/// Write an HTML page about the games in facts: pictures with intervals, and how to cite them
///
/// The page lists the statistically significant rates of all formats, and compares the players of each format, such
/// as bots of different strengths.
///
/// The page is one file without scripts that loads nothing: it can be published on any site, printed or sent. The
/// same facts produce the same page.
#[derive(clap::Args)]
#[command(after_help = EXAMPLE)]
pub struct ReportCommand {
    /// Folder of facts
    #[arg(long, value_name = "DIR")]
    facts: PathBuf,
    /// Two folders with the facts of one half of the games each, to compare the halves
    #[arg(long, num_args = 2, value_name = "DIR")]
    halves: Vec<PathBuf>,
    /// File to write
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Title of the page
    #[arg(long, default_value = "Statistics of the games")]
    title: String,
    /// Folder with additional boards and rulesets (DIR/boards, DIR/rulesets)
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    #[command(flatten)]
    filters: Filters,
}

/// Runs the command.
///
/// # Errors
/// If a filter is refused, the facts cannot be read or the page cannot be written.
pub fn run(arguments: &ReportCommand) -> anyhow::Result<()> {
    let library = library(arguments.data.as_deref())?;
    NATIONS.check(&arguments.filters, &library, None)?;
    let halves = match &arguments.halves[..] {
        [first, second] => Some([first, second].map(FactsStore::new)),
        _ => None,
    };
    let source = ReportSource {
        facts: &FactsStore::new(&arguments.facts),
        halves: halves.as_ref(),
        library: &library,
        filters: &arguments.filters,
    };
    let page = report(&source, &arguments.title)?;
    std::fs::write(&arguments.out, page).with_context(|| arguments.out.display().to_string())
}
