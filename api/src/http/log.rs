//! Which requests get a line of their own in the log: under a flood only some, and the others are told
//! together, so that the log does not fill the disk.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How many requests get a line in a second, and how many faults of the service beside them.
const LINES: u32 = 50;

/// The requests of a second that got no line, by status.
type Unlogged = BTreeMap<u16, u64>;

/// What is written of the present second.
#[derive(Debug, Default)]
struct Second {
    /// Which it is, counted from the start.
    number: u64,
    lines: u32,
    faults: u32,
    /// Those of an earlier second too, until they are told.
    unlogged: Unlogged,
}

impl Second {
    /// Whether a request gets a line. If not, it is noted.
    fn take(&mut self, number: u64, status: u16) -> bool {
        if self.number != number {
            (self.number, self.lines, self.faults) = (number, 0, 0);
        }
        let written = match status {
            500.. => &mut self.faults,
            _ => &mut self.lines,
        };
        *written += 1;
        let logged = *written <= LINES;
        if !logged {
            *self.unlogged.entry(status).or_default() += 1;
        }
        logged
    }
}

/// Requests as `200: 5, 404: 1`.
fn told(unlogged: &Unlogged) -> String {
    let parts = unlogged
        .iter()
        .map(|(status, count)| format!("{status}: {count}"));
    parts.collect::<Vec<_>>().join(", ")
}

/// Decides which requests are logged.
#[derive(Clone, Debug)]
pub struct RequestLog {
    start: Instant,
    second: Arc<Mutex<Second>>,
}

impl RequestLog {
    /// A log that begins now.
    pub(crate) fn new() -> RequestLog {
        RequestLog {
            start: Instant::now(),
            second: Arc::default(),
        }
    }

    /// Whether a request with this status gets a line of its own. Those that do not are told together a
    /// second after the first of them.
    pub fn take(&self, status: u16) -> bool {
        let mut second = self.second.lock().unwrap_or_else(PoisonError::into_inner);
        let first = second.unlogged.is_empty();
        let logged = second.take(self.start.elapsed().as_secs(), status);
        if first && !logged {
            let second = self.second.clone();
            actix_web::rt::spawn(async move {
                tokio::time::sleep(Duration::from_secs(1)).await;
                let mut second = second.lock().unwrap_or_else(PoisonError::into_inner);
                let unlogged = std::mem::take(&mut second.unlogged);
                drop(second);
                tracing::info!(
                    requests = unlogged.values().sum::<u64>(),
                    by_status = told(&unlogged),
                    "requests of the last second without a line of their own"
                );
            });
        }
        logged
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flood_is_told_together_and_faults_are_still_seen() {
        let mut second = Second::default();
        let logged = (0..1000).filter(|_| second.take(7, 200)).count();
        assert_eq!(logged, LINES as usize);
        assert!(!second.take(7, 404));
        let faults = (0..1000).filter(|_| second.take(7, 503)).count();
        assert_eq!(faults, LINES as usize);
        let expected = format!("200: {0}, 404: 1, 503: {0}", 1000 - LINES);
        assert_eq!(told(&second.unlogged), expected);
        assert!(second.take(8, 200));
        // What was noted stays until it is told.
        assert_eq!(second.unlogged.len(), 3);
    }
}
