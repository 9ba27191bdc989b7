//! Work that is due: what the service does by itself, when, and which node is at it.
//!
//! A node takes work by a lease, which ends by itself should the node die. Times are those of the nodes'
//! clocks: where they differ by more than a lease, nodes do the same work twice, and the one that is
//! second finds it done.

use std::time::Duration;

use diesel::dsl::{min, not, sql};
use diesel::prelude::*;
use diesel::sql_types::Bool;

use crate::db::connection::AnyConnection;
use crate::db::schema::{games, work};
use crate::db::writer::Writing;
use crate::db::{Store, StoreError};

/// For how long a node has work for itself, unless it goes on with it.
pub const LEASE: Duration = Duration::from_secs(5);

/// A kind of work.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WorkKind {
    /// A decision of a game, named by its id, is a bot's or a standing order's.
    Bots,
    /// The record of a finished game, named by its id, is not signed.
    Sign,
    /// A checkpoint of the log of all games.
    Checkpoint,
    /// The time of a seat of a game, named by its id, is up.
    Deadline,
    /// Deliveries of a webhook, named by its id. Those who send them take it, see `webhooks/sender.rs`.
    Webhook,
}

impl WorkKind {
    /// The name in the database and in messages.
    pub fn name(self) -> &'static str {
        match self {
            WorkKind::Bots => "bots",
            WorkKind::Sign => "sign",
            WorkKind::Checkpoint => "checkpoint",
            WorkKind::Deadline => "deadline",
            WorkKind::Webhook => "webhook",
        }
    }

    fn by_name(name: &str) -> Option<WorkKind> {
        let all = [
            WorkKind::Bots,
            WorkKind::Sign,
            WorkKind::Checkpoint,
            WorkKind::Deadline,
            WorkKind::Webhook,
        ];
        all.into_iter().find(|kind| kind.name() == name)
    }
}

/// What is to be done.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Task {
    /// The kind.
    pub kind: WorkKind,
    /// What it is about, such as the id of a game.
    pub subject: String,
}

/// Work as it stands in the database.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Work {
    /// What is to be done.
    pub task: Task,
    /// How often it failed in a row.
    pub attempts: i64,
    /// Whether it was set aside the last time.
    pub quarantined: bool,
}

/// Why work is put off.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PutOff {
    /// For how long.
    pub pause: Duration,
    /// How often it failed in a row.
    pub attempts: i64,
    /// Why it failed.
    pub failure: String,
    /// Whether trying again does not help, as far as is known.
    pub quarantined: bool,
}

/// How much work there is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WorkCounts {
    /// What is due, whether or not a node is at it.
    pub due: i64,
    /// What a node is at.
    pub leased: i64,
    /// What is set aside.
    pub quarantined: i64,
    /// For how long the oldest is due that no node is at, in microseconds; 0 when there is none.
    pub oldest: i64,
}

fn micros(duration: Duration) -> i64 {
    i64::try_from(duration.as_micros()).unwrap_or(i64::MAX)
}

/// Notes that something is due from now on. The node that notes it has the lease.
pub(crate) fn make_due(
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
    // Whom it is charged to stays, unless somebody is told.
    let charge = charged_to.clone().map(|told| work::charged_to.eq(told));
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

/// How long after its time a deadline is work, in microseconds: nodes' clocks differ, and a move that came in
/// time may be under way.
const GRACE: i64 = 500_000;

/// Notes that a deadline will be due for any node, in the place of an earlier one.
pub(crate) fn plan(
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

/// Notes that nothing is due any more.
pub(crate) fn remove(connection: &mut AnyConnection, task: &Task) -> Result<(), StoreError> {
    let key = work::table.find((task.kind.name(), task.subject.clone()));
    diesel::delete(key).execute(connection)?;
    Ok(())
}

impl Store {
    /// When work of webhooks, or other work, is due next and its lease is over; `None` when there is none.
    pub(crate) fn next_work(&self, of_webhooks: bool) -> Result<Option<i64>, StoreError> {
        let connection = &mut *self.connection()?;
        let such = || {
            let webhook = work::kind.eq(WorkKind::Webhook.name());
            let query = work::table.into_boxed();
            match of_webhooks {
                true => query.filter(webhook),
                false => query.filter(not(webhook)),
            }
        };
        // The later of both times counts: of those that are leased until after they are due that of the lease.
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

    /// Work that is due and that no node is at, what has waited longest first, but for that of webhooks.
    pub(super) fn free_work(&self, limit: i64) -> Result<Vec<Task>, StoreError> {
        let connection = &mut *self.connection()?;
        let now = self.now();
        let found: Vec<(String, String)> = work::table
            .filter(work::due_at.le(now))
            .filter(work::leased_until.le(now))
            .filter(work::kind.ne(WorkKind::Webhook.name()))
            .order(work::due_at)
            .limit(limit)
            .select((work::kind, work::subject))
            .load(connection)?;
        // A later program may know other kinds.
        let task = |(kind, subject): (String, String)| {
            let kind = WorkKind::by_name(&kind)?;
            Some(Task { kind, subject })
        };
        Ok(found.into_iter().filter_map(task).collect())
    }

    /// Takes the lease of what is due and free, or this node's already: what was taken.
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

    /// Puts work of this node off, for any node to try again later.
    pub(super) fn put_off_work(&self, task: &Task, put_off: PutOff) -> Result<(), StoreError> {
        let (node, task, now) = (self.node().to_owned(), task.clone(), self.now());
        self.write(move |connection| {
            let key = work::table.find((task.kind.name(), task.subject));
            diesel::update(key.filter(work::owner.eq(node)))
                .set((
                    work::due_at.eq(now + micros(put_off.pause)),
                    work::owner.eq(None::<String>),
                    work::leased_until.eq(0),
                    work::attempts.eq(put_off.attempts),
                    work::failure.eq(Some(put_off.failure)),
                    work::quarantined_at.eq(put_off.quarantined.then_some(now)),
                ))
                .execute(connection)?;
            Ok(())
        })
    }

    /// Removes work that was done, or that nobody needs. That of bots stays while a decision of the game
    /// is theirs, whoever has made it so, and a deadline is put to the one that the game has by now.
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
                    Some(due_at) => plan(connection, &task, due_at),
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

    /// Gives back every lease of this node.
    pub(super) fn release_work(&self) -> Result<(), StoreError> {
        let node = self.node().to_owned();
        self.write(move |connection| {
            diesel::update(work::table.filter(work::owner.eq(node)))
                .set((work::owner.eq(None::<String>), work::leased_until.eq(0)))
                .execute(connection)?;
            Ok(())
        })
    }

    /// Notes something that is due now for any node, unless it is noted.
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

    /// The signing of finished games that are not signed, such as those that a node without a key has finished; at
    /// most so many.
    pub(crate) fn unsigned(&self, limit: i64) -> Result<Vec<Task>, StoreError> {
        let connection = &mut *self.connection()?;
        let unsigned: Vec<String> = games::table
            .filter(games::signature.is_null())
            // As the index says it, not as a parameter.
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

    /// How much work there is, but for that of webhooks.
    pub(super) fn work_counts(&self) -> Result<WorkCounts, StoreError> {
        let connection = &mut *self.connection()?;
        let now = self.now();
        // Deliveries wait for others, which says nothing of this service.
        let own = || work::table.filter(work::kind.ne(WorkKind::Webhook.name()));
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

    /// How many games there are in which a bot must move, in all and of those charged to somebody.
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
