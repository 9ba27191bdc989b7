//! `tabularium verify`: replays records and checks digests, hash chains and signatures.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use engine::content::Library;
use programs::{DataOption, read_records};
use records::tlog::TreeHead;
use records::{Checkpoint, PublicKeys};
use reqwest::Url;

use crate::cli::mirror::Mirror;
use crate::cli::options::DatabaseOption;
use crate::cli::proofs::Proofs;
use crate::cli::signatures::{PublicKeyOption, Signatures};
use crate::db::url::DatabaseUrl;
use crate::games::audit::{AuditedGames, Finding};
use crate::services::audit::{AuditReport, audit};
use crate::signing::checkpoints::KeptCheckpoint;
use crate::signing::tlog::audit::KeptHead;
use crate::statistics::audit as facts;

/// Replay records and check every digest, hash chain and signature.
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = "Examples:\n  \
    tabularium verify games.ndjson --key keys.json\n  \
    tabularium verify --database sqlite:tabularium.db --key keys.json --checkpoint checkpoint.json\n  \
    tabularium verify games.ndjson --key keys.json --proofs proofs.ndjson\n  \
    tabularium verify --mirror copy --server https://tabularium.example --key keys.json\n\n\
    Reports the first bad event of each damaged record, and each record whose result is declared: people\n\
    decided it, and no log proves it. Signatures of files are checked with the keys of --key (the answer of\n\
    /v1/keys), those of a database with its own keys.\n\n\
    A database is read completely, and nothing is written: games, leagues and their logs are compared with\n\
    signatures and checkpoints, and leagues with their games; ratings, search and lists are recomputed, facts with --facts.\n\
    Data that nothing proves are listed as unprotected.\n\n\
    Exit code 1 if something is damaged, altered, dropped or has a wrong signature.")]
pub struct Verify {
    /// Files of records: NDJSON, or one record as text. Without a file, the database is verified.
    pub files: Vec<PathBuf>,
    #[command(flatten)]
    database: DatabaseOption,
    #[command(flatten)]
    data: DataOption,
    #[command(flatten)]
    key: PublicKeyOption,
    /// Compare the database with checkpoints in a file.
    ///
    /// The file has the answer of `/v1/checkpoints` or `/v1/checkpoints/latest`, or the output of `tabularium
    /// checkpoint`.
    #[arg(long, value_name = "FILE", conflicts_with = "files")]
    checkpoint: Option<PathBuf>,
    /// Derive the facts of statistics again and compare them with this folder.
    ///
    /// No server may write to the folder meanwhile.
    #[arg(long, value_name = "FOLDER", conflicts_with = "files")]
    facts: Option<PathBuf>,
    /// Check that each record is in the transparency log.
    ///
    /// The file has the answers of `/v1/games/{game}/proof`, one a line. A record without a proof is a fault.
    #[arg(long, value_name = "FILE", requires = "files", requires = "key")]
    proofs: Option<PathBuf>,
    /// Compare the log with a checkpoint of it in a file, as `/tlog/checkpoint` has returned it.
    ///
    /// A database is compared completely. Proofs must name the same log.
    #[arg(long, value_name = "FILE")]
    log_checkpoint: Option<PathBuf>,
    /// Copy the transparency log of --server to this folder, and check that it continues the last copy.
    #[arg(
        long,
        value_name = "FOLDER",
        requires = "server",
        conflicts_with = "files"
    )]
    mirror: Option<PathBuf>,
    /// The address of the server whose log is copied.
    #[arg(long, value_name = "URL", requires = "mirror")]
    server: Option<Url>,
    /// Fail if a record is unsigned, or signed with an unknown key.
    #[arg(long)]
    require_signature: bool,
}

/// Reads the checkpoints in a file.
fn kept_checkpoints(file: &Path) -> anyhow::Result<Vec<KeptCheckpoint>> {
    #[derive(serde::Deserialize)]
    #[serde(untagged)]
    enum FileContent {
        Page { items: Vec<Checkpoint> },
        One(Checkpoint),
    }
    let origin = file.display().to_string();
    let text = std::fs::read_to_string(file);
    let text = text.with_context(|| format!("cannot read the checkpoints {origin}"))?;
    let kept = serde_json::from_str(&text);
    let kept =
        kept.with_context(|| format!("{origin} contains neither a checkpoint nor a list of them"))?;
    let items = match kept {
        FileContent::Page { items } => items,
        FileContent::One(checkpoint) => vec![checkpoint],
    };
    if items.is_empty() {
        bail!("{origin} contains no checkpoint");
    }
    let kept = |checkpoint| KeptCheckpoint {
        origin: origin.clone(),
        checkpoint,
    };
    Ok(items.into_iter().map(kept).collect())
}

impl Verify {
    /// Verifies a database with its own keys.
    pub fn of_database(database: DatabaseUrl, data: DataOption) -> Verify {
        Verify {
            files: Vec::new(),
            database: DatabaseOption { database },
            data,
            key: PublicKeyOption::default(),
            checkpoint: None,
            facts: None,
            proofs: None,
            log_checkpoint: None,
            mirror: None,
            server: None,
            require_signature: false,
        }
    }

