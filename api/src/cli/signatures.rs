//! Signatures of records as `verify` checks them.

use std::collections::BTreeMap;
use std::fmt::Display;

use anyhow::Context;
use records::{PublicKeys, Record, Signed};

/// Which keys are known.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct PublicKeyOption {
    /// Check signatures with these public keys: a file with what `/v1/keys` answers or with a key a
    /// line, or one key itself. A database is checked with its own keys when left out.
    #[arg(long, value_name = "FILE|KEY")]
    key: Option<String>,
}

impl PublicKeyOption {
    /// The keys that are named; `None` when none are.
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

/// What the signatures of records have shown.
#[derive(Debug, Default)]
pub struct Signatures {
    /// The keys that are known; `None` when signatures are not checked.
    pub keys: Option<PublicKeys>,
    /// Whether each record is told of, not only those that are wrongly signed.
    pub each: bool,
    /// How many records each key has signed.
    signed: BTreeMap<String, u64>,
    unknown: u64,
    unsigned: u64,
    wrong: u64,
}

impl Signatures {
    /// Checks the signature of a record and tells what it says.
    pub fn check(&mut self, place: impl Display, record: &Record) -> anyhow::Result<()> {
        let Some(keys) = &self.keys else {
            return Ok(());
        };
        let id = &record.id;
        let tell = |said: String| {
            if self.each {
                println!("{place}: {id}: {said}");
            }
        };
        match record.check_signature(keys)? {
            Signed::By(key) => {
                tell(format!("signed by {key}"));
                *self.signed.entry(key).or_default() += 1;
            }
            Signed::ByUnknown(key) => {
                tell(format!("signed by the unknown key {key}"));
                self.unknown += 1;
            }
            Signed::No => {
                tell("unsigned".to_owned());
                self.unsigned += 1;
            }
            Signed::Wrong { key, reason } => {
                eprintln!("{place}: {id}: the signature of {key} is wrong: {reason}");
                self.wrong += 1;
            }
        }
        Ok(())
    }

    /// Tells the counts and returns how many signatures are wrong, and how many records no known key has signed.
    pub fn report(&self) -> (u64, u64) {
        let Some(_) = self.keys else {
            eprintln!("signatures were not checked: name public keys with --key");
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
