//! The `tabularium` program.

use std::ffi::OsString;
use std::io::Write;

use api::cli::backup::Backup;
use api::cli::checkpoint::CheckpointCommand;
use api::cli::config::command::{ConfigCommand, refuse};
use api::cli::config::file::{ConfigFile, ConfigOption};
use api::cli::demo::Demo;
use api::cli::docs::Docs;
use api::cli::doctor::command::Doctor;
use api::cli::export::Export;
use api::cli::health::HealthCommand;
use api::cli::import::Import;
use api::cli::keys::KeysCommand;
use api::cli::league::LeagueCommand;
use api::cli::migrate::Migrate;
use api::cli::openapi::OpenApi;
use api::cli::ratings::RatingsCommand;
use api::cli::rebuild::Rebuild;
use api::cli::restore::Restore;
use api::cli::serve::Serve;
use api::cli::token::Token;
use api::cli::verify::Verify;

use api::db::url::without_passwords;

use clap::{ArgMatches, CommandFactory, FromArgMatches, Parser, Subcommand};

/// The system's allocator keeps gigabytes after many large answers; this one returns them.
#[cfg(not(target_env = "msvc"))]
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

/// Server and tools for games of the Antike family: referee, records, statistics.
#[derive(Debug, Parser)]
#[command(name = "tabularium", version, propagate_version = true)]
struct Tabularium {
    #[command(flatten)]
    config: ConfigOption,
    #[command(subcommand)]
    command: TabulariumCommand,
}

#[derive(Debug, Subcommand)]
enum TabulariumCommand {
    Serve(Box<Serve>),
    Health(HealthCommand),
    Demo(Demo),
    Config(ConfigCommand),
    Doctor(Doctor),
    Import(Import),
    Export(Export),
    Verify(Verify),
    Keys(KeysCommand),
    League(LeagueCommand),
    Token(Token),
    Ratings(RatingsCommand),
    Rebuild(Rebuild),
    Checkpoint(CheckpointCommand),
    Migrate(Migrate),
    Backup(Backup),
    Restore(Restore),
    Openapi(OpenApi),
    Docs(Docs),
}

impl TabulariumCommand {
    /// Returns true if the command must not run with a configuration file that cannot be used.
    fn needs_configuration(&self) -> bool {
        match self {
            // These report on the file themselves.
            TabulariumCommand::Config(_) | TabulariumCommand::Doctor(_) => false,
            // These do not use the server's files.
            TabulariumCommand::Demo(_)
            | TabulariumCommand::League(_)
            | TabulariumCommand::Openapi(_)
            | TabulariumCommand::Docs(_) => false,
            TabulariumCommand::Verify(command) => command.files.is_empty(),
            _ => true,
        }
    }
}

fn main() {
    let code = run();
    // If standard output is closed, there is no one to notify.
    let _ = std::io::stdout().flush();
    // Exit immediately: threads may still hold connections, which the PostgreSQL client library would destroy during an
    // ordinary exit.
    signal_hook::low_level::exit(code)
}

/// Runs the command in the arguments, and returns the exit code.
fn run() -> i32 {
    let arguments: Vec<OsString> = std::env::args_os().collect();
    let file = ConfigFile::read(&ConfigOption::find(&arguments));
    let matches = match file
        .apply(Tabularium::command())
        .try_get_matches_from(arguments)
    {
        Ok(matches) => matches,
        Err(error) => return wrong_use(&error),
    };
    let command = match Tabularium::from_arg_matches(&matches) {
        Ok(parsed) => parsed.command,
        Err(error) => return wrong_use(&error),
    };
    match perform(command, &file, &matches) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("{}", without_passwords(&format!("error: {error:#}")));
            1
        }
    }
}

/// Runs a command, and returns the exit code.
fn perform(
    command: TabulariumCommand,
    file: &ConfigFile,
    matches: &ArgMatches,
) -> anyhow::Result<i32> {
    if command.needs_configuration() {
        refuse(file)?;
    }
    let done = match command {
        TabulariumCommand::Doctor(command) => return command.run(file),
        TabulariumCommand::Config(command) => {
            let matches = matches.subcommand().map_or(matches, |(_, matches)| matches);
            command.run(file, matches)
        }
        TabulariumCommand::Serve(command) => command.run(),
        TabulariumCommand::Health(command) => command.run(),
        TabulariumCommand::Demo(command) => command.run(),
        TabulariumCommand::Import(command) => command.run(),
        TabulariumCommand::Export(command) => command.run(),
        TabulariumCommand::Verify(command) => command.run(),
        TabulariumCommand::Keys(command) => command.run(),
        TabulariumCommand::League(command) => command.run(),
        TabulariumCommand::Token(command) => command.run(),
        TabulariumCommand::Ratings(command) => command.run(),
        TabulariumCommand::Rebuild(command) => command.run(),
        TabulariumCommand::Checkpoint(command) => command.run(),
        TabulariumCommand::Migrate(command) => command.run(),
        TabulariumCommand::Backup(command) => command.run(),
        TabulariumCommand::Restore(command) => command.run(),
        TabulariumCommand::Openapi(command) => command.run(),
        TabulariumCommand::Docs(command) => command.run(),
    };
    done.map(|()| 0)
}

/// Prints the help, or the error in the arguments without any password.
fn wrong_use(error: &clap::Error) -> i32 {
    let message = error.to_string();
    let shown = without_passwords(&message);
    if shown == message || !error.use_stderr() {
        error.exit();
    }
    eprint!("{shown}");
    2
}
