//! Selects the requests that are logged.
//!
//! At most some requests of a second have their own log line, so that a flood does not fill the disk. A summary counts
//! the others.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The most requests that are logged in a second; as many server errors are logged in addition.
const LINES: u32 = 50;

/// The requests without a log line, by status.
type CountsByStatus = BTreeMap<u16, u64>;

/// The requests of the current second.
#[derive(Debug, Default)]
struct Second {
    /// The number of the second, counted from the start.
    number: u64,
    lines: u32,
    faults: u32,
    /// Requests without a log line, until the summary is logged.
    unlogged: CountsByStatus,
}

impl Second {
    /// Whether to log a request. If not, counts it for the summary.
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

/// Formats the counts as `200: 5, 404: 1`.
fn format_counts(unlogged: &CountsByStatus) -> String {
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
    /// Creates the log; its first second starts here.
    pub(crate) fn new() -> RequestLog {
        RequestLog {
            start: Instant::now(),
            second: Arc::default(),
        }
    }

    /// Whether to log a request with this status.
    /// A summary of the requests without a line follows a second later.
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
                    by_status = format_counts(&unlogged),
                    "summary of requests that were not logged singly"
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
    fn a_flood_is_summed_up_and_server_errors_are_still_logged() {
        let mut second = Second::default();
        let logged = (0..1000).filter(|_| second.take(7, 200)).count();
        assert_eq!(logged, LINES as usize);
        assert!(!second.take(7, 404));
        let faults = (0..1000).filter(|_| second.take(7, 503)).count();
        assert_eq!(faults, LINES as usize);
        let expected = format!("200: {0}, 404: 1, 503: {0}", 1000 - LINES);
        assert_eq!(format_counts(&second.unlogged), expected);
        assert!(second.take(8, 200));
        // The counts stay until the summary is logged.
        assert_eq!(second.unlogged.len(), 3);
    }
}
