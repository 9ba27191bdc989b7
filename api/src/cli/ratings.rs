//! `tabularium ratings`: measures the quality of ratings.

use std::io::Write;
use std::ops::RangeInclusive;

use analytics::ratings::KINDS;
use engine::content::Library;

use crate::cli::options::DatabaseOption;
use crate::cli::stored;
use crate::ratings::forecast::PairForecasts;
use crate::ratings::simulation::Simulation;

/// Measure how well ratings forecast games.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  tabularium ratings forecast --database sqlite:tabularium.db
  tabularium ratings forecast --simulate 20")]
pub struct RatingsCommand {
    #[command(subcommand)]
    action: RatingsAction,
}

#[derive(Debug, clap::Subcommand)]
enum RatingsAction {
    /// Forecast the order of players in rated games, by ratings, Elo and a Plackett-Luce model.
    ///
    /// Each game is forecast from the games before it; the second half of the games is compared. `loss` is the
    /// log-loss, the mean of -ln of the probability of the result: even odds have 0.6931, and less is better. `slope`
    /// is the calibration slope: 1 is calibrated, less is overconfident, and more is too cautious.
    ///
    /// The database is only read.
    Forecast(ForecastCommand),
}

#[derive(Debug, clap::Args)]
struct ForecastCommand {
    #[command(flatten)]
    database: DatabaseOption,
    /// Forecast simulated games of groups with this many players, instead of a database.
    ///
    /// The strengths of the players are known. `truth` is a forecast by them, and `within` is the share of players
    /// whose strength is within 1.96 uncertainties of the rating: 95% is ideal.
    #[arg(long, value_name = "PLAYERS", value_parser = clap::value_parser!(u32).range(6..=1_000))]
    simulate: Option<u32>,
    /// The number of games of each simulated group.
    #[arg(long, requires = "simulate", default_value_t = 300,
        value_parser = clap::value_parser!(u32).range(2..=10_000))]
    games: u32,
    /// The number of groups for each size of tables.
    #[arg(long, requires = "simulate", default_value_t = 100,
        value_parser = clap::value_parser!(u32).range(1..=1_000))]
    groups: u32,
    /// The standard deviation of simulated strengths, in log-odds: 0 to 5.
    #[arg(long, requires = "simulate", default_value_t = 1.0, value_parser = spread)]
    spread: f64,
    /// The seed of the simulation; the same seed gives the same games.
    #[arg(long, requires = "simulate", default_value = "1")]
    seed: String,
}

/// The sizes of simulated tables; in the last entry all sizes are equally likely.
const TABLES: [(&str, RangeInclusive<u32>); 6] = [
    ("2", 2..=2),
    ("3", 3..=3),
    ("4", 4..=4),
    ("5", 5..=5),
    ("6", 6..=6),
    ("2-6", 2..=6),
];

fn spread(text: &str) -> Result<f64, String> {
    let spread = text.parse().ok();
    spread
        .filter(|spread| (0.0..=5.0).contains(spread))
        .ok_or_else(|| "expected a number from 0 to 5".to_owned())
}

impl RatingsCommand {
    /// Runs the subcommand.
    pub fn run(&self) -> anyhow::Result<()> {
        match &self.action {
            RatingsAction::Forecast(command) => match command.simulate {
                Some(players) => command.print_simulated(players as usize),
                None => command.print_stored(),
            },
        }
    }
}

impl ForecastCommand {
    fn print_stored(&self) -> anyhow::Result<()> {
        let ratings = stored::open(&self.database.database, Library::embedded())?.ratings;
        let mut out = std::io::stdout();
        writeln!(
            out,
            "kind     games   pairs    forecast       loss    slope"
        )?;
        for kind in KINDS {
            let (comparison, games) = ratings.forecast(kind)?;
            for (method, forecasts) in comparison.methods() {
                let row = row(method, forecasts);
                writeln!(out, "{:<8} {games:<7} {row}", kind.name())?;
            }
        }
        Ok(())
    }

    fn print_simulated(&self, players: usize) -> anyhow::Result<()> {
        let mut out = std::io::stdout();
        let simulation = Simulation {
            players,
            games: self.games as usize,
            groups: self.groups as usize,
            spread: self.spread,
            seed: self.seed.clone(),
        };
        writeln!(out, "table  pairs    forecast       loss    slope   within")?;
        for (table, sizes) in TABLES {
            let simulated = simulation.run(&sizes);
            let truth = ("truth", &simulated.truth);
            for (method, forecasts) in simulated.comparison.methods().into_iter().chain([truth]) {
                let within = match method {
                    "ratings" => format!("{:.1}%", 100.0 * simulated.share_within()),
                    _ => "-".to_owned(),
                };
                let row = row(method, forecasts);
                writeln!(out, "{table:<6} {row:<39} {within}")?;
            }
        }
        Ok(())
    }
}

/// Formats the number of pairs, the method, the log-loss and the slope.
fn row(method: &str, forecasts: &PairForecasts) -> String {
    let loss = (forecasts.loss()).map_or_else(|| "-".to_owned(), |loss| format!("{loss:.4}"));
    let slope = (forecasts.slope()).map_or_else(|| "-".to_owned(), |slope| format!("{slope:.2}"));
    format!("{:<8} {method:<14} {loss:<7} {slope}", forecasts.count())
}
