//! `tabularium-bots faults`: counts missed wins, marches back and forth, and trades without use in recorded games.

use std::path::PathBuf;

use bots::{PlayFaults, PlayedGame};
use programs::{DataOption, read_records};

/// Count missed wins, marches back and forth, and trades without use in recorded games.
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = "Example:\n  \
    tabularium-bots faults corpus/*.ndjson.gz\n\n\
        A missed win is a turn whose nation could have won whatever others answered. A trade is without use if the rest\n\
        of the turn is legal without it. A turn goes back and forth if units return over a border that units of their\n\
        kind crossed in the maneuver before, and nothing else comes of it.")]
pub struct CountFaults {
    /// Files of records: NDJSON, or one record as text; both can be compressed with gzip.
    #[arg(required = true)]
    pub files: Vec<PathBuf>,
    /// List the turns with missed wins.
    #[arg(long)]
    pub list: bool,
    /// The boards and rulesets to use.
    #[command(flatten)]
    pub data: DataOption,
}

impl CountFaults {
    /// Counts the faults in each file and prints a table.
    pub fn run(&self) -> anyhow::Result<()> {
        let library = self.data.library()?;
        println!(
            "{:>6} {:>7} {:>10} {:>7} {:>11} {:>11}  file",
            "games", "turns", "one short", "missed", "back+forth", "idle trades"
        );
        let (mut all, mut games) = (PlayFaults::default(), 0);
        for file in &self.files {
            let (mut sum, mut count) = (PlayFaults::default(), 0);
            read_records(file, &library, |line, record| {
                let place = format!("{}:{line}", file.display());
                let record = record.map_err(|error| anyhow::anyhow!("{place}: {error}"))?;
                let faults = PlayFaults::count(&PlayedGame::read(&record, &library)?);
                if self.list && !faults.missed_wins.is_empty() {
                    println!("{place}: missed wins in turns {:?}", faults.missed_wins);
                }
                sum.add(&faults);
                count += 1;
                Ok(())
            })?;
            print_row(count, &sum, &file.display().to_string());
            all.add(&sum);
            games += count;
        }
        print_row(games, &all, "all");
        Ok(())
    }
}

fn print_row(games: u32, faults: &PlayFaults, name: &str) {
    println!(
        "{games:>6} {:>7} {:>10} {:>7} {:>11} {:>11}  {name}",
        faults.turns,
        faults.one_short,
        faults.missed_wins.len(),
        faults.back_and_forth,
        faults.idle_trades
    );
}
