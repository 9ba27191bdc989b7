//! The `tabularium` program.

use std::process::ExitCode;

use api::commands::{
    checkpoint::Checkpoint, demo::Demo, export::Export, import::Import, keys::Keys,
    migrate::Migrate, openapi::OpenApi, serve::Serve, simulate::Simulate, verify::Verify,
};
use clap::Parser;

/// The system's allocator keeps gigabytes after a flood of large answers; this one gives them back.
#[cfg(not(target_env = "msvc"))]
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

/// The record office for games of the Antike family.
#[derive(Debug, Parser)]
#[command(name = "tabularium", version, propagate_version = true)]
enum Tabularium {
    Serve(Serve),
    Demo(Demo),
    Simulate(Simulate),
    Import(Import),
    Export(Export),
    Verify(Verify),
    Keys(Keys),
    Checkpoint(Checkpoint),
    Migrate(Migrate),
    Openapi(OpenApi),
}

fn main() -> ExitCode {
    let done = match Tabularium::parse() {
        Tabularium::Serve(command) => command.run(),
        Tabularium::Demo(command) => command.run(),
        Tabularium::Simulate(command) => command.run(),
        Tabularium::Import(command) => command.run(),
        Tabularium::Export(command) => command.run(),
        Tabularium::Verify(command) => command.run(),
        Tabularium::Keys(command) => command.run(),
        Tabularium::Checkpoint(command) => command.run(),
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
