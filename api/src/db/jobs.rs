//! Scheduled work: what the service does by itself, when, and which node does it.
//!
//! A node takes work by a lease, which expires if the node dies. Times are those of the nodes' clocks. If these
//! differ by more than a lease, two nodes may do the same work; the second one finds it done.

use std::time::Duration;

use diesel::dsl::{min, sql};
use diesel::prelude::*;
use diesel::sql_types::Bool;

use crate::db::connection::AnyConnection;
use crate::db::schema::{games, work};
use crate::db::writer::Writing;
use crate::db::{Store, StoreError};

/// How long a node has work for itself, unless it renews the lease.
pub const LEASE: Duration = Duration::from_secs(5);

/// A kind of work.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WorkKind {
    /// Moves of bots and standing orders in a game, which the subject names by its id.
    Bots,
    /// The signature of a finished game's record. The subject is the game's id.
    Sign,
    /// A checkpoint of the log of all games.
    Checkpoint,
    /// A backup. Only nodes with a folder for backups take it.
    Backup,
    /// The deadline of a seat. The subject is the game's id.
    Deadline,
    /// The deadline of a league's table. The subject is the id of its game.
    TableDeadline,
    /// Deliveries of a webhook, which the subject names by its id. `webhooks/sender.rs` takes this work.
    Webhook,
    /// Mails and push messages to an account, which the subject names by its id. `notices/sender.rs` takes this work.
    Notice,
}

impl WorkKind {
    /// The kinds that the ordinary workers do not do, because they depend on other servers.
    const SENT: [WorkKind; 2] = [WorkKind::Webhook, WorkKind::Notice];

    /// Every kind.
    pub const ALL: [WorkKind; 8] = [
        WorkKind::Bots,
        WorkKind::Sign,
        WorkKind::Checkpoint,
        WorkKind::Backup,
        WorkKind::Deadline,
        WorkKind::TableDeadline,
        WorkKind::Webhook,
        WorkKind::Notice,
    ];

    /// The name in the database, in messages and in metrics.
    pub fn name(self) -> &'static str {
        match self {
            WorkKind::Bots => "bots",
            WorkKind::Sign => "sign",
            WorkKind::Checkpoint => "checkpoint",
            WorkKind::Backup => "backup",
            WorkKind::Deadline => "deadline",
            WorkKind::TableDeadline => "table_deadline",
            WorkKind::Webhook => "webhook",
            WorkKind::Notice => "notice",
        }
    }

    fn by_name(name: &str) -> Option<WorkKind> {
        WorkKind::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

/// A piece of work, as named in the table `work`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Task {
    /// The kind.
    pub kind: WorkKind,
    /// The object of the work, such as the id of a game.
    pub subject: String,
}

/// Work that this node has leased.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Work {
    /// The kind and the subject.
    pub task: Task,
    /// The number of failures in a row.
    pub attempts: i64,
    /// True if the last failure was permanent.
    pub quarantined: bool,
}

/// Why and for how long work is postponed after a failure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Postponement {
    /// The time until the next attempt.
    pub pause: Duration,
    /// The number of failures in a row.
    pub attempts: i64,
    /// The error of the last failure.
    pub failure: String,
    /// True if another attempt is not expected to help.
    pub quarantined: bool,
}

/// The amount of scheduled work.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WorkCounts {
    /// Work whose time has come, leased or not.
    pub due: i64,
    /// Work that a node has leased.
    pub leased: i64,
    /// Work that failed permanently and waits for a day.
    pub quarantined: i64,
    /// The age of the oldest unleased work whose time has come, in microseconds; 0 if there is none.
    pub oldest: i64,
}

fn micros(duration: Duration) -> i64 {
    i64::try_from(duration.as_micros()).unwrap_or(i64::MAX)
}

/// Schedules work for now and gives the lease to the node that writes.
pub(crate) fn schedule(
    connection: &mut AnyConnection,
    writing: &Writing,
    task: &Task,
    charged_to: Option<String>,
) -> Result<(), StoreError> {
    let now = writing.now;
    let due = (
        work::due_at.eq(now),
        work::owner.eq(Some(writing.node.clone())),
        work::leased_until.eq(now + micros(LEASE)),
        work::attempts.eq(0),
        work::failure.eq(None::<String>),
        work::quarantined_at.eq(None::<i64>),
    );
    let key = work::table.find((task.kind.name(), task.subject.clone()));
    // The account stays the same if none is given.
    let charge = charged_to
        .clone()
        .map(|account| work::charged_to.eq(account));
    let changed = diesel::update(key).set((due.clone(), charge));
    if changed.execute(connection)? == 0 {
        let kind = work::kind.eq(task.kind.name());
        let subject = work::subject.eq(task.subject.clone());
        let charged_to = work::charged_to.eq(charged_to);
        diesel::insert_into(work::table)
            .values((kind, subject, charged_to, due))
            .execute(connection)?;
    }
    Ok(())
}

