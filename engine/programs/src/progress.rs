//! How long work shows how far it is: a bar on a terminal, plain lines otherwise.

use std::io::IsTerminal;
use std::sync::Mutex;

use indicatif::{ProgressBar, ProgressStyle};

/// Progress of a known number of pieces of work, written to standard error.
pub struct Progress {
    bar: Option<ProgressBar>,
    what: &'static str,
    total: u64,
    done: Mutex<u64>,
}

impl Progress {
    /// Starts at nothing of `total`; `what` names the pieces, such as `games`.
    pub fn new(what: &'static str, total: u64) -> Progress {
        let bar = std::io::stderr().is_terminal().then(|| {
            let bar = ProgressBar::new(total);
            let template = "{bar:40} {human_pos}/{human_len} {msg} ({per_sec}, {eta} left)";
            if let Ok(style) = ProgressStyle::with_template(template) {
                bar.set_style(style);
            }
            bar.set_message(what);
            bar
        });
        Progress {
            bar,
            what,
            total,
            done: Mutex::new(0),
        }
    }

    /// One more piece is done. Without a terminal every tenth of the whole is told in a line.
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
            eprintln!("{done} of {} {}", self.total, self.what);
        }
    }

    /// Takes the bar away.
    pub fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
