//! The health of the service: the database, the clock, the background threads and the statistics files.
//!
//! Dedicated threads check on request, so an answer comes in time even if the database does not respond.

use std::sync::Arc;
use std::sync::mpsc::{SyncSender, sync_channel};
use std::time::{Duration, Instant};

use tokio::sync::watch;

use crate::db::jobs::WorkCounts;
use crate::db::work::supervise::Pulse;
use crate::games::Games;
use crate::statistics::Statistics;

/// The longest wait for a check.
const DEADLINE: Duration = Duration::from_secs(3);

/// How long the result of reading the database stays valid.
const READ_HOLDS: Duration = Duration::from_secs(1);

/// How long the result of writing the database stays valid, so that health checks cause few writes.
const WRITTEN_HOLDS: Duration = Duration::from_secs(5);

/// The number of consecutive failures after which a thread counts as failing.
const FAILURES: u32 = 3;

/// Nothing, or what is wrong.
pub type CheckResult = Result<(), String>;

/// The results of all checks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServiceCondition {
    /// Whether the database answers.
    pub database: CheckResult,
    /// Whether the database can be written.
    pub writable: CheckResult,
    /// Whether the clock of this node agrees with the database's.
    pub clock: CheckResult,
    /// Whether the clocks of all nodes agree, and none was set while its node ran.
    /// If not, the service is still ready.
    pub clocks: CheckResult,
    /// Whether scheduled work is carried out.
    pub workers: CheckResult,
    /// The amount of scheduled work.
    pub work: WorkCounts,
    /// Whether the files behind the statistics are intact.
    pub statistics: CheckResult,
}

impl ServiceCondition {
    /// The checks that must pass for the service to be ready, each with its name.
    pub fn needed(&self) -> [(&'static str, &CheckResult); 4] {
        [
            ("database", &self.database),
            ("writable", &self.writable),
            ("clock", &self.clock),
            ("workers", &self.workers),
        ]
    }

    /// All checks, each with its name.
    pub fn checks(&self) -> impl Iterator<Item = (&'static str, &CheckResult)> {
        let others = [("clocks", &self.clocks), ("statistics", &self.statistics)];
        self.needed().into_iter().chain(others)
    }
}

/// Checks the health of the service.
#[derive(Debug)]
pub struct HealthMonitor {
    games: Arc<Games>,
    statistics: Arc<Statistics>,
    reading: PeriodicCheck,
    writing: PeriodicCheck,
}

impl HealthMonitor {
    /// Starts the threads that check.
    pub fn start(games: Arc<Games>, statistics: Arc<Statistics>) -> std::io::Result<HealthMonitor> {
        let mut probe = games.store().probe();
        let store = Arc::downgrade(&games);
        let counted = store.clone();
        let reading = move || -> CheckResult {
            probe.read().map_err(|error| error.to_string())?;
            // Counting late is not a failure.
            let _ = counted.upgrade().map(|games| games.workers().count());
            Ok(())
        };
        let writing = move || match store.upgrade() {
            Some(games) => (games.store().try_writing()).map_err(|error| error.to_string()),
            None => Err("the server has stopped".to_owned()),
        };
        Ok(HealthMonitor {
            games,
            statistics,
            reading: PeriodicCheck::start("health reading", READ_HOLDS, reading)?,
            writing: PeriodicCheck::start("health writing", WRITTEN_HOLDS, writing)?,
        })
    }

    /// Returns true if the writer thread runs and has finished an attempt to write within about this time.
    ///
    /// A failed write counts: a full disk or an unreachable database is no reason to restart the process.
    pub fn has_tried_writing_within(&self, time: Duration) -> bool {
        // The last result is used again while it is valid.
        let time = time + WRITTEN_HOLDS;
        self.games.store().has_writer() && is_valid(&self.writing.results.borrow(), time)
    }

