//! Tests of the command line of `tabularium-bots`.

mod analyse;
mod draw;
mod faults;
mod simulate;

use std::path::Path;
use std::process::{Command, Output};

use records::Record;

fn program(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_tabularium-bots"))
        .args(arguments)
        .current_dir(folder)
        .output()
        .unwrap()
}

#[track_caller]
fn done(output: &Output) -> String {
    failed(output, 0)
}

#[track_caller]
fn failed(output: &Output, code: i32) -> String {
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(code), "{errors}");
    errors
}

fn records(lines: &str) -> Vec<Record> {
    let records = lines
        .lines()
        .map(|line| serde_json::from_str(line).unwrap());
    records.collect()
}

#[test]
fn every_command_has_a_help_and_a_version() {
    let folder = tempfile::tempdir().unwrap();
    let ask = |arguments: &[&str]| {
        let output = program(folder.path(), arguments);
        assert_eq!(done(&output), "", "{arguments:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    let version = concat!("tabularium-bots ", env!("CARGO_PKG_VERSION"), "\n");
    assert_eq!(ask(&["--version"]), version);
    for command in [
        "simulate", "corpus", "match", "openings", "analyse", "draw", "faults",
    ] {
        assert!(ask(&["--help"]).contains(&format!("\n  {command} ")));
        let help = ask(&[command, "--help"]);
        let called = format!("tabularium-bots {command} ");
        assert!(
            help.matches(&called).count() > 1,
            "usage and example: {help}"
        );
        // Defaults are shown in the form of the command line.
        for default in help.split("[default: ").skip(1) {
            let default = default.split(']').next().unwrap();
            assert!(!default.contains(' '), "{command}: {default}");
        }
    }
}

#[test]
fn wrong_use_and_failures_have_their_exit_codes() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    failed(&program(folder, &[]), 2);
    failed(&program(folder, &["simulate", "--games", "many"]), 2);
    let errors = failed(&program(folder, &["simulate", "--bots", "deep"]), 1);
    assert!(
        errors.contains("error: there is no bot \"deep\""),
        "{errors}"
    );
    let errors = failed(&program(folder, &["simulate", "--nations", "7"]), 1);
    assert!(errors.contains("7 seats"), "{errors}");
}

#[test]
fn a_match_prints_a_table() {
    let folder = tempfile::tempdir().unwrap();
    let play = || {
        let sides = "match --all --sides greedy,random --rounds 2";
        let game = "--board duellum-rome-carthage --max-rounds 4";
        let arguments: Vec<&str> = sides.split(' ').chain(game.split(' ')).collect();
        let output = program(folder.path(), &arguments);
        assert!(done(&output).contains("2 of 2 rounds"));
        String::from_utf8(output.stdout).unwrap()
    };
    let table = play();
    assert!(table.contains("2 rounds, 4 games"), "{table}");
    assert_eq!(play(), table);
}
