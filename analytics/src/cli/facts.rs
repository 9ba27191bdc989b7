//! `facts`: replays records and adds their facts to a folder of Parquet files.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::time::Duration;

use analytics::storage::ingest::{Ingest, IngestProgress, IngestReport};
use analytics::{FactsStore, FactsWriter};
use anyhow::{Context, bail};
use indicatif::{ProgressBar, ProgressStyle};
use programs::{library, unpacked};
use reqwest::Url;
use reqwest::blocking::{Client, Response};

/// Timeout for a connection and for the next bytes.
const PATIENCE: Duration = Duration::from_secs(30);

/// How often a download is resumed without a complete record in between.
const TRIES: u32 = 5;

/// The pause before the first retry. Each further pause is twice as long.
const PAUSE: Duration = Duration::from_millis(500);

const EXAMPLE: &str = "Example:
  tabularium-bots simulate --edition antike --board antike-east --nations 4 --bots greedy \\
      --games 1000 --seed 1 --out games.ndjson
  tabularium-analytics facts --from games.ndjson --to facts
  tabularium-analytics facts --from january.ndjson february.ndjson --to facts
  tabularium-analytics facts --from https://example.org/v1/records --to facts";

/// Replay records and add their facts to a folder of Parquet files
///
/// Games that the folder contains already are skipped. A record that does not replay is reported with its line
/// number and skipped; the command then exits with an error after the last record.
#[derive(clap::Args)]
#[command(after_help = EXAMPLE)]
pub struct FactsCommand {
    /// Files with one record (a JSON object) a line, or http(s) URLs that return the same
    #[arg(long, value_name = "FILE|URL", required = true, num_args = 1..)]
    from: Vec<String>,
    /// Folder of facts; it is created if it does not exist
    #[arg(long, value_name = "DIR")]
    to: PathBuf,
    /// Folder with additional boards and rulesets (DIR/boards, DIR/rulesets)
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
}

/// Runs the command.
///
/// # Errors
/// If a file cannot be read or written, or if a record is skipped.
pub fn run(arguments: &FactsCommand) -> anyhow::Result<()> {
    let library = library(arguments.data.as_deref())?;
    let sources = arguments.from.iter().map(|name| RecordSource::open(name));
    let sources: Vec<RecordSource<'_>> = sources.collect::<anyhow::Result<_>>()?;
    let display = Display::new(sources.iter().map(|source| source.size).sum());
    let mut writer = FactsWriter::open(&FactsStore::new(&arguments.to))?;
    let mut ingest = Ingest::new(&mut writer, &library)?;
    let mut total = IngestReport::default();
    for source in sources {
        let show = |progress: IngestProgress<'_>| display.show(source.name, &progress);
        let report = ingest.read(source.records, show);
        total = total.merge(report.with_context(|| source.name.to_owned())?);
    }
    display.finish();
    println!(
        "{} games added to {}, {} known already, {} unfinished, {} invalid",
        total.added,
        arguments.to.display(),
        total.known,
        total.unfinished,
        total.bad
    );
    if total.bad > 0 {
        bail!("{} records were skipped, see the messages above", total.bad);
    }
    Ok(())
}

/// A source of records: a file or a URL.
struct RecordSource<'a> {
    name: &'a str,
    records: Box<dyn BufRead>,
    /// The size in bytes; 0 if unknown.
    size: u64,
}

