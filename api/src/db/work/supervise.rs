//! Threads that survive errors and panics.
//! A failed step is retried after a pause, and its failures are reported.

use std::any::Any;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The longest pause after a failure.
const LONGEST_PAUSE: Duration = Duration::from_secs(5);

/// Returns the pause after a number of failures in a row. It doubles with each failure.
pub fn pause_after(failures: u32, first: Duration, longest: Duration) -> Duration {
    let doubled = 2_u32.saturating_pow(failures.saturating_sub(1));
    first.saturating_mul(doubled).min(longest)
}

/// Returns the message of a panic.
pub fn panic_text(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
    format!("panicked: {}", text.unwrap_or("no message"))
}

/// When a step is repeated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// Immediately: there is more to do.
    Now,
    /// After the pause.
    Later,
    /// When [`Supervisor::wake`] is called or after this time, but not before the pause is over.
    Idle(Option<Duration>),
    /// Never: the thread ends.
    End,
}

/// What a thread does after a step.
enum Rest {
    Pause(Duration),
    Idle(Option<Duration>),
    End,
}

/// The health of a thread.
#[derive(Clone, Debug)]
pub struct Pulse {
    /// When its present step started; `None` between steps.
    pub busy_since: Option<Instant>,
    /// The number of failures in a row.
    pub failures: u32,
    /// The error of the last failure.
    pub failure: Option<String>,
}

/// The threads of a service. They end after [`Supervisor::stop`].
#[derive(Clone, Debug, Default)]
pub struct Supervisor {
    shared: Arc<SharedState>,
}

#[derive(Debug, Default)]
struct SharedState {
    state: Mutex<SupervisorState>,
    /// Notified when threads must end, and when one has ended.
    changed: Condvar,
    /// Notified when idle threads must continue or end.
    woken: Condvar,
}

#[derive(Debug, Default)]
struct SupervisorState {
    stopping: bool,
    /// How often [`Supervisor::wake`] was called.
    wakes: u64,
    threads: BTreeMap<String, Pulse>,
}

