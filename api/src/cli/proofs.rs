//! Checks that records are in the transparency log, for `verify`.

use std::collections::HashMap;
use std::fmt::Display;
use std::path::Path;

use anyhow::Context;
use records::tlog::{InclusionProof, TreeHead};
use records::{PublicKeys, Record};

/// Proofs by game, and what they have proven.
#[derive(Debug)]
pub struct Proofs {
    proofs: HashMap<String, InclusionProof>,
    /// A checkpoint of the log that the user has stored.
    kept: Option<TreeHead>,
    proven: u64,
    wrong: u64,
}

impl Proofs {
    /// Reads a file with a proof on each line.
    pub fn read(file: &Path, kept: Option<TreeHead>) -> anyhow::Result<Proofs> {
        let name = file.display();
        let text = std::fs::read_to_string(file);
        let text = text.with_context(|| format!("cannot read the proofs {name}"))?;
        let mut proofs = HashMap::new();
        let lines = (1..).zip(text.lines());
        for (number, line) in lines.filter(|(_, line)| !line.trim().is_empty()) {
            let proof: Result<InclusionProof, _> = serde_json::from_str(line);
            let proof = proof.with_context(|| format!("{name}:{number} is not a proof"))?;
            proofs.insert(proof.game.clone(), proof);
        }
        Ok(Proofs {
            proofs,
            kept,
            proven: 0,
            wrong: 0,
        })
    }

    /// Checks the proof of a record and reports what is wrong.
    pub fn check(&mut self, place: impl Display, record: &Record, keys: &PublicKeys) {
        match self.find_fault(record, keys) {
            None => self.proven += 1,
            Some(fault) => {
                eprintln!("{place}: {}: {fault}", record.id);
                self.wrong += 1;
            }
        }
    }

    fn find_fault(&self, record: &Record, keys: &PublicKeys) -> Option<String> {
        let Some(proof) = self.proofs.get(&record.id) else {
            return Some("there is no proof that it is in the log".to_owned());
        };
        let head = match proof.check(record, keys) {
            Ok(head) => head,
            Err(error) => return Some(format!("its proof is wrong: {error}")),
        };
        let kept = self.kept.as_ref()?;
        if kept.origin != head.origin {
            let (found, expected) = (&head.origin, &kept.origin);
            return Some(format!(
                "its proof is of the log {found}, not of {expected}"
            ));
        }
        (kept.size == head.size && kept.root != head.root).then(|| {
            format!(
                "split view: the checkpoint of its proof and the given one have {} leaves and different roots",
                kept.size
            )
        })
    }

    /// Reports the numbers, and returns that of records without a valid proof.
    pub fn report(&self) -> u64 {
        let Proofs { proven, wrong, .. } = self;
        eprintln!("{proven} records are proven to be in the log, {wrong} are not");
        self.wrong
    }
}
