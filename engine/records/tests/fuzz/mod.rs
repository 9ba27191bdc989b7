//! Fuzz targets on stable Rust: whatever reads text or data from outside is given what is committed
//! (records, positions, rulesets, boards) with changes made to it.
//!
//! `make test` runs a fixed number of cases from a fixed seed, the same on every machine; `make fuzz`
//! goes on for as long as one likes with a fresh seed. A failing input is made smaller and written to
//! a file; put into `regressions/TARGET/` it is tried first from then on.

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
