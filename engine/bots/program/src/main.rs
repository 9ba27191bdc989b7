//! The program `tabularium-bots`: games without a server.

mod analyse;
mod corpus;
mod draw;
mod matches;
mod shard;
mod simulate;

use std::process::ExitCode;

use clap::Parser;

/// Games of the Antike family without a server: bots play them, and records are judged and drawn.
#[derive(Debug, Parser)]
#[command(name = "tabularium-bots", version, propagate_version = true)]
enum TabulariumBots {
    Simulate(simulate::Simulate),
    Corpus(corpus::Corpus),
    Match(matches::Matches),
    Analyse(analyse::Analyse),
    Draw(draw::Draw),
}

/// Exit codes: 0 done, 1 failed, 2 wrong use (clap's own).
fn main() -> ExitCode {
    let done = match TabulariumBots::parse() {
        TabulariumBots::Simulate(command) => command.run(),
        TabulariumBots::Corpus(command) => command.run(),
        TabulariumBots::Match(command) => command.run(),
        TabulariumBots::Analyse(command) => command.run(),
        TabulariumBots::Draw(command) => command.run(),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}
