//! Scheduled work of games: bots' moves, deadlines, signatures, checkpoints, backups.

use std::sync::{Arc, Weak};
use std::time::Duration;

use uuid::Uuid;

use crate::db::StoreError;
use crate::db::backup::schedule::ScheduledBackups;
use crate::db::jobs::{Task, WorkKind};
use crate::db::work::supervise::Next;
use crate::db::work::{TaskFailure, TaskOutcome, Workers};
use crate::games::follower;
use crate::games::service::Games;
use crate::http::error::ServiceError;
use crate::signing::keys::SigningKeyError;

/// How often work that no write schedules is searched at most.
const LOOK: Duration = Duration::from_secs(2);

/// How often it is searched at least.
const LOOK_AT_LEAST: Duration = Duration::from_secs(15);

/// How many tasks are scheduled at a time.
const TASKS: i64 = 256;

impl From<ServiceError> for TaskFailure {
    fn from(error: ServiceError) -> TaskFailure {
        match error {
            ServiceError::Damaged { .. } | ServiceError::NotFound(_) => {
                TaskFailure::Permanent(error.to_string())
            }
            other => TaskFailure::Temporary(other.to_string()),
        }
    }
}

impl Games {
    /// Starts the threads of the games: scheduled work, and the follower.
    pub fn start(self: &Arc<Games>) -> Result<(), ServiceError> {
        start(self)?;
        follower::start(self)
    }
}

/// Starts the threads for scheduled work. They end when the service stops or is dropped.
fn start(games: &Arc<Games>) -> Result<(), ServiceError> {
    let weak = Arc::downgrade(games);
    let workers = {
        let weak = weak.clone();
        move || weak.upgrade().map(|games| games.workers.clone())
    };
    let perform = {
        let weak = weak.clone();
        move |task: &Task| weak.upgrade().map(|games| games.perform(task))
    };
    let look = move || match Weak::upgrade(&weak) {
        Some(games) => games.note_due(),
        None => Ok(Next::End),
    };
    let unavailable = |error: std::io::Error| StoreError::Unavailable(error.to_string());
    Workers::start(workers, perform).map_err(unavailable)?;
    let supervised = games.supervisor.supervise("scheduled work", LOOK, look);
    Ok(supervised.map_err(unavailable)?)
}

impl Games {
    fn perform(&self, task: &Task) -> Result<TaskOutcome, TaskFailure> {
        let game = || {
            let id: Result<Uuid, _> = task.subject.parse();
            id.map_err(|_| TaskFailure::Permanent("the game's id is not a UUID".to_owned()))
        };
        match task.kind {
            WorkKind::Bots => Ok(self.advance(game()?)?),
            WorkKind::Deadline => Ok(self.time_out(game()?)?),
            WorkKind::TableDeadline => Ok(self.end_by_deadline(game()?)?),
            WorkKind::Sign => Ok(self.records.sign_later(&self.signing, game()?)?),
            // The threads that send webhooks and notices take this work.
            WorkKind::Webhook | WorkKind::Notice => Ok(TaskOutcome::Stored),
            WorkKind::Checkpoint => {
                self.signing.checkpoint_when_due()?;
                Ok(TaskOutcome::Nothing)
            }
            WorkKind::Backup => match self.backups.get() {
                Some(backups) => backups.perform(&self.store),
                None => Ok(TaskOutcome::Stored),
            },
        }
    }

    /// Makes scheduled backups from now on.
    pub(crate) fn make_backups(&self, backups: ScheduledBackups) -> Result<(), ServiceError> {
        backups.begin(&self.store).map_err(StoreError::from)?;
        // A second call has no effect.
        let _ = self.backups.set(backups);
        self.supervisor.wake();
        Ok(())
    }

    /// Schedules the work that follows from no write.
    /// This is checkpoints, backups, and signatures of games that a node without a key has finished. Also loads a
    /// rotated key.
    pub fn note_due(&self) -> Result<Next, ServiceError> {
        if self.signing.key().is_none() {
            return Ok(Next::Later);
        }
        let mut due = self.store.unsigned_games(TASKS)?;
        let more = due.len() >= TASKS as usize;
        let unusable = |error: SigningKeyError| StoreError::Unavailable(error.to_string());
        self.signing.reload_key().map_err(unusable)?;
        self.signing.store_head()?;
        if self.signing.is_checkpoint_due()? {
            due.push(Task {
                kind: WorkKind::Checkpoint,
                subject: String::new(),
            });
        }
        if self.backups.get().is_some() {
            due.push(ScheduledBackups::task());
        }
        self.store.note_work(due)?;
        Ok(match more {
            true => Next::Now,
            false => Next::Idle(Some(LOOK_AT_LEAST)),
        })
    }
}
