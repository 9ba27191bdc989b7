//! The runner: one thread that applies all projections in turn, each for a slice of time.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use crate::db::STEP;
use crate::db::projections::{BatchOutcome, Projection, ProjectionError};
use crate::db::work::supervise::{Next, Supervisor, panic_text, pause_after};

/// The pause between two rounds when nothing is left to do. Writes within it are read together.
const PAUSE: Duration = Duration::from_millis(200);

/// How long a projection with remaining entries runs before the next one has its turn.
const SLICE: Duration = Duration::from_millis(100);

/// The pause after a first failure. It doubles with each further failure.
const RETRY: Duration = Duration::from_millis(500);

/// The longest pause after failures.
const LONGEST_RETRY: Duration = Duration::from_secs(30);

/// How often a failing entry is tried before it is skipped.
const TRIES: u32 = 5;

/// Applies projections in one thread.
pub struct Runner {
    all: Vec<RunningProjection>,
}

/// A projection and its progress.
struct RunningProjection {
    projection: Box<dyn Projection>,
    /// The most entries of the next batch. It is 1 after a failure, to find the failing entry.
    limit: usize,
    /// The number of failures in a row.
    failures: u32,
    /// How often the next entry failed in a row by itself.
    tries: u32,
    /// When to retry after a failure.
    retry_at: Option<Instant>,
}

impl Runner {
    /// Creates a runner; [`Runner::start`] starts it.
    pub fn new(projections: Vec<Box<dyn Projection>>) -> Runner {
        let running = |projection: Box<dyn Projection>| {
            // The metrics begin with zero, so that the first failure is an increase.
            let name = projection.name();
            metrics::counter!("tabularium_projection_failures_total", "projection" => name)
                .increment(0);
            metrics::counter!("tabularium_projection_skipped_total", "projection" => name)
                .increment(0);
            RunningProjection {
                limit: projection.batch(),
                projection,
                failures: 0,
                tries: 0,
                retry_at: None,
            }
        };
        Runner {
            all: projections.into_iter().map(running).collect(),
        }
    }

    /// The name of the thread.
    pub const THREAD: &str = "projections";

    /// Starts the thread. A wake-up of the supervisor means that something was written.
    pub fn start(mut self, supervisor: &Supervisor) -> std::io::Result<()> {
        supervisor.supervise(Runner::THREAD, PAUSE, move || {
            Ok::<Next, ProjectionError>(self.round())
        })
    }

    /// Runs each projection for its slice of time.
    fn round(&mut self) -> Next {
        let mut wait: Option<Duration> = None;
        let mut more = false;
        for running in &mut self.all {
            match running.slice() {
                BatchOutcome::More => more = true,
                BatchOutcome::All => {}
                BatchOutcome::AllFor(time) => wait = Some(wait.map_or(time, |wait| wait.min(time))),
            }
        }
        match more {
            true => Next::Now,
            false => Next::Idle(wait),
        }
    }
}

impl Drop for Runner {
    fn drop(&mut self) {
        for running in &mut self.all {
            running.projection.stop();
        }
    }
}

impl RunningProjection {
    /// Applies batches until nothing is left to do, a batch fails, or the slice is over.
    fn slice(&mut self) -> BatchOutcome {
        let begun = Instant::now();
        if let Some(pause) = self.retry_at.map(|at| at.saturating_duration_since(begun))
            && !pause.is_zero()
        {
            return BatchOutcome::AllFor(pause);
        }
        self.retry_at = None;
        loop {
            let applied = self.apply();
            if applied != BatchOutcome::More || begun.elapsed() >= SLICE {
                return applied;
            }
        }
    }

    fn apply(&mut self) -> BatchOutcome {
        let (projection, limit) = (&mut self.projection, self.limit);
        let name = projection.name();
        let step = tracing::info_span!(target: STEP, "projection", name);
        let apply = || step.in_scope(|| projection.apply(limit));
        let error = match catch_unwind(AssertUnwindSafe(apply)) {
            Ok(Ok(applied)) => {
                if self.failures > 0 {
                    tracing::info!(
                        projection = name,
                        failures = self.failures,
                        "the projection works again"
                    );
                }
                (self.failures, self.tries) = (0, 0);
                self.limit = limit.saturating_mul(2).min(self.projection.batch());
                return applied;
            }
            Ok(Err(error)) => error,
            // The entry at which it panicked is not known.
            Err(panic) => ProjectionError::at("unknown", panic_text(&*panic)),
        };
        metrics::counter!("tabularium_projection_failures_total", "projection" => name)
            .increment(1);
        if error.entry.is_some() && limit > 1 {
            self.limit = 1;
            return BatchOutcome::More;
        }
        self.failures += 1;
        self.tries = match error.entry {
            Some(_) => self.tries + 1,
            None => 0,
        };
        if self.failures == 1 {
            tracing::warn!(projection = name, entry = error.entry, %error, "a projection failed; it is retried");
        }
        if self.tries >= TRIES && self.skip(&error) {
            return BatchOutcome::More;
        }
        let pause = pause_after(self.failures, RETRY, LONGEST_RETRY);
        self.retry_at = Some(Instant::now() + pause);
        BatchOutcome::AllFor(pause)
    }

