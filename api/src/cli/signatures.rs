//! Checks the signatures of records for `verify`.

use std::collections::BTreeMap;
use std::fmt::Display;

use anyhow::Context;
use records::{PublicKeys, Record, SignatureStatus};

/// Selects the public keys.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct PublicKeyOption {
    /// Public keys for checking signatures: a key or a file.
    /// The file has the answer of `/v1/keys`, or a key on each line. By default, a database is checked with its own
    /// keys.
    #[arg(long, value_name = "FILE|KEY")]
    key: Option<String>,
}

impl PublicKeyOption {
    /// Returns the given keys; `None` without the option.
    pub fn keys(&self) -> anyhow::Result<Option<PublicKeys>> {
        let Some(named) = &self.key else {
            return Ok(None);
        };
        if let Ok(keys) = named.parse() {
            return Ok(Some(keys));
        }
        let text = std::fs::read_to_string(named);
        let text = text.with_context(|| format!("cannot read the keys {named}"))?;
        let keys = text.parse();
        Ok(Some(keys.with_context(|| named.to_owned())?))
    }
}

/// The results of checking signatures.
#[derive(Debug, Default)]
pub struct Signatures {
    /// The public keys; `None` if signatures are not checked.
    pub keys: Option<PublicKeys>,
    /// Whether to report each record, instead of only wrong signatures.
    pub each: bool,
    /// The number of records signed by each key.
    signed: BTreeMap<String, u64>,
    unknown: u64,
    unsigned: u64,
    wrong: u64,
}

impl Signatures {
    /// Checks the signature of a record and reports the result.
    pub fn check(&mut self, place: impl Display, record: &Record) -> anyhow::Result<()> {
        let Some(keys) = &self.keys else {
            return Ok(());
        };
        let id = &record.id;
        let report = |message: String| {
            if self.each {
                println!("{place}: {id}: {message}");
            }
        };
        match record.check_signature(keys)? {
            SignatureStatus::Valid(key) => {
                report(format!("signed by {key}"));
                *self.signed.entry(key).or_default() += 1;
            }
            SignatureStatus::UnknownKey(key) => {
                report(format!("signed by the unknown key {key}"));
                self.unknown += 1;
            }
            SignatureStatus::Unsigned => {
                report("unsigned".to_owned());
                self.unsigned += 1;
            }
            SignatureStatus::Invalid { key, reason } => {
                eprintln!("{place}: {id}: the signature of {key} is wrong: {reason}");
                self.wrong += 1;
            }
        }
        Ok(())
    }

    /// Reports the counts.
    /// Returns the numbers of wrong signatures and of records without a signature by a known key.
    pub fn report(&self) -> (u64, u64) {
        let Some(_) = self.keys else {
            eprintln!("signatures were not checked: give public keys with --key");
            return (0, 0);
        };
        for (key, count) in &self.signed {
            eprintln!("{count} signed by {key}");
        }
        let Signatures {
            unknown,
            unsigned,
            wrong,
            ..
        } = self;
        eprintln!("{unsigned} unsigned, {unknown} signed by unknown keys, {wrong} wrongly signed");
        (*wrong, unsigned + unknown)
    }
}