impl RecordSource<'_> {
    fn open(name: &str) -> anyhow::Result<RecordSource<'_>> {
        let is_address = name.starts_with("http://") || name.starts_with("https://");
        let opened = match is_address {
            true => RecordSource::open_url(name),
            false => RecordSource::open_file(name),
        };
        opened.with_context(|| name.to_owned())
    }

    fn open_file(name: &str) -> anyhow::Result<RecordSource<'_>> {
        let file = File::open(Path::new(name))?;
        Ok(RecordSource {
            name,
            size: file.metadata()?.len(),
            records: unpacked(BufReader::new(file))?,
        })
    }

    fn open_url(name: &str) -> anyhow::Result<RecordSource<'_>> {
        let client = Client::builder()
            .connect_timeout(PATIENCE)
            .timeout(PATIENCE)
            .build()?;
        let url = Url::parse(name)?;
        let answer = request(&client, url.clone())?;
        let size = answer.content_length().unwrap_or(0);
        let records = Records {
            client,
            url,
            answer: Some(answer),
            line: Vec::new(),
            last: None,
            failures: 0,
        };
        Ok(RecordSource {
            name,
            size,
            records: Box::new(BufReader::new(records)),
        })
    }
}

fn request(client: &Client, url: Url) -> reqwest::Result<Response> {
    let asked = client.get(url).header("Accept", "application/x-ndjson");
    asked.send()?.error_for_status()
}

/// Records from a server.
/// If the connection breaks, the reader requests the records after the last complete one, with `after` of
/// `/v1/records`.
struct Records {
    client: Client,
    url: Url,
    /// The current response; `None` while the connection is broken.
    answer: Option<Response>,
    /// The bytes of an incomplete line.
    line: Vec<u8>,
    /// The last complete line.
    last: Option<Vec<u8>>,
    /// How often the connection broke since then.
    failures: u32,
}

impl Read for Records {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let read = match &mut self.answer {
                Some(answer) => answer.read(buffer),
                None => Err(io::ErrorKind::NotConnected.into()),
            };
            match read {
                Ok(count) => {
                    self.add_bytes(&buffer[..count]);
                    return Ok(count);
                }
                Err(error) => self.resume(error)?,
            }
        }
    }
}

impl Records {
    fn add_bytes(&mut self, bytes: &[u8]) {
        for part in bytes.split_inclusive(|byte| *byte == b'\n') {
            self.line.extend_from_slice(part);
            if part.ends_with(b"\n") {
                self.last = Some(std::mem::take(&mut self.line));
                self.failures = 0;
            }
        }
    }

    /// Requests the missing records.
    fn resume(&mut self, broken: io::Error) -> io::Result<()> {
        /// The only member that is read of the last record.
        #[derive(serde::Deserialize)]
        struct LastRecord {
            id: String,
        }
        if !self.url.path().ends_with("/v1/records") || self.failures >= TRIES {
            return Err(broken);
        }
        std::thread::sleep(PAUSE * (1 << self.failures));
        self.failures += 1;
        let mut url = self.url.clone();
        if let Some(last) = &self.last {
            let LastRecord { id } = serde_json::from_slice(last).map_err(|_| broken)?;
            let others: Vec<(String, String)> = (url.query_pairs().into_owned())
                .filter(|(name, _)| name != "after")
                .collect();
            url.query_pairs_mut()
                .clear()
                .extend_pairs(others)
                .append_pair("after", &id);
        }
        eprintln!(
            "{}: the connection broke; requesting the remaining records",
            self.url
        );
        // A failed request is retried. The server sends the incomplete line again from its start.
        let known = self.line.len() as u64;
        self.answer = request(&self.client, url).ok().and_then(|mut answer| {
            let passed = io::copy(&mut answer.by_ref().take(known), &mut io::sink());
            (passed.ok() == Some(known)).then_some(answer)
        });
        Ok(())
    }
}

/// A progress bar on a terminal, plain lines elsewhere.
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

    fn show(&self, source: &str, progress: &IngestProgress<'_>) {
        match progress {
            IngestProgress::Bad { line, reason } => {
                let message = format!("{source}:{line}: {reason}");
                self.bar.suspend(|| eprintln!("{message}"));
            }
            IngestProgress::Batch { bytes, report } => {
                self.bar.inc(*bytes);
                if self.bar.is_hidden() {
                    eprintln!("{source}: {} games added", report.added);
                }
            }
        }
    }

    fn finish(&self) {
        self.bar.finish_and_clear();
    }
}
