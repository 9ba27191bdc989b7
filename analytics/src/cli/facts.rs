//! `facts`: replays records and adds what they tell to a folder of Parquet files.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::time::Duration;

use analytics::ingest::{Ingest, Progress, Report, unpacked};
use analytics::{Store, Writer};
use anyhow::{Context, bail};
use engine::content::Library;
use indicatif::{ProgressBar, ProgressStyle};

/// How long to wait for a connection.
const PATIENCE: Duration = Duration::from_secs(30);

const EXAMPLE: &str = "Example:
  tabularium simulate --edition antike --board antike-east --nations 4 --bots greedy \\
      --games 1000 --seed 1 --out games.ndjson
  tabularium-analytics facts --from games.ndjson --to facts
  tabularium-analytics facts --from january.ndjson february.ndjson --to facts";

/// Replay records and add their facts to a folder of Parquet files
///
/// Games that the folder has are passed over. Records that do not replay are told, with their line,
/// and left out; the command then fails at its end.
#[derive(clap::Args)]
#[command(after_help = EXAMPLE)]
pub struct Arguments {
    /// Files of records, one JSON object a line, or http(s) addresses that answer with the same
    #[arg(long, value_name = "FILE|URL", required = true, num_args = 1..)]
    from: Vec<String>,
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
    let sources = arguments.from.iter().map(|name| Source::open(name));
    let sources: Vec<Source<'_>> = sources.collect::<anyhow::Result<_>>()?;
    let display = Display::new(sources.iter().map(|source| source.size).sum());
    let mut writer = Writer::open(&Store::new(&arguments.to))?;
    let mut ingest = Ingest::new(&mut writer, &library)?;
    let mut total = Report::default();
    for source in sources {
        let told = |progress: Progress<'_>| display.tell(source.name, &progress);
        let report = ingest.read(source.records, told);
        total = total.merge(report.with_context(|| source.name.to_owned())?);
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

/// Records to be read.
struct Source<'a> {
    name: &'a str,
    records: Box<dyn BufRead>,
    /// In bytes; 0 when it is not known.
    size: u64,
}

impl Source<'_> {
    fn open(name: &str) -> anyhow::Result<Source<'_>> {
        let is_address = name.starts_with("http://") || name.starts_with("https://");
        let opened = match is_address {
            true => Source::ask(name),
            false => Source::open_file(name),
        };
        opened.with_context(|| name.to_owned())
    }

    fn open_file(name: &str) -> anyhow::Result<Source<'_>> {
        let file = File::open(Path::new(name))?;
        Ok(Source {
            name,
            size: file.metadata()?.len(),
            records: unpacked(BufReader::new(file))?,
        })
    }

    fn ask(name: &str) -> anyhow::Result<Source<'_>> {
        let client = reqwest::blocking::Client::builder()
            .connect_timeout(PATIENCE)
            .timeout(None)
            .build()?;
        let answer = client
            .get(name)
            .header("Accept", "application/x-ndjson")
            .send()?
            .error_for_status()?;
        Ok(Source {
            name,
            size: answer.content_length().unwrap_or(0),
            records: Box::new(BufReader::new(answer)),
        })
    }
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

    fn tell(&self, source: &str, progress: &Progress<'_>) {
        match progress {
            Progress::Bad { line, reason } => {
                let message = format!("{source}:{line}: {reason}");
                self.bar.suspend(|| eprintln!("{message}"));
            }
            Progress::Batch { bytes, report } => {
                self.bar.inc(*bytes);
                if self.bar.is_hidden() {
                    eprintln!("{source}: {} more games", report.added);
                }
            }
        }
    }

    fn finish(&self) {
        self.bar.finish_and_clear();
    }
}
