//! Refuses requests that cannot be served soon when the service is overloaded.

use std::cell::{Cell, RefCell};
use std::sync::Arc;
use std::time::Duration;

use tokio::time::Instant;

use crate::http::limits::options::{Limits, bound, time_bound};
use crate::http::limits::slots::{Bounds, Slot, Slots};
use crate::http::limits::tally::{Tally, TallyGuard};
use crate::http::limits::visitor::{Address, Visitor};
use crate::http::problem::{Code, Problem};

/// Seconds until the caller should retry.
const RETRY_AFTER: u64 = 2;

/// The number of statistics tables computed at the same time; each uses all cores.
const TABLES: usize = 2;

/// The number of requests that wait to compute a table; equal ones are counted once.
const WAITING_TABLES: usize = 32;

/// How often a thread measures its delay.
const TICK: Duration = Duration::from_millis(50);

thread_local! {
    /// The queues of the server whose requests this thread answers.
    static QUEUES: RefCell<Option<Arc<Queues>>> = const { RefCell::new(None) };
    /// The delay of this thread: the lesser of its last two ticks, because a single request may delay one.
    static DELAY: Cell<Duration> = const { Cell::new(Duration::ZERO) };
    /// Whether this thread measures its delay, and whether a request came since its last tick.
    static MEASURES: Cell<bool> = const { Cell::new(false) };
    static HAS_REQUESTS: Cell<bool> = const { Cell::new(false) };
}

tokio::task_local! {
    /// The visitor for whom this task works.
    pub(crate) static WORKS_FOR: WorksFor;
}

/// The visitor whose request is being answered.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WorksFor {
    pub(crate) visitor: Visitor,
    /// Whether a part of the answer has been sent.
    pub(crate) begun: bool,
}

/// Kinds of work whose concurrency is limited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LoadKind {
    /// Uses the database or computes, on a thread that may block.
    Job,
    /// Hashes a password.
    Password,
    /// Draws a picture in pixels.
    Picture,
    /// Computes a statistics table.
    Table,
}

/// The slots for each kind of work.
#[derive(Debug)]
struct Queues {
    jobs: Arc<Slots>,
    passwords: Arc<Slots>,
    pictures: Arc<Slots>,
    tables: Arc<Slots>,
}

impl Queues {
    fn new(limits: &Limits) -> Queues {
        let each_address = |quantity: usize| (!limits.unmetered).then(|| bound(quantity));
        let jobs = bound(limits.jobs);
        let job = Bounds {
            what: "requests",
            all: jobs,
            each_address: each_address(limits.address_jobs),
            waiting: bound(limits.waiting),
            wait: time_bound(limits.wait),
        };
        Queues {
            jobs: Slots::new(job),
            passwords: Slots::new(Bounds {
                what: "password checks",
                all: bound(limits.passwords),
                each_address: each_address(limits.address_passwords),
                ..job
            }),
            pictures: Slots::new(Bounds {
                what: "pictures in pixels",
                all: bound(limits.pictures),
                each_address: each_address(limits.address_pictures),
                ..job
            }),
            tables: Slots::new(Bounds {
                what: "statistics",
                all: TABLES,
                each_address: each_address(TABLES),
                waiting: WAITING_TABLES,
                wait: Duration::MAX,
            }),
        }
    }
}

/// The running requests.
#[derive(Debug)]
pub(crate) struct Load {
    all: Arc<Tally<()>>,
    by_address: Arc<Tally<Address>>,
    queues: Arc<Queues>,
    delay: Duration,
}

/// Counts a request until it is dropped.
/// The total counts it until its answer begins, and its address until the answer is sent.
#[derive(Debug)]
pub(crate) struct UnderWay {
    _all: TallyGuard<()>,
    pub(crate) by_address: TallyGuard<Address>,
}

impl Load {
    pub(crate) fn new(limits: &Limits) -> Load {
        Load {
            all: Tally::new(bound(limits.requests)),
            by_address: Tally::new(bound(limits.metered(limits.address_requests))),
            queues: Arc::new(Queues::new(limits)),
            delay: time_bound(limits.delay),
        }
    }

    /// Registers the current thread as one that answers requests; call it within the thread's runtime.
    pub(crate) fn settle(&self) {
        QUEUES.set(Some(self.queues.clone()));
    }

    /// Evicts addresses without work.
    pub(crate) fn sweep(&self) {
        for slots in [
            &self.queues.jobs,
            &self.queues.passwords,
            &self.queues.pictures,
            &self.queues.tables,
        ] {
            slots.sweep();
        }
    }

    /// Starts a request.
    ///
    /// # Errors
    /// 503 when the service is overloaded, 429 when the caller's address has too many requests running.
    pub(crate) fn enter(&self, visitor: &Visitor) -> Result<UnderWay, Problem> {
        HAS_REQUESTS.set(true);
        if QUEUES.with_borrow(Option::is_some) && !MEASURES.replace(true) {
            actix_web::rt::spawn(measure_delay());
        }
        let late = DELAY.get() > self.delay;
        let all = self.all.enter(()).filter(|_| !late);
        let by_address = self.by_address.enter_times(visitor.address, visitor.times);
        Ok(UnderWay {
            _all: all.ok_or_else(overloaded)?,
            by_address: by_address.ok_or_else(|| {
                let detail = "your address has too many requests running: wait for their answers";
                Problem::again(Code::RateLimited, detail, RETRY_AFTER)
            })?,
        })
    }
}

/// The problem of an overloaded service.
fn overloaded() -> Problem {
    Problem::again(
        Code::Overloaded,
        "the service is overloaded: retry later",
        RETRY_AFTER,
    )
}

/// Waits for a slot for a kind of work, on behalf of the current visitor.
///
/// Outside a server, no slot is needed.
///
/// 429 when the visitor's address has too much of this work, 503 when there is too much in total.
/// 429 when the visitor's address has too much of it, 503 when there is too much in all.
pub async fn slot(work: LoadKind) -> Result<Option<Slot>, Problem> {
    let Some(queues) = QUEUES.with_borrow(Clone::clone) else {
        return Ok(None);
    };
    let slots = match work {
        LoadKind::Job => &queues.jobs,
        LoadKind::Password => &queues.passwords,
        LoadKind::Picture => &queues.pictures,
        LoadKind::Table => &queues.tables,
    };
    let slot = match WORKS_FOR.try_get().ok() {
        Some(WorksFor {
            visitor,
            begun: true,
        }) => slots.enter_patiently(&visitor).await,
        works_for => {
            let visitor = works_for.map(|works_for| works_for.visitor);
            slots.enter(visitor).await?
        }
    };
    Ok(Some(slot))
}

/// Measures how late tasks run on this thread, while requests come.
async fn measure_delay() {
    let mut before = Duration::ZERO;
    while HAS_REQUESTS.take() || before > TICK {
        let wake = Instant::now() + TICK;
        tokio::time::sleep_until(wake).await;
        let late = wake.elapsed();
        DELAY.set(late.min(before));
        before = late;
    }
    DELAY.set(Duration::ZERO);
    MEASURES.set(false);
}
