//! Creates checkpoints of the logs of all games and leagues, and compares the logs with them.

use std::cmp::Ordering;
use std::time::Duration;

use jiff::Timestamp;
use records::tlog::Leaf;
use records::{Checkpoint, CoveredLeagues, PublicKeys, Root};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::db::StoreError;
use crate::db::time::time_text;
use crate::http::error::ServiceError;
use crate::http::page::cut;
use crate::signing::queries::CheckpointRow;
use crate::signing::service::Signing;

/// The time between checkpoints, if anything was added.
const DAILY: Duration = Duration::from_secs(24 * 60 * 60);

/// How many checkpoints are read at a time.
const TOGETHER: i64 = 64;

/// A page of checkpoints.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct CheckpointPage {
    /// The checkpoints, the oldest first.
    pub items: Vec<Checkpoint>,
    /// The `after` of the next page; null on the last page.
    pub next: Option<String>,
}

fn body(row: CheckpointRow) -> Checkpoint {
    // Either all four columns have a value or none.
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
    /// Creates a checkpoint of the present logs.
    /// Returns `None` if nothing was added since the last one, or another node creates one at the same time.
    pub fn make_checkpoint(&self) -> Result<Option<Checkpoint>, ServiceError> {
        let no_key = || {
            ServiceError::Forbidden(
                "a checkpoint needs a signing key, and this process has none".to_owned(),
            )
        };
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
        let leaf = Leaf::of_checkpoint(&checkpoint);
        let one = checkpoint.clone();
        let leagues = one.leagues;
        let row = CheckpointRow {
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
        };
        match self.store.add_checkpoint(&row, leaf) {
            Ok(()) => Ok(Some(checkpoint)),
            Err(StoreError::Conflict) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// Returns true if the logs contain more than a checkpoint covers.
    fn has_grown(&self, covered: Option<&CheckpointRow>) -> Result<bool, ServiceError> {
        let games = covered.map_or(0, |row| row.position);
        let leagues = covered.and_then(|row| row.league_position).unwrap_or(0);
        Ok(self.store.last_position()? > games || self.store.league_log_grew(leagues)?)
    }

    /// Returns true if the last checkpoint is a day old and something was added since.
    /// Before the first checkpoint, the age of the first event counts.
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

    /// Creates a checkpoint if the last one is a day old and something was added since.
    pub(crate) fn checkpoint_when_due(&self) -> Result<(), ServiceError> {
        if self.is_checkpoint_due()?
            && let Some(created) = self.make_checkpoint()?
        {
            tracing::info!(
                number = created.number,
                position = created.position,
                "created a checkpoint"
            );
        }
        Ok(())
    }

    /// Returns the checkpoint with a number, or the newest one for `None`.
    pub fn checkpoint(&self, number: Option<u64>) -> Result<Checkpoint, ServiceError> {
        let wanted = number.map(|number| i64::try_from(number).unwrap_or(i64::MAX));
        let missing = || {
            ServiceError::NotFound(match number {
                Some(number) => format!("checkpoint {number}"),
                None => "checkpoint yet".to_owned(),
            })
        };
        let found = self.store.checkpoint(wanted)?;
        found.map(body).ok_or_else(missing)
    }

    /// Returns checkpoints after a number, in order.
    pub fn checkpoints(&self, after: u64, limit: usize) -> Result<CheckpointPage, ServiceError> {
        let after = i64::try_from(after).unwrap_or(i64::MAX);
        let found = self.store.checkpoints(after, limit as i64 + 1)?;
        let (found, next) = cut(found, limit, |row| row.number.to_string());
        Ok(CheckpointPage {
            items: found.into_iter().map(body).collect(),
            next,
        })
    }

    /// Returns every checkpoint, and the errors of those with a wrong signature or a wrong predecessor.
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

/// A checkpoint stored outside the database.
#[derive(Clone, Debug)]
pub struct KeptCheckpoint {
    /// Where it is stored, such as the name of a file.
    pub origin: String,
    /// The checkpoint.
    pub checkpoint: Checkpoint,
}

impl KeptCheckpoint {
    /// Compares it with the checkpoints of the database. Returns the difference, if there is one.
    pub fn check(&self, checkpoints: &[Checkpoint], keys: &PublicKeys) -> Option<String> {
        let KeptCheckpoint { origin, checkpoint } = self;
        let number = checkpoint.number;
        if let Err(error) = checkpoint.check_signature(keys) {
            return Some(format!("{origin}: {error}"));
        }
        match checkpoints.iter().find(|one| one.number == number) {
            None => Some(format!(
                "checkpoint {number} of {origin} is not in the database: checkpoints were removed"
            )),
            Some(known) if known != checkpoint => Some(format!(
                "checkpoint {number} of {origin} differs from the one in the database"
            )),
            Some(_) => None,
        }
    }
}

/// The number and the hash of a log's events up to a checkpoint.
#[derive(Clone, Default)]
pub struct LogDigest {
    root: Root,
    events: u64,
}

impl LogDigest {
    /// Adds the events of the next game or league up to a position in the log of all.
    /// `of` returns the position, the number and the whole hash of a row.
    pub fn add<R>(&mut self, until: u64, id: &str, log: &[R], of: impl Fn(&R) -> (u64, u64, &str)) {
        let count = log.partition_point(|row| of(row).0 <= until);
        if let Some(last) = log[..count].last() {
            let (_, seq, hash) = of(last);
            self.events += count as u64;
            self.root.add(id, seq, hash);
        }
    }
}

/// The content of a log according to a checkpoint.
struct SignedLog<'a> {
    checkpoint: &'a Checkpoint,
    events: u64,
    /// The number of games or leagues.
    things: u64,
    root: &'a str,
}

/// Describes the first checkpoint that differs from the log of all games.
/// The change is in the events after the checkpoint before it.
pub fn find_game_log_difference<'a>(
    checkpoints: impl IntoIterator<Item = &'a Checkpoint>,
    covered: Vec<LogDigest>,
) -> Option<String> {
    let signed = checkpoints.into_iter().map(|checkpoint| SignedLog {
        checkpoint,
        events: checkpoint.position,
        things: checkpoint.games,
        root: &checkpoint.root,
    });
    find_difference(signed.zip(covered), "games", "the log")
}

/// Like [`find_game_log_difference`], for the log of all leagues.
pub fn find_league_log_difference<'a>(
    checkpoints: impl IntoIterator<Item = &'a Checkpoint>,
    covered: Vec<LogDigest>,
) -> Option<String> {
    let pairs = checkpoints.into_iter().zip(covered);
    let signed = pairs.filter_map(|(checkpoint, covered)| {
        let leagues = checkpoint.leagues.as_ref()?;
        let signed = SignedLog {
            checkpoint,
            events: leagues.position,
            things: leagues.leagues,
            root: &leagues.root,
        };
        Some((signed, covered))
    });
    find_difference(signed, "leagues", "the log of all leagues")
}

fn find_difference<'a>(
    checkpoints: impl Iterator<Item = (SignedLog<'a>, LogDigest)>,
    things: &str,
    log: &str,
) -> Option<String> {
    let mut since = 0;
    for (signed, covered) in checkpoints {
        let events = covered.events;
        let (count, root) = covered.root.finish();
        if (events, count, &*root) == (signed.events, signed.things, signed.root) {
            since = signed.events;
            continue;
        }
        let change = match (count.cmp(&signed.things), events.cmp(&signed.events)) {
            (Ordering::Less, _) => format!("{things} were removed"),
            (_, Ordering::Less) => "events were removed".to_owned(),
            (Ordering::Equal, Ordering::Equal) => "events were changed".to_owned(),
            _ => "events were inserted".to_owned(),
        };
        return Some(format!(
            "checkpoint {} of {}: {log} is not what was signed ({count} {things} and {events} events up to \
             there, {} and {} were signed): {change} after event {since} of {log}",
            signed.checkpoint.number, signed.checkpoint.at, signed.things, signed.events
        ));
    }
    None
}
