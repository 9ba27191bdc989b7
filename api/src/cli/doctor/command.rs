//! The command.

use reqwest::Url;

use crate::cli::config::file::ConfigFile;
use crate::cli::doctor::report::Report;
use crate::cli::doctor::{database, files, running, settings};
use crate::cli::serve::Serve;

/// Examine a database and its files, or a running server.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  \
    tabularium doctor --database sqlite:tabularium.db\n  \
    tabularium doctor --server https://play.example.org --json\n\n\
    Nothing is written. The options of `tabularium serve` say where the files are; the configuration file is read.\n\n\
    Exit code 0: healthy; 1: something should be done; 2: something is damaged or does not work.")]
pub struct Doctor {
    /// Examine a running server at this address, instead of a database.
    #[arg(long, value_name = "URL")]
    server: Option<Url>,
    /// Print the report as JSON.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    serve: Box<Serve>,
}

impl Doctor {
    /// Prints the report and returns the exit code.
    pub fn run(&self, file: &ConfigFile) -> anyhow::Result<i32> {
        let report = match &self.server {
            Some(server) => {
                let checks = actix_web::rt::System::new().block_on(running::examine(server));
                Report::new(server.to_string(), checks)
            }
            None => {
                let mut checks = settings::examine(&self.serve, file);
                let (found, end) = database::examine(&self.serve);
                checks.extend(found);
                checks.extend(files::examine(&self.serve, end));
                Report::new(self.serve.database.database.to_string(), checks)
            }
        };
        match self.json {
            true => println!("{}", serde_json::to_string_pretty(&report)?),
            false => print!("{}", report.text()),
        }
        Ok(report.code())
    }
}
