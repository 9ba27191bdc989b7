//! Fuzz targets on stable Rust for parsers of external data.
//!
//! They receive changed records, positions, rulesets and boards.
//!
//! `make test` runs a fixed number of cases from a fixed seed, the same on every machine. `make fuzz` runs until it is
//! stopped, with a new seed. A failing input is reduced and written to a file. Move the file to
//! `regressions/TARGET/`, and later runs try it first.

mod changes;
mod content;
mod notation;
mod play;
mod positions;
mod record;
mod run;

use run::{Shape, Target};

#[test]
fn text_record() {
    run::run(&Target {
        name: "text_record",
        shape: Shape::Lines,
        corpus: record::texts(),
        cases: 5000,
        check: record::check_text,
    });
}

#[test]
fn json_record() {
    run::run(&Target {
        name: "json_record",
        shape: Shape::Json,
        corpus: record::jsons(),
        cases: 1500,
        check: record::check_json,
    });
}

#[test]
fn notation() {
    run::run(&Target {
        name: "notation",
        shape: Shape::Lines,
        corpus: notation::actions(),
        cases: 150_000,
        check: notation::check,
    });
}

#[test]
fn position() {
    run::run(&Target {
        name: "position",
        shape: Shape::Json,
        corpus: positions::setups(),
        cases: 4000,
        check: positions::check,
    });
}

#[test]
fn ruleset() {
    run::run(&Target {
        name: "ruleset",
        shape: Shape::Json,
        corpus: content::files("rulesets"),
        cases: 2500,
        check: content::check_ruleset,
    });
}

#[test]
fn board() {
    run::run(&Target {
        name: "board",
        shape: Shape::Json,
        corpus: content::files("boards"),
        cases: 3000,
        check: content::check_board,
    });
}
