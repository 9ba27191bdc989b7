//! `tabularium import`: records of finished games into a database.

use std::collections::BTreeMap;
use std::path::PathBuf;

use anyhow::{Context, bail};
use engine::content::Library;
use programs::{DataOption, Progress, count_records, read_records};
use records::{PublicKeys, Record, SecretKey};

use crate::cli::options::{DatabaseOption, KeyOption};
use crate::db::Store;
use crate::games::import::take_in;
use crate::signing::keys::SigningKey;
use crate::signing::service::public_keys;

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
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Total {
    /// Records taken in.
    pub new: u64,
    /// Records of games that were there already.
    pub known: u64,
    /// Records that cannot be taken in.
    pub bad: u64,
    /// How many came with a signature of a key that this office does not know, by key.
    pub foreign: BTreeMap<String, u64>,
}

impl Import {
    /// Takes the records in and reports to standard error.
    pub fn run(&self) -> anyhow::Result<()> {
        let library = self.data.library()?;
        let store = Store::open(&self.database.database)
            .with_context(|| format!("cannot open {}", self.database.database))?;
        let key = SigningKey::open(&store, &self.key.file(&self.database))?.key();
        let keys = public_keys(&store)?;
        let keys = (&*key, &keys);
        let mut total = Total::default();
        for file in &self.files {
            let progress = Progress::new("records", count_records(file)?);
            let (mut lines, mut waiting): (Vec<usize>, Vec<Record>) = Default::default();
            let place = |line: usize| format!("{}:{line}", file.display());
            read_records(file, &library, |line, record| {
                match record {
                    Err(error) => {
                        total.bad += 1;
                        eprintln!("{}: {error}", place(line));
                    }
                    Ok(record) => {
                        lines.push(line);
                        waiting.push(record);
                    }
                }
                if waiting.len() == TOGETHER {
                    let part = (&lines[..], &waiting[..]);
                    take_in_all(&store, &library, keys, part, place, &mut total, &progress)?;
                    lines.clear();
                    waiting.clear();
                }
                Ok(())
            })?;
            let part = (&lines[..], &waiting[..]);
            take_in_all(&store, &library, keys, part, place, &mut total, &progress)?;
            progress.finish();
        }
        let Total {
            new,
            known,
            bad,
            foreign,
        } = total;
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

/// Takes records in and adds up what became of them. Those that cannot be taken in are told to standard error
/// with their place.
pub fn take_in_all<P: Copy>(
    store: &Store,
    library: &Library,
    (key, keys): (&SecretKey, &PublicKeys),
    (places, records): (&[P], &[Record]),
    place: impl Fn(P) -> String,
    total: &mut Total,
    progress: &Progress,
) -> anyhow::Result<()> {
    let taken = take_in(store, library, Some(key), keys, records)?;
    for ((at, record), taken) in places.iter().zip(records).zip(taken) {
        progress.step();
        match taken {
            Ok(taken) => {
                match taken.known {
                    true => total.known += 1,
                    false => total.new += 1,
                }
                if let Some(key) = taken.unknown_key {
                    *total.foreign.entry(key).or_default() += 1;
                }
            }
            Err(error) => {
                total.bad += 1;
                eprintln!("{}: {}: {error}", place(*at), record.id);
            }
        }
    }
    Ok(())
}
