//! `tabularium serve`: runs the service.

use std::path::PathBuf;

use programs::DataOption;

use crate::accounts::service::Admission;
use crate::cli::options::{DatabaseOption, KeyOption};
use crate::http::limits::options::Limits;
use crate::http::telemetry;
use crate::http::telemetry::LogFormat;
use crate::server::{Config, Server};

/// Run the service.
///
/// Example: tabularium serve --listen 0.0.0.0:8080 --database sqlite:tabularium.db
#[derive(Debug, clap::Args)]
pub struct Serve {
    /// Where to listen; port 0 takes a free one.
    #[arg(long, env = "TABULARIUM_LISTEN", default_value = "127.0.0.1:8080")]
    listen: String,
    /// Where to tell the counts of /metrics in place of there, such as 127.0.0.1:9090.
    #[arg(long, env = "TABULARIUM_METRICS_LISTEN", value_name = "ADDRESS")]
    metrics_listen: Option<String>,
    #[command(flatten)]
    database: DatabaseOption,
    #[command(flatten)]
    data: DataOption,
    #[command(flatten)]
    key: KeyOption,
    /// The folder of the facts that statistics are made from; FILE.facts beside a database of SQLite,
    /// else tabularium.facts, when left out. A process that finds it taken by another uses DIR-2,
    /// DIR-3 and so on.
    #[arg(long, env = "TABULARIUM_FACTS", value_name = "DIR", value_parser = folder)]
    facts: Option<PathBuf>,
    /// Start although the last write to a file of SQLite lies ahead of the clock: for a clock that was wrong then and
    /// is right now.
    #[arg(long)]
    trust_clock: bool,
    /// How log lines look.
    #[arg(long, env = "TABULARIUM_LOG_FORMAT", value_enum, default_value_t)]
    log_format: LogFormat,
    #[command(flatten)]
    admission: Admission,
    #[command(flatten)]
    limits: Limits,
}

impl Serve {
    /// Runs until the process is asked to end.
    pub fn run(self) -> anyhow::Result<()> {
        telemetry::log(self.log_format);
        let server = Server::start(Config {
            listen: self.listen,
            database: self.database.database,
            data: self.data.data,
            key: self.key.key,
            metrics_listen: self.metrics_listen,
            facts: self.facts,
            trust_clock: self.trust_clock,
            limits: self.limits,
            admission: self.admission,
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

/// A folder on a disk.
fn folder(text: &str) -> Result<PathBuf, String> {
    match text.contains("://") {
        true => Err("facts are kept in a folder, not in object storage".to_owned()),
        false => Ok(PathBuf::from(text)),
    }
}
