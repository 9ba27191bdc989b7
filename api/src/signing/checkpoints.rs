//! Checkpoints of the logs of all games and all leagues: making them, and holding the logs against them.

use std::cmp::Ordering;
use std::time::Duration;

use jiff::Timestamp;
use records::{Checkpoint, CoveredLeagues, PublicKeys, Root};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::db::StoreError;
use crate::db::time::time_text;
use crate::http::error::ServiceError;
use crate::http::page::cut;
use crate::signing::queries::CheckpointRow;
use crate::signing::service::Signing;

/// How long after a checkpoint the next one is due, when something was added.
const DAILY: Duration = Duration::from_secs(24 * 60 * 60);

/// How many checkpoints are read at a time.
const TOGETHER: i64 = 64;

/// A page of checkpoints.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct CheckpointPage {
    /// The checkpoints, the oldest first.
    pub items: Vec<Checkpoint>,
    /// The `after` of the next page; null on the last.
    pub next: Option<String>,
}

fn body(row: CheckpointRow) -> Checkpoint {
    // All of them are there, or none is.
    let leagues = (row.league_position.zip(row.leagues)).zip(row.league_root.zip(row.league_value));
    Checkpoint {
        number: row.number as u64,
        at: time_text(row.at),
        position: row.position as u64,
        games: row.games as u64,
        root: row.root,
        previous: row.previous,
        key: row.key,
        value: row.value,
        leagues: leagues.map(|((position, leagues), (root, value))| CoveredLeagues {
            position: position as u64,
            leagues: leagues as u64,
            root,
            value,
        }),
    }
}

