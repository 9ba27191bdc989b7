//! `tabularium-analytics`: derives facts from records and computes measures from facts.

mod cli;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Measures with a filter take up to a fifth less time than with the allocator of the system.
#[cfg(not(target_env = "msvc"))]
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

/// Statistics of Antike games from their records
#[derive(Parser)]
#[command(name = "tabularium-analytics", version)]
struct Program {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Facts(cli::facts::FactsCommand),
    Measure(cli::measure::MeasureCommand),
    #[cfg(feature = "sql")]
    Query(cli::query::QueryCommand),
    Report(cli::report::ReportCommand),
    Describe(cli::describe::DescribeCommand),
    Publish(cli::publish::PublishCommand),
    Erratum(cli::publish::AddErratum),
}

/// Exit codes: 0 success, 1 failure, 2 invalid arguments (from clap).
fn main() -> ExitCode {
    let done = match Program::parse().command {
        Command::Facts(arguments) => cli::facts::run(&arguments),
        Command::Measure(arguments) => cli::measure::run(&arguments),
        #[cfg(feature = "sql")]
        Command::Query(arguments) => cli::query::run(&arguments),
        Command::Report(arguments) => cli::report::run(&arguments),
        Command::Describe(arguments) => cli::describe::run(&arguments),
        Command::Publish(arguments) => cli::publish::run(&arguments),
        Command::Erratum(arguments) => cli::publish::add(&arguments),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}
