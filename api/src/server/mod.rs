//! The server: starts all parts and listens.

pub mod app;
pub mod docs;
pub mod health;
pub mod index;
pub mod limits;
pub mod notify;
pub mod operations;
pub mod problems;
pub mod routes;

use std::net::{SocketAddr, TcpListener};
use std::path::PathBuf;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

use actix_web::dev::ServerHandle;
use programs::{LibraryError, library};
use tokio::sync::watch;

use crate::accounts::service::Admission;
use crate::datasets::service::Datasets;
use crate::db::backup::schedule::{BackupOptions, ScheduledBackups};
use crate::db::clock::Clock;
use crate::db::nodes::{BEAT, Heartbeat};
use crate::db::projections::runner::Runner;
use crate::db::url::DatabaseUrl;
use crate::db::work::supervise::Next;
use crate::db::{Store, StoreError};
use crate::games::{GameLimits, Games};
use crate::http::error::ServiceError;
use crate::http::limits::gate::Gate;
use crate::http::limits::options::{Limits, bound};
use crate::http::reply::Closing;
use crate::http::request::PublicUrl;
use crate::http::telemetry;
use crate::notices;
use crate::notices::mail::{MailOptions, MailOptionsError};
use crate::notices::sender::Means;
use crate::server::health::HealthMonitor;
use crate::server::operations::MetricsPlace;
use crate::services::Services;
use crate::signing::keys::{SigningKey, SigningKeyError, key_file};
use crate::site::texts::notices as sentences;
use crate::statistics::{Statistics, StatisticsError, facts_folder};
use crate::webhooks;
use crate::webhooks::sender::WebhookWords;

/// The configuration of a server.
#[derive(Clone, Debug)]
pub struct Config {
    /// The address to listen on, such as `127.0.0.1:8080`; port 0 takes a free one.
    pub listen: String,
    /// The database.
    pub database: DatabaseUrl,
    /// A folder with the operator's own boards and rulesets.
    pub data: Option<PathBuf>,
    /// The file of the signing key; `None` means a file next to the database.
    pub key: Option<PathBuf>,
    /// A separate address for the metrics; `None` means `/metrics` at `listen`.
    pub metrics_listen: Option<String>,
    /// The URL under which everybody reaches the server; `None` means that of each request.
    pub public_url: Option<PublicUrl>,
    /// The folder of the facts behind the statistics; `None` means a folder next to the database.
    pub facts: Option<PathBuf>,
    /// The clock of this node.
    pub clock: Clock,
    /// Start even if a database file contains times ahead of this machine's clock.
    pub trust_clock: bool,
    /// The limits of callers.
    pub limits: Limits,
    /// Who may register and create games.
    pub admission: Admission,
    /// Scheduled backups.
    pub backups: BackupOptions,
    /// The mail server and the sender.
    pub mail: MailOptions,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            listen: "127.0.0.1:8080".to_owned(),
            database: "sqlite:tabularium.db".into(),
            data: None,
            key: None,
            metrics_listen: None,
            public_url: None,
            facts: None,
            clock: Clock::default(),
            trust_clock: false,
            limits: Limits::default(),
            admission: Admission::default(),
            backups: BackupOptions::default(),
            mail: MailOptions::default(),
        }
    }
}

/// Returns the limits that concern games.
fn game_limits(limits: &Limits) -> GameLimits {
    let of_address = match limits.unmetered {
        true => 0,
        false => limits.address_bot_games,
    };
    GameLimits {
        events: Some(limits.events)
            .filter(|most| *most > 0)
            .unwrap_or(u64::MAX),
        max_rounds: Some(limits.max_rounds).filter(|most| *most > 0),
        bot_games: bound(limits.bot_games_running),
        address_bot_games: bound(of_address),
        bot_budget: Some(limits.bot_budget)
            .filter(|most| *most > 0)
            .unwrap_or(u32::MAX),
        bot_pause: Duration::from_millis(limits.bot_pause.into()),
    }
}

/// The longest shutdown; after it, the process ends.
const GRACE: Duration = Duration::from_secs(12);

/// The longest wait for background threads to stop.
const PATIENCE: Duration = Duration::from_secs(5);

