//! `facts`: replays records and adds what they tell to a folder of Parquet files.

use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};

use analytics::Store;
use analytics::ingest::{Ingest, Progress, Report};
use anyhow::{Context, bail};
use engine::Library;
use indicatif::{ProgressBar, ProgressStyle};

const EXAMPLE: &str = "Example:
  tabularium simulate --edition antike --board antike-east --nations 4 --bots greedy \\
      --games 1000 --seed 1 --out games.ndjson
  tabularium-analytics facts --from games.ndjson --to facts";

/// Replay records and add their facts to a folder of Parquet files
///
/// Games that the folder has are passed over. Records that do not replay are told, with their line,
/// and left out; the command then fails at its end.
#[derive(clap::Args)]
#[command(after_help = EXAMPLE)]
pub struct Arguments {
    /// Files of records, one JSON object a line
    #[arg(long, value_name = "FILE", required = true, num_args = 1..)]
    from: Vec<PathBuf>,
    /// The folder of facts, made when it is not there
    #[arg(long, value_name = "DIR")]
    to: PathBuf,
    /// A folder with further boards and rulesets (DIR/boards, DIR/rulesets)
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
}

/// Runs the command.
///
/// # Errors
/// When a file cannot be read or written, or a record had to be left out.
pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let mut library = Library::embedded().clone();
    if let Some(data) = &arguments.data {
        library.add_directory(data)?;
    }
    let files = arguments.from.iter().map(|path| open(path));
    let files: Vec<(&Path, File, u64)> = files.collect::<anyhow::Result<_>>()?;
    let display = Display::new(files.iter().map(|(_, _, size)| size).sum());
    let store = Store::new(&arguments.to);
    let mut ingest = Ingest::new(&store, &library)?;
    let mut total = Report::default();
    for (path, file, _) in files {
        let told = |progress: Progress<'_>| display.tell(path, &progress);
        let report = ingest.read(BufReader::new(file), told);
        total = total.add(report.with_context(|| path.display().to_string())?);
    }
    display.finish();
    println!(
        "{} games added to {}, {} there already, {} unfinished, {} bad",
        total.added,
        arguments.to.display(),
        total.known,
        total.unfinished,
        total.bad
    );
    if total.bad > 0 {
        bail!("{} records were left out", total.bad);
    }
    Ok(())
}

fn open(path: &Path) -> anyhow::Result<(&Path, File, u64)> {
    let file = File::open(path).with_context(|| path.display().to_string())?;
    let size = file.metadata()?.len();
    Ok((path, file, size))
}

/// A bar on a terminal, plain lines otherwise.
struct Display {
    bar: ProgressBar,
}

impl Display {
    fn new(bytes: u64) -> Display {
        let bar = ProgressBar::new(bytes);
        let template = "{wide_bar} {bytes}/{total_bytes} {elapsed}, {eta} left";
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        Display { bar }
    }

    fn tell(&self, path: &Path, progress: &Progress<'_>) {
        match progress {
            Progress::Bad { line, reason } => {
                let message = format!("{}:{line}: {reason}", path.display());
                self.bar.suspend(|| eprintln!("{message}"));
            }
            Progress::Batch { bytes, report } => {
                self.bar.inc(*bytes);
                if self.bar.is_hidden() {
                    eprintln!("{}: {} more games", path.display(), report.added);
                }
            }
        }
    }

    fn finish(&self) {
        self.bar.finish_and_clear();
    }
}