/// The delay of deadline work after the deadline, in microseconds.
/// Nodes' clocks differ, and a move that arrived in time may still be in progress.
const GRACE: i64 = 500_000;

/// Schedules a game's deadline for any node and replaces an earlier one.
pub(crate) fn schedule_deadline(
    connection: &mut AnyConnection,
    task: &Task,
    due_at: i64,
) -> Result<(), StoreError> {
    let due = (
        work::due_at.eq(due_at + GRACE),
        work::owner.eq(None::<String>),
        work::leased_until.eq(0),
        work::attempts.eq(0),
        work::failure.eq(None::<String>),
        work::quarantined_at.eq(None::<i64>),
    );
    let key = work::table.find((task.kind.name(), task.subject.clone()));
    if diesel::update(key).set(due.clone()).execute(connection)? == 0 {
        let kind = work::kind.eq(task.kind.name());
        let subject = work::subject.eq(task.subject.clone());
        diesel::insert_into(work::table)
            .values((kind, subject, due))
            .execute(connection)?;
    }
    Ok(())
}

/// Schedules work for now, whichever node has its lease.
pub(crate) fn wake_work(
    connection: &mut AnyConnection,
    kind: WorkKind,
    subject: &str,
    now: i64,
) -> Result<(), StoreError> {
    let key = work::table.find((kind.name(), subject.to_owned()));
    let noted = diesel::update(key)
        .set(work::due_at.eq(now))
        .execute(connection)?;
    if noted == 0 {
        diesel::insert_into(work::table)
            .values((
                work::kind.eq(kind.name()),
                work::subject.eq(subject.to_owned()),
                work::due_at.eq(now),
                work::leased_until.eq(0),
                work::attempts.eq(0),
            ))
            .execute(connection)?;
    }
    Ok(())
}

/// Removes scheduled work.
pub(crate) fn remove(connection: &mut AnyConnection, task: &Task) -> Result<(), StoreError> {
    let key = work::table.find((task.kind.name(), task.subject.clone()));
    diesel::delete(key).execute(connection)?;
    Ok(())
}

