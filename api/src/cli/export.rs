//! `tabularium export`: writes records of finished games in a database.

use std::fs::File;
use std::io::{BufWriter, Write, stdout};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use programs::DataOption;
use records::Record;
use uuid::Uuid;

use crate::cli::options::DatabaseOption;
use crate::cli::stored;
use crate::http::error::ServiceError;

/// Write the records of finished games.
///
/// Example: tabularium export --all --events --out games.ndjson
#[derive(Clone, Debug, clap::Args)]
#[command(group = clap::ArgGroup::new("which").required(true).args(["game", "all"]))]
pub struct Export {
    /// The id of a single game.
    #[arg(long)]
    game: Option<Uuid>,
    /// All finished games.
    #[arg(long)]
    all: bool,
    /// Include each game's log of events, with digests and the hash chain.
    /// Games that people ended always include it, because it proves their result.
    #[arg(long)]
    events: bool,
    /// Write text in notation instead of JSON.
    #[arg(long, conflicts_with = "events")]
    text: bool,
    #[command(flatten)]
    database: DatabaseOption,
    #[command(flatten)]
    data: DataOption,
    /// The file to write; `-` means standard output.
    #[arg(long, default_value = "-")]
    out: PathBuf,
}

impl Export {
    /// Writes the records.
    pub fn run(&self) -> anyhow::Result<()> {
        let library = self.data.library()?;
        let records = stored::open(&self.database.database, &library)?
            .games
            .records
            .clone();
        let mut out: Box<dyn Write> = if self.out == Path::new("-") {
            Box::new(stdout().lock())
        } else {
            let file = File::create(&self.out)
                .with_context(|| format!("cannot write {}", self.out.display()))?;
            Box::new(BufWriter::new(file))
        };
        let (mut written, mut damaged) = (0, 0);
        let mut write = |record: &Record| -> anyhow::Result<()> {
            if self.text {
                writeln!(out, "{}", record.to_text(&library)?)?;
            } else {
                serde_json::to_writer(&mut out, record)?;
                out.write_all(b"\n")?;
            }
            written += 1;
            Ok(())
        };
        match self.game {
            Some(id) => {
                let record = records.proven_record(id, self.events)?;
                if record.result.is_none() {
                    bail!("game {id} is not finished, so it has no record to export");
                }
                write(&record)?;
            }
            None => stored::each_record(&records, self.events, |_, record| match record {
                Ok(record) => write(&record),
                Err(error @ ServiceError::Damaged { .. }) => {
                    damaged += 1;
                    eprintln!("{error}");
                    Ok(())
                }
                Err(error) => Err(error.into()),
            })?,
        }
        out.flush()?;
        eprintln!("{written} records written");
        if damaged > 0 {
            bail!("{damaged} games are damaged and were not exported");
        }
        Ok(())
    }
}
