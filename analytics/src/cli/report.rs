//! `report`: one page on the games of some facts.

use std::path::PathBuf;

use analytics::{Filters, NATIONS, ReportSource, Store, report};
use anyhow::Context;
use programs::library;

const EXAMPLE: &str = "Examples:
  tabularium-analytics report --facts facts --out report.html
  tabularium-analytics report --facts facts --title 'Spring season 2026' --league spring-2026 \\
      --since 2026-03-01 --until 2026-06-01 --out report.html
  tabularium-analytics report --facts facts --bots only --halves first second --out balance.html";

/// Write a page on the games of facts: pictures with intervals, how to cite them and to find the numbers again
///
/// It lists the rates of all kinds of games that are statistically significant, and compares those who played each kind,
/// such as bots of several strengths.
///
/// The page is one file, without scripts, that loads nothing and can be put on any site, printed or sent. The same
/// facts give the same page.
#[derive(clap::Args)]
#[command(after_help = EXAMPLE)]
pub struct Arguments {
    /// The folder of facts
    #[arg(long, value_name = "DIR")]
    facts: PathBuf,
    /// The folders of the facts of two halves of the games, to see whether both tell the same
    #[arg(long, num_args = 2, value_name = "DIR")]
    halves: Vec<PathBuf>,
    /// The file to write
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// What the page is called
    #[arg(long, default_value = "What the games tell")]
    title: String,
    /// A folder with further boards and rulesets (DIR/boards, DIR/rulesets)
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    #[command(flatten)]
    filters: Filters,
}

/// Runs the command.
///
/// # Errors
/// When a filter is refused, the facts cannot be read or the page cannot be written.
pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let library = library(arguments.data.as_deref())?;
    NATIONS.check(&arguments.filters, &library, None)?;
    let halves = match &arguments.halves[..] {
        [first, second] => Some([first, second].map(Store::new)),
        _ => None,
    };
    let source = ReportSource {
        facts: &Store::new(&arguments.facts),
        halves: halves.as_ref(),
        library: &library,
        filters: &arguments.filters,
    };
    let page = report(&source, &arguments.title)?;
    std::fs::write(&arguments.out, page).with_context(|| arguments.out.display().to_string())
}
