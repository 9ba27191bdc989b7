//! Tests of drawings: `cargo test --workspace --test drawing`.

mod drawings;
#[cfg(feature = "png")]
#[path = "../../../tests/pictures/kept.rs"]
mod kept;
#[cfg(feature = "png")]
mod pictures;
#[path = "../../tests/support/records.rs"]
mod records;
