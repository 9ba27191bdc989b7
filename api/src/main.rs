//! The `tabularium` program.

use std::process::ExitCode;

use api::commands::{migrate::Migrate, openapi::OpenApi, serve::Serve};
use clap::Parser;

/// The record office for games of the Antike family.
#[derive(Debug, Parser)]
#[command(name = "tabularium", version, propagate_version = true)]
enum Tabularium {
    Serve(Serve),
    Migrate(Migrate),
    Openapi(OpenApi),
}

fn main() -> ExitCode {
    let done = match Tabularium::parse() {
        Tabularium::Serve(command) => command.run(),
        Tabularium::Migrate(command) => command.run(),
        Tabularium::Openapi(command) => command.run(),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}
