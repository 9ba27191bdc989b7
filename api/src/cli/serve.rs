//! `tabularium serve`: runs the server.

use std::path::PathBuf;

use programs::DataOption;

use crate::accounts::service::Admission;
use crate::cli::options::{DatabaseOption, KeyOption};
use crate::db::backup::schedule::BackupOptions;
use crate::http::limits::options::Limits;
use crate::http::request::PublicUrl;
use crate::http::telemetry;
use crate::http::telemetry::LogFormat;
use crate::notices::mail::MailOptions;
use crate::server::{Config, Server};

/// Run the server.
///
/// Example: tabularium serve --listen 0.0.0.0:8080 --database sqlite:tabularium.db
#[derive(Debug, clap::Args)]
pub struct Serve {
    /// The address to listen on; port 0 takes a free port.
    #[arg(long, env = "TABULARIUM_LISTEN", default_value = "127.0.0.1:8080")]
    pub listen: String,
    /// A separate address for /metrics, such as 127.0.0.1:9090; then `--listen` does not serve it.
    #[arg(long, env = "TABULARIUM_METRICS_LISTEN", value_name = "ADDRESS")]
    pub metrics_listen: Option<String>,
    /// The URL under which everybody reaches the server, such as https://games.example.org.
    /// Pages name it to search engines and in link previews. By default it is that of each request.
    #[arg(long, env = "TABULARIUM_PUBLIC_URL", value_name = "URL")]
    pub public_url: Option<PublicUrl>,
    #[command(flatten)]
    pub database: DatabaseOption,
    #[command(flatten)]
    pub data: DataOption,
    #[command(flatten)]
    pub key: KeyOption,
    /// The folder of the facts behind the statistics.
    /// By default FILE.facts next to an SQLite database, else tabularium.facts. If another process uses it, this one
    /// uses DIR-2, DIR-3 and so on.
    #[arg(long, env = "TABULARIUM_FACTS", value_name = "DIR", value_parser = folder)]
    pub facts: Option<PathBuf>,
    #[command(flatten)]
    pub mail: MailOptions,
    /// Start even if the last write to an SQLite file is ahead of the clock.
    /// Use it if the clock was wrong then and is right now.
    #[arg(long)]
    trust_clock: bool,
    /// The format of log lines.
    #[arg(long, env = "TABULARIUM_LOG_FORMAT", value_enum, default_value_t)]
    log_format: LogFormat,
    #[command(flatten)]
    pub admission: Admission,
    #[command(flatten)]
    pub limits: Limits,
    #[command(flatten)]
    pub backups: BackupOptions,
}

impl Serve {
    /// Runs until the process receives a signal.
    pub fn run(self) -> anyhow::Result<()> {
        telemetry::log(self.log_format);
        let server = Server::start(Config {
            listen: self.listen,
            database: self.database.database,
            data: self.data.data,
            key: self.key.key,
            metrics_listen: self.metrics_listen,
            public_url: self.public_url,
            facts: self.facts,
            trust_clock: self.trust_clock,
            limits: self.limits,
            admission: self.admission,
            backups: self.backups,
            mail: self.mail,
            ..Config::default()
        })?;
        println!("listening on http://{}", server.address);
        if let Some(address) = server.metrics_address {
            println!("metrics on http://{address}/metrics");
        }
        server.run()?;
        Ok(())
    }
}

/// Parses a folder on a local disk.
fn folder(text: &str) -> Result<PathBuf, String> {
    match text.contains("://") {
        true => Err("facts must be in a folder on a local disk, not in object storage".to_owned()),
        false => Ok(PathBuf::from(text)),
    }
}
