//! The program `tabularium-bots`: simulates, analyses and draws games without a server.

mod analyse;
mod corpus;
mod draw;
mod faults;
mod matches;
mod openings;
mod shard;
mod simulate;

use std::process::ExitCode;

use clap::Parser;

/// Simulate, analyse and draw games of the Antike family, without a server.
#[derive(Debug, Parser)]
#[command(name = "tabularium-bots", version, propagate_version = true)]
enum TabulariumBots {
    Simulate(simulate::Simulate),
    Corpus(corpus::Corpus),
    Match(matches::Matches),
    Openings(openings::CompareOpenings),
    Analyse(analyse::Analyse),
    Draw(draw::Draw),
    Faults(faults::CountFaults),
}

/// Exit codes: 0 done, 1 failed, 2 wrong usage (from clap).
fn main() -> ExitCode {
    let done = match TabulariumBots::parse() {
        TabulariumBots::Simulate(command) => command.run(),
        TabulariumBots::Corpus(command) => command.run(),
        TabulariumBots::Match(command) => command.run(),
        TabulariumBots::Openings(command) => command.run(),
        TabulariumBots::Analyse(command) => command.run(),
        TabulariumBots::Draw(command) => command.run(),
        TabulariumBots::Faults(command) => command.run(),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}
