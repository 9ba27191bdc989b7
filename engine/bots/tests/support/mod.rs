//! Code that several tests share.

#[path = "../../../records/tests/support/golden.rs"]
pub mod golden;
pub mod opening;
pub mod setup;
