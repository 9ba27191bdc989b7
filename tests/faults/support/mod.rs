//! The parts of fault tests and bars: the real program as a process of its own, its databases, a client
//! that accepts a missing answer, and figures.

#![allow(dead_code, unused_imports, reason = "the bars use a part of it")]

mod client;
mod database;
mod process;
mod stream;

pub use client::{Answer, Client, Down, games, people};
pub use database::{Database, run};
pub use process::{MANY_FILES, Program, bots_program, program};
pub use stream::{Stream, open_stream};

use std::time::{Duration, Instant};

use serde_json::Value;

/// The length and strength of the tests: short by default, long with `make soak`.
#[derive(Clone, Copy, Debug)]
pub struct Scale {
    /// How often a process is killed.
    pub kills: u32,
    /// How long a flood lasts.
    pub seconds: u64,
    /// A factor for the clients and games of the short form.
    pub times: usize,
    /// The seed of random choices.
    pub seed: u64,
}

impl Scale {
    /// Reads the environment: `SOAK_KILLS`, `SOAK_SECONDS`, `SOAK_TIMES`, `SOAK_SEED`. Prints the seed with the
    /// name of the case, so that it can be given again.
    pub fn from_environment(case: &str) -> Scale {
        let number = |name: &str| Some(std::env::var(name).ok()?.parse().expect("a number"));
        let seed = number("SOAK_SEED").unwrap_or_else(|| fastrand::u64(1..1_000_000));
        println!("{case}: SOAK_SEED={seed}");
        Scale {
            kills: number("SOAK_KILLS").map_or(5, |kills| kills as u32),
            seconds: number("SOAK_SECONDS").unwrap_or(3),
            times: number("SOAK_TIMES").map_or(1, |times| times as usize),
            seed,
        }
    }
}

/// Prints a figure, which is visible with `--nocapture` or after a failure.
pub fn figure(case: &str, what: &str, value: impl std::fmt::Display) {
    println!("FIGURE\t{case}\t{what}\t{value}");
}

/// The text of a JSON string.
#[track_caller]
pub fn text(value: &Value) -> String {
    value
        .as_str()
        .unwrap_or_else(|| panic!("no text: {value}"))
        .to_owned()
}

/// Times of requests, sorted.
#[derive(Clone, Debug, Default)]
pub struct Times(Vec<Duration>);

impl Times {
    /// Sorts measurements.
    pub fn sorted(mut times: Vec<Duration>) -> Times {
        times.sort_unstable();
        Times(times)
    }

    /// Returns the number of times.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns the time in milliseconds below which this share (0 to 1) of all lie.
    pub fn quantile(&self, share: f64) -> f64 {
        let last = self.0.len().saturating_sub(1);
        let at = (last as f64 * share).round() as usize;
        self.0
            .get(at)
            .map_or(f64::NAN, |time| time.as_secs_f64() * 1e3)
    }
}

impl std::fmt::Display for Times {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let [middle, late, last] = [0.5, 0.99, 1.0].map(|share| self.quantile(share));
        let n = self.len();
        write!(
            to,
            "p50 {middle:.1} ms, p99 {late:.1} ms, longest {last:.1} ms (n {n})"
        )
    }
}

/// How long a test waits for an expected event: the machine may be busy with other work.
pub const PATIENCE: Duration = Duration::from_secs(120);

/// Repeats a question until the answer is yes, for at most two minutes. Returns the time, or `None`.
pub async fn wait_until(mut asks: impl AsyncFnMut() -> bool) -> Option<Duration> {
    let begun = Instant::now();
    while begun.elapsed() < PATIENCE {
        if asks().await {
            return Some(begun.elapsed());
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    None
}