    /// Verifies files or the database, and reports to standard error.
    pub fn run(&self) -> anyhow::Result<()> {
        if let (Some(folder), Some(server)) = (&self.mirror, &self.server) {
            let mirror = Mirror::new(folder, server)?;
            let update = mirror.update(self.key.keys()?);
            return actix_web::rt::System::new().block_on(update);
        }
        let library = self.data.library()?;
        let mut tally = VerifyTally::default();
        tally.signatures.keys = self.key.keys()?;
        tally.proofs = match &self.proofs {
            Some(file) => Some(Proofs::read(file, self.kept_head(&tally)?)?),
            None => None,
        };
        tally.signatures.each = tally.signatures.keys.is_some();
        if self.require_signature && !self.files.is_empty() && tally.signatures.keys.is_none() {
            bail!("--require-signature needs public keys: give them with --key");
        }
        let mut faults = 0;
        if self.files.is_empty() {
            faults = self.verify_database(&library, &mut tally)?;
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
        let unproven = tally.proofs.as_ref().map_or(0, Proofs::report);
        let (wrong, unproved) = tally.signatures.report();
        let VerifyTally {
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
        if unproven > 0 {
            bail!("{unproven} records are not proven to be in the log");
        }
        if self.require_signature && unproved > 0 {
            bail!("{unproved} records are unsigned or signed with unknown keys");
        }
        Ok(())
    }

    /// Returns the checkpoint of the log that is stored outside the database.
    fn kept_note(&self) -> anyhow::Result<Option<KeptHead>> {
        let Some(file) = &self.log_checkpoint else {
            return Ok(None);
        };
        let origin = file.display().to_string();
        let note = std::fs::read_to_string(file);
        let note = note.with_context(|| format!("cannot read the checkpoint {origin}"))?;
        Ok(Some(KeptHead { origin, note }))
    }

    /// Returns the head in it, whose signature is checked.
    fn kept_head(&self, tally: &VerifyTally) -> anyhow::Result<Option<TreeHead>> {
        let keys = tally.signatures.keys.clone().unwrap_or_default();
        let head = |kept: KeptHead| TreeHead::verify(&kept.note, &keys).context(kept.origin);
        self.kept_note()?.map(head).transpose()
    }

    /// Verifies the database, reports to standard error, and returns the number of faults.
    fn verify_database(&self, library: &Library, tally: &mut VerifyTally) -> anyhow::Result<u64> {
        let elsewhere = match &self.checkpoint {
            Some(file) => kept_checkpoints(file)?,
            None => Vec::new(),
        };
        let services = crate::cli::stored::open(&self.database.database, library)?;
        let own_keys = tally.signatures.keys.is_none();
        if own_keys {
            tally.signatures.keys = Some(services.signing.public_keys()?);
        }
        let keys: PublicKeys = tally.signatures.keys.clone().unwrap_or_default();
        let mut faults = 0;
        let heads: Vec<KeptHead> = self.kept_note()?.into_iter().collect();
        let audited = audit(&services, &keys, (&elsewhere, &heads), |finding| {
            match finding {
                Finding::Record(record) => {
                    tally.check(Path::new("database"), None, record, library)?;
                }
                Finding::Fault(message) => {
                    faults += 1;
                    eprintln!("database: {message}");
                }
            }
            anyhow::Ok(())
        })?;
        let AuditReport {
            games:
                AuditedGames {
                    games,
                    seats,
                    events,
                    ..
                },
            checkpoints,
            leagues,
            league_events,
            covered_league_events,
            ratings,
            leaves,
            unprotected,
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
        eprintln!("{ratings} ratings computed again");
        if let Some(folder) = &self.facts {
            let of = (&*services.games, &*services.leagues.log, library);
            let compared = facts::audit(folder, of, |message| {
                faults += 1;
                eprintln!("facts: {message}");
            })?;
            eprintln!("facts of {compared} games derived again");
        }
        eprintln!("{leaves} leaves of the transparency log accounted for");
        match (checkpoints, faults) {
            (0, _) => eprintln!("the log has no checkpoint"),
            (_, 0) => eprintln!("the log is that of its {checkpoints} checkpoints"),
            _ => {}
        }
        let keys =
            "the public keys, which come from the database itself: give a copy of them with --key";
        let dropped = "dropped checkpoints: give one that is stored elsewhere with --checkpoint";
        let facts = "the facts of statistics, which are files beside the database: compare them with --facts";
        let replaced = "the transparency log, which can be replaced as a whole by a person with the signing key: give a \
                        checkpoint of it that is stored elsewhere with --log-checkpoint";
        for what in [
            own_keys.then_some(keys),
            elsewhere.is_empty().then_some(dropped),
            heads.is_empty().then_some(replaced),
            self.facts.is_none().then_some(facts),
        ]
        .into_iter()
        .flatten()
        .chain(unprotected.iter().map(String::as_str))
        {
            eprintln!("unprotected: {what}");
        }
        Ok(faults)
    }
}

#[derive(Default)]
struct VerifyTally {
    signatures: Signatures,
    proofs: Option<Proofs>,
    good: u64,
    /// The number of good records whose result only the record itself states.
    declared: u64,
    bad: u64,
}

impl VerifyTally {
    fn check(
        &mut self,
        origin: &Path,
        line: Option<usize>,
        record: &records::Record,
        library: &Library,
    ) -> anyhow::Result<()> {
        let at = match line {
            Some(line) => format!("{}:{line}", origin.display()),
            None => origin.display().to_string(),
        };
        let place = format_args!("{at}: {}", record.id);
        self.signatures.check(&at, record)?;
        if let (Some(proofs), Some(keys)) = (&mut self.proofs, &self.signatures.keys) {
            proofs.check(&at, record, keys);
        }
        match record.verify(library) {
            Ok(verified) => {
                self.good += 1;
                if verified.declared {
                    self.declared += 1;
                    eprintln!("{place}: its result is declared: no log proves it");
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
