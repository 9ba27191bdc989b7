//! `tabularium demo`: runs a server with a corpus of bot games, for a first look.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use bots::Spec;
use engine::content::Library;
use engine::setup::Player;
use programs::{ProgressDisplay, count_records, read_records};
use rayon::prelude::*;
use records::{PublicKeys, Record};

use crate::accounts::service::Admission;
use crate::cli::import::{Total, import_all};
use crate::cli::{demo_league, demo_players};
use crate::db::url::DatabaseUrl;
use crate::db::{Store, backup};
use crate::games::bodies::{GameSummary, NewGame, NewSeat, SeatPlayer};
use crate::games::lists::GameLists;
use crate::games::model::{Status, Visibility};
use crate::games::queries::lists::GameFilter;
use crate::games::{GameLimits, Games};
use crate::http::call::Call;
use crate::http::limits::options::Limits;
use crate::http::telemetry;
use crate::http::telemetry::LogFormat;
use crate::server::{Config, Server};
use crate::services::Services;
use crate::signing::keys::{SigningKey, key_file};

/// The longest wait for the first statistics, and for shutdown.
const PATIENCE: Duration = Duration::from_secs(60);

/// Run a server with a corpus of bot games, for a first look.
///
/// The database file is filled on the first start and kept, so the next start is quick.
///
/// Example: tabularium demo --games 500
#[derive(Clone, Debug, clap::Args)]
pub struct Demo {
    /// The address to listen on; port 0 takes a free port.
    #[arg(long, env = "TABULARIUM_LISTEN", default_value = "127.0.0.1:8080")]
    listen: String,
    /// The database file.
    #[arg(long, default_value = "tabularium-demo.db")]
    file: PathBuf,
    /// Replace an existing file by a new one.
    #[arg(long)]
    fresh: bool,
    /// The number of games between bots.
    /// In addition, bots play a quarter as many rated games in the names of players.
    #[arg(long, default_value_t = 640)]
    games: u64,
    /// Files of records to import into a new file, such as those of `tabularium-bots corpus`.
    #[arg(long, num_args = 1.., value_name = "FILE")]
    corpus: Vec<PathBuf>,
    /// The seed of all random choices in the games.
    #[arg(long, default_value = "demo")]
    seed: String,
}

/// The milliseconds before each decision of bots in the game to watch.
const PACE: u32 = 700;

/// The interval between checks whether a game is running.
const LOOK: Duration = Duration::from_secs(3);

/// The games to play: a board, the number of nations, and the bots, which take turns as players.
const TABLES: [(&str, usize, &[&str]); 10] = [
    ("antike-east", 4, &["greedy"]),
    ("antike-west", 4, &["greedy"]),
    ("antike-east", 3, &["greedy"]),
    ("antike-west", 5, &["greedy"]),
    ("antike-east", 6, &["greedy"]),
    (
        "antike-east",
        4,
        &["greedy", "random", "greedy_military", "greedy_growth"],
    ),
    ("antike-ii-orient", 4, &["greedy"]),
    ("antike-ii-mare-nostrum", 4, &["greedy"]),
    ("duellum-rome-carthage", 2, &["greedy"]),
    ("duellum-greece-persia", 2, &["greedy"]),
];

impl Demo {
    /// Fills the file if it does not exist, and serves until the process receives a signal.
    pub fn run(&self) -> anyhow::Result<()> {
        telemetry::start(LogFormat::default(), None)?;
        let database = sqlite(&self.file);
        if self.file.exists() && !self.fresh {
            eprintln!(
                "{} exists and is used again (--fresh replaces it)",
                self.file.display()
            );
        } else {
            self.fill(&key_file(&database, None))
                .with_context(|| format!("cannot fill {}", self.file.display()))?;
        }
        let server = Server::start(Config {
            listen: self.listen.clone(),
            database,
            limits: Limits {
                bot_pause: PACE,
                ..Limits::default()
            },
            ..Config::default()
        })?;
        let began = Instant::now();
        while server.statistics.games() < server.services.lists.count(&finished())?.count as usize
            && began.elapsed() < PATIENCE
        {
            std::thread::sleep(Duration::from_millis(50));
        }
        let services = &server.services;
        let weak = (
            Arc::downgrade(&services.games),
            Arc::downgrade(&services.lists),
        );
        std::thread::Builder::new()
            .name("demo".to_owned())
            .spawn(move || keep_playing(&weak))?;
        self.greet(&server);
        server.run()?;
        Ok(())
    }

