//! The bars of speed and size, measured with the real program and printed beside its figures:
//! `cargo bench --workspace --bench bars -- all`, or the names of some bars. The program is the built one
//! or the one that `TABULARIUM_PROGRAM` names. `examples/many_games` beside it, which `make bars` builds, makes the
//! facts of the large database.
//!
//! - `BARS_GAMES`: the size of the large database (1,000,000).
//! - `BARS_FOLDER`: a folder that keeps the large database for the next run.
//! - `BARS_WHOLE_GAMES`: the size of the database of whole games (20,000).
//! - `BARS_FOLLOWERS`: the number of followers (10,000).

#[path = "../faults/support/mod.rs"]
mod support;

mod answers;
mod bare;
mod copies;
mod followers;
mod large;
mod small;

use support::Scale;

/// A measurement.
pub struct Row {
    what: String,
    bar: Option<f64>,
    figure: f64,
    unit: &'static str,
    more: String,
}

impl Row {
    /// A figure with its bar, which it should not exceed.
    pub fn new(what: impl Into<String>, bar: f64, figure: f64, unit: &'static str) -> Row {
        Row {
            bar: Some(bar),
            ..Row::without_bar(what, figure, unit)
        }
    }

    /// A figure without a bar.
    pub fn without_bar(what: impl Into<String>, figure: f64, unit: &'static str) -> Row {
        Row {
            what: what.into(),
            bar: None,
            figure,
            unit,
            more: String::new(),
        }
    }

    /// Adds a remark.
    pub fn with(mut self, more: impl std::fmt::Display) -> Row {
        self.more = more.to_string();
        self
    }

    fn print(&self) {
        let held = match self.bar {
            Some(bar) if self.figure <= bar => "held",
            Some(_) => "MISSED",
            None => "",
        };
        let bar = self.bar.map(|bar| bar.to_string()).unwrap_or_default();
        let Row {
            what,
            figure,
            unit,
            more,
            ..
        } = self;
        println!("| {what} | {bar} | {figure:.2} | {unit} | {held} | {more} |");
    }
}

/// Reads a number from the environment.
pub fn number(name: &str, default: usize) -> usize {
    std::env::var(name).map_or(default, |text| text.parse().expect("a number"))
}

#[tokio::main]
async fn main() {
    // Cargo passes --bench.
    let names = std::env::args()
        .skip(1)
        .filter(|name| !name.starts_with("--"));
    let names: Vec<String> = names.collect();
    let scale = Scale::from_environment("bars");
    println!("| what | bar | figure | unit | | |\n| --- | --- | --- | --- | --- | --- |");
    // The bars take long, so they run only if they are named, and not with all benches.
    let asked = |name: &str| names.iter().any(|asked| asked == name || asked == "all");
    let mut rows = Vec::new();
    let mut report = |more: Vec<Row>| {
        more.iter().for_each(Row::print);
        rows.extend(more);
    };
    if asked("size") {
        report(small::measure_size(scale.seed));
    }
    if asked("idle") {
        report(small::measure_idle().await);
    }
    if asked("turns") {
        report(small::measure_turns().await);
    }
    if asked("view") {
        report(small::measure_view().await);
    }
    if asked("answers") {
        report(answers::measure_answers(scale.seed).await);
    }
    if asked("start") {
        report(large::measure_start(scale.seed).await);
    }
    if asked("large") {
        report(large::measure_large().await);
    }
    if asked("leagues") {
        report(large::measure_leagues(scale.seed).await);
    }
    if asked("followers") {
        report(followers::measure_followers().await);
    }
    let missed = rows
        .iter()
        .filter(|row| row.bar.is_some_and(|bar| row.figure > bar))
        .count();
    println!(
        "{missed} of {} bars missed",
        rows.iter().filter(|row| row.bar.is_some()).count()
    );
}
