//! What fault tests and bars are made of: the real program as a process of its own, its databases, a
//! client that takes "no answer" for an answer, and figures.

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

/// How long and how hard the tests try: short by default, long by `make soak`.
#[derive(Clone, Copy, Debug)]
pub struct Scale {
    /// How often something is killed.
    pub kills: u32,
    /// How long a flood goes on.
    pub seconds: u64,
    /// How many times the short form's clients and games.
    pub times: usize,
    /// What random choices come from.
    pub seed: u64,
}

impl Scale {
    /// As the environment says: `SOAK_KILLS`, `SOAK_SECONDS`, `SOAK_TIMES`, `SOAK_SEED`. The seed is
    /// printed with the name of the case, to be given again.
    pub fn of(case: &str) -> Scale {
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

/// Prints a figure, where `--nocapture` or a failure shows it.
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

/// Times of requests, in the order of their length.
#[derive(Clone, Debug, Default)]
pub struct Times(Vec<Duration>);

impl Times {
    /// Of measurements in any order.
    pub fn of(mut times: Vec<Duration>) -> Times {
        times.sort_unstable();
        Times(times)
    }

    /// How many.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// The time below which a share (0 to 1) of all lie, in milliseconds.
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

/// How long a test waits for what should come soon: the machine may be busy with other work.
pub const PATIENCE: Duration = Duration::from_secs(120);

/// Asks until something is so, for as long as two minutes: how long it took, or `None`.
pub async fn comes_true(mut asks: impl AsyncFnMut() -> bool) -> Option<Duration> {
    let begun = Instant::now();
    while begun.elapsed() < PATIENCE {
        if asks().await {
            return Some(begun.elapsed());
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    None
}
