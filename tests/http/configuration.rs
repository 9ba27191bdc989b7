//! The configuration of the program: file, environment and options.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Output, Stdio};

use super::program::{done, failed, tabularium};
use super::support::assert_contains;

/// Runs the program with environment variables.
fn with_variables(folder: &Path, arguments: &[&str], variables: &[(&str, &str)]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_tabularium"))
        .args(arguments)
        .current_dir(folder)
        .env_remove("DATABASE_URL")
        .envs(variables.iter().copied())
        .output()
        .unwrap()
}

#[test]
fn each_value_has_its_source_and_no_password_is_shown() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let text = "database = 'postgres://me:Xerxes480@db.example/x'\nguests = false\n[limit]\nreads = '7/1'\nwrites = '8/1'\n";
    std::fs::write(folder.join("config.toml"), text).unwrap();
    let show = [
        "config",
        "show",
        "--config",
        "config.toml",
        "--listen",
        "127.0.0.1:1",
    ];
    let variables = [
        ("TABULARIUM_LIMIT_WRITES", "9/1"),
        ("TABULARIUM_LISTEN", "127.0.0.1:2"),
    ];
    let output = with_variables(folder, &show, &variables);
    done(&output);
    let shown = String::from_utf8(output.stdout).unwrap();
    for line in [
        "listen = \"127.0.0.1:1\"  # option --listen",
        "limit.writes = \"9/1\"  # variable TABULARIUM_LIMIT_WRITES",
        "limit.reads = \"7/1\"  # file config.toml",
        "guests = false  # file config.toml",
        "limit.streams = 10000  # default",
        "database = \"postgres://me:***@db.example/x\"  # file config.toml",
        "# backup.folder is not set",
    ] {
        assert_contains(&shown, line);
    }
    for command in [&["serve", "--help"][..], &["doctor", "--help"], &["doctor"]] {
        let output = tabularium(folder, &[command, &["--config", "config.toml"]].concat());
        let printed = [&output.stdout[..], &output.stderr[..]].concat();
        let printed = String::from_utf8_lossy(&printed).into_owned();
        assert!(!printed.contains("Xerxes480"), "{printed}");
    }
}

#[test]
fn a_check_lists_everything_that_is_wrong() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let check = |text: &str, variables: &[(&str, &str)]| {
        std::fs::write(folder.join("config.toml"), text).unwrap();
        let output = with_variables(
            folder,
            &["config", "check", "--config", "config.toml"],
            variables,
        );
        let printed = String::from_utf8(output.stdout.clone()).unwrap();
        (output, printed)
    };
    let wrong = "lisen = '127.0.0.1:80'\n[limit]\nstreams = 'many'\n";
    let (output, printed) = check(wrong, &[("TABULARIUM_LIMIT_READS", "fast")]);
    failed(&output, 1);
    assert_contains(&printed, "lisen: unknown key; the nearest is listen");
    assert_contains(&printed, "limit.streams: expected a whole number");
    assert_contains(&printed, "variable TABULARIUM_LIMIT_READS: a rate is");
    let (output, printed) = check("facts = '/proc/facts'\n[backup]\nkeep = 3\n", &[]);
    failed(&output, 1);
    assert_contains(&printed, "facts: /proc/facts cannot be written");
    assert_contains(&printed, "backup.folder: no folder is set");
    let (output, printed) = check("listen = '0.0.0.0:0'\n", &[]);
    done(&output);
    assert_contains(
        &printed,
        "unsafe: the server listens on 0.0.0.0:0 without TLS",
    );
    assert_contains(&printed, "the configuration is valid (config.toml)");

    // No server starts with a wrong file or without the named one.
    std::fs::write(folder.join("config.toml"), wrong).unwrap();
    let serve = [
        "serve",
        "--config",
        "config.toml",
        "--listen",
        "127.0.0.1:0",
    ];
    let printed = failed(&tabularium(folder, &serve), 1);
    assert_contains(&printed, "config.toml cannot be used");
    assert_contains(&printed, "lisen: unknown key");
    let printed = failed(&tabularium(folder, &["migrate", "--config", "no.toml"]), 1);
    assert_contains(&printed, "no.toml cannot be used");
    assert!(!folder.join("tabularium.db").exists());
}

#[test]
fn a_server_starts_with_the_example_and_with_the_values_of_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let output = tabularium(folder, &["config", "example"]);
    done(&output);
    let example = String::from_utf8(output.stdout).unwrap();
    let changed = example
        .replace("#listen = \"127.0.0.1:8080\"", "listen = \"127.0.0.1:0\"")
        .replace(
            "#database = \"sqlite:tabularium.db\"",
            "database = \"sqlite:other.db\"",
        );
    std::fs::write(folder.join("config.toml"), changed).unwrap();
    let mut server = Command::new(env!("CARGO_BIN_EXE_tabularium"))
        .arg("serve")
        .current_dir(folder)
        .env_remove("DATABASE_URL")
        .env("TABULARIUM_CONFIG", "config.toml")
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut line = String::new();
    let stdout = server.stdout.take().unwrap();
    BufReader::new(stdout).read_line(&mut line).unwrap();
    let _ = server.kill();
    let _ = server.wait();
    assert_contains(&line, "listening on http://127.0.0.1:");
    assert!(!line.contains(":8080"), "{line}");
    assert!(folder.join("other.db").exists());
}