impl Signing {
    /// Makes a checkpoint of the logs as they are now; `None` when nothing was added since the last one, or
    /// another node is making one.
    pub fn make_checkpoint(&self) -> Result<Option<Checkpoint>, ServiceError> {
        let no_key = || ServiceError::Forbidden("there is no key to sign with".to_owned());
        let key = self.key().ok_or_else(no_key)?;
        let previous = self.store.checkpoint(None)?;
        if !self.has_grown(previous.as_ref())? {
            return Ok(None);
        }
        let previous = previous.map(body);
        let (league_position, heads) = self.store.league_heads()?;
        let mut league_root = Root::default();
        for head in heads {
            league_root.add(&head.id, head.seq as u64, &head.hash);
        }
        let (leagues, league_root) = league_root.finish();
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
            leagues: (leagues > 0).then(|| CoveredLeagues {
                position: league_position as u64,
                leagues,
                root: league_root,
                value: String::new(),
            }),
        }
        .signed(previous.as_ref(), &key);
        let one = checkpoint.clone();
        let leagues = one.leagues;
        match self.store.add_checkpoint(&CheckpointRow {
            number: one.number as i64,
            at,
            position,
            games: one.games as i64,
            root: one.root,
            previous: one.previous,
            key: one.key,
            value: one.value,
            league_position: leagues.as_ref().map(|leagues| leagues.position as i64),
            leagues: leagues.as_ref().map(|leagues| leagues.leagues as i64),
            league_root: leagues.as_ref().map(|leagues| leagues.root.clone()),
            league_value: leagues.map(|leagues| leagues.value),
        }) {
            Ok(()) => Ok(Some(checkpoint)),
            Err(StoreError::Conflict) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// Whether the logs hold more than a checkpoint covers.
    fn has_grown(&self, covered: Option<&CheckpointRow>) -> Result<bool, ServiceError> {
        let games = covered.map_or(0, |row| row.position);
        let leagues = covered.and_then(|row| row.league_position).unwrap_or(0);
        Ok(self.store.last_position()? > games || self.store.league_log_grew(leagues)?)
    }

    /// Whether the last checkpoint, or else the first event of all, is a day old, and something was added
    /// since.
    pub(crate) fn is_checkpoint_due(&self) -> Result<bool, ServiceError> {
        let last = self.store.checkpoint(None)?;
        let since = match &last {
            Some(row) => Some(row.at),
            None => {
                let begin = [self.store.log_begins()?, self.store.leagues_begin()?];
                begin.into_iter().flatten().min()
            }
        };
        let now = Timestamp::now().as_microsecond();
        let is_old = |since: i64| now.saturating_sub(since) >= DAILY.as_micros() as i64;
        Ok(since.is_some_and(is_old) && self.has_grown(last.as_ref())?)
    }

    /// Makes a checkpoint when one is due.
    pub(crate) fn checkpoint_when_due(&self) -> Result<(), ServiceError> {
        if self.is_checkpoint_due()?
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
    pub fn checkpoint(&self, number: Option<u64>) -> Result<Checkpoint, ServiceError> {
        let wanted = number.map(|number| i64::try_from(number).unwrap_or(i64::MAX));
        let what = || match number {
            Some(number) => format!("checkpoint {number}"),
            None => "checkpoint yet".to_owned(),
        };
        let found = self.store.checkpoint(wanted)?;
        found
            .map(body)
            .ok_or_else(|| ServiceError::NotFound(what()))
    }

    /// Checkpoints behind a number, in order.
    pub fn checkpoints(&self, after: u64, limit: usize) -> Result<CheckpointPage, ServiceError> {
        let after = i64::try_from(after).unwrap_or(i64::MAX);
        let found = self.store.checkpoints(after, limit as i64 + 1)?;
        let (found, next) = cut(found, limit, |row| row.number.to_string());
        Ok(CheckpointPage {
            items: found.into_iter().map(body).collect(),
            next,
        })
    }

    /// Every checkpoint, and which of them are not signed as they should be or do not follow from the one
    /// before.
    pub(crate) fn signed_checkpoints(
        &self,
        keys: &PublicKeys,
    ) -> Result<(Vec<Checkpoint>, Vec<String>), ServiceError> {
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

/// A checkpoint that is kept outside the database.
#[derive(Clone, Debug)]
pub struct KeptCheckpoint {
    /// Where, such as the name of a file.
    pub origin: String,
    /// The checkpoint.
    pub checkpoint: Checkpoint,
}

impl KeptCheckpoint {
    /// What is wrong with it beside those of the database.
    pub fn check(&self, checkpoints: &[Checkpoint], keys: &PublicKeys) -> Option<String> {
        let KeptCheckpoint { origin, checkpoint } = self;
        let number = checkpoint.number;
        if let Err(error) = checkpoint.check_signature(keys) {
            return Some(format!("{origin}: {error}"));
        }
        match checkpoints.iter().find(|one| one.number == number) {
            None => Some(format!(
                "checkpoint {number} of {origin} is not in the database: checkpoints were dropped"
            )),
            Some(known) if known != checkpoint => Some(format!(
                "checkpoint {number} of {origin} is another one in the database"
            )),
            Some(_) => None,
        }
    }
}

/// What a log holds up to a checkpoint.
#[derive(Clone, Default)]
pub struct Covered {
    root: Root,
    events: u64,
}

impl Covered {
    /// Takes in the next game's or league's log up to a place in the log of all; `of` tells of a row its place, number
    /// and whole hash.
    pub fn add<R>(&mut self, until: u64, id: &str, log: &[R], of: impl Fn(&R) -> (u64, u64, &str)) {
        let count = log.partition_point(|row| of(row).0 <= until);
        if let Some(last) = log[..count].last() {
            let (_, seq, hash) = of(last);
            self.events += count as u64;
            self.root.add(id, seq, hash);
        }
    }
}

/// What a checkpoint says that a log holds.
struct CoveredLog<'a> {
    by: &'a Checkpoint,
    events: u64,
    /// Games or leagues.
    things: u64,
    root: &'a str,
}

/// Tells of the first checkpoint that the log of all games does not fit: what changed stands behind the one before.
pub fn first_unlike<'a>(
    checkpoints: impl IntoIterator<Item = &'a Checkpoint>,
    covered: Vec<Covered>,
) -> Option<String> {
    let said = checkpoints.into_iter().map(|by| CoveredLog {
        by,
        events: by.position,
        things: by.games,
        root: &by.root,
    });
    unlike(said.zip(covered), "games", "the log")
}

/// As [`first_unlike`], of the log of all leagues.
pub fn first_unlike_of_leagues<'a>(
    checkpoints: impl IntoIterator<Item = &'a Checkpoint>,
    covered: Vec<Covered>,
) -> Option<String> {
    let said = checkpoints.into_iter().zip(covered);
    let said = said.filter_map(|(by, covered)| {
        let leagues = by.leagues.as_ref()?;
        let said = CoveredLog {
            by,
            events: leagues.position,
            things: leagues.leagues,
            root: &leagues.root,
        };
        Some((said, covered))
    });
    unlike(said, "leagues", "the log of all leagues")
}

fn unlike<'a>(
    checkpoints: impl Iterator<Item = (CoveredLog<'a>, Covered)>,
    things: &str,
    log: &str,
) -> Option<String> {
    let mut since = 0;
    for (said, covered) in checkpoints {
        let events = covered.events;
        let (count, root) = covered.root.finish();
        if (events, count, &*root) == (said.events, said.things, said.root) {
            since = said.events;
            continue;
        }
        let what = match (count.cmp(&said.things), events.cmp(&said.events)) {
            (Ordering::Less, _) => format!("{things} were dropped"),
            (_, Ordering::Less) => "events were dropped".to_owned(),
            (Ordering::Equal, Ordering::Equal) => "events were altered".to_owned(),
            _ => "events were put in".to_owned(),
        };
        return Some(format!(
            "checkpoint {} of {}: {log} is not what was signed ({count} {things} and {events} events up to \
             there, {} and {} were signed): {what} behind event {since} of {log}",
            said.by.number, said.by.at, said.things, said.events
        ));
    }
    None
}
