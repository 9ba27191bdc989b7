//! How the service is: whether the database answers and can be written, and how the threads behind the
//! games do. It is found out when somebody asks, by threads that do nothing else, so that an answer comes
//! in time whatever hangs.

use std::sync::Arc;
use std::sync::mpsc::{SyncSender, sync_channel};
use std::time::{Duration, Instant};

use tokio::sync::watch;

use crate::db::jobs::WorkCounts;
use crate::db::work::supervise::Pulse;
use crate::games::Games;
use crate::statistics::Statistics;

/// When an answer comes at the latest.
const DEADLINE: Duration = Duration::from_secs(3);

/// For how long it holds that the database answers.
const READ_HOLDS: Duration = Duration::from_secs(1);

/// For how long it holds that it can be written: nothing is written more often to find out.
const WRITTEN_HOLDS: Duration = Duration::from_secs(5);

/// After how many failures in a row a thread counts as failing.
const FAILURES: u32 = 3;

/// What was found, or what is wrong.
pub type Found = Result<(), String>;

/// How the service is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServiceCondition {
    /// Whether the database answers.
    pub database: Found,
    /// Whether it can be written.
    pub writable: Found,
    /// Whether the clock of this node agrees with the database's.
    pub clock: Found,
    /// Whether what is due is done.
    pub workers: Found,
    /// How much is due.
    pub work: WorkCounts,
    /// Whether the files that statistics are read from are whole.
    pub statistics: Found,
}

/// Finds out how the service is.
#[derive(Debug)]
pub struct HealthMonitor {
    games: Arc<Games>,
    statistics: Arc<Statistics>,
    reading: PeriodicCheck,
    writing: PeriodicCheck,
}

impl HealthMonitor {
    /// Starts the threads that find out.
    pub fn start(games: Arc<Games>, statistics: Arc<Statistics>) -> std::io::Result<HealthMonitor> {
        let mut probe = games.store().probe();
        let store = Arc::downgrade(&games);
        let counted = store.clone();
        let reading = move || -> Found {
            probe.read().map_err(|error| error.to_string())?;
            // That it is counted late is no fault.
            let _ = counted.upgrade().map(|games| games.workers().count());
            Ok(())
        };
        let writing = move || match store.upgrade() {
            Some(games) => (games.store().try_writing()).map_err(|error| error.to_string()),
            None => Err("the service has stopped".to_owned()),
        };
        Ok(HealthMonitor {
            games,
            statistics,
            reading: PeriodicCheck::start("health reading", READ_HOLDS, reading)?,
            writing: PeriodicCheck::start("health writing", WRITTEN_HOLDS, writing)?,
        })
    }

    /// How the service is now, within three seconds.
    pub async fn condition(&self) -> ServiceCondition {
        let (database, writable) = tokio::join!(self.reading.ask(), self.writing.ask());
        let work = self.games.workers().health();
        let pulses = self.games.supervisor().pulses();
        let stuck = match work.stuck {
            true => Err("every worker is busy with one thing for a minute".to_owned()),
            false => Ok(()),
        };
        ServiceCondition {
            database,
            writable,
            // As the reading has found it.
            clock: match self.games.store().clock_fault() {
                Some(fault) => Err(fault.to_string()),
                None => Ok(()),
            },
            workers: pulses.get("work").map_or(Ok(()), beating).and(stuck),
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

fn beating(pulse: &Pulse) -> Found {
    match &pulse.failure {
        Some(failure) if pulse.failures >= FAILURES => Err(failure.clone()),
        _ => Ok(()),
    }
}

/// What was found, and when.
type Told = Option<(Instant, Found)>;

/// A thread that looks when it is asked to.
#[derive(Debug)]
struct PeriodicCheck {
    holds: Duration,
    asked: SyncSender<()>,
    told: watch::Receiver<Told>,
}

impl PeriodicCheck {
    fn start(
        name: &str,
        holds: Duration,
        mut look: impl FnMut() -> Found + Send + 'static,
    ) -> std::io::Result<PeriodicCheck> {
        let (asked, asks) = sync_channel(1);
        let (tell, told) = watch::channel(None);
        std::thread::Builder::new()
            .name(name.to_owned())
            .spawn(move || {
                for () in asks {
                    if !holds_still(&tell.borrow(), holds) {
                        let found = look();
                        tell.send_replace(Some((Instant::now(), found)));
                    }
                }
            })?;
        Ok(PeriodicCheck { holds, asked, told })
    }

    async fn ask(&self) -> Found {
        let mut told = self.told.clone();
        if !holds_still(&told.borrow(), self.holds) {
            // When it is full, somebody else has asked.
            let _ = self.asked.try_send(());
        }
        let fresh = told.wait_for(|told| holds_still(told, self.holds));
        match tokio::time::timeout(DEADLINE, fresh).await {
            Ok(Ok(told)) => (*told).clone().map_or(Ok(()), |(_, found)| found),
            Ok(Err(_)) => Err("nobody looks any more".to_owned()),
            Err(_) => Err(format!("no answer within {} seconds", DEADLINE.as_secs())),
        }
    }
}

fn holds_still(told: &Told, holds: Duration) -> bool {
    matches!(told, Some((at, _)) if at.elapsed() < holds)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};
    use std::sync::mpsc::channel;

    use super::*;

    #[tokio::test]
    async fn many_that_ask_look_once_and_a_failure_is_told() {
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
    async fn what_hangs_is_told_in_time() {
        let (_held, hangs) = channel::<()>();
        let look = move || hangs.recv().map_err(|error| error.to_string());
        let check = PeriodicCheck::start("test", Duration::from_secs(1), look).unwrap();
        let told = check.ask().await.unwrap_err();
        assert!(told.contains("no answer"), "{told}");
    }
}
