//! The `tabularium` program.

use std::io::Write;

use api::cli::backup::Backup;
use api::cli::checkpoint::CheckpointCommand;
use api::cli::demo::Demo;
use api::cli::docs::Docs;
use api::cli::export::Export;
use api::cli::health::HealthCommand;
use api::cli::import::Import;
use api::cli::keys::KeysCommand;
use api::cli::league::LeagueCommand;
use api::cli::migrate::Migrate;
use api::cli::openapi::OpenApi;
use api::cli::ratings::RatingsCommand;
use api::cli::rebuild::Rebuild;
use api::cli::serve::Serve;
use api::cli::token::Token;
use api::cli::verify::Verify;

use api::db::url::without_passwords;

use clap::Parser;

/// The system's allocator keeps gigabytes after many large answers; this one returns them.
#[cfg(not(target_env = "msvc"))]
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

/// Server and tools for games of the Antike family: referee, records, statistics.
#[derive(Debug, Parser)]
#[command(name = "tabularium", version, propagate_version = true)]
enum Tabularium {
    Serve(Serve),
    Health(HealthCommand),
    Demo(Demo),
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
    Openapi(OpenApi),
    Docs(Docs),
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
    let command = match Tabularium::try_parse() {
        Ok(command) => command,
        Err(error) => return wrong_use(&error),
    };
    let done = match command {
        Tabularium::Serve(command) => command.run(),
        Tabularium::Health(command) => command.run(),
        Tabularium::Demo(command) => command.run(),
        Tabularium::Import(command) => command.run(),
        Tabularium::Export(command) => command.run(),
        Tabularium::Verify(command) => command.run(),
        Tabularium::Keys(command) => command.run(),
        Tabularium::League(command) => command.run(),
        Tabularium::Token(command) => command.run(),
        Tabularium::Ratings(command) => command.run(),
        Tabularium::Rebuild(command) => command.run(),
        Tabularium::Checkpoint(command) => command.run(),
        Tabularium::Migrate(command) => command.run(),
        Tabularium::Backup(command) => command.run(),
        Tabularium::Openapi(command) => command.run(),
        Tabularium::Docs(command) => command.run(),
    };
    match done {
        Ok(()) => 0,
        Err(error) => {
            eprintln!("{}", without_passwords(&format!("error: {error:#}")));
            1
        }
    }
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
