//! The server: everything put together and listening.

use std::net::{SocketAddr, TcpListener};
use std::path::PathBuf;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

use actix_web::dev::ServerHandle;
use actix_web::middleware::{Compress, from_fn};
use actix_web::{App, HttpServer, web};
use engine::content::{Library, LoadError};
use tokio::sync::watch;
use tracing_actix_web::TracingLogger;
use utoipa_actix_web::AppExt;

use crate::database_url::DatabaseUrl;
use crate::games::{GameError, Games};
use crate::middleware::{self, REQUEST_TIME};
use crate::office::{Office, OfficeError, key_file};
use crate::statistics::{Statistics, StatisticsError};
use crate::store::{Store, StoreError};
use crate::{openapi, routes, telemetry};

/// How a server runs.
#[derive(Clone, Debug)]
pub struct Config {
    /// Where it listens, such as `127.0.0.1:8080`; port 0 takes a free one.
    pub listen: String,
    /// Where the data are.
    pub database: DatabaseUrl,
    /// A folder with boards and rulesets of the operator's own.
    pub data: Option<PathBuf>,
    /// The file of the key that signs; beside the database when `None`.
    pub key: Option<PathBuf>,
    /// What requests may cost.
    pub limits: Limits,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            listen: "127.0.0.1:8080".to_owned(),
            database: "sqlite:tabularium.db".into(),
            data: None,
            key: None,
            limits: Limits::default(),
        }
    }
}

/// What requests may cost.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The largest body, in bytes.
    pub body: usize,
    /// How long a request may take until its answer begins.
    pub request_time: Duration,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            body: 256 * 1024,
            request_time: REQUEST_TIME,
        }
    }
}

/// Why a server does not start.
#[derive(Debug, thiserror::Error)]
pub enum ServerError {
    /// The operator's folder cannot be used.
    #[error(transparent)]
    Data(#[from] LoadError),
    /// The database cannot be used.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// There is no key to sign with.
    #[error(transparent)]
    Office(#[from] OfficeError),
    /// The statistics cannot be gathered.
    #[error(transparent)]
    Statistics(#[from] StatisticsError),
    /// The games cannot go on.
    #[error(transparent)]
    Games(#[from] GameError),
    /// The address cannot be listened on.
    #[error("cannot listen on {address}: {source}")]
    Listen {
        /// The address.
        address: String,
        /// Why.
        source: std::io::Error,
    },
    /// The system refused something.
    #[error(transparent)]
    System(#[from] std::io::Error),
}

/// Whether the service is coming down; long answers end then.
#[derive(Clone, Debug)]
pub struct Closing(pub watch::Receiver<bool>);

/// A running server. It runs until it is stopped or the process is asked to end.
#[derive(Debug)]
pub struct Server {
    /// Where it listens.
    pub address: SocketAddr,
    /// Its games.
    pub games: Arc<Games>,
    /// Its statistics.
    pub statistics: Arc<Statistics>,
    closing: watch::Sender<bool>,
    handle: ServerHandle,
    thread: JoinHandle<std::io::Result<()>>,
}

/// The boards and rulesets of the engine and of the operator.
///
/// # Errors
/// When a file of the operator's cannot be used.
pub fn library(data: Option<&PathBuf>) -> Result<Library, LoadError> {
    let mut library = Library::embedded().clone();
    if let Some(folder) = data {
        library.add_directory(folder)?;
    }
    Ok(library)
}

impl Server {
    /// Opens the database, brings its schema up to date, and listens.
    ///
    /// # Errors
    /// When the operator's folder, the database or the address cannot be used.
    pub fn start(config: Config) -> Result<Server, ServerError> {
        telemetry::metrics();
        let library = Arc::new(library(config.data.as_ref())?);
        let store = Arc::new(Store::open(&config.database)?);
        let office = Office::open(&store, &key_file(&config.database, config.key.as_deref()))?;
        let listener = TcpListener::bind(&config.listen).map_err(|source| ServerError::Listen {
            address: config.listen.clone(),
            source,
        })?;
        let address = listener.local_addr()?;
        let games = Games::start(store, library.clone(), office)?;
        let statistics = Statistics::follow(games.clone(), library)?;
        let (closing, closed) = watch::channel(false);
        let (ready, started) = std::sync::mpsc::channel();
        let thread = std::thread::Builder::new().name("http".to_owned()).spawn({
            let (games, statistics) = (games.clone(), statistics.clone());
            move || {
                actix_web::rt::System::new().block_on(async move {
                    let server =
                        listen(listener, games, statistics, Closing(closed), config.limits)?;
                    // The starter waits for this.
                    let _ = ready.send(server.handle());
                    server.await
                })
            }
        })?;
        let handle = started.recv().map_err(|_| {
            let message = "the server ended before it listened";
            ServerError::System(std::io::Error::other(message))
        })?;
        Ok(Server {
            address,
            games,
            statistics,
            closing,
            handle,
            thread,
        })
    }

    /// Lets requests finish, ends the streams, and stops.
    ///
    /// # Errors
    /// When the server ended with one.
    pub fn stop(self) -> std::io::Result<()> {
        let closing = self.closing.clone();
        // Streams that have ended already hear nothing.
        let _ = closing.send(true);
        self.games.stop();
        let stopping = self.handle.stop(true);
        actix_web::rt::System::new().block_on(stopping);
        self.wait()
    }

    /// Runs until the process is asked to end by SIGINT or SIGTERM, then stops.
    ///
    /// # Errors
    /// When the server ended with one, or signals cannot be heard.
    pub fn run(self) -> std::io::Result<()> {
        actix_web::rt::System::new().block_on(asked_to_end())?;
        tracing::info!("stopping");
        self.stop()
    }

    fn wait(self) -> std::io::Result<()> {
        let panicked = |_| std::io::Error::other("the server panicked");
        self.thread.join().map_err(panicked)?
    }
}

async fn asked_to_end() -> std::io::Result<()> {
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

fn listen(
    listener: TcpListener,
    games: Arc<Games>,
    statistics: Arc<Statistics>,
    closing: Closing,
    limits: Limits,
) -> std::io::Result<actix_web::dev::Server> {
    let methods = web::Data::new(routes::fallback::Methods::of(&openapi::document()));
    let server = HttpServer::new(move || {
        App::new()
            .app_data(web::Data::from(games.clone()))
            .app_data(web::Data::from(statistics.clone()))
            .app_data(web::Data::new(closing.clone()))
            .app_data(web::Data::new(limits))
            .app_data(methods.clone())
            .app_data(web::PayloadConfig::new(limits.body))
            .into_utoipa_app()
            .configure(routes::configure)
            .map(|app| app.configure(routes::unlisted))
            .into_app()
            .default_service(web::to(routes::fallback::fallback))
            // The last wrapped is the first to see a request.
            .wrap(from_fn(middleware::problems))
            .wrap(from_fn(middleware::count))
            .wrap(Compress::default())
            .wrap(from_fn(middleware::cors))
            .wrap(from_fn(middleware::request_id))
            .wrap(TracingLogger::default())
    });
    Ok(server
        .workers(std::thread::available_parallelism().map_or(2, usize::from))
        .shutdown_timeout(10)
        .disable_signals()
        .listen(listener)?
        .run())
}
