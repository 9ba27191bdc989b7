//! `tabularium import`: imports records of finished games into a database.

use std::collections::BTreeMap;
use std::path::PathBuf;

use anyhow::{Context, bail};
use engine::content::Library;
use programs::{DataOption, ProgressDisplay, count_records, read_records};
use records::{PublicKeys, Record, SecretKey};

use crate::cli::options::{DatabaseOption, KeyOption};
use crate::db::Store;
use crate::games::import::take_in;
use crate::signing::keys::SigningKey;
use crate::signing::service::public_keys;

/// The number of records that are verified together on all cores.
const BATCH: usize = 64;

/// Import records of finished games into a database.
///
/// Every record is verified first. Games that exist already are skipped, so an interrupted import can be repeated. A
/// different game with the id of an existing one is refused.
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

/// The numbers of imported and refused records.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Total {
    /// Imported records.
    pub new: u64,
    /// Records of games that existed already.
    pub known: u64,
    /// Refused records.
    pub bad: u64,
    /// Records with a signature by a key that this server does not know, by key.
    pub foreign: BTreeMap<String, u64>,
}

impl Import {
    /// Imports the records and reports to standard error.
    pub fn run(&self) -> anyhow::Result<()> {
        let library = self.data.library()?;
        let store = Store::open(&self.database.database)
            .with_context(|| format!("cannot open {}", self.database.database))?;
        let key = SigningKey::open(&store, &self.key.file(&self.database))?.key();
        let keys = public_keys(&store)?;
        let keys = (&*key, &keys);
        let mut total = Total::default();
        for file in &self.files {
            let progress = ProgressDisplay::new("records", count_records(file)?);
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
                if waiting.len() == BATCH {
                    let part = (&lines[..], &waiting[..]);
                    import_all(&store, &library, keys, part, place, &mut total, &progress)?;
                    lines.clear();
                    waiting.clear();
                }
                Ok(())
            })?;
            let part = (&lines[..], &waiting[..]);
            import_all(&store, &library, keys, part, place, &mut total, &progress)?;
            progress.finish();
        }
        let Total {
            new,
            known,
            bad,
            foreign,
        } = total;
        eprintln!("{new} records imported, {known} known already, {bad} refused");
        for (key, count) in foreign {
            eprintln!(
                "{count} records have a signature by the unknown key {key}, which was neither checked nor \
                 kept: this server signs what it imports"
            );
        }
        if bad > 0 {
            bail!("{bad} records were refused");
        }
        Ok(())
    }
}

/// Imports records and adds up the results.
/// Refused records are reported to standard error with their place.
pub fn import_all<P: Copy>(
    store: &Store,
    library: &Library,
    (key, keys): (&SecretKey, &PublicKeys),
    (places, records): (&[P], &[Record]),
    place: impl Fn(P) -> String,
    total: &mut Total,
    progress: &ProgressDisplay,
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
