//! The commands, one file each.

pub mod balance;
pub mod describe;
pub mod facts;
pub mod measure;
pub mod publish;
pub mod pull;
#[cfg(feature = "sql")]
pub mod query;
pub mod report;
