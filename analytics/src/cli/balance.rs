//! `balance`: what bots of several strengths make of nations, places, openings and know-hows, as a
//! report in Markdown.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::{Path, PathBuf};

use analytics::filters::Which;
use analytics::{Filters, INSUFFICIENT_BELOW, Measure, Store};
use anyhow::Context;
use comfy_table::presets::ASCII_MARKDOWN;
use polars::prelude::{col, lit};
use serde::Deserialize;
use statrs::distribution::{ContinuousCDF, Normal};

const EXAMPLE: &str = "Example:
  tabularium corpus --bots search:100 --games 60 --shard 1/2 --out corpus
  tabularium corpus --bots search:100 --games 60 --shard 2/2 --out corpus
  tabularium-analytics facts --from corpus/*.ndjson --to facts
  tabularium-analytics facts --from corpus/*-1-of-2.ndjson --to first
  tabularium-analytics facts --from corpus/*-2-of-2.ndjson --to second
  tabularium-analytics balance --facts facts --halves first second --out balance.md";

/// Report how balanced the games are among bots of several strengths
///
/// Which nations, places, openings and know-hows win more than they should, for each bot that has
/// played games with itself, and whether two halves of the games say so independently.
#[derive(clap::Args)]
#[command(after_help = EXAMPLE)]
pub struct Arguments {
    /// The folder of facts
    #[arg(long, value_name = "DIR")]
    facts: PathBuf,
    /// The folders of the facts of two halves of the games
    #[arg(long, num_args = 2, value_name = "DIR")]
    halves: Vec<PathBuf>,
    /// Where to write it; standard output when left out
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// What is asked: a measure of rates, and what its rows are about.
const QUESTIONS: [(Measure, &str); 4] = [
    (Measure::Nations, "Nations"),
    (Measure::Seats, "Places in turn order"),
    (Measure::Openings, "Openings"),
    (Measure::KnowHows, "Know-hows"),
];

/// A row of a measure of rates.
#[derive(Clone, Debug, Deserialize)]
struct Rate {
    #[serde(flatten)]
    format: Format,
    /// What it is about; each measure has a name of its own for it.
    nation: Option<String>,
    place: Option<u32>,
    strategy: Option<String>,
    know_how: Option<String>,
    nation_games: u64,
    rate: f64,
    low: f64,
    high: f64,
    expected: f64,
    q: Option<f64>,
}

/// A row of the measure of lengths.
#[derive(Clone, Debug, Deserialize)]
struct Length {
    #[serde(flatten)]
    format: Format,
    quantity: String,
    games: u64,
    q10: f64,
    median: f64,
    q90: f64,
}

/// What is never summed.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
struct Format {
    edition: String,
    board: String,
    nations: u32,
    players: u32,
    variants: String,
    bots: String,
}

impl Format {
    /// The table, whoever plays.
    fn title(&self) -> String {
        let mut title = format!("{}, {} nations", self.board, self.nations);
        if self.players != self.nations {
            let _ = write!(title, ", {} players", self.players);
        }
        if !self.variants.is_empty() {
            let _ = write!(title, ", {}", self.variants);
        }
        title
    }

    /// The strongest first: those that think, by how long, then the others by name.
    fn rank(bots: &str) -> (std::cmp::Reverse<u64>, &str) {
        let budget = bots
            .split_once(':')
            .and_then(|(_, budget)| budget.parse().ok());
        (std::cmp::Reverse(budget.unwrap_or(0)), bots)
    }
}

impl Rate {
    fn about(&self) -> String {
        let place = self.place.map(|place| place.to_string());
        let names = [&self.nation, &self.strategy, &self.know_how, &place];
        names.into_iter().flatten().cloned().collect()
    }

    /// Its standard error, as its interval tells it.
    fn error(&self) -> f64 {
        (self.high - self.low) / (2.0 * quantile())
    }

    fn shown(&self) -> String {
        format!(
            "{} ({} to {}), {}",
            percent(self.rate),
            percent(self.low),
            percent(self.high),
            self.nation_games
        )
    }
}

/// How many standard errors an interval of 95 % goes to each side.
fn quantile() -> f64 {
    Normal::standard().inverse_cdf(0.975)
}

fn percent(part: f64) -> String {
    format!("{:.1} %", 100.0 * part)
}

/// The rows of a measure of the games that one bot has played with itself, of so many games or more, and which facts
/// these are of.
fn rows<R: for<'a> Deserialize<'a>>(
    facts: &Path,
    measure: Measure,
    min_games: Option<u32>,
) -> anyhow::Result<(Vec<R>, String)> {
    let filters = Filters {
        bots: Which::Only,
        min_games,
        ..Filters::default()
    };
    let several = col("bots").str().contains_literal(lit(","));
    let of_one = col("bots").neq(lit("")).and(several.not());
    let table = Store::new(facts).measure_of(measure, &filters, &of_one);
    let table = table.with_context(|| facts.display().to_string())?;
    let mut answer = table.to_json()?;
    let rows = serde_json::from_value(answer["rows"].take())?;
    Ok((rows, table.data_version))
}

/// The rates of a measure.
fn rates(facts: &Path, measure: Measure, min_games: Option<u32>) -> anyhow::Result<Vec<Rate>> {
    Ok(rows(facts, measure, min_games)?.0)
}

/// Runs the command.
///
/// # Errors
/// When the facts cannot be read or the report cannot be written.
pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let report = report(&arguments.facts, &arguments.halves)?;
    match &arguments.out {
        None => print!("{report}"),
        Some(path) => {
            std::fs::write(path, report).with_context(|| path.display().to_string())?;
        }
    }
    Ok(())
}

fn report(facts: &Path, halves: &[PathBuf]) -> anyhow::Result<String> {
    let (lengths, version): (Vec<Length>, String) = rows(facts, Measure::Lengths, None)?;
    // A format has a row for each quantity.
    let games: BTreeMap<&Format, u64> = (lengths.iter())
        .map(|length| (&length.format, length.games))
        .collect();
    let mut report = format!(
        "# How balanced the games are among bots\n\n\
         {} games that bots have played to their end, each bot with itself; data {}. Rates are shares of the win \
         with intervals of 95 % (Wilson's, scaled to the variance of shares and clustered by game) and the number of \
         nations in games that they are made of. `tabularium-analytics balance` has written it.\n\n",
        games.values().sum::<u64>(),
        version,
    );
    let mut found = Vec::new();
    for (measure, title) in QUESTIONS {
        // Among how many something stands out is counted in those that are told.
        let told = rates(facts, measure, Some(INSUFFICIENT_BELOW))?;
        agreement(&mut report, title, &told, both(halves, measure)?.as_ref());
        found.push((title, rates(facts, measure, None)?));
    }
    let formats: BTreeSet<String> = lengths.iter().map(|length| length.format.title()).collect();
    for format in formats {
        let _ = writeln!(report, "## {format}\n");
        let here: Vec<&Length> = lengths
            .iter()
            .filter(|length| length.format.title() == format)
            .collect();
        length_table(&mut report, &here);
        for (title, rates) in &found {
            let here: Vec<&Rate> = rates
                .iter()
                .filter(|rate| rate.format.title() == format)
                .collect();
            if !here.is_empty() {
                let _ = writeln!(report, "### {title}\n");
                rate_table(&mut report, &here);
            }
        }
    }
    Ok(report)
}

/// The rates of both halves by format and what they are about, when there are halves.
type Halves = [BTreeMap<(Format, String), Rate>; 2];

fn both(halves: &[PathBuf], measure: Measure) -> anyhow::Result<Option<Halves>> {
    let [first, second] = halves else {
        return Ok(None);
    };
    let keyed = |facts: &PathBuf| {
        let rates = rates(facts, measure, None)?.into_iter();
        anyhow::Ok(
            rates
                .map(|rate| ((rate.format.clone(), rate.about()), rate))
                .collect(),
        )
    };
    Ok(Some([keyed(first)?, keyed(second)?]))
}

/// What stands out among rates that have games enough, and whether both halves say so.
fn agreement(report: &mut String, title: &str, rates: &[Rate], halves: Option<&Halves>) {
    let _ = writeln!(report, "## {title}: what stands out\n");
    let mut standing: Vec<&Rate> = rates
        .iter()
        .filter(|rate| rate.q.is_some_and(|q| q < 0.05))
        .collect();
    standing.sort_by(|one, other| {
        let key = |rate: &Rate| (rate.format.title(), rate.about());
        (Format::rank(&one.format.bots), key(one))
            .cmp(&(Format::rank(&other.format.bots), key(other)))
    });
    let _ = writeln!(
        report,
        "{} of {} rates differ from what is expected at a false discovery rate of 5 %.",
        standing.len(),
        rates.len()
    );
    if let Some([first, second]) = halves {
        let pairs: Vec<(&Rate, &Rate)> = rates
            .iter()
            .filter_map(|rate| {
                let key = (rate.format.clone(), rate.about());
                Some((first.get(&key)?, second.get(&key)?))
            })
            .collect();
        let apart = pairs.iter().filter(|(one, other)| {
            (one.rate - other.rate).abs() > quantile() * one.error().hypot(other.error())
        });
        let _ = writeln!(
            report,
            "Of {} rates that both halves tell, {} differ between them by more than chance does in one of twenty.",
            pairs.len(),
            apart.count()
        );
    }
    let _ = writeln!(report);
    if standing.is_empty() {
        return;
    }
    let mut table = comfy_table::Table::new();
    table.load_preset(ASCII_MARKDOWN);
    let mut header = vec!["table", "bots", "", "expected", "rate"];
    if halves.is_some() {
        header.extend(["first half", "second half"]);
    }
    table.set_header(header);
    for rate in standing {
        let mut cells = vec![
            rate.format.title(),
            rate.format.bots.clone(),
            rate.about(),
            percent(rate.expected),
            rate.shown(),
        ];
        for half in halves.into_iter().flatten() {
            let key = (rate.format.clone(), rate.about());
            cells.push(half.get(&key).map(Rate::shown).unwrap_or_default());
        }
        table.add_row(cells);
    }
    let _ = writeln!(report, "{table}\n");
}

fn length_table(report: &mut String, lengths: &[&Length]) {
    let mut table = comfy_table::Table::new();
    table.load_preset(ASCII_MARKDOWN);
    table.set_header([
        "bots",
        "games",
        "",
        "a tenth are below",
        "median",
        "a tenth are above",
    ]);
    let mut rows: Vec<&&Length> = lengths.iter().collect();
    rows.sort_by_key(|length| Format::rank(&length.format.bots));
    for length in rows {
        table.add_row([
            length.format.bots.clone(),
            length.games.to_string(),
            length.quantity.clone(),
            format!("{:.0}", length.q10),
            format!("{:.0}", length.median),
            format!("{:.0}", length.q90),
        ]);
    }
    let _ = writeln!(report, "{table}\n");
}

/// A column for each bot.
fn rate_table(report: &mut String, rates: &[&Rate]) {
    let bots: BTreeSet<_> = rates
        .iter()
        .map(|rate| Format::rank(&rate.format.bots))
        .collect();
    let mut about: Vec<String> = Vec::new();
    for rate in rates {
        if !about.contains(&rate.about()) {
            about.push(rate.about());
        }
    }
    let mut table = comfy_table::Table::new();
    table.load_preset(ASCII_MARKDOWN);
    let names = bots.iter().map(|(_, name)| *name);
    table.set_header(std::iter::once("").chain(names));
    for row in about {
        let cells = bots.iter().map(|(_, name)| {
            let mut found = rates.iter();
            let found = found.find(|rate| rate.about() == row && rate.format.bots == **name);
            found.map(|rate| rate.shown()).unwrap_or_default()
        });
        table.add_row(std::iter::once(row.clone()).chain(cells.collect::<Vec<String>>()));
    }
    let _ = writeln!(report, "{table}\n");
}
