//! Tests of the statistics and of their program: `cargo test --workspace --test analytics`.

mod coverage;
mod dataset;
mod duellum;
mod facts;
mod golden;
mod measures;
#[path = "../../tests/analytics/mod.rs"]
mod program;
mod schema;
mod store;
mod support;