    /// Fills a temporary file and then moves it, so that an interrupted start leaves no partial database.
    fn fill(&self, key: &Path) -> anyhow::Result<()> {
        let part = self.file.with_added_extension("part");
        remove(&part)?;
        self.play(&part, key)?;
        self.play_by_players(&part, key)?;
        remove(&self.file)?;
        backup::sqlite::copy(&part.to_string_lossy(), &self.file)?;
        remove(&part)
    }

    /// Lets bots play rated games and a league in the names of players with accounts.
    fn play_by_players(&self, file: &Path, key: &Path) -> anyhow::Result<()> {
        let store = Arc::new(Store::open(&sqlite(file))?);
        let key = SigningKey::open(&store, key)?;
        let (library, limits) = (Arc::new(Library::embedded().clone()), GameLimits::NONE);
        let services = Services::start(store, library, key, limits, Admission::default())?;
        let games = services.games.clone();
        let rated = self.games.div_ceil(4);
        let played = demo_players::register_all(&services.accounts).and_then(|players| {
            eprintln!(
                "bots play {rated} rated games and a league in the names of {} players",
                players.len()
            );
            demo_players::play_rated(&services.imports, &players, &self.seed, rated)
                .context("the rated games cannot be played")?;
            demo_league::play(&services, &players).context("the league cannot be played")
        });
        games.stop();
        games.release(PATIENCE)?;
        // All threads must have stopped before the file is copied.
        games.supervisor().stop();
        games.supervisor().ended(PATIENCE, |_| true);
        played
    }

    /// Imports the corpus into a new file and lets bots play games into it.
    fn play(&self, file: &Path, key: &Path) -> anyhow::Result<()> {
        let store = Store::open(&sqlite(file))?;
        let library = Library::embedded();
        let key = SigningKey::open(&store, key)?.key();
        let import = |what: &str, records: &[Record], progress: &ProgressDisplay| {
            let (none, places) = (PublicKeys::default(), vec![(); records.len()]);
            let mut total = Total::default();
            import_all(
                &store,
                library,
                (&key, &none),
                (&places[..], records),
                |()| what.to_owned(),
                &mut total,
                progress,
            )?;
            match total.bad {
                0 => Ok(()),
                bad => bail!("{bad} games of {what} were refused"),
            }
        };
        let counts = self.corpus.iter().map(|file| count_records(file));
        let known = counts.sum::<anyhow::Result<u64>>()?;
        let progress = ProgressDisplay::new("records", known);
        for file in &self.corpus {
            let mut records: Vec<Record> = Vec::new();
            read_records(file, library, |line, record| {
                let place = || format!("{}:{line}", file.display());
                records.push(record.map_err(anyhow::Error::msg).with_context(place)?);
                Ok(())
            })?;
            import(&file.display().to_string(), &records, &progress)?;
        }
        progress.finish();
        eprintln!(
            "bots play {} games into {}",
            self.games,
            self.file.display()
        );
        let tables = TABLES.len() as u64;
        let progress = ProgressDisplay::new("games", self.games);
        for (number, (board, nations, bots)) in (0u64..).zip(TABLES) {
            let games = (self.games + tables - 1 - number) / tables;
            let seed = format!("{}-{board}-{nations}-{number}", self.seed);
            let seats = bots.iter().cycle().take(nations).map(|name| {
                let name = (*name).to_owned();
                let bot: Spec = name.parse()?;
                Ok((Player::Bot { name }, bot))
            });
            let seats = seats.collect::<anyhow::Result<Vec<_>>>()?;
            let played = (0..games).into_par_iter().map(|game| {
                let seed = format!("{seed}-{game}");
                let record = demo_players::play(library, board, seats.clone(), seed, 200)?;
                // Bots are rated where they meet others.
                let rated = bots.len() > 1;
                Ok(Record { rated, ..record })
            });
            let records = played.collect::<anyhow::Result<Vec<Record>>>()?;
            import(board, &records, &progress)?;
        }
        progress.finish();
        Ok(())
    }