    /// Returns the condition of the service, within three seconds.
    pub async fn condition(&self) -> ServiceCondition {
        let (database, writable) = tokio::join!(self.reading.ask(), self.writing.ask());
        let work = self.games.workers().health();
        let pulses = self.games.supervisor().pulses();
        let stuck = match work.stuck {
            true => Err("every worker has been busy with a single task for a minute".to_owned()),
            false => Ok(()),
        };
        ServiceCondition {
            database,
            writable,
            // The reading check has compared the clocks.
            clock: match self.games.store().clock_fault() {
                Some(fault) => Err(fault.to_string()),
                None => Ok(()),
            },
            clocks: match self.games.store().clock_warning() {
                Some(warning) => Err(warning),
                None => Ok(()),
            },
            workers: pulses.get("work").map_or(Ok(()), check_pulse).and(stuck),
            work: work.counts,
            statistics: match self.statistics.damaged_file() {
                Some(file) => Err(format!(
                    "{} is damaged and is being rebuilt from the records",
                    file.display()
                )),
                None => Ok(()),
            },
        }
    }
}

fn check_pulse(pulse: &Pulse) -> CheckResult {
    match &pulse.failure {
        Some(failure) if pulse.failures >= FAILURES => Err(failure.clone()),
        _ => Ok(()),
    }
}

/// The last result and its time.
type LastResult = Option<(Instant, CheckResult)>;

/// A thread that runs a check on request.
#[derive(Debug)]
struct PeriodicCheck {
    holds: Duration,
    requests: SyncSender<()>,
    results: watch::Receiver<LastResult>,
}

impl PeriodicCheck {
    fn start(
        name: &str,
        holds: Duration,
        mut look: impl FnMut() -> CheckResult + Send + 'static,
    ) -> std::io::Result<PeriodicCheck> {
        let (requests, requested) = sync_channel(1);
        let (publisher, results) = watch::channel(None);
        std::thread::Builder::new()
            .name(name.to_owned())
            .spawn(move || {
                for () in requested {
                    if !is_valid(&publisher.borrow(), holds) {
                        let result = look();
                        publisher.send_replace(Some((Instant::now(), result)));
                    }
                }
            })?;
        Ok(PeriodicCheck {
            holds,
            requests,
            results,
        })
    }

    async fn ask(&self) -> CheckResult {
        let mut results = self.results.clone();
        if !is_valid(&results.borrow(), self.holds) {
            // If the channel is full, another request has asked already.
            let _ = self.requests.try_send(());
        }
        let valid = results.wait_for(|last| is_valid(last, self.holds));
        match tokio::time::timeout(DEADLINE, valid).await {
            Ok(Ok(last)) => (*last).clone().map_or(Ok(()), |(_, result)| result),
            Ok(Err(_)) => {
                Err("the thread that checks this has ended: restart the server".to_owned())
            }
            Err(_) => Err(format!("no answer within {} seconds", DEADLINE.as_secs())),
        }
    }
}

fn is_valid(last: &LastResult, holds: Duration) -> bool {
    matches!(last, Some((at, _)) if at.elapsed() < holds)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};
    use std::sync::mpsc::channel;

    use super::*;

    #[tokio::test]
    async fn several_requests_share_a_check_and_receive_its_failure() {
        let looks = Arc::new(AtomicU32::new(0));
        let counted = looks.clone();
        let look = move || {
            counted.fetch_add(1, Ordering::Relaxed);
            Err("no disk".to_owned())
        };
        let check = PeriodicCheck::start("test", Duration::from_secs(600), look).unwrap();
        let (one, two) = tokio::join!(check.ask(), check.ask());
        assert_eq!((one, two), (Err("no disk".into()), Err("no disk".into())));
        assert_eq!(check.ask().await, Err("no disk".into()));
        assert_eq!(looks.load(Ordering::Relaxed), 1);
    }

    #[tokio::test]
    async fn a_check_that_hangs_fails_in_time() {
        let (_held, hangs) = channel::<()>();
        let look = move || hangs.recv().map_err(|error| error.to_string());
        let check = PeriodicCheck::start("test", Duration::from_secs(1), look).unwrap();
        let failure = check.ask().await.unwrap_err();
        assert!(failure.contains("no answer"), "{failure}");
    }
}