impl Store {
    /// Returns the kinds of work that the workers of this node do not do.
    fn others_kinds(&self) -> Vec<&'static str> {
        let backups = (!self.makes_backups()).then_some(WorkKind::Backup);
        let others = WorkKind::SENT.into_iter().chain(backups);
        others.map(WorkKind::name).collect()
    }

    /// Returns when the next work of a kind can be taken, or the next work of the ordinary workers.
    /// `None` if there is none.
    pub(crate) fn next_work(&self, kind: Option<WorkKind>) -> Result<Option<i64>, StoreError> {
        let connection = &mut *self.connection()?;
        let such = || {
            let query = work::table.into_boxed();
            match kind {
                Some(kind) => query.filter(work::kind.eq(kind.name())),
                None => query.filter(work::kind.ne_all(self.others_kinds())),
            }
        };
        // Work can be taken when its time has come and its lease is over, so the later of both counts.
        let due: Option<i64> = such()
            .filter(work::leased_until.le(work::due_at))
            .select(min(work::due_at))
            .first(connection)?;
        let leased: Option<i64> = such()
            .filter(work::leased_until.gt(work::due_at))
            .select(min(work::leased_until))
            .first(connection)?;
        Ok(due.into_iter().chain(leased).min())
    }

    /// Returns the subjects of work of a kind that no node is doing, the longest waiting first.
    pub(super) fn free_subjects(
        &self,
        kind: WorkKind,
        limit: i64,
    ) -> Result<Vec<String>, StoreError> {
        let connection = &mut *self.connection()?;
        let now = self.now();
        Ok(work::table
            .filter(work::kind.eq(kind.name()))
            .filter(work::due_at.le(now))
            .filter(work::leased_until.le(now))
            .order(work::due_at)
            .limit(limit)
            .select(work::subject)
            .load(connection)?)
    }

    /// Ends work of this node for now, and schedules it again for `next`, if there is one.
    pub(crate) fn settle_work(
        &self,
        kind: WorkKind,
        subject: &str,
        next: impl FnOnce(&mut AnyConnection) -> Result<Option<i64>, StoreError> + Send + 'static,
    ) -> Result<(), StoreError> {
        let (node, subject, now) = (self.node().to_owned(), subject.to_owned(), self.now());
        self.write(move |connection| {
            let key = work::table.find((kind.name(), subject));
            // First, so that concurrent writers wait, or what they add is visible here.
            let own = diesel::update(key.clone().filter(work::owner.eq(node)))
                .set((work::owner.eq(None::<String>), work::leased_until.eq(0)))
                .execute(connection)?;
            if own == 0 {
                return Ok(());
            }
            match next(connection)? {
                // Not before others that wait already.
                Some(next) => diesel::update(key)
                    .set(work::due_at.eq(next.max(now)))
                    .execute(connection)?,
                None => diesel::delete(key).execute(connection)?,
            };
            Ok(())
        })
    }

    /// Returns work that can be taken, except that of webhooks and notices, the oldest first.
    pub(super) fn free_work(&self, limit: i64) -> Result<Vec<Task>, StoreError> {
        let connection = &mut *self.connection()?;
        let now = self.now();
        let found: Vec<(String, String)> = work::table
            .filter(work::due_at.le(now))
            .filter(work::leased_until.le(now))
            .filter(work::kind.ne_all(self.others_kinds()))
            .order(work::due_at)
            .limit(limit)
            .select((work::kind, work::subject))
            .load(connection)?;
        // A newer program may write kinds that this one does not know.
        let task = |(kind, subject): (String, String)| {
            let kind = WorkKind::by_name(&kind)?;
            Some(Task { kind, subject })
        };
        Ok(found.into_iter().filter_map(task).collect())
    }

    /// Takes the leases of work that is free or already leased by this node. Returns the work taken.
    pub(crate) fn take_work(&self, wanted: Vec<Task>) -> Result<Vec<Work>, StoreError> {
        let node = self.node().to_owned();
        let now = self.now();
        self.write(move |connection| {
            let mut taken = Vec::with_capacity(wanted.len());
            for task in wanted {
                let key = work::table.find((task.kind.name(), task.subject.clone()));
                let free = key
                    .clone()
                    .filter(work::due_at.le(now))
                    .filter(work::leased_until.le(now).or(work::owner.eq(node.clone())));
                let leased = diesel::update(free)
                    .set((
                        work::owner.eq(Some(node.clone())),
                        work::leased_until.eq(now + micros(LEASE)),
                    ))
                    .execute(connection)?;
                if leased == 1 {
                    let (attempts, since): (i64, Option<i64>) = key
                        .select((work::attempts, work::quarantined_at))
                        .first(connection)?;
                    taken.push(Work {
                        task,
                        attempts,
                        quarantined: since.is_some(),
                    });
                }
            }
            Ok(taken)
        })
    }

    /// Sets when leased work is done the next time, and ends its lease. Its failures are forgotten.
    pub(super) fn reschedule_work(&self, task: &Task, due_at: i64) -> Result<(), StoreError> {
        let task = task.clone();
        self.write(move |connection| {
            diesel::update(work::table.find((task.kind.name(), task.subject)))
                .set((
                    work::due_at.eq(due_at),
                    work::leased_until.eq(0),
                    work::attempts.eq(0),
                    work::failure.eq(None::<String>),
                    work::quarantined_at.eq(None::<i64>),
                ))
                .execute(connection)?;
            Ok(())
        })
    }

    /// Moves work that is scheduled for later to a time.
    pub(super) fn hasten_work(&self, task: &Task, due_at: i64) -> Result<(), StoreError> {
        let task = task.clone();
        self.write(move |connection| {
            let key = work::table.find((task.kind.name(), task.subject));
            diesel::update(key.filter(work::due_at.gt(due_at)))
                .set(work::due_at.eq(due_at))
                .execute(connection)?;
            Ok(())
        })
    }

    /// Postpones work of this node; any node may retry it later.
    pub(super) fn postpone_work(
        &self,
        task: &Task,
        postponed: Postponement,
    ) -> Result<(), StoreError> {
        let (node, task, now) = (self.node().to_owned(), task.clone(), self.now());
        self.write(move |connection| {
            let key = work::table.find((task.kind.name(), task.subject));
            diesel::update(key.filter(work::owner.eq(node)))
                .set((
                    work::due_at.eq(now + micros(postponed.pause)),
                    work::owner.eq(None::<String>),
                    work::leased_until.eq(0),
                    work::attempts.eq(postponed.attempts),
                    work::failure.eq(Some(postponed.failure)),
                    work::quarantined_at.eq(postponed.quarantined.then_some(now)),
                ))
                .execute(connection)?;
            Ok(())
        })
    }

    /// Removes work that is done or unnecessary.
    /// Bots' work stays while a bot has to decide in the game. A deadline is moved to the game's present one, if
    /// there is one.
    pub(super) fn remove_work(&self, task: &Task) -> Result<(), StoreError> {
        let task = task.clone();
        self.write(move |connection| {
            if task.kind == WorkKind::Deadline {
                let due_at: Option<Option<i64>> = games::table
                    .find(task.subject.clone())
                    .select(games::due_at)
                    .first(connection)
                    .optional()?;
                return match due_at.flatten() {
                    Some(due_at) => schedule_deadline(connection, &task, due_at),
                    None => remove(connection, &task),
                };
            }
            let due: i64 = games::table
                .filter(games::id.eq(task.subject.clone()))
                .filter(games::bot_due.eq(1))
                .count()
                .get_result(connection)?;
            if task.kind != WorkKind::Bots || due == 0 {
                remove(connection, &task)?;
            }
            Ok(())
        })
    }

    /// Ends all leases of this node.
    pub(super) fn release_work(&self) -> Result<(), StoreError> {
        let node = self.node().to_owned();
        self.write(move |connection| {
            diesel::update(work::table.filter(work::owner.eq(node)))
                .set((work::owner.eq(None::<String>), work::leased_until.eq(0)))
                .execute(connection)?;
            Ok(())
        })
    }

    /// Schedules tasks for now, for any node. A task that is scheduled already is not changed.
    pub(crate) fn note_work(&self, tasks: Vec<Task>) -> Result<(), StoreError> {
        if tasks.is_empty() {
            return Ok(());
        }
        let now = self.now();
        self.write(move |connection| {
            for task in tasks {
                let noted: i64 = work::table
                    .find((task.kind.name(), task.subject.clone()))
                    .count()
                    .get_result(connection)?;
                if noted == 0 {
                    diesel::insert_into(work::table)
                        .values((
                            work::kind.eq(task.kind.name()),
                            work::subject.eq(task.subject),
                            work::due_at.eq(now),
                            work::leased_until.eq(0),
                            work::attempts.eq(0),
                        ))
                        .execute(connection)?;
                }
            }
            Ok(())
        })
    }

    /// Returns the signing tasks of finished games without a signature, at most `limit`.
    /// A node without a key leaves such games.
    pub(crate) fn unsigned_games(&self, limit: i64) -> Result<Vec<Task>, StoreError> {
        let connection = &mut *self.connection()?;
        let unsigned: Vec<String> = games::table
            .filter(games::signature.is_null())
            // A literal, as in the partial index: with a parameter the index would not be used.
            .filter(sql::<Bool>("status = 'finished'"))
            .limit(limit)
            .select(games::id)
            .load(connection)?;
        let task = |subject| Task {
            kind: WorkKind::Sign,
            subject,
        };
        Ok(unsigned.into_iter().map(task).collect())
    }

    /// Counts scheduled work, except that of webhooks and notices.
    pub(crate) fn work_counts(&self) -> Result<WorkCounts, StoreError> {
        let connection = &mut *self.connection()?;
        let now = self.now();
        // Deliveries depend on their receivers, so their delay says nothing about this service.
        let own = || work::table.filter(work::kind.ne_all(self.others_kinds()));
        let due = || own().filter(work::due_at.le(now));
        let oldest: Option<i64> = due()
            .filter(work::leased_until.le(now))
            .select(min(work::due_at))
            .first(connection)?;
        Ok(WorkCounts {
            due: due().count().get_result(connection)?,
            leased: own()
                .filter(work::leased_until.gt(now))
                .count()
                .get_result(connection)?,
            quarantined: work::table
                .filter(work::quarantined_at.is_not_null())
                .count()
                .get_result(connection)?,
            oldest: oldest.map_or(0, |due_at| now - due_at),
        })
    }

    /// Counts the games in which a bot has to move: all of them, and those charged to an account.
    pub(crate) fn bot_games(&self, charged_to: &str) -> Result<(i64, i64), StoreError> {
        let connection = &mut *self.connection()?;
        let bots = || work::table.filter(work::kind.eq(WorkKind::Bots.name()));
        let charged = work::charged_to.eq(charged_to.to_owned());
        Ok((
            bots().count().get_result(connection)?,
            bots().filter(charged).count().get_result(connection)?,
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_node_at_a_time_has_a_lease() {
        let folder = tempfile::tempdir().unwrap();
        let url = format!("sqlite:{}", folder.path().join("a.db").display()).into();
        let (one, two) = (Store::open(&url).unwrap(), Store::open(&url).unwrap());
        let task = Task {
            kind: WorkKind::Sign,
            subject: "a game".to_owned(),
        };
        let take = |node: &Store| node.take_work(vec![task.clone()]).unwrap().len();
        one.note_work(vec![task.clone()]).unwrap();
        assert_eq!((take(&one), take(&two)), (1, 0));
        one.release_work().unwrap();
        assert_eq!((take(&two), take(&one)), (1, 0));
    }
}
