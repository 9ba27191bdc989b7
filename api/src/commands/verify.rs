//! `tabularium verify`: replays records and checks digests and the chain of hashes.

use super::options::{DataOption, DatabaseOption};
use std::path::{Path, PathBuf};

use anyhow::bail;
use engine::content::Library;

use crate::games::GameError;

use super::files::read_records;

/// Replay records and check every digest and the chain of hashes.
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = "Examples:\n  \
    tabularium verify games.ndjson\n  \
    tabularium verify --database sqlite:tabularium.db\n\n\
    Names the first bad event of each damaged record, and each record whose result is declared: one\n\
    that people decided and no log carries. Exit code 1 when one is damaged.")]
pub struct Verify {
    /// Files of records: NDJSON, or one record as text. Without a file the database is verified.
    pub files: Vec<PathBuf>,
    #[command(flatten)]
    database: DatabaseOption,
    #[command(flatten)]
    data: DataOption,
}

impl Verify {
    /// Verifies files or the database and reports to standard error.
    ///
    /// # Errors
    /// When a record is damaged or something cannot be read.
    pub fn run(&self) -> anyhow::Result<()> {
        let library = self.data.library()?;
        let mut tally = Tally::default();
        if self.files.is_empty() {
            let games = super::stored::open(&self.database.database, &library)?;
            super::stored::each_record(&games, true, |id, record| {
                match record {
                    Ok(record) => tally.check(Path::new("database"), None, &record, &library),
                    Err(error @ GameError::Damaged { .. }) => {
                        tally.bad(format_args!("database: {id}: {error}"));
                    }
                    Err(error) => return Err(error.into()),
                }
                Ok(())
            })?;
        }
        for file in &self.files {
            read_records(file, |line, record| {
                match record {
                    Ok(record) => tally.check(file, Some(line), &record, &library),
                    Err(error) => tally.bad(format_args!("{}:{line}: {error}", file.display())),
                }
                Ok(())
            })?;
        }
        let Tally {
            good,
            declared,
            bad,
        } = tally;
        eprintln!("{good} records verified, {bad} damaged, {declared} declared");
        if tally.bad > 0 {
            bail!(
                "{} of {} records are damaged",
                tally.bad,
                tally.good + tally.bad
            );
        }
        Ok(())
    }
}

#[derive(Default)]
struct Tally {
    good: u64,
    /// Those of the good ones whose result nothing but the record tells.
    declared: u64,
    bad: u64,
}

impl Tally {
    fn check(
        &mut self,
        origin: &Path,
        line: Option<usize>,
        record: &engine::record::Record,
        library: &Library,
    ) {
        let line = line.map_or(String::new(), |line| format!("{line}: "));
        let place = format_args!("{}:{line} {}", origin.display(), record.id);
        match record.verify(library) {
            Ok(verified) => {
                self.good += 1;
                if verified.declared {
                    self.declared += 1;
                    eprintln!("{place}: its result is declared, no log proves it");
                }
            }
            Err(error) => self.bad(format_args!("{place}: {error}")),
        }
    }

    fn bad(&mut self, message: std::fmt::Arguments<'_>) {
        self.bad += 1;
        eprintln!("{message}");
    }
}
