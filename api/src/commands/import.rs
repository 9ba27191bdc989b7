//! `tabularium import`: records of finished games into a database.

use super::options::{DataOption, DatabaseOption, KeyOption};
use std::collections::BTreeMap;
use std::fmt::Display;
use std::path::PathBuf;

use anyhow::{Context, bail};
use engine::content::Library;
use engine::record::{Record, SecretKey, Signed};
use rayon::prelude::*;

use super::files::{count_records, read_records};
use super::progress::Progress;
use crate::games::{ImportError, append_of, check_known, public_keys, sign};
use crate::office::Office;
use crate::store::{Append, Store, StoreError};

/// How many records are verified together on all cores.
const TOGETHER: usize = 64;

/// Take records of finished games into a database.
///
/// Every record is verified first. Games that are there already are passed over, so an import that
/// was interrupted can be run again; another game with a known id is refused.
#[derive(Clone, Debug, clap::Args)]
#[command(
    after_help = "Example:\n  tabularium import games.ndjson --database sqlite:tabularium.db"
)]
pub struct Import {
    /// Files of records: NDJSON, or one record as text.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    #[command(flatten)]
    database: DatabaseOption,
    #[command(flatten)]
    data: DataOption,
    #[command(flatten)]
    key: KeyOption,
}

/// What became of records.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Taken {
    /// Records taken in.
    pub new: u64,
    /// Records of games that were there already.
    pub known: u64,
    /// Records that cannot be taken in.
    pub bad: u64,
}

impl Import {
    /// Takes the records in and reports to standard error.
    ///
    /// # Errors
    /// When a file or the database cannot be used, or a record cannot be taken in.
    pub fn run(&self) -> anyhow::Result<()> {
        let library = self.data.library()?;
        let store = Store::open(&self.database.database)
            .with_context(|| format!("cannot open {}", self.database.database))?;
        let key = Office::open(&store, &self.key.file(&self.database))?.key();
        let keys = public_keys(&store)?;
        let mut total = Taken::default();
        let mut foreign: BTreeMap<String, u64> = BTreeMap::new();
        for file in &self.files {
            let progress = Progress::new("records", count_records(file)?);
            let mut waiting: Vec<(usize, Record)> = Vec::new();
            let place = |line: usize| format!("{}:{line}", file.display());
            read_records(file, &library, |line, record| {
                let bad = match record {
                    Err(error) => Some(error),
                    Ok(record) => match record.check_signature(&keys)? {
                        Signed::Wrong { key, reason } => Some(format!(
                            "{}: this office's key {key} has not signed it: {reason}",
                            record.id
                        )),
                        signed => {
                            if let Signed::ByUnknown(key) = signed {
                                *foreign.entry(key).or_default() += 1;
                            }
                            waiting.push((line, record));
                            None
                        }
                    },
                };
                if let Some(error) = bad {
                    total.bad += 1;
                    eprintln!("{}: {error}", place(line));
                }
                if waiting.len() == TOGETHER {
                    let part = std::mem::take(&mut waiting);
                    total.add(take_in(&store, &library, &key, &part, place, &progress)?);
                }
                Ok(())
            })?;
            total.add(take_in(&store, &library, &key, &waiting, place, &progress)?);
            progress.finish();
        }
        let Taken { new, known, bad } = total;
        eprintln!("{new} records taken in, {known} known before, {bad} refused");
        for (key, count) in foreign {
            eprintln!(
                "{count} came with a signature of the unknown key {key}, which was neither checked nor \
                 kept: this office signs what it has taken in"
            );
        }
        if bad > 0 {
            bail!("{bad} records were refused");
        }
        Ok(())
    }
}

impl Taken {
    fn add(&mut self, other: Taken) {
        self.new += other.new;
        self.known += other.known;
        self.bad += other.bad;
    }
}

/// Verifies and signs records on all cores and appends them to the store. Records that cannot be taken in are
/// told to standard error with their place.
///
/// # Errors
/// When the store fails.
pub fn take_in<P>(
    store: &Store,
    library: &Library,
    key: &SecretKey,
    records: &[(P, Record)],
    place: impl Fn(P) -> String,
    progress: &Progress,
) -> anyhow::Result<Taken>
where
    P: Copy + Send + Sync,
{
    let appends: Vec<_> = records
        .par_iter()
        .map(|(_, record)| -> anyhow::Result<Append> {
            let mut append = append_of(record, library)?;
            let seats = append.seats.clone();
            sign(&mut append, Vec::new(), &seats, library, key)?;
            Ok(append)
        })
        .collect();
    let mut taken = Taken::default();
    let mut good = Vec::with_capacity(records.len());
    let mut told = Vec::with_capacity(records.len());
    let refuse = |taken: &mut Taken, line: P, record: &Record, error: &dyn Display| {
        taken.bad += 1;
        eprintln!("{}: {}: {error}", place(line), record.id);
    };
    for ((line, record), append) in records.iter().zip(appends) {
        progress.step();
        match append {
            Ok(append) => {
                told.push((*line, record, append.game.signature.clone()));
                good.push(append);
            }
            Err(error) => refuse(&mut taken, *line, record, &error),
        }
    }
    for (appended, (line, record, signature)) in store.append_all(good)?.into_iter().zip(told) {
        match appended {
            Ok(_) => taken.new += 1,
            Err(StoreError::Conflict) => {
                match check_known(store, library, record, signature.as_ref()) {
                    Ok(()) => taken.known += 1,
                    Err(ImportError::Store(error)) => return Err(error.into()),
                    Err(error) => refuse(&mut taken, line, record, &error),
                }
            }
            Err(error) => return Err(error.into()),
        }
    }
    Ok(taken)
}
