//! Checkpoints of the log of all games: making them, and holding the log against them.

use std::time::Duration;

use engine::record::{Checkpoint, PublicKeys, Root};
use jiff::Timestamp;

use super::{GameError, Games, Page};
use crate::store::{CheckpointRow, LogRow, StoreError, time_text};

/// How long after a checkpoint the next one is due, when something was added.
const DAILY: Duration = Duration::from_secs(24 * 60 * 60);

/// How many checkpoints are read at a time.
const TOGETHER: i64 = 64;

fn body(row: CheckpointRow) -> Checkpoint {
    Checkpoint {
        number: row.number as u64,
        at: time_text(row.at),
        position: row.position as u64,
        games: row.games as u64,
        root: row.root,
        previous: row.previous,
        key: row.key,
        value: row.value,
    }
}

impl Games {
    /// Makes a checkpoint of the log as it is now; `None` when nothing was added since the last one, or
    /// another node is making one.
    ///
    /// # Errors
    /// When there is no key, or the store fails.
    pub fn make_checkpoint(&self) -> Result<Option<Checkpoint>, GameError> {
        let no_key = || GameError::Forbidden("there is no key to sign with".to_owned());
        let key = self.office.as_ref().ok_or_else(no_key)?.key();
        let previous = self.store.checkpoint(None)?;
        if previous.as_ref().map_or(0, |row| row.position) >= self.store.last_position()? {
            return Ok(None);
        }
        let previous = previous.map(body);
        let mut root = Root::default();
        let position = (self.store).log_heads(|head| {
            root.add(&head.id, head.seq as u64, &head.hash);
        })?;
        let (games, root) = root.finish();
        let at = Timestamp::now().as_microsecond();
        let checkpoint = Checkpoint {
            number: previous.as_ref().map_or(0, |one| one.number) + 1,
            at: time_text(at),
            position: position as u64,
            games,
            root,
            previous: None,
            key: String::new(),
            value: String::new(),
        }
        .signed(previous.as_ref(), &key);
        let one = checkpoint.clone();
        match self.store.add_checkpoint(&CheckpointRow {
            number: one.number as i64,
            at,
            position,
            games: one.games as i64,
            root: one.root,
            previous: one.previous,
            key: one.key,
            value: one.value,
        }) {
            Ok(()) => Ok(Some(checkpoint)),
            Err(StoreError::Conflict) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// Makes a checkpoint when the last one, or else the first event of all, is a day old.
    pub(super) fn checkpoint_when_due(&self) -> Result<(), GameError> {
        let since = match self.store.checkpoint(None)? {
            Some(row) => Some(row.at),
            None => self.store.log_begins()?,
        };
        let now = Timestamp::now().as_microsecond();
        let is_due = |since: i64| now.saturating_sub(since) >= DAILY.as_micros() as i64;
        if since.is_some_and(is_due)
            && let Some(made) = self.make_checkpoint()?
        {
            tracing::info!(
                number = made.number,
                position = made.position,
                "made a checkpoint"
            );
        }
        Ok(())
    }

    /// The checkpoint with a number, the newest for `None`.
    ///
    /// # Errors
    /// When there is none, or the store fails.
    pub fn checkpoint(&self, number: Option<u64>) -> Result<Checkpoint, GameError> {
        let wanted = number.map(|number| i64::try_from(number).unwrap_or(i64::MAX));
        let what = || match number {
            Some(number) => format!("checkpoint {number}"),
            None => "checkpoint yet".to_owned(),
        };
        let found = self.store.checkpoint(wanted)?;
        found.map(body).ok_or_else(|| GameError::NotFound(what()))
    }

    /// Checkpoints behind a number, in order.
    ///
    /// # Errors
    /// When the store fails.
    pub fn checkpoints(&self, after: u64, limit: usize) -> Result<Page<Checkpoint>, GameError> {
        let after = i64::try_from(after).unwrap_or(i64::MAX);
        let mut found = self.store.checkpoints(after, limit as i64 + 1)?;
        let more = found.len() > limit;
        found.truncate(limit);
        let next = found.last().filter(|_| more);
        Ok(Page {
            next: next.map(|row| row.number.to_string()),
            items: found.into_iter().map(body).collect(),
        })
    }

    /// Every checkpoint, and which of them are not signed as they should be or do not follow from the one
    /// before.
    ///
    /// # Errors
    /// When the store fails.
    pub(super) fn signed_checkpoints(
        &self,
        keys: &PublicKeys,
    ) -> Result<(Vec<Checkpoint>, Vec<String>), GameError> {
        let mut faults = Vec::new();
        let mut checkpoints: Vec<Checkpoint> = Vec::new();
        loop {
            let after = checkpoints.last().map_or(0, |one| one.number as i64);
            let part = self.store.checkpoints(after, TOGETHER)?;
            let done = part.len() < TOGETHER as usize;
            for one in part.into_iter().map(body) {
                if let Err(error) = one.check(checkpoints.last(), keys) {
                    faults.push(error.to_string());
                }
                checkpoints.push(one);
            }
            if done {
                return Ok((checkpoints, faults));
            }
        }
    }
}

/// What the log holds up to a checkpoint.
#[derive(Clone, Default)]
pub struct Covered {
    root: Root,
    events: u64,
}

impl Covered {
    /// Takes in the next game's log, with whole hashes.
    pub fn add(&mut self, one: &Checkpoint, id: &str, log: &[LogRow]) {
        let count = log.partition_point(|event| event.position <= one.position);
        if let Some(last) = log[..count].last() {
            self.events += count as u64;
            self.root.add(id, last.row.seq, &last.row.hash);
        }
    }
}

/// Tells of the first checkpoint that the log does not fit: what changed stands behind the one before.
pub fn first_unlike(checkpoints: &[Checkpoint], covered: Vec<Covered>) -> Option<String> {
    let mut since = 0;
    let mut unlike = Vec::new();
    for (one, covered) in checkpoints.iter().zip(covered) {
        let (games, root) = covered.root.finish();
        if (covered.events, games, &root) != (one.position, one.games, &one.root) {
            unlike.push((one, games, covered.events));
        } else if unlike.is_empty() {
            since = one.position;
        }
    }
    let (one, games, events) = unlike.first()?;
    let what = match (games.cmp(&one.games), events.cmp(&one.position)) {
        (std::cmp::Ordering::Less, _) => "games were dropped",
        (_, std::cmp::Ordering::Less) => "events were dropped",
        (std::cmp::Ordering::Equal, std::cmp::Ordering::Equal) => "events were altered",
        _ => "events were put in",
    };
    Some(format!(
        "checkpoint {} of {}: the log is not what was signed ({games} games and {events} events up to \
         there, {} and {} were signed): {what} behind event {since} of the log",
        one.number, one.at, one.games, one.position
    ))
}
