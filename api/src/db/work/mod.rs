//! Scheduled work, done by a few threads: each takes what has waited longest, for a bounded batch of decisions, so
//! that bots of many games move side by side.
//!
//! - Whatever the service does by itself is a row of the table `work` ([`crate::db::jobs`]): bots' moves, deadlines,
//!   deliveries, records to sign, checkpoints. The first three are written in the transaction that makes them
//!   necessary. The last two follow from no write of this node: they are looked for after commits and every 15 seconds
//!   (`games/due.rs`).
//! - The node that writes the row has its lease for 5 seconds, and renews it with its next write. The work of a node
//!   that dies is taken by another one when the lease is over.
//! - A deadline is for any node, half a second after its time. The node checks again whether the time is up.
//! - What fails is retried, here or elsewhere, after a pause that doubles each time. What can only fail again is set
//!   aside for a day, logged once, and counted.
//! - Threads end only with the service ([`supervise`]): errors and panics are caught, the step is retried, and health
//!   reports them.

pub mod supervise;

use std::collections::{HashMap, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::db::jobs::{LEASE, PutOff, Task, Work, WorkCounts};
use crate::db::work::supervise::{Next, Supervisor, panic_text, pause_after};
use crate::db::{Store, StoreError};

/// How often a node looks at most for what is due and free.
const LOOK: Duration = Duration::from_millis(500);

/// How often it does so at least while something is due later.
const LOOK_AT_LEAST: Duration = Duration::from_secs(15);

/// The most that a node takes at one look.
const TAKEN: i64 = 256;

/// Of a lease, what must be left to begin with the work.
const LEFT: Duration = Duration::from_secs(2);

/// The pause after a first failure.
const PAUSE: Duration = Duration::from_millis(500);

/// The longest pause after failures.
const LONGEST_PAUSE: Duration = Duration::from_secs(60);

/// After how many panics in a row work is set aside.
const PANICS: i64 = 5;

/// For how long what can only fail again is set aside.
const QUARANTINE: Duration = Duration::from_secs(24 * 60 * 60);

/// After how long a task counts as stuck; its lease is let go then.
const STUCK: Duration = Duration::from_secs(60);

/// What a task came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Done {
    /// The store was told what became of it, together with what was done.
    Stored,
    /// There is nothing left to do.
    Nothing,
}

/// Why a task failed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Failure {
    /// It may go better another time.
    #[error("{0}")]
    Passing(String),
    /// It fails each time, as far as is known.
    #[error("{0}")]
    Lasting(String),
}

/// How the work goes on a node.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WorkHealth {
    /// How much there is, of all nodes, when it was last counted.
    pub counts: WorkCounts,
    /// Whether every worker is at the same task for a minute.
    pub stuck: bool,
}

/// Who does what is due.
#[derive(Debug)]
pub struct Workers {
    store: Arc<Store>,
    supervisor: Supervisor,
    state: Mutex<WorkerState>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct WorkerState {
    /// What this node has the lease of and is not at, in the order in which it came in.
    waiting: VecDeque<Task>,
    /// The same and what it is at.
    known: HashMap<Task, KnownWork>,
    counts: WorkCounts,
}

#[derive(Clone, Debug)]
struct KnownWork {
    /// When the lease was taken or renewed.
    leased: Instant,
    attempts: i64,
    quarantined: bool,
    /// When it was begun.
    begun: Option<Instant>,
    /// Whether it was handed in again meanwhile.
    again: bool,
}

impl KnownWork {
    fn new(attempts: i64, quarantined: bool) -> KnownWork {
        KnownWork {
            leased: Instant::now(),
            attempts,
            quarantined,
            begun: None,
            again: false,
        }
    }
}

/// How many threads work: more than one, so that one slow task does not hold up the rest.
fn threads() -> usize {
    std::thread::available_parallelism().map_or(2, |threads| threads.get().clamp(2, 4))
}

impl Workers {
    /// Workers that have not begun.
    pub fn new(store: Arc<Store>, supervisor: Supervisor) -> Workers {
        Workers {
            store,
            supervisor,
            state: Mutex::default(),
            changed: Condvar::new(),
        }
    }

