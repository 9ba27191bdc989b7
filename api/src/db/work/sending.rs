//! Sends what is scheduled for receivers elsewhere, many concurrently, on a separate runtime.
//!
//! All that is sent to a receiver, such as a webhook, is one row of the table `work`. A node has its lease while it
//! sends, so two nodes never send the same.

use std::collections::HashMap;
use std::future::Future;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};

use tokio::runtime::Runtime;

use crate::db::jobs::{LEASE, Task, WorkKind};
use crate::db::work::supervise::{Next, Supervisor};
use crate::db::{Store, StoreError};

/// The shortest interval between checks for scheduled work.
const LOOK: Duration = Duration::from_millis(100);

/// The number of receivers to which a node sends at the same time.
const RECEIVERS: usize = 64;

/// Sends what is scheduled for a receiver.
pub trait SendingJob: Send + Sync + 'static {
    /// The kind of the work. Its subject names the receiver.
    const KIND: WorkKind;

    /// The name of the thread.
    const THREAD: &'static str;

    /// Sends to a receiver and then ends its work by [`Store::settle_work`].
    /// After an error the lease expires, and the work is found again.
    fn send(&self, receiver: &str) -> impl Future<Output = Result<(), StoreError>> + Send;
}

/// The receivers to which this node is sending, with the time of its lease.
type Leases = Arc<Mutex<HashMap<String, Instant>>>;

fn locked(leases: &Leases) -> MutexGuard<'_, HashMap<String, Instant>> {
    // Each change is one insertion or removal.
    leases.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A receiver to which this node is sending; dropping it ends the local lease.
struct ReceiverLease {
    leases: Leases,
    receiver: String,
}

impl Drop for ReceiverLease {
    fn drop(&mut self) {
        locked(&self.leases).remove(&self.receiver);
    }
}

/// Starts the thread. It ends when the server stops or the store is dropped.
pub fn start<S: SendingJob>(
    sending: S,
    store: Weak<Store>,
    supervisor: &Supervisor,
) -> std::io::Result<()> {
    let (sending, leases) = (Arc::new(sending), Leases::default());
    let mut runtime = None;
    let step = move || -> Result<Next, StoreError> {
        let Some(store) = store.upgrade() else {
            return Ok(Next::End);
        };
        send_due(&sending, &store, &leases, &mut runtime)?;
        next::<S>(&store, &leases)
    };
    supervisor.supervise(S::THREAD, LOOK, step)
}

/// Starts sending what is scheduled, while there is capacity, and renews leases.
fn send_due<S: SendingJob>(
    sending: &Arc<S>,
    store: &Store,
    leases: &Leases,
    runtime: &mut Option<Runtime>,
) -> Result<(), StoreError> {
    let task = |subject: String| Task {
        kind: S::KIND,
        subject,
    };
    let long: Vec<String> = (locked(leases).iter())
        .filter(|(_, leased)| leased.elapsed() > LEASE / 2)
        .map(|(receiver, _)| receiver.clone())
        .collect();
    let room = RECEIVERS.saturating_sub(locked(leases).len());
    let mut free = store.free_subjects(S::KIND, room as i64)?;
    // A receiver that was just settled may still be listed for a moment.
    free.retain(|receiver| !locked(leases).contains_key(receiver));
    let wanted: Vec<Task> = long.into_iter().chain(free).map(task).collect();
    if wanted.is_empty() {
        return Ok(());
    }
    let runtime = match runtime {
        Some(runtime) => runtime,
        none => none.insert(
            new_runtime(S::THREAD).map_err(|error| StoreError::Unavailable(error.to_string()))?,
        ),
    };
    let leased = Instant::now();
    for work in store.take_work(wanted)? {
        let receiver = work.task.subject;
        let known = locked(leases).insert(receiver.clone(), leased);
        if known.is_none() {
            let own = ReceiverLease {
                leases: leases.clone(),
                receiver,
            };
            let sending = sending.clone();
            runtime.spawn(async move {
                if let Err(error) = sending.send(&own.receiver).await {
                    // The lease expires, and the work is found again.
                    tracing::warn!(receiver = own.receiver, %error, "{} are postponed", S::THREAD);
                }
            });
        }
    }
    Ok(())
}

/// Returns when to check again: when work is scheduled or a lease must be renewed.
/// Writes also wake the thread.
fn next<S: SendingJob>(store: &Store, leases: &Leases) -> Result<Next, StoreError> {
    let leased = locked(leases).values().copied().min();
    let leased = leased.map(|leased| (LEASE / 2).saturating_sub(leased.elapsed()));
    let room = locked(leases).len() < RECEIVERS;
    let due = match room {
        true => store.next_work(Some(S::KIND))?,
        // The end of a sending is a write, which wakes this thread.
        false => None,
    };
    let due = due.map(|due| due.saturating_sub(store.now()).max(0).unsigned_abs());
    let due = due.map(Duration::from_micros);
    Ok(Next::Idle(due.into_iter().chain(leased).min()))
}

/// Creates a runtime that is separate from the one that answers requests.
fn new_runtime(name: &str) -> std::io::Result<Runtime> {
    tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .thread_name(name)
        .enable_all()
        .build()
}