    /// Skips an entry that fails repeatedly. Returns true if it was skipped.
    fn skip(&mut self, error: &ProjectionError) -> bool {
        let projection = &mut self.projection;
        let name = projection.name();
        match catch_unwind(AssertUnwindSafe(|| projection.skip())) {
            Ok(Ok(entry)) => {
                tracing::error!(projection = name, entry, %error, "a projection skipped an entry that failed every time");
                metrics::counter!("tabularium_projection_skipped_total", "projection" => name)
                    .increment(1);
                (self.failures, self.tries) = (0, 0);
                true
            }
            Ok(Err(_)) | Err(_) => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::{Sender, channel};

    use super::*;

    /// Applies the numbers up to an end, some of which fail.
    struct Numbers {
        applied: Sender<usize>,
        next: usize,
        end: usize,
        fails: fn(usize) -> Option<ProjectionError>,
    }

    impl Projection for Numbers {
        fn name(&self) -> &'static str {
            "numbers"
        }

        fn batch(&self) -> usize {
            8
        }

        fn apply(&mut self, limit: usize) -> Result<BatchOutcome, ProjectionError> {
            let batch = self.next..self.end.min(self.next + limit);
            match batch.clone().find_map(self.fails) {
                Some(error) => return Err(error),
                None => batch.for_each(|number| self.applied.send(number).unwrap()),
            }
            self.next = self.end.min(self.next + limit);
            Ok(match self.next < self.end {
                true => BatchOutcome::More,
                false => BatchOutcome::All,
            })
        }

        fn skip(&mut self) -> Result<Option<String>, ProjectionError> {
            self.next += 1;
            Ok(Some((self.next - 1).to_string()))
        }

        fn restart(&mut self) -> Result<(), ProjectionError> {
            self.next = 0;
            Ok(())
        }
    }

    /// Returns the numbers of 20 that are applied in some rounds without pauses, and the last outcome.
    fn run(fails: fn(usize) -> Option<ProjectionError>, rounds: usize) -> (Vec<usize>, Next) {
        let (applied, numbers) = channel();
        let projection = Numbers {
            applied,
            next: 0,
            end: 20,
            fails,
        };
        let mut runner = Runner::new(vec![Box::new(projection)]);
        let mut next = Next::Now;
        for _ in 0..rounds {
            next = runner.round();
            runner.all[0].retry_at = None;
        }
        (numbers.try_iter().collect(), next)
    }

    #[test]
    fn an_entry_that_always_fails_is_skipped_and_the_others_are_applied_once() {
        let all = |number: usize| !matches!(number, 5 | 6 | 19);
        let expected: Vec<usize> = (0..20).filter(|number| all(*number)).collect();
        let fails = |number| match number {
            5 | 19 => Some(ProjectionError::at(number.to_string(), "bad")),
            6 => panic!("fell over"),
            _ => None,
        };
        assert_eq!(run(fails, 30), (expected, Next::Idle(None)));
    }

    #[test]
    fn a_failure_without_an_entry_is_retried_and_skips_nothing() {
        let fails = |number| (number == 12).then(|| ProjectionError::new("no database"));
        let (numbers, next) = run(fails, 30);
        assert_eq!(numbers, (0..8).collect::<Vec<_>>());
        assert_eq!(next, Next::Idle(Some(LONGEST_RETRY)));
    }

    #[test]
    fn a_rebuild_applies_everything_again() {
        let (applied, numbers) = channel();
        let mut projection = Numbers {
            applied,
            next: 15,
            end: 20,
            fails: |_| None,
        };
        crate::db::projections::rebuild(&mut projection).unwrap();
        assert_eq!(
            numbers.try_iter().collect::<Vec<_>>(),
            (0..20).collect::<Vec<_>>()
        );
    }

    #[test]
    fn a_failing_projection_does_not_delay_another() {
        let (applied, numbers) = channel();
        let projection = |applied, fails| {
            Box::new(Numbers {
                applied,
                next: 0,
                end: 20,
                fails,
            })
        };
        let (lost, _) = channel();
        let fails = |_| Some(ProjectionError::new("no disk"));
        let one = projection(lost, fails);
        let two = projection(applied, |_| None);
        let next = Runner::new(vec![one, two]).round();
        assert_eq!(numbers.try_iter().count(), 20);
        assert_eq!(next, Next::Idle(Some(RETRY)));
    }
}
