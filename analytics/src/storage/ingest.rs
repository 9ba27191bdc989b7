//! Reads files of records into a store of facts.
//!
//! Games that the store contains are skipped. Records without facts are reported and skipped.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::io::{self, BufRead};

use engine::content::Library;
use jiff::Timestamp;
use polars::prelude::PolarsError;
use rayon::prelude::*;
use records::Record;

use super::error::FactsStoreError;
use super::store::id_hash;
use super::writer::FactsWriter;
use crate::facts::derive::content_hash;
use crate::facts::{DeriveError, Facts, GameFacts, GameRow, Rater};

/// The most lines that are replayed together and written as parts.
const BATCH: usize = 2048;

/// The most bytes of these lines, so that long games need no more memory than short ones.
const BATCH_BYTES: u64 = 32 << 20;

/// The result of reading records.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct IngestReport {
    /// Games added.
    pub added: u64,
    /// Games that the store contains already, or that occur twice.
    pub known: u64,
    /// Games that are not over; they can be added later.
    pub unfinished: u64,
    /// Lines that are not records, records that do not replay, and records with the id of another game.
    pub bad: u64,
}

impl IngestReport {
    /// Adds up two reports.
    pub fn merge(self, other: IngestReport) -> IngestReport {
        IngestReport {
            added: self.added + other.added,
            known: self.known + other.known,
            unfinished: self.unfinished + other.unfinished,
            bad: self.bad + other.bad,
        }
    }
}

/// A progress message.
#[derive(Debug)]
pub enum IngestProgress<'a> {
    /// All records of a batch are in the store.
    Batch {
        /// The size of the batch.
        bytes: u64,
        /// The result of the batch.
        report: IngestReport,
    },
    /// A line was skipped.
    Bad {
        /// The number of the line, from 1.
        line: u64,
        /// The reason.
        reason: &'a RecordError,
    },
}

/// The reason why a line has no facts.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    /// The line is not a record.
    #[error("not a record (one JSON object a line is expected): {0}")]
    Json(#[from] serde_json::Error),
    /// Another game has the same id, or another record of the same game is known.
    #[error("{0}: a different record with this id was added before; remove one of the two")]
    Another(String),
    /// The record does not replay.
    #[error("{id}: {error}")]
    Derive {
        /// The game's id.
        id: String,
        /// The cause.
        error: DeriveError,
    },
}

/// The reason why reading records fails.
#[derive(Debug, thiserror::Error)]
pub enum IngestError {
    /// The records cannot be read.
    #[error(transparent)]
    Read(#[from] io::Error),
    /// The facts cannot be written.
    #[error(transparent)]
    Store(#[from] FactsStoreError),
    /// The frames cannot be built.
    #[error(transparent)]
    Frame(#[from] PolarsError),
}

/// Reads records into a store.
pub struct Ingest<'a> {
    writer: &'a mut FactsWriter,
    library: &'a Library,
    /// The hashes of ids and contents of known games, which need less memory than the ids.
    /// 10,000,000 games need about 600 MB. The probability that two of their ids have the same hash is 1 in 10^24.
    known: HashMap<u128, u64>,
    rater: Rater,
}

/// The result of one line.
enum IngestedLine {
    Blank,
    Known,
    Unfinished,
    Bad(RecordError),
    Game(Box<GameFacts>),
}

impl<'a> Ingest<'a> {
    /// Prepares to add records, which are replayed with the library.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn new(
        writer: &'a mut FactsWriter,
        library: &'a Library,
    ) -> Result<Ingest<'a>, FactsStoreError> {
        let known = writer.store().games()?;
        let rater = writer.store().rater()?;
        Ok(Ingest {
            writer,
            library,
            known,
            rater,
        })
    }

    /// Reads records, one JSON object a line, and adds new games.
    ///
    /// # Errors
    /// If reading or writing fails. Batches that were reported before stay in the store.
    pub fn read(
        &mut self,
        mut records: impl BufRead,
        mut progress: impl FnMut(IngestProgress<'_>),
    ) -> Result<IngestReport, IngestError> {
        let mut total = IngestReport::default();
        let mut number = 0;
        loop {
            let (lines, bytes) = batch(&mut records)?;
            if lines.is_empty() {
                return Ok(total);
            }
            let derived: Vec<IngestedLine> =
                lines.par_iter().map(|line| self.derive(line)).collect();
            let mut report = IngestReport::default();
            let mut games = Vec::new();
            let (mut place, now) = (
                self.writer.manifest().version().log_position,
                Timestamp::now(),
            );
            for line in derived {
                number += 1;
                let mut bad = |report: &mut IngestReport, reason: RecordError| {
                    report.bad += 1;
                    progress(IngestProgress::Bad {
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
                            games.push(game.with_position(place, now));
                        }
                        Entry::Occupied(known) if *known.get() == content(&game.game) => {
                            report.known += 1;
                        }
                        Entry::Occupied(_) => {
                            bad(
                                &mut report,
                                RecordError::Another(game.game.game.to_string()),
                            );
                        }
                    },
                }
            }
            if !games.is_empty() {
                self.rater.rate(&mut games);
                self.writer.append(&Facts::from_games(games)?, None, 0)?;
                while self.writer.compact()? {}
            }
            progress(IngestProgress::Batch { bytes, report });
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
            // The stored game can be declared or not.
            Some(known)
                if [true, false]
                    .map(|declared| content_hash(&record, declared))
                    .contains(known) =>
            {
                return IngestedLine::Known;
            }
            Some(_) => return IngestedLine::Bad(RecordError::Another(record.id)),
            None => {}
        }
        match GameFacts::derive(&record, self.library) {
            Ok(game) => IngestedLine::Game(Box::new(game)),
            Err(DeriveError::Unfinished) => IngestedLine::Unfinished,
            Err(error) => IngestedLine::Bad(RecordError::Derive {
                id: record.id,
                error,
            }),
        }
    }
}

/// Returns the content hash of a game, which distinguishes records with the same id.
fn content(game: &GameRow) -> u64 {
    u64::from(game.content_1) << 32 | u64::from(game.content_2)
}

/// Reads the next lines, and returns their size in bytes.
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
