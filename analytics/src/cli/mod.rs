//! The commands, one file each.

pub mod facts;
pub mod measure;
