//! The `tabularium` program.

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

fn main() -> anyhow::Result<()> {
    match Tabularium::parse() {
        Tabularium::Serve(command) => command.run(),
        Tabularium::Migrate(command) => command.run(),
        Tabularium::Openapi(command) => command.run(),
    }
}
