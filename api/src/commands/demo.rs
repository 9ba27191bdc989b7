//! `tabularium demo`: the service on a file of its own with a corpus of bot games, for a first look.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::Context;
use engine::record::Record;

use super::import::take_in;
use super::options::DataOption;
use super::progress::Progress;
use super::simulate::Simulate;
use crate::limits::Limits;
use crate::office::{Office, key_file};
use crate::server::{Config, Server, library};
use crate::store::{GameFilter, Status, Store};
use crate::telemetry::{self, LogFormat};

/// How long the first statistics are waited for.
const PATIENCE: Duration = Duration::from_secs(60);

/// Run the service on a file with a corpus of bot games, for a first look.
///
/// The file is filled when it has no games yet, and kept: the next start is quick.
///
/// Example: tabularium demo --games 500
#[derive(Clone, Debug, clap::Args)]
pub struct Demo {
    /// Where to listen; port 0 takes a free one.
    #[arg(long, env = "TABULARIUM_LISTEN", default_value = "127.0.0.1:8080")]
    listen: String,
    /// The file.
    #[arg(long, default_value = "tabularium-demo.db")]
    file: PathBuf,
    /// How many games the bots play.
    #[arg(long, default_value_t = 640)]
    games: u64,
    /// Where the chance of the games comes from.
    #[arg(long, default_value = "demo")]
    seed: String,
}

/// What is played: a board, and how many nations with which bots, in turn.
const TABLES: [(&str, u8, &[&str]); 10] = [
    ("antike-east", 4, &["greedy"]),
    ("antike-west", 4, &["greedy"]),
    ("antike-east", 3, &["greedy"]),
    ("antike-west", 5, &["greedy"]),
    ("antike-east", 6, &["greedy"]),
    ("antike-east", 4, &["greedy", "random", "greedy", "greedy"]),
    ("antike-ii-orient", 4, &["greedy"]),
    ("antike-ii-mare-nostrum", 4, &["greedy"]),
    ("duellum-rome-carthage", 2, &["greedy"]),
    ("duellum-greece-persia", 2, &["greedy"]),
];

impl Demo {
    /// Fills the file when it is empty, and serves until the process is asked to end.
    ///
    /// # Errors
    /// When the file cannot be used or the service cannot start.
    pub fn run(&self) -> anyhow::Result<()> {
        telemetry::log(LogFormat::default());
        let database = format!("sqlite:{}", self.file.display());
        self.fill(&database)
            .with_context(|| format!("cannot fill {}", self.file.display()))?;
        let server = Server::start(Config {
            listen: self.listen.clone(),
            database,
            data: None,
            key: None,
            metrics_listen: None,
            limits: Limits::default(),
        })?;
        let began = Instant::now();
        while server.statistics.games() < server.games.count(&finished())?.count as usize
            && began.elapsed() < PATIENCE
        {
            std::thread::sleep(Duration::from_millis(50));
        }
        self.greet(&server);
        server.run()?;
        Ok(())
    }

    fn fill(&self, database: &str) -> anyhow::Result<()> {
        let store = Store::open(database)?;
        if store.count_games(&GameFilter::default())?.count > 0 {
            return Ok(());
        }
        let library = library(None)?;
        let key = Office::open(&store, &key_file(database, None))?.key();
        eprintln!(
            "bots play {} games into {}",
            self.games,
            self.file.display()
        );
        let tables = TABLES.len() as u64;
        let progress = Progress::new("games", self.games);
        for (number, (board, nations, bots)) in (0u64..).zip(TABLES) {
            let games = (self.games + tables - 1 - number) / tables;
            let simulate = Simulate {
                edition: None,
                board: board.to_owned(),
                nations: Some(nations),
                bots: bots.iter().map(|name| (*name).to_owned()).collect(),
                variants: Vec::new(),
                games,
                seed: format!("{}-{board}-{nations}-{number}", self.seed),
                max_rounds: 200,
                played_at: None,
                data: DataOption::default(),
                out: "-".into(),
            };
            let mut records: Vec<((), Record)> = Vec::new();
            simulate.records(&library, None, |record| {
                records.push(((), record));
                Ok(())
            })?;
            let place = |()| board.to_owned();
            take_in(&store, &library, &key, &records, place, &progress)?;
        }
        progress.finish();
        Ok(())
    }

    fn greet(&self, server: &Server) {
        let base = format!("http://{}", server.address);
        println!(
            "\nTabularium is open with {} finished games.\n\n  \
             {base}/docs/    the API, to try\n\n\
             Three things to ask:\n\n  \
             curl '{base}/v1/stats/nations?board=antike-east&nations=4'\n  \
             curl '{base}/v1/games?status=finished&limit=2'\n  \
             curl -X POST {base}/v1/games -H 'Content-Type: application/json' -d \
             '{{\"edition\":\"antike\",\"board\":\"antike-east\",\"max_rounds\":60,\
             \"seats\":[{{\"player\":\"open\"}},{{\"player\":{{\"bot\":\"greedy\"}}}},\
             {{\"player\":{{\"bot\":\"greedy\"}}}},{{\"player\":{{\"bot\":\"random\"}}}}]}}'\n\n\
             The games are in {}; Ctrl-C ends.\n",
            server.statistics.games(),
            self.file.display(),
        );
    }
}

fn finished() -> GameFilter {
    GameFilter {
        status: Some(Status::Finished),
        ..GameFilter::default()
    }
}
