//! `tabularium verify`: replays records and checks digests, the chain of hashes and signatures.

use super::options::{DataOption, DatabaseOption};
use std::path::{Path, PathBuf};

use anyhow::bail;
use engine::content::Library;

use crate::games::{Audited, Finding};

use super::files::read_records;
use super::signatures::{PublicKeyOption, Signatures};

/// Replay records and check every digest and the chain of hashes.
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = "Examples:\n  \
    tabularium verify games.ndjson --key keys.json\n  \
    tabularium verify --database sqlite:tabularium.db\n\n\
    Names the first bad event of each damaged record, and each record whose result is declared: one\n\
    that people decided and no log carries. Signatures are checked with the keys of --key (what\n\
    /v1/keys answers), those of a database with its own; its log is held against its checkpoints.\n\
    Exit code 1 when something is damaged or wrongly signed.")]
pub struct Verify {
    /// Files of records: NDJSON, or one record as text. Without a file the database is verified.
    pub files: Vec<PathBuf>,
    #[command(flatten)]
    database: DatabaseOption,
    #[command(flatten)]
    data: DataOption,
    #[command(flatten)]
    key: PublicKeyOption,
}

impl Verify {
    /// Verifies files or the database and reports to standard error.
    ///
    /// # Errors
    /// When a record is damaged or something cannot be read.
    pub fn run(&self) -> anyhow::Result<()> {
        let library = self.data.library()?;
        let mut tally = Tally::default();
        tally.signatures.keys = self.key.keys()?;
        tally.signatures.each = tally.signatures.keys.is_some();
        let mut faults = 0;
        if self.files.is_empty() {
            let games = super::stored::open(&self.database.database, &library)?;
            if tally.signatures.keys.is_none() {
                tally.signatures.keys = Some(games.public_keys()?);
            }
            let keys = tally.signatures.keys.clone().unwrap_or_default();
            let audited = games.audit(&keys, |finding| {
                match finding {
                    Finding::Record(record) => {
                        tally.check(Path::new("database"), None, record, &library)?;
                    }
                    Finding::Fault(message) => {
                        faults += 1;
                        eprintln!("database: {message}");
                    }
                }
                anyhow::Ok(())
            })?;
            let Audited {
                games,
                seats,
                events,
                checkpoints,
                leagues,
                league_events,
                covered_league_events,
            } = audited;
            eprintln!(
                "{games} games with {seats} seats and {events} events accounted for, {faults} faults"
            );
            if leagues > 0 {
                eprintln!(
                    "{leagues} leagues with {league_events} events accounted for, \
                     {covered_league_events} covered by checkpoints"
                );
            }
            match (checkpoints, faults) {
                (0, _) => eprintln!("the log has no checkpoint"),
                (_, 0) => eprintln!("the log is that of its {checkpoints} checkpoints"),
                _ => {}
            }
        }
        for file in &self.files {
            read_records(file, &library, |line, record| {
                match record {
                    Ok(record) => match record.check_names() {
                        Ok(()) => tally.check(file, Some(line), &record, &library)?,
                        Err(error) => {
                            let id = &record.id;
                            tally.bad(format_args!("{}:{line}: {id:?}: {error}", file.display()));
                        }
                    },
                    Err(error) => tally.bad(format_args!("{}:{line}: {error}", file.display())),
                }
                Ok(())
            })?;
        }
        let wrong = tally.signatures.report();
        let Tally {
            good,
            declared,
            bad,
            ..
        } = tally;
        eprintln!("{good} records verified, {bad} damaged, {declared} declared");
        if bad > 0 {
            bail!("{bad} of {} records are damaged", good + bad);
        }
        if wrong + faults > 0 {
            bail!("{wrong} signatures are wrong, {faults} faults in the database");
        }
        Ok(())
    }
}

#[derive(Default)]
struct Tally {
    signatures: Signatures,
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
    ) -> anyhow::Result<()> {
        let at = match line {
            Some(line) => format!("{}:{line}", origin.display()),
            None => origin.display().to_string(),
        };
        let place = format_args!("{at}: {}", record.id);
        self.signatures.check(&at, record)?;
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
        Ok(())
    }

    fn bad(&mut self, message: std::fmt::Arguments<'_>) {
        self.bad += 1;
        eprintln!("{message}");
    }
}
