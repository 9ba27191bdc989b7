//! The commands, one file each.

pub mod balance;
pub mod describe;
pub mod facts;
pub mod measure;