/// Why a server does not start.
#[derive(Debug, thiserror::Error)]
pub enum ServerError {
    /// The operator's folder of boards and rulesets cannot be used.
    #[error(transparent)]
    Data(#[from] LibraryError),
    /// The database cannot be used.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The signing key cannot be used.
    #[error(transparent)]
    SigningKey(#[from] SigningKeyError),
    /// The statistics cannot be opened.
    #[error(transparent)]
    Statistics(#[from] StatisticsError),
    /// The games cannot be resumed.
    #[error(transparent)]
    Games(#[from] ServiceError),
    /// The server cannot listen on the address.
    #[error("cannot listen on {address}: {source}")]
    Listen {
        /// The address.
        address: String,
        /// Why.
        source: std::io::Error,
    },
    /// Mails cannot be sent as configured.
    #[error(transparent)]
    Mail(#[from] MailOptionsError),
    /// The operating system refused something.
    #[error(transparent)]
    System(#[from] std::io::Error),
}

/// A running server. It runs until it is stopped or the process receives a signal.
#[derive(Debug)]
pub struct Server {
    /// The address on which it listens.
    pub address: SocketAddr,
    /// The separate address of the metrics, if there is one.
    pub metrics_address: Option<SocketAddr>,
    /// Its services.
    pub services: Services,
    /// Its statistics.
    pub statistics: Arc<Statistics>,
    health: Arc<HealthMonitor>,
    closing: watch::Sender<bool>,
    /// Whether the database file was deleted or replaced.
    gone: watch::Receiver<bool>,
    handles: Vec<ServerHandle>,
    thread: JoinHandle<std::io::Result<()>>,
}

fn bind(address: &str) -> Result<(TcpListener, SocketAddr), ServerError> {
    let bound = TcpListener::bind(address).and_then(|listener| {
        let address = listener.local_addr()?;
        Ok((listener, address))
    });
    bound.map_err(|source| ServerError::Listen {
        address: address.to_owned(),
        source,
    })
}

impl Server {
    /// Opens the database, brings its schema up to date, and listens.
    pub fn start(config: Config) -> Result<Server, ServerError> {
        telemetry::metrics();
        let mailer = config.mail.mailer()?;
        let library = Arc::new(library(config.data.as_deref())?);
        let store = Arc::new(Store::open_with(&config.database, config.clock)?);
        store.check_clock(config.trust_clock)?;
        let key_file = key_file(&config.database, config.key.as_deref());
        let key = SigningKey::open(&store, &key_file)?;
        let (listener, address) = bind(&config.listen)?;
        let metrics = config.metrics_listen.as_deref().map(bind).transpose()?;
        let (metrics, metrics_address) = metrics.unzip();
        socket2::SockRef::from(&listener).listen(crate::http::limits::connections::BACKLOG)?;
        let gate = Gate::new(config.limits);
        let limits = game_limits(&gate.limits);
        let services = Services::start(store, library.clone(), key, limits, config.admission)?;
        let games = services.games.clone();
        if let Some(backups) = ScheduledBackups::new(&config.backups, &config.database, key_file) {
            games.make_backups(backups)?;
        }
        start_heartbeat(&games)?;
        let public = config.public_url.as_ref().map(ToString::to_string);
        let words = WebhookWords {
            wording: sentences::sentence,
            base: public.unwrap_or_else(|| format!("http://{address}")),
        };
        let leagues = services.leagues.log.clone();
        webhooks::sender::start(&games, &leagues, &gate.limits, words.clone())?;
        let means = Means {
            mailer,
            letters: sentences::letter,
            words,
        };
        notices::sender::start(&games, &leagues, &services.notices, &gate.limits, means)?;
        let facts = facts_folder(&config.database, config.facts.as_deref());
        let datasets = Datasets::beside(&facts);
        let (statistics, facts) =
            Statistics::open(games.clone(), leagues.clone(), library, &facts)?;
        let mut projections = services.projections();
        projections.extend([webhooks::deliveries::projection(&games, &leagues), facts]);
        projections.extend(notices::projection::projections(&games, &leagues));
        Runner::new(projections).start(games.supervisor())?;
        let health = Arc::new(HealthMonitor::start(games.clone(), statistics.clone())?);
        let gone = watch_file(&games, config.database.clone())?;
        let (closing, closed) = watch::channel(false);
        let (ready, started) = std::sync::mpsc::channel();
        let thread = std::thread::Builder::new().name("http".to_owned()).spawn({
            let health = health.clone();
            let parts = (services.clone(), statistics.clone(), datasets, health);
            move || {
                actix_web::rt::System::new().block_on(async move {
                    actix_web::rt::spawn(gate.clone().sweep());
                    let counts = match metrics {
                        Some(_) => MetricsPlace::Elsewhere,
                        None => MetricsPlace::Here,
                    };
                    let metrics_server = metrics
                        .map(|listener| {
                            let games = parts.0.games.clone();
                            app::listen_for_metrics(listener, games, parts.3.clone())
                        })
                        .transpose()?;
                    let closing = Closing(closed);
                    let server =
                        app::listen(listener, parts, closing, gate, counts, config.public_url)?;
                    let servers: Vec<_> = metrics_server.into_iter().chain([server]).collect();
                    // The starting thread waits for the handles.
                    let _ = ready.send(servers.iter().map(|server| server.handle()).collect());
                    futures_util::future::try_join_all(servers)
                        .await
                        .map(|_| ())
                })
            }
        })?;
        let handles = started.recv().map_err(|_| {
            let message = "the server ended before it could listen";
            ServerError::System(std::io::Error::other(message))
        })?;
        Ok(Server {
            address,
            metrics_address,
            services,
            statistics,
            health,
            closing,
            gone,
            handles,
            thread,
        })
    }

    /// Waits for running requests, ends the streams, and stops.
    pub fn stop(self) -> std::io::Result<()> {
        let closing = self.closing.clone();
        // Fails only if no stream is left.
        let _ = closing.send(true);
        self.services.games.stop();
        let stopping = self.handles.iter().map(|handle| handle.stop(true));
        actix_web::rt::System::new().block_on(futures_util::future::join_all(stopping));
        // The folder of the facts must be free before the next start.
        let supervisor = self.services.games.supervisor();
        if !supervisor.ended(PATIENCE, |name| name == Runner::THREAD) {
            tracing::warn!("the thread of the projections does not stop");
        }
        if let Err(error) = self.services.games.release(PATIENCE) {
            tracing::warn!(%error, "other nodes must wait until the leases of this node expire");
        }
        if let Err(error) = self.services.games.store().remove_node() {
            tracing::warn!(%error, "this node stays in the list of nodes for a day");
        }
        let panicked = |_| std::io::Error::other("the server panicked");
        self.thread.join().map_err(panicked)??;
        if let Err(error) = self.services.games.store().empty_log() {
            tracing::warn!(%error, "the last commits stay in the write-ahead log beside the database file");
        }
        Ok(())
    }

    /// Runs until SIGINT or SIGTERM, or until the database file is deleted or replaced, then stops.
    ///
    /// If stopping takes more than 12 seconds, the process ends with exit code 1.
    pub fn run(self) -> std::io::Result<()> {
        let mut gone = self.gone.clone();
        let gone = actix_web::rt::System::new().block_on(async {
            tokio::select! {
                signal = wait_for_signal() => signal.map(|()| false),
                Ok(_) = gone.wait_for(|gone| *gone) => Ok(true),
                never = notify::notify(&self.health, self.address) => match never {},
            }
        })?;
        tracing::info!("stopping");
        notify::stopping();
        std::thread::Builder::new()
            .name("end".to_owned())
            .spawn(end_process)?;
        self.stop()?;
        match gone {
            true => Err(std::io::Error::other(StoreError::Gone)),
            false => Ok(()),
        }
    }
}

/// Ends the process if it has not stopped in time.
fn end_process() {
    std::thread::sleep(GRACE);
    tracing::error!("the server did not stop within 12 seconds: the process ends now");
    signal_hook::low_level::exit(1)
}

/// Starts to write the time of this node once a minute, and to compare it with that of other nodes.
fn start_heartbeat(games: &Arc<Games>) -> std::io::Result<()> {
    let mut heart = Heartbeat::new(games.store());
    let weak = Arc::downgrade(games);
    let step = move || match weak.upgrade() {
        Some(games) => heart.beat(games.store()).map(|()| Next::Later),
        None => Ok(Next::End),
    };
    games.supervisor().supervise("heartbeat", BEAT, step)
}

/// Checks every second whether the database file is still the one that was opened.
fn watch_file(games: &Arc<Games>, database: DatabaseUrl) -> std::io::Result<watch::Receiver<bool>> {
    let (sender, receiver) = watch::channel(false);
    let weak = Arc::downgrade(games);
    let step = move || -> Result<Next, StoreError> {
        match weak.upgrade() {
            Some(games) if games.store().is_gone() => {
                if !sender.send_replace(true) {
                    tracing::error!(%database, error = %StoreError::Gone, "the server stops");
                }
                Ok(Next::Later)
            }
            Some(_) => Ok(Next::Later),
            None => Ok(Next::End),
        }
    };
    let supervisor = games.supervisor();
    supervisor.supervise("database file", Duration::from_secs(1), step)?;
    Ok(receiver)
}

async fn wait_for_signal() -> std::io::Result<()> {
    #[cfg(unix)]
    {
        use actix_web::rt::signal::unix::{SignalKind, signal};
        let mut terminate = signal(SignalKind::terminate())?;
        tokio::select! {
            result = actix_web::rt::signal::ctrl_c() => result,
            _ = terminate.recv() => Ok(()),
        }
    }
    #[cfg(not(unix))]
    actix_web::rt::signal::ctrl_c().await
}
