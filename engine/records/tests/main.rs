//! Tests of records: `cargo test --workspace --test records`.
//! Add a module or a test after `--`, such as `signatures`. Some use the tables and walks of the engine's tests.

mod annotated;
#[allow(dead_code, reason = "the engine's tests use the rest of it")]
#[path = "../../tests/rules_antike_duellum/boards.rs"]
mod boards;
mod decks;
mod frozen;
mod fuzz;
mod golden;
mod playthrough;
#[allow(dead_code, reason = "the engine's tests use the rest of it")]
#[path = "../../tests/properties"]
mod properties {
    pub mod invariants;
    pub mod walk;
    pub mod words;
}
#[allow(dead_code, reason = "the engine's tests use the rest of it")]
#[path = "../../tests/rules"]
mod rules {
    pub mod table;
}
mod signatures;
mod support;
mod text;
mod timeouts;
mod tlog;
mod whole_games;