    fn greet(&self, server: &Server) {
        let base = format!("http://{}", server.address);
        // If standard output is closed, the server continues anyway.
        let _ = writeln!(
            std::io::stdout(),
            "\nTabularium is open with {} finished games.\n\n  \
             {base}/         games\n  \
             {base}/leagues  a finished league\n  \
             {base}/players  players with ratings\n  \
             {base}/docs     the documentation\n\n\
             Bots have played all of these games, also those of players with names: do not cite them.\n\n\
             Three requests to try:\n\n  \
             curl '{base}/v1/stats/nations?board=antike-east&nations=4'\n  \
             curl '{base}/v1/games?status=finished&limit=2'\n  \
             curl -X POST {base}/v1/games -H 'Content-Type: application/json' -d \
             '{{\"edition\":\"antike\",\"board\":\"antike-east\",\"max_rounds\":60,\
             \"seats\":[{{\"player\":\"open\"}},{{\"player\":{{\"bot\":\"greedy\"}}}},\
             {{\"player\":{{\"bot\":\"greedy\"}}}},{{\"player\":{{\"bot\":\"random\"}}}}]}}'\n\n\
             The games are in {}; press Ctrl-C to stop.\n",
            server.statistics.games(),
            self.file.display(),
        );
    }
}

/// Keeps a game between bots running that people can watch. Failures are logged and retried.
fn keep_playing((games, lists): &(Weak<Games>, Weak<GameLists>)) {
    while let (Some(games), Some(lists)) = (games.upgrade(), lists.upgrade()) {
        if let Err(error) = begin_one(&games, &lists) {
            tracing::warn!(%error, "the game to watch cannot be created");
        }
        drop((games, lists));
        std::thread::sleep(LOOK);
    }
}

/// Creates a game between bots unless one is running.
fn begin_one(games: &Games, lists: &GameLists) -> anyhow::Result<()> {
    let running = GameFilter {
        status: Some(Status::Running),
        only_public: true,
        ..GameFilter::default()
    };
    let listed = lists.list(&running, None, 20)?.items;
    let of_bots = |game: &GameSummary| {
        let mut seats = game.seats.iter();
        seats.all(|seat| matches!(seat.player, Player::Bot { .. }))
    };
    if listed.iter().any(of_bots) {
        return Ok(());
    }
    let bot = NewSeat {
        nations: Vec::new(),
        player: SeatPlayer::Bot("greedy".to_owned()),
    };
    let wanted = NewGame {
        edition: "antike".to_owned(),
        board: "antike-east".to_owned(),
        variants: Vec::new(),
        seats: vec![bot; 4],
        seed: None,
        first: None,
        max_rounds: Some(80),
        rated: false,
        league: None,
        position: None,
        from: None,
        content: None,
        pace: None,
        visibility: Visibility::default(),
        claims: None,
        bidding: None,
    };
    games.create(&Call::default(), &wanted)?;
    Ok(())
}

pub(crate) fn sqlite(file: &Path) -> DatabaseUrl {
    format!("sqlite:{}", file.display()).into()
}

/// Removes an SQLite file with its log; a missing file is not an error.
fn remove(file: &Path) -> anyhow::Result<()> {
    for ending in ["", "-wal", "-shm"] {
        let mut name = file.as_os_str().to_owned();
        name.push(ending);
        match std::fs::remove_file(&name) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                return Err(error).with_context(|| format!("cannot remove {}", name.display()));
            }
            _ => {}
        }
    }
    Ok(())
}

fn finished() -> GameFilter {
    GameFilter {
        status: Some(Status::Finished),
        ..GameFilter::default()
    }
}
