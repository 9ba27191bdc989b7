//! When there is too much to do: requests that cannot be served soon are refused at once, so that the others
//! are served soon.

use std::cell::{Cell, RefCell};
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::Instant;

use super::options::{Limits, bound};
use super::tally::{Counted, Tally};
use super::visitor::{Address, Visitor};
use crate::problem::{Code, Problem};

/// After how many seconds a refused request may be tried again.
const AGAIN: u64 = 2;

/// How often a thread looks how late it is.
const TICK: Duration = Duration::from_millis(50);

thread_local! {
    /// Of the server whose requests this thread answers.
    static JOBS: RefCell<Option<Arc<Jobs>>> = const { RefCell::new(None) };
    /// By how much this thread is behind: the lesser of its last two ticks, for one alone may be the work of
    /// one request.
    static LATE: Cell<Duration> = const { Cell::new(Duration::ZERO) };
}

/// Turns on the threads that may wait for the database or compute.
#[derive(Debug)]
struct Jobs {
    turns: Arc<Semaphore>,
    waiting: Arc<Tally<()>>,
    wait: Duration,
}

/// A turn, until it is dropped. None is needed where no server is around.
#[derive(Debug)]
pub struct Turn {
    _permit: Option<OwnedSemaphorePermit>,
}

/// What is under way.
#[derive(Debug)]
pub(super) struct Load {
    all: Arc<Tally<()>>,
    by_address: Arc<Tally<Address>>,
    jobs: Arc<Jobs>,
    delay: Duration,
}

/// A request is counted while this lives.
#[derive(Debug)]
pub(super) struct UnderWay {
    _all: Counted<()>,
    _by_address: Counted<Address>,
}

impl Load {
    pub(super) fn new(limits: &Limits) -> Load {
        Load {
            all: Tally::new(bound(limits.requests)),
            by_address: Tally::new(bound(limits.metered(limits.address_requests))),
            jobs: Arc::new(Jobs {
                turns: Arc::new(Semaphore::new(
                    bound(limits.jobs).min(Semaphore::MAX_PERMITS),
                )),
                waiting: Tally::new(bound(limits.waiting)),
                wait: limits.wait,
            }),
            delay: limits.delay,
        }
    }

    /// Makes this thread one that answers requests, within its runtime.
    pub(super) fn settle(&self) {
        JOBS.set(Some(self.jobs.clone()));
        actix_web::rt::spawn(look_how_late());
    }

    /// Begins a request.
    ///
    /// # Errors
    /// 503 when there is too much to do, 429 when the caller's address has too much under way.
    pub(super) fn enter(&self, visitor: &Visitor) -> Result<UnderWay, Problem> {
        let late = LATE.get() > self.delay;
        let all = self.all.enter(()).filter(|_| !late);
        let by_address = self.by_address.enter_times(visitor.address, visitor.times);
        Ok(UnderWay {
            _all: all.ok_or_else(overloaded)?,
            _by_address: by_address.ok_or_else(|| {
                let detail = "your address has too many requests under way";
                Problem::again(Code::RateLimited, detail, AGAIN)
            })?,
        })
    }
}

fn overloaded() -> Problem {
    Problem::again(Code::Overloaded, "the service has too much to do", AGAIN)
}

/// Waits for a turn on the threads that may wait, but not for long.
///
/// # Errors
/// 503 when too many wait already, or the turn does not come in time.
pub async fn turn() -> Result<Turn, Problem> {
    let Some(jobs) = JOBS.with_borrow(Clone::clone) else {
        return Ok(Turn { _permit: None });
    };
    let permit = match jobs.turns.clone().try_acquire_owned() {
        Ok(permit) => permit,
        Err(_) => {
            let _waiting = jobs.waiting.enter(()).ok_or_else(overloaded)?;
            let turn = jobs.turns.clone().acquire_owned();
            let turn = tokio::time::timeout(jobs.wait, turn).await;
            // The semaphore is never closed.
            turn.ok().and_then(Result::ok).ok_or_else(overloaded)?
        }
    };
    Ok(Turn {
        _permit: Some(permit),
    })
}

/// Measures how long what is ready to run on this thread waits until it does.
async fn look_how_late() {
    let mut before = Duration::ZERO;
    loop {
        let due = Instant::now() + TICK;
        tokio::time::sleep_until(due).await;
        let late = due.elapsed();
        LATE.set(late.min(before));
        before = late;
    }
}