impl Supervisor {
    /// Starts a thread that repeats `step`, with a pause in between.
    /// It ends when a step returns [`Next::End`] or the service stops. A wake-up during a step counts. The first of
    /// several failures is logged. The pause after a failure doubles each time.
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
            while let Some(seen) = supervisor.begin(&own) {
                let done = catch_unwind(AssertUnwindSafe(&mut step));
                let done = done
                    .map_err(|panic| panic_text(&*panic))
                    .and_then(|done| done.map_err(|error| error.to_string()));
                match supervisor.note(&own, done, pause) {
                    Rest::Pause(pause) => supervisor.wait(pause),
                    Rest::Idle(most) => {
                        supervisor.wait(pause);
                        supervisor
                            .wait_until_woken(seen, most.map(|most| most.saturating_sub(pause)));
                    }
                    Rest::End => break,
                }
            }
            // A caller that waits for the end of the thread may use what the step owns.
            drop(step);
            supervisor.lock().threads.remove(&own);
            supervisor.shared.changed.notify_all();
        };
        let spawned = std::thread::Builder::new().name(name.to_owned()).spawn(run);
        spawned.map(drop)
    }

    /// Lets every thread finish its present step and start no other.
    pub fn stop(&self) {
        self.lock().stopping = true;
        self.shared.changed.notify_all();
        self.shared.woken.notify_all();
    }

    /// Wakes idle threads for their next step.
    pub fn wake(&self) {
        self.lock().wakes += 1;
        self.shared.woken.notify_all();
    }

    /// Waits at most for `patience` until the threads whose names match have ended.
    /// Returns true if they have ended.
    pub fn ended(&self, patience: Duration, such: impl Fn(&str) -> bool) -> bool {
        let running = |state: &mut SupervisorState| state.threads.keys().any(|name| such(name));
        let changed = &self.shared.changed;
        let waited = changed.wait_timeout_while(self.lock(), patience, running);
        let (state, waited) = waited.unwrap_or_else(PoisonError::into_inner);
        drop(state);
        !waited.timed_out()
    }

    /// Returns true after [`Supervisor::stop`].
    pub fn is_stopping(&self) -> bool {
        self.lock().stopping
    }

    /// Returns the health of the threads by name.
    pub fn pulses(&self) -> BTreeMap<String, Pulse> {
        self.lock().threads.clone()
    }

    /// Records the start of a step, unless the threads must end. Returns the number of wake-ups so far.
    fn begin(&self, name: &str) -> Option<u64> {
        let mut state = self.lock();
        if let Some(pulse) = state.threads.get_mut(name) {
            pulse.busy_since = Some(Instant::now());
        }
        (!state.stopping).then_some(state.wakes)
    }

    /// Records the outcome of a step and returns what the thread does next.
    fn note(&self, name: &str, done: Result<Next, String>, pause: Duration) -> Rest {
        let mut state = self.lock();
        let Some(pulse) = state.threads.get_mut(name) else {
            return Rest::End;
        };
        pulse.busy_since = None;
        match done {
            Ok(next) => {
                if pulse.failures > 0 {
                    tracing::info!(
                        thread = name,
                        failures = pulse.failures,
                        "the thread works again"
                    );
                }
                (pulse.failures, pulse.failure) = (0, None);
                match next {
                    Next::Now => Rest::Pause(Duration::ZERO),
                    Next::Later => Rest::Pause(pause),
                    Next::Idle(most) => Rest::Idle(most),
                    Next::End => Rest::End,
                }
            }
            Err(error) => {
                pulse.failures += 1;
                if pulse.failures == 1 {
                    tracing::warn!(thread = name, %error, "a thread failed; it is retried");
                }
                let first = pause.max(Duration::from_millis(100));
                let pause = pause_after(pulse.failures, first, LONGEST_PAUSE);
                pulse.failure = Some(error);
                Rest::Pause(pause)
            }
        }
    }

    fn wait(&self, pause: Duration) {
        if !pause.is_zero() {
            let going_on = |state: &mut SupervisorState| !state.stopping;
            let waited = self
                .shared
                .changed
                .wait_timeout_while(self.lock(), pause, going_on);
            drop(waited);
        }
    }

    /// Waits for a wake-up after the first `seen`, at most for a time.
    fn wait_until_woken(&self, seen: u64, most: Option<Duration>) {
        let idle = |state: &mut SupervisorState| !state.stopping && state.wakes == seen;
        let woken = &self.shared.woken;
        match most {
            Some(most) => drop(woken.wait_timeout_while(self.lock(), most, idle)),
            None => drop(woken.wait_while(self.lock(), idle)),
        }
    }

    fn lock(&self) -> MutexGuard<'_, SupervisorState> {
        // Each change is one assignment, so a panic cannot leave the state half changed.
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
    fn a_thread_survives_failures_and_panics_and_ends_on_stop() {
        let supervisor = Supervisor::default();
        let (sender, steps) = channel();
        let mut step = 0;
        let work = move || {
            step += 1;
            sender.send(step).unwrap();
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
    fn an_idle_thread_goes_on_when_woken_or_after_a_time() {
        let supervisor = Supervisor::default();
        let (sender, steps) = channel();
        let (go_on, goes_on) = channel();
        let work = move || -> Result<Next, String> {
            sender.send(()).unwrap();
            Ok(goes_on.recv().unwrap())
        };
        (supervisor.supervise("one", Duration::ZERO, work)).unwrap();
        steps.recv().unwrap();
        // A wake-up during a step counts.
        supervisor.wake();
        go_on.send(Next::Idle(None)).unwrap();
        steps.recv().unwrap();
        go_on
            .send(Next::Idle(Some(Duration::from_millis(1))))
            .unwrap();
        steps.recv().unwrap();
        go_on.send(Next::Idle(None)).unwrap();
        steps.recv_timeout(Duration::from_millis(50)).unwrap_err();
        supervisor.wake();
        steps.recv().unwrap();
        go_on.send(Next::Idle(None)).unwrap();
        supervisor.stop();
        assert!(supervisor.ended(Duration::from_secs(60), |_| true));
    }

    #[test]
    fn the_pulse_reports_failures() {
        let supervisor = Supervisor::default();
        let fails = || -> Result<Next, String> { panic!("fell over") };
        (supervisor.supervise("one", Duration::from_millis(1), fails)).unwrap();
        let failed = || supervisor.pulses()["one"].failures > 1;
        while !failed() {
            std::thread::sleep(Duration::from_millis(5));
        }
        let failure = supervisor.pulses()["one"].failure.clone();
        assert_eq!(failure.as_deref(), Some("panicked: fell over"));
        supervisor.stop();
    }
}
