//! Threads that go on whatever happens: what fails or panics is tried again after a pause, and how each
//! of them does is told.

use std::any::Any;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The longest pause after a failure.
const LONGEST_PAUSE: Duration = Duration::from_secs(5);

/// The pause after so many failures in a row: twice as long each time.
pub fn pause_after(failures: u32, first: Duration, longest: Duration) -> Duration {
    let doubled = 2_u32.saturating_pow(failures.saturating_sub(1));
    first.saturating_mul(doubled).min(longest)
}

/// What a panic said.
pub fn panic_text(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
    format!("it panicked: {}", text.unwrap_or("no text"))
}

/// What a step says of the next one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// There is more to do at once.
    Now,
    /// After the pause.
    Later,
    /// Never: the thread ends.
    End,
}

/// How a thread does.
#[derive(Clone, Debug)]
pub struct Pulse {
    /// When its present step began; `None` between steps.
    pub busy_since: Option<Instant>,
    /// How often it failed in a row.
    pub failures: u32,
    /// Why the last time.
    pub failure: Option<String>,
}

/// The threads of a service. They end with [`Supervisor::stop`].
#[derive(Clone, Debug, Default)]
pub struct Supervisor {
    shared: Arc<Shared>,
}

#[derive(Debug, Default)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    stopping: bool,
    threads: BTreeMap<String, Pulse>,
}

impl Supervisor {
    /// Starts a thread that does `step` again and again, with a pause between, until it says that it
    /// ends, or the service stops. A step that fails is logged the first time, and done again after a
    /// pause that doubles each time.
    pub fn supervise<E: std::fmt::Display>(
        &self,
        name: &str,
        pause: Duration,
        mut step: impl FnMut() -> Result<Next, E> + Send + 'static,
    ) -> std::io::Result<()> {
        let supervisor = self.clone();
        let own = name.to_owned();
        let pulse = Pulse {
            busy_since: None,
            failures: 0,
            failure: None,
        };
        self.lock().threads.insert(own.clone(), pulse);
        let run = move || {
            while supervisor.begin(&own) {
                let done = catch_unwind(AssertUnwindSafe(&mut step));
                let done = done
                    .map_err(|panic| panic_text(&*panic))
                    .and_then(|done| done.map_err(|error| error.to_string()));
                match supervisor.note(&own, done, pause) {
                    Some(pause) => supervisor.wait(pause),
                    None => break,
                }
            }
            supervisor.lock().threads.remove(&own);
            supervisor.shared.changed.notify_all();
        };
        let spawned = std::thread::Builder::new().name(name.to_owned()).spawn(run);
        spawned.map(drop)
    }

    /// Lets every thread end its present step and do no other.
    pub fn stop(&self) {
        self.lock().stopping = true;
        self.shared.changed.notify_all();
    }

    /// Waits until the threads with such names have ended, for so long at the most; says whether they
    /// have.
    pub fn ended(&self, patience: Duration, such: impl Fn(&str) -> bool) -> bool {
        let running = |state: &mut State| state.threads.keys().any(|name| such(name));
        let changed = &self.shared.changed;
        let waited = changed.wait_timeout_while(self.lock(), patience, running);
        let (state, waited) = waited.unwrap_or_else(PoisonError::into_inner);
        drop(state);
        !waited.timed_out()
    }

    /// Whether the threads are asked to end.
    pub fn is_stopping(&self) -> bool {
        self.lock().stopping
    }

    /// How the threads do, by name.
    pub fn pulses(&self) -> BTreeMap<String, Pulse> {
        self.lock().threads.clone()
    }

    fn begin(&self, name: &str) -> bool {
        let mut state = self.lock();
        if let Some(pulse) = state.threads.get_mut(name) {
            pulse.busy_since = Some(Instant::now());
        }
        !state.stopping
    }

    /// Notes what a step came to: the pause until the next one, if there is one.
    fn note(&self, name: &str, done: Result<Next, String>, pause: Duration) -> Option<Duration> {
        let mut state = self.lock();
        let pulse = state.threads.get_mut(name)?;
        pulse.busy_since = None;
        match done {
            Ok(next) => {
                if pulse.failures > 0 {
                    tracing::info!(thread = name, failures = pulse.failures, "it goes on");
                }
                (pulse.failures, pulse.failure) = (0, None);
                match next {
                    Next::Now => Some(Duration::ZERO),
                    Next::Later => Some(pause),
                    Next::End => None,
                }
            }
            Err(error) => {
                pulse.failures += 1;
                if pulse.failures == 1 {
                    tracing::warn!(thread = name, %error, "it failed and tries again");
                }
                let first = pause.max(Duration::from_millis(100));
                let pause = pause_after(pulse.failures, first, LONGEST_PAUSE);
                pulse.failure = Some(error);
                Some(pause)
            }
        }
    }

    fn wait(&self, pause: Duration) {
        if !pause.is_zero() {
            let going_on = |state: &mut State| !state.stopping;
            let waited = self
                .shared
                .changed
                .wait_timeout_while(self.lock(), pause, going_on);
            drop(waited);
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // Each change is one assignment, so a panic elsewhere cannot have left half of one.
        (self.shared.state.lock()).unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;

    use super::*;

    #[test]
    fn pauses_double_up_to_the_longest() {
        let pause = |failures| {
            let (first, longest) = (Duration::from_secs(1), Duration::from_secs(30));
            pause_after(failures, first, longest).as_secs()
        };
        assert_eq!([1, 2, 3, 5, 6, u32::MAX].map(pause), [1, 2, 4, 16, 30, 30]);
    }

    #[test]
    fn a_thread_goes_on_after_failures_and_panics_and_ends_when_asked_to() {
        let supervisor = Supervisor::default();
        let (told, steps) = channel();
        let mut step = 0;
        let work = move || {
            step += 1;
            told.send(step).unwrap();
            match step {
                1 => Err("no luck"),
                2 => panic!("fell over"),
                _ => Ok(Next::Later),
            }
        };
        let pause = Duration::from_millis(1);
        supervisor.supervise("one", pause, work).unwrap();
        let ends = || Ok::<_, String>(Next::End);
        supervisor.supervise("two", pause, ends).unwrap();
        assert!(steps.iter().any(|step| step == 4));
        let pulse = supervisor.pulses()["one"].clone();
        assert_eq!((pulse.failures, pulse.failure), (0, None));
        supervisor.stop();
        assert!(supervisor.ended(Duration::from_secs(60), |_| true));
        assert!(supervisor.pulses().is_empty());
    }

    #[test]
    fn failures_are_told() {
        let supervisor = Supervisor::default();
        let fails = || -> Result<Next, String> { panic!("fell over") };
        (supervisor.supervise("one", Duration::from_millis(1), fails)).unwrap();
        let failed = || supervisor.pulses()["one"].failures > 1;
        while !failed() {
            std::thread::sleep(Duration::from_millis(5));
        }
        let failure = supervisor.pulses()["one"].failure.clone();
        assert_eq!(failure.as_deref(), Some("it panicked: fell over"));
        supervisor.stop();
    }
}
