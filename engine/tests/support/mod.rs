//! Code that several tests share.

pub mod perft;
pub mod playthrough;
pub mod records;
