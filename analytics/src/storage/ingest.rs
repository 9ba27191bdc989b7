//! From files of records to a store of facts. Games that the store has are passed over, records
//! that give no facts are told and left out.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::io::{self, BufRead};

use engine::content::Library;
use jiff::Timestamp;
use polars::prelude::PolarsError;
use rayon::prelude::*;
use records::Record;

use super::error::StoreError;
use super::store::id_hash;
use super::writer::FactsWriter;
use crate::facts::derive::content_of;
use crate::facts::{DeriveError, Facts, GameFacts, GameRow};

/// How many lines are replayed together and written as one part a table and month.
const BATCH: usize = 2048;

/// How long they may be together, in bytes, so that long games take no more memory than short ones.
const BATCH_BYTES: u64 = 32 << 20;

/// What a file of records came to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Games added.
    pub added: u64,
    /// Games that the store had, or that came twice.
    pub known: u64,
    /// Games that are not over; they can be added when they are.
    pub unfinished: u64,
    /// Lines that are no record, records that do not replay, and those of which another game has the id.
    pub bad: u64,
}

impl Report {
    /// Two reports together.
    pub fn merge(self, other: Report) -> Report {
        Report {
            added: self.added + other.added,
            known: self.known + other.known,
            unfinished: self.unfinished + other.unfinished,
            bad: self.bad + other.bad,
        }
    }
}

/// What is told while records are read.
#[derive(Debug)]
pub enum Progress<'a> {
    /// So many more bytes were read, and all that was in them is in the store.
    Batch {
        /// How many bytes.
        bytes: u64,
        /// What they came to.
        report: Report,
    },
    /// A line was left out.
    Bad {
        /// Its number, from 1.
        line: u64,
        /// Why.
        reason: &'a BadRecord,
    },
}

/// A line that gives no facts.
#[derive(Debug, thiserror::Error)]
pub enum BadRecord {
    /// It is no record.
    #[error("not a record: {0}")]
    Json(#[from] serde_json::Error),
    /// There is another game with its id, or another record of it.
    #[error("{0}: another record has this id: what they say differs")]
    Another(String),
    /// It does not replay.
    #[error("{id}: {error}")]
    Derive {
        /// The game's id.
        id: String,
        /// Why.
        error: DeriveError,
    },
}

/// Records that cannot be taken in at all.
#[derive(Debug, thiserror::Error)]
pub enum IngestError {
    /// They cannot be read.
    #[error(transparent)]
    Read(#[from] io::Error),
    /// The facts cannot be written.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The frames cannot be built.
    #[error(transparent)]
    Frame(#[from] PolarsError),
}

/// Takes records into a store.
pub struct Ingest<'a> {
    writer: &'a mut FactsWriter,
    library: &'a Library,
    /// What [`crate::Store`] tells of its games, which takes less memory than the ids. 10,000,000 games are some
    /// 600 MB; that two ids of so many have the same hash is as likely as 1 in 10^24.
    known: HashMap<u128, u64>,
}

/// What a line came to.
enum IngestedLine {
    Blank,
    Known,
    Unfinished,
    Bad(BadRecord),
    Game(Box<GameFacts>),
}

impl<'a> Ingest<'a> {
    /// Takes records into a store, replayed with this library.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn new(
        writer: &'a mut FactsWriter,
        library: &'a Library,
    ) -> Result<Ingest<'a>, StoreError> {
        let known = writer.store().games()?;
        Ok(Ingest {
            writer,
            library,
            known,
        })
    }

    /// Reads records, one JSON object a line, and adds the games that are new.
    ///
    /// # Errors
    /// When reading or writing fails; what was told in a batch before is kept.
    pub fn read(
        &mut self,
        mut records: impl BufRead,
        mut progress: impl FnMut(Progress<'_>),
    ) -> Result<Report, IngestError> {
        let mut total = Report::default();
        let mut number = 0;
        loop {
            let (lines, bytes) = batch(&mut records)?;
            if lines.is_empty() {
                return Ok(total);
            }
            let derived: Vec<IngestedLine> =
                lines.par_iter().map(|line| self.derive(line)).collect();
            let mut report = Report::default();
            let mut games = Vec::new();
            let (mut place, now) = (
                self.writer.manifest().version().log_position,
                Timestamp::now(),
            );
            for line in derived {
                number += 1;
                let mut bad = |report: &mut Report, reason: BadRecord| {
                    report.bad += 1;
                    progress(Progress::Bad {
                        line: number,
                        reason: &reason,
                    });
                };
                match line {
                    IngestedLine::Blank => {}
                    IngestedLine::Known => report.known += 1,
                    IngestedLine::Unfinished => report.unfinished += 1,
                    IngestedLine::Bad(reason) => bad(&mut report, reason),
                    IngestedLine::Game(game) => match self.known.entry(id_hash(&game.game.game)) {
                        Entry::Vacant(new) => {
                            new.insert(content(&game.game));
                            report.added += 1;
                            place += 1;
                            games.push(game.recorded(place, now));
                        }
                        Entry::Occupied(known) if *known.get() == content(&game.game) => {
                            report.known += 1;
                        }
                        Entry::Occupied(_) => {
                            bad(&mut report, BadRecord::Another(game.game.game.to_string()));
                        }
                    },
                }
            }
            if !games.is_empty() {
                self.writer.append(&Facts::from_games(games)?, None, 0)?;
                while self.writer.compact()? {}
            }
            progress(Progress::Batch { bytes, report });
            total = total.merge(report);
        }
    }

    fn derive(&self, line: &[u8]) -> IngestedLine {
        if line.trim_ascii().is_empty() {
            return IngestedLine::Blank;
        }
        let record: Record = match serde_json::from_slice(line) {
            Ok(record) => record,
            Err(error) => return IngestedLine::Bad(error.into()),
        };
        match self.known.get(&id_hash(&record.id)) {
            // With its log or without.
            Some(known)
                if [true, false]
                    .map(|told| content_of(&record, told))
                    .contains(known) =>
            {
                return IngestedLine::Known;
            }
            Some(_) => return IngestedLine::Bad(BadRecord::Another(record.id)),
            None => {}
        }
        match GameFacts::derive(&record, self.library) {
            Ok(game) => IngestedLine::Game(Box::new(game)),
            Err(DeriveError::Unfinished) => IngestedLine::Unfinished,
            Err(error) => IngestedLine::Bad(BadRecord::Derive {
                id: record.id,
                error,
            }),
        }
    }
}

/// What tells another record of the same game.
fn content(game: &GameRow) -> u64 {
    u64::from(game.content_1) << 32 | u64::from(game.content_2)
}

/// The next lines, and their length in bytes.
fn batch(records: &mut impl BufRead) -> io::Result<(Vec<Vec<u8>>, u64)> {
    let (mut lines, mut bytes) = (Vec::new(), 0);
    while lines.len() < BATCH && bytes < BATCH_BYTES {
        let mut line = Vec::new();
        match records.read_until(b'\n', &mut line)? {
            0 => break,
            count => bytes += count as u64,
        }
        lines.push(line);
    }
    Ok((lines, bytes))
}
