//! Code that several tests share.

pub mod opening;
#[path = "../../../tests/support/records.rs"]
pub mod records;
pub mod setup;
