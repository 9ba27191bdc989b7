//! Scheduled work, done by a few threads.
//! Each takes the oldest work, for a limited batch of decisions, so that bots of many games advance at the same time.
//!
//! - Everything that the service does by itself is a row of the table `work` ([`crate::db::jobs`]): bots' moves,
//!   deadlines, deliveries, records to sign, checkpoints. The first three are written in the transaction that causes
//!   them. The last two follow from no write of this node. The service looks for them after commits and every 15
//!   seconds (`games/due.rs`).
//! - The node that writes the row has its lease for 5 seconds, and renews it with its next write. If a node dies,
//!   another one takes its work when the lease is over.
//! - Any node may handle a deadline, half a second after its time. The node checks again whether the time is up.
//! - Failed work is retried on any node, after a pause that doubles each time. Work that fails permanently waits for
//!   a day, is logged once, and counted.
//! - Threads end only with the service ([`supervise`]): errors and panics are caught, the step is retried, and the
//!   health check reports them.

pub mod sending;
pub mod supervise;

use std::collections::{HashMap, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::db::jobs::{LEASE, Postponement, Task, Work, WorkCounts, WorkKind};
use crate::db::work::supervise::{Next, Supervisor, panic_text, pause_after};
use crate::db::{STEP, Store, StoreError};

/// How often a node looks for free work at most.
const LOOK: Duration = Duration::from_millis(500);

/// How often a node looks for free work at least, while work is scheduled for later.
const LOOK_AT_LEAST: Duration = Duration::from_secs(15);

/// The most tasks that a node takes at once.
const TAKE_LIMIT: i64 = 256;

/// The time that a lease must have left to start the work.
const LEASE_RESERVE: Duration = Duration::from_secs(2);

/// The pause after a first failure.
const PAUSE: Duration = Duration::from_millis(500);

/// The longest pause after failures.
const LONGEST_PAUSE: Duration = Duration::from_secs(60);

/// After how many panics in a row work counts as permanently failed.
const PANICS: i64 = 5;

/// How long permanently failed work waits for another attempt.
const QUARANTINE: Duration = Duration::from_secs(24 * 60 * 60);

/// After how long a running task counts as stuck. Its lease is not renewed then.
const STUCK: Duration = Duration::from_secs(60);

/// The outcome of a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TaskOutcome {
    /// The task has updated its row in `work`, in the transaction of its result.
    Stored,
    /// Nothing is left to do; the row is removed.
    Nothing,
    /// The task is done again at a time in microseconds since 1970.
    Later(i64),
}

/// Why a task failed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TaskFailure {
    /// Another attempt may succeed.
    #[error("{0}")]
    Temporary(String),
    /// Every attempt is expected to fail.
    #[error("{0}")]
    Permanent(String),
}

/// The state of scheduled work on a node.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WorkHealth {
    /// The work of all nodes, when it was last counted.
    pub counts: WorkCounts,
    /// True if every worker has been busy with one task for a minute.
    pub stuck: bool,
}

/// The threads that do scheduled work.
#[derive(Debug)]
pub struct Workers {
    store: Arc<Store>,
    supervisor: Supervisor,
    state: Mutex<WorkerState>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct WorkerState {
    /// Leased tasks that no worker has started, in order of arrival.
    waiting: VecDeque<Task>,
    /// All leased tasks, waiting or running.
    leased: HashMap<Task, LeasedTask>,
    counts: WorkCounts,
}

#[derive(Clone, Debug)]
struct LeasedTask {
    /// When the lease was taken or renewed.
    leased: Instant,
    attempts: i64,
    quarantined: bool,
    /// When a worker started it; `None` while it waits.
    begun: Option<Instant>,
    /// True if it was pushed again while running.
    again: bool,
}

impl LeasedTask {
    fn new(attempts: i64, quarantined: bool) -> LeasedTask {
        LeasedTask {
            leased: Instant::now(),
            attempts,
            quarantined,
            begun: None,
            again: false,
        }
    }
}

/// The number of worker threads: more than one, so that a slow task does not block the rest.
fn threads() -> usize {
    std::thread::available_parallelism().map_or(2, |threads| threads.get().clamp(2, 4))
}

impl Workers {
    /// Creates the workers; [`Workers::start`] starts them.
    pub fn new(store: Arc<Store>, supervisor: Supervisor) -> Workers {
        Workers {
            store,
            supervisor,
            state: Mutex::default(),
            changed: Condvar::new(),
        }
    }