    /// Begins to work. `perform` does a task; `None` of it or of `workers` ends the threads.
    pub fn start(
        workers: impl Fn() -> Option<Arc<Workers>> + Clone + Send + 'static,
        perform: impl Fn(&Task) -> Option<Result<Done, Failure>> + Clone + Send + 'static,
    ) -> std::io::Result<()> {
        let Some(own) = workers() else {
            return Ok(());
        };
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

    /// Hands in what has become due here, with the lease.
    pub fn push(&self, task: Task) {
        let state = &mut *self.lock();
        if let Some(known) = state.known.get_mut(&task) {
            known.leased = Instant::now();
            known.again = known.begun.is_some();
            return;
        }
        state.known.insert(task.clone(), KnownWork::new(0, false));
        state.waiting.push_back(task);
        self.changed.notify_one();
        // For the lease to be renewed in time.
        self.supervisor.wake();
    }

    /// Lets the workers end what they are at and begin nothing else.
    pub fn stop(&self) {
        self.supervisor.stop();
        let _state = self.lock();
        self.changed.notify_all();
    }

    /// Waits until the workers have stopped, for so long at the most, and leaves to other nodes what is not
    /// done here.
    pub fn release(&self, patience: Duration) -> Result<(), StoreError> {
        if !(self.supervisor).ended(patience, |name| name.starts_with("work")) {
            tracing::warn!("a worker does not stop");
        }
        self.store.release_work()
    }

    /// How the work goes.
    pub fn health(&self) -> WorkHealth {
        let state = self.lock();
        let stuck = |known: &&KnownWork| known.begun.is_some_and(|begun| begun.elapsed() > STUCK);
        WorkHealth {
            counts: state.counts,
            stuck: state.known.values().filter(stuck).count() >= threads(),
        }
    }

    fn lock(&self) -> MutexGuard<'_, WorkerState> {
        // What panics is done outside the lock.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for a task and does it.
    fn work(
        &self,
        perform: &impl Fn(&Task) -> Option<Result<Done, Failure>>,
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
        let known = state.known.get_mut(&task).map(|known| {
            known.begun = Some(Instant::now());
            known.clone()
        });
        drop(state);
        let taken = match known {
            Some(known) if known.leased.elapsed() < LEASE - LEFT => Ok(Some(Work {
                task: task.clone(),
                attempts: known.attempts,
                quarantined: known.quarantined,
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

    /// Does what this node has the lease of, and tells the store what became of it. Says whether the
    /// threads go on.
    fn perform(
        &self,
        work: Work,
        perform: &impl Fn(&Task) -> Option<Result<Done, Failure>>,
    ) -> bool {
        let done = match catch_unwind(AssertUnwindSafe(|| perform(&work.task))) {
            Ok(None) => return false,
            Ok(Some(done)) => done,
            Err(panic) => match panic_text(&*panic) {
                text if work.attempts + 1 >= PANICS => Err(Failure::Lasting(text)),
                text => Err(Failure::Passing(text)),
            },
        };
        let told = match done {
            Ok(Done::Stored) => Ok(()),
            Ok(Done::Nothing) => self.store.remove_work(&work.task),
            Err(failure) => self.put_off(&work, failure),
        };
        if let Err(error) = told {
            // The lease ends, and it is found again.
            tracing::debug!(kind = work.task.kind.name(), subject = work.task.subject, %error,
                "the store is not told what became of work");
        }
        true
    }

    fn put_off(&self, work: &Work, failure: Failure) -> Result<(), StoreError> {
        let attempts = work.attempts + 1;
        let (kind, subject) = (work.task.kind.name(), &work.task.subject);
        let quarantined = matches!(failure, Failure::Lasting(_));
        let error = failure.to_string();
        metrics::counter!("tabularium_work_failures_total", "kind" => kind).increment(1);
        if quarantined && !work.quarantined {
            tracing::error!(kind, subject, %error, "work is set aside");
        } else if attempts == 1 {
            tracing::warn!(kind, subject, %error, "work failed and is tried again");
        }
        let failures = u32::try_from(attempts).unwrap_or(u32::MAX);
        let put_off = PutOff {
            pause: match quarantined {
                true => QUARANTINE,
                false => pause_after(failures, PAUSE, LONGEST_PAUSE),
            },
            attempts,
            failure: error,
            quarantined,
        };
        self.store.put_off_work(&work.task, put_off)
    }

    /// Ends being at a task, unless it was handed in again.
    fn leave(&self, task: &Task) {
        let state = &mut *self.lock();
        match state.known.get_mut(task) {
            Some(known) if known.again => {
                (known.begun, known.again) = (None, false);
                (known.attempts, known.quarantined) = (0, false);
                state.waiting.push_back(task.clone());
                self.changed.notify_one();
            }
            _ => {
                state.known.remove(task);
            }
        }
    }

    fn take(&self, wanted: Vec<Task>) -> Result<Vec<Work>, StoreError> {
        let begun = Instant::now();
        let taken = self.store.take_work(wanted)?;
        let state = &mut *self.lock();
        for work in &taken {
            if let Some(known) = state.known.get_mut(&work.task) {
                known.leased = begun;
            }
        }
        Ok(taken)
    }

    /// Counts what there is to do, for [`Workers::health`].
    pub fn count(&self) -> Result<(), StoreError> {
        let counts = self.store.work_counts()?;
        self.lock().counts = counts;
        Ok(())
    }

    /// Looks for work that no node is at, and keeps the leases of what takes long.
    fn look(&self) -> Result<Next, StoreError> {
        let long: Vec<Task> = (self.lock().known.iter())
            .filter(|(_, known)| known.leased.elapsed() > LEASE / 2)
            .filter(|(_, known)| known.begun.is_some_and(|begun| begun.elapsed() < STUCK))
            .map(|(task, _)| task.clone())
            .collect();
        if !long.is_empty() {
            self.take(long)?;
        }
        let mut free = self.store.free_work(TAKEN)?;
        free.retain(|task| !self.lock().known.contains_key(task));
        if !free.is_empty() {
            let taken = self.store.take_work(free)?;
            let state = &mut *self.lock();
            for Work {
                task,
                attempts,
                quarantined,
            } in taken
            {
                if !state.known.contains_key(&task) {
                    (state.known).insert(task.clone(), KnownWork::new(attempts, quarantined));
                    state.waiting.push_back(task);
                }
            }
            self.changed.notify_all();
        }
        if !self.lock().known.is_empty() {
            return Ok(Next::Later);
        }
        let next = self.store.next_work(false)?;
        let wait = next.map(|due| u64::try_from(due.saturating_sub(self.store.now())).unwrap_or(0));
        let wait = wait.map(Duration::from_micros);
        // The clock of the system may be set.
        Ok(Next::Idle(wait.map(|wait| wait.min(LOOK_AT_LEAST))))
    }
}
