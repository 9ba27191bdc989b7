//! Progress of long work: a bar on a terminal, plain lines otherwise.

use std::io::IsTerminal;
use std::sync::Mutex;

use indicatif::{ProgressBar, ProgressStyle};

/// Progress of a known number of items, written to standard error.
pub struct ProgressDisplay {
    bar: Option<ProgressBar>,
    noun: &'static str,
    total: u64,
    done: Mutex<u64>,
}

impl ProgressDisplay {
    /// Starts at 0 of `total`; `noun` names the items, such as `games`.
    pub fn new(noun: &'static str, total: u64) -> ProgressDisplay {
        let bar = std::io::stderr().is_terminal().then(|| {
            let bar = ProgressBar::new(total);
            let template = "{bar:40} {human_pos}/{human_len} {msg} ({per_sec}, {eta} left)";
            if let Ok(style) = ProgressStyle::with_template(template) {
                bar.set_style(style);
            }
            bar.set_message(noun);
            bar
        });
        ProgressDisplay {
            bar,
            noun,
            total,
            done: Mutex::new(0),
        }
    }

    /// Counts one more item as done. Without a terminal, prints a line for each tenth of the total.
    pub fn step(&self) {
        if let Some(bar) = &self.bar {
            bar.inc(1);
            return;
        }
        let mut done = self
            .done
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        *done += 1;
        let tenths = |done: u64| done * 10 / self.total.max(1);
        if tenths(*done) > tenths(*done - 1) {
            eprintln!("{done} of {} {}", self.total, self.noun);
        }
    }

    /// Removes the bar.
    pub fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