    /// Starts the threads. `perform` does a task. The threads end when it or `workers` returns `None`.
    pub fn start(
        workers: impl Fn() -> Option<Arc<Workers>> + Clone + Send + 'static,
        perform: impl Fn(&Task) -> Option<Result<TaskOutcome, TaskFailure>> + Clone + Send + 'static,
    ) -> std::io::Result<()> {
        let Some(own) = workers() else {
            return Ok(());
        };
        // The metric begins with zero, so that the first failure is an increase.
        for kind in WorkKind::ALL {
            metrics::counter!("tabularium_work_failures_total", "kind" => kind.name()).increment(0);
        }
        for number in 1..=threads() {
            let (workers, perform) = (workers.clone(), perform.clone());
            let step = move || match workers() {
                Some(workers) => workers.work(&perform),
                None => Ok(Next::End),
            };
            let name = format!("worker {number}");
            own.supervisor.supervise(&name, Duration::ZERO, step)?;
        }
        let step = move || match workers() {
            Some(workers) => workers.look(),
            None => Ok(Next::End),
        };
        own.supervisor.supervise("work", LOOK, step)
    }

    /// Adds a task whose lease this node has.
    pub fn push(&self, task: Task) {
        let state = &mut *self.lock();
        if let Some(lease) = state.leased.get_mut(&task) {
            lease.leased = Instant::now();
            lease.again = lease.begun.is_some();
            return;
        }
        state.leased.insert(task.clone(), LeasedTask::new(0, false));
        state.waiting.push_back(task);
        self.changed.notify_one();
        // The supervised thread renews the lease in time.
        self.supervisor.wake();
    }

    /// Lets the workers finish their present tasks and start no others.
    pub fn stop(&self) {
        self.supervisor.stop();
        let _state = self.lock();
        self.changed.notify_all();
    }

    /// Waits until the workers have stopped, at most for `patience`.
    /// Releases the remaining work to other nodes.
    pub fn release(&self, patience: Duration) -> Result<(), StoreError> {
        if !(self.supervisor).ended(patience, |name| name.starts_with("work")) {
            tracing::warn!("a worker did not stop in time; its work is released to other nodes");
        }
        self.store.release_work()
    }

    /// Returns the state of scheduled work on this node.
    pub fn health(&self) -> WorkHealth {
        let state = self.lock();
        let stuck = |lease: &&LeasedTask| lease.begun.is_some_and(|begun| begun.elapsed() > STUCK);
        WorkHealth {
            counts: state.counts,
            stuck: state.leased.values().filter(stuck).count() >= threads(),
        }
    }

    fn lock(&self) -> MutexGuard<'_, WorkerState> {
        // Tasks run without the lock, so a panic cannot leave the state half changed.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for a task and does it.
    fn work(
        &self,
        perform: &impl Fn(&Task) -> Option<Result<TaskOutcome, TaskFailure>>,
    ) -> Result<Next, StoreError> {
        let idle =
            |state: &mut WorkerState| state.waiting.is_empty() && !self.supervisor.is_stopping();
        let waited = self.changed.wait_while(self.lock(), idle);
        let mut state = waited.unwrap_or_else(PoisonError::into_inner);
        if self.supervisor.is_stopping() {
            return Ok(Next::End);
        }
        let Some(task) = state.waiting.pop_front() else {
            return Ok(Next::Now);
        };
        let lease = state.leased.get_mut(&task).map(|lease| {
            lease.begun = Some(Instant::now());
            lease.clone()
        });
        drop(state);
        let taken = match lease {
            Some(lease) if lease.leased.elapsed() < LEASE - LEASE_RESERVE => Ok(Some(Work {
                task: task.clone(),
                attempts: lease.attempts,
                quarantined: lease.quarantined,
            })),
            _ => self.take(vec![task.clone()]).map(|mut taken| taken.pop()),
        };
        let done = taken.map(|work| work.is_none_or(|work| self.perform(work, perform)));
        self.leave(&task);
        match done? {
            true => Ok(Next::Now),
            false => Ok(Next::End),
        }
    }

