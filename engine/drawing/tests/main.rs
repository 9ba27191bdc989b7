//! Tests of drawings: `cargo test --workspace --test drawing`.

mod drawings;
#[path = "../../records/tests/support/golden.rs"]
mod golden;
#[cfg(feature = "png")]
#[path = "../../../tests/pictures/kept.rs"]
mod kept;
#[cfg(feature = "png")]
mod pictures;
