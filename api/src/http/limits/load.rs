//! When there is too much to do: requests that cannot be served soon are refused at once, so that the others
//! are served soon.

use std::cell::{Cell, RefCell};
use std::sync::Arc;
use std::time::Duration;

use tokio::time::Instant;

use crate::http::limits::options::{Limits, bound, time_bound};
use crate::http::limits::slots::{Bounds, Slot, Slots};
use crate::http::limits::tally::{Tally, TallyGuard};
use crate::http::limits::visitor::{Address, Visitor};
use crate::http::problem::{Code, Problem};

/// After how many seconds a refused request may be tried again.
const AGAIN: u64 = 2;

/// How many tables of statistics are computed at the same time; each takes all cores for its own part.
const TABLES: usize = 2;

/// How many tables of statistics wait for that, equal ones counted once.
const WAITING_TABLES: usize = 32;

/// How often a thread looks how late it is.
const TICK: Duration = Duration::from_millis(50);

thread_local! {
    /// Of the server whose requests this thread answers.
    static QUEUES: RefCell<Option<Arc<Queues>>> = const { RefCell::new(None) };
    /// By how much this thread is behind: the lesser of its last two ticks, for one alone may be the work of
    /// one request.
    static LATE: Cell<Duration> = const { Cell::new(Duration::ZERO) };
    /// Whether this thread measures that, and whether a request came since its last tick.
    static LOOKS: Cell<bool> = const { Cell::new(false) };
    static ENTERED: Cell<bool> = const { Cell::new(false) };
}

tokio::task_local! {
    /// For whom this task works.
    pub(crate) static WORKS_FOR: WorksFor;
}

/// The visitor whose request is answered.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WorksFor {
    pub(crate) visitor: Visitor,
    /// Whether a part of the answer is sent already.
    pub(crate) begun: bool,
}

/// Kinds of work of which only so much runs at the same time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LoadKind {
    /// Works on the database or computes, on a thread that may wait.
    Job,
    /// Draws a picture in pixels.
    Picture,
    /// Computes a table of statistics.
    Table,
}

/// The slots of each kind of work.
#[derive(Debug)]
struct Queues {
    jobs: Arc<Slots>,
    pictures: Arc<Slots>,
    tables: Arc<Slots>,
}

impl Queues {
    fn new(limits: &Limits) -> Queues {
        let of_address = |quantity: usize| (!limits.unmetered).then(|| bound(quantity));
        let jobs = bound(limits.jobs);
        let job = Bounds {
            what: "requests",
            all: jobs,
            of_address: of_address(limits.address_jobs),
            waiting: bound(limits.waiting),
            wait: time_bound(limits.wait),
        };
        Queues {
            jobs: Slots::new(job),
            pictures: Slots::new(Bounds {
                what: "pictures in pixels",
                all: bound(limits.pictures),
                of_address: of_address(limits.address_pictures),
                ..job
            }),
            tables: Slots::new(Bounds {
                what: "statistics",
                all: TABLES,
                of_address: of_address(TABLES),
                waiting: WAITING_TABLES,
                wait: Duration::MAX,
            }),
        }
    }
}

/// What is under way.
#[derive(Debug)]
pub(crate) struct Load {
    all: Arc<Tally<()>>,
    by_address: Arc<Tally<Address>>,
    queues: Arc<Queues>,
    delay: Duration,
}

/// A request is counted while this lives: in all until its answer begins, for its address until the answer is sent.
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

    /// Makes this thread one that answers requests, within its runtime.
    pub(crate) fn settle(&self) {
        QUEUES.set(Some(self.queues.clone()));
    }

    /// Forgets addresses without work.
    pub(crate) fn sweep(&self) {
        for slots in [
            &self.queues.jobs,
            &self.queues.pictures,
            &self.queues.tables,
        ] {
            slots.sweep();
        }
    }

    /// Begins a request.
    ///
    /// # Errors
    /// 503 when there is too much to do, 429 when the caller's address has too much under way.
    pub(crate) fn enter(&self, visitor: &Visitor) -> Result<UnderWay, Problem> {
        ENTERED.set(true);
        if QUEUES.with_borrow(Option::is_some) && !LOOKS.replace(true) {
            actix_web::rt::spawn(look_how_late());
        }
        let late = LATE.get() > self.delay;
        let all = self.all.enter(()).filter(|_| !late);
        let by_address = self.by_address.enter_times(visitor.address, visitor.times);
        Ok(UnderWay {
            _all: all.ok_or_else(overloaded)?,
            by_address: by_address.ok_or_else(|| {
                let detail = "your address has too many requests under way";
                Problem::again(Code::RateLimited, detail, AGAIN)
            })?,
        })
    }
}

/// The service cannot take the request now.
fn overloaded() -> Problem {
    Problem::again(Code::Overloaded, "the service has too much to do", AGAIN)
}

/// Waits for a slot for work of a kind, as the visitor whose request is answered. None is needed where no server is
/// around.
///
/// # Errors
/// 429 when the visitor's address has too much of it, 503 when there is too much in all.
pub async fn slot(work: LoadKind) -> Result<Option<Slot>, Problem> {
    let Some(queues) = QUEUES.with_borrow(Clone::clone) else {
        return Ok(None);
    };
    let slots = match work {
        LoadKind::Job => &queues.jobs,
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

/// Measures how long what is ready to run on this thread waits until it does, as long as requests come.
async fn look_how_late() {
    let mut before = Duration::ZERO;
    while ENTERED.take() || before > TICK {
        let due = Instant::now() + TICK;
        tokio::time::sleep_until(due).await;
        let late = due.elapsed();
        LATE.set(late.min(before));
        before = late;
    }
    LATE.set(Duration::ZERO);
    LOOKS.set(false);
}