    /// Does leased work and updates its row. Returns false if the threads must end.
    fn perform(
        &self,
        work: Work,
        perform: &impl Fn(&Task) -> Option<Result<TaskOutcome, TaskFailure>>,
    ) -> bool {
        let step = tracing::info_span!(target: STEP, "job", kind = work.task.kind.name());
        let perform = || step.in_scope(|| perform(&work.task));
        let outcome = match catch_unwind(AssertUnwindSafe(perform)) {
            Ok(None) => return false,
            Ok(Some(outcome)) => outcome,
            Err(panic) => match panic_text(&*panic) {
                text if work.attempts + 1 >= PANICS => Err(TaskFailure::Permanent(text)),
                text => Err(TaskFailure::Temporary(text)),
            },
        };
        let updated = match outcome {
            Ok(TaskOutcome::Stored) => Ok(()),
            Ok(TaskOutcome::Nothing) => self.store.remove_work(&work.task),
            Ok(TaskOutcome::Later(at)) => self.store.reschedule_work(&work.task, at),
            Err(failure) => self.postpone(&work, failure),
        };
        if let Err(error) = updated {
            // The lease expires, and a node takes the work again.
            tracing::debug!(kind = work.task.kind.name(), subject = work.task.subject, %error,
                "cannot store the outcome of scheduled work; it is done again when its lease is over");
        }
        true
    }

    fn postpone(&self, work: &Work, failure: TaskFailure) -> Result<(), StoreError> {
        let attempts = work.attempts + 1;
        let (kind, subject) = (work.task.kind.name(), &work.task.subject);
        let quarantined = matches!(failure, TaskFailure::Permanent(_));
        let error = failure.to_string();
        metrics::counter!("tabularium_work_failures_total", "kind" => kind).increment(1);
        if quarantined && !work.quarantined {
            tracing::error!(kind, subject, %error, "scheduled work failed permanently; the next attempt is in a day");
        } else if attempts == 1 {
            tracing::warn!(kind, subject, %error, "scheduled work failed; it is retried");
        }
        let failures = u32::try_from(attempts).unwrap_or(u32::MAX);
        let pause = match quarantined {
            true => QUARANTINE,
            false => pause_after(failures, PAUSE, LONGEST_PAUSE),
        };
        let postponed = Postponement {
            pause,
            attempts,
            failure: error,
            quarantined,
        };
        self.store.postpone_work(&work.task, postponed)
    }

    /// Ends a worker's part in a task, or queues the task again if it was pushed while running.
    fn leave(&self, task: &Task) {
        let state = &mut *self.lock();
        match state.leased.get_mut(task) {
            Some(lease) if lease.again => {
                (lease.begun, lease.again) = (None, false);
                (lease.attempts, lease.quarantined) = (0, false);
                state.waiting.push_back(task.clone());
                self.changed.notify_one();
            }
            _ => {
                state.leased.remove(task);
            }
        }
    }

    fn take(&self, wanted: Vec<Task>) -> Result<Vec<Work>, StoreError> {
        let begun = Instant::now();
        let taken = self.store.take_work(wanted)?;
        let state = &mut *self.lock();
        for work in &taken {
            if let Some(lease) = state.leased.get_mut(&work.task) {
                lease.leased = begun;
            }
        }
        Ok(taken)
    }

    /// Counts the scheduled work of all nodes, for [`Workers::health`].
    pub fn count(&self) -> Result<(), StoreError> {
        let counts = self.store.work_counts()?;
        self.lock().counts = counts;
        Ok(())
    }

    /// Takes free work and renews the leases of long tasks.
    fn look(&self) -> Result<Next, StoreError> {
        let long: Vec<Task> = (self.lock().leased.iter())
            .filter(|(_, lease)| lease.leased.elapsed() > LEASE / 2)
            .filter(|(_, lease)| lease.begun.is_some_and(|begun| begun.elapsed() < STUCK))
            .map(|(task, _)| task.clone())
            .collect();
        if !long.is_empty() {
            self.take(long)?;
        }
        let mut free = self.store.free_work(TAKE_LIMIT)?;
        free.retain(|task| !self.lock().leased.contains_key(task));
        if !free.is_empty() {
            let taken = self.store.take_work(free)?;
            let state = &mut *self.lock();
            for Work {
                task,
                attempts,
                quarantined,
            } in taken
            {
                if !state.leased.contains_key(&task) {
                    (state.leased).insert(task.clone(), LeasedTask::new(attempts, quarantined));
                    state.waiting.push_back(task);
                }
            }
            self.changed.notify_all();
        }
        if !self.lock().leased.is_empty() {
            return Ok(Next::Later);
        }
        let next = self.store.next_work(None)?;
        let wait = next.map(|due| u64::try_from(due.saturating_sub(self.store.now())).unwrap_or(0));
        let wait = wait.map(Duration::from_micros);
        // The system's clock may be changed, so the wait has a limit.
        Ok(Next::Idle(wait.map(|wait| wait.min(LOOK_AT_LEAST))))
    }
}
